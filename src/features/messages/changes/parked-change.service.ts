// Applies reactions, edits and deletions that were parked at the very moment in which their message came by the fast path. Other parked
// changes are applied when their message arrives (status.service.ts), or expire (retention).

import type { Database } from '../../../platform/database/database.js';
import type { Logger } from '../../../platform/observability/logger.js';
import { serveTenants, takeTurn } from '../../../platform/jobs/tenant-sweep.js';
import type { Transactor } from '../../../platform/database/transaction.js';
import type { NamedMessage } from '../status.sql.js';
import type { MessageStatusService } from '../status.service.js';
import { selectMessagesOfParked, selectTenantsWithParkedChanges } from './change.sql.js';

export interface ParkedChangeOptions {
  database: Database;
  transactor: Transactor;
  statuses: Pick<MessageStatusService, 'applyParked'>;
  log: Pick<Logger, 'warn'>;
}

/** The most messages in one transaction. */
const settledAtOnce = 1_000;

export class ParkedChangeService {
  constructor(private readonly options: ParkedChangeOptions) {}

  /** Applies parked changes whose messages exist: at most 20,000 messages of each tenant. Logs failures. Safe to repeat. */
  settle(): Promise<void> {
    const { database, log } = this.options;
    return serveTenants({
      what: 'parked changes',
      listTenants: () => database.query<{ tenantId: string }>(selectTenantsWithParkedChanges),
      work: (tenantId) => takeTurn(() => this.settleNext(tenantId)),
      log,
    });
  }

  /** @returns true if there may be more */
  private async settleNext(tenantId: string): Promise<boolean> {
    const { database, transactor, statuses } = this.options;
    const messages = await database.query<NamedMessage>(selectMessagesOfParked, [tenantId, settledAtOnce]);
    if (messages.length > 0) await transactor.run(tenantId, (tx) => statuses.applyParked(tx, messages));
    return messages.length === settledAtOnce;
  }
}
