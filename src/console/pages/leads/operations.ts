/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Whether there is something to do in the conversation with a lead. */
export type ConversationStatus =
  /** Done. */
  | 'CLOSED'
  /** In the inbox to work on. Every inbound message opens the conversation again. */
  | 'OPEN'
  /** Put aside until `snoozedUntil`. */
  | 'SNOOZED';

/** A person to find or create by number. */
export type CreateLeadInput = {
  /** Who looks after a new lead. */
  assigneeId?: string | number | null | undefined;
  /** The number in any common writing: with its country code, or as it is written in its country. */
  chat: string;
  /** Whose number a national writing is: ISO 3166-1 alpha-2, such as `BR`. Where left out, the tenant's default country. */
  country?: string | null | undefined;
  /** Custom fields of a new lead: at most 50, names of at most 64 characters, text of at most 1000, numbers and booleans. */
  customFields?: Record<string, unknown> | null | undefined;
  /** Kept with the touch, at most 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined;
  /** At most 200 characters; the number where left out. */
  name?: string | null | undefined;
  /** Where the lead comes from, at most 100 characters; else `manual`. */
  source?: string | null | undefined;
  /** Tags of a new lead: at most 50 of at most 50 characters. */
  tags?: Array<string> | null | undefined;
};

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

/** How far an import is. */
export type LeadImportStatus =
  /** Every row was looked at. */
  | 'COMPLETED'
  /** It was given up half-way: what was taken in stays, and the same file can be sent again. */
  | 'INTERRUPTED'
  /** Rows are being taken in. */
  | 'RUNNING';

/** What an import makes of known leads. */
export type LeadImportUpdate =
  /** Empty fields of known leads are filled. */
  | 'FILL'
  /** Fields of known leads are replaced, where the row has something. */
  | 'OVERWRITE';

/** How to sort leads. */
export type LeadOrder = {
  /** Which way; where left out, names ascend and times descend. */
  direction?: OrderDirection | null | undefined;
  /** What to sort by. */
  field: LeadOrderField;
};

/** What leads can be sorted by. */
export type LeadOrderField =
  /** When the lead first came in. */
  | 'CREATED_AT'
  /** The newest message; leads without any come last. */
  | 'LAST_MESSAGE_AT'
  /** The name, without regard to letter case and accents. */
  | 'NAME';

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

/** Which way a list is sorted. */
export type OrderDirection =
  /** Ascending. */
  | 'ASC'
  /** Descending. */
  | 'DESC';

export type LeadsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: LeadFilter | null | undefined;
  orderBy?: LeadOrder | null | undefined;
}>;


export type LeadsQuery = { leads: { edges: Array<{ node: { id: string, name: string, chat: string | null, source: string, tags: Array<string>, customFields: Record<string, unknown>, conversationStatus: ConversationStatus, snoozedUntil: string | null, waitingSince: string | null, createdAt: string, optOut: { at: string } | null, lastMessage: { status: MessageStatus | null, createdAt: string } | null, assignee: { id: string, name: string | null, email: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type LeadLineFragment = { id: string, name: string, chat: string | null, source: string, tags: Array<string>, customFields: Record<string, unknown>, conversationStatus: ConversationStatus, snoozedUntil: string | null, waitingSince: string | null, createdAt: string, optOut: { at: string } | null, lastMessage: { status: MessageStatus | null, createdAt: string } | null, assignee: { id: string, name: string | null, email: string } | null };

export type LeadCountQueryVariables = Exact<{
  filter?: LeadFilter | null | undefined;
}>;


export type LeadCountQuery = { leads: { totalCount: number } };

export type LeadDefaultsQueryVariables = Exact<{ [key: string]: never; }>;


export type LeadDefaultsQuery = { me: { tenant: { defaultCountry: string | null } } };

export type AddLeadMutationVariables = Exact<{
  input: CreateLeadInput;
}>;


export type AddLeadMutation = { createLead: { created: boolean, lead: { id: string } } };

export type ImportProgressQueryVariables = Exact<{
  id: string | number;
}>;


export type ImportProgressQuery = { leadImport: { id: string, status: LeadImportStatus, isDryRun: boolean, update: LeadImportUpdate | null, columns: Record<string, unknown>, totalRows: number, processedRows: number, createdRows: number, existingRows: number, updatedRows: number, duplicateRows: number, refusedRows: number, problem: string | null, errors: Array<{ line: number, field: string, message: string }> } | null };

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
export const LeadLineFragmentDoc = new TypedDocumentString(`
    fragment LeadLine on Lead {
  id
  name
  chat
  source
  tags
  customFields
  conversationStatus
  snoozedUntil
  waitingSince
  createdAt
  optOut {
    at
  }
  lastMessage {
    status
    createdAt
  }
  assignee {
    id
    name
    email
  }
}
    `, {"fragmentName":"LeadLine"}) as unknown as TypedDocumentString<LeadLineFragment, unknown>;
export const LeadsDocument = new TypedDocumentString(`
    query Leads($first: Int, $after: String, $filter: LeadFilter, $orderBy: LeadOrder) {
  leads(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
    edges {
      node {
        ...LeadLine
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment LeadLine on Lead {
  id
  name
  chat
  source
  tags
  customFields
  conversationStatus
  snoozedUntil
  waitingSince
  createdAt
  optOut {
    at
  }
  lastMessage {
    status
    createdAt
  }
  assignee {
    id
    name
    email
  }
}`) as unknown as TypedDocumentString<LeadsQuery, LeadsQueryVariables>;
export const LeadCountDocument = new TypedDocumentString(`
    query LeadCount($filter: LeadFilter) {
  leads(first: 1, filter: $filter) {
    totalCount
  }
}
    `) as unknown as TypedDocumentString<LeadCountQuery, LeadCountQueryVariables>;
export const LeadDefaultsDocument = new TypedDocumentString(`
    query LeadDefaults {
  me {
    tenant {
      defaultCountry
    }
  }
}
    `) as unknown as TypedDocumentString<LeadDefaultsQuery, LeadDefaultsQueryVariables>;
export const AddLeadDocument = new TypedDocumentString(`
    mutation AddLead($input: CreateLeadInput!) {
  createLead(input: $input) {
    created
    lead {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<AddLeadMutation, AddLeadMutationVariables>;
export const ImportProgressDocument = new TypedDocumentString(`
    query ImportProgress($id: ID!) {
  leadImport(id: $id) {
    id
    status
    isDryRun
    update
    columns
    totalRows
    processedRows
    createdRows
    existingRows
    updatedRows
    duplicateRows
    refusedRows
    problem
    errors {
      line
      field
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ImportProgressQuery, ImportProgressQueryVariables>;