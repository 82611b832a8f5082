// Accepts an operator's message: the message, its place in the outbox, its job and its event in one transaction.
// Sending it belongs to dispatcher.ts.

import { SpanKind } from '@opentelemetry/api';
import { AppError, invalidField, notFound } from '../../platform/errors.js';
import { parseInput } from '../../platform/input/input.js';
import { requireUser, type Principal, type UserPrincipal } from '../../platform/principal.js';
import type { Queue } from '../../platform/jobs/queue.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { beginJourney } from '../../platform/observability/trace-scope.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import { messageOf, type ChannelTemplateService } from '../channel-templates/channel-template.service.js';
import type { ChatInstanceService } from '../chat-instances/chat-instance.service.js';
import type { LeadRow, LeadService } from '../leads/lead.service.js';
import { lockNewestMessage } from '../leads/lead-list.sql.js';
import { sendMessageSchema, type SendMessageInput, type SentMedia } from '../messages/message.schema.js';
import { hasReachedNetwork, isWritten, type MessageRow, type MessageService } from '../messages/message.service.js';
import type { MediaService } from '../media/media.service.js';
import type { MessageAtChange } from '../messages/message.sql.js';
import { windowClosed } from '../messages/reply-window/reply-window.service.js';
import { emitCreated } from '../messages/status.service.js';
import type { TemplateService } from '../templates/template.service.js';
import type { MessageSignatureService } from '../users/message-signature.service.js';
import { dispatchOutboundJob } from './outbox.jobs.js';
import {
  insertOutboundMessage,
  insertOutboxEntry,
  outboundMessage,
  outboxEntry,
  selectIsRefused,
  selectNewestNotice,
  selectOtherMessagesAfter,
  type OutboundMessage,
} from './outbox.sql.js';
import { signed, withFiles, type PersonText } from './person-text.js';
import { type WantedContent, hashOf, withoutNulls, typeOf } from './sent-content.js';

export interface Wanted extends WantedContent {
  replyToMessageId: string | null;
  idempotencyKey: string | null;
  expectedLastMessageId: string | null;
}

/** The content of the message. A channel template also says through which instance it leaves, a template which uploads go with it. */
type Text = Pick<OutboundMessage, 'body' | 'templateId' | 'templateVersion' | 'channelTemplate'> & {
  instanceId?: string;
  fileIds?: readonly string[];
};

/** A caller's request, after everything that is checked before the transaction. */
export interface PreparedSend {
  wanted: Wanted;
  text: Text;
  quoted: MessageRow | null;
  media: SentMedia | null;
  /** Further files of the template, each a message of its own. */
  following: PersonText[];
  leadId: string;
  contentHash: Buffer<ArrayBuffer> | null;
}

/** The most messages that a CONFLICT shows. */
const maxUnseenMessages = 50;

export interface MessageSendOptions {
  transactor: Transactor;
  queue: Queue;
  leads: LeadService;
  chatInstances: ChatInstanceService;
  templates: TemplateService;
  channelTemplates: ChannelTemplateService;
  messages: MessageService;
  media: MediaService;
  signatures: Pick<MessageSignatureService, 'find'>;
  /** Called after the commit, where this process sends as well: the job that tells other workers takes a few milliseconds more. */
  onQueued?: ((tenantId: string) => void) | undefined;
}

/** A message as it was queued. A scheduled one leaves later. */
export type AdmittedMessage = MessageAtChange & { isScheduled: boolean; position: string };

export class MessageSendService {
  constructor(private readonly options: MessageSendOptions) {}

  /**
   * Queues a message to a lead: at once, or for a time within a year. Without an `instanceId` it leaves through the lead's reply instance,
   * as it is now; a quote through that of the message that it quotes. A template is rendered now and not read again; the files that do not
   * go with its text follow as messages of their own. The text begins with the tenant's signature, unless an assistant wrote it. With an
   * `idempotencyKey` the call is safe to repeat: the same key gives the same message, also after a change of the template or the signature.
   * @param alongside is written with a new message, in its transaction
   * @throws AppError NOT_FOUND for an unknown lead, instance, template or quoted message; VALIDATION_FAILED for wrong fields or variables,
   * a lead without a number, or a message that cannot be quoted; CONFLICT when the key was used for other content, or when
   * `expectedLastMessageId` is not the lead's newest message: `unseenMessages` are the first 50 after it; OPTED_OUT for a schedule, or more
   * than 24 hours after its last message, where the lead has opted out; WINDOW_CLOSED for a free text outside of the reply window;
   * NOT_OFFERED for a channel template where the network has none
   */
  async send(
    principal: Principal | undefined,
    input: SendMessageInput,
    alongside?: (tx: Transaction, messageId: string) => Promise<void>,
  ): Promise<MessageRow> {
    const user = requireUser(principal);
    const prepared = await this.prepare(user, input);
    if ('repeated' in prepared) return prepared.repeated;
    const { expectedLastMessageId } = prepared.wanted;
    const written = await this.options.transactor.run(user.tenantId, async (tx) => {
      const message = await this.compose(tx, user, prepared);
      if (!(await this.enqueue(tx, message, expectedLastMessageId))) return undefined;
      for (const next of this.composeFollowing(message, prepared)) await this.enqueue(tx, next, null);
      await alongside?.(tx, message.id);
      // After the commit a worker may send it, so that an error would be wrong: a failover can lose the key that a repeated call has.
      return this.options.messages.getWritten(tx, message.id);
    });
    if (written === undefined) return this.getRepeated(user, prepared);
    this.tellQueued(user.tenantId, written.id);
    return written;
  }

  /**
   * Everything that is checked before the transaction of a send; or the message that was sent under its idempotency key before.
   * @throws AppError as `send`
   */
  async prepare(user: UserPrincipal, input: SendMessageInput): Promise<PreparedSend | { repeated: MessageRow }> {
    const wanted = toWanted(input);
    const { idempotencyKey } = wanted;
    const lead = await this.options.leads.find(user, wanted.leadId);
    if (lead === null) throw notFound('lead');
    if (lead.chat === null) throw invalidField('leadId', 'this lead has no chat number yet');
    const contentHash = idempotencyKey === null ? null : hashOf(wanted);
    const repeated = await this.findRepeated(user, idempotencyKey, contentHash);
    if (repeated !== null) return { repeated };
    const { fileIds = [], ...rendered } = await this.render(user, wanted, lead);
    const quoted = await this.findQuoted(user, wanted, lead.id);
    const described = { ...rendered, media: await this.describeFile(user, wanted.media) };
    const whole = await this.sign(user, described);
    const files = await Promise.all(fileIds.map((id) => this.describeTemplateFile(user, id)));
    const [{ body, media }, ...following] = withFiles(whole, files);
    return { wanted, text: { ...rendered, body }, quoted, media, following, leadId: lead.id, contentHash };
  }

  // The network's own templates are sent as they were approved.
  private async sign<Content extends Text & PersonText>(user: UserPrincipal, content: Content): Promise<Content> {
    if (content.channelTemplate !== null || (content.body === null && content.media?.caption == null)) return content;
    return signed(content, await this.options.signatures.find(user), content.templateId !== null);
  }

  /** The message that a prepared send would be, with the instance through which it leaves. @throws AppError as `send` */
  async compose(tx: Transaction, user: UserPrincipal, prepared: PreparedSend): Promise<OutboundMessage> {
    const { wanted, text, quoted, media, leadId, contentHash } = prepared;
    const named = text.instanceId ?? wanted.instanceId ?? quoted?.instanceId ?? null;
    const instanceId = await this.chooseInstance(tx, leadId, named);
    const type = text.channelTemplate === null ? typeOf(media) : 'template';
    const ids = { id: newRecordId(), leadId, instanceId, authorId: user.userId };
    const origin = { origin: 'USER', replyTo: quoted?.externalId ?? null } as const;
    return { ...wanted, ...text, media, ...ids, ...origin, type, contentHash };
  }

  /** The messages of the files that follow a template's text. They quote nothing and have no key of their own. */
  composeFollowing(first: OutboundMessage, { following }: PreparedSend): OutboundMessage[] {
    const own = { templateId: null, templateVersion: null, replyTo: null, idempotencyKey: null, contentHash: null };
    return following.map((text) => ({ ...first, ...own, ...text, id: newRecordId(), type: typeOf(text.media) }));
  }

  /** The message whose call took the idempotency key at the same moment. */
  async getRepeated(user: UserPrincipal, { wanted, contentHash }: PreparedSend): Promise<MessageRow> {
    const sent = await this.findRepeated(user, wanted.idempotencyKey, contentHash);
    if (sent === null) throw new Error('a message was neither written nor found under its idempotency key');
    return sent;
  }

  private tellQueued(tenantId: string, id: string): void {
    const attributes = { 'leadwire.tenant.id': tenantId, 'leadwire.message.id': id };
    beginJourney('queue message', id, { kind: SpanKind.PRODUCER, attributes });
    this.options.onQueued?.(tenantId);
  }

  private async render(user: UserPrincipal, wanted: Wanted, lead: LeadRow): Promise<Text> {
    const { body, templateId, variables, channelTemplate } = wanted;
    const plain = { body, templateId, templateVersion: null, channelTemplate: null };
    if (channelTemplate !== null) {
      const asked = { id: channelTemplate.id, path: 'channelTemplate.id', instanceId: wanted.instanceId };
      const template = await this.options.channelTemplates.prepare(user, asked);
      const message = messageOf(template, channelTemplate.variables, 'channelTemplate.variables');
      return { ...plain, ...message, instanceId: template.instanceId };
    }
    if (templateId === null) return plain;
    const rendered = await this.options.templates.renderFor(user, { templateId, variables }, lead);
    const { fileIds } = rendered;
    return { ...plain, body: rendered.body, templateVersion: rendered.version, fileIds };
  }

  /** Adds the type and the name of the uploaded file. @throws AppError as MediaService.getSendable */
  private async describeFile(user: UserPrincipal, media: SentMedia | null): Promise<SentMedia | null> {
    if (media?.id == null) return media;
    const file = await this.options.media.getSendable(user, media.id);
    const fileName = media.fileName ?? file.fileName;
    return { ...media, mimeType: file.mimeType, ...(fileName !== null && { fileName }) };
  }

  /** A template's file, as if the call named it. @throws AppError as MediaService.getSendable */
  private async describeTemplateFile(user: UserPrincipal, id: string): Promise<SentMedia> {
    const { mimeType, fileName } = await this.options.media.getSendable(user, id);
    return { id, mimeType, ...(fileName !== null && { fileName }) };
  }

  private async attachFile(tx: Transaction, messageId: string, media: SentMedia): Promise<void> {
    const { id, fileName = null, mimeType = null } = media;
    if (id == null) await this.options.media.expectSent(tx, { messageId, fileName, mimeType });
    else await this.options.media.attach(tx, messageId, id, fileName);
  }

  /**
   * The message that is quoted; null where none is. @throws AppError NOT_FOUND; VALIDATION_FAILED where it is another lead's or another
   * instance's, has not reached the network, or was deleted
   */
  private async findQuoted(user: UserPrincipal, wanted: Wanted, leadId: string): Promise<MessageRow | null> {
    const { replyToMessageId, instanceId } = wanted;
    if (replyToMessageId === null) return null;
    const quoted = await this.get(user, replyToMessageId);
    const problem = quoteProblem(quoted, leadId, instanceId);
    if (problem !== undefined) throw invalidField('replyToMessageId', problem);
    return quoted;
  }

  /**
   * Writes a message, its outbox row, its job and its event. For what the service sends by itself: origin `SYSTEM`, without an author.
   * @param expectedNewestId CONFLICT unless it is the lead's newest message; null expects nothing
   * @returns false when the idempotency key is taken
   */
  async enqueue(tx: Transaction, message: OutboundMessage, expectedNewestId: string | null): Promise<boolean> {
    const admitted = await this.admit(tx, message, expectedNewestId);
    if (admitted === undefined) return false;
    const { isScheduled, position, ...snapshot } = admitted;
    const { id, leadId } = message;
    // The lead waits until a scheduled answer was sent.
    const moved = await this.options.leads.recordMessages(tx, [
      { leadId, messageId: id, position, unread: false, answers: !isScheduled },
    ]);
    const survivorId = moved.get(id);
    if (survivorId !== undefined) await this.refuseOptedOut(tx, survivorId, id);
    await this.options.queue.send(tx, dispatchOutboundJob, { tenantId: tx.tenantId });
    emitCreated(tx, survivorId === undefined ? snapshot : { ...snapshot, leadId: survivorId });
    return true;
  }

  /**
   * Writes a message and its outbox row, with every check that the transaction makes; `enqueue` adds what follows from it.
   * @returns undefined when the idempotency key is taken. @throws AppError as `send`
   */
  async admit(
    tx: Transaction,
    message: OutboundMessage,
    expectedNewestId: string | null,
  ): Promise<AdmittedMessage | undefined> {
    const { id, leadId, instanceId, sendAt } = message;
    const values = [tx.tenantId, sendAt, ...outboundMessage.valuesOf(message)];
    const [inserted] = await tx.query<AdmittedMessage & { isWindowClosed: boolean }>(insertOutboundMessage, values);
    if (inserted === undefined) return undefined;
    const { isWindowClosed, ...snapshot } = inserted;
    // The newest message is checked once the key is known to be new: a repeated call is not measured by what the first one has changed.
    await expectNewest(tx, message, expectedNewestId);
    if (message.media !== null) await this.attachFile(tx, id, message.media);
    const entry = outboxEntry.valuesOf({ messageId: id, leadId, instanceId });
    const entryValues = [tx.tenantId, newRecordId(), ...entry];
    const [written] = await tx.query<{ isRefused: boolean }>(insertOutboxEntry, entryValues);
    // The opt-out is checked first, as it holds for every message: a channel template would be refused as well.
    if (written?.isRefused === true) throw optedOut();
    if (isWindowClosed) throw windowClosed();
    return snapshot;
  }

  // The lead was merged while the message was written, and the person that it is now may have opted out.
  private async refuseOptedOut(tx: Transaction, leadId: string, messageId: string): Promise<void> {
    const [asked] = await tx.query<{ isRefused: boolean }>(selectIsRefused, [tx.tenantId, leadId, messageId]);
    if (asked?.isRefused === true) throw optedOut();
  }

  /** Chooses the wanted instance, or else the one that a reply to the lead leaves through. */
  private async chooseInstance(tx: Transaction, leadId: string, wanted: string | null): Promise<string> {
    const { chatInstances, messages } = this.options;
    if (wanted === null) {
      const chosen = await messages.findReplyInstance(tx, leadId);
      if (chosen === null) throw invalidField('instanceId', 'this tenant has no chat instance yet');
      return chosen;
    }
    const known = await chatInstances.listKnown(tx, tx.tenantId);
    if (!known.some(({ id }) => id === wanted)) throw notFound('chat instance');
    return wanted;
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

function toWanted(input: SendMessageInput): Wanted {
  const parsed = parseInput(sendMessageSchema, input);
  return {
    leadId: parsed.leadId,
    instanceId: parsed.instanceId ?? null,
    body: parsed.body ?? null,
    media: parsed.media == null ? null : withoutNulls(parsed.media),
    templateId: parsed.templateId ?? null,
    variables: parsed.variables,
    channelTemplate: parsed.channelTemplate ?? null,
    sendAt: parsed.sendAt ?? null,
    replyToMessageId: parsed.replyToMessageId ?? null,
    idempotencyKey: parsed.idempotencyKey ?? null,
    expectedLastMessageId: parsed.expectedLastMessageId ?? null,
  };
}

function quoteProblem(quoted: MessageRow, leadId: string, instanceId: string | null): string | undefined {
  if (quoted.leadId !== leadId) return 'is not a message of this lead';
  if (instanceId !== null && quoted.instanceId !== instanceId) return 'came or went through another chat instance';
  if (quoted.deletedAt !== null) return 'was deleted by its writer';
  if (!isWritten(quoted)) return 'is a notice or a call, which cannot be quoted';
  return hasReachedNetwork(quoted) ? undefined : 'has not reached the network yet';
}

async function expectNewest(tx: Transaction, { id, leadId }: OutboundMessage, expected: string | null): Promise<void> {
  if (expected === null) return;
  const [newest] = await tx.query<{ messageId: string | null }>(lockNewestMessage, [tx.tenantId, leadId]);
  if (newest?.messageId === expected) return;
  const after = [tx.tenantId, leadId, expected, id];
  const [notice] = await tx.query<{ isNewest: boolean }>(selectNewestNotice, after);
  if (notice?.isNewest === true) return;
  const unseenMessages = await tx.query(selectOtherMessagesAfter, [...after, maxUnseenMessages]);
  const error = { path: 'expectedLastMessageId', message: "is not the lead's newest message any more" };
  throw new AppError('CONFLICT', `${error.path}: ${error.message}`, { errors: [error], details: { unseenMessages } });
}

/** A message that may not be sent, as its lead has opted out. */
export function optedOut(): AppError {
  const detail =
    'The lead has opted out: reply within 24 hours of its last message, or send again once it has opted in. Schedules and bulk messages are never sent';
  return new AppError('OPTED_OUT', detail);
}
