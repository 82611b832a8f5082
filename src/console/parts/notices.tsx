// Short notices at the foot about successes and failures. Screen readers announce them, and they disappear unless they offer an action.

import { explain, requestLine } from '../api/request-error.js';
import { onUserChange } from '../app/session.js';
import { Store, useStore } from '../app/store.js';
import { useCommands, type Command } from '../app/commands.js';
import { appTexts } from '../app/texts.js';
import { useTexts } from '../i18n/language.js';
import { Button, IconButton } from './button.js';
import { Icon } from './icon.js';
import { Keys } from './keys.js';
import styles from './notices.module.css';
import { partTexts } from './part-texts.js';
import { WithNumbers } from './phone-number.js';

interface Act {
  label: string;
  run: () => unknown;
  keys?: string;
}

interface Notice {
  id: number;
  text: string;
  detail?: string;
  kind: 'done' | 'failed';
  action?: Act;
  /** Takes back what the notice tells of. */
  undo?: () => unknown;
}

const notices = new Store<readonly Notice[]>([]);
/** More of them would stand over half of the list. */
const maxNotices = 3;
const shownMs = 6_000;
let lastId = 0;

/** @returns a function that removes the notice early */
export function notify(
  text: string,
  options: Pick<Notice, 'action' | 'undo' | 'detail'> & { forMs?: number } = {},
): () => void {
  const { forMs = shownMs, ...rest } = options;
  return show({ ...rest, text, kind: 'done' }, forMs);
}

/** Shows what needs somebody. */
export function warn(text: string, { forMs, ...rest }: Pick<Notice, 'action'> & { forMs: number }): void {
  show({ ...rest, text, kind: 'failed' }, forMs);
}

/** Shows a failure in words, with the request's id. */
export function notifyFailure(error: unknown): void {
  const detail = requestLine(error);
  show({ text: explain(error), kind: 'failed', ...(detail !== undefined && { detail }) }, shownMs * 2);
}

function show(notice: Omit<Notice, 'id'>, forMs: number): () => void {
  const id = (lastId += 1);
  notices.update((all) => [...all, { ...notice, id }].slice(-maxNotices));
  setTimeout(() => remove(id), forMs);
  return () => remove(id);
}

function remove(id: number): void {
  notices.update((all) => all.filter((one) => one.id !== id));
}

// Notices name people, and their actions were offered to the user who has left.
onUserChange(() => notices.set([]));

/** Returns how many pixels of a row stand behind the notices. */
export function behindNotices(row: Element): number {
  const { top, bottom } = row.getBoundingClientRect();
  const shown = document.querySelector('[data-notices]')?.getBoundingClientRect();
  return shown === undefined || shown.height === 0 || top > shown.bottom ? 0 : Math.max(0, bottom - shown.top);
}

export function Notices() {
  const texts = useTexts(appTexts);
  const parts = useTexts(partTexts);
  const all = useStore(notices);
  const newest = all.findLast(({ undo }) => undo !== undefined)?.id;
  const shown = all.map(({ undo, action, ...rest }) => {
    const act: Act | undefined =
      undo === undefined ? action : { label: parts.undo, run: undo, ...(rest.id === newest && { keys: 'z' }) };
    const run = () => {
      remove(rest.id);
      void act?.run();
    };
    return { ...rest, act: act && { ...act, run } };
  });
  // The notices stand behind everything else, which is far for the Tab key: the palette has their acts, and `Z` undoes the newest.
  useCommands(
    shown
      .toReversed()
      .flatMap(({ id, text, act }): Command[] =>
        act === undefined
          ? []
          : [{ ...act, id: `notice ${id}`, title: `${act.label}: ${text}`, group: texts.general, isGlobal: true }],
      ),
  );
  return (
    <div className={styles.notices} data-notices>
      {shown.map(({ id, text, detail, kind, act }) => (
        <div key={id} role={kind === 'failed' ? 'alert' : 'status'} className={styles.notice} data-kind={kind}>
          <Icon name={kind === 'failed' ? 'warning' : 'check'} />
          <p>
            <WithNumbers text={text} />
            {detail !== undefined && <small>{detail}</small>}
          </p>
          {act !== undefined && (
            <Button onClick={act.run}>
              {act.label}
              {act.keys !== undefined && (
                <span aria-hidden>
                  <Keys keys={act.keys} />
                </span>
              )}
            </Button>
          )}
          <IconButton icon="close" label={texts.close} onClick={() => remove(id)} />
        </div>
      ))}
    </div>
  );
}
