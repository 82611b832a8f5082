// Connects and disconnects chat instances at their gateways. No transaction is open during a call. Storing the state belongs to
// instance-state.service.ts. Codes to scan or type are returned, and never stored or logged.

import {
  gatewayNameOf,
  permanent,
  type ChatGateway,
  type GatewayEndpoint,
  type InstanceResult,
  type PermanentRefusal,
  type TemporaryRefusal,
} from '../../providers/chat-gateway.js';
import type { Database } from '../../platform/database/database.js';
import { within } from '../../platform/jobs/deadline.js';
import { AppError, notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/input/input.js';
import { requireAdmin, type Principal, type UserPrincipal } from '../../platform/principal.js';
import type { ChatInstanceStatus } from '../../platform/prisma/enums.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import type { AuditAction } from '../audit/audit.schema.js';
import type { AuditedChange, AuditService } from '../audit/audit.service.js';
import type { InstanceStateService } from './instance-state.service.js';
import type { ChatInstanceService, PublicChatInstance } from './chat-instance.service.js';
import type { GatewayEndpoints } from './gateway-endpoints.js';
import { requireOwnSharedName } from './shared-gateway-names.js';
import {
  isSameInstance,
  lockStoredInstance,
  selectStoredInstance,
  type InstanceStateRow,
} from './chat-instance.sql.js';

/** The state, and while it is CONNECTING the codes that the owner of the phone scans or types. */
export interface InstanceConnection {
  status: ChatInstanceStatus;
  lastError: string | null;
  qr: string | null;
  pairingCode: string | null;
}

export interface InstanceLifecycleOptions {
  database: Database;
  transactor: Transactor;
  audit: AuditService;
  connections: InstanceStateService;
  chatInstances: ChatInstanceService;
  endpoints: GatewayEndpoints;
  /** The time limit of an action. A driver may have to call the gateway several times. */
  timeLimitMs: number;
}

type Answer = Extract<InstanceResult, { outcome: 'answered' }>;
type Action = 'connect' | 'disconnect';

const auditActionOf = {
  connect: 'CHAT_INSTANCE_CONNECTED',
  disconnect: 'CHAT_INSTANCE_DISCONNECTED',
} as const satisfies Record<Action, AuditAction>;

/** Further codes that a user asks for in this time belong to the same attempt. */
const oneAttemptMs = 10 * 60_000;

const notOffered = permanent('NOT_OFFERED', 'The gateway does not offer this. Do it in its own tools.');

export class InstanceLifecycleService {
  constructor(private readonly options: InstanceLifecycleOptions) {}

  /**
   * Starts to connect an instance, or reports that it is connected. ADMIN only. Safe to repeat, also in parallel: while it is
   * CONNECTING, each call returns the current code.
   * @throws AppError NOT_FOUND; UNAVAILABLE if the gateway cannot answer now; CONFLICT with a sentence on what to do if it refuses,
   * cannot be called, or has the name for another tenant
   */
  async connect(principal: Principal | undefined, id: string): Promise<InstanceConnection> {
    const admin = requireAdmin(principal);
    const { status, lastError, qr, pairingCode } = await this.run(admin, id, 'connect');
    return { status, lastError: lastError ?? null, qr: qr ?? null, pairingCode: pairingCode ?? null };
  }

  /**
   * Ends an instance's session at the network. Connecting again needs a new code; messages stay queued until then. ADMIN only; safe
   * to repeat. @throws AppError like `connect`
   */
  async disconnect(principal: Principal | undefined, id: string): Promise<PublicChatInstance> {
    const admin = requireAdmin(principal);
    await this.run(admin, id, 'disconnect');
    const instance = await this.options.chatInstances.find(admin, id);
    if (instance === null) throw notFound('chat instance');
    return instance;
  }

  private async run(admin: UserPrincipal, id: string, action: Action): Promise<Answer> {
    const { database, endpoints, transactor } = this.options;
    if (!isUuid(id)) throw notFound('chat instance');
    const [instance] = await database.query<InstanceStateRow>(selectStoredInstance, [admin.tenantId, id]);
    if (instance === undefined) throw notFound('chat instance');
    const place = endpoints.find(instance);
    if (place.outcome === 'permanent') throw toAppError(place);
    await requireOwnSharedName(database, endpoints, { ...instance, tenantId: admin.tenantId, id: instance.instanceId });
    const result = await this.ask(place.gateway, place.endpoint, action);
    if (result.outcome !== 'answered') throw toAppError(result);
    return transactor.run(admin.tenantId, (tx) => this.store(tx, admin, instance, action, result));
  }

  private ask(gateway: ChatGateway, endpoint: GatewayEndpoint, action: Action): Promise<InstanceResult> {
    const { timeLimitMs } = this.options;
    const work = gateway[action]?.(endpoint) ?? Promise.resolve(notOffered);
    return within(timeLimitMs, work, () => tooSlow(endpoint, timeLimitMs));
  }

  /** @returns the answer for the caller */
  private async store(
    tx: Transaction,
    admin: UserPrincipal,
    asked: InstanceStateRow,
    action: Action,
    answer: Answer,
  ): Promise<Answer> {
    const { instanceId } = asked;
    const [stored] = await tx.query<InstanceStateRow>(lockStoredInstance, [tx.tenantId, instanceId]);
    if (stored === undefined) throw notFound('chat instance');
    if (!isSameInstance(asked, stored))
      throw new AppError('CONFLICT', 'The chat instance was changed while its gateway was asked. Try again');
    // A report that came in between is newer: the code was scanned before its picture arrived.
    if (answer.status === 'CONNECTING' && stored.status === 'CONNECTED' && asked.status !== 'CONNECTED')
      return { outcome: 'answered', status: 'CONNECTED' };
    const { status, lastError, number } = answer;
    await this.options.connections.report(tx, [{ instanceId, status, lastError, number }]);
    const change = toAudit(tx.tenantId, stored, action, answer);
    if (change !== undefined && !(await this.isRepeated(tx, admin, change, stored, answer)))
      await this.options.audit.record(tx, admin, [change]);
    return answer;
  }

  /** True for a code that was shown before: codes are asked for every few seconds, and one audit entry stands for all of an attempt. */
  private async isRepeated(
    tx: Transaction,
    admin: UserPrincipal,
    change: AuditedChange,
    stored: InstanceStateRow,
    answer: Answer,
  ): Promise<boolean> {
    return answer.status === stored.status && this.options.audit.hasRecent(tx, admin, change, oneAttemptMs);
  }
}

function tooSlow(endpoint: GatewayEndpoint, timeLimitMs: number): InstanceResult {
  const detail = `${gatewayNameOf(endpoint)} did not answer within ${timeLimitMs / 1_000} s`;
  return { outcome: 'temporary', code: 'GATEWAY_UNREACHABLE', detail };
}

/** Returns undefined if nothing changes. Showing a code is audited, because a code gives control of the number. */
function toAudit(
  tenantId: string,
  instance: InstanceStateRow,
  action: Action,
  answer: Answer,
): AuditedChange | undefined {
  const showsCode = answer.qr !== undefined || answer.pairingCode !== undefined;
  if (answer.status === instance.status && !showsCode) return undefined;
  return {
    tenantId,
    action: auditActionOf[action],
    targetKind: 'CHAT_INSTANCE',
    targetId: instance.instanceId,
    before: { status: instance.status },
    after: { status: answer.status, ...(showsCode ? { codeShown: true } : {}) },
  };
}

/** A permanent refusal is a CONFLICT: neither the caller's rights nor the input are wrong. Its sentence says what to change first. */
export function toAppError(refusal: TemporaryRefusal | PermanentRefusal): AppError {
  const cause = new Error(refusal.code);
  if (refusal.outcome === 'permanent') return new AppError('CONFLICT', refusal.detail, { cause });
  const { retryAfterSeconds } = refusal;
  return new AppError('UNAVAILABLE', refusal.detail, {
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
