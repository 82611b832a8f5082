// The chat instances that calls name, remembered for a moment.

import type { SqlRunner } from '../../platform/database/database.js';
import { ExpiringCache } from '../../platform/expiring-cache.js';
import type { ChatInstanceService, KnownInstance } from '../chat-instances/chat-instance.service.js';

// In milliseconds: a deleted instance, or one that is no longer the default, may still be written to for this long.
const rememberedMs = 3_000;
const maxTenants = 10_000;

export class KnownInstances {
  private readonly remembered = new ExpiringCache<KnownInstance[]>({ max: maxTenants, ttl: rememberedMs });

  constructor(private readonly chatInstances: ChatInstanceService) {}

  /**
   * A tenant's instances, the default first. A name that is not remembered is looked up, so that a new instance is known at once.
   * @param names as the calls have them; null: the default
   */
  async list(sql: SqlRunner, tenantId: string, names: Iterable<string | null>): Promise<KnownInstance[]> {
    const remembered = this.remembered.get(tenantId);
    if (remembered !== undefined && Array.from(names).every((name) => findInstance(name, remembered) !== undefined))
      return remembered;
    const known = await this.chatInstances.listKnown(sql, tenantId);
    this.remembered.set(tenantId, known);
    return known;
  }
}

/** True if a call says the number of a line whose number is unknown. */
export function tellsNumber(ownNumber: string | undefined, instance: KnownInstance): ownNumber is string {
  return ownNumber !== undefined && instance.number === null;
}

export function findInstance(name: string | null, known: readonly KnownInstance[]): KnownInstance | undefined {
  return name === null ? known[0] : known.find(({ instanceName }) => instanceName === name);
}
