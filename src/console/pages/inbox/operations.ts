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

/** A new view of the inbox. */
export type CreateInboxViewInput = {
  /** The conversations that it shows. `search` cannot be kept: it would outlive the person whom it names. */
  filter: InboxFilter;
  /** The name, unique among the user's views, at most 60 characters. */
  name: string;
  /** The order; `NEWEST_MESSAGE` where none is given. */
  orderBy?: InboxOrder | null | undefined;
};

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

/** The side that wrote. */
export type MessageDirection =
  /** The lead wrote to us. */
  | 'INBOUND'
  /** We wrote to the lead. */
  | 'OUTBOUND';

export type FirstStepsQueryVariables = Exact<{
  isAdmin: boolean;
}>;


export type FirstStepsQuery = { inbox: { edges: Array<{ node: { id: string } }> }, leadSources?: Array<{ id: string }> };

export type KeepViewMutationVariables = Exact<{
  input: CreateInboxViewInput;
}>;


export type KeepViewMutation = { createInboxView: { id: string } };

export type RenameViewMutationVariables = Exact<{
  id: string | number;
  name: string;
}>;


export type RenameViewMutation = { updateInboxView: { id: string } };

export type DeleteViewMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteViewMutation = { deleteInboxView: string };

export type SearchQueryVariables = Exact<{
  text: string;
  first?: number | null | undefined;
}>;


export type SearchQuery = { search: { leads: Array<{ id: string, name: string, chat: string | null, conversationStatus: ConversationStatus, waitingSince: string | null }>, messages: Array<{ id: string, snippet: string, matches: Array<{ start: number, length: number }>, lead: { id: string, name: string }, message: { direction: MessageDirection, createdAt: string } }> } };

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

export const FirstStepsDocument = new TypedDocumentString(`
    query FirstSteps($isAdmin: Boolean!) {
  inbox(first: 1) {
    edges {
      node {
        id
      }
    }
  }
  leadSources @include(if: $isAdmin) {
    id
  }
}
    `) as unknown as TypedDocumentString<FirstStepsQuery, FirstStepsQueryVariables>;
export const KeepViewDocument = new TypedDocumentString(`
    mutation KeepView($input: CreateInboxViewInput!) {
  createInboxView(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<KeepViewMutation, KeepViewMutationVariables>;
export const RenameViewDocument = new TypedDocumentString(`
    mutation RenameView($id: ID!, $name: String!) {
  updateInboxView(id: $id, input: {name: $name}) {
    id
  }
}
    `) as unknown as TypedDocumentString<RenameViewMutation, RenameViewMutationVariables>;
export const DeleteViewDocument = new TypedDocumentString(`
    mutation DeleteView($id: ID!) {
  deleteInboxView(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteViewMutation, DeleteViewMutationVariables>;
export const SearchDocument = new TypedDocumentString(`
    query Search($text: String!, $first: Int) {
  search(text: $text, first: $first) {
    leads {
      id
      name
      chat
      conversationStatus
      waitingSince
    }
    messages {
      id
      snippet
      matches {
        start
        length
      }
      lead {
        id
        name
      }
      message {
        direction
        createdAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SearchQuery, SearchQueryVariables>;