/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A recipient of a bulk send. */
export type BulkRecipientInput = {
  /** The lead. */
  leadId: string | number;
  /** Values of the template's variables for this lead, as in renderTemplate; of a channel template by component, as in sendMessage. */
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

/** Which leads to list: all given conditions have to hold. */
export type LeadFilter = {
  /** The user who looks after the lead. */
  assigneeId?: string | number | null | undefined;
  /** The conversation has one of these statuses. */
  conversationStatuses?: Array<ConversationStatus> | null | undefined;
  /** True: an ad, post or product brought the lead (`firstReferral`). False: none did. */
  hasReferral?: boolean | null | undefined;
  /** The newest message that is not bulk came or went through this chat instance. */
  instanceId?: string | number | null | undefined;
  /** Whether the chat number can exist. */
  numberValidity?: NumberValidity | null | undefined;
  /** True: has opted out of bulk and scheduled messages. False: has not. */
  optedOut?: boolean | null | undefined;
  /** The first referral has this `sourceId`, at most 255 characters. */
  referralSourceId?: string | null | undefined;
  /** Part of the name, in any letter case and with or without accents, or of the number in any writing; at most 100 characters. Fewer than 3 characters are the beginning of the name. */
  search?: string | null | undefined;
  /** First came in at this time or later. */
  since?: string | null | undefined;
  /** Came from one of these, 50 at most. */
  sources?: Array<string> | null | undefined;
  /** All of these tags, 50 at most, in any letter case. */
  tagsAll?: Array<string> | null | undefined;
  /** Leads with at least one of these tags, in any letter case; 50 at most. */
  tagsAny?: Array<string> | null | undefined;
  /** True: without an assignee. False: with one. */
  unassigned?: boolean | null | undefined;
  /** True: with unread messages. False: without. */
  unread?: boolean | null | undefined;
  /** First came in before this time. */
  until?: string | null | undefined;
  /** True: an inbound message is not answered (`waitingSince`). False: none is waiting. */
  waiting?: boolean | null | undefined;
};

/** Whether a chat number can exist, by the numbering plan of its country. Says nothing of who has it. */
export type NumberValidity =
  /** Its country gives out no such number, or no country has its code. The lead is kept. */
  | 'INVALID'
  /** The number is hidden, or was not judged yet. */
  | 'UNKNOWN'
  /** Its country gives out such numbers. */
  | 'VALID';

/** What becomes of recipients that have opted out. */
export type OptedOutChoice =
  /** Nothing is sent: the error `OPTED_OUT` names them. */
  | 'REFUSE'
  /** They are left out; `BulkSend.skipped` counts them. */
  | 'SKIP';

/** A new bulk send. */
export type SendMessagesInput = {
  /** A template of the network in place of a template. It leaves through the template's own chat instance. */
  channelTemplateId?: string | number | null | undefined;
  /** 1 to 255 characters. The same key with the same content returns the same bulk send, so a repeated call sends once. With other content it is CONFLICT. */
  idempotencyKey: string;
  /** The chat instance; the tenant's default instance by default. */
  instanceId?: string | number | null | undefined;
  /** What becomes of recipients that have opted out; SKIP by default. */
  onOptedOut?: OptedOutChoice | null | undefined;
  /** The recipients, in the order of sending: 1 to 10,000 leads, each once. */
  recipients: Array<BulkRecipientInput>;
  /** When to send, at most a year ahead. Without a time, or with one in the past, at once. */
  sendAt?: string | null | undefined;
  /** The template. Required without channelTemplateId. */
  templateId?: string | number | null | undefined;
};

export type BulkListQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type BulkListQuery = { bulkSends: { edges: Array<{ node: { id: string, createdAt: string, scheduledFor: string | null, canceledAt: string | null, total: number, skipped: number, templateVersion: number | null, template: { id: string, name: string } | null, channelTemplate: { name: string, language: string } | null, instance: { id: string, instanceName: string }, progress: { queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, canceled: number } } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type OneBulkQueryVariables = Exact<{
  id: string | number;
}>;


export type OneBulkQuery = { bulkSend: { id: string, createdAt: string, scheduledFor: string | null, canceledAt: string | null, total: number, skipped: number, templateVersion: number | null, template: { id: string, name: string } | null, channelTemplate: { name: string, language: string } | null, instance: { id: string, instanceName: string }, progress: { queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, canceled: number } } | null };

export type BulkLineFragment = { id: string, createdAt: string, scheduledFor: string | null, canceledAt: string | null, total: number, skipped: number, templateVersion: number | null, template: { id: string, name: string } | null, channelTemplate: { name: string, language: string } | null, instance: { id: string, instanceName: string }, progress: { queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, canceled: number } };

export type FailedOfBulkQueryVariables = Exact<{
  id: string | number;
  after?: string | null | undefined;
}>;


export type FailedOfBulkQuery = { allMessages: { edges: Array<{ node: { id: string, failedAt: string | null, error: { code: string, message: string } | null, lead: { id: string, name: string, chat: string | null } } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type BulkTemplatesQueryVariables = Exact<{
  search?: string | null | undefined;
}>;


export type BulkTemplatesQuery = { templates: { edges: Array<{ node: { id: string, name: string, body: string, version: number } }> } };

export type BulkInstancesQueryVariables = Exact<{ [key: string]: never; }>;


export type BulkInstancesQuery = { chatInstances: Array<{ id: string, instanceName: string, provider: string, status: ChatInstanceStatus, isDefault: boolean }> };

export type BulkChannelTemplatesQueryVariables = Exact<{
  instanceId: string | number;
}>;


export type BulkChannelTemplatesQuery = { channelTemplates: { edges: Array<{ node: { id: string, name: string, language: string, status: string, components: unknown, variables: Array<string> } }> } };

export type BulkCountQueryVariables = Exact<{
  filter?: LeadFilter | null | undefined;
}>;


export type BulkCountQuery = { leads: { totalCount: number } };

export type BulkRecipientsQueryVariables = Exact<{
  after?: string | null | undefined;
  filter?: LeadFilter | null | undefined;
  fields: boolean;
}>;


export type BulkRecipientsQuery = { leads: { edges: Array<{ node: { id: string, name: string, chat: string | null, source: string, metadata?: Record<string, unknown> | null, customFields?: Record<string, unknown>, optOut: { at: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type BulkRecipientFragment = { id: string, name: string, chat: string | null, source: string, metadata?: Record<string, unknown> | null, customFields?: Record<string, unknown>, optOut: { at: string } | null };

export type BulkByChatsQueryVariables = Exact<{
  chats: Array<string> | string;
  fields: boolean;
}>;


export type BulkByChatsQuery = { leadsByChats: Array<{ problem: string | null, lead: { id: string, name: string, chat: string | null, source: string, metadata?: Record<string, unknown> | null, customFields?: Record<string, unknown>, optOut: { at: string } | null } | null }> };

export type BulkPreviewQueryVariables = Exact<{
  id: string | number;
  leadId: string | number;
  variables?: Record<string, unknown> | null | undefined;
}>;


export type BulkPreviewQuery = { renderTemplate: { body: string | null, missing: Array<string> } };

export type StartBulkMutationVariables = Exact<{
  input: SendMessagesInput;
}>;


export type StartBulkMutation = { sendMessages: { id: string, createdAt: string, scheduledFor: string | null, canceledAt: string | null, total: number, skipped: number, templateVersion: number | null, template: { id: string, name: string } | null, channelTemplate: { name: string, language: string } | null, instance: { id: string, instanceName: string }, progress: { queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, canceled: number } } };

export type StopBulkMutationVariables = Exact<{
  id: string | number;
}>;


export type StopBulkMutation = { cancelBulkSend: { id: string, createdAt: string, scheduledFor: string | null, canceledAt: string | null, total: number, skipped: number, templateVersion: number | null, template: { id: string, name: string } | null, channelTemplate: { name: string, language: string } | null, instance: { id: string, instanceName: string }, progress: { queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, canceled: number } } };

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
export const BulkLineFragmentDoc = new TypedDocumentString(`
    fragment BulkLine on BulkSend {
  id
  createdAt
  scheduledFor
  canceledAt
  total
  skipped
  templateVersion
  template {
    id
    name
  }
  channelTemplate {
    name
    language
  }
  instance {
    id
    instanceName
  }
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
    `, {"fragmentName":"BulkLine"}) as unknown as TypedDocumentString<BulkLineFragment, unknown>;
export const BulkRecipientFragmentDoc = new TypedDocumentString(`
    fragment BulkRecipient on Lead {
  id
  name
  chat
  source
  metadata @include(if: $fields)
  customFields @include(if: $fields)
  optOut {
    at
  }
}
    `, {"fragmentName":"BulkRecipient"}) as unknown as TypedDocumentString<BulkRecipientFragment, unknown>;
export const BulkListDocument = new TypedDocumentString(`
    query BulkList($first: Int, $after: String) {
  bulkSends(first: $first, after: $after) {
    edges {
      node {
        ...BulkLine
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment BulkLine on BulkSend {
  id
  createdAt
  scheduledFor
  canceledAt
  total
  skipped
  templateVersion
  template {
    id
    name
  }
  channelTemplate {
    name
    language
  }
  instance {
    id
    instanceName
  }
  progress {
    queued
    sending
    sent
    delivered
    read
    failed
    canceled
  }
}`) as unknown as TypedDocumentString<BulkListQuery, BulkListQueryVariables>;
export const OneBulkDocument = new TypedDocumentString(`
    query OneBulk($id: ID!) {
  bulkSend(id: $id) {
    ...BulkLine
  }
}
    fragment BulkLine on BulkSend {
  id
  createdAt
  scheduledFor
  canceledAt
  total
  skipped
  templateVersion
  template {
    id
    name
  }
  channelTemplate {
    name
    language
  }
  instance {
    id
    instanceName
  }
  progress {
    queued
    sending
    sent
    delivered
    read
    failed
    canceled
  }
}`) as unknown as TypedDocumentString<OneBulkQuery, OneBulkQueryVariables>;
export const FailedOfBulkDocument = new TypedDocumentString(`
    query FailedOfBulk($id: ID!, $after: String) {
  allMessages(
    first: 50
    after: $after
    filter: {bulkSendId: $id, statuses: [FAILED]}
  ) {
    edges {
      node {
        id
        failedAt
        error {
          code
          message
        }
        lead {
          id
          name
          chat
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<FailedOfBulkQuery, FailedOfBulkQueryVariables>;
export const BulkTemplatesDocument = new TypedDocumentString(`
    query BulkTemplates($search: String) {
  templates(first: 200, filter: {search: $search}) {
    edges {
      node {
        id
        name
        body
        version
      }
    }
  }
}
    `) as unknown as TypedDocumentString<BulkTemplatesQuery, BulkTemplatesQueryVariables>;
export const BulkInstancesDocument = new TypedDocumentString(`
    query BulkInstances {
  chatInstances {
    id
    instanceName
    provider
    status
    isDefault
  }
}
    `) as unknown as TypedDocumentString<BulkInstancesQuery, BulkInstancesQueryVariables>;
export const BulkChannelTemplatesDocument = new TypedDocumentString(`
    query BulkChannelTemplates($instanceId: ID!) {
  channelTemplates(first: 200, instanceId: $instanceId) {
    edges {
      node {
        id
        name
        language
        status
        components
        variables
      }
    }
  }
}
    `) as unknown as TypedDocumentString<BulkChannelTemplatesQuery, BulkChannelTemplatesQueryVariables>;
export const BulkCountDocument = new TypedDocumentString(`
    query BulkCount($filter: LeadFilter) {
  leads(first: 1, filter: $filter) {
    totalCount
  }
}
    `) as unknown as TypedDocumentString<BulkCountQuery, BulkCountQueryVariables>;
export const BulkRecipientsDocument = new TypedDocumentString(`
    query BulkRecipients($after: String, $filter: LeadFilter, $fields: Boolean!) {
  leads(first: 200, after: $after, filter: $filter) {
    edges {
      node {
        ...BulkRecipient
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment BulkRecipient on Lead {
  id
  name
  chat
  source
  metadata @include(if: $fields)
  customFields @include(if: $fields)
  optOut {
    at
  }
}`) as unknown as TypedDocumentString<BulkRecipientsQuery, BulkRecipientsQueryVariables>;
export const BulkByChatsDocument = new TypedDocumentString(`
    query BulkByChats($chats: [String!]!, $fields: Boolean!) {
  leadsByChats(chats: $chats) {
    problem
    lead {
      ...BulkRecipient
    }
  }
}
    fragment BulkRecipient on Lead {
  id
  name
  chat
  source
  metadata @include(if: $fields)
  customFields @include(if: $fields)
  optOut {
    at
  }
}`) as unknown as TypedDocumentString<BulkByChatsQuery, BulkByChatsQueryVariables>;
export const BulkPreviewDocument = new TypedDocumentString(`
    query BulkPreview($id: ID!, $leadId: ID!, $variables: JSONObject) {
  renderTemplate(id: $id, leadId: $leadId, variables: $variables) {
    body
    missing
  }
}
    `) as unknown as TypedDocumentString<BulkPreviewQuery, BulkPreviewQueryVariables>;
export const StartBulkDocument = new TypedDocumentString(`
    mutation StartBulk($input: SendMessagesInput!) {
  sendMessages(input: $input) {
    ...BulkLine
  }
}
    fragment BulkLine on BulkSend {
  id
  createdAt
  scheduledFor
  canceledAt
  total
  skipped
  templateVersion
  template {
    id
    name
  }
  channelTemplate {
    name
    language
  }
  instance {
    id
    instanceName
  }
  progress {
    queued
    sending
    sent
    delivered
    read
    failed
    canceled
  }
}`) as unknown as TypedDocumentString<StartBulkMutation, StartBulkMutationVariables>;
export const StopBulkDocument = new TypedDocumentString(`
    mutation StopBulk($id: ID!) {
  cancelBulkSend(id: $id) {
    ...BulkLine
  }
}
    fragment BulkLine on BulkSend {
  id
  createdAt
  scheduledFor
  canceledAt
  total
  skipped
  templateVersion
  template {
    id
    name
  }
  channelTemplate {
    name
    language
  }
  instance {
    id
    instanceName
  }
  progress {
    queued
    sending
    sent
    delivered
    read
    failed
    canceled
  }
}`) as unknown as TypedDocumentString<StopBulkMutation, StopBulkMutationVariables>;