// Bulk sends: one template to many leads, and its progress. Recipients and texts belong to bulk-recipients.ts, queueing and sending to
// the outbox.

import type { Database } from '../../platform/database/database.js';
import { AppError, invalidField, notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/input/input.js';
import { keyFilter, readPage, type KeyRange, type Page, type PageArgs } from '../../platform/database/page.js';
import { requireUser, type Principal, type UserPrincipal } from '../../platform/principal.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import type { ChannelTemplateService } from '../channel-templates/channel-template.service.js';
import type { ConsentService } from '../consent/consent.service.js';
import { listClosedWindows, windowClosed } from '../messages/reply-window/reply-window.service.js';
import type { BulkEnqueueService } from '../outbox/bulk-enqueue.service.js';
import type { MessageStatus } from '../messages/status-rank.sql.js';
import type { TemplateService } from '../templates/template.service.js';
import {
  countByStatus,
  insertBulkSend,
  markCanceled,
  newBulkSend,
  watchBulkSends,
  type BulkSendRow,
} from './bulk-send.sql.js';
import {
  hashOfBulkSend,
  readBulkSend,
  renderTexts,
  type BulkTemplate,
  type BulkText,
  type WantedBulkSend,
} from './bulk-recipients.js';
import type { optedOutChoices, SendMessagesInput } from './bulk-send.schema.js';

export type { BulkSendRow } from './bulk-send.sql.js';

/** The number of a bulk send's messages by status. The sum is its total, less the messages of leads that were erased since. */
export type BulkSendProgressRecord = Record<Lowercase<MessageStatus>, number>;

export interface BulkSendOptions {
  database: Database;
  transactor: Transactor;
  templates: TemplateService;
  channelTemplates: ChannelTemplateService;
  bulkEnqueue: BulkEnqueueService;
  consent: Pick<ConsentService, 'listOptOuts'>;
}

/** A bulk send that is ready to be written. */
interface ReadyBulkSend {
  wanted: WantedBulkSend;
  contentHash: Buffer<ArrayBuffer>;
  template: BulkTemplate;
  texts: BulkText[];
  /** The number of recipients that are left out because they have opted out. */
  skipped: number;
}

export class BulkSendService {
  constructor(private readonly options: BulkSendOptions) {}

  /**
   * Queues a template for up to 10,000 leads, all of them or none, after messages of operators. Safe to repeat: the same key returns
   * the same bulk send, even if its template, instance or leads have changed since.
   * @throws AppError VALIDATION_FAILED naming the first 100 wrong fields (`recipients.<index>.leadId` for a lead that is unknown,
   * without a number or named before, `recipients.<index>.variables.<name>` for a missing variable, `templateId` for a template with
   * files or another user's), NOT_FOUND for an unknown
   * template or instance, CONFLICT if the key was used for other content, OPTED_OUT if recipients that have opted out are refused,
   * WINDOW_CLOSED naming the first 100 leads whose reply window is closed, NOT_OFFERED for a channel template if the network has none
   */
  async send(principal: Principal | undefined, input: SendMessagesInput): Promise<BulkSendRow> {
    const user = requireUser(principal);
    const wanted = await readBulkSend(input);
    const contentHash = await hashOfBulkSend(wanted);
    const repeated = await this.findRepeated(user, wanted.idempotencyKey, contentHash);
    if (repeated !== null) return repeated;
    const template = await this.prepare(user, wanted);
    const texts = await renderTexts(this.options.database, user.tenantId, template, wanted.recipients);
    const wantedTexts = await this.withoutOptedOut(user, texts, wanted.onOptedOut ?? 'SKIP');
    const skipped = texts.length - wantedTexts.length;
    const ready = { wanted, contentHash, template, texts: wantedTexts, skipped };
    const written = await this.options.transactor.run(user.tenantId, (tx) => this.write(tx, user, ready));
    // A parallel call with the same key was first: return its bulk send.
    const sent = written ?? (await this.findRepeated(user, wanted.idempotencyKey, contentHash));
    if (sent === null) throw new Error('a bulk send was neither written nor found under its idempotency key');
    return sent;
  }

  /** @returns null if the tenant has no bulk send with this id */
  async find(principal: Principal | undefined, id: string): Promise<BulkSendRow | null> {
    const { tenantId } = requireUser(principal);
    if (!isUuid(id)) return null;
    return this.options.database.prisma.bulkSend.findUnique({ where: { tenantId_id: { tenantId, id } } });
  }

  /** Returns the tenant's bulk sends, the newest first. */
  async list(principal: Principal | undefined, args: PageArgs): Promise<Page<BulkSendRow>> {
    const { tenantId } = requireUser(principal);
    const read = (range: KeyRange) => {
      const { bound, sort } = keyFilter(range, 'desc');
      const where = { tenantId, id: bound };
      return this.options.database.prisma.bulkSend.findMany({ where, orderBy: { id: sort }, take: range.limit });
    };
    const count = () => this.options.database.prisma.bulkSend.count({ where: { tenantId } });
    return readPage(args, { list: 'bulk-sends', keyOf: (bulkSend) => bulkSend.id, read, count });
  }

  /** Returns bulk sends by id, in one statement, for batched reads. */
  async listByIds({ tenantId }: Principal, ids: readonly string[]): Promise<BulkSendRow[]> {
    return this.options.database.prisma.bulkSend.findMany({ where: { tenantId, id: { in: [...ids] } } });
  }

  /** Returns the progress of many bulk sends, in one statement. */
  async listProgress(
    { tenantId }: Principal,
    ids: readonly string[],
  ): Promise<{ id: string; progress: BulkSendProgressRecord }[]> {
    const rows = await this.options.database.query<StatusCount>(countByStatus, [tenantId, ids]);
    return [...Map.groupBy(rows, ({ id }) => id)].map(([id, counts]) => ({ id, progress: progressOf(counts) }));
  }

  /**
   * Cancels the messages that are queued, also those that wait for their next attempt. Messages that are being sent, or may have been
   * sent, continue. Safe to repeat: `canceledAt` is the time of the first call.
   * @throws AppError NOT_FOUND
   */
  async cancel(principal: Principal | undefined, id: string): Promise<BulkSendRow> {
    const { tenantId } = requireUser(principal);
    if (!isUuid(id)) throw notFound('bulk send');
    return this.options.transactor.run(tenantId, async (tx) => {
      await this.options.bulkEnqueue.cancelUntaken(tx, id);
      const [canceled] = await tx.query<BulkSendRow>(markCanceled, [tenantId, id]);
      if (canceled === undefined) throw notFound('bulk send');
      return canceled;
    });
  }

  private async prepare(user: UserPrincipal, wanted: WantedBulkSend): Promise<BulkTemplate> {
    const { templateId, channelTemplateId, instanceId = null } = wanted;
    if (channelTemplateId == null) {
      const template = await this.options.templates.prepare(user, templateId ?? '');
      // Files would be messages of their own, which progress and cancellation do not count.
      if (template.fileIds.length > 0) throw invalidField('templateId', 'has files, which bulk sends do not carry');
      return { template };
    }
    const asked = { id: channelTemplateId, path: 'channelTemplateId', instanceId };
    return { channelTemplate: await this.options.channelTemplates.prepare(user, asked) };
  }

  /**
   * Applies the choice to leads that have opted out. The claim finds later opt-outs.
   * @throws AppError OPTED_OUT naming the first 100 recipients
   */
  private async withoutOptedOut(
    user: UserPrincipal,
    texts: BulkText[],
    choice: keyof typeof optedOutChoices,
  ): Promise<BulkText[]> {
    const ids = texts.map(({ leadId }) => leadId);
    const optedOut = new Set((await this.options.consent.listOptOuts(user, ids)).map(({ leadId }) => leadId));
    if (optedOut.size === 0) return texts;
    if (choice === 'SKIP') return texts.filter(({ leadId }) => !optedOut.has(leadId));
    // Each recipient has one text, in their order.
    const errors = texts.flatMap(({ leadId }, index) =>
      optedOut.has(leadId) ? [{ path: `recipients.${index}.leadId`, message: 'this lead has opted out' }] : [],
    );
    throw new AppError('OPTED_OUT', `${errors.length} of the recipients have opted out`, { errors });
  }

  /** @returns undefined when the idempotency key is taken */
  private async write(tx: Transaction, user: UserPrincipal, ready: ReadyBulkSend): Promise<BulkSendRow | undefined> {
    const { wanted, contentHash, template, texts, skipped } = ready;
    const { templateId, templateVersion, channelTemplate, ownInstanceId } = recordOf(template);
    const instance = await this.options.bulkEnqueue.holdInstance(tx, ownInstanceId ?? wanted.instanceId ?? null);
    const { id: instanceId } = instance;
    const sendAt = wanted.sendAt ?? null;
    const values = newBulkSend.valuesOf({
      id: newRecordId(),
      templateId,
      templateVersion,
      channelTemplate,
      instanceId,
      authorId: user.userId,
      idempotencyKey: wanted.idempotencyKey,
      contentHash,
      total: texts.length,
      skipped,
    });
    const [written] = await tx.query<BulkSendRow>(insertBulkSend, [tx.tenantId, ...values, sendAt]);
    if (written === undefined) return undefined;
    if (channelTemplate === null && instance.hasReplyWindow) await requireOpenWindows(tx, instanceId, texts);
    await tx.query(watchBulkSends, [tx.tenantId, sendAt]);
    const terms = { bulkSendId: written.id, instanceId, authorId: user.userId, templateId, templateVersion, sendAt };
    await this.options.bulkEnqueue.enqueue(tx, texts, terms);
    return written;
  }

  /** Returns the bulk send with this key; null for a new key. @throws AppError CONFLICT if the key was used for other content */
  private async findRepeated(user: UserPrincipal, key: string, contentHash: Buffer): Promise<BulkSendRow | null> {
    const where = { tenantId_idempotencyKey: { tenantId: user.tenantId, idempotencyKey: key } };
    const first = await this.options.database.prisma.bulkSend.findUnique({ where });
    if (first !== null && !contentHash.equals(first.contentHash))
      throw new AppError('CONFLICT', 'idempotencyKey: was used for a bulk send with other content');
    return first;
  }
}

/** Returns the columns that a bulk send stores of its template, and the only instance that can send a channel template. */
function recordOf(template: BulkTemplate) {
  if ('template' in template) {
    const { templateId, version: templateVersion } = template.template;
    return { templateId, templateVersion, channelTemplate: null, ownInstanceId: null };
  }
  const { id, name, language, instanceId: ownInstanceId } = template.channelTemplate;
  const channelTemplate = JSON.stringify({ id, name, language });
  return { templateId: null, templateVersion: null, channelTemplate, ownInstanceId };
}

/** @throws AppError WINDOW_CLOSED naming the first 100 recipients */
async function requireOpenWindows(tx: Transaction, instanceId: string, texts: readonly BulkText[]): Promise<void> {
  const ids = texts.map(({ leadId }) => leadId);
  const closed = await listClosedWindows(tx, tx.tenantId, instanceId, ids);
  if (closed.size === 0) return;
  const named = texts.filter(({ leadId }) => closed.has(leadId));
  throw windowClosed(
    named.map(({ index }) => ({ path: `recipients.${index}.leadId`, message: "this lead's reply window is closed" })),
  );
}

interface StatusCount {
  id: string;
  /** Null if the bulk send has no messages any more. */
  status: MessageStatus | null;
  count: number | null;
}

const nothingYet: BulkSendProgressRecord = {
  queued: 0,
  sending: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  canceled: 0,
};

function progressOf(counts: readonly StatusCount[]): BulkSendProgressRecord {
  const given = counts.flatMap(({ status, count }) =>
    status === null ? [] : [[status.toLowerCase(), count] as const],
  );
  return { ...nothingYet, ...Object.fromEntries(given) };
}
