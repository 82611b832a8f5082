// Reads messages for operators. The services beside this one write them.

import type { Database, Prisma } from '../../platform/database/database.js';
import { AppError, notFound } from '../../platform/errors.js';
import { isContention } from '../../platform/observability/fault.js';
import { isUuid, parseInput } from '../../platform/input/input.js';
import { countListed, selectNewestFirst } from '../../platform/database/newest-first.js';
import {
  readOwnedPages,
  readPage,
  readPageAround,
  type KeyRange,
  type KeysetSource,
  type OwnedCount,
  type OwnedPage,
  type Page,
  type PageArgs,
} from '../../platform/database/page.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import type { SelectedFields, Shown } from '../../platform/database/shown-records.js';
import { runText } from '../../platform/database/sql-text.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { LeadService } from '../leads/lead.service.js';
import { selectChanges, selectReactions, type StoredReaction } from './changes/change.sql.js';
import { messageFilterSchema, type MessageConditions, type MessageFilterInput } from './message.schema.js';
import {
  countMessagesOfLeads,
  isMessageKey,
  listedMessages,
  messageKeyOf,
  selectMessageByIdempotencyKey,
  selectMessagesByExternalIds,
  selectMessagesByIds,
  selectMessagesOfLeads,
  type MessageRow,
} from './message-list.sql.js';
import { externalKeyColumns } from './message.sql.js';
import { selectReplyInstance, selectReplyInstances } from './reply-instance.sql.js';
import type { ExternalKey } from './reported.js';

export type { MessageRow } from './message-list.sql.js';
export type TransitionRow = Prisma.MessageStatusTransitionGetPayload<object>;

/** A message as a list reads it, with no more than the shown fields. */
export type ShownMessage = Shown<MessageRow>;

export interface ReplyInstance {
  leadId: string;
  instanceId: string | null;
}

/** A reaction that was not taken back. */
export type Reaction = StoredReaction & { emoji: string };

interface Counted {
  count: number;
}

/** The name of a lead's list of messages. A lead alone and a lead in a list have the same cursors. */
const messagesOfLead = 'messages';

export class MessageService {
  constructor(
    private readonly database: Database,
    private readonly leads: LeadService,
  ) {}

  /** @returns null for an id that names no message of the tenant */
  async find(principal: Principal | undefined, id: string): Promise<MessageRow | null> {
    const { tenantId } = requireUser(principal);
    if (!isUuid(id)) return null;
    const [message] = await this.database.query<MessageRow>(selectMessagesByIds, [tenantId, [id]]);
    return message ?? null;
  }

  /**
   * Returns a lead's messages, the oldest first (`last: 50` for the newest page; `around` for the page around one of them).
   * @throws AppError NOT_FOUND for a lead that the tenant does not have, or a message that the lead does not have; VALIDATION_FAILED for a
   * wrong filter, or `around` with a cursor or `last`
   */
  async listOfLead(
    principal: Principal | undefined,
    leadId: string,
    { around, ...args }: PageArgs & { around?: string | null | undefined },
    wanted?: MessageFilterInput | null,
    fields?: SelectedFields,
  ): Promise<Page<ShownMessage>> {
    const user = requireUser(principal);
    const lead = await this.leads.find(user, leadId);
    if (lead === null) throw notFound('lead');
    const filter = parseFilter(wanted);
    const source: KeysetSource<ShownMessage> = {
      list: messagesOfLead,
      keyOf: messageKeyOf,
      isKey: isMessageKey,
      read: (range) => this.listRange(user, [lead.id], filter, range, fields),
      count: async () => (await this.countRange(user, [lead.id], filter))[0]?.count ?? 0,
    };
    if (around == null) return readPage(args, source);
    const middle = await this.find(user, around);
    if (middle?.leadId !== lead.id) throw notFound('message');
    return readPageAround(messageKeyOf(middle), args, source);
  }

  /** Returns messages like `listOfLead`, for many leads in one statement; leads of another tenant have no messages. */
  async listOfLeads(
    principal: Principal,
    leadIds: readonly string[],
    args: PageArgs,
    wanted?: MessageFilterInput | null,
    fields?: SelectedFields,
  ): Promise<OwnedPage<ShownMessage>[]> {
    const filter = parseFilter(wanted);
    return readOwnedPages(args, leadIds, {
      list: messagesOfLead,
      keyOf: (message: ShownMessage) => messageKeyOf(message),
      isKey: isMessageKey,
      ownerOf: (message) => message.leadId,
      read: (range, owners) => this.listRange(principal, owners, filter, range, fields),
      count: (owners) => this.countRange(principal, owners, filter),
    });
  }

  /**
   * Returns the messages of all leads, the newest first. A `text` is searched for in the messages of the given span, from its newest on.
   * @throws AppError VALIDATION_FAILED for a wrong filter; UNAVAILABLE if a search takes longer than its time limit
   */
  async listAll(
    principal: Principal | undefined,
    args: PageArgs,
    wanted?: MessageFilterInput | null,
    fields?: SelectedFields,
  ): Promise<Page<ShownMessage>> {
    return readPage(args, this.sourceOf(principal, wanted, fields));
  }

  /** Returns the list of `listAll` as a source, to be read to its end page by page. */
  sourceOf(
    principal: Principal | undefined,
    wanted?: MessageFilterInput | null,
    fields?: SelectedFields,
  ): KeysetSource<ShownMessage> {
    const { tenantId } = requireUser(principal);
    const filter = parseFilter(wanted);
    return {
      list: 'all-messages',
      keyOf: (message) => message.id,
      read: (range) => {
        const statement = selectNewestFirst(listedMessages, tenantId, filter, range, fields);
        return this.search(
          filter,
          () => this.database.show(tenantId, statement),
          () => this.database.searchShown(statement),
        );
      },
      count: async () => {
        const statement = countListed(listedMessages, tenantId, filter);
        const read = () => runText<Counted>(this.database, statement);
        const search = () => this.database.search<Counted>(statement.text, statement.values);
        return (await this.search(filter, read, search))[0]?.count ?? 0;
      },
    };
  }

  // A text has no index, so a search reads all messages of the span.
  private async search<Row>(
    { text: wanted }: MessageConditions,
    read: () => Promise<Row[]>,
    search: () => Promise<Row[]>,
  ): Promise<Row[]> {
    if (wanted == null) return read();
    try {
      return await search();
    } catch (error) {
      throw isContention(error) ? searchTooLong(error) : error;
    }
  }

  private listRange(
    { tenantId }: Principal,
    leadIds: readonly string[],
    filter: MessageConditions,
    range: KeyRange,
    fields: SelectedFields | undefined,
  ): Promise<ShownMessage[]> {
    return this.database.show(tenantId, selectMessagesOfLeads(tenantId, leadIds, filter, range, fields));
  }

  private countRange(
    { tenantId }: Principal,
    leadIds: readonly string[],
    filter: MessageConditions,
  ): Promise<OwnedCount[]> {
    return runText(this.database, countMessagesOfLeads(tenantId, leadIds, filter));
  }

  /** Returns messages by id, in one statement, for batched reads. */
  async listByIds(principal: Principal, ids: readonly string[]): Promise<MessageRow[]> {
    return this.database.query(selectMessagesByIds, [principal.tenantId, ids]);
  }

  /** Returns a message that this transaction has written. */
  async getWritten(tx: Transaction, id: string): Promise<MessageRow> {
    const [message] = await tx.query<MessageRow>(selectMessagesByIds, [tx.tenantId, [id]]);
    if (message === undefined) throw notFound('message');
    return message;
  }

  /** Returns messages by instance and provider id, in one statement, for batched reads. */
  async listByExternalIds(principal: Principal, wanted: readonly ExternalKey[]): Promise<MessageRow[]> {
    return this.database.query(selectMessagesByExternalIds, [
      principal.tenantId,
      ...externalKeyColumns.valuesOf(wanted),
    ]);
  }

  /**
   * Returns the instance through which a reply to a lead leaves. It is that of the newest message of either side whose instance is still in
   * use, of the newest 500; bulk messages count once they have left. Otherwise it is the tenant's default; null if the tenant has none.
   */
  async findReplyInstance(tx: Pick<Transaction, 'tenantId' | 'query'>, leadId: string): Promise<string | null> {
    const [found] = await tx.query<Omit<ReplyInstance, 'leadId'>>(selectReplyInstance, [tx.tenantId, leadId]);
    return found?.instanceId ?? null;
  }

  /** Returns the reply instances of many leads, in one statement. */
  async listReplyInstances({ tenantId }: Principal, leadIds: readonly string[]): Promise<ReplyInstance[]> {
    return this.database.query<ReplyInstance>(selectReplyInstances, [tenantId, leadIds]);
  }

  async findByIdempotencyKey(principal: Principal, idempotencyKey: string): Promise<MessageRow | null> {
    const values = [principal.tenantId, idempotencyKey];
    const [message] = await this.database.query<MessageRow>(selectMessageByIdempotencyKey, values);
    return message ?? null;
  }

  /** Returns the status changes of many messages, the oldest first, in one statement. */
  async listTransitions(principal: Principal, messageIds: readonly string[]): Promise<TransitionRow[]> {
    const rows = await this.database.prisma.messageStatusTransition.findMany({
      where: { tenantId: principal.tenantId, messageId: { in: [...messageIds] } },
      orderBy: [{ recordedAt: 'asc' }, { id: 'asc' }],
    });
    return withoutStepsBack(rows);
  }

  /** Returns the reactions to many messages, the oldest first, in one statement: at most two for each. */
  async listReactions({ tenantId }: Principal, messageIds: readonly string[]): Promise<Reaction[]> {
    return this.database.query<Reaction>(selectReactions, [tenantId, messageIds]);
  }

  /** Returns the edits and deletions of many messages, the oldest first, in one statement: at most 20 for each. */
  async listChanges({ tenantId }: Principal, messageIds: readonly string[]): Promise<ChangeRow[]> {
    return this.database.query<ChangeRow>(selectChanges, [tenantId, messageIds]);
  }
}

/** An edit or the deletion of a message, without the message's ids. */
export type ChangeRow = Omit<Prisma.MessageChangeGetPayload<object>, 'tenantId' | 'id'>;

function searchTooLong(cause: unknown): AppError {
  const detail = 'Searching these messages took too long: narrow the filter with since and until, or with leadId';
  return new AppError('UNAVAILABLE', detail, { retryAfterSeconds: 1, cause });
}

const secondMs = 1_000;

/**
 * Puts a timeline's times into the order of its steps. Providers give whole seconds, so a step may seem to come before the one that it
 * followed. Within the same second, it gets the time of the earlier step.
 * @param rows in the order in which they were recorded
 */
function withoutStepsBack(rows: readonly TransitionRow[]): TransitionRow[] {
  const latest = new Map<string, Date>();
  return rows.map((row) => {
    const before = latest.get(row.messageId) ?? row.occurredAt;
    const isWithinSecond = Math.floor(before.getTime() / secondMs) * secondMs === row.occurredAt.getTime();
    const occurredAt = isWithinSecond && row.occurredAt < before ? before : row.occurredAt;
    latest.set(row.messageId, occurredAt);
    return occurredAt === row.occurredAt ? row : { ...row, occurredAt };
  });
}

function parseFilter(wanted: MessageFilterInput | null | undefined): MessageConditions {
  return parseInput(messageFilterSchema, wanted ?? {}, 'filter');
}

export const messageOrigins = ['LEAD', 'USER', 'BULK', 'PHONE', 'SYSTEM'] as const;
export type MessageOrigin = (typeof messageOrigins)[number];

/** Returns the origin of a message. It follows from the side, the bulk send, the author, and the mark of automatic messages. */
export function originOf(
  message: Pick<MessageRow, 'direction' | 'bulkSendId' | 'isAutomatic' | 'authorId'>,
): MessageOrigin {
  if (message.direction === 'INBOUND') return 'LEAD';
  if (message.isAutomatic) return 'SYSTEM';
  if (message.bulkSendId !== null) return 'BULK';
  return message.authorId === null ? 'PHONE' : 'USER';
}

/** Returns a message in its state when it was accepted, whatever has changed since. */
export function asQueued(message: MessageRow): MessageRow {
  const unsent = { externalId: null, errorCode: null, errorMessage: null };
  return { ...message, ...unsent, status: 'QUEUED', sentAt: null, deliveredAt: null, readAt: null, failedAt: null };
}

/** True if a person wrote the message: the network knows no message of a notice, nor of a call. */
export function isWritten({ isNotice, type }: Pick<MessageRow, 'isNotice' | 'type'>): boolean {
  return !isNotice && type !== 'call';
}

/** True if the network knows the message under its provider id. A reserved id is not known until the message is sent under it. */
export function hasReachedNetwork({ externalId, status, sentAt }: MessageRow): boolean {
  if (externalId === null) return false;
  const isUnderWay = status === 'QUEUED' || status === 'SENDING' || status === 'CANCELED';
  return !isUnderWay && (status !== 'FAILED' || sentAt !== null);
}
