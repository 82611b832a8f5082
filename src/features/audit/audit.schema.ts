// The audited actions, and bounds of the log's filter.

import { z } from 'zod';
import { keysOf, uuid } from '../../platform/input/input.js';

/** Every audited action with its meaning. All features name their actions here, so that the log has one vocabulary. */
export const auditActions = {
  TENANT_CREATED: 'The tenant was created.',
  TENANT_UPDATED: 'Fields of the tenant were changed.',
  TENANT_MOVED_OUT: 'The tenant was moved out of its database. The platform tenant there has an entry too.',
  TENANT_MOVED_IN: 'The tenant was moved into this database. The platform tenant here has an entry too.',
  API_KEY_READ: "The tenant's API key was shown.",
  API_KEY_ROTATED: "The tenant's API key was replaced.",
  USER_CREATED: 'A user was created, with an account.',
  USER_UPDATED: 'Fields of a user or of the account were changed.',
  USER_BOUND: "A user signed in for the first time: the identity provider's subject was bound to the e-mail address.",
  SIGN_IN_LINK_CREATED: 'A command made a link that signs this ADMIN in once.',
  SIGN_IN_LINK_USED: 'A user signed in by such a link.',
  CHAT_INSTANCE_CREATED: 'A chat instance was created.',
  CHAT_INSTANCE_UPDATED: 'Fields of a chat instance were changed.',
  CHAT_INSTANCE_CONNECTED: 'A chat instance was connected, or its code to scan or type was shown.',
  CHAT_INSTANCE_DISCONNECTED: 'A chat instance was disconnected.',
  CHAT_INSTANCE_NUMBER_CHANGED: 'The gateway of a chat instance reports another number of the line than before.',
  CHAT_INSTANCE_DEGRADED: 'Evidence says that a chat instance does not work, although it says that it is connected.',
  CHAT_INSTANCE_RESTORED: 'Evidence says that a degraded chat instance works again.',
  CHAT_INSTANCE_HISTORY_READ: "A user had the messages of a gateway's history recovered.",
  CHAT_INSTANCE_DELETED: 'A chat instance was deleted.',
  TEMPLATE_CREATED: 'A template was created.',
  TEMPLATE_UPDATED: 'The name, the body, the shortcut, the visibility or the files of a template were changed.',
  TEMPLATE_DELETED: 'A template was deleted.',
  DASHBOARD_CREATED: 'A dashboard was created.',
  DASHBOARD_UPDATED: 'The name, the time or the widgets of a dashboard were changed.',
  DASHBOARD_DELETED: 'A dashboard was deleted.',
  LEAD_DELETED: 'A lead was erased, with everything that was kept of the person.',
  LEAD_OPTED_OUT: 'A user opted a lead out of bulk and scheduled messages.',
  LEAD_OPTED_IN: 'A user opted a lead in again.',
  LEAD_SOURCE_CREATED: 'A lead source was created.',
  LEAD_SOURCE_UPDATED: 'Fields of a lead source were changed, or a secret of it replaced.',
  LEAD_SOURCE_DELETED: 'A lead source was deleted, with its secrets.',
  HELD_SUBMISSION_COMPLETED: 'A submission that waited for a number got one, and made a lead.',
  HELD_SUBMISSION_DISMISSED: 'A submission that waited for a number was removed.',
  WEBHOOK_REPLAYED: 'A webhook call of the journal was run again; a signature is not asked for.',
  WEBHOOK_ENDPOINT_CREATED: 'A webhook endpoint was created, and its secret shown.',
  WEBHOOK_ENDPOINT_UPDATED: 'Fields of a webhook endpoint were changed.',
  WEBHOOK_ENDPOINT_SECRET_ROTATED: 'The secret of a webhook endpoint was replaced, and the new one shown.',
  WEBHOOK_ENDPOINT_DISABLED: 'A webhook endpoint was disabled by the service: it answered 410, or nothing reached it.',
  WEBHOOK_ENDPOINT_DELETED: 'A webhook endpoint was deleted.',
  WEBHOOK_ENDPOINT_REPLAYED: 'Deliveries to a webhook endpoint were posted again.',
  ASSISTANT_INBOX_READ: 'An assistant listed conversations. At most one entry for each view of a user in 10 minutes.',
  ASSISTANT_CONVERSATION_READ: 'An assistant read a conversation, and may have got the capability to answer it.',
  ASSISTANT_REPLY_DRAFTED: 'An assistant drafted a reply. Nothing was sent.',
  ASSISTANT_REPLY_SENT: 'An assistant sent a reply; `after` has the message.',
  ASSISTANT_REPLY_CANCELED: 'An assistant canceled a reply that it had sent.',
  ASSISTANT_CONVERSATION_CHANGED: 'An assistant was about to close, snooze, assign or tag a conversation.',
  ASSISTANT_CALL_REFUSED: 'A call of an assistant was refused; `after` has the tool and the code.',
} as const;

export type AuditAction = keyof typeof auditActions;

/** The kinds of record that an entry can be about. */
export const auditTargetKinds = {
  TENANT: 'A tenant.',
  USER: 'A user.',
  CHAT_INSTANCE: 'A chat instance.',
  LEAD: 'A lead.',
  LEAD_SOURCE: 'A form elsewhere that posts leads here.',
  TEMPLATE: 'A template.',
  DASHBOARD: 'A dashboard.',
  WEBHOOK_DELIVERY: 'A webhook call in the journal.',
  WEBHOOK_ENDPOINT: "Where the tenant's events are posted.",
} as const;

export type AuditTargetKind = keyof typeof auditTargetKinds;

export const auditActorKinds = {
  USER: 'A user of this tenant.',
  ASSISTANT: 'An assistant of a user of this tenant, for that user.',
  PLATFORM: 'An ADMIN of the platform tenant, acting on this one.',
  COMMAND: "The service's operator, by a command.",
  SYSTEM: 'The service itself.',
} as const;

export type AuditActorKind = keyof typeof auditActorKinds;

const time = z.date('has to be a time');

/** All given conditions have to hold. `since` is inclusive, `until` exclusive. */
export const auditFilterSchema = z.strictObject({
  action: z.enum(keysOf(auditActions)).nullish(),
  actorId: uuid.nullish(),
  targetKind: z.enum(keysOf(auditTargetKinds)).nullish(),
  targetId: uuid.nullish(),
  since: time.nullish(),
  until: time.nullish(),
});

export type AuditFilter = z.input<typeof auditFilterSchema>;
