// The conversations that were opened last: they go on being fed by events, so that coming back to one shows it at once.

import { askAgain } from '../api/client.js';
import { ConversationLeadDocument, ConversationMessagesDocument } from '../api/operations.js';
import { sessionState } from '../app/session.js';
import { Store } from '../app/store.js';
import { ConversationStore } from './conversation-store.js';
import type { ConversationLead, MessagePage, MessageRange } from './conversation-store.js';
import { feed } from './feed.js';
import type { FeedEvent } from './feed.js';

export interface LeadState {
  status: 'loading' | 'ready' | 'failed' | 'gone';
  lead?: ConversationLead;
  error?: unknown;
}

const maxKept = 20;
const readLeadAfterMs = 300;

/** After these events the lead has another reply instance, window, or notes than the event says. */
const changingTypes = new Set<FeedEvent['type']>([
  'MESSAGE_RECEIVED',
  'MESSAGE_CREATED',
  'LEAD_NOTE_CHANGED',
  'LEAD_UPDATED',
]);

export class Conversation {
  readonly messages: ConversationStore;
  readonly lead = new Store<LeadState>({ status: 'loading' });
  /** Ids of messages that came by events, for what is read out and counted. */
  readonly arrived = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private run = 0;
  private shown = 0;
  private isStale = true;

  constructor(
    /** As in the address; a merged lead's id leads to the lead that stays. */
    readonly id: string,
  ) {
    this.messages = new ConversationStore((range) => readMessages(this.leadId, range));
  }

  get leadId(): string {
    return this.lead.value.lead?.id ?? this.id;
  }

  /** While it is on the screen. @param around a message to show @returns when it no longer is */
  open(around: string | undefined): () => void {
    this.shown += 1;
    const { hasNewer, status } = this.messages.state.value;
    if (around !== undefined && !this.messages.has(around)) void this.messages.show(around);
    else if (this.isStale || status !== 'ready' || (around === undefined && hasNewer)) void this.messages.show(around);
    if (this.isStale || this.lead.value.status !== 'ready') void this.readLead();
    this.isStale = false;
    return () => {
      this.shown -= 1;
      if (this.shown === 0) this.messages.trim();
    };
  }

  async readLead(): Promise<void> {
    const run = (this.run += 1);
    try {
      await feed.whenReady();
      const { lead } = await askAgain(ConversationLeadDocument, { id: this.id });
      if (run === this.run) this.lead.set(lead === null ? { status: 'gone' } : { status: 'ready', lead });
    } catch (error) {
      if (run === this.run && this.lead.value.lead === undefined) this.lead.set({ status: 'failed', error });
    }
  }

  changeLead(change: Partial<ConversationLead>): void {
    this.lead.update((now) => (now.lead === undefined ? now : { ...now, lead: { ...now.lead, ...change } }));
  }

  receive({ type, lead, message }: FeedEvent): void {
    if (type === 'LEAD_DELETED') return this.lead.set({ status: 'gone' });
    if (lead !== null) this.changeLead(lead);
    if (message !== null) {
      if (type === 'MESSAGE_RECEIVED') this.arrived.add(message.id);
      this.messages.receive(message);
    } else if (type.startsWith('MESSAGE_')) void this.messages.readAgain();
    // A merge brings messages that no event tells of.
    const newest = lead?.lastMessage?.id;
    const { status, hasNewer } = this.messages.state.value;
    const isUnknown = newest !== undefined && !hasNewer && !this.messages.has(newest);
    if (type === 'LEAD_UPDATED' && status === 'ready' && isUnknown) void this.messages.readAgain();
    if (changingTypes.has(type)) this.readLeadSoon();
  }

  /** Events may have been missed. */
  resync(): void {
    if (this.shown === 0) {
      this.isStale = true;
      return;
    }
    void this.messages.readAgain();
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
  }

  get(id: string): Conversation {
    const conversation = this.kept.get(id) ?? new Conversation(id);
    this.kept.delete(id);
    this.kept.set(id, conversation);
    for (const [other, { isShown }] of this.kept) {
      if (this.kept.size <= maxKept) break;
      if (!isShown && other !== id) this.kept.delete(other);
    }
    return conversation;
  }

  find(leadId: string): Conversation | undefined {
    return this.kept.get(leadId) ?? [...this.kept.values()].find((one) => one.leadId === leadId);
  }

  clear(): void {
    this.kept.clear();
  }

  private resync(): void {
    for (const conversation of this.kept.values()) conversation.resync();
  }
}

async function readMessages(leadId: string, range: MessageRange): Promise<MessagePage> {
  // Else what comes between the page and the first event is missed.
  await feed.whenReady();
  const { messages } = await askAgain(ConversationMessagesDocument, { leadId, ...range });
  const { hasPreviousPage, hasNextPage } = messages.pageInfo;
  return {
    entries: messages.edges.map(({ cursor, node }) => ({ cursor, message: node })),
    hasOlder: hasPreviousPage,
    hasNewer: hasNextPage,
  };
}

export const conversations = new Conversations();

// Of another user, or read before a pause without events.
sessionState.subscribe(() => conversations.clear());
