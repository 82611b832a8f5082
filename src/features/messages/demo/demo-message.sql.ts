// The statements that write demo messages of the past, with their statuses, reactions and changes.

import { Columns } from '../../../platform/database/columns.js';
import type { NamedStatement } from '../../../platform/database/database.js';
import { recordIdAt } from '../../../platform/database/record-id.js';
import type { MessageStatus } from '../status-rank.sql.js';
import type { ReportedMedia } from '../../../providers/reported.js';

/** A status that an outbound message had, from that time on. */
export interface PastStatus {
  status: MessageStatus;
  at: Date;
  source: 'user' | 'worker' | 'gateway';
  code?: string | undefined;
  detail?: string | undefined;
}

export interface PastReaction {
  fromLead: boolean;
  emoji: string;
  /** The user who reacted; null for the lead. */
  userId: string | null;
  at: Date;
}

/** The writer's last change of a message. */
export interface PastChange {
  kind: 'EDIT' | 'DELETION';
  previousBody: string | null;
  at: Date;
}

/** A message in its state of now, with its history. */
export interface DemoMessage {
  leadId: string;
  instanceId: string;
  direction: 'INBOUND' | 'OUTBOUND';
  type: string;
  /** The text of now; null once it was deleted. */
  body: string | null;
  media: ReportedMedia | null;
  /** The provider's id; null if no gateway took the message. */
  externalId: string | null;
  /** The provider's id of the message that it quotes. */
  replyTo: string | null;
  /** The user who wrote the message; null for a lead's message. */
  authorId: string | null;
  writtenAt: Date;
  /** The statuses of an outbound message, the earliest first; empty for a lead's message. */
  statuses: readonly PastStatus[];
  reactions: readonly PastReaction[];
  change: PastChange | null;
}

/** A message with its new id, a UUID v7 of the time at which it was written, and its position by that time. */
export type IdentifiedMessage = DemoMessage & { id: string; position: string };

const lastOf = ({ statuses }: DemoMessage) => statuses.at(-1);
const timeOf = ({ statuses }: DemoMessage, wanted: MessageStatus) =>
  statuses.find(({ status }) => status === wanted)?.at ?? null;
const changedAt = ({ change }: DemoMessage, wanted: PastChange['kind']) => (change?.kind === wanted ? change.at : null);
const failureOf = (message: DemoMessage) => (lastOf(message)?.status === 'FAILED' ? lastOf(message) : undefined);

export const demoMessageColumns = new Columns<IdentifiedMessage>({
  id: ['uuid', ({ id }) => id],
  lead_id: ['uuid', ({ leadId }) => leadId],
  position: ['bigint', ({ position }) => position],
  instance_id: ['uuid', ({ instanceId }) => instanceId],
  direction: ['message_direction', ({ direction }) => direction],
  status: ['message_status', (message) => lastOf(message)?.status],
  type: ['text', ({ type }) => type],
  body: ['text', ({ body }) => body],
  media: ['jsonb', ({ media }) => (media === null ? null : JSON.stringify(media))],
  external_id: ['text', ({ externalId }) => externalId],
  reply_to_external_id: ['text', ({ replyTo }) => replyTo],
  author_id: ['uuid', ({ authorId }) => authorId],
  error_code: ['text', (message) => failureOf(message)?.code],
  error_message: ['text', (message) => failureOf(message)?.detail],
  created_at: ['timestamptz', ({ writtenAt }) => writtenAt],
  received_at: ['timestamptz', ({ direction, writtenAt }) => (direction === 'INBOUND' ? writtenAt : null)],
  provider_timestamp: ['timestamptz', ({ direction, writtenAt }) => (direction === 'INBOUND' ? writtenAt : null)],
  sent_at: ['timestamptz', (message) => timeOf(message, 'SENT')],
  delivered_at: ['timestamptz', (message) => timeOf(message, 'DELIVERED')],
  read_at: ['timestamptz', (message) => timeOf(message, 'READ')],
  failed_at: ['timestamptz', (message) => timeOf(message, 'FAILED')],
  edited_at: ['timestamptz', (message) => changedAt(message, 'EDIT')],
  deleted_at: ['timestamptz', (message) => changedAt(message, 'DELETION')],
});

/** $1 tenant, `demoMessageColumns`. The caller must not pass a provider id that the instance has already: that fails. */
export const insertDemoMessages: NamedStatement = {
  name: 'insert-demo-messages',
  text: `INSERT INTO messages (tenant_id, ${demoMessageColumns.names.join(', ')})
    SELECT $1, * FROM ${demoMessageColumns.rows('m')}`,
};

/** A status of a message, and the one before it. */
export interface PastTransition extends PastStatus {
  messageId: string;
  from: MessageStatus | null;
}

export const pastTransitionColumns = new Columns<PastTransition>({
  id: ['uuid', ({ at }) => recordIdAt(at)],
  message_id: ['uuid', ({ messageId }) => messageId],
  from_status: ['message_status', ({ from }) => from],
  to_status: ['message_status', ({ status }) => status],
  source: ['text', ({ source }) => source],
  provider_code: ['text', ({ code }) => code],
  detail: ['text', ({ detail }) => detail],
  occurred_at: ['timestamptz', ({ at }) => at],
});

/** $1 tenant, `pastTransitionColumns`. Each is recorded at the time at which it occurred. */
export const insertPastTransitions: NamedStatement = {
  name: 'insert-demo-transitions',
  text: `INSERT INTO message_status_transitions (tenant_id, ${pastTransitionColumns.names.join(', ')}, recorded_at)
    SELECT $1, t.*, t.occurred_at FROM ${pastTransitionColumns.rows('t')}`,
};

export const pastReactionColumns = new Columns<PastReaction & { messageId: string }>({
  message_id: ['uuid', ({ messageId }) => messageId],
  from_lead: ['boolean', ({ fromLead }) => fromLead],
  emoji: ['text', ({ emoji }) => emoji],
  user_id: ['uuid', ({ userId }) => userId],
  reacted_at: ['timestamptz', ({ at }) => at],
});

/** $1 tenant, `pastReactionColumns`: writes reactions. */
export const insertPastReactions: NamedStatement = {
  name: 'insert-demo-reactions',
  text: `INSERT INTO message_reactions (tenant_id, ${pastReactionColumns.names.join(', ')})
    SELECT $1, * FROM ${pastReactionColumns.rows('r')}`,
};
