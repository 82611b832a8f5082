// The bulk send that this window works on. It goes on while other pages are shown, and ends with its user.

import { askAgain } from '../../api/client.js';
import { onSignOut, sessionState } from '../../app/session.js';
import { Store } from '../../app/store.js';
import { forgetKeptBulk } from './bulk-draft.js';
import { StartBulkDocument } from './operations.js';
import { inputOf } from './send-plan.js';
import { keepSending, keptSending, type Sending, type SendingPart } from './sending.js';

export interface SendWork {
  userId: string;
  sending: Sending;
  isBusy: boolean;
  /** The failure that has stopped it. */
  error?: unknown;
}

export const sendWork = new Store<SendWork | undefined>(undefined);

/** The ids of the accepted parts; undefined if the send has stopped before its end. */
type Ended = Promise<readonly string[] | undefined>;

let ended: Ended | undefined;

export const workOf = (work: SendWork | undefined, userId: string): SendWork | undefined =>
  work?.userId === userId ? work : undefined;

/** Returns the user's send that is under way, has failed, or was interrupted by a reload. */
export const unfinishedSend = (userId: string): Sending | undefined =>
  workOf(sendWork.value, userId)?.sending ?? keptSending(userId);

/** Returns the end of the user's send that is under way. */
export const endOfSend = (userId: string): Ended | undefined =>
  workOf(sendWork.value, userId)?.isBusy === true ? ended : undefined;

/** Sends what was not sent yet. A send that is under way goes on instead. */
export function startSending(userId: string, sending: Sending): Ended {
  return endOfSend(userId) ?? (ended = run({ userId, sending, isBusy: true }));
}

/** Forgets a send that is not under way. Parts that were sent stay sent. */
export function forgetSending(userId: string): void {
  keepSending(userId, undefined);
  sendWork.update((work) => (work?.userId === userId ? undefined : work));
}

const isDone = ({ bulkSendId, recipients }: SendingPart) => bulkSendId !== undefined || recipients.length === 0;

async function run(begun: SendWork): Ended {
  const { userId } = begun;
  let work = begun;
  // The next user would send under another name, and the sign-out has removed what is kept.
  const isOver = () => sendWork.value !== work || sessionState.value.user?.id !== userId;
  const set = (next: SendWork) => {
    work = next;
    sendWork.set(next);
  };
  const stop = (error?: unknown): undefined => {
    if (sendWork.value === work) set({ ...work, isBusy: false, error });
  };
  set(begun);
  keepSending(userId, begun.sending);
  addEventListener('beforeunload', warn);
  try {
    for (const [index, part] of begun.sending.parts.entries()) {
      if (isDone(part)) continue;
      if (isOver()) break;
      const bulkSendId = await send(work.sending, part);
      if (isOver()) break;
      const { sending } = work;
      set({ ...work, sending: { ...sending, parts: sending.parts.with(index, { ...part, bulkSendId }) } });
      keepSending(userId, work.sending);
    }
    if (isOver()) return stop();
    forgetSending(userId);
    // The form may not be shown any more, and would offer the same send again.
    forgetKeptBulk(userId);
    return work.sending.parts.flatMap(({ bulkSendId }) => bulkSendId ?? []);
  } catch (error) {
    return stop(isOver() ? undefined : error);
  } finally {
    if (sendWork.value?.isBusy !== true) removeEventListener('beforeunload', warn);
  }
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

async function send({ terms }: Sending, { key, recipients }: SendingPart): Promise<string> {
  const input = { ...terms, idempotencyKey: key, recipients: recipients.map(inputOf) };
  // A repeated call is safe, because it has the same key.
  return (await askAgain(StartBulkDocument, { input })).sendMessages.id;
}

onSignOut(() => sendWork.set(undefined));
