/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A channel template and its values. */
export type ChannelTemplateInput = {
  /** The channel template. It has to be APPROVED. */
  id: string | number;
  /** Values by component: `{"header": {"1": "…"}, "body": {"1": "…"}, "buttons": {"0": "…"}}`. A header that is a file takes `{"link": "https://…"}`. `ChannelTemplate.variables` lists what has to be given; nothing else may be. */
  variables?: Record<string, unknown> | null | undefined;
};

/** Whether a chat instance is connected to the chat network. */
export type ChatInstanceStatus =
  /** Messages are sent and received. */
  | 'CONNECTED'
  /** Being connected; the initial state. An instance that was connected before keeps its messages queued. */
  | 'CONNECTING'
  /** It says CONNECTED, and evidence says otherwise; `healthReason` says which. Messages are sent, unless it is paused. */
  | 'DEGRADED'
  /** The session was ended, by Leadwire or by the network. Messages stay queued. */
  | 'DISCONNECTED'
  /** The network refuses it; `lastError` says why. Messages stay queued. */
  | 'ERROR'
  /** No longer in use. Messages stay queued. */
  | 'INACTIVE';

/** Whether there is something to do in the conversation with a lead. */
export type ConversationStatus =
  /** Done. */
  | 'CLOSED'
  /** In the inbox to work on. Every inbound message opens the conversation again. */
  | 'OPEN'
  /** Put aside until `snoozedUntil`. */
  | 'SNOOZED';

/** The type of an event. */
export type EventType =
  /** A bulk action has come further, or is being undone. At most one event a second for each, and one at its end. */
  | 'BULK_ACTION_PROGRESS'
  /** The progress of a bulk send has changed. At most one event a second for each. */
  | 'BULK_SEND_PROGRESS'
  /** The status of a chat instance has changed. */
  | 'CHAT_INSTANCE_STATUS_CHANGED'
  /** The conversation with a lead was closed, reopened or snoozed, or its snooze has ended. */
  | 'CONVERSATION_STATUS_CHANGED'
  /** The assignee of a lead has changed. */
  | 'LEAD_ASSIGNED'
  /** A lead came in for the first time. */
  | 'LEAD_CREATED'
  /** A lead was deleted. `leadId` is its id. */
  | 'LEAD_DELETED'
  /** A note about a lead was added, changed or removed. */
  | 'LEAD_NOTE_CHANGED'
  /** The presence of operators at a lead has changed. */
  | 'LEAD_PRESENCE_CHANGED'
  /** Messages of a lead were marked as read. */
  | 'LEAD_READ'
  /** A lead was changed, merged into another, or separated again. */
  | 'LEAD_UPDATED'
  /** An outbound message was queued here, or was written on the phone. */
  | 'MESSAGE_CREATED'
  /** A lead sent a message. */
  | 'MESSAGE_RECEIVED'
  /** An outbound message was queued, or its status has changed. */
  | 'MESSAGE_STATUS_CHANGED'
  /** A message was edited or deleted by its writer, has another reaction, or its file was stored. */
  | 'MESSAGE_UPDATED'
  /** A change that this version of the service does not know. */
  | 'OTHER'
  /** The log does not go on from the cursor: it was pruned, or the database lost its newest events. Read again what you show. The next events follow without a gap. */
  | 'RESYNC_REQUIRED'
  /** A template was created, changed or deleted. `templateId` is its id. */
  | 'TEMPLATE_CHANGED';

/** Which leads of the inbox to list: all given conditions have to hold. */
export type InboxFilter = {
  /** The user who looks after the lead. */
  assigneeId?: string | number | null | undefined;
  /** The conversation has one of these statuses. */
  conversationStatuses?: Array<ConversationStatus> | null | undefined;
  /** True: an ad, post or product brought the lead (`firstReferral`). False: none did. */
  hasReferral?: boolean | null | undefined;
  /** The newest message that is not bulk came or went through this chat instance. */
  instanceId?: string | number | null | undefined;
  /** The first referral has this `sourceId`, at most 255 characters. */
  referralSourceId?: string | null | undefined;
  /** Part of the name, in any letter case and with or without accents, or of the number in any writing; at most 100 characters. Fewer than 3 characters are the beginning of the name. */
  search?: string | null | undefined;
  /** All of these tags, 50 at most, in any letter case. */
  tagsAll?: Array<string> | null | undefined;
  /** Leads with at least one of these tags, in any letter case; 50 at most. */
  tagsAny?: Array<string> | null | undefined;
  /** True: without an assignee. False: with one. */
  unassigned?: boolean | null | undefined;
  /** True: with unread messages. False: without. */
  unread?: boolean | null | undefined;
  /** True: an inbound message is not answered (`waitingSince`). False: none is waiting. */
  waiting?: boolean | null | undefined;
};

/** How the inbox can be sorted. */
export type InboxOrder =
  /** The lead that has waited longest comes first. Leads that do not wait come last, by their newest message. A closed conversation can wait: filter by `conversationStatuses` too. */
  | 'LONGEST_WAITING'
  /** The newest inbound message first. Leads that never wrote come last, by their newest message. */
  | 'NEWEST_INBOUND'
  /** The newest message of either side first. Bulk messages do not count. */
  | 'NEWEST_MESSAGE';

/** Whether a file is here. */
export type MediaState =
  /** It is no longer there where it came from, or was kept for as long as files are kept. */
  | 'EXPIRED'
  /** It could not be fetched: `error` says why. `fetchMedia` tries again. */
  | 'FAILED'
  /** It is being fetched, or will be. */
  | 'PENDING'
  /** It is here: `url` leads to it. */
  | 'STORED'
  /** It is larger than files of its kind may be. */
  | 'TOO_LARGE';

/** How a lead picked what was offered. */
export type MessageChoiceKind =
  /** By a button. */
  | 'BUTTON'
  /** By filling in a form. */
  | 'FLOW'
  /** From a list. */
  | 'LIST';

/** The side that wrote. */
export type MessageDirection =
  /** The lead wrote to us. */
  | 'INBOUND'
  /** We wrote to the lead. */
  | 'OUTBOUND';

/** A file to send: one that was uploaded, or the address of one. */
export type MessageMediaInput = {
  /** Text under the file, at most 4096 characters. */
  caption?: string | null | undefined;
  /** Name to show, at most 255 characters. */
  fileName?: string | null | undefined;
  /** The id of an upload (`POST /media`), or of a message whose file is STORED. It may be sent any number of times. */
  id?: string | number | null | undefined;
  /** Media type, as `image/png`; with `url` only. */
  mimeType?: string | null | undefined;
  /** In place of `id`: http or https URL that the gateway can fetch, at most 2048 characters. */
  url?: string | null | undefined;
};

/** The origin of a message. */
export type MessageOrigin =
  /** A bulk send. */
  | 'BULK'
  /** The lead wrote it. */
  | 'LEAD'
  /** It was written on the phone, or by another program with the same number. */
  | 'PHONE'
  /** The service wrote it by itself. */
  | 'SYSTEM'
  /** A user wrote it here. */
  | 'USER';

/** How far an outbound message has come. It never goes back; DELIVERED and READ take a failure back. */
export type MessageStatus =
  /** Taken back before it was sent. */
  | 'CANCELED'
  /** On the recipient’s device. */
  | 'DELIVERED'
  /** Not sent: error says why. */
  | 'FAILED'
  /** Accepted by us, waiting for its turn. */
  | 'QUEUED'
  /** Seen by the recipient. */
  | 'READ'
  /** Handed to the gateway, no answer yet. */
  | 'SENDING'
  /** Accepted by the gateway. */
  | 'SENT';

/** What somebody is at a lead for. */
export type PresenceIntent =
  /** Is writing an answer. */
  | 'ANSWERING'
  /** Looks at the conversation. */
  | 'VIEWING';

/** What brought a lead. */
export type ReferralKind =
  /** An ad that opens a chat. */
  | 'AD'
  /** Something else that the network names. */
  | 'OTHER'
  /** A post or a page. */
  | 'POST'
  /** A product of a catalogue. */
  | 'PRODUCT';

/** What a user may do. */
export type Role =
  /** Everything in the own tenant. */
  | 'ADMIN'
  /** Leads, messages, templates and dashboards. */
  | 'OPERATOR';

/** A message to a lead: text, a file, or both; or a template with its variables. */
export type SendMessageInput = {
  /** The text, at most 65536 characters. Required without media and template. */
  body?: string | null | undefined;
  /** A template of the network in place of text, file and template. It leaves through the template's own chat instance. NOT_OFFERED where the network has none. */
  channelTemplate?: ChannelTemplateInput | null | undefined;
  /** CONFLICT unless this is the newest message of the lead, with the first 50 after it in the extension `unseenMessages`: nothing is sent past an answer that was not read. */
  expectedLastMessageId?: string | number | null | undefined;
  /** The same key gives the same message, so that a repeated call sends once. At most 255 characters. */
  idempotencyKey?: string | null | undefined;
  /** Through which chat instance; the lead's `replyInstance`, as it is now, where none is named. */
  instanceId?: string | number | null | undefined;
  /** To whom. */
  leadId: string | number;
  /** The file. */
  media?: MessageMediaInput | null | undefined;
  /** The message that it quotes: one of the same lead that has reached the network and was not deleted. It leaves through that message’s chat instance where none is named. */
  replyToMessageId?: string | number | null | undefined;
  /** When it is to leave, in any zone, at most a year ahead; at once where left out, or past. */
  sendAt?: string | null | undefined;
  /** A template in place of text and file. It is rendered now: later changes of it do not count. Its files go with it; those after the first are messages of their own, and the answer is the message with the text. */
  templateId?: string | number | null | undefined;
  /** Values for the template by name, at most 100: text of at most 1,000 characters, numbers, booleans. Null is no value; names that it does not ask for are ignored. */
  variables?: Record<string, unknown> | null | undefined;
};

/** Why a conversation is put aside. */
export type SnoozeKind =
  /** A reminder: it comes back at its time only if the lead has not written until then. */
  | 'REMINDER'
  /** It comes back at its time, or when the lead writes. */
  | 'SNOOZE';

export type FindPeopleQueryVariables = Exact<{
  text: string;
  first?: number | null | undefined;
}>;


export type FindPeopleQuery = { search: { leads: Array<{ id: string, name: string, chat: string | null }> } };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { me: { id: string, name: string | null, email: string, role: Role, accountId: string, tenant: { id: string, name: string, slug: string, defaultCountry: string | null } } };

export type EventCursorQueryVariables = Exact<{ [key: string]: never; }>;


export type EventCursorQuery = { eventCursor: string };

export type ChatInstancesQueryVariables = Exact<{ [key: string]: never; }>;


export type ChatInstancesQuery = { chatInstances: Array<{ id: string, instanceName: string, provider: string, status: ChatInstanceStatus, isDefault: boolean, lastError: string | null, healthReason: string | null, degradedAt: string | null, pausedUntil: string | null, pauseReason: string | null }> };

export type ColleaguesQueryVariables = Exact<{
  after?: string | null | undefined;
  isAdmin: boolean;
}>;


export type ColleaguesQuery = { users: { edges: Array<{ node: { id: string, name: string | null, email: string, isActive?: boolean } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type InstanceStateFragment = { id: string, instanceName: string, provider: string, status: ChatInstanceStatus, isDefault: boolean, lastError: string | null, healthReason: string | null, degradedAt: string | null, pausedUntil: string | null, pauseReason: string | null };

export type ConversationMessagesQueryVariables = Exact<{
  leadId: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  around?: string | number | null | undefined;
}>;


export type ConversationMessagesQuery = { messages: { edges: Array<{ cursor: string, node: { id: string, type: string, direction: MessageDirection, origin: MessageOrigin, body: string | null, isForwarded: boolean, isNotice: boolean, mayWantToStop: boolean, createdAt: string, providerTimestamp: string | null, status: MessageStatus | null, scheduledFor: string | null, sentAt: string | null, deliveredAt: string | null, readAt: string | null, failedAt: string | null, editedAt: string | null, deletedAt: string | null, choice: { kind: MessageChoiceKind, id: string | null, title: string | null, description: string | null, answers: Record<string, unknown> | null } | null, referral: { kind: ReferralKind, sourceId: string | null, sourceUrl: string | null, headline: string | null, body: string | null } | null, author: { id: string, name: string | null, email: string } | null, instance: { id: string, instanceName: string, status: ChatInstanceStatus }, error: { code: string, message: string } | null, media: { id: string, state: MediaState, url: string | null, mimeType: string | null, fileName: string | null, size: number | null, caption: string | null, error: string | null } | null, reactions: Array<{ emoji: string, fromLead: boolean, reactedAt: string, user: { id: string, name: string | null } | null }>, replyTo: { id: string, body: string | null, direction: MessageDirection, type: string, deletedAt: string | null, media: { fileName: string | null, mimeType: string | null } | null } | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean } } };

export type ConversationLeadQueryVariables = Exact<{
  id: string | number;
}>;


export type ConversationLeadQuery = { lead: { id: string, name: string, chat: string | null, tags: Array<string>, conversationStatus: ConversationStatus, snoozedUntil: string | null, snoozeKind: SnoozeKind | null, scheduledReplyAt: string | null, waitingSince: string | null, lastInboundAt: string | null, unreadCount: number, updatedAt: string, replyInstance: { id: string, instanceName: string } | null, replyWindow: { isOpen: boolean, closesAt: string | null } | null, firstReferral: { kind: ReferralKind, sourceId: string | null, headline: string | null } | null, notes: { edges: Array<{ node: { id: string, body: string, createdAt: string, updatedAt: string, author: { id: string, name: string | null, email: string } } }> }, assignee: { id: string, name: string | null, email: string } | null, optOut: { at: string } | null, lastMessage: { id: string, body: string | null, type: string, direction: MessageDirection, origin: MessageOrigin, status: MessageStatus | null, createdAt: string, deletedAt: string | null, choice: { kind: MessageChoiceKind } | null, media: { state: MediaState, mimeType: string | null, fileName: string | null } | null, instance: { id: string } } | null, presence: Array<{ intent: PresenceIntent, since: string, expiresAt: string, user: { id: string, name: string | null, email: string } }> } | null };

export type ConversationOpeningQueryVariables = Exact<{
  id: string | number;
  last: number;
}>;


export type ConversationOpeningQuery = { lead: { id: string, name: string, chat: string | null, tags: Array<string>, conversationStatus: ConversationStatus, snoozedUntil: string | null, snoozeKind: SnoozeKind | null, scheduledReplyAt: string | null, waitingSince: string | null, lastInboundAt: string | null, unreadCount: number, updatedAt: string, replyInstance: { id: string, instanceName: string } | null, replyWindow: { isOpen: boolean, closesAt: string | null } | null, firstReferral: { kind: ReferralKind, sourceId: string | null, headline: string | null } | null, notes: { edges: Array<{ node: { id: string, body: string, createdAt: string, updatedAt: string, author: { id: string, name: string | null, email: string } } }> }, assignee: { id: string, name: string | null, email: string } | null, optOut: { at: string } | null, lastMessage: { id: string, body: string | null, type: string, direction: MessageDirection, origin: MessageOrigin, status: MessageStatus | null, createdAt: string, deletedAt: string | null, choice: { kind: MessageChoiceKind } | null, media: { state: MediaState, mimeType: string | null, fileName: string | null } | null, instance: { id: string } } | null, presence: Array<{ intent: PresenceIntent, since: string, expiresAt: string, user: { id: string, name: string | null, email: string } }> } | null, messages: { edges: Array<{ cursor: string, node: { id: string, type: string, direction: MessageDirection, origin: MessageOrigin, body: string | null, isForwarded: boolean, isNotice: boolean, mayWantToStop: boolean, createdAt: string, providerTimestamp: string | null, status: MessageStatus | null, scheduledFor: string | null, sentAt: string | null, deliveredAt: string | null, readAt: string | null, failedAt: string | null, editedAt: string | null, deletedAt: string | null, choice: { kind: MessageChoiceKind, id: string | null, title: string | null, description: string | null, answers: Record<string, unknown> | null } | null, referral: { kind: ReferralKind, sourceId: string | null, sourceUrl: string | null, headline: string | null, body: string | null } | null, author: { id: string, name: string | null, email: string } | null, instance: { id: string, instanceName: string, status: ChatInstanceStatus }, error: { code: string, message: string } | null, media: { id: string, state: MediaState, url: string | null, mimeType: string | null, fileName: string | null, size: number | null, caption: string | null, error: string | null } | null, reactions: Array<{ emoji: string, fromLead: boolean, reactedAt: string, user: { id: string, name: string | null } | null }>, replyTo: { id: string, body: string | null, direction: MessageDirection, type: string, deletedAt: string | null, media: { fileName: string | null, mimeType: string | null } | null } | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean } } };

export type ConversationLeadFragment = { id: string, name: string, chat: string | null, tags: Array<string>, conversationStatus: ConversationStatus, snoozedUntil: string | null, snoozeKind: SnoozeKind | null, scheduledReplyAt: string | null, waitingSince: string | null, lastInboundAt: string | null, unreadCount: number, updatedAt: string, replyInstance: { id: string, instanceName: string } | null, replyWindow: { isOpen: boolean, closesAt: string | null } | null, firstReferral: { kind: ReferralKind, sourceId: string | null, headline: string | null } | null, notes: { edges: Array<{ node: { id: string, body: string, createdAt: string, updatedAt: string, author: { id: string, name: string | null, email: string } } }> }, assignee: { id: string, name: string | null, email: string } | null, optOut: { at: string } | null, lastMessage: { id: string, body: string | null, type: string, direction: MessageDirection, origin: MessageOrigin, status: MessageStatus | null, createdAt: string, deletedAt: string | null, choice: { kind: MessageChoiceKind } | null, media: { state: MediaState, mimeType: string | null, fileName: string | null } | null, instance: { id: string } } | null, presence: Array<{ intent: PresenceIntent, since: string, expiresAt: string, user: { id: string, name: string | null, email: string } }> };

export type ConversationPageFragment = { edges: Array<{ cursor: string, node: { id: string, type: string, direction: MessageDirection, origin: MessageOrigin, body: string | null, isForwarded: boolean, isNotice: boolean, mayWantToStop: boolean, createdAt: string, providerTimestamp: string | null, status: MessageStatus | null, scheduledFor: string | null, sentAt: string | null, deliveredAt: string | null, readAt: string | null, failedAt: string | null, editedAt: string | null, deletedAt: string | null, choice: { kind: MessageChoiceKind, id: string | null, title: string | null, description: string | null, answers: Record<string, unknown> | null } | null, referral: { kind: ReferralKind, sourceId: string | null, sourceUrl: string | null, headline: string | null, body: string | null } | null, author: { id: string, name: string | null, email: string } | null, instance: { id: string, instanceName: string, status: ChatInstanceStatus }, error: { code: string, message: string } | null, media: { id: string, state: MediaState, url: string | null, mimeType: string | null, fileName: string | null, size: number | null, caption: string | null, error: string | null } | null, reactions: Array<{ emoji: string, fromLead: boolean, reactedAt: string, user: { id: string, name: string | null } | null }>, replyTo: { id: string, body: string | null, direction: MessageDirection, type: string, deletedAt: string | null, media: { fileName: string | null, mimeType: string | null } | null } | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean } };

export type SendHeldMessageMutationVariables = Exact<{
  input: SendMessageInput;
}>;


export type SendHeldMessageMutation = { sendMessage: { id: string, type: string, direction: MessageDirection, origin: MessageOrigin, body: string | null, isForwarded: boolean, isNotice: boolean, mayWantToStop: boolean, createdAt: string, providerTimestamp: string | null, status: MessageStatus | null, scheduledFor: string | null, sentAt: string | null, deliveredAt: string | null, readAt: string | null, failedAt: string | null, editedAt: string | null, deletedAt: string | null, choice: { kind: MessageChoiceKind, id: string | null, title: string | null, description: string | null, answers: Record<string, unknown> | null } | null, referral: { kind: ReferralKind, sourceId: string | null, sourceUrl: string | null, headline: string | null, body: string | null } | null, author: { id: string, name: string | null, email: string } | null, instance: { id: string, instanceName: string, status: ChatInstanceStatus }, error: { code: string, message: string } | null, media: { id: string, state: MediaState, url: string | null, mimeType: string | null, fileName: string | null, size: number | null, caption: string | null, error: string | null } | null, reactions: Array<{ emoji: string, fromLead: boolean, reactedAt: string, user: { id: string, name: string | null } | null }>, replyTo: { id: string, body: string | null, direction: MessageDirection, type: string, deletedAt: string | null, media: { fileName: string | null, mimeType: string | null } | null } | null } };

export type SendHeldMessagesTogetherMutationVariables = Exact<{
  first: SendMessageInput;
  second: SendMessageInput;
  third: SendMessageInput;
  hasThird: boolean;
}>;


export type SendHeldMessagesTogetherMutation = { first: { id: string }, second: { id: string }, third?: { id: string } };

export type MarkConversationReadMutationVariables = Exact<{
  id: string | number;
  upToMessageId?: string | number | null | undefined;
}>;


export type MarkConversationReadMutation = { markLeadRead: { id: string, unreadCount: number } };

export type ReopenConversationMutationVariables = Exact<{
  leadId: string | number;
}>;


export type ReopenConversationMutation = { reopenConversation: { id: string, conversationStatus: ConversationStatus, snoozedUntil: string | null, snoozeKind: SnoozeKind | null } };

export type FeedSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type FeedSubscription = { events: { cursor: string, type: EventType, occurredAt: string, leadId: string | null, lead: { id: string, name: string, chat: string | null, tags: Array<string>, conversationStatus: ConversationStatus, snoozedUntil: string | null, snoozeKind: SnoozeKind | null, scheduledReplyAt: string | null, waitingSince: string | null, lastInboundAt: string | null, unreadCount: number, updatedAt: string, assignee: { id: string, name: string | null, email: string } | null, optOut: { at: string } | null, lastMessage: { id: string, body: string | null, type: string, direction: MessageDirection, origin: MessageOrigin, status: MessageStatus | null, createdAt: string, deletedAt: string | null, choice: { kind: MessageChoiceKind } | null, media: { state: MediaState, mimeType: string | null, fileName: string | null } | null, instance: { id: string } } | null, presence: Array<{ intent: PresenceIntent, since: string, expiresAt: string, user: { id: string, name: string | null, email: string } }> } | null, message: { id: string, type: string, direction: MessageDirection, origin: MessageOrigin, body: string | null, isForwarded: boolean, isNotice: boolean, mayWantToStop: boolean, createdAt: string, providerTimestamp: string | null, status: MessageStatus | null, scheduledFor: string | null, sentAt: string | null, deliveredAt: string | null, readAt: string | null, failedAt: string | null, editedAt: string | null, deletedAt: string | null, choice: { kind: MessageChoiceKind, id: string | null, title: string | null, description: string | null, answers: Record<string, unknown> | null } | null, referral: { kind: ReferralKind, sourceId: string | null, sourceUrl: string | null, headline: string | null, body: string | null } | null, author: { id: string, name: string | null, email: string } | null, instance: { id: string, instanceName: string, status: ChatInstanceStatus }, error: { code: string, message: string } | null, media: { id: string, state: MediaState, url: string | null, mimeType: string | null, fileName: string | null, size: number | null, caption: string | null, error: string | null } | null, reactions: Array<{ emoji: string, fromLead: boolean, reactedAt: string, user: { id: string, name: string | null } | null }>, replyTo: { id: string, body: string | null, direction: MessageDirection, type: string, deletedAt: string | null, media: { fileName: string | null, mimeType: string | null } | null } | null } | null, chatInstance: { id: string, instanceName: string, provider: string, status: ChatInstanceStatus, isDefault: boolean, lastError: string | null, healthReason: string | null, degradedAt: string | null, pausedUntil: string | null, pauseReason: string | null } | null, bulkSend: { id: string, total: number, skipped: number, canceledAt: string | null, progress: { queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, canceled: number } } | null } };

export type BulkProgressFragment = { id: string, total: number, skipped: number, canceledAt: string | null, progress: { queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, canceled: number } };

export type LeadRowFragment = { id: string, name: string, chat: string | null, tags: Array<string>, conversationStatus: ConversationStatus, snoozedUntil: string | null, snoozeKind: SnoozeKind | null, scheduledReplyAt: string | null, waitingSince: string | null, lastInboundAt: string | null, unreadCount: number, updatedAt: string, assignee: { id: string, name: string | null, email: string } | null, optOut: { at: string } | null, lastMessage: { id: string, body: string | null, type: string, direction: MessageDirection, origin: MessageOrigin, status: MessageStatus | null, createdAt: string, deletedAt: string | null, choice: { kind: MessageChoiceKind } | null, media: { state: MediaState, mimeType: string | null, fileName: string | null } | null, instance: { id: string } } | null, presence: Array<{ intent: PresenceIntent, since: string, expiresAt: string, user: { id: string, name: string | null, email: string } }> };

export type ChatMessageFragment = { id: string, type: string, direction: MessageDirection, origin: MessageOrigin, body: string | null, isForwarded: boolean, isNotice: boolean, mayWantToStop: boolean, createdAt: string, providerTimestamp: string | null, status: MessageStatus | null, scheduledFor: string | null, sentAt: string | null, deliveredAt: string | null, readAt: string | null, failedAt: string | null, editedAt: string | null, deletedAt: string | null, choice: { kind: MessageChoiceKind, id: string | null, title: string | null, description: string | null, answers: Record<string, unknown> | null } | null, referral: { kind: ReferralKind, sourceId: string | null, sourceUrl: string | null, headline: string | null, body: string | null } | null, author: { id: string, name: string | null, email: string } | null, instance: { id: string, instanceName: string, status: ChatInstanceStatus }, error: { code: string, message: string } | null, media: { id: string, state: MediaState, url: string | null, mimeType: string | null, fileName: string | null, size: number | null, caption: string | null, error: string | null } | null, reactions: Array<{ emoji: string, fromLead: boolean, reactedAt: string, user: { id: string, name: string | null } | null }>, replyTo: { id: string, body: string | null, direction: MessageDirection, type: string, deletedAt: string | null, media: { fileName: string | null, mimeType: string | null } | null } | null };

export type InboxQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: InboxFilter | null | undefined;
  orderBy?: InboxOrder | null | undefined;
}>;


export type InboxQuery = { inbox: { edges: Array<{ cursor: string, node: { id: string, name: string, chat: string | null, tags: Array<string>, conversationStatus: ConversationStatus, snoozedUntil: string | null, snoozeKind: SnoozeKind | null, scheduledReplyAt: string | null, waitingSince: string | null, lastInboundAt: string | null, unreadCount: number, updatedAt: string, assignee: { id: string, name: string | null, email: string } | null, optOut: { at: string } | null, lastMessage: { id: string, body: string | null, type: string, direction: MessageDirection, origin: MessageOrigin, status: MessageStatus | null, createdAt: string, deletedAt: string | null, choice: { kind: MessageChoiceKind } | null, media: { state: MediaState, mimeType: string | null, fileName: string | null } | null, instance: { id: string } } | null, presence: Array<{ intent: PresenceIntent, since: string, expiresAt: string, user: { id: string, name: string | null, email: string } }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type CountedLeadsFragment = { edges: Array<{ node: { id: string } }> };

export type InboxCountsQueryVariables = Exact<{
  userId: string | number;
}>;


export type InboxCountsQuery = { unread: { edges: Array<{ node: { id: string } }> }, waiting: { edges: Array<{ node: { id: string } }> }, mine: { edges: Array<{ node: { id: string } }> }, unassigned: { edges: Array<{ node: { id: string } }> } };

export type KeptViewFragment = { id: string, name: string, filter: Record<string, unknown>, orderBy: InboxOrder, count: number };

export type KeptViewsQueryVariables = Exact<{ [key: string]: never; }>;


export type KeptViewsQuery = { inboxViews: Array<{ id: string, name: string, filter: Record<string, unknown>, orderBy: InboxOrder, count: number }> };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const InstanceStateFragmentDoc = new TypedDocumentString(`
    fragment InstanceState on ChatInstance {
  id
  instanceName
  provider
  status
  isDefault
  lastError
  healthReason
  degradedAt
  pausedUntil
  pauseReason
}
    `, {"fragmentName":"InstanceState"}) as unknown as TypedDocumentString<InstanceStateFragment, unknown>;
export const LeadRowFragmentDoc = new TypedDocumentString(`
    fragment LeadRow on Lead {
  id
  name
  chat
  tags
  conversationStatus
  snoozedUntil
  snoozeKind
  scheduledReplyAt
  waitingSince
  lastInboundAt
  unreadCount
  updatedAt
  assignee {
    id
    name
    email
  }
  optOut {
    at
  }
  lastMessage {
    id
    body
    type
    direction
    origin
    status
    createdAt
    deletedAt
    choice {
      kind
    }
    media {
      state
      mimeType
      fileName
    }
    instance {
      id
    }
  }
  presence {
    intent
    since
    expiresAt
    user {
      id
      name
      email
    }
  }
}
    `, {"fragmentName":"LeadRow"}) as unknown as TypedDocumentString<LeadRowFragment, unknown>;
export const ConversationLeadFragmentDoc = new TypedDocumentString(`
    fragment ConversationLead on Lead {
  ...LeadRow
  replyInstance {
    id
    instanceName
  }
  replyWindow {
    isOpen
    closesAt
  }
  firstReferral {
    kind
    sourceId
    headline
  }
  notes(first: 100) {
    edges {
      node {
        id
        body
        createdAt
        updatedAt
        author {
          id
          name
          email
        }
      }
    }
  }
}
    fragment LeadRow on Lead {
  id
  name
  chat
  tags
  conversationStatus
  snoozedUntil
  snoozeKind
  scheduledReplyAt
  waitingSince
  lastInboundAt
  unreadCount
  updatedAt
  assignee {
    id
    name
    email
  }
  optOut {
    at
  }
  lastMessage {
    id
    body
    type
    direction
    origin
    status
    createdAt
    deletedAt
    choice {
      kind
    }
    media {
      state
      mimeType
      fileName
    }
    instance {
      id
    }
  }
  presence {
    intent
    since
    expiresAt
    user {
      id
      name
      email
    }
  }
}`, {"fragmentName":"ConversationLead"}) as unknown as TypedDocumentString<ConversationLeadFragment, unknown>;
export const ChatMessageFragmentDoc = new TypedDocumentString(`
    fragment ChatMessage on Message {
  id
  type
  direction
  origin
  body
  choice {
    kind
    id
    title
    description
    answers
  }
  isForwarded
  isNotice
  mayWantToStop
  referral {
    kind
    sourceId
    sourceUrl
    headline
    body
  }
  createdAt
  providerTimestamp
  status
  scheduledFor
  sentAt
  deliveredAt
  readAt
  failedAt
  editedAt
  deletedAt
  author {
    id
    name
    email
  }
  instance {
    id
    instanceName
    status
  }
  error {
    code
    message
  }
  media {
    id
    state
    url
    mimeType
    fileName
    size
    caption
    error
  }
  reactions {
    emoji
    fromLead
    reactedAt
    user {
      id
      name
    }
  }
  replyTo {
    id
    body
    direction
    type
    deletedAt
    media {
      fileName
      mimeType
    }
  }
}
    `, {"fragmentName":"ChatMessage"}) as unknown as TypedDocumentString<ChatMessageFragment, unknown>;
export const ConversationPageFragmentDoc = new TypedDocumentString(`
    fragment ConversationPage on MessageConnection {
  edges {
    cursor
    node {
      ...ChatMessage
    }
  }
  pageInfo {
    hasNextPage
    hasPreviousPage
  }
}
    fragment ChatMessage on Message {
  id
  type
  direction
  origin
  body
  choice {
    kind
    id
    title
    description
    answers
  }
  isForwarded
  isNotice
  mayWantToStop
  referral {
    kind
    sourceId
    sourceUrl
    headline
    body
  }
  createdAt
  providerTimestamp
  status
  scheduledFor
  sentAt
  deliveredAt
  readAt
  failedAt
  editedAt
  deletedAt
  author {
    id
    name
    email
  }
  instance {
    id
    instanceName
    status
  }
  error {
    code
    message
  }
  media {
    id
    state
    url
    mimeType
    fileName
    size
    caption
    error
  }
  reactions {
    emoji
    fromLead
    reactedAt
    user {
      id
      name
    }
  }
  replyTo {
    id
    body
    direction
    type
    deletedAt
    media {
      fileName
      mimeType
    }
  }
}`, {"fragmentName":"ConversationPage"}) as unknown as TypedDocumentString<ConversationPageFragment, unknown>;
export const BulkProgressFragmentDoc = new TypedDocumentString(`
    fragment BulkProgress on BulkSend {
  id
  total
  skipped
  canceledAt
  progress {
    queued
    sending
    sent
    delivered
    read
    failed
    canceled
  }
}
    `, {"fragmentName":"BulkProgress"}) as unknown as TypedDocumentString<BulkProgressFragment, unknown>;
export const CountedLeadsFragmentDoc = new TypedDocumentString(`
    fragment CountedLeads on LeadConnection {
  edges {
    node {
      id
    }
  }
}
    `, {"fragmentName":"CountedLeads"}) as unknown as TypedDocumentString<CountedLeadsFragment, unknown>;
export const KeptViewFragmentDoc = new TypedDocumentString(`
    fragment KeptView on InboxView {
  id
  name
  filter
  orderBy
  count
}
    `, {"fragmentName":"KeptView"}) as unknown as TypedDocumentString<KeptViewFragment, unknown>;
export const FindPeopleDocument = new TypedDocumentString(`
    query FindPeople($text: String!, $first: Int) {
  search(text: $text, first: $first) {
    leads {
      id
      name
      chat
    }
  }
}
    `) as unknown as TypedDocumentString<FindPeopleQuery, FindPeopleQueryVariables>;
export const MeDocument = new TypedDocumentString(`
    query Me {
  me {
    id
    name
    email
    role
    accountId
    tenant {
      id
      name
      slug
      defaultCountry
    }
  }
}
    `) as unknown as TypedDocumentString<MeQuery, MeQueryVariables>;
export const EventCursorDocument = new TypedDocumentString(`
    query EventCursor {
  eventCursor
}
    `) as unknown as TypedDocumentString<EventCursorQuery, EventCursorQueryVariables>;
export const ChatInstancesDocument = new TypedDocumentString(`
    query ChatInstances {
  chatInstances {
    ...InstanceState
  }
}
    fragment InstanceState on ChatInstance {
  id
  instanceName
  provider
  status
  isDefault
  lastError
  healthReason
  degradedAt
  pausedUntil
  pauseReason
}`) as unknown as TypedDocumentString<ChatInstancesQuery, ChatInstancesQueryVariables>;
export const ColleaguesDocument = new TypedDocumentString(`
    query Colleagues($after: String, $isAdmin: Boolean!) {
  users(first: 200, after: $after) {
    edges {
      node {
        id
        name
        email
        isActive @include(if: $isAdmin)
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<ColleaguesQuery, ColleaguesQueryVariables>;
export const ConversationMessagesDocument = new TypedDocumentString(`
    query ConversationMessages($leadId: ID!, $first: Int, $after: String, $last: Int, $before: String, $around: ID) {
  messages(
    leadId: $leadId
    first: $first
    after: $after
    last: $last
    before: $before
    around: $around
  ) {
    ...ConversationPage
  }
}
    fragment ConversationPage on MessageConnection {
  edges {
    cursor
    node {
      ...ChatMessage
    }
  }
  pageInfo {
    hasNextPage
    hasPreviousPage
  }
}
fragment ChatMessage on Message {
  id
  type
  direction
  origin
  body
  choice {
    kind
    id
    title
    description
    answers
  }
  isForwarded
  isNotice
  mayWantToStop
  referral {
    kind
    sourceId
    sourceUrl
    headline
    body
  }
  createdAt
  providerTimestamp
  status
  scheduledFor
  sentAt
  deliveredAt
  readAt
  failedAt
  editedAt
  deletedAt
  author {
    id
    name
    email
  }
  instance {
    id
    instanceName
    status
  }
  error {
    code
    message
  }
  media {
    id
    state
    url
    mimeType
    fileName
    size
    caption
    error
  }
  reactions {
    emoji
    fromLead
    reactedAt
    user {
      id
      name
    }
  }
  replyTo {
    id
    body
    direction
    type
    deletedAt
    media {
      fileName
      mimeType
    }
  }
}`) as unknown as TypedDocumentString<ConversationMessagesQuery, ConversationMessagesQueryVariables>;
export const ConversationLeadDocument = new TypedDocumentString(`
    query ConversationLead($id: ID!) {
  lead(id: $id) {
    ...ConversationLead
  }
}
    fragment ConversationLead on Lead {
  ...LeadRow
  replyInstance {
    id
    instanceName
  }
  replyWindow {
    isOpen
    closesAt
  }
  firstReferral {
    kind
    sourceId
    headline
  }
  notes(first: 100) {
    edges {
      node {
        id
        body
        createdAt
        updatedAt
        author {
          id
          name
          email
        }
      }
    }
  }
}
fragment LeadRow on Lead {
  id
  name
  chat
  tags
  conversationStatus
  snoozedUntil
  snoozeKind
  scheduledReplyAt
  waitingSince
  lastInboundAt
  unreadCount
  updatedAt
  assignee {
    id
    name
    email
  }
  optOut {
    at
  }
  lastMessage {
    id
    body
    type
    direction
    origin
    status
    createdAt
    deletedAt
    choice {
      kind
    }
    media {
      state
      mimeType
      fileName
    }
    instance {
      id
    }
  }
  presence {
    intent
    since
    expiresAt
    user {
      id
      name
      email
    }
  }
}`) as unknown as TypedDocumentString<ConversationLeadQuery, ConversationLeadQueryVariables>;
export const ConversationOpeningDocument = new TypedDocumentString(`
    query ConversationOpening($id: ID!, $last: Int!) {
  lead(id: $id) {
    ...ConversationLead
  }
  messages(leadId: $id, last: $last) {
    ...ConversationPage
  }
}
    fragment ConversationLead on Lead {
  ...LeadRow
  replyInstance {
    id
    instanceName
  }
  replyWindow {
    isOpen
    closesAt
  }
  firstReferral {
    kind
    sourceId
    headline
  }
  notes(first: 100) {
    edges {
      node {
        id
        body
        createdAt
        updatedAt
        author {
          id
          name
          email
        }
      }
    }
  }
}
fragment ConversationPage on MessageConnection {
  edges {
    cursor
    node {
      ...ChatMessage
    }
  }
  pageInfo {
    hasNextPage
    hasPreviousPage
  }
}
fragment LeadRow on Lead {
  id
  name
  chat
  tags
  conversationStatus
  snoozedUntil
  snoozeKind
  scheduledReplyAt
  waitingSince
  lastInboundAt
  unreadCount
  updatedAt
  assignee {
    id
    name
    email
  }
  optOut {
    at
  }
  lastMessage {
    id
    body
    type
    direction
    origin
    status
    createdAt
    deletedAt
    choice {
      kind
    }
    media {
      state
      mimeType
      fileName
    }
    instance {
      id
    }
  }
  presence {
    intent
    since
    expiresAt
    user {
      id
      name
      email
    }
  }
}
fragment ChatMessage on Message {
  id
  type
  direction
  origin
  body
  choice {
    kind
    id
    title
    description
    answers
  }
  isForwarded
  isNotice
  mayWantToStop
  referral {
    kind
    sourceId
    sourceUrl
    headline
    body
  }
  createdAt
  providerTimestamp
  status
  scheduledFor
  sentAt
  deliveredAt
  readAt
  failedAt
  editedAt
  deletedAt
  author {
    id
    name
    email
  }
  instance {
    id
    instanceName
    status
  }
  error {
    code
    message
  }
  media {
    id
    state
    url
    mimeType
    fileName
    size
    caption
    error
  }
  reactions {
    emoji
    fromLead
    reactedAt
    user {
      id
      name
    }
  }
  replyTo {
    id
    body
    direction
    type
    deletedAt
    media {
      fileName
      mimeType
    }
  }
}`) as unknown as TypedDocumentString<ConversationOpeningQuery, ConversationOpeningQueryVariables>;
export const SendHeldMessageDocument = new TypedDocumentString(`
    mutation SendHeldMessage($input: SendMessageInput!) {
  sendMessage(input: $input) {
    ...ChatMessage
  }
}
    fragment ChatMessage on Message {
  id
  type
  direction
  origin
  body
  choice {
    kind
    id
    title
    description
    answers
  }
  isForwarded
  isNotice
  mayWantToStop
  referral {
    kind
    sourceId
    sourceUrl
    headline
    body
  }
  createdAt
  providerTimestamp
  status
  scheduledFor
  sentAt
  deliveredAt
  readAt
  failedAt
  editedAt
  deletedAt
  author {
    id
    name
    email
  }
  instance {
    id
    instanceName
    status
  }
  error {
    code
    message
  }
  media {
    id
    state
    url
    mimeType
    fileName
    size
    caption
    error
  }
  reactions {
    emoji
    fromLead
    reactedAt
    user {
      id
      name
    }
  }
  replyTo {
    id
    body
    direction
    type
    deletedAt
    media {
      fileName
      mimeType
    }
  }
}`) as unknown as TypedDocumentString<SendHeldMessageMutation, SendHeldMessageMutationVariables>;
export const SendHeldMessagesTogetherDocument = new TypedDocumentString(`
    mutation SendHeldMessagesTogether($first: SendMessageInput!, $second: SendMessageInput!, $third: SendMessageInput!, $hasThird: Boolean!) {
  first: sendMessage(input: $first) {
    id
  }
  second: sendMessage(input: $second) {
    id
  }
  third: sendMessage(input: $third) @include(if: $hasThird) {
    id
  }
}
    `) as unknown as TypedDocumentString<SendHeldMessagesTogetherMutation, SendHeldMessagesTogetherMutationVariables>;
export const MarkConversationReadDocument = new TypedDocumentString(`
    mutation MarkConversationRead($id: ID!, $upToMessageId: ID) {
  markLeadRead(id: $id, upToMessageId: $upToMessageId) {
    id
    unreadCount
  }
}
    `) as unknown as TypedDocumentString<MarkConversationReadMutation, MarkConversationReadMutationVariables>;
export const ReopenConversationDocument = new TypedDocumentString(`
    mutation ReopenConversation($leadId: ID!) {
  reopenConversation(leadId: $leadId) {
    id
    conversationStatus
    snoozedUntil
    snoozeKind
  }
}
    `) as unknown as TypedDocumentString<ReopenConversationMutation, ReopenConversationMutationVariables>;
export const FeedDocument = new TypedDocumentString(`
    subscription Feed($after: String) {
  events(after: $after) {
    cursor
    type
    occurredAt
    leadId
    lead {
      ...LeadRow
    }
    message {
      ...ChatMessage
    }
    chatInstance {
      ...InstanceState
    }
    bulkSend {
      ...BulkProgress
    }
  }
}
    fragment InstanceState on ChatInstance {
  id
  instanceName
  provider
  status
  isDefault
  lastError
  healthReason
  degradedAt
  pausedUntil
  pauseReason
}
fragment BulkProgress on BulkSend {
  id
  total
  skipped
  canceledAt
  progress {
    queued
    sending
    sent
    delivered
    read
    failed
    canceled
  }
}
fragment LeadRow on Lead {
  id
  name
  chat
  tags
  conversationStatus
  snoozedUntil
  snoozeKind
  scheduledReplyAt
  waitingSince
  lastInboundAt
  unreadCount
  updatedAt
  assignee {
    id
    name
    email
  }
  optOut {
    at
  }
  lastMessage {
    id
    body
    type
    direction
    origin
    status
    createdAt
    deletedAt
    choice {
      kind
    }
    media {
      state
      mimeType
      fileName
    }
    instance {
      id
    }
  }
  presence {
    intent
    since
    expiresAt
    user {
      id
      name
      email
    }
  }
}
fragment ChatMessage on Message {
  id
  type
  direction
  origin
  body
  choice {
    kind
    id
    title
    description
    answers
  }
  isForwarded
  isNotice
  mayWantToStop
  referral {
    kind
    sourceId
    sourceUrl
    headline
    body
  }
  createdAt
  providerTimestamp
  status
  scheduledFor
  sentAt
  deliveredAt
  readAt
  failedAt
  editedAt
  deletedAt
  author {
    id
    name
    email
  }
  instance {
    id
    instanceName
    status
  }
  error {
    code
    message
  }
  media {
    id
    state
    url
    mimeType
    fileName
    size
    caption
    error
  }
  reactions {
    emoji
    fromLead
    reactedAt
    user {
      id
      name
    }
  }
  replyTo {
    id
    body
    direction
    type
    deletedAt
    media {
      fileName
      mimeType
    }
  }
}`) as unknown as TypedDocumentString<FeedSubscription, FeedSubscriptionVariables>;
export const InboxDocument = new TypedDocumentString(`
    query Inbox($first: Int, $after: String, $filter: InboxFilter, $orderBy: InboxOrder) {
  inbox(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
    edges {
      cursor
      node {
        ...LeadRow
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment LeadRow on Lead {
  id
  name
  chat
  tags
  conversationStatus
  snoozedUntil
  snoozeKind
  scheduledReplyAt
  waitingSince
  lastInboundAt
  unreadCount
  updatedAt
  assignee {
    id
    name
    email
  }
  optOut {
    at
  }
  lastMessage {
    id
    body
    type
    direction
    origin
    status
    createdAt
    deletedAt
    choice {
      kind
    }
    media {
      state
      mimeType
      fileName
    }
    instance {
      id
    }
  }
  presence {
    intent
    since
    expiresAt
    user {
      id
      name
      email
    }
  }
}`) as unknown as TypedDocumentString<InboxQuery, InboxQueryVariables>;
export const InboxCountsDocument = new TypedDocumentString(`
    query InboxCounts($userId: ID!) {
  unread: inbox(first: 200, filter: {unread: true, conversationStatuses: [OPEN]}) {
    ...CountedLeads
  }
  waiting: inbox(
    first: 100
    filter: {waiting: true, conversationStatuses: [OPEN]}
  ) {
    ...CountedLeads
  }
  mine: inbox(
    first: 100
    filter: {assigneeId: $userId, conversationStatuses: [OPEN]}
  ) {
    ...CountedLeads
  }
  unassigned: inbox(
    first: 100
    filter: {unassigned: true, conversationStatuses: [OPEN]}
  ) {
    ...CountedLeads
  }
}
    fragment CountedLeads on LeadConnection {
  edges {
    node {
      id
    }
  }
}`) as unknown as TypedDocumentString<InboxCountsQuery, InboxCountsQueryVariables>;
export const KeptViewsDocument = new TypedDocumentString(`
    query KeptViews {
  inboxViews {
    ...KeptView
  }
}
    fragment KeptView on InboxView {
  id
  name
  filter
  orderBy
  count
}`) as unknown as TypedDocumentString<KeptViewsQuery, KeptViewsQueryVariables>;