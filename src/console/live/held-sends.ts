// Messages that are held for a moment before they are sent. Each is sent once under its idempotency key, or taken back. Storage, clock and
// network are injected.

import type { SendMessageInput } from '../api/operations.js';
import { Store } from '../app/store.js';

export interface Failure {
  code: string;
  message: string;
  requestId?: string | undefined;
  /** True if the same call may succeed soon. */
  isTemporary: boolean;
  /** For CONFLICT: the number of messages that came after the expected one. */
  unseen?: number;
}

export interface HeldSend<Draft = unknown> {
  /** The idempotency key, which never changes. */
  key: string;
  /** The messages that one press of the button created share this value. */
  group: string;
  leadId: string;
  input: SendMessageInput;
  /** The newest message that the user had seen. */
  expected?: string | undefined;
  /** The key of the message that is sent before this one. Its id then becomes `expected`. */
  after?: string | undefined;
  /** The draft that returns to the composer if the message is taken back. */
  draft: Draft;
  createdAt: number;
  dueAt: number;
  state: 'held' | 'sending' | 'failed';
  failure?: Failure | undefined;
  /** True if the conversation was closed with the message. It opens again if the message is taken back or refused. */
  closes?: boolean | undefined;
  /** True if the message is too old to be sent without the user. The call then only finds out if it was sent before. */
  isStale?: boolean | undefined;
  /** The page that holds the message. */
  owner: string;
}

interface Sent {
  id: string;
}

interface Options<Draft, Message extends Sent> {
  owner: string;
  holdMs: number;
  /** Older messages are no longer sent without the user. */
  staleMs: number;
  now: () => number;
  newKey: () => string;
  send: (input: SendMessageInput) => Promise<Message>;
  explain: (error: unknown) => Failure;
  save: (send: HeldSend<Draft>) => void;
  remove: (keys: readonly string[]) => void;
  onSent: (leadId: string, message: Message) => void;
  /** Is called if a message is refused whose conversation was closed with it. */
  onRefusedClosing: (leadId: string) => void;
}

export class HeldSends<Draft, Message extends Sent> {
  readonly list = new Store<readonly HeldSend<Draft>[]>([]);

  constructor(private readonly options: Options<Draft, Message>) {}

  /**
   * Holds the messages of one press of the button, in order.
   * @param expected the newest message that is shown
   * @param closes true if the conversation is closed with them
   * @returns the key of the first message
   */
  hold(
    leadId: string,
    parts: readonly { input: SendMessageInput; draft: Draft }[],
    expected: string | undefined,
    closes = false,
  ): string {
    const { now, newKey, holdMs, owner, save } = this.options;
    const createdAt = now();
    const group = newKey();
    const isAhead = (one: HeldSend<Draft>) => one.leadId === leadId && one.failure?.isTemporary !== false;
    let after = this.list.value.findLast(isAhead)?.key;
    const made = parts.map(({ input, draft }, index): HeldSend<Draft> => {
      const key = index === 0 ? group : newKey();
      const base = { key, group, leadId, input, draft, after, expected, owner, closes };
      after = key;
      return { ...base, createdAt, dueAt: createdAt + holdMs, state: 'held' };
    });
    for (const send of made) save(send);
    this.list.update((all) => [...all, ...made]);
    return group;
  }

  /** The first message of the newest group that can still be taken back. */
  get lastHeld(): HeldSend<Draft> | undefined {
    const last = this.list.value.findLast(({ state }) => state === 'held');
    return this.list.value.find(({ group }) => group === last?.group);
  }

  /** The time of the next due message; undefined if no message waits. */
  get nextDueAt(): number | undefined {
    const due = this.list.value.filter((one) => one.state === 'held' && this.isFirst(one)).map(({ dueAt }) => dueAt);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  /** Takes back the whole group of a message. @returns the drafts, in order; undefined if the group is gone or being sent */
  undo(key: string): { leadId: string; drafts: Draft[]; closes: boolean } | undefined {
    const found = this.find(key);
    const group = this.list.value.filter((one) => one.group === found?.group);
    if (found === undefined || group.some(({ state }) => state === 'sending')) return undefined;
    this.drop(group);
    return { leadId: found.leadId, drafts: group.map(({ draft }) => draft), closes: found.closes === true };
  }

  /** Removes a message that is not being sent. */
  discard(key: string): void {
    const found = this.find(key);
    if (found !== undefined && found.state !== 'sending') this.drop([found]);
  }

  /** Sends a failed message again under its key. @param expected the newest message that is shown now */
  retry(key: string, expected?: string): Promise<void> {
    const found = this.find(key);
    if (found === undefined || found.state === 'sending') return Promise.resolve();
    return this.sendNow({ ...found, expected: expected ?? found.expected });
  }

  /** Sends the messages again that failed temporarily. Call it when the connection is back. */
  async retryTemporary(): Promise<void> {
    const oldest = this.options.now() - this.options.staleMs;
    const waiting = this.list.value.filter(
      ({ state, failure, createdAt }) => state === 'failed' && failure?.isTemporary === true && createdAt > oldest,
    );
    await Promise.all(waiting.map(({ key }) => this.retry(key)));
  }

  /** Sends the messages whose hold time is over. */
  async sendDue(): Promise<void> {
    const now = this.options.now();
    const due = this.list.value.filter((one) => one.state === 'held' && one.dueAt <= now && this.isFirst(one));
    await Promise.all(due.map((one) => this.sendNow(one)));
  }

  /**
   * Takes over the messages of pages that have ended. Messages that were sent as their page ended are sent again at once: their keys tell
   * the outcome. The others keep their remaining time, and old ones wait for the user.
   */
  restore(kept: readonly HeldSend<Draft>[], leftKeys: ReadonlySet<string>): void {
    const { now, owner, staleMs, save } = this.options;
    const oldest = now() - staleMs;
    const adopted = kept
      .filter(({ key }) => this.find(key) === undefined)
      .toSorted((a, b) => a.createdAt - b.createdAt)
      .map((one): HeldSend<Draft> => {
        if (one.state === 'failed' && one.failure?.isTemporary !== true) return { ...one, owner };
        const isStale = one.createdAt < oldest;
        return {
          ...one,
          owner,
          state: 'held',
          failure: undefined,
          isStale,
          dueAt: leftKeys.has(one.key) ? 0 : one.dueAt,
        };
      });
    const known = new Set([...this.list.value, ...adopted].map(({ key }) => key));
    const linked = adopted.map((one) => (known.has(one.after ?? '') ? one : { ...one, after: undefined }));
    for (const one of linked) save(one);
    if (linked.length > 0) this.list.update((all) => [...all, ...linked]);
  }

  /** Marks all held messages as being sent, because the page ends. @returns chains of messages, each for one lead and in order */
  leave(): HeldSend<Draft>[][] {
    const chains = new Map<string, HeldSend<Draft>[]>();
    for (const one of this.list.value) {
      const chain = chains.get(one.leadId) ?? [];
      const isNext = one.after === undefined ? true : chain.at(-1)?.key === one.after;
      if (one.state !== 'failed' && one.isStale !== true && isNext) chains.set(one.leadId, [...chain, one]);
    }
    const leaving = new Set([...chains.values()].flat().map(({ key }) => key));
    this.list.update((all) => all.map((one) => (leaving.has(one.key) ? { ...one, state: 'sending' } : one)));
    return [...chains.values()];
  }

  /** Asks by key about the messages that were sent when the page seemed to end, because it is shown again. */
  async comeBack(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const found = this.find(key);
      if (found?.state === 'sending') await this.sendNow(found);
    }
  }

  private async sendNow(one: HeldSend<Draft>): Promise<void> {
    const { send, explain, save, remove, onSent, newKey } = this.options;
    const { key, leadId, input, isStale = false } = one;
    // No message has this id. A known key still returns its message, and an unknown key sends nothing.
    const expected = isStale ? newKey() : one.expected;
    this.replace({ ...one, state: 'sending', failure: undefined });
    try {
      const message = await send({ ...input, idempotencyKey: key, expectedLastMessageId: expected });
      remove([key]);
      onSent(leadId, message);
      this.list.update((all) =>
        all
          .filter((other) => other.key !== key)
          .map((other) => (other.after === key ? { ...other, after: undefined, expected: message.id } : other)),
      );
      for (const other of this.list.value) if (other.expected === message.id) save(other);
    } catch (error) {
      const failure = explain(error);
      const isOld = isStale && failure.code === 'CONFLICT';
      this.fail(one, isOld ? { code: 'STALE', message: '', isTemporary: false } : failure);
    }
    // Messages that waited for this one may be due now.
    await this.sendDue();
  }

  private fail(one: HeldSend<Draft>, failure: Failure): void {
    // Its user has signed out meanwhile: stored now, it would be the next user's.
    if (this.find(one.key) === undefined) return;
    const isRefused = !failure.isTemporary;
    const closes = one.closes === true && !isRefused;
    const failed: HeldSend<Draft> = { ...one, state: 'failed', isStale: false, closes, failure };
    this.replace(failed);
    this.options.save(failed);
    if (isRefused && one.closes === true) this.options.onRefusedClosing(one.leadId);
  }

  private drop(group: readonly HeldSend<Draft>[]): void {
    const gone = new Map(group.map((one) => [one.key, one]));
    this.options.remove([...gone.keys()]);
    const link = (one: HeldSend<Draft>): HeldSend<Draft> => {
      const before = gone.get(one.after ?? '');
      return before === undefined ? one : link({ ...one, after: before.after, expected: before.expected });
    };
    const isGone = ({ key }: HeldSend<Draft>) => gone.has(key);
    this.list.update((all) => all.filter((one) => !isGone(one)).map(link));
    void this.sendDue();
  }

  private isFirst({ after }: HeldSend<Draft>): boolean {
    return after === undefined || this.find(after) === undefined;
  }

  private find(key: string): HeldSend<Draft> | undefined {
    return this.list.value.find((one) => one.key === key);
  }

  private replace(send: HeldSend<Draft>): void {
    this.list.update((all) => all.map((one) => (one.key === send.key ? send : one)));
  }
}
