// Who looks at a lead or answers it, told to all who watch. A lease that is not renewed ends by itself, so that whoever closes the
// laptop is gone as well.

import type { Database } from '../../../platform/database.js';
import { notFound } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import { requireUser } from '../../../platform/principal.js';
import type { Principal } from '../../../platform/principal.js';
import type { PresenceIntent } from '../../../platform/prisma/enums.js';
import type { Transactor } from '../../../platform/transaction.js';
import {
  claimLead,
  deleteEndedLeases,
  releaseLead,
  selectPresences,
  selectTenantsWithEndedLeases,
} from './lead-presence.sql.js';
import type { LeadRow, LeadService } from '../lead.service.js';

/** How long a claim counts unless it is renewed. */
export const leaseSeconds = 30;

export interface LeadPresenceRecord {
  leadId: string;
  userId: string;
  intent: PresenceIntent;
  since: Date;
  expiresAt: Date;
}

export interface LeadPresenceOptions {
  database: Database;
  transactor: Transactor;
  leads: LeadService;
  log: Logger;
  /** How often leases that have ended are looked for. */
  sweepIntervalMs: number;
}

const leasesPerTransaction = 500;

export class LeadPresenceService {
  private timer: NodeJS.Timeout | undefined;
  private sweeping = false;

  constructor(private readonly options: LeadPresenceOptions) {}

  /** Tells of leases that end. Every process may do so: each lease is told of once. */
  start(): void {
    this.timer = setInterval(() => void this.sweep(), this.options.sweepIntervalMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * The caller looks at a lead, or answers it, for the next 30 s: called again, for 30 s from then. It keeps nobody else away. Emits
   * LEAD_PRESENCE_CHANGED unless it only renews. Safe to repeat.
   * @throws AppError NOT_FOUND for a lead that the tenant does not have
   */
  async claim(principal: Principal | undefined, leadId: string, intent: PresenceIntent): Promise<LeadRow> {
    const user = requireUser(principal);
    const lead = await this.get(user, leadId);
    await this.options.transactor.run(user.tenantId, async (tx) => {
      const values = [tx.tenantId, lead.id, user.userId, intent, leaseSeconds];
      const [claimed] = await tx.query<{ isNew: boolean }>(claimLead, values);
      if (claimed?.isNew === true) tx.emit({ type: 'LEAD_PRESENCE_CHANGED', leadId: lead.id });
    });
    return lead;
  }

  /** The caller has left. Emits LEAD_PRESENCE_CHANGED where there was something to leave. Safe to repeat. @throws AppError NOT_FOUND */
  async release(principal: Principal | undefined, leadId: string): Promise<LeadRow> {
    const user = requireUser(principal);
    const lead = await this.get(user, leadId);
    await this.options.transactor.run(user.tenantId, async (tx) => {
      const released = await tx.query(releaseLead, [tx.tenantId, lead.id, user.userId]);
      if (released.length > 0) tx.emit({ type: 'LEAD_PRESENCE_CHANGED', leadId: lead.id });
    });
    return lead;
  }

  /** Who is at these leads now, whoever came first before the others, in one statement. */
  async listByLeads({ tenantId }: Principal, leadIds: readonly string[]): Promise<LeadPresenceRecord[]> {
    return this.options.database.query<LeadPresenceRecord>(selectPresences, [tenantId, leadIds]);
  }

  private async get(principal: Principal, leadId: string): Promise<LeadRow> {
    const lead = await this.options.leads.find(principal, leadId);
    if (lead === null) throw notFound('lead');
    return lead;
  }

  private async sweep(): Promise<void> {
    if (this.sweeping) return;
    this.sweeping = true;
    const { database, log } = this.options;
    try {
      for (const { tenantId } of await database.query<{ tenantId: string }>(selectTenantsWithEndedLeases))
        await this.endLeases(tenantId);
    } catch (error) {
      log.warn({ err: error }, 'leases on leads that have ended could not be told of; trying on');
    } finally {
      this.sweeping = false;
    }
  }

  private async endLeases(tenantId: string): Promise<void> {
    await this.options.transactor.run(tenantId, async (tx) => {
      const ended = await tx.query<{ leadId: string }>(deleteEndedLeases, [tenantId, leasesPerTransaction]);
      for (const leadId of new Set(ended.map((lease) => lease.leadId)))
        tx.emit({ type: 'LEAD_PRESENCE_CHANGED', leadId });
    });
  }
}
