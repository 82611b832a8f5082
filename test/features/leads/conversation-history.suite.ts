// Random histories, one step after the other and many at once: messages of both sides, failures, retries, merges, undone merges, late and
// recovered messages. After each step the state of every lead is computed again from its messages, by a few lines of their own.

import { randomUUID } from 'node:crypto';
import { firstIdAt } from '../../../src/platform/database/record-id.js';
import { execute, query } from '../../support/graphql-client.js';
import {
  CancelMessageDocument,
  CloseConversationDocument,
  CreateTemplateDocument,
  MergeLeadsDocument,
  ReopenConversationDocument,
  RetryMessageDocument,
  SendMessagesDocument,
  SnoozeConversationDocument,
  UndoLeadMergeDocument,
} from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { pick, seededRandom, type Random } from '../dashboards/figure-harness.js';
import { createLead, plainNumber, send } from '../messages/sending-harness.js';
import { hear, hearMany, writeOnPhone } from './conversation-harness.js';
import { findInconsistencies, intakeOf, phone, transact } from './lead-harness.js';

interface StoredMessage {
  id: string;
  position: string;
  leadId: string;
  direction: 'INBOUND' | 'OUTBOUND';
  status: string | null;
  isBulk: boolean;
  /** It is to leave later, and has not left. */
  isAhead: boolean;
  at: Date;
}

interface StoredLead {
  id: string;
  waitingSince: string | null;
  lastInboundAt: string | null;
}

/**
 * The definition of waiting: the oldest inbound message after the tenant's newest word. Bulk, canceled and failed messages are no such
 * word, nor are scheduled ones that have not left.
 */
function stateFrom(messages: readonly StoredMessage[]): Omit<StoredLead, 'id'> {
  const ordered = messages.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  const answer = ordered.findLastIndex(
    ({ direction, isBulk, isAhead, status }) =>
      direction === 'OUTBOUND' && !isBulk && !isAhead && status !== 'CANCELED' && status !== 'FAILED',
  );
  const inbound = ordered.filter(({ direction }) => direction === 'INBOUND');
  const unanswered = ordered.slice(answer + 1).filter(({ direction }) => direction === 'INBOUND');
  const times = unanswered.map(({ at }) => at.getTime()).toSorted((one, other) => one - other);
  const isoOf = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
  return { waitingSince: isoOf(times[0]), lastInboundAt: isoOf(inbound.at(-1)?.at.getTime()) };
}

function placeOf({ position, id }: StoredMessage): string {
  return `${position} ${id}`;
}

export function describeConversationHistory(): void {
  describeHistoriesOf({ oneByOne: [1], atOnce: [11] });
}

export function describeManyConversationHistories(): void {
  describeHistoriesOf({ oneByOne: [1, 2, 3], atOnce: [11, 12, 13] });
}

/** Each number is the seed of a history. */
interface Seeds {
  oneByOne: number[];
  atOnce: number[];
}

function describeHistoriesOf({ oneByOne, atOnce }: Seeds): void {
  let app: TestApp;

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api' });
  });

  interface Stage {
    tenant: TestTenant;
    random: Random;
    numbers: string[];
    leadIds: string[];
    templateId: string;
  }

  async function createStage(seed: number): Promise<Stage> {
    const tenant = await app.createTenant();
    const numbers = Array.from({ length: 4 }, plainNumber);
    const leadIds: string[] = [];
    for (const number of numbers) leadIds.push(await createLead(app, tenant, number));
    const input = { name: 'bulk', body: 'Oi' };
    const { createTemplate } = await query(app, tenant.operator, CreateTemplateDocument, { input });
    return { tenant, random: seededRandom(seed), numbers, leadIds, templateId: createTemplate.id };
  }

  /** A message that was written some time ago, as it is recovered from a gateway's history. */
  async function recover({ tenant, random, numbers }: Stage): Promise<void> {
    const intake = intakeOf(app);
    const at = new Date(Date.now() - Math.floor(random() * 3_600_000) - 1_200_000);
    const message = {
      kind: 'message',
      direction: random() < 0.5 ? 'INBOUND' : 'OUTBOUND',
      type: 'text',
      contact: [phone(pick(random, numbers))],
      externalId: randomUUID(),
      text: randomUUID(),
    } as const;
    const id = `${firstIdAt(at).slice(0, 14)}${randomUUID().slice(14)}`;
    await transact(app, tenant, (tx) =>
      intake.receive(
        tx,
        [
          {
            id,
            instanceId: tenant.instance.id,
            message: { ...message, contact: [...message.contact] },
            recoveredFrom: at,
          },
        ],
        'test',
      ),
    );
  }

  async function pickMessage({ tenant, random }: Stage, condition: string) {
    const found = await app.sql<{ id: string; externalId: string }>(
      `SELECT id, external_id AS "externalId" FROM messages
       WHERE tenant_id = $1 AND direction = 'OUTBOUND' AND ${condition} ORDER BY id`,
      [tenant.id],
    );
    return found.length === 0 ? undefined : pick(random, found);
  }

  /** Reports what became of messages: of one by the fast path, of several by the general path. */
  async function report(stage: Stage): Promise<void> {
    const written = await pickMessage(stage, 'external_id IS NOT NULL');
    if (written === undefined) return;
    const { random, tenant } = stage;
    const said = () => ({ messageId: written.externalId, status: random() < 0.6 ? 'FAILED' : 'DELIVERED' });
    const body = random() < 0.5 ? said() : { statuses: [said(), { ...said(), messageId: randomUUID() }] };
    const answer = await app.post('/webhooks/chat/gateway/status', body, withKey(tenant));
    expect(answer.status).toBe(200);
  }

  /** Gives a message up, like a worker. */
  async function giveUp(stage: Stage): Promise<void> {
    const waiting = await pickMessage(stage, "status = 'QUEUED'");
    if (waiting === undefined) return;
    const { tenant } = stage;
    await transact(app, tenant, async (tx) => {
      const [entry] = await tx.query('SELECT FROM outbox_entries WHERE tenant_id = $1 AND message_id = $2 FOR UPDATE', [
        tenant.id,
        waiting.id,
      ]);
      if (entry === undefined) return;
      await app.app.services.statuses.set(tx, [waiting.id], { status: 'FAILED', occurredAt: null, source: 'worker' });
      await tx.query('DELETE FROM outbox_entries WHERE tenant_id = $1 AND message_id = $2', [tenant.id, waiting.id]);
    });
  }

  const steps: Record<string, (stage: Stage) => Promise<unknown>> = {
    hear: ({ tenant, random, numbers }) => hear(app, tenant, pick(random, numbers)),
    hearMany: ({ tenant, random, numbers }) =>
      hearMany(app, tenant, [pick(random, numbers), pick(random, numbers), pick(random, numbers)]),
    phone: ({ tenant, random, numbers }) => writeOnPhone(app, tenant, pick(random, numbers)),
    send: ({ tenant, random, leadIds }) => send(app, tenant, { leadId: pick(random, leadIds), body: 'Oi' }),
    schedule: ({ tenant, random, leadIds }) =>
      send(app, tenant, {
        leadId: pick(random, leadIds),
        body: 'Oi',
        sendAt: new Date(Date.now() + 3_600_000).toISOString(),
      }),
    cancel: async ({ tenant, random }) => {
      const waiting = await app.sql<{ id: string }>(
        "SELECT id FROM messages WHERE tenant_id = $1 AND status = 'QUEUED' ORDER BY id",
        [tenant.id],
      );
      if (waiting.length === 0) return;
      await execute(app, tenant.operator, CancelMessageDocument, { id: pick(random, waiting).id });
    },
    bulk: ({ tenant, random, leadIds, templateId }) => {
      const input = { templateId, recipients: [{ leadId: pick(random, leadIds) }], idempotencyKey: randomUUID() };
      return execute(app, tenant.operator, SendMessagesDocument, { input });
    },
    recover,
    report,
    giveUp,
    retry: async (stage) => {
      const failed = await pickMessage(stage, "status = 'FAILED'");
      if (failed !== undefined) await execute(app, stage.tenant.operator, RetryMessageDocument, { id: failed.id });
    },
    close: ({ tenant, random, leadIds }) =>
      query(app, tenant.operator, CloseConversationDocument, { leadId: pick(random, leadIds) }),
    reopen: ({ tenant, random, leadIds }) =>
      query(app, tenant.operator, ReopenConversationDocument, { leadId: pick(random, leadIds) }),
    snooze: ({ tenant, random, leadIds }) => {
      const until = new Date(Date.now() + 3_600_000).toISOString();
      return query(app, tenant.operator, SnoozeConversationDocument, { leadId: pick(random, leadIds), until });
    },
    merge: ({ tenant, random, leadIds }) =>
      execute(app, tenant.operator, MergeLeadsDocument, {
        leadId: pick(random, leadIds),
        intoId: pick(random, leadIds),
      }),
    undo: async ({ tenant }) => {
      const [merge] = await app.sql<{ id: string }>(
        'SELECT id FROM lead_merges WHERE tenant_id = $1 AND undone_at IS NULL ORDER BY created_at DESC LIMIT 1',
        [tenant.id],
      );
      if (merge !== undefined) await execute(app, tenant.operator, UndoLeadMergeDocument, { mergeId: merge.id });
    },
  };
  const frequent = ['hear', 'hear', 'hear', 'hearMany', 'phone', 'send', 'send', 'cancel', 'report', 'giveUp', 'retry'];
  const names = [...frequent, ...Object.keys(steps)];

  async function compare({ tenant }: Stage): Promise<void> {
    const messages = await app.sql<StoredMessage>(
      `SELECT id, position, lead_id AS "leadId", direction, status, bulk_send_id IS NOT NULL AS "isBulk", created_at AS at,
         scheduled_for IS NOT NULL AND coalesce(status IN ('QUEUED', 'SENDING'), false) AS "isAhead"
       FROM messages WHERE tenant_id = $1`,
      [tenant.id],
    );
    const leads = await app.sql<{ id: string; waitingSince: Date | null; lastInboundAt: Date | null }>(
      'SELECT id, waiting_since AS "waitingSince", last_inbound_at AS "lastInboundAt" FROM leads WHERE tenant_id = $1',
      [tenant.id],
    );
    const byLead = Map.groupBy(messages, ({ leadId }) => leadId);
    for (const { id, waitingSince, lastInboundAt } of leads)
      expect({
        id,
        waitingSince: waitingSince?.toISOString() ?? null,
        lastInboundAt: lastInboundAt?.toISOString() ?? null,
      }).toEqual({ id, ...stateFrom(byLead.get(id) ?? []) });
    expect(await findInconsistencies(app, tenant)).toEqual([]);
  }

  /** Each change of a status is one event, and the last event of a lead says what it has now. */
  async function compareEvents({ tenant }: Stage): Promise<void> {
    const changes = await app.sql<{ leadId: string; status: string; until: string | null }>(
      `SELECT lead_id AS "leadId", data->>'conversationStatus' AS status, data->>'snoozedUntil' AS until FROM events
       WHERE tenant_id = $1 AND type = 'CONVERSATION_STATUS_CHANGED' ORDER BY seq`,
      [tenant.id],
    );
    const last = new Map<string, string>();
    for (const { leadId, status, until } of changes) {
      expect(`${status} ${until}`).not.toBe(last.get(leadId));
      last.set(leadId, `${status} ${until}`);
    }
    const leads = await app.sql<{ id: string; status: string; until: Date | null }>(
      `SELECT id, conversation_status AS status, snoozed_until AS until FROM leads l WHERE tenant_id = $1 AND merged_into_id IS NULL
         AND NOT EXISTS (SELECT FROM lead_merges g WHERE g.tenant_id = $1 AND g.merged_id = l.id)`,
      [tenant.id],
    );
    for (const { id, status, until } of leads)
      expect([id, `${status} ${until?.toISOString() ?? null}`]).toEqual([id, last.get(id) ?? 'OPEN null']);
  }

  test.each(oneByOne)('one step after the other (seed %i)', async (seed) => {
    const stage = await createStage(seed);
    for (let step = 0; step < 60; step += 1) {
      await steps[pick(stage.random, names)]?.(stage);
      await compare(stage);
    }
    await compareEvents(stage);
  });

  test.each(atOnce)('several steps at once (seed %i)', async (seed) => {
    const stage = await createStage(seed);
    for (let round = 0; round < 15; round += 1) {
      await Promise.all(Array.from({ length: 6 }, async () => steps[pick(stage.random, names)]?.(stage)));
      await compare(stage);
    }
    await compareEvents(stage);
  });
}
