// Runs one action on many leads, says what became of it, and offers to undo it. A worker of the service makes the changes.

import { ask, askAgain } from '../../api/client.js';
import { RequestError } from '../../api/request-error.js';
import { sessionState } from '../../app/session.js';
import { textsNow } from '../../i18n/language.js';
import { notify, notifyFailure } from '../notices.js';
import {
  BulkActionDocument,
  CreateBulkActionDocument,
  UndoBulkActionDocument,
  type ActionStateFragment,
  type CreateBulkActionInput,
} from './operations.js';
import { selectionTexts } from './texts.js';

/** Most actions have ended by then, and get one notice. */
const quickMs = 1_500;
const shownMs = 60_000;
const firstPauseMs = 150;
const maxPauseMs = 2_000;

/**
 * Begins an action and resolves once it has begun. The notices follow by themselves.
 * @param saysDone says what was done to so many leads
 * @throws RequestError if the action cannot begin
 */
export async function runAction(input: CreateBulkActionInput, saysDone: (count: number) => string): Promise<void> {
  const begun = (await ask(CreateBulkActionDocument, { input })).createBulkAction;
  void tell(begun, saysDone);
}

async function tell(begun: ActionStateFragment, saysDone: (count: number) => string): Promise<void> {
  const texts = textsNow(selectionTexts);
  const say = (text: string) => notify(text, { undo: () => undoAction(begun.id), forMs: shownMs });
  let removeFirst = () => {};
  const timer = setTimeout(() => (removeFirst = say(texts.underWay(begun.total))), quickMs);
  try {
    const { status, done, skipped } = (await untilEnded(begun)) ?? begun;
    // The undo has notices of its own.
    if (status === 'COMPLETED') say(`${saysDone(done)}${skipped > 0 ? ` ${texts.skipped(skipped)}` : ''}`);
  } catch (error) {
    notifyFailure(error);
  } finally {
    clearTimeout(timer);
    removeFirst();
  }
}

async function undoAction(id: string): Promise<void> {
  const texts = textsNow(selectionTexts);
  try {
    const undone = await untilEnded((await ask(UndoBulkActionDocument, { id })).undoBulkAction);
    if (undone === undefined) return;
    const { skipped } = undone;
    notify(skipped === 0 ? texts.undone : `${texts.undone} ${texts.stays(skipped)}`);
  } catch (error) {
    notifyFailure(error);
  }
}

/**
 * Reads the action until every lead was looked at, in longer and longer pauses.
 * @returns undefined once another user is signed in, whom it does not concern
 */
async function untilEnded(begun: ActionStateFragment): Promise<ActionStateFragment | undefined> {
  const { user } = sessionState.value;
  let action = begun;
  for (let pauseMs = firstPauseMs; isRunning(action); pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const isOther = () => sessionState.value.user?.id !== user?.id;
    if (isOther()) return undefined;
    try {
      action = (await askAgain(BulkActionDocument, { id: action.id })).bulkAction ?? action;
    } catch (error) {
      if (isOther()) return undefined;
      // The action goes on without a connection to this page.
      if (!(error instanceof RequestError) || !error.isTemporary) throw error;
    }
  }
  return action;
}

const isRunning = ({ status }: ActionStateFragment) => status === 'RUNNING' || status === 'UNDOING';
