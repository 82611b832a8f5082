// Asks gateways how the lines stand that are not connected, so that one that came back is known to be back without anybody's
// asking. What is answered is stored by the rules of chat-connection.service.ts; connecting is instance-lifecycle.service.ts's.

import type { InstanceResult } from '../../clients/chat-gateway.js';
import type { Database } from '../../platform/database.js';
import type { Logger } from '../../platform/logger.js';
import type { Transaction, Transactor } from '../../platform/transaction.js';
import type { ChatConnectionService } from './chat-connection.service.js';
import type { GatewayEndpoints } from './gateway-endpoints.js';
import { isSameInstance, lockStoredInstance, takeInstancesToCheck } from './chat-instance.sql.js';
import type { CheckedInstance, LineRow } from './chat-instance.sql.js';

export interface InstanceCheckOptions {
  database: Database;
  transactor: Transactor;
  connections: ChatConnectionService;
  endpoints: GatewayEndpoints;
  log: Logger;
  /** Most lines that one run asks for; 0: none. */
  linesPerRun: number;
  /** How many gateways are asked at once. */
  concurrency: number;
}

type Answer = Extract<InstanceResult, { outcome: 'answered' }>;

// A line that ended longer ago is connected by somebody, or not at all.
const hoursAfterEnd = 24;

export class InstanceCheckService {
  private stopping = false;

  constructor(private readonly options: InstanceCheckOptions) {}

  /**
   * Asks the gateways of lines that are CONNECTING, or DISCONNECTED or in ERROR for less than a day, how they stand, and stores
   * what they answer. A line whose gateway does not answer, refuses or cannot be asked stays as it is. Emits
   * CHAT_INSTANCE_STATUS_CHANGED, damped; what waited for a line that is CONNECTED goes on. Safe to repeat, and to run twice at once.
   * @returns how many stand differently than was known
   */
  async checkLines(): Promise<number> {
    const { database, linesPerRun, concurrency } = this.options;
    if (linesPerRun === 0 || this.stopping) return 0;
    const lines = await database.query<CheckedInstance>(takeInstancesToCheck, [linesPerRun, hoursAfterEnd]);
    let changed = 0;
    const work = async () => {
      for (let line = lines.pop(); line !== undefined && !this.stopping; line = lines.pop())
        if (await this.check(line)) changed += 1;
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    return changed;
  }

  /** A run that is under way asks for no further line, and none begins any more. */
  stop(): void {
    this.stopping = true;
  }

  private async check(line: CheckedInstance): Promise<boolean> {
    const { tenantId, instanceId } = line;
    try {
      const answer = await this.ask(line);
      if (answer === undefined || !saysOtherwise(line, answer)) return false;
      return await this.options.transactor.run(tenantId, (tx) => this.store(tx, line, answer));
    } catch (error) {
      this.options.log.warn(
        { err: error, tenantId, instanceId },
        'how a line stands could not be found out; trying on',
      );
      return false;
    }
  }

  /** No transaction is open meanwhile. @returns undefined where the gateway does not tell */
  private async ask(line: CheckedInstance): Promise<Answer | undefined> {
    const place = this.options.endpoints.find(line);
    if (place.outcome === 'permanent') return undefined;
    const result = await place.gateway.readState?.(place.endpoint);
    return result?.outcome === 'answered' ? result : undefined;
  }

  private async store(tx: Transaction, asked: LineRow, { status, lastError }: Answer): Promise<boolean> {
    const { instanceId } = asked;
    const [line] = await tx.query<LineRow>(lockStoredInstance, [tx.tenantId, instanceId]);
    if (line === undefined || !isSameInstance(asked, line)) return false;
    // A report that came meanwhile is newer.
    if (line.statusChangedAt.getTime() !== asked.statusChangedAt.getTime()) return false;
    await this.options.connections.report(tx, [{ instanceId, status, lastError }]);
    return status !== line.status;
  }
}

function saysOtherwise(line: LineRow, answer: Answer): boolean {
  return answer.status !== line.status || (answer.lastError ?? null) !== line.lastError;
}
