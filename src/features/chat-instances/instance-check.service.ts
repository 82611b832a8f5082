// Asks gateways for the state of instances that are not connected, or whose gateway does not answer sends. So a recovered instance is
// noticed by itself. Storing the state belongs to instance-state.service.ts, connecting to instance-lifecycle.service.ts.

import type { InstanceResult } from '../../providers/chat-gateway.js';
import type { Database } from '../../platform/database/database.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import type { InstanceStateService } from './instance-state.service.js';
import type { GatewayEndpoints } from './gateway-endpoints.js';
import {
  isSameInstance,
  lockStoredInstance,
  takeInstancesToCheck,
  type CheckedInstance,
  type InstanceStateRow,
} from './chat-instance.sql.js';

export interface InstanceCheckOptions {
  database: Database;
  transactor: Transactor;
  connections: InstanceStateService;
  endpoints: GatewayEndpoints;
  log: Logger;
  /** The most instances that one run asks for; 0 for none. */
  instancesPerRun: number;
  /** The number of gateways that are asked at the same time. */
  concurrency: number;
}

type Answer = Extract<InstanceResult, { outcome: 'answered' }>;

// An instance that ended longer ago is not expected to recover by itself.
const hoursAfterEnd = 24;

export class InstanceCheckService {
  private stopping = false;

  constructor(private readonly options: InstanceCheckOptions) {}

  /**
   * Asks for the state of instances that are CONNECTING or UNREACHABLE, or DISCONNECTED or in ERROR for less than a day, and stores the
   * answers.
   * Without an answer the stored state stays. Emits CHAT_INSTANCE_STATUS_CHANGED at most every 10 s for each instance. Queued
   * messages of a CONNECTED instance may leave then. Safe to repeat, and to run twice at once.
   * @returns the number of states that have changed
   */
  async checkInstances(): Promise<number> {
    const { database, instancesPerRun, concurrency } = this.options;
    if (instancesPerRun === 0 || this.stopping) return 0;
    const instances = await database.query<CheckedInstance>(takeInstancesToCheck, [instancesPerRun, hoursAfterEnd]);
    let changed = 0;
    const work = async () => {
      for (let instance = instances.pop(); instance !== undefined && !this.stopping; instance = instances.pop())
        if (await this.check(instance)) changed += 1;
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    return changed;
  }

  /** Ends a run after the instances that are being asked for, and starts no further run. */
  stop(): void {
    this.stopping = true;
  }

  private async check(instance: CheckedInstance): Promise<boolean> {
    const { tenantId, instanceId } = instance;
    try {
      const asked = await this.ask(instance);
      const answer = asked && withKnownReason(instance, asked);
      if (answer === undefined || !isNews(instance, answer)) return false;
      return await this.options.transactor.run(tenantId, (tx) => this.store(tx, instance, answer));
    } catch (error) {
      this.options.log.warn(
        { err: error, tenantId, instanceId },
        'the state of a chat instance could not be read; trying again',
      );
      return false;
    }
  }

  /** Runs outside of transactions. @returns undefined if the gateway does not answer the question */
  private async ask(instance: CheckedInstance): Promise<Answer | undefined> {
    const place = this.options.endpoints.find(instance);
    if (place.outcome === 'permanent') return undefined;
    const result = await place.gateway.readState?.(place.endpoint);
    return result?.outcome === 'answered' ? result : undefined;
  }

  private async store(
    tx: Transaction,
    asked: InstanceStateRow,
    { status, lastError, number }: Answer,
  ): Promise<boolean> {
    const { instanceId } = asked;
    const [stored] = await tx.query<InstanceStateRow>(lockStoredInstance, [tx.tenantId, instanceId]);
    if (stored === undefined || !isSameInstance(asked, stored)) return false;
    // A report that came in between is newer.
    if (stored.statusChangedAt.getTime() !== asked.statusChangedAt.getTime()) return false;
    await this.options.connections.report(tx, [{ instanceId, status, lastError, number }]);
    return status !== stored.status;
  }
}

// The report that brought the state said why, and an answer often does not: a banned line is one that is not connected to its gateway.
function withKnownReason({ status, lastError, isChanged }: CheckedInstance, answer: Answer): Answer {
  // The reason was that of another line or credential.
  if (isChanged) return answer;
  const isKnown = answer.status === status || (answer.status === 'DISCONNECTED' && status === 'ERROR');
  return isKnown && answer.lastError === undefined ? { ...answer, status, lastError: lastError ?? undefined } : answer;
}

function isNews(instance: CheckedInstance, answer: Answer): boolean {
  if (instance.isUnreachable && answer.status === 'CONNECTED') return true;
  if (answer.number !== undefined && answer.number !== instance.number) return true;
  return answer.status !== instance.status || (answer.lastError ?? null) !== instance.lastError;
}
