// Reads the templates of an instance from its network, and replaces the stored ones.

import type { Database } from '../../platform/database/database.js';
import { notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/input/input.js';
import { sizeOf } from '../../platform/database/page.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import type { Transactor } from '../../platform/database/transaction.js';
import { holdInstance, selectStoredInstance, type InstanceStateRow } from '../chat-instances/chat-instance.sql.js';
import type { GatewayEndpoints } from '../chat-instances/gateway-endpoints.js';
import { toAppError } from '../chat-instances/instance-lifecycle.service.js';
import { deleteOtherTemplates, readTemplateColumns, upsertTemplates } from './channel-template.sql.js';
import { templatesNotOffered, type ChannelTemplateRow } from './channel-template.service.js';

export interface ChannelTemplateSyncOptions {
  database: Database;
  transactor: Transactor;
  endpoints: GatewayEndpoints;
  /** The time limit of reading all pages, in milliseconds. */
  timeLimitMs: number;
}

export class ChannelTemplateSyncService {
  /** The reads in progress, by tenant and instance: callers at the same moment share one. */
  private readonly reading = new Map<string, Promise<void>>();

  constructor(private readonly options: ChannelTemplateSyncOptions) {}

  /**
   * Reads the instance's templates again; at most 2,000. Safe to repeat, also in parallel.
   * @param first the number to return: 50 by default, 200 at most
   * @returns the newest templates, the newest first
   * @throws AppError VALIDATION_FAILED on `first`; NOT_FOUND; NOT_OFFERED if the network has no templates; UNAVAILABLE if it cannot answer
   * now; CONFLICT with a sentence on what to do if it refuses or cannot be called
   */
  async sync(
    principal: Principal | undefined,
    instanceId: string,
    first?: number | null,
  ): Promise<ChannelTemplateRow[]> {
    const { tenantId } = requireUser(principal);
    const take = sizeOf('first', first);
    if (!isUuid(instanceId)) throw notFound('chat instance');
    const id = instanceId.toLowerCase();
    const key = `${tenantId} ${id}`;
    const reading = this.reading.get(key) ?? this.read(tenantId, id).finally(() => this.reading.delete(key));
    this.reading.set(key, reading);
    await reading;
    const where = { tenantId, instanceId: id };
    return this.options.database.prisma.channelTemplate.findMany({ where, orderBy: { id: 'desc' }, take });
  }

  private async read(tenantId: string, instanceId: string): Promise<void> {
    const { database, endpoints, transactor, timeLimitMs } = this.options;
    const [instance] = await database.query<InstanceStateRow>(selectStoredInstance, [tenantId, instanceId]);
    if (instance === undefined) throw notFound('chat instance');
    if (!endpoints.offersTemplates(instance.provider)) throw templatesNotOffered();
    const reachable = endpoints.find(instance);
    if (reachable.outcome === 'permanent') throw toAppError(reachable);
    // The network reports in whole seconds. The start is rounded down, so that a later report of the same second still counts.
    const startedAt = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    const listed = await reachable.gateway.listTemplates?.(reachable.endpoint, AbortSignal.timeout(timeLimitMs));
    if (listed === undefined) throw templatesNotOffered();
    if (listed.outcome !== 'answered') throw toAppError(listed);
    // Pages shift while templates are created, so a template may come twice.
    const templates = [
      ...new Map(listed.templates.map((template) => [`${template.language} ${template.name}`, template])).values(),
    ];
    const place = [tenantId, instanceId, startedAt];
    const keys = [templates.map(({ name }) => name), templates.map(({ language }) => language)];
    await transactor.run(tenantId, async (tx) => {
      const [held] = await tx.query(holdInstance, [tenantId, instanceId]);
      if (held === undefined) throw notFound('chat instance');
      await tx.query(upsertTemplates, [...place, ...readTemplateColumns.valuesOf(templates)]);
      await tx.query(deleteOtherTemplates, [...place, ...keys]);
    });
  }
}
