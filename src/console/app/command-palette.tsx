// The command palette, which finds people too, and the list of keyboard shortcuts.

import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTexts } from '../i18n/language.js';
import { useFoundReasons } from '../live/found-reason.js';
import { hasBeginnings, matchesIn } from '../live/found-words.js';
import { Avatar } from '../parts/avatar.js';
import { Dialog } from '../parts/dialog.js';
import { FoundName, FoundText } from '../parts/found-text.js';
import { Icon } from '../parts/icon.js';
import { Keys } from '../parts/keys.js';
import { isNumber } from '../parts/number-groups.js';
import { PhoneNumber } from '../parts/phone-number.js';
import { WaitAge } from '../parts/wait-age.js';
import { iconOf } from './command-icons.js';
import { byPlace, commands, type Command } from './commands.js';
import styles from './command-palette.module.css';
import { useFoundPeople, type Person, type PersonCommand } from './found-people.js';
import { useNow } from './now.js';
import { paletteTexts } from './palette-texts.js';
import { onUserChange, sessionState } from './session.js';
import { settingsGroups, settingsPlaceTexts } from './settings-places.js';
import { useStore } from './store.js';
import { appTexts } from './texts.js';

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

type Offered = Command | PersonCommand;

const maxRecent = 4;

type Place = 'here' | 'newTab';

/** The newest choice comes first. All of them go with the user. */
let recent: readonly Offered[] = [];
onUserChange(() => (recent = []));

function remember(chosen: Offered): void {
  // How a person waits is known only for as long as the search is new.
  const kept =
    'person' in chosen
      ? { ...chosen, person: { ...chosen.person, conversationStatus: 'OPEN' as const, waitingSince: null } }
      : chosen;
  recent = [kept, ...recent.filter(({ id }) => id !== chosen.id)].slice(0, maxRecent);
}

/** Returns what was chosen last and can be chosen now, under a heading of its own before the others. */
function recentFirst(all: readonly Command[], group: string): Offered[] {
  const own = recent.flatMap((one): Offered[] => {
    const offered = 'person' in one ? one : all.find(({ id }) => id === one.id);
    return offered === undefined ? [] : [{ ...offered, group }];
  });
  return [...own, ...all.filter(({ id }) => own.every((one) => one.id !== id))];
}

function CommandPalette({ isOpen, onClose }: DialogProps) {
  const texts = useTexts(appTexts);
  // The choice runs after the dialog has given the focus back, which it may take for itself.
  const choice = useRef<Offered>(undefined);
  useEffect(() => {
    if (isOpen) choice.current = undefined;
  }, [isOpen]);
  const choose = (command?: Offered) => {
    choice.current = command;
    onClose();
  };
  const runChoice = () => {
    const command = choice.current;
    choice.current = undefined;
    if (command?.path === undefined) void command?.run();
    else void goTo(command);
  };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} onClosed={runChoice} title={texts.palette} isTitleHidden>
      <Palette onChoose={choose} />
    </Dialog>
  );
}

/**
 * Another page is gone on with from its beginning, which may stand behind a list of pages, and not in what was written or chosen on this
 * one. A page may ask before it is left.
 */
async function goTo({ run }: Command): Promise<void> {
  const [{ href }, from] = [location, document.activeElement];
  await run();
  const { activeElement } = document;
  // A key may have gone on meanwhile.
  const isOn = activeElement !== from && activeElement?.matches('input, textarea, [role=listbox]') === true;
  const beginning = document.querySelector<HTMLElement>('[data-beginning]') ?? document.querySelector('main');
  if (location.href !== href && !isOn) beginning?.focus({ preventScroll: true });
}

function Palette({ onChoose }: { onChoose: (command?: Offered) => void }) {
  const { palette: title } = useTexts(appTexts);
  const texts = useTexts(paletteTexts);
  const all = useStore(commands);
  const [wanted, setWanted] = useState('');
  /** The choice of the arrow keys or the pointer. Without one the first is current. */
  const [chosen, setChosen] = useState<string>();
  const [entered, setEntered] = useState<Place>();
  const list = useRef<HTMLDivElement>(null);
  const { people, isAsking } = useFoundPeople(wanted);
  const reasons = useFoundReasons(wanted.trim(), isAsking ? undefined : people.map(({ person }) => person));
  const settings = useSettings();
  const beginnings = useBeginnings();
  const groups = useMemo(() => {
    const offered = find([...all, ...beginnings, ...settings], wanted);
    return inGroups(wanted.trim() === '' ? recentFirst(offered, texts.recent) : [...people, ...offered]);
  }, [all, beginnings, settings, wanted, people, texts]);
  const found = groups.flatMap(({ own }) => own);
  // People come a moment after the commands, and stand above them: what was chosen meanwhile stays chosen.
  const current = Math.max(
    0,
    found.findIndex(({ id }) => id === chosen),
  );
  const opened = found[current];

  const run = (command: Offered | undefined, place: Place = 'here') => {
    if (command === undefined) return;
    remember(command);
    if (place === 'here' || command.path === undefined) return onChoose(command);
    onChoose();
    // A session lives in one tab: the new one signs in first, as one that a link opens.
    window.open(command.path, '_blank', 'noopener');
  };
  const enter = (place: Place) => (chosen === undefined ? setEntered(place) : run(opened, place));
  const move = (by: number) => {
    const next = (current + by + found.length) % Math.max(1, found.length);
    setChosen(found[next]?.id);
    list.current?.querySelector(`#palette-${next}`)?.scrollIntoView({ block: 'nearest' });
  };

  // Enter means the first of all that the words find, not the first that is here already. It runs once, whatever else comes in before the
  // dialog is gone.
  const isDue = entered !== undefined && !isAsking;
  useEffect(() => {
    if (!isDue) return;
    setEntered(undefined);
    run(opened, entered);
  }, [isDue]);

  return (
    <div className={styles.palette}>
      <label className={styles.field}>
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded
          aria-controls="palette-list"
          aria-activedescendant={opened === undefined ? undefined : `palette-${current}`}
          aria-label={texts.hint}
          placeholder={texts.hint}
          value={wanted}
          autoFocus
          onChange={({ target }) => {
            setWanted(target.value);
            setChosen(undefined);
            setEntered(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') move(1);
            else if (event.key === 'ArrowUp') move(-1);
            else if (event.key === 'Enter') enter(event.ctrlKey || event.metaKey ? 'newTab' : 'here');
            else return;
            event.preventDefault();
          }}
        />
      </label>
      <div ref={list} id="palette-list" role="listbox" aria-label={title}>
        {groups.map(({ name, own, from }) => (
          <div key={name} role="group" aria-label={name}>
            <h3 aria-hidden>{name}</h3>
            {own.map((command, place) => (
              <div
                key={command.id}
                id={`palette-${from + place}`}
                role="option"
                tabIndex={-1}
                aria-selected={from + place === current}
                onPointerMove={() => setChosen(command.id)}
                onClick={() => run(command)}
              >
                <Line
                  command={command}
                  name={<FoundName name={command.title} matches={matchesIn(command.title, wanted)} />}
                  reason={'person' in command ? reasons.get(command.person.id) : undefined}
                  wanted={wanted}
                />
              </div>
            ))}
          </div>
        ))}
      </div>
      {found.length === 0 && !isAsking && <p className={styles.none}>{texts.none}</p>}
      <Foot hasPath={opened?.path !== undefined} />
    </div>
  );
}

/** @param hasPath the current choice can be opened in a new tab */
function Foot({ hasPath }: { hasPath: boolean }) {
  const texts = useTexts(paletteTexts);
  return (
    <footer className={styles.keys} aria-hidden>
      <span>
        <Keys keys="↑" />
        <Keys keys="↓" /> {texts.move}
      </span>
      <span>
        <Keys keys="Enter" /> {texts.open}
      </span>
      {hasPath && (
        <span>
          <Keys keys="$mod+Enter" /> {texts.inNewTab}
        </span>
      )}
      <span>
        <Keys keys="?" /> {texts.allKeys}
      </span>
    </footer>
  );
}

interface Found {
  /** Has the letters marked that were found. */
  name: ReactNode;
  /** The tag or e-mail address by which a person was found. */
  reason: string | undefined;
  wanted: string;
}

function Line({ command, ...found }: Found & { command: Offered }) {
  const { name } = found;
  if ('person' in command) return <PersonLine person={command.person} {...found} />;
  return (
    <>
      <Icon name={iconOf(command.id)} />
      <span dir="auto">{name}</span>
      <Keys keys={command.keys} />
    </>
  );
}

function PersonLine({ person, name: shown, reason, wanted }: Found & { person: Person }) {
  const texts = useTexts(paletteTexts);
  const now = useNow();
  const { id, name, chat, conversationStatus, waitingSince } = person;
  return (
    <>
      <Avatar id={id} name={name} size={26} />
      <span dir="auto">{shown}</span>
      {reason !== undefined ? (
        <small>
          <FoundText text={reason} matches={matchesIn(reason, wanted)} />
        </small>
      ) : (
        chat !== null &&
        !isNumber(name) && (
          <small>
            <PhoneNumber of={chat} />
          </small>
        )
      )}
      <small>
        {conversationStatus === 'OPEN'
          ? waitingSince !== null && <WaitAge since={waitingSince} now={now} />
          : texts[conversationStatus]}
      </small>
    </>
  );
}

/** Leads to what is begun on a page of its own. */
function useBeginnings(): Command[] {
  const { bulk, templates } = useTexts(appTexts);
  const { newBulk, newTemplate } = useTexts(paletteTexts);
  const navigate = useNavigate();
  return useMemo(() => {
    const beginning = (to: '/bulk' | '/templates', title: string, group: string): Command => ({
      id: `new-${to.slice(1)}`,
      title,
      group,
      isGlobal: true,
      path: `${to}?id=new`,
      run: () => navigate({ to, search: { id: 'new' } }),
    });
    return [beginning('/bulk', newBulk, bulk), beginning('/templates', newTemplate, templates)];
  }, [bulk, templates, newBulk, newTemplate, navigate]);
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
      path: to,
      run: () => navigate({ to }),
    });
    return [placeOf(texts.profile, '/settings'), ...pages.map((name) => placeOf(texts[name], `/settings/${name}`))];
  }, [isAdmin, texts, group, navigate]);
}

function ShortcutsDialog({ isOpen, onClose }: DialogProps) {
  const texts = useTexts(appTexts);
  const sorted = useStore(commands)
    .filter(({ keys }) => keys !== undefined)
    .toSorted(byPlace);
  // A key stands once, with the command that it runs now.
  const groups = Map.groupBy(
    sorted.filter(({ keys }, place) => sorted.findIndex((one) => one.keys === keys) === place),
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

/**
 * Returns the commands in whose title or group each typed word begins one. A command that the words name comes before those of a group that
 * they name.
 */
function find(all: readonly Command[], wanted: string): Command[] {
  const words = wanted.trim();
  const matches = ({ title, group, isHidden = false }: Command) =>
    !isHidden && hasBeginnings(`${title} ${group}`, words);
  const isNamed = ({ title }: Command) => Number(hasBeginnings(title, words));
  return all.filter(matches).toSorted((one, other) => isNamed(other) - isNamed(one) || byPlace(one, other));
}

interface Group {
  name: string;
  own: readonly Offered[];
  /** The place of its first command among all. */
  from: number;
}

/** Returns what was found under its headings, in the order of each first one. */
function inGroups(found: readonly Offered[]): Group[] {
  let from = 0;
  return [...Map.groupBy(found, ({ group }) => group)].map(([name, own]) => {
    const group = { name, own, from };
    from += own.length;
    return group;
  });
}
