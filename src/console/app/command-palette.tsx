// The command palette, which finds people too, and the list of keyboard shortcuts.

import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { useTexts } from '../i18n/language.js';
import { hasBeginnings, matchesIn } from '../live/found-words.js';
import { Dialog } from '../parts/dialog.js';
import { FoundText } from '../parts/found-text.js';
import { Icon } from '../parts/icon.js';
import { Keys } from '../parts/keys.js';
import { PhoneNumber } from '../parts/phone-number.js';
import { byPlace, commands, type Command } from './commands.js';
import styles from './command-palette.module.css';
import { useFoundPeople } from './found-people.js';
import { sessionState } from './session.js';
import { settingsGroups, settingsPlaceTexts } from './settings-places.js';
import { useStore } from './store.js';
import { appTexts } from './texts.js';
import { takeTyped } from './typed-ahead.js';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export type OpenDialog = 'palette' | 'shortcuts';

export function CommandDialogs({ open, onClose }: { open: OpenDialog | undefined; onClose: () => void }) {
  return (
    <>
      <CommandPalette isOpen={open === 'palette'} onClose={onClose} />
      <ShortcutsDialog isOpen={open === 'shortcuts'} onClose={onClose} />
    </>
  );
}

function CommandPalette({ isOpen, onClose }: DialogProps) {
  const texts = useTexts(appTexts);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={texts.palette} isTitleHidden>
      <Palette onClose={onClose} />
    </Dialog>
  );
}

function Palette({ onClose }: { onClose: () => void }) {
  const texts = useTexts(appTexts);
  const all = useStore(commands);
  const [wanted, setWanted] = useState(() => takeTyped() ?? '');
  const [index, setIndex] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const people = useFoundPeople(wanted);
  const settings = useSettings();
  const groups = useMemo(() => inGroups(find([...all, ...settings], wanted), people), [all, settings, wanted, people]);
  const found = groups.flatMap(({ own }) => own);
  const current = Math.min(index, found.length - 1);

  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    // The command runs after the dialog has given the focus back.
    setTimeout(() => command.run());
  };
  const move = (by: number) => {
    const next = (current + by + found.length) % Math.max(1, found.length);
    setIndex(next);
    list.current?.querySelector(`#palette-${next}`)?.scrollIntoView({ block: 'nearest' });
  };

  return (
    <div className={styles.palette}>
      <label className={styles.field}>
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded
          aria-controls="palette-list"
          aria-activedescendant={found[current] === undefined ? undefined : `palette-${current}`}
          aria-label={texts.paletteHint}
          placeholder={texts.paletteHint}
          value={wanted}
          autoFocus
          onChange={({ target }) => {
            setWanted(target.value);
            setIndex(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') move(1);
            else if (event.key === 'ArrowUp') move(-1);
            else if (event.key === 'Enter') run(found[current]);
            else return;
            event.preventDefault();
          }}
        />
      </label>
      <ul ref={list} id="palette-list" role="listbox" aria-label={texts.palette}>
        {groups.map(({ name, own, from }) => (
          <li key={name} role="group" aria-label={name}>
            <h3 aria-hidden>{name}</h3>
            {own.map((command, place) => (
              <div
                key={command.id}
                id={`palette-${from + place}`}
                role="option"
                tabIndex={-1}
                aria-selected={from + place === current}
                onPointerMove={() => setIndex(from + place)}
                onClick={() => run(command)}
              >
                <span dir="auto">
                  <FoundText text={command.title} matches={matchesIn(command.title, wanted)} />
                </span>
                {command.number !== undefined && (
                  <small>
                    <PhoneNumber of={command.number} />
                  </small>
                )}
                <Keys keys={command.keys} />
              </div>
            ))}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={styles.none}>{texts.noCommands}</p>}
      <footer className={styles.keys} aria-hidden>
        <span>
          <Keys keys="↑" />
          <Keys keys="↓" /> {texts.keysMove}
        </span>
        <span>
          <Keys keys="Enter" /> {texts.keysOpen}
        </span>
        <span>
          <Keys keys="?" /> {texts.keysAll}
        </span>
      </footer>
    </div>
  );
}

/** The pages of the settings by name. The palette alone has them, which loads when it opens. */
function useSettings(): Command[] {
  const { settings: group } = useTexts(appTexts);
  const texts = useTexts(settingsPlaceTexts);
  const navigate = useNavigate();
  const isAdmin = useStore(sessionState).user?.role === 'ADMIN';
  return useMemo(() => {
    const pages = isAdmin ? settingsGroups.flatMap((one) => one.pages) : [];
    const placeOf = (title: string, to: '/settings' | `/settings/${(typeof pages)[number]}`): Command => ({
      id: `go ${to}`,
      title,
      group,
      isGlobal: true,
      run: () => navigate({ to }),
    });
    return [placeOf(texts.profile, '/settings'), ...pages.map((name) => placeOf(texts[name], `/settings/${name}`))];
  }, [isAdmin, texts, group, navigate]);
}

function ShortcutsDialog({ isOpen, onClose }: DialogProps) {
  const texts = useTexts(appTexts);
  const groups = Map.groupBy(
    useStore(commands)
      .filter(({ keys }) => keys !== undefined)
      .toSorted(byPlace),
    ({ group }) => group,
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={texts.shortcuts}>
      <div className={styles.shortcuts}>
        {[...groups].map(([group, own]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {own.map(({ id, title, keys }) => (
                <div key={id}>
                  <dt>{title}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** Returns the commands in whose title or group each typed word begins one. */
function find(all: readonly Command[], wanted: string): Command[] {
  const matches = ({ title, group, isHidden = false }: Command) =>
    !isHidden && hasBeginnings(`${title} ${group}`, wanted.trim());
  return all.filter(matches).toSorted(byPlace);
}

interface Group {
  name: string;
  own: readonly Command[];
  /** The place of its first command among all. */
  from: number;
}

/** Returns what was found under its headings, in the order of each first one. */
function inGroups(found: readonly Command[], people: readonly Command[]): Group[] {
  let from = 0;
  return [...Map.groupBy([...found, ...people], ({ group }) => group)].map(([name, own]) => {
    const group = { name, own, from };
    from += own.length;
    return group;
  });
}
