// Made-up conversations in a tenant's tables, the same for the same seed, and the tables read back as plain records.

import { randomUUID } from 'node:crypto';
import { serviceOperator, type TestApp, type TestTenant } from '../../support/test-app.js';
import type { PlainData, PlainLead, PlainMessage } from './reference.js';

/** Gives the next number from 0 up to 1. */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}

/** A UUID from the seed, because records of the same time stand in the order of their ids. */
function seededId(random: Random): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The tenant, and the values that its records can have. */
export interface Cast {
  tenantId: string;
  sources: string[];
  adIds: string[];
  userIds: string[];
  instanceIds: string[];
  templateIds: string[];
  bulkSendId: string;
}

export async function createCast(app: TestApp, tenant: TestTenant): Promise<Cast> {
  const instance = { accountId: tenant.admin.accountId, instanceName: `instance-${randomUUID()}`, isDefault: false };
  const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
  const { id: otherInstance } = await app.app.services.chatInstances.create(serviceOperator, instance, place);
  const templateIds = [randomUUID(), randomUUID()];
  for (const id of templateIds)
    await app.sql("INSERT INTO templates (tenant_id, id, name, body, updated_at) VALUES ($1, $2, $3, 'Oi', now())", [
      tenant.id,
      id,
      `template ${id}`,
    ]);
  const bulkSendId = randomUUID();
  await app.sql(
    `INSERT INTO bulk_sends (tenant_id, id, template_id, template_version, instance_id, author_id, idempotency_key, content_hash, total)
     VALUES ($1, $2, $3, 1, $4, $5, 'x', 'x', 1)`,
    [tenant.id, bulkSendId, templateIds[0], tenant.instance.id, tenant.operator.id],
  );
  const userIds = [tenant.admin.id, tenant.operator.id];
  const instanceIds = [tenant.instance.id, otherInstance];
  return {
    tenantId: tenant.id,
    sources: ['ads', 'fair', 'website'],
    adIds: ['ad 1', 'ad 2'],
    userIds,
    instanceIds,
    templateIds,
    bulkSendId,
  };
}

const statuses = ['QUEUED', 'SENDING', 'SENT', 'DELIVERED', 'READ', 'READ', 'FAILED', 'CANCELED'];

/** Leads with messages around a time: some to the millisecond at an edge, and many at the same time as others. */
export async function addConversations(
  app: TestApp,
  cast: Cast,
  { random, at, edges, count }: { random: Random; at: Date; edges: readonly Date[]; count: number },
): Promise<void> {
  const time = () => {
    const edge = pick(random, edges);
    const spread = (random() - 0.5) * 3 * 86_400_000;
    if (random() < 0.1) return new Date(edge.getTime() - (random() < 0.5 ? 1 : 0));
    return new Date(at.getTime() + (random() < 0.3 ? Math.round(spread / 600_000) * 600_000 : Math.round(spread)));
  };
  const leadIds: string[] = [];
  for (let index = 0; index < 8; index += 1) {
    leadIds.push(seededId(random));
    await app.sql(
      'INSERT INTO leads (tenant_id, id, name, source, assignee_id, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, now())',
      [cast.tenantId, leadIds[index], 'x', pick(random, cast.sources), pick(random, [null, ...cast.userIds]), time()],
    );
    for (const adId of [pick(random, [null, ...cast.adIds]), pick(random, [null, ...cast.adIds])])
      if (adId !== null)
        await app.sql(
          "INSERT INTO lead_touches (tenant_id, id, lead_id, source, referral) VALUES ($1, $2, $3, 'ad', $4)",
          [cast.tenantId, seededId(random), leadIds[index], { kind: 'AD', sourceId: adId }],
        );
  }
  const rows = Array.from({ length: count }, () => {
    const isInbound = random() < 0.5;
    return {
      id: seededId(random),
      leadId: pick(random, leadIds),
      instanceId: pick(random, cast.instanceIds),
      direction: isInbound ? 'INBOUND' : 'OUTBOUND',
      status: isInbound ? null : pick(random, statuses),
      authorId: isInbound ? null : pick(random, [null, ...cast.userIds]),
      templateId: isInbound ? null : pick(random, [null, ...cast.templateIds]),
      bulkSendId: !isInbound && random() < 0.1 ? cast.bulkSendId : null,
      isAutomatic: !isInbound && random() < 0.1,
      createdAt: time(),
    };
  });
  const column = (key: keyof (typeof rows)[number]) => rows.map((row) => row[key]);
  await app.sql(
    `INSERT INTO messages (tenant_id, type, id, lead_id, instance_id, direction, status, author_id, template_id, bulk_send_id, is_automatic, created_at)
     SELECT $1, 'text', * FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::message_direction[], $6::message_status[],
       $7::uuid[], $8::uuid[], $9::uuid[], $10::boolean[], $11::timestamptz[])`,
    [
      cast.tenantId,
      column('id'),
      column('leadId'),
      column('instanceId'),
      column('direction'),
      column('status'),
      column('authorId'),
      column('templateId'),
      column('bulkSendId'),
      column('isAutomatic'),
      column('createdAt'),
    ],
  );
}

/** Makes one change of each kind that may happen to counted records. */
export async function disturb(app: TestApp, cast: Cast, random: Random): Promise<void> {
  const { messages, leads } = await readPlain(app, cast.tenantId);
  const message = () => pick(random, messages);
  const sent = () =>
    pick(
      random,
      messages.filter(({ direction }) => direction === 'OUTBOUND'),
    ).id;
  const lead = () => pick(random, leads).id;
  const set = (table: string, id: string, change: string, ...values: unknown[]) =>
    app.sql(`UPDATE ${table} SET ${change} WHERE tenant_id = $1 AND id = $2`, [cast.tenantId, id, ...values]);
  for (let count = 0; count < 5; count += 1) await set('messages', sent(), 'status = $3', pick(random, statuses));
  await set('messages', message().id, 'lead_id = $3', lead());
  await set('messages', message().id, "created_at = created_at + interval '7 hours'");
  await set('messages', sent(), 'bulk_send_id = $3', cast.bulkSendId);
  await set('messages', sent(), 'author_id = $3, template_id = $4', cast.userIds[0], cast.templateIds[1]);
  await set('messages', message().id, 'instance_id = $3', cast.instanceIds[1]);
  await set('messages', sent(), 'is_automatic = NOT is_automatic');
  await app.sql('DELETE FROM messages WHERE tenant_id = $1 AND id = $2', [cast.tenantId, message().id]);
  await set('leads', lead(), 'assignee_id = $3', cast.userIds[1]);
  await set('leads', lead(), 'source = $3', 'fair');
  await set('leads', lead(), "created_at = created_at - interval '90 minutes'");
  await app.sql('DELETE FROM leads WHERE tenant_id = $1 AND id = $2', [cast.tenantId, lead()]);
}

export async function readPlain(app: TestApp, tenantId: string): Promise<PlainData> {
  return {
    messages: await app.sql<PlainMessage & { id: string }>(
      `SELECT id, lead_id AS "leadId", instance_id AS "instanceId", direction, status, author_id AS "authorId",
         template_id AS "templateId", bulk_send_id IS NOT NULL AS "isBulk", is_automatic AS "isAutomatic", created_at AS "createdAt"
       FROM messages WHERE tenant_id = $1 ORDER BY id`,
      [tenantId],
    ),
    leads: await app.sql<PlainLead & { id: string }>(
      `SELECT id, source, assignee_id AS "assigneeId", created_at AS "createdAt",
         (SELECT t.referral ->> 'sourceId' FROM lead_touches t WHERE t.lead_id = l.id AND t.referral IS NOT NULL ORDER BY t.id LIMIT 1) AS "adId"
       FROM leads l WHERE tenant_id = $1 AND merged_into_id IS NULL ORDER BY id`,
      [tenantId],
    ),
  };
}
