/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** The state of a bulk action. */
export type BulkActionStatus =
  /** Every lead was looked at. It can be undone until `undoUntil`. */
  | 'COMPLETED'
  /** Leads are being changed. */
  | 'RUNNING'
  /** Leads are being changed back. */
  | 'UNDOING'
  /** Every lead was looked at again. It is not done or undone any more. */
  | 'UNDONE';

/** Whether there is something to do in the conversation with a lead. */
export type ConversationStatus =
  /** Done. */
  | 'CLOSED'
  /** In the inbox to work on. Every inbound message opens the conversation again. */
  | 'OPEN'
  /** Put aside until `snoozedUntil`. */
  | 'SNOOZED';

/** A new bulk action. */
export type CreateBulkActionInput = {
  /** The change of each lead. */
  action: LeadChangeInput;
  /** The leads that it finds now, at most 10,000. Later ones are not changed. */
  filter?: LeadFilter | null | undefined;
  /** 1 to 255 characters. The same key with the same content returns the same bulk action. With other content it is CONFLICT. */
  idempotencyKey?: string | null | undefined;
  /** 1 to 10,000 leads. Either these or a filter. */
  leadIds?: Array<string | number> | null | undefined;
};

/** The change of each lead: exactly one field. */
export type LeadChangeInput = {
  /** Tags to add, as in updateLead. */
  addTags?: Array<string> | null | undefined;
  /** The new assignee. Null as the only field: none. */
  assigneeId?: string | number | null | undefined;
  /** OPEN or CLOSED. Of a conversation that is put aside, see `snoozeUntil`. */
  conversationStatus?: ConversationStatus | null | undefined;
  /** Tags to remove, as in updateLead. */
  removeTags?: Array<string> | null | undefined;
  /** Puts the conversations aside until then, at most a year ahead. */
  snoozeUntil?: string | null | undefined;
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

/** Whether a chat number can exist, by the numbering plan of its country. Says nothing of who has it. */
export type NumberValidity =
  /** Its country gives out no such number, or no country has its code. The lead is kept. */
  | 'INVALID'
  /** The number is hidden, or was not judged yet. */
  | 'UNKNOWN'
  /** Its country gives out such numbers. */
  | 'VALID';

export type ActionStateFragment = { id: string, status: BulkActionStatus, total: number, done: number, skipped: number };

export type CreateBulkActionMutationVariables = Exact<{
  input: CreateBulkActionInput;
}>;


export type CreateBulkActionMutation = { createBulkAction: { id: string, status: BulkActionStatus, total: number, done: number, skipped: number } };

export type BulkActionQueryVariables = Exact<{
  id: string | number;
}>;


export type BulkActionQuery = { bulkAction: { id: string, status: BulkActionStatus, total: number, done: number, skipped: number } | null };

export type UndoBulkActionMutationVariables = Exact<{
  id: string | number;
}>;


export type UndoBulkActionMutation = { undoBulkAction: { id: string, status: BulkActionStatus, total: number, done: number, skipped: number } };

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
export const ActionStateFragmentDoc = new TypedDocumentString(`
    fragment ActionState on BulkAction {
  id
  status
  total
  done
  skipped
}
    `, {"fragmentName":"ActionState"}) as unknown as TypedDocumentString<ActionStateFragment, unknown>;
export const CreateBulkActionDocument = new TypedDocumentString(`
    mutation CreateBulkAction($input: CreateBulkActionInput!) {
  createBulkAction(input: $input) {
    ...ActionState
  }
}
    fragment ActionState on BulkAction {
  id
  status
  total
  done
  skipped
}`) as unknown as TypedDocumentString<CreateBulkActionMutation, CreateBulkActionMutationVariables>;
export const BulkActionDocument = new TypedDocumentString(`
    query BulkAction($id: ID!) {
  bulkAction(id: $id) {
    ...ActionState
  }
}
    fragment ActionState on BulkAction {
  id
  status
  total
  done
  skipped
}`) as unknown as TypedDocumentString<BulkActionQuery, BulkActionQueryVariables>;
export const UndoBulkActionDocument = new TypedDocumentString(`
    mutation UndoBulkAction($id: ID!) {
  undoBulkAction(id: $id) {
    ...ActionState
  }
}
    fragment ActionState on BulkAction {
  id
  status
  total
  done
  skipped
}`) as unknown as TypedDocumentString<UndoBulkActionMutation, UndoBulkActionMutationVariables>;