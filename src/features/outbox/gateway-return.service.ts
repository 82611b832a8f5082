// Lets messages leave that wait because their gateway gave no answer: all of an instance once its gateway is known to answer, and one, to
// find that out, where there is only a sign of life. Noticing the silence belongs to gateway-reach.service.ts.

import type { NamedStatement, SqlRunner } from '../../platform/database/database.js';
import { notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/input/input.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import { holdInstance } from '../chat-instances/chat-instance.sql.js';

/** The codes of refusals that are no answer: none came at all, or that of a proxy before the gateway. */
const unansweredCodes: readonly string[] = ['GATEWAY_UNREACHABLE', 'HTTP_502', 'HTTP_503', 'HTTP_504'];

/** True if the gateway gave no answer. */
export const isUnanswered = (code: string): boolean => unansweredCodes.includes(code);

/**
 * $1 tenant, $2 instances, $3 codes, $4 the most, null for all → messages whose last attempt got no answer are due now. The least tried
 * goes first, so that signs of life use up no message's attempts. A message that may have been sent keeps its time: it is looked up then.
 * Messages that a worker or an operator holds at the moment are left to them.
 */
const hastenUnanswered: NamedStatement = {
  name: 'hasten-unanswered',
  text: `WITH waiting AS (
      SELECT o.message_id FROM outbox_entries o
      JOIN send_attempts a ON a.tenant_id = o.tenant_id AND a.message_id = o.message_id AND a.number = o.attempt_count
      WHERE o.tenant_id = $1 AND o.attempt_count > 0 AND o.lease_until IS NULL AND o.due_at > now()
        AND o.instance_id = ANY($2::uuid[]) AND o.scheduled_at IS NULL AND o.unconfirmed_since IS NULL
        AND split_part(a.detail, ':', 1) = ANY($3::text[])
      ORDER BY o.attempt_count, o.priority, o.position LIMIT $4::int FOR UPDATE OF o SKIP LOCKED
    )
    UPDATE outbox_entries o SET due_at = now() FROM waiting w
    WHERE o.tenant_id = $1 AND o.message_id = w.message_id RETURNING o.message_id`,
};

/** The messages of these instances that wait for a gateway are tried at once, at the tenant's rate and in their order. Safe to repeat. */
export async function hastenAll(sql: SqlRunner, tenantId: string, instanceIds: readonly string[]): Promise<void> {
  await sql.query(hastenUnanswered, [tenantId, instanceIds, unansweredCodes, null]);
}

/** Makes a message due that waits for this gateway. @returns false if none waits */
export async function hastenOne(tx: Transaction, instanceId: string): Promise<boolean> {
  const hastened = await tx.query(hastenUnanswered, [tx.tenantId, [instanceId], unansweredCodes, 1]);
  return hastened.length > 0;
}

export class GatewayReturnService {
  constructor(
    private readonly transactor: Transactor,
    /** Has a worker look at the tenant's outbox once the transaction commits. */
    private readonly wake: (tx: Transaction, tenantId: string) => Promise<void>,
  ) {}

  /**
   * Has one message of the instance that waits for its gateway tried now. Once the gateway takes it, the others follow at once.
   * @returns false if no message waits for the gateway
   * @throws AppError NOT_FOUND
   */
  async tryNow(principal: Principal | undefined, instanceId: string): Promise<boolean> {
    const user = requireUser(principal);
    if (!isUuid(instanceId)) throw notFound('chat instance');
    return this.transactor.run(user.tenantId, async (tx) => {
      const held = await tx.query(holdInstance, [tx.tenantId, instanceId]);
      if (held.length === 0) throw notFound('chat instance');
      const isTried = await hastenOne(tx, instanceId);
      if (isTried) await this.wake(tx, tx.tenantId);
      return isTried;
    });
  }
}
