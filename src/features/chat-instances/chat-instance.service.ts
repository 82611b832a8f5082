// Chat instances: the tenant's lines to the chat network. Sending through them belongs to messages.

import type { Database, Prisma } from '../../platform/database.js';
import { parseInput, uuid } from '../../platform/input.js';
import { requireUser } from '../../platform/principal.js';
import type { Principal } from '../../platform/principal.js';
import type { SqlRunner } from '../../platform/database.js';

export type ChatInstanceRow = Prisma.ChatInstanceGetPayload<object>;

const accountIdSchema = uuid.nullish();

// Never the whole row: the gateway's credential and address stay on this side.
const publicFields = {
  id: true,
  provider: true,
  instanceName: true,
  isDefault: true,
  status: true,
  createdAt: true,
  updatedAt: true,
  deletedAt: true,
  lastError: true,
  metadata: true,
} as const;

const nested = {
  tenant: { select: { id: true, name: true, slug: true, createdAt: true, updatedAt: true } },
  account: { select: { id: true, name: true, createdAt: true, updatedAt: true } },
} as const;

/** The spec's Chat instance, tenant and account nested. */
export type PublicChatInstance = Prisma.ChatInstanceGetPayload<{ select: typeof publicFields & typeof nested }>;

/** What intake needs to know of an instance. */
export interface KnownInstance {
  id: string;
  instanceName: string;
  isDefault: boolean;
}

export class ChatInstanceService {
  constructor(private readonly database: Database) {}

  /** The tenant's instances, oldest first, without the soft-deleted ones; of one account when its id is given. */
  async list(principal: Principal | undefined, wanted?: unknown): Promise<PublicChatInstance[]> {
    const { tenantId } = requireUser(principal);
    const accountId = parseInput(accountIdSchema, wanted, 'accountId');
    return this.database.prisma.chatInstance.findMany({
      where: { tenantId, deletedAt: null, ...(accountId == null ? {} : { accountId }) },
      select: { ...publicFields, ...nested },
      orderBy: { id: 'asc' },
    });
  }

  /** Instances by id, deleted ones included (messages keep pointing at them), for batched reads. */
  async listByIds(principal: Principal, ids: readonly string[]): Promise<PublicChatInstance[]> {
    return this.database.prisma.chatInstance.findMany({
      where: { tenantId: principal.tenantId, id: { in: [...ids] } },
      select: { ...publicFields, ...nested },
    });
  }

  /**
   * The tenant's instances as callers name them, the default ones first. The first is the tenant's default.
   * Spec gap: with several accounts there may be several defaults; the oldest of them counts.
   */
  async listKnown(sql: SqlRunner, tenantId: string): Promise<KnownInstance[]> {
    return sql.query<KnownInstance>(
      {
        name: 'list-known-instances',
        text: `SELECT id, instance_name AS "instanceName", is_default AS "isDefault" FROM chat_instances
          WHERE tenant_id = $1 AND deleted_at IS NULL ORDER BY is_default DESC, id`,
      },
      [tenantId],
    );
  }

  /** Authorization is the caller's: seeding acts for the operator of the service. */
  async create(
    tenantId: string,
    input: { id: string; accountId: string; instanceName: string; isDefault: boolean },
  ): Promise<void> {
    const { id, accountId, instanceName, isDefault } = input;
    await this.database.prisma.chatInstance.create({
      data: { tenantId, id, accountId, instanceName, isDefault, status: 'CONNECTED' },
    });
  }
}
