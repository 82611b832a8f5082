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

/** Whether there is something to do in the conversation with a lead. */
export type ConversationStatus =
  /** Done. */
  | 'CLOSED'
  /** In the inbox to work on. Every inbound message opens the conversation again. */
  | 'OPEN'
  /** Put aside until `snoozedUntil`. */
  | 'SNOOZED';

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

/** What a writer did to a message afterwards. */
export type MessageChangeKind =
  /** It was deleted. */
  | 'DELETION'
  /** Its text was changed. */
  | 'EDIT';

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

/** What to change of a lead. What is left out stays as it is. */
export type UpdateLeadInput = {
  /** Tags to add to those it has. */
  addTags?: Array<string> | null | undefined;
  /** Custom fields to set; null takes one away, the others stay: at most 50, names of at most 64 characters, text of at most 1000, numbers and booleans. */
  customFields?: Record<string, unknown> | null | undefined;
  /** At most 200 characters. */
  name?: string | null | undefined;
  /** Tags to take away. */
  removeTags?: Array<string> | null | undefined;
  /** At most 100 characters. The touches stay as they are. */
  source?: string | null | undefined;
  /** All its tags from now on: at most 50 of at most 50 characters. */
  tags?: Array<string> | null | undefined;
};

/** Why a message has not left yet. */
export type WaitingReason =
  /** An earlier message to the same lead has to leave first. */
  | 'EARLIER_MESSAGE'
  /** Its chat instance is out. Its messages stay queued until it is back. */
  | 'INSTANCE_PAUSED'
  /** Other messages stand before it. */
  | 'IN_QUEUE'
  /** The tenant’s limit on sends is used up for now. */
  | 'RATE_LIMIT'
  /** An attempt failed for a passing reason, and the next one is due later. */
  | 'RETRY'
  /** It was asked to leave later. */
  | 'SCHEDULED'
  /** The tenant is deactivated. */
  | 'TENANT_INACTIVE'
  /** It was handed to the gateway and the answer was lost. It is looked up, or it waits for an operator’s decision. */
  | 'UNCONFIRMED';

export type CloseConversationMutationVariables = Exact<{
  leadId: string | number;
}>;


export type CloseConversationMutation = { closeConversation: { id: string, conversationStatus: ConversationStatus, snoozedUntil: string | null, snoozeKind: SnoozeKind | null } };

export type SnoozeConversationMutationVariables = Exact<{
  leadId: string | number;
  until: string;
}>;


export type SnoozeConversationMutation = { snoozeConversation: { id: string, conversationStatus: ConversationStatus, snoozedUntil: string | null, snoozeKind: SnoozeKind | null } };

export type RemindIfNoReplyMutationVariables = Exact<{
  leadId: string | number;
  at: string;
}>;


export type RemindIfNoReplyMutation = { remindIfNoReply: { id: string, conversationStatus: ConversationStatus, snoozedUntil: string | null, snoozeKind: SnoozeKind | null } };

export type MarkUnreadMutationVariables = Exact<{
  leadId: string | number;
}>;


export type MarkUnreadMutation = { markLeadUnread: { id: string, unreadCount: number } };

export type AssignLeadMutationVariables = Exact<{
  id: string | number;
  userId?: string | number | null | undefined;
}>;


export type AssignLeadMutation = { assignLead: { id: string, assignee: { id: string, name: string | null, email: string } | null } };

export type ClaimLeadMutationVariables = Exact<{
  leadId: string | number;
  intent: PresenceIntent;
}>;


export type ClaimLeadMutation = { claimLead: { id: string } };

export type ClaimLeadInsteadMutationVariables = Exact<{
  leadId: string | number;
  intent: PresenceIntent;
  left: string | number;
}>;


export type ClaimLeadInsteadMutation = { claimLead: { id: string }, releaseLead: { id: string } };

export type ReleaseLeadMutationVariables = Exact<{
  leadId: string | number;
}>;


export type ReleaseLeadMutation = { releaseLead: { id: string } };

export type ShowTypingMutationVariables = Exact<{
  leadId: string | number;
  instanceId: string | number;
  isTyping: boolean;
}>;


export type ShowTypingMutation = { showTyping: boolean };

export type ReactToMessageMutationVariables = Exact<{
  id: string | number;
  emoji?: string | null | undefined;
}>;


export type ReactToMessageMutation = { reactToMessage: { id: string } };

export type CancelMessageMutationVariables = Exact<{
  id: string | number;
}>;


export type CancelMessageMutation = { cancelMessage: { id: string, status: MessageStatus | null } };

export type RetryMessageMutationVariables = Exact<{
  id: string | number;
}>;


export type RetryMessageMutation = { retryMessage: { id: string, status: MessageStatus | null } };

export type FetchMediaMutationVariables = Exact<{
  messageId: string | number;
}>;


export type FetchMediaMutation = { fetchMedia: { id: string, media: { id: string, state: MediaState, url: string | null, error: string | null } | null } };

export type AddNoteMutationVariables = Exact<{
  leadId: string | number;
  body: string;
}>;


export type AddNoteMutation = { addLeadNote: { id: string } };

export type UpdateNoteMutationVariables = Exact<{
  id: string | number;
  body: string;
}>;


export type UpdateNoteMutation = { updateLeadNote: { id: string } };

export type DeleteNoteMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteNoteMutation = { deleteLeadNote: string };

export type MediaUrlQueryVariables = Exact<{
  id: string | number;
}>;


export type MediaUrlQuery = { message: { id: string, media: { id: string, state: MediaState, url: string | null } | null } | null };

export type MessageDetailsQueryVariables = Exact<{
  id: string | number;
}>;


export type MessageDetailsQuery = { message: { id: string, externalId: string | null, template: { name: string } | null, channelTemplate: { name: string, language: string } | null, timeline: Array<{ fromStatus: MessageStatus | null, toStatus: MessageStatus, source: string, providerCode: string | null, detail: string | null, occurredAt: string }>, changes: Array<{ kind: MessageChangeKind, previousBody: string | null, occurredAt: string }> } | null };

export type WaitingMessagesQueryVariables = Exact<{
  leadId: string | number;
}>;


export type WaitingMessagesQuery = { messages: { edges: Array<{ node: { id: string, waitingReason: WaitingReason | null, waitingDetail: string | null, queuePosition: number | null, estimatedSendAt: string | null } }> } };

export type WindowOfInstanceQueryVariables = Exact<{
  id: string | number;
  instanceId: string | number;
}>;


export type WindowOfInstanceQuery = { lead: { id: string, replyWindow: { isOpen: boolean, closesAt: string | null } | null } | null };

export type TemplatesToInsertQueryVariables = Exact<{
  search?: string | null | undefined;
}>;


export type TemplatesToInsertQuery = { templates: { edges: Array<{ node: { id: string, name: string, body: string, shortcut: string | null, variables: Array<{ name: string, default: string | null, isLeadField: boolean }>, files: Array<{ id: string, mimeType: string, fileName: string | null, size: number }> } }> } };

export type RenderedTemplateQueryVariables = Exact<{
  id: string | number;
  leadId: string | number;
  variables?: Record<string, unknown> | null | undefined;
}>;


export type RenderedTemplateQuery = { renderTemplate: { body: string | null, missing: Array<string> } };

export type ChannelTemplatesToInsertQueryVariables = Exact<{
  instanceId: string | number;
  search?: string | null | undefined;
}>;


export type ChannelTemplatesToInsertQuery = { channelTemplates: { edges: Array<{ node: { id: string, name: string, language: string, status: string, statusReason: string | null, components: unknown, variables: Array<string> } }> } };

export type PreviewToSendQueryVariables = Exact<{
  input: SendMessageInput;
}>;


export type PreviewToSendQuery = { previewMessage: { body: string | null, caption: string | null, estimatedSendAt: string | null, waitingDetail: string | null, instance: { id: string, instanceName: string }, window: { isOpen: boolean, closesAt: string | null } | null, optOut: { at: string } | null } };

export type OptOutInConversationMutationVariables = Exact<{
  id: string | number;
  reason: string;
}>;


export type OptOutInConversationMutation = { optOutLead: { id: string } };

export type LeadPanelQueryVariables = Exact<{
  id: string | number;
}>;


export type LeadPanelQuery = { lead: { id: string, source: string, customFields: Record<string, unknown>, createdAt: string, touches: { edges: Array<{ node: { id: string, createdAt: string, source: string, referral: { kind: ReferralKind, headline: string | null, sourceUrl: string | null } | null } }> } } | null };

export type ChangePanelLeadMutationVariables = Exact<{
  id: string | number;
  input: UpdateLeadInput;
}>;


export type ChangePanelLeadMutation = { updateLead: { id: string, source: string, customFields: Record<string, unknown>, createdAt: string, touches: { edges: Array<{ node: { id: string, createdAt: string, source: string, referral: { kind: ReferralKind, headline: string | null, sourceUrl: string | null } | null } }> } } };

export type PanelLeadFragment = { id: string, source: string, customFields: Record<string, unknown>, createdAt: string, touches: { edges: Array<{ node: { id: string, createdAt: string, source: string, referral: { kind: ReferralKind, headline: string | null, sourceUrl: string | null } | null } }> } };

export type QuickRepliesQueryVariables = Exact<{
  leadId: string | number;
  search?: string | null | undefined;
}>;


export type QuickRepliesQuery = { templates: { edges: Array<{ node: { id: string, name: string, body: string, shortcut: string | null, variables: Array<{ name: string, default: string | null, isLeadField: boolean }>, files: Array<{ id: string, mimeType: string, fileName: string | null, size: number }> } }>, pageInfo: { hasNextPage: boolean } }, lead: { id: string, name: string, chat: string | null, source: string, metadata: Record<string, unknown> | null, customFields: Record<string, unknown> } | null };

export type QuickReplyFragment = { id: string, name: string, body: string, shortcut: string | null, variables: Array<{ name: string, default: string | null, isLeadField: boolean }>, files: Array<{ id: string, mimeType: string, fileName: string | null, size: number }> };

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
export const PanelLeadFragmentDoc = new TypedDocumentString(`
    fragment PanelLead on Lead {
  id
  source
  customFields
  createdAt
  touches(first: 5) {
    edges {
      node {
        id
        createdAt
        source
        referral {
          kind
          headline
          sourceUrl
        }
      }
    }
  }
}
    `, {"fragmentName":"PanelLead"}) as unknown as TypedDocumentString<PanelLeadFragment, unknown>;
export const QuickReplyFragmentDoc = new TypedDocumentString(`
    fragment QuickReply on Template {
  id
  name
  body
  shortcut
  variables {
    name
    default
    isLeadField
  }
  files {
    id
    mimeType
    fileName
    size
  }
}
    `, {"fragmentName":"QuickReply"}) as unknown as TypedDocumentString<QuickReplyFragment, unknown>;
export const CloseConversationDocument = new TypedDocumentString(`
    mutation CloseConversation($leadId: ID!) {
  closeConversation(leadId: $leadId) {
    id
    conversationStatus
    snoozedUntil
    snoozeKind
  }
}
    `) as unknown as TypedDocumentString<CloseConversationMutation, CloseConversationMutationVariables>;
export const SnoozeConversationDocument = new TypedDocumentString(`
    mutation SnoozeConversation($leadId: ID!, $until: DateTime!) {
  snoozeConversation(leadId: $leadId, until: $until) {
    id
    conversationStatus
    snoozedUntil
    snoozeKind
  }
}
    `) as unknown as TypedDocumentString<SnoozeConversationMutation, SnoozeConversationMutationVariables>;
export const RemindIfNoReplyDocument = new TypedDocumentString(`
    mutation RemindIfNoReply($leadId: ID!, $at: DateTime!) {
  remindIfNoReply(leadId: $leadId, at: $at) {
    id
    conversationStatus
    snoozedUntil
    snoozeKind
  }
}
    `) as unknown as TypedDocumentString<RemindIfNoReplyMutation, RemindIfNoReplyMutationVariables>;
export const MarkUnreadDocument = new TypedDocumentString(`
    mutation MarkUnread($leadId: ID!) {
  markLeadUnread(leadId: $leadId) {
    id
    unreadCount
  }
}
    `) as unknown as TypedDocumentString<MarkUnreadMutation, MarkUnreadMutationVariables>;
export const AssignLeadDocument = new TypedDocumentString(`
    mutation AssignLead($id: ID!, $userId: ID) {
  assignLead(id: $id, userId: $userId) {
    id
    assignee {
      id
      name
      email
    }
  }
}
    `) as unknown as TypedDocumentString<AssignLeadMutation, AssignLeadMutationVariables>;
export const ClaimLeadDocument = new TypedDocumentString(`
    mutation ClaimLead($leadId: ID!, $intent: PresenceIntent!) {
  claimLead(leadId: $leadId, intent: $intent) {
    id
  }
}
    `) as unknown as TypedDocumentString<ClaimLeadMutation, ClaimLeadMutationVariables>;
export const ClaimLeadInsteadDocument = new TypedDocumentString(`
    mutation ClaimLeadInstead($leadId: ID!, $intent: PresenceIntent!, $left: ID!) {
  claimLead(leadId: $leadId, intent: $intent) {
    id
  }
  releaseLead(leadId: $left) {
    id
  }
}
    `) as unknown as TypedDocumentString<ClaimLeadInsteadMutation, ClaimLeadInsteadMutationVariables>;
export const ReleaseLeadDocument = new TypedDocumentString(`
    mutation ReleaseLead($leadId: ID!) {
  releaseLead(leadId: $leadId) {
    id
  }
}
    `) as unknown as TypedDocumentString<ReleaseLeadMutation, ReleaseLeadMutationVariables>;
export const ShowTypingDocument = new TypedDocumentString(`
    mutation ShowTyping($leadId: ID!, $instanceId: ID!, $isTyping: Boolean!) {
  showTyping(leadId: $leadId, instanceId: $instanceId, isTyping: $isTyping)
}
    `) as unknown as TypedDocumentString<ShowTypingMutation, ShowTypingMutationVariables>;
export const ReactToMessageDocument = new TypedDocumentString(`
    mutation ReactToMessage($id: ID!, $emoji: String) {
  reactToMessage(id: $id, emoji: $emoji) {
    id
  }
}
    `) as unknown as TypedDocumentString<ReactToMessageMutation, ReactToMessageMutationVariables>;
export const CancelMessageDocument = new TypedDocumentString(`
    mutation CancelMessage($id: ID!) {
  cancelMessage(id: $id) {
    id
    status
  }
}
    `) as unknown as TypedDocumentString<CancelMessageMutation, CancelMessageMutationVariables>;
export const RetryMessageDocument = new TypedDocumentString(`
    mutation RetryMessage($id: ID!) {
  retryMessage(id: $id) {
    id
    status
  }
}
    `) as unknown as TypedDocumentString<RetryMessageMutation, RetryMessageMutationVariables>;
export const FetchMediaDocument = new TypedDocumentString(`
    mutation FetchMedia($messageId: ID!) {
  fetchMedia(messageId: $messageId) {
    id
    media {
      id
      state
      url
      error
    }
  }
}
    `) as unknown as TypedDocumentString<FetchMediaMutation, FetchMediaMutationVariables>;
export const AddNoteDocument = new TypedDocumentString(`
    mutation AddNote($leadId: ID!, $body: String!) {
  addLeadNote(leadId: $leadId, body: $body) {
    id
  }
}
    `) as unknown as TypedDocumentString<AddNoteMutation, AddNoteMutationVariables>;
export const UpdateNoteDocument = new TypedDocumentString(`
    mutation UpdateNote($id: ID!, $body: String!) {
  updateLeadNote(id: $id, body: $body) {
    id
  }
}
    `) as unknown as TypedDocumentString<UpdateNoteMutation, UpdateNoteMutationVariables>;
export const DeleteNoteDocument = new TypedDocumentString(`
    mutation DeleteNote($id: ID!) {
  deleteLeadNote(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteNoteMutation, DeleteNoteMutationVariables>;
export const MediaUrlDocument = new TypedDocumentString(`
    query MediaUrl($id: ID!) {
  message(id: $id) {
    id
    media {
      id
      state
      url
    }
  }
}
    `) as unknown as TypedDocumentString<MediaUrlQuery, MediaUrlQueryVariables>;
export const MessageDetailsDocument = new TypedDocumentString(`
    query MessageDetails($id: ID!) {
  message(id: $id) {
    id
    externalId
    template {
      name
    }
    channelTemplate {
      name
      language
    }
    timeline {
      fromStatus
      toStatus
      source
      providerCode
      detail
      occurredAt
    }
    changes {
      kind
      previousBody
      occurredAt
    }
  }
}
    `) as unknown as TypedDocumentString<MessageDetailsQuery, MessageDetailsQueryVariables>;
export const WaitingMessagesDocument = new TypedDocumentString(`
    query WaitingMessages($leadId: ID!) {
  messages(leadId: $leadId, last: 20, filter: {statuses: [QUEUED, SENDING]}) {
    edges {
      node {
        id
        waitingReason
        waitingDetail
        queuePosition
        estimatedSendAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WaitingMessagesQuery, WaitingMessagesQueryVariables>;
export const WindowOfInstanceDocument = new TypedDocumentString(`
    query WindowOfInstance($id: ID!, $instanceId: ID!) {
  lead(id: $id) {
    id
    replyWindow(instanceId: $instanceId) {
      isOpen
      closesAt
    }
  }
}
    `) as unknown as TypedDocumentString<WindowOfInstanceQuery, WindowOfInstanceQueryVariables>;
export const TemplatesToInsertDocument = new TypedDocumentString(`
    query TemplatesToInsert($search: String) {
  templates(first: 50, filter: {search: $search}) {
    edges {
      node {
        ...QuickReply
      }
    }
  }
}
    fragment QuickReply on Template {
  id
  name
  body
  shortcut
  variables {
    name
    default
    isLeadField
  }
  files {
    id
    mimeType
    fileName
    size
  }
}`) as unknown as TypedDocumentString<TemplatesToInsertQuery, TemplatesToInsertQueryVariables>;
export const RenderedTemplateDocument = new TypedDocumentString(`
    query RenderedTemplate($id: ID!, $leadId: ID!, $variables: JSONObject) {
  renderTemplate(id: $id, leadId: $leadId, variables: $variables) {
    body
    missing
  }
}
    `) as unknown as TypedDocumentString<RenderedTemplateQuery, RenderedTemplateQueryVariables>;
export const ChannelTemplatesToInsertDocument = new TypedDocumentString(`
    query ChannelTemplatesToInsert($instanceId: ID!, $search: String) {
  channelTemplates(instanceId: $instanceId, first: 50, filter: {search: $search}) {
    edges {
      node {
        id
        name
        language
        status
        statusReason
        components
        variables
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ChannelTemplatesToInsertQuery, ChannelTemplatesToInsertQueryVariables>;
export const PreviewToSendDocument = new TypedDocumentString(`
    query PreviewToSend($input: SendMessageInput!) {
  previewMessage(input: $input) {
    body
    caption
    instance {
      id
      instanceName
    }
    window {
      isOpen
      closesAt
    }
    optOut {
      at
    }
    estimatedSendAt
    waitingDetail
  }
}
    `) as unknown as TypedDocumentString<PreviewToSendQuery, PreviewToSendQueryVariables>;
export const OptOutInConversationDocument = new TypedDocumentString(`
    mutation OptOutInConversation($id: ID!, $reason: String!) {
  optOutLead(id: $id, reason: $reason) {
    id
  }
}
    `) as unknown as TypedDocumentString<OptOutInConversationMutation, OptOutInConversationMutationVariables>;
export const LeadPanelDocument = new TypedDocumentString(`
    query LeadPanel($id: ID!) {
  lead(id: $id) {
    ...PanelLead
  }
}
    fragment PanelLead on Lead {
  id
  source
  customFields
  createdAt
  touches(first: 5) {
    edges {
      node {
        id
        createdAt
        source
        referral {
          kind
          headline
          sourceUrl
        }
      }
    }
  }
}`) as unknown as TypedDocumentString<LeadPanelQuery, LeadPanelQueryVariables>;
export const ChangePanelLeadDocument = new TypedDocumentString(`
    mutation ChangePanelLead($id: ID!, $input: UpdateLeadInput!) {
  updateLead(id: $id, input: $input) {
    ...PanelLead
  }
}
    fragment PanelLead on Lead {
  id
  source
  customFields
  createdAt
  touches(first: 5) {
    edges {
      node {
        id
        createdAt
        source
        referral {
          kind
          headline
          sourceUrl
        }
      }
    }
  }
}`) as unknown as TypedDocumentString<ChangePanelLeadMutation, ChangePanelLeadMutationVariables>;
export const QuickRepliesDocument = new TypedDocumentString(`
    query QuickReplies($leadId: ID!, $search: String) {
  templates(first: 200, filter: {search: $search}) {
    edges {
      node {
        ...QuickReply
      }
    }
    pageInfo {
      hasNextPage
    }
  }
  lead(id: $leadId) {
    id
    name
    chat
    source
    metadata
    customFields
  }
}
    fragment QuickReply on Template {
  id
  name
  body
  shortcut
  variables {
    name
    default
    isLeadField
  }
  files {
    id
    mimeType
    fileName
    size
  }
}`) as unknown as TypedDocumentString<QuickRepliesQuery, QuickRepliesQueryVariables>;