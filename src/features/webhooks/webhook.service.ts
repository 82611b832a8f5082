// Webhook calls: signature, dialect and journal here; leads, messages and statuses are changed by their own services. A call
// takes effect, is journalled and emits its events in one transaction, and is answered after its commit.

import type { Database } from '../../platform/database.js';
import { AppError } from '../../platform/errors.js';
import type { FieldError } from '../../platform/errors.js';
import { exceedsDepth, maxJsonDepth, parseInput, storableText, validationFailed } from '../../platform/input.js';
import { parseJsonBody } from '../../platform/json-body.js';
import { signatureMatches } from '../../platform/signature.js';
import type { Transaction, Transactor } from '../../platform/transaction.js';
import type { ChatInstanceService, KnownInstance } from '../chat-instances/chat-instance.service.js';
import { leadBodySchema } from '../leads/lead.schema.js';
import type { IntakeLead, LeadService } from '../leads/lead.service.js';
import type { MessageIntakeService, ReceivedMessage } from '../messages/message-intake.service.js';
import type { MessageStatusService } from '../messages/message-status.service.js';
import { inboundMessageSchema, statusReportSchema } from '../messages/message.schema.js';
import type { StatusReport } from '../messages/message.schema.js';
import { recordDelivery } from './delivery-journal.js';
import { readNeutralBody } from './neutral-dialect.js';
import type { ReadBody, ReadItem } from './neutral-dialect.js';
import type { WebhookCall } from './webhook-call.js';

export type LeadAnswer = IntakeLead & { created: boolean };

/** `accepted` counts the items that were not refused; one result for each item, in their order. */
export interface ItemsAnswer<Result> {
  accepted: number;
  results: (Result | RefusedItem)[];
}

export interface RefusedItem {
  outcome: 'refused';
  errors: FieldError[];
}

/** `externalId` is the provider's id, `messageId` ours (null while parked). */
export interface StatusResult {
  messageId: string | null;
  externalId: string;
  outcome: 'applied' | 'ignored' | 'parked';
}

export interface WebhookOptions {
  database: Database;
  transactor: Transactor;
  chatInstances: ChatInstanceService;
  leads: LeadService;
  intake: MessageIntakeService;
  statuses: MessageStatusService;
  /** Undefined: chat webhooks are accepted without a signature. */
  webhookSecret: string | undefined;
}

type WithInstance<Item> = Item & { instanceId: string };

export class WebhookService {
  constructor(private readonly options: WebhookOptions) {}

  /** A lead from an external system, found or created. Safe to repeat. */
  async receiveLead(call: WebhookCall, door: 'public' | 'webhook'): Promise<LeadAnswer> {
    return this.judge(call, async (tx, body) => {
      const lead = parseInput(leadBodySchema, body);
      const { lead: found, created } = await this.options.leads.receive(tx, lead, door);
      return { ...found, created };
    });
  }

  /** Inbound messages, each recorded once. Safe to repeat. */
  async receiveInbound(call: WebhookCall): Promise<ItemsAnswer<ReceivedMessage>> {
    return this.judgeSigned(call, async (tx, body) => {
      const read = await this.resolveInstances(tx, readNeutralBody(body, 'messages', inboundMessageSchema));
      const received = await this.options.intake.receive(tx, itemsOf(read), 'webhook');
      return answerItems(read, received);
    });
  }

  /** Delivery statuses: applied, ignored or parked. Safe to repeat. */
  async receiveStatuses(call: WebhookCall): Promise<ItemsAnswer<StatusResult>> {
    return this.judgeSigned(call, async (tx, body) => {
      const read = await this.resolveInstances(tx, readNeutralBody(body, 'statuses', statusReportSchema));
      return answerItems(read, await this.reportStatuses(tx, itemsOf(read)));
    });
  }

  // In the order of their ids, so that two calls about the same messages never wait for each other; answered in the call's.
  private async reportStatuses(tx: Transaction, items: WithInstance<StatusReport>[]): Promise<StatusResult[]> {
    const results: StatusResult[] = [];
    const sorted = [...items.entries()].sort(([, a], [, b]) => compare(lockKeyOf(a), lockKeyOf(b)));
    for (const [index, { instanceId, messageId: externalId, status, timestamp, error }] of sorted) {
      const { outcome, messageId } = await this.options.statuses.report(tx, {
        instanceId,
        externalId,
        status,
        occurredAt: timestamp ?? new Date(),
        source: 'gateway',
        providerCode: error?.code ?? (status === 'FAILED' ? 'UNKNOWN' : undefined),
        detail: error?.message,
      });
      results[index] = { messageId, externalId, outcome };
    }
    return results;
  }

  private async judgeSigned<Answer extends object>(
    call: WebhookCall,
    work: (tx: Transaction, body: unknown) => Promise<Answer>,
  ): Promise<Answer> {
    const secret = this.options.webhookSecret;
    if (secret !== undefined && !signatureMatches(secret, call.signature, call.body, jsonOrUndefined(call.body))) {
      const part = call.signature === undefined ? 'x-signature is missing' : 'x-signature does not match the body';
      return this.refuse(call, new AppError('SIGNATURE_INVALID', part));
    }
    return this.judge(call, work);
  }

  private async judge<Answer extends object>(
    call: WebhookCall,
    work: (tx: Transaction, body: unknown) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      const body = parseJsonBody(call.body, call.contentType);
      return await this.options.transactor.run(call.principal.tenantId, async (tx) => {
        const answer = await work(tx, body);
        await recordDelivery(tx, call, { outcome: isPartial(answer) ? 'partial' : 'processed', result: answer });
        return answer;
      });
    } catch (error) {
      return this.refuse(call, error);
    }
  }

  // What the caller can mend is kept, so that it can be looked at and sent again. A fault of ours is answered with 5xx
  // instead, and the gateway repeats the call.
  private async refuse(call: WebhookCall, error: unknown): Promise<never> {
    if (error instanceof AppError) {
      const reason = storableText(`${error.code}: ${error.message}`, 2_000);
      await recordDelivery(this.options.database, call, { outcome: 'refused', reason });
    }
    throw error;
  }

  /** Gives each item its instance's id; an unknown name refuses the item, or the call where it is the only one. */
  private async resolveInstances<Item extends { instance?: string | null | undefined }>(
    tx: Transaction,
    body: ReadBody<Item>,
  ): Promise<ReadItem<WithInstance<Item>>[]> {
    const known = await this.options.chatInstances.listKnown(tx, tx.tenantId);
    const items = body.items.map((read) => ('item' in read ? withInstance(read.item, known) : read));
    const first = items[0];
    if (!body.many && first !== undefined && 'errors' in first) throw validationFailed(first.errors);
    return items;
  }
}

function withInstance<Item extends { instance?: string | null | undefined }>(
  item: Item,
  known: KnownInstance[],
): ReadItem<WithInstance<Item>> {
  const instance = item.instance == null ? known[0] : known.find(({ instanceName }) => instanceName === item.instance);
  if (instance !== undefined) return { item: { ...item, instanceId: instance.id } };
  const message =
    item.instance == null ? 'is required: this tenant has no chat instance yet' : 'is not an instance of this tenant';
  return { errors: [{ path: 'instance', message }] };
}

function lockKeyOf({ instanceId, messageId }: WithInstance<StatusReport>): string {
  return `${instanceId}:${messageId}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function itemsOf<Item>(read: ReadItem<Item>[]): Item[] {
  return read.flatMap((entry) => ('item' in entry ? [entry.item] : []));
}

function answerItems<Item, Result>(read: ReadItem<Item>[], results: Result[]): ItemsAnswer<Result> {
  const remaining = results.values();
  return {
    accepted: results.length,
    results: read.map((entry) => {
      if ('errors' in entry) return { outcome: 'refused' as const, errors: entry.errors };
      const next = remaining.next();
      if (next.done === true) throw new Error('an accepted item has no result');
      return next.value;
    }),
  };
}

function isPartial(answer: object): boolean {
  return (
    'accepted' in answer &&
    'results' in answer &&
    Array.isArray(answer.results) &&
    answer.accepted !== answer.results.length
  );
}

// What nests too deeply to be written again counts by its bytes only.
function jsonOrUndefined(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return exceedsDepth(value, maxJsonDepth) ? undefined : value;
  } catch {
    return undefined;
  }
}
