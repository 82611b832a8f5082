// The recently opened conversations. Events keep them current, so that returning to one shows it at once.

import { ask, askAgain } from '../api/client.js';
import { Meanwhile } from '../api/meanwhile.js';
import {
  ConversationLeadDocument,
  ConversationMessagesDocument,
  ConversationOpeningDocument,
  ReopenConversationDocument,
  type ConversationLeadQuery,
  type ConversationOpeningQuery,
  type ConversationPageFragment,
} from '../api/operations.js';
import { RequestError } from '../api/request-error.js';
import { onUserChange } from '../app/session.js';
import { Store } from '../app/store.js';
import {
  ConversationStore,
  pageSize,
  type ConversationLead,
  type MessagePage,
  type MessageRange,
} from './conversation-store.js';
import { connection, feed, type FeedEvent } from './feed.js';
import { keepConversation, readKeptConversation } from './kept-reading.js';

export interface LeadState {
  status: 'loading' | 'ready' | 'failed' | 'gone';
  lead?: ConversationLead;
  /** The lead that `lead` was merged into since it was read. */
  mergedInto?: Pick<ConversationLead, 'id' | 'name'>;
  error?: unknown;
}

const maxKept = 20;
const readLeadAfterMs = 1_000;

/** After these events the lead may have another reply instance, window or notes, which the event does not contain. */
const changingTypes = new Set<FeedEvent['type']>([
  'MESSAGE_RECEIVED',
  'MESSAGE_CREATED',
  'LEAD_NOTE_CHANGED',
  'LEAD_UPDATED',
]);

export class Conversation {
  readonly messages: ConversationStore;
  readonly lead = new Store<LeadState>({ status: 'loading' });
  /** The newest message that an event delivered, for screen readers. */
  arrivedId: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private run = 0;
  private shown = 0;
  private isStale = true;
  private opening: Promise<ConversationOpeningQuery> | undefined;
  private readonly meanwhile = new Meanwhile<ConversationLead>();

  constructor(
    /** The id in the address. The id of a merged lead leads to the lead that stays. */
    readonly id: string,
  ) {
    this.messages = new ConversationStore((range) => this.readPage(range));
  }

  get leadId(): string {
    return this.lead.value.lead?.id ?? this.id;
  }

  /**
   * Marks the conversation as shown.
   * @param around a message to show
   * @returns a function to call when the conversation is no longer shown
   */
  open(around: string | undefined): () => void {
    this.shown += 1;
    const { hasNewer, status } = this.messages.state.value;
    if (around === undefined && status !== 'ready' && this.lead.value.lead === undefined) {
      void this.restore();
      this.meanwhile.begin();
      this.opening = readBoth(this.id);
    }
    if (around !== undefined && !this.messages.has(around)) void this.messages.show(around);
    else if (this.isStale || this.messages.isOutdated || status !== 'ready' || (around === undefined && hasNewer))
      void this.messages.show(around);
    if (this.isStale || this.lead.value.status !== 'ready') void this.readLead();
    this.isStale = false;
    return () => {
      this.shown -= 1;
      if (this.shown === 0) this.messages.trim();
    };
  }

  /** Shows what the browser has kept until the first answer. */
  private async restore(): Promise<void> {
    const kept = await readKeptConversation(this.id);
    if (kept === undefined || this.lead.value.status !== 'loading') return;
    this.messages.restore(kept.messages, kept.hasOlder);
    this.lead.set({ status: 'ready', lead: kept.lead });
  }

  async readLead(): Promise<void> {
    const run = (this.run += 1);
    if (this.opening === undefined) this.meanwhile.begin();
    try {
      const { lead } = await (this.opening ?? readLead(this.id));
      if (run !== this.run) return;
      const withChanges = this.meanwhile.end();
      this.lead.set(lead === null ? { status: 'gone' } : { status: 'ready', lead: withChanges(lead) });
    } catch (error) {
      if (run !== this.run) return;
      this.meanwhile.end();
      this.isStale = true;
      if (this.lead.value.lead === undefined) this.lead.set({ status: 'failed', error });
    }
  }

  /** The opening call reads the first page together with the lead. */
  private async readPage(range: MessageRange): Promise<MessagePage> {
    const { opening } = this;
    if (opening === undefined || !('last' in range) || 'before' in range) return readMessages(this.leadId, range);
    try {
      return toPage((await opening).messages);
    } finally {
      if (this.opening === opening) this.opening = undefined;
    }
  }

  /** Changes the lead, and forgets a merge: a lead that changes is one of its own. */
  changeLead(change: Partial<ConversationLead>): void {
    const apply = (lead: ConversationLead) => ({ ...lead, ...change });
    this.meanwhile.add(apply);
    this.lead.update((now) => (now.lead === undefined ? now : { status: now.status, lead: apply(now.lead) }));
  }

  receive({ type, lead, message }: FeedEvent): void {
    if (type === 'LEAD_DELETED') return this.lead.set({ status: 'gone' });
    if (lead?.mergedInto != null) {
      const { mergedInto } = lead;
      return this.lead.update((now) => ({ ...now, mergedInto }));
    }
    if (lead !== null) this.changeLead(lead);
    if (message !== null) {
      if (type === 'MESSAGE_RECEIVED') this.arrivedId = message.id;
      this.messages.receive(message);
    } else if (type.startsWith('MESSAGE_')) void this.messages.readAgain();
    if (type === 'LEAD_UPDATED' && lead !== null && this.messages.differFrom(lead.lastMessage?.id))
      void this.messages.readAgain();
    if (changingTypes.has(type)) this.readLeadSoon();
  }

  /** Reads the conversation again if it is shown, because events may have been missed. A hidden one is only marked as stale. */
  resync(): void {
    if (this.shown === 0) {
      this.isStale = true;
      // A merge may have been undone.
      this.changeLead({});
      return;
    }
    void this.messages.readAgain();
    void this.readLead();
  }

  /** Reads what could not be read while the connection was away. A hidden conversation is read when it is opened. */
  catchUp(): void {
    if (this.shown === 0) return;
    if (this.messages.isOutdated) void this.messages.readAgain();
    if (!this.isStale) return;
    this.isStale = false;
    void this.readLead();
  }

  readLeadSoon(): void {
    if (this.shown === 0) {
      this.isStale = true;
      return;
    }
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.readLead();
    }, readLeadAfterMs);
  }

  get isShown(): boolean {
    return this.shown > 0;
  }
}

class Conversations {
  private readonly kept = new Map<string, Conversation>();

  constructor() {
    feed.listen({
      onEvent: (event) => event.leadId !== null && this.find(event.leadId)?.receive(event),
      onResync: () => this.resync(),
    });
    connection.subscribe(() => connection.value === 'live' && this.catchUp());
  }

  get(id: string): Conversation {
    const conversation = this.kept.get(id) ?? this.create(id);
    this.kept.delete(id);
    this.kept.set(id, conversation);
    for (const [other, { isShown }] of this.kept) {
      if (this.kept.size <= maxKept) break;
      if (!isShown && other !== id) this.kept.delete(other);
    }
    return conversation;
  }

  private create(id: string): Conversation {
    const conversation = new Conversation(id);
    keepConversation(conversation);
    return conversation;
  }

  find(leadId: string): Conversation | undefined {
    return this.kept.get(leadId) ?? [...this.kept.values()].find((one) => one.leadId === leadId);
  }

  clear(): void {
    this.kept.clear();
  }

  private catchUp(): void {
    for (const conversation of this.kept.values()) conversation.catchUp();
  }

  private resync(): void {
    for (const conversation of this.kept.values()) conversation.resync();
  }
}

async function readMessages(leadId: string, range: MessageRange): Promise<MessagePage> {
  // Without waiting, messages between the page and the first event would be missed.
  await feed.whenReady();
  return toPage((await askAgain(ConversationMessagesDocument, { leadId, ...range })).messages);
}

async function readLead(id: string): Promise<ConversationLeadQuery> {
  await feed.whenReady();
  return askAgain(ConversationLeadDocument, { id });
}

async function readBoth(id: string): Promise<ConversationOpeningQuery> {
  await feed.whenReady();
  try {
    return await askAgain(ConversationOpeningDocument, { id, last: pageSize });
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'NOT_FOUND') throw error;
    return { lead: null, messages: { edges: [], pageInfo: { hasPreviousPage: false, hasNextPage: false } } };
  }
}

function toPage({ edges, pageInfo }: ConversationPageFragment): MessagePage {
  return {
    entries: edges.map(({ cursor, node }) => ({ cursor, message: node })),
    hasOlder: pageInfo.hasPreviousPage,
    hasNewer: pageInfo.hasNextPage,
  };
}

export const conversations = new Conversations();

// The conversations belong to another user, or were read before a pause without events.
onUserChange(() => conversations.clear());

/** Opens a closed conversation again, whatever page is shown. */
export async function reopenConversation(leadId: string): Promise<void> {
  const { reopenConversation: change } = await ask(ReopenConversationDocument, { leadId });
  conversations.find(leadId)?.changeLead(change);
}
