// Accepts an operator's message: the message, its place in the outbox, its job and its event in one transaction.
// Sending it belongs to outbound.dispatcher.ts.

import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { AppError, invalidField, notFound } from '../../platform/errors.js';
import { parseInput } from '../../platform/input.js';
import { requireUser } from '../../platform/principal.js';
import type { Principal, UserPrincipal } from '../../platform/principal.js';
import type { Queue } from '../../platform/queue.js';
import type { Transaction, Transactor } from '../../platform/transaction.js';
import type { ChatInstanceService } from '../chat-instances/chat-instance.service.js';
import type { LeadService } from '../leads/lead.service.js';
import { dispatchOutboundJob } from './dispatch-outbound.job.js';
import { emitStatusChanged } from './message-status.service.js';
import { sendMessageSchema } from './message.schema.js';
import type { Media, SendMessageInput } from './message.schema.js';
import type { MessageRow, MessageService } from './message.service.js';
import { insertOutboundMessage, insertOutboxEntry } from './message.sql.js';
import type { MessageSnapshot } from './message.sql.js';

interface OutboundContent {
  id: string;
  leadId: string;
  instanceId: string;
  body: string | null;
  media: Media | null;
  idempotencyKey: string | null;
  contentHash: Buffer<ArrayBuffer> | null;
}

export interface MessageSendOptions {
  transactor: Transactor;
  queue: Queue;
  leads: LeadService;
  chatInstances: ChatInstanceService;
  messages: MessageService;
}

const accepted = {
  status: 'QUEUED',
  externalId: null,
  errorCode: null,
  errorMessage: null,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
} as const satisfies Partial<MessageRow>;

export class MessageSendService {
  constructor(private readonly options: MessageSendOptions) {}

  /**
   * Queues a message to a lead. With an `idempotencyKey`, safe to repeat: the same key gives the same message.
   * @throws AppError NOT_FOUND for an unknown lead or instance, VALIDATION_FAILED for wrong fields or a lead without a
   * number, CONFLICT when the key was used for other content
   */
  async send(principal: Principal | undefined, input: SendMessageInput): Promise<MessageRow> {
    const user = requireUser(principal);
    const {
      leadId,
      instanceId,
      body = null,
      media = null,
      idempotencyKey = null,
    } = parseInput(sendMessageSchema, input);
    const lead = await this.options.leads.find(user, leadId);
    if (lead === null) throw notFound('lead');
    if (lead.chat === null) throw invalidField('leadId', 'this lead has no chat number yet');
    const content = {
      leadId,
      instanceId: instanceId ?? null,
      body,
      media: media === null ? null : withoutNulls(media),
    };
    const contentHash = idempotencyKey === null ? null : hashOf(content);
    const repeated = await this.findRepeated(user, idempotencyKey, contentHash);
    if (repeated !== null) return repeated;
    const id = await this.options.transactor.run(user.tenantId, async (tx) => {
      const instance = await this.chooseInstance(tx, instanceId);
      const message = { ...content, id: uuidv7(), leadId: lead.id, instanceId: instance, idempotencyKey, contentHash };
      return (await this.enqueue(tx, user, message)) ? message.id : undefined;
    });
    // Taken by a call at the same moment: that one's message is the answer.
    const sent =
      id === undefined ? await this.findRepeated(user, idempotencyKey, contentHash) : await this.get(user, id);
    if (sent === null) throw new Error('a message was neither written nor found under its idempotency key');
    // As it was accepted: a worker may have taken it meanwhile, and what became of it is told by events.
    return id === undefined ? sent : { ...sent, ...accepted };
  }

  /** @returns false when the idempotency key is taken */
  private async enqueue(tx: Transaction, user: UserPrincipal, message: OutboundContent): Promise<boolean> {
    const { id, leadId, instanceId, body, media, idempotencyKey, contentHash } = message;
    const [snapshot] = await tx.query<MessageSnapshot>(insertOutboundMessage, [
      tx.tenantId,
      id,
      leadId,
      instanceId,
      media === null ? 'text' : typeOf(media),
      body,
      media === null ? null : JSON.stringify(media),
      user.userId,
      idempotencyKey,
      contentHash,
    ]);
    if (snapshot === undefined) return false;
    await tx.query(insertOutboxEntry, [tx.tenantId, id, leadId, instanceId, uuidv7()]);
    await this.options.leads.recordMessages(tx, [{ leadId, messageId: id, unread: false }]);
    await this.options.queue.send(tx, dispatchOutboundJob, { tenantId: tx.tenantId, messageId: id });
    emitStatusChanged(tx, snapshot);
    return true;
  }

  private async chooseInstance(tx: Transaction, wanted: string | null | undefined): Promise<string> {
    const known = await this.options.chatInstances.listKnown(tx, tx.tenantId);
    const chosen = wanted == null ? known[0] : known.find((instance) => instance.id === wanted);
    if (chosen !== undefined) return chosen.id;
    throw wanted == null
      ? invalidField('instanceId', 'this tenant has no chat instance yet')
      : notFound('chat instance');
  }

  /** The message that was sent under this key before; null for a new key, or none. */
  private async findRepeated(user: UserPrincipal, key: string | null, hash: Buffer | null): Promise<MessageRow | null> {
    const first = key === null ? null : await this.options.messages.findByIdempotencyKey(user, key);
    if (first === null) return null;
    if (first.contentHash === null || hash === null || !hash.equals(first.contentHash)) {
      throw new AppError('CONFLICT', 'idempotencyKey: was used for a message with other content');
    }
    return first;
  }

  private async get(user: UserPrincipal, id: string): Promise<MessageRow> {
    const message = await this.options.messages.find(user, id);
    if (message === null) throw notFound('message');
    return message;
  }
}

/** An absent field and a null one are the same content. */
function withoutNulls(media: Media): Media {
  const { url, mimeType, fileName, caption } = media;
  return {
    url,
    ...(mimeType != null && { mimeType }),
    ...(fileName != null && { fileName }),
    ...(caption != null && { caption }),
  };
}

function hashOf(content: object): Buffer<ArrayBuffer> {
  return createHash('sha256').update(JSON.stringify(content)).digest();
}

function typeOf(media: Media): string {
  const kind = media.mimeType?.split('/')[0];
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'document';
}
