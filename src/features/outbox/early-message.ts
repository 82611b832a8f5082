// A message that goes ahead of others takes along what its lead is to get before it.

import type { Transaction } from '../../platform/transaction.js';
import { raiseBefore } from './claim.sql.js';

/** A message's place among those of its lead. */
export interface EarlyMessage {
  leadId: string;
  /** Lower goes first. */
  priority: number;
  /** As PostgreSQL writes it. */
  position: string;
}

/** Gives what these leads are to get before these messages their priority. Safe to repeat. */
export async function raiseBeforeAll(tx: Transaction, messages: readonly EarlyMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await tx.query(raiseBefore, [
    tx.tenantId,
    messages.map(({ leadId }) => leadId),
    messages.map(({ priority }) => priority),
    messages.map(({ position }) => position),
  ]);
}
