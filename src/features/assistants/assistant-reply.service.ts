// The acting side of assistants: draft, send and cancel one reply, and close, snooze, assign or tag the conversation. Every change names
// its record by the capability alone.

import type { z } from 'zod';
import { AppError, notFound } from '../../platform/errors.js';
import type { UserPrincipal } from '../../platform/principal.js';
import type { ConversationService } from '../leads/conversation/conversation.service.js';
import type { LeadRecordService } from '../leads/lead-record.service.js';
import type { LeadRow } from '../leads/lead.service.js';
import { newestMessageOf } from '../leads/lead.sql.js';
import type { MessageRow } from '../messages/message.service.js';
import type { CancelRetryService } from '../outbox/cancel-retry.service.js';
import type { SendPreviewService } from '../outbox/send-preview.service.js';
import type { MessageSendService } from '../outbox/send.service.js';
import type { assignSchema, capabilitySchema, replySchema, snoozeSchema, tagSchema } from './assistant.schema.js';
import type { AssistantReadingOptions } from './assistant-reading.service.js';
import type { ReplyPermit } from './capability.js';
import { alreadyUsed, newerMessage, requireGenuine, requirePermit } from './refusals.js';

export interface AssistantReplyOptions extends Omit<AssistantReadingOptions, 'leadLists'> {
  leadRecords: LeadRecordService;
  conversations: ConversationService;
  messageSend: MessageSendService;
  sendPreviews: SendPreviewService;
  cancelRetry: CancelRetryService;
}

/** The delay before a reply leaves, so that a person can take it back. */
const undoWindowMs = 30_000;

type Reply = z.output<typeof replySchema>;

export class AssistantReplyService {
  constructor(private readonly options: AssistantReplyOptions) {}

  /** Returns the text that `send` would send, after the same checks. Nothing is stored or sent. @throws AppError like `send` */
  async draft(user: UserPrincipal, { capability, text }: Reply): Promise<object> {
    const { permit, key } = this.open(user, capability);
    const lead = await this.getLead(user, permit);
    const input = await this.inputOf(user, permit, key, text);
    const preview = await explaining(() => this.options.sendPreviews.preview(user, input));
    await this.record(user, 'ASSISTANT_REPLY_DRAFTED', lead.id, { length: text.length });
    const [instance] = await this.options.chatInstances.listByIds(user, [preview.instanceId]);
    return {
      draft: preview.body,
      leavesThrough: instance?.instanceName ?? null,
      isSent: false,
      alreadySentAs: preview.repeated === null ? null : resultOf(preview.repeated),
    };
  }

  /**
   * Queues the reply, which leaves when the undo window is over. The call is safe to repeat: a capability makes one message, and the same
   * text returns that message again.
   * @throws AppError VALIDATION_FAILED for a capability that is not the user's; CONFLICT for a capability that has expired or made another
   * reply, and when a newer message has arrived; otherwise like `MessageSendService.send`. A reply counts as a schedule: OPTED_OUT wherever
   * the lead has opted out
   */
  async send(user: UserPrincipal, { capability, text }: Reply): Promise<object> {
    const { permit, key } = this.open(user, capability);
    const { leadId } = permit;
    const audited = async (message: MessageRow | undefined): Promise<MessageRow> => {
      const input = await this.inputOf(user, permit, key, text, message);
      return this.options.messageSend.send(user, input, (tx, messageId) =>
        this.options.audit.record(tx, user, [
          {
            tenantId: user.tenantId,
            action: 'ASSISTANT_REPLY_SENT',
            targetKind: 'LEAD',
            targetId: leadId,
            after: { messageId },
          },
        ]),
      );
    };
    return resultOf(await explaining(() => this.repeating(user, key, audited)));
  }

  /**
   * Takes back a reply that has not left. The call is safe to repeat, also after the capability has expired.
   * @throws AppError NOT_FOUND if no reply was sent with the capability; CONFLICT once the reply may have left
   */
  async cancel(user: UserPrincipal, { capability }: z.output<typeof capabilitySchema>): Promise<object> {
    const opened = requireGenuine(this.options.capabilities.openPermit(user, capability));
    const sent = await this.findSent(user, opened.key);
    if (sent === undefined) throw notFound('reply of this capability');
    const message = await this.options.cancelRetry.cancel(user, sent.id);
    if (sent.status !== 'CANCELED')
      await this.record(user, 'ASSISTANT_REPLY_CANCELED', message.leadId, { messageId: message.id });
    return resultOf(message);
  }

  async close(user: UserPrincipal, { capability }: z.output<typeof capabilitySchema>): Promise<object> {
    const leadId = await this.openUnchanged(user, capability);
    await this.recordChange(user, leadId, { status: 'CLOSED' });
    return stateOf(await this.options.conversations.close(user, leadId));
  }

  async snooze(user: UserPrincipal, { capability, until }: z.output<typeof snoozeSchema>): Promise<object> {
    const leadId = await this.openUnchanged(user, capability);
    await this.recordChange(user, leadId, { status: 'SNOOZED', until });
    return stateOf(await this.options.conversations.snooze(user, leadId, new Date(until)));
  }

  async assign(user: UserPrincipal, { capability, to }: z.output<typeof assignSchema>): Promise<object> {
    const { leadId } = this.open(user, capability).permit;
    await this.recordChange(user, leadId, { assignedTo: to });
    const lead = await this.options.leadRecords.assign(user, leadId, to === 'me' ? user.userId : null);
    return { ...stateOf(lead), assignedTo: lead.assigneeId === user.userId ? 'me' : 'nobody' };
  }

  async tag(user: UserPrincipal, { capability, add, remove }: z.output<typeof tagSchema>): Promise<object> {
    const { leadId } = this.open(user, capability).permit;
    await this.recordChange(user, leadId, { addTags: add, removeTags: remove });
    const lead = await this.options.leadRecords.update(user, leadId, { addTags: add, removeTags: remove });
    return { ...stateOf(lead), tags: lead.tags };
  }

  private open(user: UserPrincipal, capability: string): { permit: ReplyPermit; key: string } {
    const { content: permit, key } = requirePermit(this.options.capabilities.openPermit(user, capability));
    return { permit, key };
  }

  /** Returns the capability's lead, if only the capability's own reply came after the message that was read. @throws AppError CONFLICT */
  private async openUnchanged(user: UserPrincipal, capability: string): Promise<string> {
    const { permit, key } = this.open(user, capability);
    const lead = await this.getLead(user, permit);
    const newestId = newestMessageOf(lead)?.id;
    if (newestId !== permit.lastMessageId && newestId !== (await this.findSent(user, key))?.id) throw newerMessage();
    return lead.id;
  }

  private async getLead(user: UserPrincipal, { leadId }: ReplyPermit): Promise<LeadRow> {
    const lead = await this.options.leads.find(user, leadId);
    if (lead === null) throw notFound('conversation');
    return lead;
  }

  // Two calls may use a capability at the same moment: the second then finds the message that the first has made.
  private async repeating(
    user: UserPrincipal,
    key: string,
    send: (sent: MessageRow | undefined) => Promise<MessageRow>,
  ): Promise<MessageRow> {
    const before = await this.findSent(user, key);
    try {
      return await send(before);
    } catch (error) {
      const sent = before === undefined ? await this.findSent(user, key) : undefined;
      if (sent === undefined) throw error;
      return send(sent);
    }
  }

  private async inputOf(user: UserPrincipal, permit: ReplyPermit, key: string, text: string, sent?: MessageRow) {
    const first = sent ?? (await this.findSent(user, key));
    return {
      leadId: permit.leadId,
      instanceId: permit.instanceId,
      body: text,
      expectedLastMessageId: permit.lastMessageId,
      idempotencyKey: idempotencyKeyOf(key),
      // The idempotency key covers the time too, so a repeated call has to send the same time.
      sendAt: first?.scheduledFor ?? new Date(Date.now() + undoWindowMs),
    };
  }

  private async findSent(user: UserPrincipal, key: string): Promise<MessageRow | undefined> {
    return (await this.options.messages.findByIdempotencyKey(user, idempotencyKeyOf(key))) ?? undefined;
  }

  private recordChange(user: UserPrincipal, leadId: string, after: object): Promise<void> {
    return this.record(user, 'ASSISTANT_CONVERSATION_CHANGED', leadId, after);
  }

  private record(
    user: UserPrincipal,
    action: 'ASSISTANT_REPLY_DRAFTED' | 'ASSISTANT_REPLY_CANCELED' | 'ASSISTANT_CONVERSATION_CHANGED',
    targetId: string,
    after: object,
  ): Promise<void> {
    const { audit, database } = this.options;
    return audit.record(database, user, [{ tenantId: user.tenantId, action, targetKind: 'LEAD', targetId, after }]);
  }
}

function idempotencyKeyOf(key: string): string {
  return `assistant:${key}`;
}

// The errors of `sendMessage` name its own fields, which the tools do not have.
async function explaining<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'CONFLICT' && error.message.startsWith('idempotencyKey')) throw alreadyUsed();
    if (error.code === 'CONFLICT' && error.message.startsWith('expectedLastMessageId')) throw newerMessage();
    throw error;
  }
}

function resultOf({ status, scheduledFor, body }: MessageRow) {
  return { text: body, status, leavesAt: status === 'QUEUED' ? scheduledFor : null };
}

function stateOf({ conversationStatus, snoozedUntil }: LeadRow) {
  return { status: conversationStatus, snoozedUntil };
}
