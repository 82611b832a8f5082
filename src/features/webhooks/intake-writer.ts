// Writes a batch of one tenant's webhook calls in one transaction: leads, messages, statuses, lines, the journal and the events
// commit together. What a single call says never fails its neighbours: what is wrong with it is its own result.

import { LRUCache } from 'lru-cache';
import type { AppError, FieldError } from '../../platform/errors.js';
import { validationFailed } from '../../platform/input.js';
import type { Transaction, Transactor } from '../../platform/transaction.js';
import type { ChatConnectionService, ConnectionReport } from '../chat-instances/chat-connection.service.js';
import type { ChatInstanceService, KnownInstance } from '../chat-instances/chat-instance.service.js';
import type { LeadIntakeService } from '../leads/lead-intake.service.js';
import type { IntakeLead } from '../leads/lead.service.js';
import type { LocatedMessage, MessageIntakeService, ReceivedMessage } from '../messages/message-intake.service.js';
import type { MessageStatusService, ProviderReport } from '../messages/message-status.service.js';
import type { ReportedStatus } from '../messages/reported.js';
import type { ReportedItem } from './dialects/dialect.js';
import { refusedDelivery } from './delivery-journal.js';
import type { Delivery, DeliveryJournal } from './delivery-journal.js';
import type { ChatIntake, IdentifiedReport, LeadIntake, ReadWebhookCall, Report } from './webhook-call.js';

export type LeadAnswer = IntakeLead & { created: boolean };

/** What became of one item. `externalId` is the provider's id, `messageId` ours (null while parked). */
export type ItemResult =
  | ReceivedMessage
  | { messageId: string | null; externalId: string; outcome: 'applied' | 'ignored' | 'parked' }
  | { outcome: 'applied' }
  | { outcome: 'ignored'; reason: string }
  | { outcome: 'refused'; errors: FieldError[] };

/** `accepted` counts the items that were not refused; one result for each item, in their order. */
export interface ItemsAnswer {
  accepted: number;
  results: ItemResult[];
}

/** What a call gets: its answer, or what the caller has to mend. */
export type Settled = { answer: LeadAnswer | ItemsAnswer } | { refusal: AppError };

export interface IntakeWriterOptions {
  transactor: Transactor;
  chatInstances: ChatInstanceService;
  connections: ChatConnectionService;
  leads: LeadIntakeService;
  messages: MessageIntakeService;
  statuses: MessageStatusService;
  journal: DeliveryJournal;
}

/** An item whose instance is known, or what is wrong with it. */
type Located =
  { instanceId: string; deliveryId: string; messageId: string; item: ReportedItem } | { errors: FieldError[] };

// How long a deleted instance, or one that is no longer the default, may still be written to.
const knownInstancesMs = 3_000;
const maxTenants = 10_000;

export class IntakeWriter {
  private readonly known = new LRUCache<string, KnownInstance[]>({ max: maxTenants, ttl: knownInstancesMs });

  constructor(private readonly options: IntakeWriterOptions) {}

  /** @returns what became of each call, in their order. @throws when nothing of the batch was written */
  async write(tenantId: string, calls: readonly ReadWebhookCall[]): Promise<Settled[]> {
    return this.options.transactor.run(tenantId, async (tx) => {
      const leads = await this.writeLeads(tx, calls);
      const items = await this.writeItems(tx, calls);
      const settled = calls.map((read) => leads.get(read) ?? settleItems(read, items.get(read) ?? []));
      await this.options.journal.record(
        tx,
        tenantId,
        calls.map((read, index) => toDelivery(read, settled[index])),
      );
      return settled;
    });
  }

  private async writeLeads(tx: Transaction, calls: readonly ReadWebhookCall[]): Promise<Map<ReadWebhookCall, Settled>> {
    const settled = new Map<ReadWebhookCall, Settled>();
    for (const [source, posted] of Map.groupBy(calls.filter(isLead), ({ intake }) => intake.defaultSource)) {
      const bodies = posted.map(({ intake }) => intake.lead);
      const found = await this.options.leads.receive(tx, bodies, source);
      for (const [index, { lead, created }] of found.entries()) {
        const call = posted[index];
        if (call !== undefined) settled.set(call, { answer: { ...lead, created } });
      }
    }
    return settled;
  }

  /** The results of each chat call's items, in their order. */
  private async writeItems(
    tx: Transaction,
    calls: readonly ReadWebhookCall[],
  ): Promise<Map<ReadWebhookCall, ItemResult[]>> {
    const chats = calls.filter(isChat);
    if (chats.length === 0) return new Map();
    const known = await this.listKnown(tx, chats);
    const located = new Map(
      chats.map((read) => [read, read.intake.reports.map((report) => locate(report, read.call.id, known))]),
    );
    const results = await this.writeLocated(tx, [...located.values()].flat());
    return new Map([...located].map(([read, items]) => [read, items.map((item) => results.get(item) ?? unwritten())]));
  }

  // A name that is not remembered is looked up, so that a new instance is known at once.
  private async listKnown(tx: Transaction, chats: readonly { intake: ChatIntake }[]): Promise<KnownInstance[]> {
    const remembered = this.known.get(tx.tenantId);
    const isKnown = ({ instance }: Report) => findInstance(instance, remembered ?? []) !== undefined;
    if (remembered !== undefined && chats.every(({ intake }) => intake.reports.every(isKnown))) return remembered;
    const known = await this.options.chatInstances.listKnown(tx, tx.tenantId);
    this.known.set(tx.tenantId, known);
    return known;
  }

  private async writeLocated(tx: Transaction, located: readonly Located[]): Promise<Map<Located, ItemResult>> {
    const results = new Map<Located, ItemResult>();
    const messages: [Located, LocatedMessage][] = [];
    const statuses: [Located, ProviderReport][] = [];
    const connections: ConnectionReport[] = [];
    for (const entry of located) {
      if ('errors' in entry) results.set(entry, { outcome: 'refused', errors: entry.errors });
      else if (entry.item.kind === 'message')
        messages.push([entry, { id: entry.messageId, instanceId: entry.instanceId, message: entry.item }]);
      else if (entry.item.kind === 'status') statuses.push([entry, toProviderReport(entry, entry.item)]);
      else if (entry.item.kind === 'ignored') results.set(entry, { outcome: 'ignored', reason: entry.item.reason });
      else {
        connections.push({ ...entry.item, instanceId: entry.instanceId });
        results.set(entry, { outcome: 'applied' });
      }
    }
    await this.lockEchoes(tx, messages, statuses);
    const received = await this.options.messages.receive(
      tx,
      messages.map(([, message]) => message),
      'webhook',
    );
    for (const [index, [entry]] of messages.entries()) results.set(entry, received[index] ?? unwritten());
    const outcomes = await this.options.statuses.report(
      tx,
      statuses.map(([, report]) => report),
    );
    for (const [index, [entry, { externalId }]] of statuses.entries()) {
      const { messageId, outcome } = outcomes[index] ?? unwritten();
      results.set(entry, { messageId, externalId, outcome });
    }
    await this.options.connections.report(tx, connections);
    return results;
  }

  // What we wrote elsewhere meets our own sends and their statuses by provider id: all ids of the batch are locked together, in
  // one order, so that two batches never wait for each other.
  private async lockEchoes(
    tx: Transaction,
    messages: readonly [Located, LocatedMessage][],
    statuses: readonly [Located, ProviderReport][],
  ): Promise<void> {
    const echoes = messages.flatMap(([, { instanceId, message }]) =>
      message.direction === 'OUTBOUND' ? [{ instanceId, externalId: message.externalId }] : [],
    );
    if (echoes.length === 0) return;
    await this.options.statuses.lockExternalIds(tx, [...echoes, ...statuses.map(([, report]) => report)]);
  }
}

function isLead(read: ReadWebhookCall): read is ReadWebhookCall & { intake: LeadIntake } {
  return read.intake.kind === 'lead';
}

function isChat(read: ReadWebhookCall): read is ReadWebhookCall & { intake: ChatIntake } {
  return read.intake.kind === 'chat';
}

/** An unknown instance refuses the item. */
function locate(report: IdentifiedReport, deliveryId: string, known: readonly KnownInstance[]): Located {
  if ('errors' in report) return { errors: report.errors };
  const { instance: name, item } = report;
  const instance = findInstance(name, known);
  if (instance !== undefined) return { instanceId: instance.id, deliveryId, messageId: report.messageId, item };
  const message =
    name === null ? 'is required: this tenant has no chat instance yet' : 'is not an instance of this tenant';
  return { errors: [{ path: 'instance', message }] };
}

function findInstance(name: string | null, known: readonly KnownInstance[]): KnownInstance | undefined {
  return name === null ? known[0] : known.find(({ instanceName }) => instanceName === name);
}

function toProviderReport(
  { instanceId, deliveryId }: { instanceId: string; deliveryId: string },
  { externalId, status, timestamp, error }: ReportedStatus,
): ProviderReport {
  return {
    instanceId,
    externalId,
    status,
    occurredAt: timestamp ?? new Date(),
    providerCode: error?.code ?? (status === 'FAILED' ? 'UNKNOWN' : undefined),
    detail: error?.message,
    deliveryId,
  };
}

function settleItems({ intake }: ReadWebhookCall, results: ItemResult[]): Settled {
  const [only] = results;
  if (intake.kind === 'chat' && !intake.many && only !== undefined && 'errors' in only)
    return { refusal: validationFailed(only.errors) };
  return { answer: { accepted: results.filter((result) => !('errors' in result)).length, results } };
}

function toDelivery({ call, dialect }: ReadWebhookCall, settled: Settled = unwritten()): Delivery {
  if ('refusal' in settled) return refusedDelivery(call, dialect, settled.refusal);
  const { answer } = settled;
  if (!('results' in answer) || answer.accepted === answer.results.length)
    return { call, dialect, outcome: 'processed', result: answer };
  if (answer.accepted > 0) return { call, dialect, outcome: 'partial', result: answer };
  return { call, dialect, outcome: 'refused', reason: 'VALIDATION_FAILED: no item could be taken', result: answer };
}

function unwritten(): never {
  throw new Error('an item has no result');
}
