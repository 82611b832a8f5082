// The command palette, which finds people too, and the list of keyboard shortcuts.

import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { useTexts } from '../i18n/language.js';
import { Dialog } from '../parts/dialog.js';
import { Keys } from '../parts/keys.js';
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
  const found = [...useMemo(() => find([...all, ...settings], wanted), [all, settings, wanted]), ...people];
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
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };

  return (
    <div className={styles.palette}>
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
      <ul ref={list} id="palette-list" role="listbox" aria-label={texts.palette}>
        {found.map((command, place) => (
          <li
            key={command.id}
            id={`palette-${place}`}
            role="option"
            aria-selected={place === current}
            onPointerMove={() => setIndex(place)}
            onClick={() => run(command)}
          >
            <span dir="auto">{command.title}</span>
            <small>{command.group}</small>
            <Keys keys={command.keys} />
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={styles.none}>{texts.noCommands}</p>}
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

/** Returns the commands whose title or group contains every word. */
function find(all: readonly Command[], wanted: string): Command[] {
  const words = fold(wanted).split(/\s+/).filter(Boolean);
  const matches = ({ title, group, isHidden = false }: Command) =>
    !isHidden && words.every((word) => fold(`${title} ${group}`).includes(word));
  return all.filter(matches).toSorted(byPlace);
}

function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
