// Presence: the users who look at a lead or answer it. A lease that is not renewed ends by itself: a user who closes the laptop leaves the
// lead.

import type { Database, NamedStatement } from '../../../platform/database/database.js';
import { notFound } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/observability/logger.js';
import { requireUser, type Principal } from '../../../platform/principal.js';
import type { PresenceIntent } from '../../../platform/prisma/enums.js';
import { TenantSweep } from '../../../platform/jobs/tenant-sweep.js';
import type { Transactor } from '../../../platform/database/transaction.js';
import type { LeadRow, LeadService } from '../lead.service.js';

/** A claim counts for this long unless it is renewed. */
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
  /** The interval between searches for ended leases, in milliseconds. */
  sweepIntervalMs: number;
}

const leasesPerTransaction = 500;

export class LeadPresenceService {
  /** Ends leases that are over. Every process may run it: each lease ends once. */
  readonly sweep: TenantSweep;

  constructor(private readonly options: LeadPresenceOptions) {
    const { database, log, sweepIntervalMs: intervalMs } = options;
    const listTenants = () => database.query<{ tenantId: string }>(selectTenantsWithEndedLeases);
    const work = (tenantId: string) => this.endLeases(tenantId);
    this.sweep = new TenantSweep({ what: 'lead presence', intervalMs, listTenants, work, log });
  }

  /**
   * The caller looks at a lead, or answers it, for the next 30 s. Another call renews that. It locks no one out. Emits
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

  /** Ends the caller's claim. Emits LEAD_PRESENCE_CHANGED where there was one. Safe to repeat. @throws AppError NOT_FOUND */
  async release(principal: Principal | undefined, leadId: string): Promise<LeadRow> {
    const user = requireUser(principal);
    const lead = await this.get(user, leadId);
    await this.options.transactor.run(user.tenantId, async (tx) => {
      const released = await tx.query(releaseLead, [tx.tenantId, lead.id, user.userId]);
      if (released.length > 0) tx.emit({ type: 'LEAD_PRESENCE_CHANGED', leadId: lead.id });
    });
    return lead;
  }

  /** Lists the users who are at these leads now, in the order in which they came, in one statement. */
  async listByLeads({ tenantId }: Principal, leadIds: readonly string[]): Promise<LeadPresenceRecord[]> {
    return this.options.database.query<LeadPresenceRecord>(selectPresences, [tenantId, leadIds]);
  }

  private async get(principal: Principal, leadId: string): Promise<LeadRow> {
    const lead = await this.options.leads.find(principal, leadId);
    if (lead === null) throw notFound('lead');
    return lead;
  }

  private async endLeases(tenantId: string): Promise<void> {
    await this.options.transactor.run(tenantId, async (tx) => {
      const ended = await tx.query<{ leadId: string }>(deleteEndedLeases, [tenantId, leasesPerTransaction]);
      for (const leadId of new Set(ended.map((lease) => lease.leadId)))
        tx.emit({ type: 'LEAD_PRESENCE_CHANGED', leadId });
    });
  }
}

/** $1 tenant, $2 lead, $3 user, $4 intent, $5 seconds → whether others see something new: a mere renewal is none. */
const claimLead: NamedStatement = {
  name: 'claim-lead',
  text: `INSERT INTO lead_presences AS p (tenant_id, lead_id, user_id, intent, expires_at)
    VALUES ($1, $2, $3, $4::presence_intent, now() + $5::int * interval '1 s')
    ON CONFLICT (tenant_id, lead_id, user_id) DO UPDATE SET intent = EXCLUDED.intent, expires_at = EXCLUDED.expires_at,
      since = CASE WHEN p.intent = EXCLUDED.intent AND p.expires_at > now() THEN p.since ELSE EXCLUDED.since END
    RETURNING since = now()::timestamptz(3) AS "isNew"`,
};

/** $1 tenant, $2 lead, $3 user → a row where there was a lease, ended or not. */
const releaseLead: NamedStatement = {
  name: 'release-lead',
  text: 'DELETE FROM lead_presences WHERE tenant_id = $1 AND lead_id = $2 AND user_id = $3 RETURNING lead_id',
};

/** $1 tenant, $2 leads → the leases in effect, the oldest first. */
const selectPresences: NamedStatement = {
  name: 'select-lead-presences',
  text: `SELECT lead_id AS "leadId", user_id AS "userId", intent, since, expires_at AS "expiresAt" FROM lead_presences
    WHERE tenant_id = $1 AND lead_id = ANY($2::uuid[]) AND expires_at > now() ORDER BY since, user_id`,
};

/** The tenants with leases that have ended. */
const selectTenantsWithEndedLeases: NamedStatement = {
  name: 'select-tenants-with-ended-leases',
  text: 'SELECT DISTINCT tenant_id AS "tenantId" FROM lead_presences WHERE expires_at <= now()',
};

/** $1 tenant, $2 limit → the leads whose leases went. Leases that another process is removing are left to it. */
const deleteEndedLeases: NamedStatement = {
  name: 'delete-ended-leases',
  text: `DELETE FROM lead_presences WHERE tenant_id = $1 AND (lead_id, user_id) IN (
      SELECT p.lead_id, p.user_id FROM lead_presences p WHERE p.tenant_id = $1 AND p.expires_at <= now()
      ORDER BY p.lead_id, p.user_id LIMIT $2 FOR UPDATE SKIP LOCKED
    ) RETURNING lead_id AS "leadId"`,
};
