// Notices that a gateway has stopped answering sends, and that it answers again. Its instance is DEGRADED in between, so that people see it
// at the instance and where they write. A gateway that answers, and takes nothing, is named in the log. Messages are tried again by
// send-result.service.ts, and at once when the gateway answers again.

import type { Logger } from '../../platform/observability/logger.js';
import { toAppError } from '../../platform/observability/fault.js';
import type { Transactor } from '../../platform/database/transaction.js';
import type { InstanceHealthService } from '../chat-instances/instance-health.service.js';
import { hastenAll, isUnanswered } from './gateway-return.service.js';
import type { ClaimedMessage } from './rate-limited-claim.service.js';
import type { SendOutcome } from './send-result.service.js';

export interface GatewayReachOptions {
  transactor: Transactor;
  health: Pick<InstanceHealthService, 'degrade' | 'restore'>;
  /** A monotonic clock, in milliseconds. */
  now: () => number;
  log: Logger;
}

type Sent = Pick<ClaimedMessage, 'instanceId' | 'instanceName' | 'isUnreachable'>;

/** A shorter silence is a gateway that starts again. */
const shortestSilenceMs = 2_000;
/** A gateway that is busy refuses for less. */
const longestBusyMs = 60_000;

export class GatewayReachService {
  /** Since when no send through an instance was answered, by the monotonic clock. An instance that answers has no entry. */
  private readonly silentSince = new Map<string, number>();
  /** Since when an instance's gateway has answered and taken no send, and whether the log says so. */
  private readonly refusals = new Map<string, { sinceMs: number; isTold: boolean }>();

  constructor(private readonly options: GatewayReachOptions) {}

  /**
   * Judges the instance by the outcome of a send. A refusal of our own says nothing about its gateway. The first acceptance after a silence
   * makes the messages due that wait for the gateway. Never throws. Safe to repeat.
   */
  async note(tenantId: string, { instanceId, instanceName, isUnreachable }: Sent, outcome: SendOutcome): Promise<void> {
    const { transactor, health, now: clock, log } = this.options;
    const about = { tenantId, instanceId, instanceName };
    try {
      if (outcome.outcome === 'accepted') {
        const silentMs = clock() - (this.silentSince.get(instanceId) ?? clock());
        this.silentSince.delete(instanceId);
        if (this.refusals.get(instanceId)?.isTold === true) log.info(about, 'a gateway takes sends again');
        this.refusals.delete(instanceId);
        // A message that alone gets no answer keeps its delay, or it would be given up within moments.
        if (!isUnreachable && silentMs < shortestSilenceMs) return;
        const isBack = await transactor.run(tenantId, async (tx) => {
          await hastenAll(tx, tenantId, [instanceId]);
          return health.restore(tx, instanceId, ['UNREACHABLE']);
        });
        if (isBack) log.info(about, 'a gateway answers again');
      } else if (isUnanswered(outcome.code)) {
        const now = clock();
        const since = this.silentSince.get(instanceId) ?? now;
        this.silentSince.set(instanceId, since);
        if (isUnreachable || now - since < shortestSilenceMs) return;
        const reason = `${outcome.detail}. Messages wait, and are tried again. Look whether the gateway runs.`;
        const evidence = { instanceId, code: 'UNREACHABLE', reason } as const;
        const isNew = await transactor.run(tenantId, (tx) => health.degrade(tx, evidence));
        if (isNew) log.warn({ ...about, detail: outcome.detail }, 'a gateway does not answer');
      } else if (outcome.outcome === 'temporary' || outcome.outcome === 'repeatable') {
        if (outcome.outcome === 'temporary') this.silentSince.delete(instanceId);
        const refusal = this.refusals.get(instanceId) ?? { sinceMs: clock(), isTold: false };
        this.refusals.set(instanceId, refusal);
        if (refusal.isTold || clock() - refusal.sinceMs < longestBusyMs) return;
        refusal.isTold = true;
        log.warn(
          { ...about, detail: outcome.detail },
          'a gateway has taken no send for a minute: they are tried again',
        );
      }
    } catch (error) {
      log.warn({ ...about, err: toAppError(error) }, 'the state of a gateway could not be stored');
    }
  }
}
