// Connecting and disconnecting lines at their gateways. No transaction is open while a gateway is asked; what it answers is
// stored by the rules of chat-connection.service.ts. Codes to scan or type are handed on, and never stored or logged.

import { gatewayNameOf, permanent } from '../../clients/chat-gateway.js';
import type { ChatGateway, GatewayEndpoint, InstanceResult } from '../../clients/chat-gateway.js';
import type { Database } from '../../platform/database.js';
import { within } from '../../platform/deadline.js';
import { AppError, notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/input.js';
import { requireAdmin } from '../../platform/principal.js';
import type { Principal, UserPrincipal } from '../../platform/principal.js';
import type { ChatInstanceStatus } from '../../platform/prisma/enums.js';
import type { Transaction, Transactor } from '../../platform/transaction.js';
import type { AuditAction } from '../audit/audit.schema.js';
import type { AuditedChange, AuditService } from '../audit/audit.service.js';
import type { ChatConnectionService } from './chat-connection.service.js';
import type { ChatInstanceService, PublicChatInstance } from './chat-instance.service.js';
import type { GatewayEndpoints } from './gateway-endpoints.js';
import { refuseOthersInstance } from './shared-gateway-names.js';
import { isSameInstance, lockStoredInstance, selectStoredInstance } from './chat-instance.sql.js';
import type { LineRow } from './chat-instance.sql.js';

/** How the line stands, and what the phone's owner scans or types while it is CONNECTING. */
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
  connections: ChatConnectionService;
  chatInstances: ChatInstanceService;
  endpoints: GatewayEndpoints;
  /** How long a gateway may take in all, in milliseconds: a driver may have to call it several times. */
  timeLimitMs: number;
}

type Answer = Extract<InstanceResult, { outcome: 'answered' }>;
type Action = 'connect' | 'disconnect';

const auditActionOf = {
  connect: 'CHAT_INSTANCE_CONNECTED',
  disconnect: 'CHAT_INSTANCE_DISCONNECTED',
} as const satisfies Record<Action, AuditAction>;

const notOffered = permanent('NOT_OFFERED', 'The gateway does not offer this. Do it in its own tools.');

export class InstanceLifecycleService {
  constructor(private readonly options: InstanceLifecycleOptions) {}

  /**
   * Begins to connect an instance's line, or says that it is connected. ADMIN only. Safe to repeat, also at once: asked again
   * while it is CONNECTING, it gives the code that counts by now.
   * @throws AppError NOT_FOUND, UNAVAILABLE where the gateway cannot answer now, CONFLICT with a sentence on what to do where it
   * refuses, cannot be called, or knows the name as another tenant's line
   */
  async connect(principal: Principal | undefined, id: string): Promise<InstanceConnection> {
    const admin = requireAdmin(principal);
    const { status, lastError, qr, pairingCode } = await this.run(admin, id, 'connect');
    return { status, lastError: lastError ?? null, qr: qr ?? null, pairingCode: pairingCode ?? null };
  }

  /**
   * Ends an instance's session at its network: connecting again needs a new code, and what is to be sent waits for that. ADMIN
   * only; safe to repeat. @throws AppError as `connect`
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
    const [line] = await database.query<LineRow>(selectStoredInstance, [admin.tenantId, id]);
    if (line === undefined) throw notFound('chat instance');
    const place = endpoints.find(line);
    if (place.outcome === 'permanent') throw toAppError(place);
    await refuseOthersInstance(database, endpoints, { ...line, tenantId: admin.tenantId, id: line.instanceId });
    const result = await this.ask(place.gateway, place.endpoint, action);
    if (result.outcome !== 'answered') throw toAppError(result);
    return transactor.run(admin.tenantId, (tx) => this.store(tx, admin, line, action, result));
  }

  private ask(gateway: ChatGateway, endpoint: GatewayEndpoint, action: Action): Promise<InstanceResult> {
    const { timeLimitMs } = this.options;
    const work = gateway[action]?.(endpoint) ?? Promise.resolve(notOffered);
    return within(timeLimitMs, work, () => tooSlow(endpoint, timeLimitMs));
  }

  /** @returns what the caller is told */
  private async store(
    tx: Transaction,
    admin: UserPrincipal,
    asked: LineRow,
    action: Action,
    answer: Answer,
  ): Promise<Answer> {
    const { instanceId } = asked;
    const [line] = await tx.query<LineRow>(lockStoredInstance, [tx.tenantId, instanceId]);
    if (line === undefined) throw notFound('chat instance');
    if (!isSameInstance(asked, line))
      throw new AppError('CONFLICT', 'The chat instance was changed while its gateway was asked. Try again');
    // A report that came meanwhile is newer: the code was scanned before its picture got here.
    if (answer.status === 'CONNECTING' && line.status === 'CONNECTED' && asked.status !== 'CONNECTED')
      return { outcome: 'answered', status: 'CONNECTED' };
    const { status, lastError } = answer;
    await this.options.connections.report(tx, [{ instanceId, status, lastError }]);
    await this.options.audit.record(tx, admin, toAudit(tx.tenantId, line, action, answer));
    return answer;
  }
}

function tooSlow(endpoint: GatewayEndpoint, timeLimitMs: number): InstanceResult {
  const detail = `${gatewayNameOf(endpoint)} did not answer within ${timeLimitMs / 1_000} s`;
  return { outcome: 'temporary', code: 'GATEWAY_UNREACHABLE', detail };
}

/** Nothing where nothing changes; a code that was shown is told of each time, for it takes the line over. */
function toAudit(tenantId: string, line: LineRow, action: Action, answer: Answer): AuditedChange[] {
  const showsCode = answer.qr !== undefined || answer.pairingCode !== undefined;
  if (answer.status === line.status && !showsCode) return [];
  return [
    {
      tenantId,
      action: auditActionOf[action],
      targetKind: 'CHAT_INSTANCE',
      targetId: line.instanceId,
      before: { status: line.status },
      after: { status: answer.status, ...(showsCode ? { codeShown: true } : {}) },
    },
  ];
}

/**
 * What a gateway refuses for good is the state of things, and not the caller's rights or input: CONFLICT, whose sentence says
 * what to change first.
 */
function toAppError(refusal: Exclude<InstanceResult, Answer>): AppError {
  const cause = new Error(refusal.code);
  if (refusal.outcome === 'permanent') return new AppError('CONFLICT', refusal.detail, { cause });
  const { retryAfterSeconds } = refusal;
  return new AppError('UNAVAILABLE', refusal.detail, {
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
