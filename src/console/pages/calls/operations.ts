/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What a lead source is. */
export type LeadSourceKind =
  /** Any form that can post JSON or form fields to an address. */
  | 'FORM'
  /** A lead form of Google Ads, which sends a key of the ADMIN's. */
  | 'GOOGLE'
  /** Lead Ads of Meta: it reports ids, and the answers are fetched from its Graph API. */
  | 'META';

/** In which way a signature differs from the one that was expected. */
export type SignatureDifference =
  /** It was made with another algorithm, or without the secret. */
  | 'ALGORITHM'
  /** It fits another writing of the body: the body was changed after it was signed. */
  | 'BODY'
  /** The header is not `sha256=` and 64 lower-case hexadecimal digits; of WAHA: 128 such digits; of a form: what its lead source says. */
  | 'FORM'
  /** The header is missing. */
  | 'MISSING'
  /** It fits nothing that was tried: another secret, or another body. */
  | 'SECRET'
  /** The time of the call is missing, or lies too far from ours. */
  | 'TIME';

/** Which webhook calls to list: all given conditions have to hold. */
export type WebhookDeliveryFilter = {
  /** Read as this. */
  dialect?: WebhookDialect | null | undefined;
  /** One of these outcomes. */
  outcomes?: Array<WebhookOutcome> | null | undefined;
  /** What ran this call again. */
  replayOfId?: string | number | null | undefined;
  /** Exactly this path. */
  route?: string | null | undefined;
  /** Not before this time. */
  since?: string | null | undefined;
  /** From this source. */
  source?: WebhookSource | null | undefined;
  /** True: anything but PROCESSED, which may need a correction. False: PROCESSED only. */
  troubled?: boolean | null | undefined;
  /** Before this time. */
  until?: string | null | undefined;
};

/** How a webhook call was read. */
export type WebhookDialect =
  /** A call of Meta's Cloud API. */
  | 'CLOUD'
  /** A call of the Evolution API. */
  | 'EVOLUTION'
  /** A filled-in form of a lead source. */
  | 'FORM'
  /** A lead of a lead form of Google Ads, without its key. */
  | 'GOOGLE_LEADS'
  /** A lead. */
  | 'LEAD'
  /** Leads of Meta's Lead Ads, by their ids. */
  | 'META_LEADS'
  /** Messages or statuses in this API's own shape. */
  | 'NEUTRAL'
  /** A call of WAHA. */
  | 'WAHA';

/** What became of a webhook call. */
export type WebhookOutcome =
  /** Some of its items were refused: `result` says which. */
  | 'PARTIAL'
  /** Everything in it was taken in. */
  | 'PROCESSED'
  /** Nothing of it was taken in: `reason` says why. */
  | 'REFUSED';

/** Where an entry of the journal comes from. */
export type WebhookSource =
  /** Records that were read from the gateway's history, because no webhook had brought them. */
  | 'HISTORY'
  /** A call that arrived. */
  | 'WEBHOOK';

/** What an item of a call is. */
export type WebhookTrialItemKind =
  /** A reaction, an edit or a deletion. */
  | 'CHANGE'
  /** The state of a chat instance. */
  | 'CONNECTION'
  /** Something that means nothing here. */
  | 'IGNORED'
  /** A lead. */
  | 'LEAD'
  /** A message that was written, by the lead or on the phone. */
  | 'MESSAGE'
  /** That a person stopped or resumed marketing messages. */
  | 'PREFERENCE'
  /** How far a message of ours has come. */
  | 'STATUS'
  /** The status of a template that the network keeps. */
  | 'TEMPLATESTATUS'
  /** It cannot be read: `errors` says why. */
  | 'UNREADABLE';

/** What would become of an item of a call. */
export type WebhookTrialItemOutcome =
  /** It would be applied. */
  | 'APPLIED'
  /** A lead or a message would be new. */
  | 'CREATED'
  /** The message is there: nothing would change. */
  | 'DUPLICATE'
  /** The lead is there, and would get a touch. */
  | 'EXISTING'
  /** Its answers would be fetched, and make a lead then. `reason` and `errors` say why they do not now. */
  | 'EXPECTED'
  /** It would wait for a number: it has an e-mail address and no usable one. `reason` says why. */
  | 'HELD'
  /** Nothing would change. */
  | 'IGNORED'
  /** It would wait for the message that it is about. */
  | 'PARKED'
  /** It would be refused: `errors` says why. */
  | 'REFUSED';

export type CallsQueryVariables = Exact<{
  after?: string | null | undefined;
  filter?: WebhookDeliveryFilter | null | undefined;
}>;


export type CallsQuery = { webhookDeliveries: { edges: Array<{ node: { id: string, route: string, dialect: WebhookDialect | null, outcome: WebhookOutcome, reason: string | null, bodyBytes: number, receivedAt: string, replayOfId: string | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type CallQueryVariables = Exact<{
  id: string | number;
}>;


export type CallQuery = { webhookDelivery: { headers: Record<string, unknown>, body: string | null, bodyBase64: string | null, isBodyComplete: boolean, result: unknown, id: string, route: string, dialect: WebhookDialect | null, outcome: WebhookOutcome, reason: string | null, bodyBytes: number, receivedAt: string, replayOfId: string | null, replays: Array<{ id: string, outcome: WebhookOutcome, receivedAt: string }> } | null };

export type ReplayCallMutationVariables = Exact<{
  id: string | number;
}>;


export type ReplayCallMutation = { replayWebhookDelivery: { result: unknown, id: string, route: string, dialect: WebhookDialect | null, outcome: WebhookOutcome, reason: string | null, bodyBytes: number, receivedAt: string, replayOfId: string | null } };

export type CallKeyQueryVariables = Exact<{
  id: string | number;
}>;


export type CallKeyQuery = { tenant: { id: string, apiKey: string } | null };

export type CallRowFragment = { id: string, route: string, dialect: WebhookDialect | null, outcome: WebhookOutcome, reason: string | null, bodyBytes: number, receivedAt: string, replayOfId: string | null };

export type CallSourcesQueryVariables = Exact<{ [key: string]: never; }>;


export type CallSourcesQuery = { leadSources: Array<{ id: string, name: string, kind: LeadSourceKind, path: string }> };

export type JudgeCallQueryVariables = Exact<{
  route: string;
  headers?: Record<string, unknown> | null | undefined;
  body: string;
}>;


export type JudgeCallQuery = { tryWebhook: { status: number, code: string | null, detail: string | null, dialect: WebhookDialect | null, signature: { header: string, expected: string, given: string | null, differs: SignatureDifference | null, detail: string | null } | null, key: { field: string, differs: SignatureDifference | null, detail: string | null } | null, items: Array<{ kind: WebhookTrialItemKind, outcome: WebhookTrialItemOutcome, reason: string | null, from: string | null, name: string | null, text: string | null, source: string | null, leadId: string | null, disclaimers: Array<{ key: string, isChecked: boolean }>, errors: Array<{ path: string, message: string }> }>, errors: Array<{ path: string, message: string }> } };

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
export const CallRowFragmentDoc = new TypedDocumentString(`
    fragment CallRow on WebhookDelivery {
  id
  route
  dialect
  outcome
  reason
  bodyBytes
  receivedAt
  replayOfId
}
    `, {"fragmentName":"CallRow"}) as unknown as TypedDocumentString<CallRowFragment, unknown>;
export const CallsDocument = new TypedDocumentString(`
    query Calls($after: String, $filter: WebhookDeliveryFilter) {
  webhookDeliveries(first: 50, after: $after, filter: $filter) {
    edges {
      node {
        ...CallRow
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment CallRow on WebhookDelivery {
  id
  route
  dialect
  outcome
  reason
  bodyBytes
  receivedAt
  replayOfId
}`) as unknown as TypedDocumentString<CallsQuery, CallsQueryVariables>;
export const CallDocument = new TypedDocumentString(`
    query Call($id: ID!) {
  webhookDelivery(id: $id) {
    ...CallRow
    headers
    body
    bodyBase64
    isBodyComplete
    result
    replays {
      id
      outcome
      receivedAt
    }
  }
}
    fragment CallRow on WebhookDelivery {
  id
  route
  dialect
  outcome
  reason
  bodyBytes
  receivedAt
  replayOfId
}`) as unknown as TypedDocumentString<CallQuery, CallQueryVariables>;
export const ReplayCallDocument = new TypedDocumentString(`
    mutation ReplayCall($id: ID!) {
  replayWebhookDelivery(id: $id) {
    ...CallRow
    result
  }
}
    fragment CallRow on WebhookDelivery {
  id
  route
  dialect
  outcome
  reason
  bodyBytes
  receivedAt
  replayOfId
}`) as unknown as TypedDocumentString<ReplayCallMutation, ReplayCallMutationVariables>;
export const CallKeyDocument = new TypedDocumentString(`
    query CallKey($id: ID!) {
  tenant(id: $id) {
    id
    apiKey
  }
}
    `) as unknown as TypedDocumentString<CallKeyQuery, CallKeyQueryVariables>;
export const CallSourcesDocument = new TypedDocumentString(`
    query CallSources {
  leadSources {
    id
    name
    kind
    path
  }
}
    `) as unknown as TypedDocumentString<CallSourcesQuery, CallSourcesQueryVariables>;
export const JudgeCallDocument = new TypedDocumentString(`
    query JudgeCall($route: String!, $headers: JSONObject, $body: String!) {
  tryWebhook(route: $route, headers: $headers, body: $body) {
    status
    code
    detail
    dialect
    signature {
      header
      expected
      given
      differs
      detail
    }
    key {
      field
      differs
      detail
    }
    items {
      kind
      outcome
      reason
      from
      name
      text
      source
      disclaimers {
        key
        isChecked
      }
      leadId
      errors {
        path
        message
      }
    }
    errors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<JudgeCallQuery, JudgeCallQueryVariables>;