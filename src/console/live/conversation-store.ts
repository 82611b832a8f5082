// The messages of one lead: a window of the conversation without gaps, oldest first, kept current by events.

import type { ChatMessageFragment, ConversationLeadQuery } from '../api/operations.js';
import { Store } from '../app/store.js';

export type ChatMessage = ChatMessageFragment;
export type ConversationLead = NonNullable<ConversationLeadQuery['lead']>;
export type Note = ConversationLead['notes']['edges'][number]['node'];

export type MessageRange =
  { last: number; before?: string } | { first: number; after: string } | { first: number; around: string };

export interface MessagePage {
  entries: readonly { cursor: string; message: ChatMessage }[];
  hasOlder: boolean;
  hasNewer: boolean;
}

export interface ConversationState {
  status: 'loading' | 'ready' | 'failed';
  /** True while the messages are those of an earlier visit, before the first answer. */
  isKept?: true;
  error?: unknown;
  messages: readonly ChatMessage[];
  hasOlder: boolean;
  /** True while the window shows the middle of the conversation, without the newest messages. */
  hasNewer: boolean;
  isLoadingOlder: boolean;
  isLoadingNewer: boolean;
}

/** The number of messages in one page. */
export const pageSize = 50;

interface Limits {
  page: number;
  /** The maximum number of messages in memory. */
  kept: number;
}

const nothing: ConversationState = {
  status: 'loading',
  messages: [],
  hasOlder: false,
  hasNewer: false,
  isLoadingOlder: false,
  isLoadingNewer: false,
};

export class ConversationStore {
  readonly state = new Store<ConversationState>(nothing);
  private readonly cursors = new Map<string, string>();
  /** Messages that arrived by events while a page was being read. The page may be older than they are. */
  private readonly meanwhile = new Map<string, ChatMessage>();
  private reading = 0;
  private run = 0;
  private shown: ChatMessage | undefined;
  /** The message that `show` was to show. */
  private wanted: string | undefined;
  /** True where the last reading of the shown part failed: messages may be missing. */
  isOutdated = false;

  constructor(
    private readonly load: (range: MessageRange) => Promise<MessagePage>,
    private readonly limits: Limits = { page: pageSize, kept: 500 },
  ) {}

  get newestId(): string | undefined {
    return this.state.value.messages.at(-1)?.id;
  }

  /** The newest message that the page has rendered. A message below the screen is not rendered, nor is one that has just arrived. */
  get newestShownId(): string | undefined {
    return this.shown?.id ?? this.newestId;
  }

  noteShown(message: ChatMessage): void {
    if (this.shown === undefined || isBehind(message, this.shown)) this.shown = message;
  }

  has(id: string): boolean {
    return this.state.value.messages.some((message) => message.id === id);
  }

  /**
   * Returns whether these messages are others than the lead's. A merge adds messages without any event for them, and its undoing takes some
   * away. Notices are not counted: `lastMessage` may be older.
   * @param lastMessageId of the lead's newest message
   */
  differFrom(lastMessageId: string | undefined): boolean {
    const { status, hasNewer, messages } = this.state.value;
    if (status !== 'ready' || hasNewer) return false;
    if (lastMessageId !== undefined && !this.has(lastMessageId)) return true;
    const newest = messages.findLast(({ isNotice }) => !isNotice);
    const last = messages.find(({ id }) => id === lastMessageId);
    return newest !== undefined && (last === undefined || isBehind(newest, last));
  }

  /** Shows the messages of an earlier visit until the first answer. */
  restore(messages: readonly ChatMessage[], hasOlder: boolean): void {
    if (this.state.value.status === 'loading')
      this.state.set({ ...nothing, status: 'ready', isKept: true, messages, hasOlder });
  }

  /** Reads the newest page, or the page around a message. The shown messages stay until the answer. */
  async show(around?: string): Promise<void> {
    const { page } = this.limits;
    const run = (this.run += 1);
    this.wanted = around;
    if (this.state.value.status === 'failed') this.state.set(nothing);
    try {
      const answer = await this.read(around === undefined ? { last: page } : { first: page, around });
      if (run !== this.run) return;
      const { hasOlder, hasNewer } = answer;
      const messages = this.current(answer);
      this.state.set({ ...nothing, status: 'ready', messages, hasOlder, hasNewer });
      // Adds the messages that arrived while the page was being read.
      for (const message of this.meanwhile.values()) this.receive(message);
      this.isOutdated = false;
      this.forgetTaken();
      this.forgetCursors();
    } catch (error) {
      if (run !== this.run) return;
      this.isOutdated = true;
      this.update({ status: this.state.value.status === 'ready' ? 'ready' : 'failed', error });
    } finally {
      this.endReading();
    }
  }

  /** Reads the shown part again, because events may have been missed. */
  async readAgain(): Promise<void> {
    const { status, hasNewer, messages } = this.state.value;
    const middle = messages[Math.floor(messages.length / 2)]?.id;
    await this.show(status === 'failed' ? this.wanted : hasNewer ? middle : undefined);
  }

  /** A merge that is undone takes messages away, the one that was seen last among them. */
  private forgetTaken(): void {
    const { hasNewer, messages } = this.state.value;
    const newest = messages.at(-1);
    if (!hasNewer && this.shown !== undefined && (newest === undefined || isBehind(this.shown, newest)))
      this.shown = undefined;
  }

  async loadOlder(): Promise<void> {
    const { status, isKept, hasOlder, isLoadingOlder, messages } = this.state.value;
    const oldest = messages[0];
    if (status !== 'ready' || isKept || !hasOlder || isLoadingOlder || oldest === undefined) return;
    const before = this.cursors.get(oldest.id);
    const { page } = this.limits;
    this.update({ isLoadingOlder: true, error: undefined });
    await this.extend(
      before === undefined ? { first: page * 2, around: oldest.id } : { last: page, before },
      (answer) => {
        const older = this.current(answer).filter((message) => isBehind(oldest, message));
        const all = [...older, ...this.state.value.messages];
        const isOver = all.length > this.limits.kept;
        this.update({
          messages: isOver ? all.slice(0, this.limits.kept) : all,
          hasOlder: answer.hasOlder,
          isLoadingOlder: false,
          ...(isOver && { hasNewer: true }),
        });
      },
    );
  }

  async loadNewer(): Promise<void> {
    const { status, hasNewer, isLoadingNewer, messages } = this.state.value;
    const newest = messages.at(-1);
    if (status !== 'ready' || !hasNewer || isLoadingNewer || newest === undefined) return;
    const after = this.cursors.get(newest.id);
    const { page } = this.limits;
    this.update({ isLoadingNewer: true, error: undefined });
    await this.extend(
      after === undefined ? { first: page * 2, around: newest.id } : { first: page, after },
      (answer) => {
        const newer = this.current(answer).filter((message) => isBehind(message, newest));
        const all = [...messages.filter(({ id }) => this.has(id)), ...newer];
        const isOver = all.length > this.limits.kept;
        this.update({
          messages: isOver ? all.slice(-this.limits.kept) : all,
          hasNewer: answer.hasNewer,
          isLoadingNewer: false,
          ...(isOver && { hasOlder: true }),
        });
        if (!answer.hasNewer) for (const message of this.meanwhile.values()) this.receive(message);
      },
    );
  }

  /** Stores a message from an event or an answer. It replaces the message with the same id, or is inserted in order. */
  receive(message: ChatMessage): void {
    if (this.reading > 0) this.meanwhile.set(message.id, message);
    const { status, messages } = this.state.value;
    if (status !== 'ready') return;
    const index = placeOf(messages, message);
    if (messages[index]?.id === message.id) return this.update({ messages: messages.with(index, message) });
    if (isOutside(this.state.value, message)) return;
    const all = messages.toSpliced(index, 0, message);
    const isOver = all.length > this.limits.kept;
    this.update({ messages: isOver ? all.slice(-this.limits.kept) : all, ...(isOver && { hasOlder: true }) });
    this.forgetCursors();
  }

  /** Stores the answer of a call, which may be older than the events that already arrived. */
  receiveAnswer(message: ChatMessage): void {
    if (!this.has(message.id)) this.receive(message);
    // The author has seen the message.
    this.noteShown(message);
  }

  /** Updates a message's file, whose address was read again. */
  changeMedia(id: string, media: Partial<NonNullable<ChatMessage['media']>>): void {
    const message = this.state.value.messages.find((one) => one.id === id);
    if (message?.media != null) this.receive({ ...message, media: { ...message.media, ...media } });
  }

  /** Drops all but the newest page, because the conversation is no longer shown. */
  trim(): void {
    const { status, messages, hasNewer } = this.state.value;
    if (status !== 'ready') return;
    if (hasNewer) {
      this.run += 1;
      this.state.set(nothing);
    } else if (messages.length > this.limits.page)
      this.update({ messages: messages.slice(-this.limits.page), hasOlder: true });
    this.forgetCursors();
  }

  private async extend(range: MessageRange, apply: (answer: MessagePage) => void): Promise<void> {
    const run = this.run;
    try {
      const answer = await this.read(range);
      if (run === this.run) apply(answer);
      this.forgetCursors();
    } catch (error) {
      if (run === this.run) this.update({ isLoadingOlder: false, isLoadingNewer: false, error });
    } finally {
      this.endReading();
    }
  }

  private read(range: MessageRange): Promise<MessagePage> {
    this.reading += 1;
    return this.load(range);
  }

  private endReading(): void {
    this.reading -= 1;
    if (this.reading === 0) this.meanwhile.clear();
  }

  private current({ entries }: MessagePage): ChatMessage[] {
    for (const { cursor, message } of entries) this.cursors.set(message.id, cursor);
    return entries.map(({ message }) => this.meanwhile.get(message.id) ?? message);
  }

  private update(change: Partial<ConversationState>): void {
    this.state.update((now) => ({ ...now, ...change }));
  }

  private forgetCursors(): void {
    if (this.cursors.size <= this.limits.kept * 2) return;
    const kept = new Set(this.state.value.messages.map(({ id }) => id));
    for (const id of this.cursors.keys()) if (!kept.has(id)) this.cursors.delete(id);
  }
}

/** Returns true if the message belongs to a part of the conversation that was not read. */
function isOutside({ messages, hasOlder, hasNewer }: ConversationState, message: ChatMessage): boolean {
  const [oldest, newest] = [messages[0], messages.at(-1)];
  const isNewer = newest === undefined || isBehind(message, newest);
  return (hasNewer && isNewer) || (hasOlder && oldest !== undefined && isBehind(oldest, message));
}

/** Returns the index of the message, or the index for its insertion. It searches from the end, because most messages are new. */
function placeOf(messages: readonly ChatMessage[], message: ChatMessage): number {
  let index = messages.length;
  while (index > 0 && !isBehind(message, messages[index - 1]!)) index -= 1;
  return index;
}

type Placed = Pick<ChatMessage, 'id' | 'position'>;

/** Returns true if the message comes after the other one in the conversation. */
export function isBehind(message: Placed, other: Placed): boolean {
  return message.position === other.position ? message.id > other.id : message.position > other.position;
}

/**
 * Returns the time that a row shows. A call or a notice may be reported long after it happened; its place stays that of the report.
 */
export function shownTimeOf(
  message: Pick<ChatMessage, 'id' | 'createdAt' | 'type' | 'isNotice' | 'providerTimestamp'>,
) {
  const { type, isNotice, providerTimestamp: happenedAt } = message;
  const { createdAt: at } = message;
  return (type === 'call' || isNotice) && happenedAt !== null && happenedAt < at ? happenedAt : at;
}
