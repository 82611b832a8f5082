// The bar of acts on selected leads. It floats over the foot of its list while something is selected.

import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useMe } from '../../api/use-me.js';
import { useCommands, type Command } from '../../app/commands.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button, IconButton } from '../button.js';
import { ColleagueItems } from '../colleague-items.js';
import { Keys } from '../keys.js';
import { Menu, MenuItem } from '../menu.js';
import { nameOf } from '../name-of.js';
import { notifyFailure } from '../notices.js';
import { snoozeTimes } from '../snooze-times.js';
import type { CreateBulkActionInput, LeadChangeInput } from './operations.js';
import { runAction } from './run-action.js';
import styles from './selection.module.css';
import { TagDialog } from './tag-dialog.js';
import { selectionTexts } from './texts.js';

interface SelectionBarProps {
  count: number;
  /** The selected leads, as the API takes them. */
  leads: Pick<CreateBulkActionInput, 'leadIds' | 'filter'>;
  /** True if every selected conversation is closed: they can be opened again. */
  areClosed: boolean;
  /** Is called with the selected leads that an act was begun on. Others may have been selected since. */
  onDone: (leadIds: readonly string[]) => void;
  onClear: () => void;
  /** The key of an act that came before the bar. */
  early?: RefObject<string | undefined>;
  /** The bar floats over a page, which has a main act of its own. */
  isFloating?: boolean;
  /** Further buttons, before the acts. */
  children?: React.ReactNode;
}

export function SelectionBar(props: SelectionBarProps) {
  const { count, areClosed, onClear, early, isFloating = false, children } = props;
  const texts = useTexts(selectionTexts);
  const formats = useFormats();
  const [isTagging, setTagging] = useState(false);
  const { isBusy, start } = useActs(props);
  const act = (action: LeadChangeInput, saysDone: SaysDone) => void start(action, saysDone).catch(notifyFailure);
  const snooze = (at: Date) => act({ snoozeUntil: at.toISOString() }, texts.snoozed);
  const timeOfDay = formats.time(snoozeTimes().tomorrow.toISOString());
  const bar = useRef<HTMLDivElement>(null);
  useFocusBack(bar);
  const end = () =>
    areClosed
      ? act({ conversationStatus: 'OPEN' }, texts.reopened)
      : act({ conversationStatus: 'CLOSED' }, texts.closed);
  const assign = useRef<HTMLButtonElement>(null);
  const snoozing = useRef<HTMLButtonElement>(null);
  const group = texts.selection;
  // The bar stands behind every row of a table, which is far for the Tab key: the palette has its acts. Their keys mean what is selected,
  // also beside an open conversation, which has the same ones.
  const acts: Command[] = [
    { id: 'selection-end', title: areClosed ? texts.reopen : texts.close, keys: 'e', group, run: end },
    { id: 'selection-assign', title: texts.assign, keys: 'a', group, run: () => assign.current?.click() },
    { id: 'selection-tag', title: texts.tag, keys: 't', group, run: () => setTagging(true) },
    { id: 'selection-snooze', title: texts.snooze, keys: 's', group, run: () => snoozing.current?.click() },
    { id: 'select-none', title: texts.selectNone, keys: 'Escape', group, run: onClear },
  ];
  useCommands(acts.map((one) => ({ ...one, isOfSelection: true })));
  useEffect(() => {
    const key = early?.current;
    if (key !== undefined) void acts.find(({ keys }) => keys === key)?.run();
  }, []);

  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={texts.selection}
      className={styles.bar}
      data-floating={isFloating || undefined}
      data-bar-of-acts
    >
      <strong className={styles.count} aria-live="polite">
        {texts.selected(count)}
      </strong>
      {children}
      <Button
        kind={isFloating ? 'plain' : 'primary'}
        {...(isFloating && { icon: 'check' })}
        isBusy={isBusy}
        onClick={end}
      >
        {areClosed ? texts.reopen : texts.close}
        {isFloating && <Key of="e" />}
      </Button>
      <Menu
        trigger={
          <Button ref={assign} {...(isFloating && { icon: 'user' })}>
            {texts.assign}
            {isFloating && <Key of="a" />}
          </Button>
        }
      >
        <AssignChoices onChoose={(assigneeId) => act({ assigneeId }, texts.assigned)} />
      </Menu>
      <Button {...(isFloating && { icon: 'tag' })} onClick={() => setTagging(true)}>
        {texts.tag}
        {isFloating && <Key of="t" />}
      </Button>
      <Menu trigger={<IconButton ref={snoozing} icon="snooze" label={texts.snooze} />}>
        <MenuItem onChoose={() => snooze(snoozeTimes().hour)}>{texts.inAnHour}</MenuItem>
        <MenuItem onChoose={() => snooze(snoozeTimes().tomorrow)}>{texts.tomorrow(timeOfDay)}</MenuItem>
        <MenuItem onChoose={() => snooze(snoozeTimes().monday)}>{texts.monday(timeOfDay)}</MenuItem>
      </Menu>
      <IconButton icon="close" label={texts.selectNone} onClick={onClear} />
      {isTagging && <TagDialog onClose={() => setTagging(false)} onTag={start} />}
    </div>
  );
}

type SaysDone = (count: number) => string;

/** An act may begin while another goes on. It is for those that were selected since: the same key twice is one act. */
function useActs({ leads, onDone }: SelectionBarProps) {
  const [underWay, setUnderWay] = useState<readonly string[]>([]);
  const now = useRef(underWay);
  const change = (ids: readonly string[]) => setUnderWay((now.current = ids));
  const selected = (leads.leadIds ?? [allLeads]).map(String);
  const start = async (action: LeadChangeInput, saysDone: SaysDone): Promise<void> => {
    const ids = selected.filter((id) => !now.current.includes(id));
    if (ids.length === 0) return;
    change([...now.current, ...ids]);
    try {
      await runAction({ ...(leads.leadIds == null ? leads : { leadIds: ids }), action }, saysDone);
      onDone(ids);
    } finally {
      change(now.current.filter((id) => !ids.includes(id)));
    }
  };
  return { isBusy: selected.every((id) => underWay.includes(id)), start };
}

/** Stands for all leads that a filter finds. */
const allLeads = 'all';

function Key({ of: keys }: { of: string }) {
  return (
    <span aria-hidden>
      <Keys keys={keys} />
    </span>
  );
}

/** The bar goes with its selection. A focus in it returns to the list, where the keyboard goes on. */
function useFocusBack(bar: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = bar.current;
    return () => {
      if (element?.contains(document.activeElement) !== true) return;
      document.querySelector<HTMLElement>('main :is([role=listbox], [role=region])')?.focus();
    };
  }, [bar]);
}

function AssignChoices({ onChoose }: { onChoose: (userId: string | null) => void }) {
  const texts = useTexts(selectionTexts);
  const { user } = useStore(sessionState);
  const me = useMe();
  return (
    <>
      {user !== undefined && (
        <MenuItem onChoose={() => onChoose(user.id)}>
          {texts.me(nameOf(me ?? { name: null, email: user.email }))}
        </MenuItem>
      )}
      <MenuItem onChoose={() => onChoose(null)}>{texts.nobody}</MenuItem>
      <ColleagueItems without={[user?.id]} onChoose={onChoose} />
    </>
  );
}
