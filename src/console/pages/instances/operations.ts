/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Which channel templates to list. All conditions have to hold. */
export type ChannelTemplateFilter = {
  /** Of this category: `UTILITY`. */
  category?: string | null | undefined;
  /** Exactly this language: `pt_BR`. */
  language?: string | null | undefined;
  /** Exactly this name. */
  name?: string | null | undefined;
  /** A part of the name, in any letter case; at most 100 characters. */
  search?: string | null | undefined;
  /** With this status: `APPROVED`. */
  status?: string | null | undefined;
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

/** A new chat instance. */
export type CreateChatInstanceInput = {
  /** The account that it belongs to. */
  accountId: string | number;
  /** The gateway's http or https address, at most 2,048 characters, without credentials, query or fragment. Private addresses need the administrator's permission. By default, the configured gateway. */
  baseUrl?: string | null | undefined;
  /** The instance's name at the gateway, at most 100 characters. Unique in the tenant; at the shared gateway, unique among all tenants. */
  instanceName: string;
  /** Whether it becomes the default of the account. By default, the first instance of an account does. */
  isDefault?: boolean | null | undefined;
  /** Data to store with it, at most 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined;
  /** The kind of gateway; `gateway` by default. */
  provider?: string | null | undefined;
  /** Sent to the gateway as a Bearer token; at most 4,096 characters. Kept encrypted and never shown. */
  token?: string | null | undefined;
  /** The secret that the gateway signs its calls with: Meta's app secret, 16 to 200 characters, or WAHA's HMAC key, 8 to 200. Kept encrypted and never shown. */
  webhookSecret?: string | null | undefined;
};

/** What had a gateway's history read. */
export type InstanceAuditCause =
  /** A user asked for it. */
  | 'MANUAL'
  /** The instance connected again. */
  | 'RECONNECTED'
  /** The regular reading. */
  | 'SCHEDULED';

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

/** What to change; fields that are left out stay as they are. */
export type UpdateChatInstanceInput = {
  /** The gateway's address, as in a creation. Null means the configured gateway, or the provider's own. If a token is stored and calls move to another address, give the token too. */
  baseUrl?: string | null | undefined;
  /** The instance's name at the gateway, at most 100 characters. Unique in the tenant; at the shared gateway, unique among all tenants. */
  instanceName?: string | null | undefined;
  /** Whether it becomes the default of the account. */
  isDefault?: boolean | null | undefined;
  /** Data to store with it, at most 16 KiB as JSON. Null removes it. */
  metadata?: Record<string, unknown> | null | undefined;
  /** The kind of gateway. If a token is stored and the change moves calls to another address, give the token too. */
  provider?: string | null | undefined;
  /** Sent to the gateway as a Bearer token, as in a creation. Null removes it. */
  token?: string | null | undefined;
  /** The secret that the gateway signs its calls with, as in a creation. Null removes it. Kept encrypted and never shown. */
  webhookSecret?: string | null | undefined;
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

export type InstancesQueryVariables = Exact<{ [key: string]: never; }>;


export type InstancesQuery = { chatInstances: Array<{ id: string, instanceName: string, provider: string, status: ChatInstanceStatus, isDefault: boolean, lastError: string | null, healthReason: string | null, degradedAt: string | null, pausedUntil: string | null, pauseReason: string | null, account: { id: string, name: string } }> };

export type InstanceDetailsQueryVariables = Exact<{
  id: string | number;
}>;


export type InstanceDetailsQuery = { chatInstance: { id: string, baseUrl: string | null, hasToken: boolean, webhookVerifyToken: string | null, metadata: Record<string, unknown> | null, createdAt: string, updatedAt: string, account: { id: string, name: string } } | null };

export type InstanceFiguresQueryVariables = Exact<{
  id: string | number;
  since: string;
}>;


export type InstanceFiguresQuery = { lastIn: { edges: Array<{ node: { id: string, createdAt: string } }> }, lastOut: { edges: Array<{ node: { id: string, sentAt: string | null, createdAt: string } }> }, done: { totalCount: number }, failed: { totalCount: number } };

export type WaitingCountQueryVariables = Exact<{
  id: string | number;
}>;


export type WaitingCountQuery = { allMessages: { totalCount: number } };

export type WaitingMessagesQueryVariables = Exact<{
  id: string | number;
}>;


export type WaitingMessagesQuery = { allMessages: { edges: Array<{ node: { id: string, body: string | null, type: string, status: MessageStatus | null, waitingReason: WaitingReason | null, estimatedSendAt: string | null, createdAt: string, lead: { id: string, name: string } } }> } };

export type AccountsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AccountsQuery = { users: { edges: Array<{ node: { id: string, name: string | null, email: string, account: { id: string, name: string } } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ChannelTemplatesQueryVariables = Exact<{
  instanceId: string | number;
  after?: string | null | undefined;
  filter?: ChannelTemplateFilter | null | undefined;
}>;


export type ChannelTemplatesQuery = { channelTemplates: { edges: Array<{ node: { id: string, name: string, language: string, category: string | null, status: string, statusReason: string | null, statusReportedAt: string, variables: Array<string> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type InstanceAuditsQueryVariables = Exact<{
  instanceId: string | number;
  after?: string | null | undefined;
}>;


export type InstanceAuditsQuery = { instanceAudits: { edges: Array<{ node: { id: string, cause: InstanceAuditCause, from: string, to: string, isComplete: boolean, atGateway: number, here: number, recovered: number, unexplained: number, statuses: number, reasons: Array<{ reason: string, count: number }>, requestedBy: { id: string, name: string | null, email: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type RecoverMessagesMutationVariables = Exact<{
  instanceId: string | number;
  since: string;
  until: string;
}>;


export type RecoverMessagesMutation = { recoverMessages: { id: string, to: string, isComplete: boolean, atGateway: number, here: number, recovered: number, unexplained: number, statuses: number } };

export type SyncChannelTemplatesMutationVariables = Exact<{
  instanceId: string | number;
}>;


export type SyncChannelTemplatesMutation = { syncChannelTemplates: Array<{ id: string }> };

export type ConnectInstanceMutationVariables = Exact<{
  id: string | number;
}>;


export type ConnectInstanceMutation = { connectChatInstance: { status: ChatInstanceStatus, qr: string | null, pairingCode: string | null, lastError: string | null } };

export type DisconnectInstanceMutationVariables = Exact<{
  id: string | number;
}>;


export type DisconnectInstanceMutation = { disconnectChatInstance: { id: string, instanceName: string, provider: string, status: ChatInstanceStatus, isDefault: boolean, lastError: string | null, healthReason: string | null, degradedAt: string | null, pausedUntil: string | null, pauseReason: string | null, account: { id: string, name: string } } };

export type CreateInstanceMutationVariables = Exact<{
  input: CreateChatInstanceInput;
}>;


export type CreateInstanceMutation = { createChatInstance: { id: string, instanceName: string, provider: string, status: ChatInstanceStatus, isDefault: boolean, lastError: string | null, healthReason: string | null, degradedAt: string | null, pausedUntil: string | null, pauseReason: string | null, account: { id: string, name: string } } };

export type UpdateInstanceMutationVariables = Exact<{
  id: string | number;
  input: UpdateChatInstanceInput;
}>;


export type UpdateInstanceMutation = { updateChatInstance: { id: string, instanceName: string, provider: string, status: ChatInstanceStatus, isDefault: boolean, lastError: string | null, healthReason: string | null, degradedAt: string | null, pausedUntil: string | null, pauseReason: string | null, account: { id: string, name: string } } };

export type DeleteInstanceMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteInstanceMutation = { deleteChatInstance: string };

export type InstanceCardFragment = { id: string, instanceName: string, provider: string, status: ChatInstanceStatus, isDefault: boolean, lastError: string | null, healthReason: string | null, degradedAt: string | null, pausedUntil: string | null, pauseReason: string | null, account: { id: string, name: string } };

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
export const InstanceCardFragmentDoc = new TypedDocumentString(`
    fragment InstanceCard on ChatInstance {
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
  account {
    id
    name
  }
}
    `, {"fragmentName":"InstanceCard"}) as unknown as TypedDocumentString<InstanceCardFragment, unknown>;
export const InstancesDocument = new TypedDocumentString(`
    query Instances {
  chatInstances {
    ...InstanceCard
  }
}
    fragment InstanceCard on ChatInstance {
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
  account {
    id
    name
  }
}`) as unknown as TypedDocumentString<InstancesQuery, InstancesQueryVariables>;
export const InstanceDetailsDocument = new TypedDocumentString(`
    query InstanceDetails($id: ID!) {
  chatInstance(id: $id) {
    id
    baseUrl
    hasToken
    webhookVerifyToken
    metadata
    createdAt
    updatedAt
    account {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<InstanceDetailsQuery, InstanceDetailsQueryVariables>;
export const InstanceFiguresDocument = new TypedDocumentString(`
    query InstanceFigures($id: ID!, $since: DateTime!) {
  lastIn: allMessages(
    first: 1
    filter: {instanceId: $id, direction: INBOUND, since: $since}
  ) {
    edges {
      node {
        id
        createdAt
      }
    }
  }
  lastOut: allMessages(
    first: 1
    filter: {instanceId: $id, direction: OUTBOUND, statuses: [SENT, DELIVERED, READ], since: $since}
  ) {
    edges {
      node {
        id
        sentAt
        createdAt
      }
    }
  }
  done: allMessages(
    first: 0
    filter: {instanceId: $id, direction: OUTBOUND, statuses: [SENT, DELIVERED, READ, FAILED], since: $since}
  ) {
    totalCount
  }
  failed: allMessages(
    first: 0
    filter: {instanceId: $id, direction: OUTBOUND, statuses: [FAILED], since: $since}
  ) {
    totalCount
  }
}
    `) as unknown as TypedDocumentString<InstanceFiguresQuery, InstanceFiguresQueryVariables>;
export const WaitingCountDocument = new TypedDocumentString(`
    query WaitingCount($id: ID!) {
  allMessages(
    first: 0
    filter: {instanceId: $id, direction: OUTBOUND, statuses: [QUEUED, SENDING]}
  ) {
    totalCount
  }
}
    `) as unknown as TypedDocumentString<WaitingCountQuery, WaitingCountQueryVariables>;
export const WaitingMessagesDocument = new TypedDocumentString(`
    query WaitingMessages($id: ID!) {
  allMessages(
    first: 5
    filter: {instanceId: $id, direction: OUTBOUND, statuses: [QUEUED, SENDING]}
  ) {
    edges {
      node {
        id
        body
        type
        status
        waitingReason
        estimatedSendAt
        createdAt
        lead {
          id
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WaitingMessagesQuery, WaitingMessagesQueryVariables>;
export const AccountsDocument = new TypedDocumentString(`
    query Accounts($after: String) {
  users(first: 100, after: $after) {
    edges {
      node {
        id
        name
        email
        account {
          id
          name
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<AccountsQuery, AccountsQueryVariables>;
export const ChannelTemplatesDocument = new TypedDocumentString(`
    query ChannelTemplates($instanceId: ID!, $after: String, $filter: ChannelTemplateFilter) {
  channelTemplates(
    instanceId: $instanceId
    first: 20
    after: $after
    filter: $filter
  ) {
    edges {
      node {
        id
        name
        language
        category
        status
        statusReason
        statusReportedAt
        variables
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<ChannelTemplatesQuery, ChannelTemplatesQueryVariables>;
export const InstanceAuditsDocument = new TypedDocumentString(`
    query InstanceAudits($instanceId: ID!, $after: String) {
  instanceAudits(instanceId: $instanceId, first: 10, after: $after) {
    edges {
      node {
        id
        cause
        from
        to
        isComplete
        atGateway
        here
        recovered
        unexplained
        statuses
        reasons {
          reason
          count
        }
        requestedBy {
          id
          name
          email
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<InstanceAuditsQuery, InstanceAuditsQueryVariables>;
export const RecoverMessagesDocument = new TypedDocumentString(`
    mutation RecoverMessages($instanceId: ID!, $since: DateTime!, $until: DateTime!) {
  recoverMessages(instanceId: $instanceId, since: $since, until: $until) {
    id
    to
    isComplete
    atGateway
    here
    recovered
    unexplained
    statuses
  }
}
    `) as unknown as TypedDocumentString<RecoverMessagesMutation, RecoverMessagesMutationVariables>;
export const SyncChannelTemplatesDocument = new TypedDocumentString(`
    mutation SyncChannelTemplates($instanceId: ID!) {
  syncChannelTemplates(instanceId: $instanceId) {
    id
  }
}
    `) as unknown as TypedDocumentString<SyncChannelTemplatesMutation, SyncChannelTemplatesMutationVariables>;
export const ConnectInstanceDocument = new TypedDocumentString(`
    mutation ConnectInstance($id: ID!) {
  connectChatInstance(id: $id) {
    status
    qr
    pairingCode
    lastError
  }
}
    `) as unknown as TypedDocumentString<ConnectInstanceMutation, ConnectInstanceMutationVariables>;
export const DisconnectInstanceDocument = new TypedDocumentString(`
    mutation DisconnectInstance($id: ID!) {
  disconnectChatInstance(id: $id) {
    ...InstanceCard
  }
}
    fragment InstanceCard on ChatInstance {
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
  account {
    id
    name
  }
}`) as unknown as TypedDocumentString<DisconnectInstanceMutation, DisconnectInstanceMutationVariables>;
export const CreateInstanceDocument = new TypedDocumentString(`
    mutation CreateInstance($input: CreateChatInstanceInput!) {
  createChatInstance(input: $input) {
    ...InstanceCard
  }
}
    fragment InstanceCard on ChatInstance {
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
  account {
    id
    name
  }
}`) as unknown as TypedDocumentString<CreateInstanceMutation, CreateInstanceMutationVariables>;
export const UpdateInstanceDocument = new TypedDocumentString(`
    mutation UpdateInstance($id: ID!, $input: UpdateChatInstanceInput!) {
  updateChatInstance(id: $id, input: $input) {
    ...InstanceCard
  }
}
    fragment InstanceCard on ChatInstance {
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
  account {
    id
    name
  }
}`) as unknown as TypedDocumentString<UpdateInstanceMutation, UpdateInstanceMutationVariables>;
export const DeleteInstanceDocument = new TypedDocumentString(`
    mutation DeleteInstance($id: ID!) {
  deleteChatInstance(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteInstanceMutation, DeleteInstanceMutationVariables>;