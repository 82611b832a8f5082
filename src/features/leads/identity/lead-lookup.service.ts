// Finds the leads of many written numbers at once, as a file of recipients names them. It creates and changes nothing; find-or-create.ts
// does that.

import { z } from 'zod';
import type { Database } from '../../../platform/database/database.js';
import { parseInput } from '../../../platform/input/input.js';
import { requireUser, type Principal } from '../../../platform/principal.js';
import { countrySchema } from '../../../platform/phone-numbers/country.js';
import type { TenantService } from '../../tenants/tenant.service.js';
import { selectLeadsByIds, type LeadRow } from '../lead.sql.js';
import { selectLeadsByIdentity } from './find-or-create.sql.js';
import { maxWrittenLength } from '../../../platform/phone-numbers/number-parts.js';
import { readWrittenNumber } from '../../../platform/phone-numbers/written-number.js';
import { matchKeyOfNumber } from '../../../platform/phone-numbers/match-key.js';

/** The most numbers of one look-up. */
export const maxLookedUp = 500;

const lookupSchema = z.strictObject({
  chats: z
    .array(z.string().max(maxWrittenLength, `must not be longer than ${maxWrittenLength} characters`))
    .min(1, 'must not be empty')
    .max(maxLookedUp, `must not be more than ${maxLookedUp}`),
  country: countrySchema.nullish(),
});

export interface LookedUpLead {
  /** The number as it was given. */
  chat: string;
  lead: LeadRow | null;
  /** The reason why this is no number; null where it is one. */
  problem: string | null;
}

interface Identified {
  matchKey: string;
  id: string;
}

export class LeadLookupService {
  constructor(
    private readonly database: Database,
    private readonly tenants: Pick<TenantService, 'findDefaultCountry'>,
  ) {}

  /**
   * Returns one result for each number, in their order; two numbers of one lead give it twice. Runs three statements.
   * @param chats 1 to 500 numbers, read like the numbers of an import
   * @throws AppError VALIDATION_FAILED
   */
  async listByChats(
    principal: Principal | undefined,
    input: { chats: string[]; country?: string | null | undefined },
  ): Promise<LookedUpLead[]> {
    const { tenantId } = requireUser(principal);
    const { chats, country } = parseInput(lookupSchema, input);
    const usual = country ?? (await this.tenants.findDefaultCountry(tenantId));
    const read = chats.map((chat) => ({ chat, number: readWrittenNumber(chat, usual) }));
    const keys = new Set(read.flatMap(({ number }) => ('digits' in number ? [matchKeyOfNumber(number.digits)] : [])));
    const leads = await this.readLeads(tenantId, [...keys]);
    return read.map(({ chat, number }) => {
      if ('problem' in number) return { chat, lead: null, problem: number.problem };
      return { chat, lead: leads.get(matchKeyOfNumber(number.digits)) ?? null, problem: null };
    });
  }

  /** Returns the leads by match key. */
  private async readLeads(tenantId: string, keys: readonly string[]): Promise<ReadonlyMap<string, LeadRow>> {
    if (keys.length === 0) return new Map();
    const kinds = keys.map(() => 'PHONE');
    const known = await this.database.query<Identified>(selectLeadsByIdentity, [tenantId, kinds, keys]);
    if (known.length === 0) return new Map();
    const ids = [...new Set(known.map(({ id }) => id))];
    const rows = await this.database.query<LeadRow>(selectLeadsByIds, [tenantId, ids]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return new Map(
      known.flatMap(({ matchKey, id }) => {
        const row = byId.get(id);
        return row === undefined ? [] : [[matchKey, row] as const];
      }),
    );
  }
}
