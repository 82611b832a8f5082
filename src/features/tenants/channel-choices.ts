// A tenant's choices about its channels beside messages: whether leads see that operators read and type, and whether numbers are looked up.
// They are cached for seconds: they are asked for at each message and key stroke.

import type { Database } from '../../platform/database/database.js';
import { ExpiringCache } from '../../platform/expiring-cache.js';
import { outsideOfRequests } from '../../platform/observability/request-scope.js';
import { selectChannelChoices } from './tenant.sql.js';

export interface ChannelChoice {
  sendsReadReceipts: boolean;
  showsTyping: boolean;
  checksNumbers: boolean;
}

const none: ChannelChoice = { sendsReadReceipts: false, showsTyping: false, checksNumbers: false };

/** The longest time in milliseconds that a change in another process goes unseen. */
const knownForMs = 5_000;
const maxTenants = 10_000;

export class ChannelChoices {
  private readonly known = new ExpiringCache<Promise<ChannelChoice>>({ max: maxTenants, ttl: knownForMs });

  constructor(private readonly database: Database) {}

  /** Returns choices that are at most 5 s old; a change in this process counts at once. A tenant that does not exist has chosen nothing. */
  async of(tenantId: string): Promise<ChannelChoice> {
    const known = this.known.get(tenantId);
    if (known !== undefined) return known;
    // Others wait for it too: it does not end with the operation that asks first.
    const read = outsideOfRequests(() => this.read(tenantId));
    this.known.set(tenantId, read);
    // A reading that failed is not kept.
    read.catch(() => this.forget(tenantId));
    return read;
  }

  /** Safe to repeat. */
  forget(tenantId: string): void {
    this.known.delete(tenantId);
  }

  private async read(tenantId: string): Promise<ChannelChoice> {
    const [choice] = await this.database.query<ChannelChoice>(selectChannelChoices, [tenantId]);
    return choice ?? none;
  }
}
