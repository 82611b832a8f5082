// Leads of whom the network shows only an id: notes which of their numbers gateways are asked for, and stores the gateways' answers.
// number-finder.ts asks the gateways.

import type { FoundNumber } from '../../../providers/chat-gateway.js';
import type { Database } from '../../../platform/database/database.js';
import type { Transaction, Transactor } from '../../../platform/database/transaction.js';
import type { GatewayEndpoints } from '../../chat-instances/gateway-endpoints.js';
import type { LeadService } from '../lead.service.js';
import {
  endNumber,
  expectNumbers,
  hiddenLeadColumns,
  postponeNumber,
  type ClaimedNumber,
  type HiddenLead,
} from './hidden-number.sql.js';

export interface HiddenNumberOptions {
  database: Database;
  transactor: Transactor;
  leads: Pick<LeadService, 'findOrCreate'>;
  endpoints: Pick<GatewayEndpoints, 'findsNumbers'>;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/** The delays after the first attempt, the second, and so on: about a day. Then the gateway is not asked any more. */
const retryDelaysMs = [10 * secondMs, minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, 18 * hourMs];
const maxRetryDelayMs = 24 * hourMs;

// The source is never used, because the lead exists.
const learnedSource = 'webhook';

export class HiddenNumberService {
  constructor(private readonly options: HiddenNumberOptions) {}

  /** Notes new leads whose gateways can tell their numbers, so that these are asked for. Call it in the transaction that creates them. */
  async expect(tx: Transaction, leads: readonly HiddenLead[]): Promise<void> {
    const providers = this.options.endpoints.findsNumbers;
    if (leads.length === 0 || providers.length === 0) return;
    await tx.query(expectNumbers, [tx.tenantId, providers, ...hiddenLeadColumns.valuesOf(leads)]);
  }

  /**
   * Stores a gateway's answer. The lead gains its number, or is merged with the lead that has it, as if a message had carried both. A lead
   * that was deleted meanwhile stays deleted. Safe to repeat.
   */
  async settle(tenantId: string, number: ClaimedNumber, found: FoundNumber): Promise<void> {
    const { leadId, hiddenId, attempt } = number;
    if (found.outcome === 'found') return this.learn(tenantId, leadId, hiddenId, found.digits);
    const delayMs = number.isDeleted ? undefined : retryDelaysMs[attempt - 1];
    if (delayMs === undefined) return this.end(tenantId, leadId);
    const askedFor = found.outcome === 'temporary' ? (found.retryAfterSeconds ?? 0) * secondMs : 0;
    const waitMs = Math.min(Math.max(delayMs, askedFor), maxRetryDelayMs);
    await this.options.database.change(tenantId, postponeNumber, [tenantId, leadId, waitMs]);
  }

  private async learn(tenantId: string, leadId: string, hiddenId: string, digits: string): Promise<void> {
    await this.options.transactor.run(tenantId, async (tx) => {
      const [waiting] = await tx.query<{ leadId: string }>(endNumber, [tenantId, leadId]);
      if (waiting === undefined) return;
      const identities = [
        { kind: 'PHONE', value: digits },
        { kind: 'LID', value: hiddenId },
      ] as const;
      await this.options.leads.findOrCreate(tx, [{ identities, keepsName: true }], learnedSource);
    });
  }

  private async end(tenantId: string, leadId: string): Promise<void> {
    await this.options.database.change(tenantId, endNumber, [tenantId, leadId]);
  }
}
