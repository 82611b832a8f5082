// Bulk sends: one template to many leads, and its progress. Recipients and texts belong to bulk-recipients.ts, queueing and sending to
// the outbox.

import type { Database } from '../../platform/database.js';
import { AppError, notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/input.js';
import { keyFilter, readPage } from '../../platform/page.js';
import type { KeyRange, Page, PageArgs } from '../../platform/page.js';
import { requireUser } from '../../platform/principal.js';
import type { Principal, UserPrincipal } from '../../platform/principal.js';
import { newRecordId } from '../../platform/record-id.js';
import type { Transaction, Transactor } from '../../platform/transaction.js';
import type { BulkQueueService, QueuedText } from '../outbox/bulk-queue.service.js';
import type { MessageStatus } from '../messages/status.service.js';
import type { PreparedTemplate, TemplateService } from '../templates/template.service.js';
import { countByStatus, insertBulkSend, markCanceled, newBulkSend, watchBulkSends } from './bulk-send.sql.js';
import type { BulkSendRow } from './bulk-send.sql.js';
import { hashOfBulkSend, readBulkSend, renderTexts } from './bulk-recipients.js';
import type { WantedBulkSend } from './bulk-recipients.js';
import type { SendMessagesInput } from './bulk-send.schema.js';

export type { BulkSendRow } from './bulk-send.sql.js';

/** The number of a bulk send's messages by status. The sum is its total. */
export type BulkSendProgressRecord = Record<Lowercase<MessageStatus>, number>;

export interface BulkSendOptions {
  database: Database;
  transactor: Transactor;
  templates: TemplateService;
  bulkQueue: BulkQueueService;
}

/** What is needed to write a bulk send. */
interface ReadyBulkSend {
  wanted: WantedBulkSend;
  contentHash: Buffer<ArrayBuffer>;
  template: PreparedTemplate;
  texts: QueuedText[];
}

export class BulkSendService {
  constructor(private readonly options: BulkSendOptions) {}

  /**
   * Queues a template for up to 10,000 leads, all of them or none, after messages of operators. Safe to repeat: the same key returns
   * the same bulk send, even if its template, instance or leads have changed since.
   * @throws AppError VALIDATION_FAILED naming the first 100 wrong fields (`recipients.<index>.leadId` for a lead that is unknown,
   * without a number or named before, `recipients.<index>.variables.<name>` for a missing variable), NOT_FOUND for an unknown
   * template or instance, CONFLICT if the key was used for other content
   */
  async send(principal: Principal | undefined, input: SendMessagesInput): Promise<BulkSendRow> {
    const user = requireUser(principal);
    const wanted = await readBulkSend(input);
    const contentHash = await hashOfBulkSend(wanted);
    const repeated = await this.findRepeated(user, wanted.idempotencyKey, contentHash);
    if (repeated !== null) return repeated;
    const template = await this.options.templates.prepare(user, wanted.templateId);
    const texts = await renderTexts(this.options.database, user.tenantId, template, wanted.recipients);
    const ready = { wanted, contentHash, template, texts };
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

  /** The tenant's bulk sends, newest first. */
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

  /** Bulk sends by id, in one statement, for batched reads. */
  async listByIds({ tenantId }: Principal, ids: readonly string[]): Promise<BulkSendRow[]> {
    return this.options.database.prisma.bulkSend.findMany({ where: { tenantId, id: { in: [...ids] } } });
  }

  /** The progress of many bulk sends, in one statement. */
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
      await this.options.bulkQueue.cancelUntaken(tx, id);
      const [canceled] = await tx.query<BulkSendRow>(markCanceled, [tenantId, id]);
      if (canceled === undefined) throw notFound('bulk send');
      return canceled;
    });
  }

  /** @returns undefined when the idempotency key is taken */
  private async write(tx: Transaction, user: UserPrincipal, ready: ReadyBulkSend): Promise<BulkSendRow | undefined> {
    const { wanted, contentHash, template, texts } = ready;
    const instanceId = await this.options.bulkQueue.holdInstance(tx, wanted.instanceId ?? null);
    const values = newBulkSend.valuesOf({
      id: newRecordId(),
      templateId: template.templateId,
      templateVersion: template.version,
      instanceId,
      authorId: user.userId,
      idempotencyKey: wanted.idempotencyKey,
      contentHash,
      total: texts.length,
    });
    const [written] = await tx.query<BulkSendRow>(insertBulkSend, [tx.tenantId, ...values]);
    if (written === undefined) return undefined;
    await tx.query(watchBulkSends, [tx.tenantId, wanted.sendAt ?? null]);
    await this.options.bulkQueue.enqueue(tx, texts, {
      bulkSendId: written.id,
      instanceId,
      authorId: user.userId,
      templateId: template.templateId,
      templateVersion: template.version,
      sendAt: wanted.sendAt ?? null,
    });
    return written;
  }

  /** The bulk send with this key; null for a new key. */
  private async findRepeated(user: UserPrincipal, key: string, contentHash: Buffer): Promise<BulkSendRow | null> {
    const where = { tenantId_idempotencyKey: { tenantId: user.tenantId, idempotencyKey: key } };
    const first = await this.options.database.prisma.bulkSend.findUnique({ where });
    if (first !== null && !contentHash.equals(first.contentHash))
      throw new AppError('CONFLICT', 'idempotencyKey: was used for a bulk send with other content');
    return first;
  }
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
