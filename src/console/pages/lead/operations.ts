/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What a decision does. */
export type ConsentAction =
  /** The lead answered the disclaimers of a lead form. That changes nothing about what it gets. */
  | 'DISCLAIMER'
  /** The lead gets them again. */
  | 'OPT_IN'
  /** The lead gets no bulk and no scheduled messages from then on. */
  | 'OPT_OUT';

/** Whose decision it is. */
export type ConsentSource =
  /** An earlier lead of the same number or id had opted out, and was erased. */
  | 'ERASURE'
  /** The lead wrote a keyword. */
  | 'KEYWORD'
  /** The lead filled in a form of a lead source. */
  | 'LEAD_FORM'
  /** The lead used the switch of the chat network (`user_preferences` of Meta). */
  | 'PREFERENCE'
  /** A user entered it. */
  | 'USER';

/** Whether there is something to do in the conversation with a lead. */
export type ConversationStatus =
  /** Done. */
  | 'CLOSED'
  /** In the inbox to work on. Every inbound message opens the conversation again. */
  | 'OPEN'
  /** Put aside until `snoozedUntil`. */
  | 'SNOOZED';

/** What kind of number or id an identity is. */
export type IdentityKind =
  /** The id under which a business account knows somebody, with or without a number. */
  | 'BSUID'
  /** The network's own id for somebody whose number it hides. */
  | 'LID'
  /** A chat number. */
  | 'PHONE';

/** Why two leads were merged. */
export type LeadMergeReason =
  /** The network named identities of both as one person. */
  | 'IDENTITY'
  /** A user said so. */
  | 'USER';

/** The side that wrote. */
export type MessageDirection =
  /** The lead wrote to us. */
  | 'INBOUND'
  /** We wrote to the lead. */
  | 'OUTBOUND';

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

/** Whether a chat number can exist, by the numbering plan of its country. Says nothing of who has it. */
export type NumberValidity =
  /** Its country gives out no such number, or no country has its code. The lead is kept. */
  | 'INVALID'
  /** The number is hidden, or was not judged yet. */
  | 'UNKNOWN'
  /** Its country gives out such numbers. */
  | 'VALID';

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

export type LeadQueryVariables = Exact<{
  id: string | number;
}>;


export type LeadQuery = { lead: { id: string, name: string, chat: string | null, numberValidity: NumberValidity, source: string, tags: Array<string>, customFields: Record<string, unknown>, metadata: Record<string, unknown> | null, createdAt: string, updatedAt: string, conversationStatus: ConversationStatus, snoozedUntil: string | null, waitingSince: string | null, lastInboundAt: string | null, unreadCount: number, channelNumber: { isOnChannel: boolean, checkedAt: string } | null, firstReferral: { kind: ReferralKind, sourceId: string | null, headline: string | null } | null, identities: Array<{ kind: IdentityKind, value: string }>, assignee: { id: string, name: string | null, email: string } | null, optOut: { at: string, source: ConsentSource, keyword: string | null } | null, merges: Array<{ id: string, createdAt: string, undoneAt: string | null, reason: LeadMergeReason, user: { name: string | null, email: string } | null, mergedLead: { id: string, name: string, chat: string | null } }> } | null };

export type WholeLeadFragment = { id: string, name: string, chat: string | null, numberValidity: NumberValidity, source: string, tags: Array<string>, customFields: Record<string, unknown>, metadata: Record<string, unknown> | null, createdAt: string, updatedAt: string, conversationStatus: ConversationStatus, snoozedUntil: string | null, waitingSince: string | null, lastInboundAt: string | null, unreadCount: number, channelNumber: { isOnChannel: boolean, checkedAt: string } | null, firstReferral: { kind: ReferralKind, sourceId: string | null, headline: string | null } | null, identities: Array<{ kind: IdentityKind, value: string }>, assignee: { id: string, name: string | null, email: string } | null, optOut: { at: string, source: ConsentSource, keyword: string | null } | null, merges: Array<{ id: string, createdAt: string, undoneAt: string | null, reason: LeadMergeReason, user: { name: string | null, email: string } | null, mergedLead: { id: string, name: string, chat: string | null } }> };

export type ConsentLogQueryVariables = Exact<{
  leadId: string | number;
  after?: string | null | undefined;
}>;


export type ConsentLogQuery = { consentLog: { edges: Array<{ node: { id: string, action: ConsentAction, source: ConsentSource, keyword: string | null, reason: string | null, evidence: Record<string, unknown> | null, occurredAt: string, isSuperseded: boolean, message: { id: string, body: string | null } | null, user: { name: string | null, email: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type MergeCandidatesQueryVariables = Exact<{
  search: string;
}>;


export type MergeCandidatesQuery = { leads: { edges: Array<{ node: { id: string, name: string, chat: string | null, tags: Array<string>, source: string, createdAt: string, lastInboundAt: string | null, unreadCount: number } }> } };

export type ChangeLeadMutationVariables = Exact<{
  id: string | number;
  input: UpdateLeadInput;
}>;


export type ChangeLeadMutation = { updateLead: { id: string, name: string, chat: string | null, numberValidity: NumberValidity, source: string, tags: Array<string>, customFields: Record<string, unknown>, metadata: Record<string, unknown> | null, createdAt: string, updatedAt: string, conversationStatus: ConversationStatus, snoozedUntil: string | null, waitingSince: string | null, lastInboundAt: string | null, unreadCount: number, channelNumber: { isOnChannel: boolean, checkedAt: string } | null, firstReferral: { kind: ReferralKind, sourceId: string | null, headline: string | null } | null, identities: Array<{ kind: IdentityKind, value: string }>, assignee: { id: string, name: string | null, email: string } | null, optOut: { at: string, source: ConsentSource, keyword: string | null } | null, merges: Array<{ id: string, createdAt: string, undoneAt: string | null, reason: LeadMergeReason, user: { name: string | null, email: string } | null, mergedLead: { id: string, name: string, chat: string | null } }> } };

export type AssignLeadToMutationVariables = Exact<{
  id: string | number;
  userId?: string | number | null | undefined;
}>;


export type AssignLeadToMutation = { assignLead: { id: string, name: string, chat: string | null, numberValidity: NumberValidity, source: string, tags: Array<string>, customFields: Record<string, unknown>, metadata: Record<string, unknown> | null, createdAt: string, updatedAt: string, conversationStatus: ConversationStatus, snoozedUntil: string | null, waitingSince: string | null, lastInboundAt: string | null, unreadCount: number, channelNumber: { isOnChannel: boolean, checkedAt: string } | null, firstReferral: { kind: ReferralKind, sourceId: string | null, headline: string | null } | null, identities: Array<{ kind: IdentityKind, value: string }>, assignee: { id: string, name: string | null, email: string } | null, optOut: { at: string, source: ConsentSource, keyword: string | null } | null, merges: Array<{ id: string, createdAt: string, undoneAt: string | null, reason: LeadMergeReason, user: { name: string | null, email: string } | null, mergedLead: { id: string, name: string, chat: string | null } }> } };

export type MergeIntoMutationVariables = Exact<{
  leadId: string | number;
  intoId: string | number;
}>;


export type MergeIntoMutation = { mergeLeads: { id: string, merges: Array<{ id: string, mergedLead: { id: string } }> } };

export type SeparateLeadsMutationVariables = Exact<{
  mergeId: string | number;
}>;


export type SeparateLeadsMutation = { undoLeadMerge: { id: string } };

export type OptOutMutationVariables = Exact<{
  id: string | number;
  reason: string;
}>;


export type OptOutMutation = { optOutLead: { id: string, name: string, chat: string | null, numberValidity: NumberValidity, source: string, tags: Array<string>, customFields: Record<string, unknown>, metadata: Record<string, unknown> | null, createdAt: string, updatedAt: string, conversationStatus: ConversationStatus, snoozedUntil: string | null, waitingSince: string | null, lastInboundAt: string | null, unreadCount: number, channelNumber: { isOnChannel: boolean, checkedAt: string } | null, firstReferral: { kind: ReferralKind, sourceId: string | null, headline: string | null } | null, identities: Array<{ kind: IdentityKind, value: string }>, assignee: { id: string, name: string | null, email: string } | null, optOut: { at: string, source: ConsentSource, keyword: string | null } | null, merges: Array<{ id: string, createdAt: string, undoneAt: string | null, reason: LeadMergeReason, user: { name: string | null, email: string } | null, mergedLead: { id: string, name: string, chat: string | null } }> } };

export type OptInMutationVariables = Exact<{
  id: string | number;
  reason: string;
}>;


export type OptInMutation = { optInLead: { id: string, name: string, chat: string | null, numberValidity: NumberValidity, source: string, tags: Array<string>, customFields: Record<string, unknown>, metadata: Record<string, unknown> | null, createdAt: string, updatedAt: string, conversationStatus: ConversationStatus, snoozedUntil: string | null, waitingSince: string | null, lastInboundAt: string | null, unreadCount: number, channelNumber: { isOnChannel: boolean, checkedAt: string } | null, firstReferral: { kind: ReferralKind, sourceId: string | null, headline: string | null } | null, identities: Array<{ kind: IdentityKind, value: string }>, assignee: { id: string, name: string | null, email: string } | null, optOut: { at: string, source: ConsentSource, keyword: string | null } | null, merges: Array<{ id: string, createdAt: string, undoneAt: string | null, reason: LeadMergeReason, user: { name: string | null, email: string } | null, mergedLead: { id: string, name: string, chat: string | null } }> } };

export type EraseLeadMutationVariables = Exact<{
  id: string | number;
}>;


export type EraseLeadMutation = { deleteLead: string };

export type StoryMessagesQueryVariables = Exact<{
  leadId: string | number;
  before?: string | null | undefined;
}>;


export type StoryMessagesQuery = { messages: { edges: Array<{ node: { id: string, type: string, direction: MessageDirection, origin: MessageOrigin, body: string | null, createdAt: string, status: MessageStatus | null, scheduledFor: string | null, deletedAt: string | null, author: { id: string, name: string | null, email: string } | null, media: { fileName: string | null, caption: string | null } | null, choice: { title: string | null } | null } }>, pageInfo: { hasPreviousPage: boolean, startCursor: string | null } } };

export type StoryTouchesQueryVariables = Exact<{
  leadId: string | number;
  after?: string | null | undefined;
}>;


export type StoryTouchesQuery = { lead: { touches: { edges: Array<{ node: { id: string, createdAt: string, source: string, metadata: Record<string, unknown> | null, referral: { kind: ReferralKind, sourceId: string | null, sourceUrl: string | null, headline: string | null, body: string | null } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type StoryNotesQueryVariables = Exact<{
  leadId: string | number;
  after?: string | null | undefined;
}>;


export type StoryNotesQuery = { lead: { notes: { edges: Array<{ node: { id: string, createdAt: string, body: string, author: { id: string, name: string | null, email: string } } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type StoryAssignmentsQueryVariables = Exact<{
  leadId: string | number;
  after?: string | null | undefined;
}>;


export type StoryAssignmentsQuery = { lead: { assignments: { edges: Array<{ node: { id: string, createdAt: string, assignee: { id: string, name: string | null, email: string } | null, user: { id: string, name: string | null, email: string } } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type WriteNoteMutationVariables = Exact<{
  leadId: string | number;
  body: string;
}>;


export type WriteNoteMutation = { addLeadNote: { id: string } };

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
export const WholeLeadFragmentDoc = new TypedDocumentString(`
    fragment WholeLead on Lead {
  id
  name
  chat
  numberValidity
  channelNumber {
    isOnChannel
    checkedAt
  }
  source
  firstReferral {
    kind
    sourceId
    headline
  }
  tags
  customFields
  metadata
  createdAt
  updatedAt
  conversationStatus
  snoozedUntil
  waitingSince
  lastInboundAt
  unreadCount
  identities {
    kind
    value
  }
  assignee {
    id
    name
    email
  }
  optOut {
    at
    source
    keyword
  }
  merges {
    id
    createdAt
    undoneAt
    reason
    user {
      name
      email
    }
    mergedLead {
      id
      name
      chat
    }
  }
}
    `, {"fragmentName":"WholeLead"}) as unknown as TypedDocumentString<WholeLeadFragment, unknown>;
export const LeadDocument = new TypedDocumentString(`
    query Lead($id: ID!) {
  lead(id: $id) {
    ...WholeLead
  }
}
    fragment WholeLead on Lead {
  id
  name
  chat
  numberValidity
  channelNumber {
    isOnChannel
    checkedAt
  }
  source
  firstReferral {
    kind
    sourceId
    headline
  }
  tags
  customFields
  metadata
  createdAt
  updatedAt
  conversationStatus
  snoozedUntil
  waitingSince
  lastInboundAt
  unreadCount
  identities {
    kind
    value
  }
  assignee {
    id
    name
    email
  }
  optOut {
    at
    source
    keyword
  }
  merges {
    id
    createdAt
    undoneAt
    reason
    user {
      name
      email
    }
    mergedLead {
      id
      name
      chat
    }
  }
}`) as unknown as TypedDocumentString<LeadQuery, LeadQueryVariables>;
export const ConsentLogDocument = new TypedDocumentString(`
    query ConsentLog($leadId: ID!, $after: String) {
  consentLog(leadId: $leadId, first: 50, after: $after) {
    edges {
      node {
        id
        action
        source
        keyword
        reason
        evidence
        occurredAt
        isSuperseded
        message {
          id
          body
        }
        user {
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
    `) as unknown as TypedDocumentString<ConsentLogQuery, ConsentLogQueryVariables>;
export const MergeCandidatesDocument = new TypedDocumentString(`
    query MergeCandidates($search: String!) {
  leads(first: 8, filter: {search: $search}) {
    edges {
      node {
        id
        name
        chat
        tags
        source
        createdAt
        lastInboundAt
        unreadCount
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MergeCandidatesQuery, MergeCandidatesQueryVariables>;
export const ChangeLeadDocument = new TypedDocumentString(`
    mutation ChangeLead($id: ID!, $input: UpdateLeadInput!) {
  updateLead(id: $id, input: $input) {
    ...WholeLead
  }
}
    fragment WholeLead on Lead {
  id
  name
  chat
  numberValidity
  channelNumber {
    isOnChannel
    checkedAt
  }
  source
  firstReferral {
    kind
    sourceId
    headline
  }
  tags
  customFields
  metadata
  createdAt
  updatedAt
  conversationStatus
  snoozedUntil
  waitingSince
  lastInboundAt
  unreadCount
  identities {
    kind
    value
  }
  assignee {
    id
    name
    email
  }
  optOut {
    at
    source
    keyword
  }
  merges {
    id
    createdAt
    undoneAt
    reason
    user {
      name
      email
    }
    mergedLead {
      id
      name
      chat
    }
  }
}`) as unknown as TypedDocumentString<ChangeLeadMutation, ChangeLeadMutationVariables>;
export const AssignLeadToDocument = new TypedDocumentString(`
    mutation AssignLeadTo($id: ID!, $userId: ID) {
  assignLead(id: $id, userId: $userId) {
    ...WholeLead
  }
}
    fragment WholeLead on Lead {
  id
  name
  chat
  numberValidity
  channelNumber {
    isOnChannel
    checkedAt
  }
  source
  firstReferral {
    kind
    sourceId
    headline
  }
  tags
  customFields
  metadata
  createdAt
  updatedAt
  conversationStatus
  snoozedUntil
  waitingSince
  lastInboundAt
  unreadCount
  identities {
    kind
    value
  }
  assignee {
    id
    name
    email
  }
  optOut {
    at
    source
    keyword
  }
  merges {
    id
    createdAt
    undoneAt
    reason
    user {
      name
      email
    }
    mergedLead {
      id
      name
      chat
    }
  }
}`) as unknown as TypedDocumentString<AssignLeadToMutation, AssignLeadToMutationVariables>;
export const MergeIntoDocument = new TypedDocumentString(`
    mutation MergeInto($leadId: ID!, $intoId: ID!) {
  mergeLeads(leadId: $leadId, intoId: $intoId) {
    id
    merges {
      id
      mergedLead {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MergeIntoMutation, MergeIntoMutationVariables>;
export const SeparateLeadsDocument = new TypedDocumentString(`
    mutation SeparateLeads($mergeId: ID!) {
  undoLeadMerge(mergeId: $mergeId) {
    id
  }
}
    `) as unknown as TypedDocumentString<SeparateLeadsMutation, SeparateLeadsMutationVariables>;
export const OptOutDocument = new TypedDocumentString(`
    mutation OptOut($id: ID!, $reason: String!) {
  optOutLead(id: $id, reason: $reason) {
    ...WholeLead
  }
}
    fragment WholeLead on Lead {
  id
  name
  chat
  numberValidity
  channelNumber {
    isOnChannel
    checkedAt
  }
  source
  firstReferral {
    kind
    sourceId
    headline
  }
  tags
  customFields
  metadata
  createdAt
  updatedAt
  conversationStatus
  snoozedUntil
  waitingSince
  lastInboundAt
  unreadCount
  identities {
    kind
    value
  }
  assignee {
    id
    name
    email
  }
  optOut {
    at
    source
    keyword
  }
  merges {
    id
    createdAt
    undoneAt
    reason
    user {
      name
      email
    }
    mergedLead {
      id
      name
      chat
    }
  }
}`) as unknown as TypedDocumentString<OptOutMutation, OptOutMutationVariables>;
export const OptInDocument = new TypedDocumentString(`
    mutation OptIn($id: ID!, $reason: String!) {
  optInLead(id: $id, reason: $reason) {
    ...WholeLead
  }
}
    fragment WholeLead on Lead {
  id
  name
  chat
  numberValidity
  channelNumber {
    isOnChannel
    checkedAt
  }
  source
  firstReferral {
    kind
    sourceId
    headline
  }
  tags
  customFields
  metadata
  createdAt
  updatedAt
  conversationStatus
  snoozedUntil
  waitingSince
  lastInboundAt
  unreadCount
  identities {
    kind
    value
  }
  assignee {
    id
    name
    email
  }
  optOut {
    at
    source
    keyword
  }
  merges {
    id
    createdAt
    undoneAt
    reason
    user {
      name
      email
    }
    mergedLead {
      id
      name
      chat
    }
  }
}`) as unknown as TypedDocumentString<OptInMutation, OptInMutationVariables>;
export const EraseLeadDocument = new TypedDocumentString(`
    mutation EraseLead($id: ID!) {
  deleteLead(id: $id)
}
    `) as unknown as TypedDocumentString<EraseLeadMutation, EraseLeadMutationVariables>;
export const StoryMessagesDocument = new TypedDocumentString(`
    query StoryMessages($leadId: ID!, $before: String) {
  messages(leadId: $leadId, last: 30, before: $before) {
    edges {
      node {
        id
        type
        direction
        origin
        body
        createdAt
        status
        scheduledFor
        deletedAt
        author {
          id
          name
          email
        }
        media {
          fileName
          caption
        }
        choice {
          title
        }
      }
    }
    pageInfo {
      hasPreviousPage
      startCursor
    }
  }
}
    `) as unknown as TypedDocumentString<StoryMessagesQuery, StoryMessagesQueryVariables>;
export const StoryTouchesDocument = new TypedDocumentString(`
    query StoryTouches($leadId: ID!, $after: String) {
  lead(id: $leadId) {
    touches(first: 30, after: $after) {
      edges {
        node {
          id
          createdAt
          source
          metadata
          referral {
            kind
            sourceId
            sourceUrl
            headline
            body
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<StoryTouchesQuery, StoryTouchesQueryVariables>;
export const StoryNotesDocument = new TypedDocumentString(`
    query StoryNotes($leadId: ID!, $after: String) {
  lead(id: $leadId) {
    notes(first: 30, after: $after) {
      edges {
        node {
          id
          createdAt
          body
          author {
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
}
    `) as unknown as TypedDocumentString<StoryNotesQuery, StoryNotesQueryVariables>;
export const StoryAssignmentsDocument = new TypedDocumentString(`
    query StoryAssignments($leadId: ID!, $after: String) {
  lead(id: $leadId) {
    assignments(first: 30, after: $after) {
      edges {
        node {
          id
          createdAt
          assignee {
            id
            name
            email
          }
          user {
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
}
    `) as unknown as TypedDocumentString<StoryAssignmentsQuery, StoryAssignmentsQueryVariables>;
export const WriteNoteDocument = new TypedDocumentString(`
    mutation WriteNote($leadId: ID!, $body: String!) {
  addLeadNote(leadId: $leadId, body: $body) {
    id
  }
}
    `) as unknown as TypedDocumentString<WriteNoteMutation, WriteNoteMutationVariables>;