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

/** Who wrote. */
export type MessageDirection =
  /** The lead wrote to us. */
  | 'INBOUND'
  /** We wrote to the lead. */
  | 'OUTBOUND';

export type FirstStepsQueryVariables = Exact<{
  isAdmin: boolean;
}>;


export type FirstStepsQuery = { inbox: { edges: Array<{ node: { id: string } }> }, leadSources?: Array<{ id: string }> };

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