/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What assistants of a tenant's users may do (Model Context Protocol, `POST /mcp`). */
export type AssistantMode =
  /** Read conversations and draft replies, which people send. */
  | 'DRAFT'
  /** Nothing. */
  | 'OFF'
  /** Also send replies, and change the state of the conversations that they have read. */
  | 'SEND';

/** What was done. */
export type AuditAction =
  /** The tenant's API key was shown. */
  | 'API_KEY_READ'
  /** The tenant's API key was replaced. */
  | 'API_KEY_ROTATED'
  /** A call of an assistant was refused; `after` has the tool and the code. */
  | 'ASSISTANT_CALL_REFUSED'
  /** An assistant was about to close, snooze, assign or tag a conversation. */
  | 'ASSISTANT_CONVERSATION_CHANGED'
  /** An assistant read a conversation, and may have got the capability to answer it. */
  | 'ASSISTANT_CONVERSATION_READ'
  /** An assistant listed conversations. At most one entry for each view of a user in 10 minutes. */
  | 'ASSISTANT_INBOX_READ'
  /** An assistant canceled a reply that it had sent. */
  | 'ASSISTANT_REPLY_CANCELED'
  /** An assistant drafted a reply. Nothing was sent. */
  | 'ASSISTANT_REPLY_DRAFTED'
  /** An assistant sent a reply; `after` has the message. */
  | 'ASSISTANT_REPLY_SENT'
  /** A chat instance was connected, or its code to scan or type was shown. */
  | 'CHAT_INSTANCE_CONNECTED'
  /** A chat instance was created. */
  | 'CHAT_INSTANCE_CREATED'
  /** Evidence says that a chat instance does not work, although it says that it is connected. */
  | 'CHAT_INSTANCE_DEGRADED'
  /** A chat instance was deleted. */
  | 'CHAT_INSTANCE_DELETED'
  /** A chat instance was disconnected. */
  | 'CHAT_INSTANCE_DISCONNECTED'
  /** A user had the messages of a gateway's history recovered. */
  | 'CHAT_INSTANCE_HISTORY_READ'
  /** Evidence says that a degraded chat instance works again. */
  | 'CHAT_INSTANCE_RESTORED'
  /** Fields of a chat instance were changed. */
  | 'CHAT_INSTANCE_UPDATED'
  /** A dashboard was created. */
  | 'DASHBOARD_CREATED'
  /** A dashboard was deleted. */
  | 'DASHBOARD_DELETED'
  /** The name, the time or the widgets of a dashboard were changed. */
  | 'DASHBOARD_UPDATED'
  /** A submission that waited for a number got one, and made a lead. */
  | 'HELD_SUBMISSION_COMPLETED'
  /** A submission that waited for a number was removed. */
  | 'HELD_SUBMISSION_DISMISSED'
  /** A lead was erased, with everything that was kept of the person. */
  | 'LEAD_DELETED'
  /** A user opted a lead in again. */
  | 'LEAD_OPTED_IN'
  /** A user opted a lead out of bulk and scheduled messages. */
  | 'LEAD_OPTED_OUT'
  /** A lead source was created. */
  | 'LEAD_SOURCE_CREATED'
  /** A lead source was deleted, with its secrets. */
  | 'LEAD_SOURCE_DELETED'
  /** Fields of a lead source were changed, or a secret of it replaced. */
  | 'LEAD_SOURCE_UPDATED'
  /** A command made a link that signs this ADMIN in once. */
  | 'SIGN_IN_LINK_CREATED'
  /** A user signed in by such a link. */
  | 'SIGN_IN_LINK_USED'
  /** A template was created. */
  | 'TEMPLATE_CREATED'
  /** A template was deleted. */
  | 'TEMPLATE_DELETED'
  /** The name or the body of a template was changed. */
  | 'TEMPLATE_UPDATED'
  /** The tenant was created. */
  | 'TENANT_CREATED'
  /** The tenant was moved into this database. The platform tenant here has an entry too. */
  | 'TENANT_MOVED_IN'
  /** The tenant was moved out of its database. The platform tenant there has an entry too. */
  | 'TENANT_MOVED_OUT'
  /** Fields of the tenant were changed. */
  | 'TENANT_UPDATED'
  /** A user signed in for the first time: the identity provider's subject was bound to the e-mail address. */
  | 'USER_BOUND'
  /** A user was created, with an account. */
  | 'USER_CREATED'
  /** Fields of a user or of the account were changed. */
  | 'USER_UPDATED'
  /** A webhook endpoint was created, and its secret shown. */
  | 'WEBHOOK_ENDPOINT_CREATED'
  /** A webhook endpoint was deleted. */
  | 'WEBHOOK_ENDPOINT_DELETED'
  /** A webhook endpoint was disabled by the service: it answered 410, or nothing reached it. */
  | 'WEBHOOK_ENDPOINT_DISABLED'
  /** Deliveries to a webhook endpoint were posted again. */
  | 'WEBHOOK_ENDPOINT_REPLAYED'
  /** The secret of a webhook endpoint was replaced, and the new one shown. */
  | 'WEBHOOK_ENDPOINT_SECRET_ROTATED'
  /** Fields of a webhook endpoint were changed. */
  | 'WEBHOOK_ENDPOINT_UPDATED'
  /** A webhook call of the journal was run again; a signature is not asked for. */
  | 'WEBHOOK_REPLAYED';

/** Who acted. */
export type AuditActorKind =
  /** An assistant of a user of this tenant, for that user. */
  | 'ASSISTANT'
  /** The service's operator, by a command. */
  | 'COMMAND'
  /** An ADMIN of the platform tenant, acting on this one. */
  | 'PLATFORM'
  /** The service itself. */
  | 'SYSTEM'
  /** A user of this tenant. */
  | 'USER';

/** Which entries to list: all given conditions have to hold. */
export type AuditFilter = {
  /** What was done. */
  action?: AuditAction | null | undefined;
  /** The user who acted. */
  actorId?: string | number | null | undefined;
  /** Not before this time. */
  since?: string | null | undefined;
  /** The record it was done to. */
  targetId?: string | number | null | undefined;
  /** What kind of record it was done to. */
  targetKind?: AuditTargetKind | null | undefined;
  /** Before this time. */
  until?: string | null | undefined;
};

/** What it was done to. */
export type AuditTargetKind =
  /** A chat instance. */
  | 'CHAT_INSTANCE'
  /** A dashboard. */
  | 'DASHBOARD'
  /** A lead. */
  | 'LEAD'
  /** A form elsewhere that posts leads here. */
  | 'LEAD_SOURCE'
  /** A template. */
  | 'TEMPLATE'
  /** A tenant. */
  | 'TENANT'
  /** A user. */
  | 'USER'
  /** A webhook call in the journal. */
  | 'WEBHOOK_DELIVERY'
  /** Where the tenant's events are posted. */
  | 'WEBHOOK_ENDPOINT';

/** How fast messages may leave. */
export type ChatRateLimitInput = {
  /** in any window of this many milliseconds, 100 to 86,400,000. */
  durationMs: number;
  /** At most this many sends, 1 to 1,000,000, */
  max: number;
};

/** A new lead source; a tenant has 50 at most. */
export type CreateLeadSourceInput = {
  /** META: a token that may read leads (`leads_retrieval`). Kept encrypted. */
  accessToken?: string | null | undefined;
  /** META: the app's secret, which signs its calls. Kept encrypted. */
  appSecret?: string | null | undefined;
  /** META: where the Graph API is; left out: Meta's own address. */
  baseUrl?: string | null | undefined;
  /** META: forms to read for missed leads, 100 at most. Those that calls name are read as well. */
  formIds?: Array<string | number> | null | undefined;
  /** FORM: how its calls are signed; left out: they are taken without a signature. */
  hmac?: LeadSourceHmacInput | null | undefined;
  /** GOOGLE: the `google_key` that is entered at Google. META: a verify token of your own, beside `webhookVerifyToken`. 8 to 200 characters; kept encrypted. */
  key?: string | null | undefined;
  /** What it is. */
  kind: LeadSourceKind;
  /** JSON pointers to fields: `{"/phone": "chat"}`. Fields are `chat`, `name`, `firstName`, `lastName`, `source`, `country`, `externalId`, `tags`, `customFields.<name>`, `consent.<key>` and names in the metadata. Left out: the usual one of the kind. */
  mapping?: Record<string, unknown> | null | undefined;
  /** Its name, in at most 100 characters: the source of its leads. */
  name: string;
};

/** A new user, with an account. */
export type CreateUserInput = {
  /** The account's name, at most 200 characters; the user's name or e-mail address where none is given. */
  accountName?: string | null | undefined;
  /** The user’s name in the signature of messages, at most 100 characters. Line breaks and marks of formatting (`*_~`) are left out there. */
  displayName?: string | null | undefined;
  /** E-mail address, unique in the tenant; the first sign-in can be bound to it. */
  email: string;
  /** ADMINs of the platform tenant: the identity provider's subject, unique in the service, at most 255 characters. Without it the first sign-in is bound to the e-mail address. */
  idpSub?: string | null | undefined;
  /** The name that colleagues see, at most 200 characters. */
  name?: string | null | undefined;
  /** What the user may do. */
  role: Role;
  /** ADMINs of the platform tenant: the tenant to create the user in. */
  tenantId?: string | number | null | undefined;
};

/** A new webhook endpoint; a tenant has 10 at most. */
export type CreateWebhookEndpointInput = {
  /** What it is for, in at most 200 characters. */
  description?: string | null | undefined;
  /** The events that it is to receive: one at least. */
  eventTypes: Array<WebhookEventType>;
  /** Whether anything is posted to it yet; true where left out. */
  isEnabled?: boolean | null | undefined;
  /** An https URL of at most 2,048 characters without credentials, to a public host. Others need the leave of the service's operator. */
  url: string;
};

/** Which deliveries to list: all given conditions have to hold. */
export type EndpointDeliveryFilter = {
  /** To this endpoint. */
  endpointId?: string | number | null | undefined;
  /** In one of these states. */
  states?: Array<EndpointDeliveryState> | null | undefined;
  /** Of one of these types. */
  types?: Array<EndpointDeliveryType> | null | undefined;
};

/** The state of a delivery. */
export type EndpointDeliveryState =
  /** The endpoint answered with 2xx. */
  | 'DELIVERED'
  /** It was given up: `lastError` says why. It can be replayed. */
  | 'FAILED'
  /** It waits for its first attempt or for the next one, or is being attempted. */
  | 'PENDING';

/** What a delivery reports. */
export type EndpointDeliveryType =
  /** `bulk_send.progress`: statuses of messages of a bulk send have changed. */
  | 'BULK_SEND_PROGRESS'
  /** `chat_instance.status_changed`: the state of a chat instance has changed. */
  | 'CHAT_INSTANCE_STATUS_CHANGED'
  /** `conversation.status_changed`: the conversation with a lead was closed, reopened or snoozed, or its snooze has ended. */
  | 'CONVERSATION_STATUS_CHANGED'
  /** `lead.assigned`: the assignee of the lead has changed. */
  | 'LEAD_ASSIGNED'
  /** `lead.created`: a lead came in for the first time. */
  | 'LEAD_CREATED'
  /** `lead.deleted`: a lead was erased. The delivery holds its id only. */
  | 'LEAD_DELETED'
  /** `lead.note_changed`: a note about a lead was added, changed or removed. */
  | 'LEAD_NOTE_CHANGED'
  /** `lead.read`: what a lead wrote was read. */
  | 'LEAD_READ'
  /** `lead.updated`: a lead was changed, merged into another, or its merge was undone. */
  | 'LEAD_UPDATED'
  /** `message.created`: a message of ours was queued here, or was written on the phone. */
  | 'MESSAGE_CREATED'
  /** `message.received`: a lead wrote. */
  | 'MESSAGE_RECEIVED'
  /** `message.status_changed`: a message of ours was queued, or its status has changed. */
  | 'MESSAGE_STATUS_CHANGED'
  /** `message.updated`: a message was edited or deleted, has another reaction, or its file was stored. */
  | 'MESSAGE_UPDATED'
  /** `endpoint.ping`: a test delivery that an ADMIN asked for. */
  | 'PING'
  /** `endpoint.resync_required`: the event log no longer holds the events after the position of the endpoint, or the database has lost events that the endpoint got. Read again what you keep; what follows is complete. */
  | 'RESYNC_REQUIRED';

/** What the calls of a form sign. */
export type HmacScheme =
  /** The bytes of the body. */
  | 'BODY'
  /** The time of the call as it is sent, a colon, and the bytes of the body. */
  | 'TIMESTAMP_COLON_BODY'
  /** The time of the call as it is sent, a full stop, and the bytes of the body. */
  | 'TIMESTAMP_DOT_BODY';

/** How the calls of a form are signed, by an HMAC. */
export type LeadSourceHmacInput = {
  /** `sha256`, `sha512` or `sha1`. */
  algorithm: string;
  /** `hex` or `base64`. */
  encoding: string;
  /** The header with the signature. Its value may begin with `sha256=`. */
  header: string;
  /** What is signed: BODY where it is left out. */
  scheme?: HmacScheme | null | undefined;
  /** The secret: 8 to 200 characters. Kept encrypted. */
  secret: string;
  /** The header with the time of the call, in seconds or milliseconds; null: it stands in `header`, as `t=…,v1=…`. */
  timestampHeader?: string | null | undefined;
  /** How far the time may lie from ours, in seconds: 300 by default, a day at most. */
  toleranceSeconds?: number | null | undefined;
};

/** What a lead source is. */
export type LeadSourceKind =
  /** Any form that can post JSON or form fields to an address. */
  | 'FORM'
  /** A lead form of Google Ads, which sends a key of the ADMIN's. */
  | 'GOOGLE'
  /** Lead Ads of Meta: it reports ids, and the answers are fetched from its Graph API. */
  | 'META';

/** What a user may do. */
export type Role =
  /** Everything in the own tenant. */
  | 'ADMIN'
  /** Leads, messages, templates and dashboards. */
  | 'OPERATOR';

/** The place of the signature in texts and captions that users write. Bulk sends, channel templates, automatic texts and replies of assistants have none. */
export type SignatureMode =
  /** On a line of its own before the text or caption. */
  | 'BEFORE'
  /** Nowhere. */
  | 'OFF';

/** What to change; fields that are left out stay as they are. */
export type UpdateLeadSourceInput = {
  /** META: a token that may read leads (`leads_retrieval`). Kept encrypted. */
  accessToken?: string | null | undefined;
  /** META: the app's secret, which signs its calls. Kept encrypted. */
  appSecret?: string | null | undefined;
  /** META: where the Graph API is; left out: Meta's own address. Another one needs the token again. */
  baseUrl?: string | null | undefined;
  /** The version that the change was made for: CONFLICT where the source has been changed since. */
  expectedVersion?: number | null | undefined;
  /** META: forms to read for missed leads, 100 at most. Those that calls name are read as well. */
  formIds?: Array<string | number> | null | undefined;
  /** FORM: how its calls are signed; left out: they are taken without a signature. Null: without a signature again. */
  hmac?: LeadSourceHmacInput | null | undefined;
  /** GOOGLE: the `google_key` that is entered at Google. META: a verify token of your own, beside `webhookVerifyToken`. 8 to 200 characters; kept encrypted. */
  key?: string | null | undefined;
  /** JSON pointers to fields: `{"/phone": "chat"}`. Fields are `chat`, `name`, `firstName`, `lastName`, `source`, `country`, `externalId`, `tags`, `customFields.<name>`, `consent.<key>` and names in the metadata. Left out: the usual one of the kind. Null: the usual one again. */
  mapping?: Record<string, unknown> | null | undefined;
  /** Its name, in at most 100 characters. */
  name?: string | null | undefined;
  /** META: its forms are read now for leads since then, 90 days back at most. */
  readSince?: string | null | undefined;
};

/** The changes of the own user; fields that are left out stay as they are. */
export type UpdateProfileInput = {
  /** The user’s name in the signature of messages, at most 100 characters. Line breaks and marks of formatting (`*_~`) are left out there. Null removes it. */
  displayName?: string | null | undefined;
};

/** What to change; fields that are left out stay as they are. */
export type UpdateTenantInput = {
  /** What assistants of the tenant's users may do. OFF in a new tenant. */
  assistants?: AssistantMode | null | undefined;
  /** How fast messages may leave; null: unlimited. */
  chatRateLimit?: ChatRateLimitInput | null | undefined;
  /** Whether the gateway is asked for a number before the first message to it. Off in a new tenant: it costs a call for each first message. */
  checksNumbers?: boolean | null | undefined;
  /** Whose numbers national writings are: ISO 3166-1 alpha-2, such as `BR`; null takes it away. Leads that are here stay as they are. */
  defaultCountry?: string | null | undefined;
  /** ADMINs of the platform tenant: switch the tenant off or on. */
  isActive?: boolean | null | undefined;
  /** Display name, at most 200 characters. */
  name?: string | null | undefined;
  /** All words that opt in from now on: at most 50 of at most 40 characters. Letter case, accents and a final `.` or `!` do not count. An empty list switches them off. */
  optInKeywords?: Array<string> | null | undefined;
  /** All words that opt out from now on: at most 50 of at most 40 characters. Letter case, accents and a final `.` or `!` do not count. An empty list switches them off. */
  optOutKeywords?: Array<string> | null | undefined;
  /** Answers a keyword that opts out, at most 1000 characters; null takes it away. */
  optOutReply?: string | null | undefined;
  /** Whether leads see that an operator has read what they wrote. Off in a new tenant. */
  sendsReadReceipts?: boolean | null | undefined;
  /** Whether leads see that an operator is typing. Off in a new tenant. */
  showsTyping?: boolean | null | undefined;
  /** The place of the signature in texts that users write. OFF in a new tenant. */
  signature?: SignatureMode | null | undefined;
  /** The format of the signature, at most 200 characters: text with `{{operator.displayName}}`. Null restores the default: `*{{operator.displayName}}:*`. */
  signatureFormat?: string | null | undefined;
  /** ADMINs of the platform tenant: short name, unique in the service: 1 to 63 lower-case letters, digits and inner hyphens. */
  slug?: string | null | undefined;
  /** Source of leads that name none, at most 100 characters; null takes it away. */
  webhookSourceLabel?: string | null | undefined;
};

/** What to change; fields that are left out stay as they are. */
export type UpdateUserInput = {
  /** The account's name, at most 200 characters. */
  accountName?: string | null | undefined;
  /** The user’s name in the signature of messages, at most 100 characters. Line breaks and marks of formatting (`*_~`) are left out there. Null removes it. */
  displayName?: string | null | undefined;
  /** E-mail address, unique in the tenant. */
  email?: string | null | undefined;
  /** ADMINs of the platform tenant: the identity provider's subject, at most 255 characters; a change ends open sessions. ADMINs: null, and the next sign-in is bound to the e-mail address. */
  idpSub?: string | null | undefined;
  /** Whether the user may come in; false ends open sessions. */
  isActive?: boolean | null | undefined;
  /** The name that colleagues see, at most 200 characters; null takes it away. */
  name?: string | null | undefined;
  /** What the user may do. */
  role?: Role | null | undefined;
};

/** What to change; fields that are left out stay as they are. */
export type UpdateWebhookEndpointInput = {
  /** What it is for, in at most 200 characters; null: nothing. */
  description?: string | null | undefined;
  /** The events that it is to receive: one at least. */
  eventTypes?: Array<WebhookEventType> | null | undefined;
  /** The version that the change was made for: CONFLICT where the endpoint has been changed since. */
  expectedVersion?: number | null | undefined;
  /** True: queued deliveries are posted, and the endpoint receives the events since it was disabled, at most `EVENT_RETENTION_DAYS` back. */
  isEnabled?: boolean | null | undefined;
  /** An https URL of at most 2,048 characters without credentials, to a public host. Others need the leave of the service's operator. What waits goes there too. */
  url?: string | null | undefined;
};

/** Which users to list: all given conditions have to hold. */
export type UserFilter = {
  /** ADMIN: whether they may come in. Others only ever see those who may. */
  isActive?: boolean | null | undefined;
  /** Who may do this. */
  role?: Role | null | undefined;
  /** Found anywhere in the e-mail address or the name, in any letter case; at most 100 characters. */
  search?: string | null | undefined;
};

/** Why a webhook endpoint is disabled. */
export type WebhookEndpointDisabledReason =
  /** An ADMIN did it. */
  | 'ADMIN'
  /** Nothing had reached it for 3 days, and attempts failed. */
  | 'FAILING'
  /** The endpoint answered 410. */
  | 'GONE';

/** The events that a webhook endpoint may receive. */
export type WebhookEventType =
  /** `bulk_send.progress`: statuses of messages of a bulk send have changed. */
  | 'BULK_SEND_PROGRESS'
  /** `chat_instance.status_changed`: the state of a chat instance has changed. */
  | 'CHAT_INSTANCE_STATUS_CHANGED'
  /** `conversation.status_changed`: the conversation with a lead was closed, reopened or snoozed, or its snooze has ended. */
  | 'CONVERSATION_STATUS_CHANGED'
  /** `lead.assigned`: the assignee of the lead has changed. */
  | 'LEAD_ASSIGNED'
  /** `lead.created`: a lead came in for the first time. */
  | 'LEAD_CREATED'
  /** `lead.deleted`: a lead was erased. The delivery holds its id only. */
  | 'LEAD_DELETED'
  /** `lead.note_changed`: a note about a lead was added, changed or removed. */
  | 'LEAD_NOTE_CHANGED'
  /** `lead.read`: what a lead wrote was read. */
  | 'LEAD_READ'
  /** `lead.updated`: a lead was changed, merged into another, or its merge was undone. */
  | 'LEAD_UPDATED'
  /** `message.created`: a message of ours was queued here, or was written on the phone. */
  | 'MESSAGE_CREATED'
  /** `message.received`: a lead wrote. */
  | 'MESSAGE_RECEIVED'
  /** `message.status_changed`: a message of ours was queued, or its status has changed. */
  | 'MESSAGE_STATUS_CHANGED'
  /** `message.updated`: a message was edited or deleted, has another reaction, or its file was stored. */
  | 'MESSAGE_UPDATED';

export type ProfileQueryVariables = Exact<{ [key: string]: never; }>;


export type ProfileQuery = { me: { id: string, name: string | null, email: string, displayName: string | null, signature: string | null } };

export type UpdateProfileMutationVariables = Exact<{
  input: UpdateProfileInput;
}>;


export type UpdateProfileMutation = { updateProfile: { id: string, name: string | null, email: string, displayName: string | null, signature: string | null } };

export type ProfileFieldsFragment = { id: string, name: string | null, email: string, displayName: string | null, signature: string | null };

export type CompanyQueryVariables = Exact<{
  id: string | number;
}>;


export type CompanyQuery = { tenant: { id: string, name: string, slug: string, webhookSourceLabel: string | null, defaultCountry: string | null, optOutKeywords: Array<string>, optInKeywords: Array<string>, optOutReply: string | null, sendsReadReceipts: boolean, showsTyping: boolean, checksNumbers: boolean, assistants: AssistantMode, signature: SignatureMode, signatureFormat: string, chatRateLimit: { max: number, durationMs: number } | null } | null };

export type UpdateCompanyMutationVariables = Exact<{
  id: string | number;
  input: UpdateTenantInput;
}>;


export type UpdateCompanyMutation = { updateTenant: { id: string, name: string, slug: string, webhookSourceLabel: string | null, defaultCountry: string | null, optOutKeywords: Array<string>, optInKeywords: Array<string>, optOutReply: string | null, sendsReadReceipts: boolean, showsTyping: boolean, checksNumbers: boolean, assistants: AssistantMode, signature: SignatureMode, signatureFormat: string, chatRateLimit: { max: number, durationMs: number } | null } };

export type ApiKeyQueryVariables = Exact<{
  id: string | number;
}>;


export type ApiKeyQuery = { tenant: { id: string, apiKey: string } | null };

export type RotateApiKeyMutationVariables = Exact<{
  id: string | number;
  graceSeconds: number;
}>;


export type RotateApiKeyMutation = { rotateTenantApiKey: { id: string, apiKey: string } };

export type UsersQueryVariables = Exact<{
  after?: string | null | undefined;
  filter?: UserFilter | null | undefined;
}>;


export type UsersQuery = { users: { edges: Array<{ node: { id: string, name: string | null, displayName: string | null, email: string, role: Role, isActive: boolean, idpSub: string | null, createdAt: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type CreateUserMutationVariables = Exact<{
  input: CreateUserInput;
}>;


export type CreateUserMutation = { createUser: { id: string, name: string | null, displayName: string | null, email: string, role: Role, isActive: boolean, idpSub: string | null, createdAt: string } };

export type UpdateUserMutationVariables = Exact<{
  id: string | number;
  input: UpdateUserInput;
}>;


export type UpdateUserMutation = { updateUser: { id: string, name: string | null, displayName: string | null, email: string, role: Role, isActive: boolean, idpSub: string | null, createdAt: string } };

export type WebhookEndpointsQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhookEndpointsQuery = { webhookEndpoints: Array<{ id: string, url: string, description: string | null, eventTypes: Array<WebhookEventType>, isEnabled: boolean, disabledAt: string | null, disabledReason: WebhookEndpointDisabledReason | null, failingSince: string | null, previousSecretUntil: string | null, createdAt: string, version: number }> };

export type CreateWebhookEndpointMutationVariables = Exact<{
  input: CreateWebhookEndpointInput;
}>;


export type CreateWebhookEndpointMutation = { createWebhookEndpoint: { secret: string, endpoint: { id: string, url: string, description: string | null, eventTypes: Array<WebhookEventType>, isEnabled: boolean, disabledAt: string | null, disabledReason: WebhookEndpointDisabledReason | null, failingSince: string | null, previousSecretUntil: string | null, createdAt: string, version: number } } };

export type UpdateWebhookEndpointMutationVariables = Exact<{
  id: string | number;
  input: UpdateWebhookEndpointInput;
}>;


export type UpdateWebhookEndpointMutation = { updateWebhookEndpoint: { id: string, url: string, description: string | null, eventTypes: Array<WebhookEventType>, isEnabled: boolean, disabledAt: string | null, disabledReason: WebhookEndpointDisabledReason | null, failingSince: string | null, previousSecretUntil: string | null, createdAt: string, version: number } };

export type DeleteWebhookEndpointMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteWebhookEndpointMutation = { deleteWebhookEndpoint: string };

export type RotateWebhookEndpointSecretMutationVariables = Exact<{
  id: string | number;
  graceSeconds: number;
}>;


export type RotateWebhookEndpointSecretMutation = { rotateWebhookEndpointSecret: { secret: string, endpoint: { id: string, url: string, description: string | null, eventTypes: Array<WebhookEventType>, isEnabled: boolean, disabledAt: string | null, disabledReason: WebhookEndpointDisabledReason | null, failingSince: string | null, previousSecretUntil: string | null, createdAt: string, version: number } } };

export type PingWebhookEndpointMutationVariables = Exact<{
  id: string | number;
}>;


export type PingWebhookEndpointMutation = { pingWebhookEndpoint: { id: string, type: EndpointDeliveryType, state: EndpointDeliveryState, attemptCount: number, occurredAt: string, createdAt: string, deliveredAt: string | null, lastAttemptAt: string | null, lastError: string | null, lastStatus: number | null, nextAttemptAt: string | null, leadId: string | null } };

export type EndpointDeliveriesQueryVariables = Exact<{
  after?: string | null | undefined;
  filter?: EndpointDeliveryFilter | null | undefined;
}>;


export type EndpointDeliveriesQuery = { endpointDeliveries: { edges: Array<{ node: { id: string, type: EndpointDeliveryType, state: EndpointDeliveryState, attemptCount: number, occurredAt: string, createdAt: string, deliveredAt: string | null, lastAttemptAt: string | null, lastError: string | null, lastStatus: number | null, nextAttemptAt: string | null, leadId: string | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ReplayEndpointDeliveryMutationVariables = Exact<{
  id: string | number;
}>;


export type ReplayEndpointDeliveryMutation = { replayEndpointDelivery: { id: string, type: EndpointDeliveryType, state: EndpointDeliveryState, attemptCount: number, occurredAt: string, createdAt: string, deliveredAt: string | null, lastAttemptAt: string | null, lastError: string | null, lastStatus: number | null, nextAttemptAt: string | null, leadId: string | null } };

export type ReplayFailedEndpointDeliveriesMutationVariables = Exact<{
  endpointId: string | number;
  since: string;
}>;


export type ReplayFailedEndpointDeliveriesMutation = { replayFailedEndpointDeliveries: number };

export type AuditLogQueryVariables = Exact<{
  after?: string | null | undefined;
  filter?: AuditFilter | null | undefined;
}>;


export type AuditLogQuery = { auditLog: { edges: Array<{ node: { id: string, action: AuditAction, actorKind: AuditActorKind, actorId: string | null, targetKind: AuditTargetKind, targetId: string, before: Record<string, unknown> | null, after: Record<string, unknown> | null, createdAt: string, requestId: string | null, actor: { id: string, name: string | null, email: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type CompanySettingsFragment = { id: string, name: string, slug: string, webhookSourceLabel: string | null, defaultCountry: string | null, optOutKeywords: Array<string>, optInKeywords: Array<string>, optOutReply: string | null, sendsReadReceipts: boolean, showsTyping: boolean, checksNumbers: boolean, assistants: AssistantMode, signature: SignatureMode, signatureFormat: string, chatRateLimit: { max: number, durationMs: number } | null };

export type UserRowFragment = { id: string, name: string | null, displayName: string | null, email: string, role: Role, isActive: boolean, idpSub: string | null, createdAt: string };

export type EndpointRowFragment = { id: string, url: string, description: string | null, eventTypes: Array<WebhookEventType>, isEnabled: boolean, disabledAt: string | null, disabledReason: WebhookEndpointDisabledReason | null, failingSince: string | null, previousSecretUntil: string | null, createdAt: string, version: number };

export type DeliveryRowFragment = { id: string, type: EndpointDeliveryType, state: EndpointDeliveryState, attemptCount: number, occurredAt: string, createdAt: string, deliveredAt: string | null, lastAttemptAt: string | null, lastError: string | null, lastStatus: number | null, nextAttemptAt: string | null, leadId: string | null };

export type LeadSourceListQueryVariables = Exact<{ [key: string]: never; }>;


export type LeadSourceListQuery = { leadSources: Array<{ id: string, kind: LeadSourceKind, name: string, path: string, webhookVerifyToken: string | null, hasKey: boolean, baseUrl: string | null, mapping: Record<string, unknown> | null, lastTestAt: string | null, heldCount: number, lastLeadAt: string | null, pendingLeads: number, failedLeads: number, lastError: string | null, version: number, hmac: { header: string, algorithm: string, encoding: string, scheme: HmacScheme, timestampHeader: string | null, toleranceSeconds: number | null } | null, forms: Array<{ id: string, isConfigured: boolean, error: string | null }> }> };

export type CreateLeadSourceMutationVariables = Exact<{
  input: CreateLeadSourceInput;
}>;


export type CreateLeadSourceMutation = { createLeadSource: { id: string, kind: LeadSourceKind, name: string, path: string, webhookVerifyToken: string | null, hasKey: boolean, baseUrl: string | null, mapping: Record<string, unknown> | null, lastTestAt: string | null, heldCount: number, lastLeadAt: string | null, pendingLeads: number, failedLeads: number, lastError: string | null, version: number, hmac: { header: string, algorithm: string, encoding: string, scheme: HmacScheme, timestampHeader: string | null, toleranceSeconds: number | null } | null, forms: Array<{ id: string, isConfigured: boolean, error: string | null }> } };

export type UpdateLeadSourceMutationVariables = Exact<{
  id: string | number;
  input: UpdateLeadSourceInput;
}>;


export type UpdateLeadSourceMutation = { updateLeadSource: { id: string, kind: LeadSourceKind, name: string, path: string, webhookVerifyToken: string | null, hasKey: boolean, baseUrl: string | null, mapping: Record<string, unknown> | null, lastTestAt: string | null, heldCount: number, lastLeadAt: string | null, pendingLeads: number, failedLeads: number, lastError: string | null, version: number, hmac: { header: string, algorithm: string, encoding: string, scheme: HmacScheme, timestampHeader: string | null, toleranceSeconds: number | null } | null, forms: Array<{ id: string, isConfigured: boolean, error: string | null }> } };

export type DeleteLeadSourceMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteLeadSourceMutation = { deleteLeadSource: string };

export type TryLeadSourceQueryVariables = Exact<{
  id: string | number;
  payload: Record<string, unknown>;
}>;


export type TryLeadSourceQuery = { testLeadSource: { created: boolean, duplicate: boolean, isTest: boolean, externalId: string | null, lead: { id: string | null, name: string, chat: string, source: string, metadata: Record<string, unknown> | null } | null, disclaimers: Array<{ key: string, isChecked: boolean }>, errors: Array<{ path: string, message: string }> } };

export type HeldSubmissionListQueryVariables = Exact<{
  sourceId: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type HeldSubmissionListQuery = { heldSubmissions: { edges: Array<{ node: { id: string, email: string, name: string | null, writtenNumber: string | null, createdAt: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type CompleteHeldSubmissionMutationVariables = Exact<{
  id: string | number;
  chat: string;
}>;


export type CompleteHeldSubmissionMutation = { completeHeldSubmission: { id: string } };

export type DismissHeldSubmissionMutationVariables = Exact<{
  id: string | number;
}>;


export type DismissHeldSubmissionMutation = { dismissHeldSubmission: string };

export type LeadSourceRowFragment = { id: string, kind: LeadSourceKind, name: string, path: string, webhookVerifyToken: string | null, hasKey: boolean, baseUrl: string | null, mapping: Record<string, unknown> | null, lastTestAt: string | null, heldCount: number, lastLeadAt: string | null, pendingLeads: number, failedLeads: number, lastError: string | null, version: number, hmac: { header: string, algorithm: string, encoding: string, scheme: HmacScheme, timestampHeader: string | null, toleranceSeconds: number | null } | null, forms: Array<{ id: string, isConfigured: boolean, error: string | null }> };

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
export const ProfileFieldsFragmentDoc = new TypedDocumentString(`
    fragment ProfileFields on Viewer {
  id
  name
  email
  displayName
  signature
}
    `, {"fragmentName":"ProfileFields"}) as unknown as TypedDocumentString<ProfileFieldsFragment, unknown>;
export const CompanySettingsFragmentDoc = new TypedDocumentString(`
    fragment CompanySettings on Tenant {
  id
  name
  slug
  chatRateLimit {
    max
    durationMs
  }
  webhookSourceLabel
  defaultCountry
  optOutKeywords
  optInKeywords
  optOutReply
  sendsReadReceipts
  showsTyping
  checksNumbers
  assistants
  signature
  signatureFormat
}
    `, {"fragmentName":"CompanySettings"}) as unknown as TypedDocumentString<CompanySettingsFragment, unknown>;
export const UserRowFragmentDoc = new TypedDocumentString(`
    fragment UserRow on User {
  id
  name
  displayName
  email
  role
  isActive
  idpSub
  createdAt
}
    `, {"fragmentName":"UserRow"}) as unknown as TypedDocumentString<UserRowFragment, unknown>;
export const EndpointRowFragmentDoc = new TypedDocumentString(`
    fragment EndpointRow on WebhookEndpoint {
  id
  url
  description
  eventTypes
  isEnabled
  disabledAt
  disabledReason
  failingSince
  previousSecretUntil
  createdAt
  version
}
    `, {"fragmentName":"EndpointRow"}) as unknown as TypedDocumentString<EndpointRowFragment, unknown>;
export const DeliveryRowFragmentDoc = new TypedDocumentString(`
    fragment DeliveryRow on EndpointDelivery {
  id
  type
  state
  attemptCount
  occurredAt
  createdAt
  deliveredAt
  lastAttemptAt
  lastError
  lastStatus
  nextAttemptAt
  leadId
}
    `, {"fragmentName":"DeliveryRow"}) as unknown as TypedDocumentString<DeliveryRowFragment, unknown>;
export const LeadSourceRowFragmentDoc = new TypedDocumentString(`
    fragment LeadSourceRow on LeadSource {
  id
  kind
  name
  path
  webhookVerifyToken
  hasKey
  baseUrl
  mapping
  hmac {
    header
    algorithm
    encoding
    scheme
    timestampHeader
    toleranceSeconds
  }
  lastTestAt
  heldCount
  forms {
    id
    isConfigured
    error
  }
  lastLeadAt
  pendingLeads
  failedLeads
  lastError
  version
}
    `, {"fragmentName":"LeadSourceRow"}) as unknown as TypedDocumentString<LeadSourceRowFragment, unknown>;
export const ProfileDocument = new TypedDocumentString(`
    query Profile {
  me {
    ...ProfileFields
  }
}
    fragment ProfileFields on Viewer {
  id
  name
  email
  displayName
  signature
}`) as unknown as TypedDocumentString<ProfileQuery, ProfileQueryVariables>;
export const UpdateProfileDocument = new TypedDocumentString(`
    mutation UpdateProfile($input: UpdateProfileInput!) {
  updateProfile(input: $input) {
    ...ProfileFields
  }
}
    fragment ProfileFields on Viewer {
  id
  name
  email
  displayName
  signature
}`) as unknown as TypedDocumentString<UpdateProfileMutation, UpdateProfileMutationVariables>;
export const CompanyDocument = new TypedDocumentString(`
    query Company($id: ID!) {
  tenant(id: $id) {
    ...CompanySettings
  }
}
    fragment CompanySettings on Tenant {
  id
  name
  slug
  chatRateLimit {
    max
    durationMs
  }
  webhookSourceLabel
  defaultCountry
  optOutKeywords
  optInKeywords
  optOutReply
  sendsReadReceipts
  showsTyping
  checksNumbers
  assistants
  signature
  signatureFormat
}`) as unknown as TypedDocumentString<CompanyQuery, CompanyQueryVariables>;
export const UpdateCompanyDocument = new TypedDocumentString(`
    mutation UpdateCompany($id: ID!, $input: UpdateTenantInput!) {
  updateTenant(id: $id, input: $input) {
    ...CompanySettings
  }
}
    fragment CompanySettings on Tenant {
  id
  name
  slug
  chatRateLimit {
    max
    durationMs
  }
  webhookSourceLabel
  defaultCountry
  optOutKeywords
  optInKeywords
  optOutReply
  sendsReadReceipts
  showsTyping
  checksNumbers
  assistants
  signature
  signatureFormat
}`) as unknown as TypedDocumentString<UpdateCompanyMutation, UpdateCompanyMutationVariables>;
export const ApiKeyDocument = new TypedDocumentString(`
    query ApiKey($id: ID!) {
  tenant(id: $id) {
    id
    apiKey
  }
}
    `) as unknown as TypedDocumentString<ApiKeyQuery, ApiKeyQueryVariables>;
export const RotateApiKeyDocument = new TypedDocumentString(`
    mutation RotateApiKey($id: ID!, $graceSeconds: Int!) {
  rotateTenantApiKey(id: $id, graceSeconds: $graceSeconds) {
    id
    apiKey
  }
}
    `) as unknown as TypedDocumentString<RotateApiKeyMutation, RotateApiKeyMutationVariables>;
export const UsersDocument = new TypedDocumentString(`
    query Users($after: String, $filter: UserFilter) {
  users(first: 50, after: $after, filter: $filter) {
    edges {
      node {
        ...UserRow
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment UserRow on User {
  id
  name
  displayName
  email
  role
  isActive
  idpSub
  createdAt
}`) as unknown as TypedDocumentString<UsersQuery, UsersQueryVariables>;
export const CreateUserDocument = new TypedDocumentString(`
    mutation CreateUser($input: CreateUserInput!) {
  createUser(input: $input) {
    ...UserRow
  }
}
    fragment UserRow on User {
  id
  name
  displayName
  email
  role
  isActive
  idpSub
  createdAt
}`) as unknown as TypedDocumentString<CreateUserMutation, CreateUserMutationVariables>;
export const UpdateUserDocument = new TypedDocumentString(`
    mutation UpdateUser($id: ID!, $input: UpdateUserInput!) {
  updateUser(id: $id, input: $input) {
    ...UserRow
  }
}
    fragment UserRow on User {
  id
  name
  displayName
  email
  role
  isActive
  idpSub
  createdAt
}`) as unknown as TypedDocumentString<UpdateUserMutation, UpdateUserMutationVariables>;
export const WebhookEndpointsDocument = new TypedDocumentString(`
    query WebhookEndpoints {
  webhookEndpoints {
    ...EndpointRow
  }
}
    fragment EndpointRow on WebhookEndpoint {
  id
  url
  description
  eventTypes
  isEnabled
  disabledAt
  disabledReason
  failingSince
  previousSecretUntil
  createdAt
  version
}`) as unknown as TypedDocumentString<WebhookEndpointsQuery, WebhookEndpointsQueryVariables>;
export const CreateWebhookEndpointDocument = new TypedDocumentString(`
    mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) {
    secret
    endpoint {
      ...EndpointRow
    }
  }
}
    fragment EndpointRow on WebhookEndpoint {
  id
  url
  description
  eventTypes
  isEnabled
  disabledAt
  disabledReason
  failingSince
  previousSecretUntil
  createdAt
  version
}`) as unknown as TypedDocumentString<CreateWebhookEndpointMutation, CreateWebhookEndpointMutationVariables>;
export const UpdateWebhookEndpointDocument = new TypedDocumentString(`
    mutation UpdateWebhookEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(id: $id, input: $input) {
    ...EndpointRow
  }
}
    fragment EndpointRow on WebhookEndpoint {
  id
  url
  description
  eventTypes
  isEnabled
  disabledAt
  disabledReason
  failingSince
  previousSecretUntil
  createdAt
  version
}`) as unknown as TypedDocumentString<UpdateWebhookEndpointMutation, UpdateWebhookEndpointMutationVariables>;
export const DeleteWebhookEndpointDocument = new TypedDocumentString(`
    mutation DeleteWebhookEndpoint($id: ID!) {
  deleteWebhookEndpoint(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteWebhookEndpointMutation, DeleteWebhookEndpointMutationVariables>;
export const RotateWebhookEndpointSecretDocument = new TypedDocumentString(`
    mutation RotateWebhookEndpointSecret($id: ID!, $graceSeconds: Int!) {
  rotateWebhookEndpointSecret(id: $id, graceSeconds: $graceSeconds) {
    secret
    endpoint {
      ...EndpointRow
    }
  }
}
    fragment EndpointRow on WebhookEndpoint {
  id
  url
  description
  eventTypes
  isEnabled
  disabledAt
  disabledReason
  failingSince
  previousSecretUntil
  createdAt
  version
}`) as unknown as TypedDocumentString<RotateWebhookEndpointSecretMutation, RotateWebhookEndpointSecretMutationVariables>;
export const PingWebhookEndpointDocument = new TypedDocumentString(`
    mutation PingWebhookEndpoint($id: ID!) {
  pingWebhookEndpoint(id: $id) {
    ...DeliveryRow
  }
}
    fragment DeliveryRow on EndpointDelivery {
  id
  type
  state
  attemptCount
  occurredAt
  createdAt
  deliveredAt
  lastAttemptAt
  lastError
  lastStatus
  nextAttemptAt
  leadId
}`) as unknown as TypedDocumentString<PingWebhookEndpointMutation, PingWebhookEndpointMutationVariables>;
export const EndpointDeliveriesDocument = new TypedDocumentString(`
    query EndpointDeliveries($after: String, $filter: EndpointDeliveryFilter) {
  endpointDeliveries(first: 25, after: $after, filter: $filter) {
    edges {
      node {
        ...DeliveryRow
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment DeliveryRow on EndpointDelivery {
  id
  type
  state
  attemptCount
  occurredAt
  createdAt
  deliveredAt
  lastAttemptAt
  lastError
  lastStatus
  nextAttemptAt
  leadId
}`) as unknown as TypedDocumentString<EndpointDeliveriesQuery, EndpointDeliveriesQueryVariables>;
export const ReplayEndpointDeliveryDocument = new TypedDocumentString(`
    mutation ReplayEndpointDelivery($id: ID!) {
  replayEndpointDelivery(id: $id) {
    ...DeliveryRow
  }
}
    fragment DeliveryRow on EndpointDelivery {
  id
  type
  state
  attemptCount
  occurredAt
  createdAt
  deliveredAt
  lastAttemptAt
  lastError
  lastStatus
  nextAttemptAt
  leadId
}`) as unknown as TypedDocumentString<ReplayEndpointDeliveryMutation, ReplayEndpointDeliveryMutationVariables>;
export const ReplayFailedEndpointDeliveriesDocument = new TypedDocumentString(`
    mutation ReplayFailedEndpointDeliveries($endpointId: ID!, $since: DateTime!) {
  replayFailedEndpointDeliveries(endpointId: $endpointId, since: $since)
}
    `) as unknown as TypedDocumentString<ReplayFailedEndpointDeliveriesMutation, ReplayFailedEndpointDeliveriesMutationVariables>;
export const AuditLogDocument = new TypedDocumentString(`
    query AuditLog($after: String, $filter: AuditFilter) {
  auditLog(first: 50, after: $after, filter: $filter) {
    edges {
      node {
        id
        action
        actorKind
        actorId
        actor {
          id
          name
          email
        }
        targetKind
        targetId
        before
        after
        createdAt
        requestId
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<AuditLogQuery, AuditLogQueryVariables>;
export const LeadSourceListDocument = new TypedDocumentString(`
    query LeadSourceList {
  leadSources {
    ...LeadSourceRow
  }
}
    fragment LeadSourceRow on LeadSource {
  id
  kind
  name
  path
  webhookVerifyToken
  hasKey
  baseUrl
  mapping
  hmac {
    header
    algorithm
    encoding
    scheme
    timestampHeader
    toleranceSeconds
  }
  lastTestAt
  heldCount
  forms {
    id
    isConfigured
    error
  }
  lastLeadAt
  pendingLeads
  failedLeads
  lastError
  version
}`) as unknown as TypedDocumentString<LeadSourceListQuery, LeadSourceListQueryVariables>;
export const CreateLeadSourceDocument = new TypedDocumentString(`
    mutation CreateLeadSource($input: CreateLeadSourceInput!) {
  createLeadSource(input: $input) {
    ...LeadSourceRow
  }
}
    fragment LeadSourceRow on LeadSource {
  id
  kind
  name
  path
  webhookVerifyToken
  hasKey
  baseUrl
  mapping
  hmac {
    header
    algorithm
    encoding
    scheme
    timestampHeader
    toleranceSeconds
  }
  lastTestAt
  heldCount
  forms {
    id
    isConfigured
    error
  }
  lastLeadAt
  pendingLeads
  failedLeads
  lastError
  version
}`) as unknown as TypedDocumentString<CreateLeadSourceMutation, CreateLeadSourceMutationVariables>;
export const UpdateLeadSourceDocument = new TypedDocumentString(`
    mutation UpdateLeadSource($id: ID!, $input: UpdateLeadSourceInput!) {
  updateLeadSource(id: $id, input: $input) {
    ...LeadSourceRow
  }
}
    fragment LeadSourceRow on LeadSource {
  id
  kind
  name
  path
  webhookVerifyToken
  hasKey
  baseUrl
  mapping
  hmac {
    header
    algorithm
    encoding
    scheme
    timestampHeader
    toleranceSeconds
  }
  lastTestAt
  heldCount
  forms {
    id
    isConfigured
    error
  }
  lastLeadAt
  pendingLeads
  failedLeads
  lastError
  version
}`) as unknown as TypedDocumentString<UpdateLeadSourceMutation, UpdateLeadSourceMutationVariables>;
export const DeleteLeadSourceDocument = new TypedDocumentString(`
    mutation DeleteLeadSource($id: ID!) {
  deleteLeadSource(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteLeadSourceMutation, DeleteLeadSourceMutationVariables>;
export const TryLeadSourceDocument = new TypedDocumentString(`
    query TryLeadSource($id: ID!, $payload: JSONObject!) {
  testLeadSource(id: $id, payload: $payload) {
    lead {
      id
      name
      chat
      source
      metadata
    }
    created
    duplicate
    isTest
    externalId
    disclaimers {
      key
      isChecked
    }
    errors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<TryLeadSourceQuery, TryLeadSourceQueryVariables>;
export const HeldSubmissionListDocument = new TypedDocumentString(`
    query HeldSubmissionList($sourceId: ID!, $first: Int, $after: String) {
  heldSubmissions(sourceId: $sourceId, first: $first, after: $after) {
    edges {
      node {
        id
        email
        name
        writtenNumber
        createdAt
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<HeldSubmissionListQuery, HeldSubmissionListQueryVariables>;
export const CompleteHeldSubmissionDocument = new TypedDocumentString(`
    mutation CompleteHeldSubmission($id: ID!, $chat: String!) {
  completeHeldSubmission(id: $id, chat: $chat) {
    id
  }
}
    `) as unknown as TypedDocumentString<CompleteHeldSubmissionMutation, CompleteHeldSubmissionMutationVariables>;
export const DismissHeldSubmissionDocument = new TypedDocumentString(`
    mutation DismissHeldSubmission($id: ID!) {
  dismissHeldSubmission(id: $id)
}
    `) as unknown as TypedDocumentString<DismissHeldSubmissionMutation, DismissHeldSubmissionMutationVariables>;