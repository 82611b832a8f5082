// Instances that say CONNECTED while evidence says otherwise: DEGRADED with a reason, and well again by evidence.

import { createLogger } from '../../../src/platform/observability/logger.js';
import { Transactor } from '../../../src/platform/database/transaction.js';
import { recordIdAt } from '../../../src/platform/database/record-id.js';
import { LivenessService } from '../../../src/features/recovery/liveness.service.js';
import { query } from '../../support/graphql-client.js';
import { AuditLogDocument, InstanceAuditsDocument } from '../../support/operations.js';
import { EvolutionServer } from '../../support/evolution-server.js';
import { sharedApp } from '../../support/shared-app.js';
import { withToken, type TestApp, type TestTenant } from '../../support/test-app.js';
import { createLead, plainNumber, send, waitForStatus } from '../messages/sending-harness.js';
import { HistoryInstance, minutesAgo, recoveriesOf } from './history-harness.js';

export function describeLiveness(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let server: EvolutionServer;
  let instance: HistoryInstance;

  beforeAll(async () => {
    [app, server] = [await sharedApp(), await EvolutionServer.start()];
  });
  beforeEach(async () => {
    server.records.length = 0;
    await app.sql('UPDATE chat_instances SET deleted_at = now() WHERE deleted_at IS NULL');
    tenant = await app.createTenant();
    instance = await HistoryInstance.create(app, tenant, server);
  });
  afterAll(() => server.close());

  const eventsOf = async () =>
    (
      await app.sql('SELECT FROM events WHERE instance_id = $1 AND type = $2', [
        instance.id,
        'CHAT_INSTANCE_STATUS_CHANGED',
      ])
    ).length;
  const auditedOf = async () => {
    const { auditLog } = await query(app, tenant.admin, AuditLogDocument, { filter: { targetId: instance.id } });
    return auditLog.edges.map(({ node }) => node.action).filter((action) => /DEGRADED|RESTORED/.test(action));
  };
  /** Makes the next reading due. */
  const makeDue = () =>
    app.sql(
      "UPDATE instance_recoveries SET due_at = now() - interval '1 s', lease_until = NULL WHERE instance_id = $1",
      [instance.id],
    );
  const run = async () => {
    await makeDue();
    return recoveriesOf(app).recoverDue();
  };
  /** Moves the findings into the past. */
  const age = (minutes: number) =>
    app.sql(
      `WITH i AS (UPDATE chat_instances SET degraded_at = degraded_at - make_interval(mins => $2) WHERE id = $1)
       UPDATE instance_recoveries SET read_until = read_until - make_interval(mins => $2) WHERE instance_id = $1`,
      [instance.id, minutes],
    );

  describe('messages that no webhook brought', () => {
    test('are recovered by itself, and degrade the instance until webhooks bring all again', async () => {
      const chat = plainNumber();
      await instance.write(
        { chat, text: 'one', at: minutesAgo(30), isWithheld: true },
        { chat, text: 'two', at: minutesAgo(20) },
      );
      expect(await run()).toBe(1);
      expect((await instance.messages(chat)).map(({ body }) => body)).toEqual(['one', 'two']);
      expect(await instance.health()).toMatchObject({
        status: 'DEGRADED',
        healthCode: 'MESSAGES_MISSED',
        healthReason: expect.stringMatching(/^No webhook brought 1 message of .* Check the webhook/),
        pausedUntil: null,
      });
      expect([await eventsOf(), await auditedOf()]).toEqual([1, ['CHAT_INSTANCE_DEGRADED']]);
      // REST keeps its own set of states.
      const listed = (await (await app.get('/chat/instances', withToken(tenant.admin))).json()) as { id: string }[];
      expect(listed.find(({ id }) => id === instance.id)).toMatchObject({ status: 'CONNECTED' });
      // A reading without news is no evidence.
      await age(10);
      await run();
      expect(await instance.health()).toMatchObject({ status: 'DEGRADED' });
      await instance.write({ chat, text: 'three', at: new Date() });
      await app.sql(
        "UPDATE messages SET created_at = created_at - interval '2 min', received_at = received_at - interval '2 min' WHERE body = 'three' AND tenant_id = $1",
        [tenant.id],
      );
      await run();
      expect(await instance.health()).toMatchObject({
        status: 'CONNECTED',
        healthCode: null,
        healthReason: null,
        degradedAt: null,
      });
      expect([await eventsOf(), await auditedOf()]).toEqual([2, ['CHAT_INSTANCE_RESTORED', 'CHAT_INSTANCE_DEGRADED']]);
    });

    test('of the time in which it was disconnected say nothing of its webhooks', async () => {
      await instance.write({ chat: plainNumber(), at: minutesAgo(30), isWithheld: true });
      await app.sql('UPDATE chat_instances SET connected_at = $2 WHERE id = $1', [instance.id, minutesAgo(10)]);
      expect(await run()).toBe(1);
      expect(await instance.health()).toMatchObject({ status: 'CONNECTED' });
    });

    test('an instance that has connected again is read at once, and goes on where it stopped', async () => {
      const audits = async () => {
        const { instanceAudits } = await query(app, tenant.admin, InstanceAuditsDocument, { instanceId: instance.id });
        return instanceAudits.edges.map(({ node }) => node);
      };
      await run();
      expect(await recoveriesOf(app).recoverDue()).toBe(0);
      expect((await audits()).map(({ cause }) => cause)).toEqual(['RECONNECTED']);
      await run();
      await instance.write({ chat: plainNumber(), at: minutesAgo(5), isWithheld: true });
      await app.sql('UPDATE chat_instances SET connected_at = clock_timestamp() WHERE id = $1', [instance.id]);
      expect(await recoveriesOf(app).recoverDue()).toBe(1);
      const [again, regular, first] = await audits();
      expect([again?.cause, regular?.cause, first?.cause]).toEqual(['RECONNECTED', 'SCHEDULED', 'RECONNECTED']);
      // The reading goes back a little, because gateways list some messages late.
      const overlapMs = new Date(regular!.to).getTime() - new Date(again!.from).getTime();
      expect(overlapMs).toBeGreaterThan(14 * 60_000);
      expect(overlapMs).toBeLessThan(16 * 60_000);
    });

    test('a gateway that cannot be read is tried again, and costs the others nothing', async () => {
      const other = await HistoryInstance.create(app, tenant, server);
      server.instances.delete(instance.name);
      await other.write({ chat: plainNumber(), at: minutesAgo(5), isWithheld: true });
      const recovered = await recoveriesOf(app).recoverDue();
      const [row, ofOther] = await app.sql(
        `SELECT last_error AS error, due_at > now() AS later, lease_until AS lease FROM instance_recoveries
         WHERE instance_id IN ($1, $2) ORDER BY instance_id = $2`,
        [instance.id, other.id],
      );
      expect(row).toEqual({ error: expect.stringContaining('does not exist'), later: true, lease: null });
      expect([recovered, ofOther]).toEqual([1, { error: null, later: true, lease: null }]);
    });

    test('those of instances that are read at once all count', async () => {
      const other = await HistoryInstance.create(app, tenant, server);
      // The server lists its records for every instance.
      const chat = plainNumber();
      await other.write({ chat, at: minutesAgo(5), isWithheld: true });
      expect(await recoveriesOf(app).recoverDue()).toBe(2);
      for (const reader of [instance, other]) expect(await reader.messages(chat)).toHaveLength(1);
    });

    test('one process at a time reads an instance', async () => {
      await app.sql(
        "INSERT INTO instance_recoveries (tenant_id, instance_id, due_at, lease_until) VALUES ($1, $2, now() - interval '1 h', now() + interval '1 h')",
        [tenant.id, instance.id],
      );
      await instance.write({ chat: plainNumber(), at: minutesAgo(5), isWithheld: true });
      expect(await recoveriesOf(app).recoverDue()).toBe(0);
    });
  });

  describe('sends that are lost', () => {
    const sendTwo = async (leadId: string) => {
      const ids = [];
      for (const body of ['one', 'two']) ids.push(await send(app, tenant, { leadId, instanceId: instance.id, body }));
      for (const id of ids) await waitForStatus(app, id, 'SENT');
      await app.sql(
        "UPDATE messages SET sent_at = sent_at - interval '10 min', created_at = created_at - interval '10 min' WHERE id = ANY($1)",
        [ids],
      );
      for (const record of server.records) record.messageTimestamp = Number(record.messageTimestamp) - 600;
      return ids;
    };
    const proveHistory = () => instance.write({ chat: plainNumber(), at: minutesAgo(15) });

    test('accepted, not acknowledged and not in the history: it is degraded, and sending pauses', async () => {
      const leadId = await createLead(app, tenant);
      await sendTwo(leadId);
      server.records.length = 0;
      await proveHistory();
      await run();
      expect(await instance.health()).toMatchObject({
        status: 'DEGRADED',
        healthCode: 'SENDS_LOST',
        healthReason: expect.stringMatching(/^The gateway accepted 2 messages since/),
        pausedUntil: expect.any(String),
        pauseReason: expect.stringMatching(/^The gateway accepted 2 messages since/),
      });
    });

    test('what stands in the history, or was acknowledged, is not lost', async () => {
      const leadId = await createLead(app, tenant);
      await sendTwo(leadId);
      await proveHistory();
      await run();
      expect(await instance.health()).toMatchObject({ status: 'CONNECTED', pausedUntil: null });
      server.records.splice(0, server.records.length);
      await proveHistory();
      await app.sql(
        "UPDATE messages SET status = 'DELIVERED', delivered_at = now() WHERE tenant_id = $1 AND direction = 'OUTBOUND'",
        [tenant.id],
      );
      await app.sql('UPDATE instance_recoveries SET read_until = $2 WHERE instance_id = $1', [
        instance.id,
        minutesAgo(30),
      ]);
      await run();
      expect(await instance.health()).toMatchObject({ status: 'CONNECTED', pausedUntil: null });
    });

    test('before the present connection say nothing of it', async () => {
      await sendTwo(await createLead(app, tenant));
      server.records.length = 0;
      await proveHistory();
      await app.sql('UPDATE chat_instances SET connected_at = $2 WHERE id = $1', [instance.id, minutesAgo(7)]);
      await run();
      expect(await instance.health()).toMatchObject({ status: 'CONNECTED', pausedUntil: null });
    });

    test('in a past span that is read on request say nothing of today', async () => {
      const leadId = await createLead(app, tenant);
      const lost = await sendTwo(leadId);
      await app.sql(
        "UPDATE messages SET sent_at = sent_at - interval '3 h', created_at = created_at - interval '3 h' WHERE id = ANY($1)",
        [lost],
      );
      server.records.length = 0;
      await instance.write({ chat: plainNumber(), at: minutesAgo(195) });
      const recover = () => instance.recover(minutesAgo(240), minutesAgo(120));
      await sendTwo(leadId);
      await recover();
      expect(await instance.health()).toMatchObject({ status: 'CONNECTED', pausedUntil: null });
      // They do, where they are the newest.
      await app.sql('DELETE FROM messages WHERE tenant_id = $1 AND direction = $2 AND NOT id = ANY($3)', [
        tenant.id,
        'OUTBOUND',
        lost,
      ]);
      await recover();
      expect(await instance.health()).toMatchObject({ status: 'DEGRADED', healthCode: 'SENDS_LOST' });
    });

    test('a gateway that keeps no history proves nothing by it', async () => {
      const leadId = await createLead(app, tenant);
      await sendTwo(leadId);
      server.records.length = 0;
      await run();
      expect(await instance.health()).toMatchObject({ status: 'CONNECTED', pausedUntil: null });
    });
  });

  describe('silence', () => {
    const watch = () => {
      const { database, notifier, instanceHealth: health } = app.app.services;
      const transactor = new Transactor(database, notifier);
      return new LivenessService({ database, transactor, health, log: createLogger('silent'), isOn: true }).watch();
    };

    /** Lets leads write in each hour of three weeks, until a time. No webhook has brought anything since. */
    async function wrote(until: Date, leadsPerHour: number, everyHours = 1): Promise<void> {
      const leadIds = await Promise.all(Array.from({ length: leadsPerHour }, () => createLead(app, tenant)));
      const hours = Array.from({ length: Math.floor((22 * 24) / everyHours) }, (_, index) => index * everyHours);
      const rows = hours.flatMap((hour) =>
        leadIds.map((leadId) => ({ leadId, at: new Date(until.getTime() - hour * 3_600_000) })),
      );
      await app.sql(
        `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, external_id, created_at, received_at)
         SELECT $1, m.id, m.lead_id, $2, 'INBOUND', 'text', 'Oi', m.id::text, m.at, m.at
         FROM unnest($3::uuid[], $4::uuid[], $5::timestamptz[]) AS m (id, lead_id, at)`,
        [
          tenant.id,
          instance.id,
          rows.map(({ at }) => recordIdAt(at)),
          rows.map(({ leadId }) => leadId),
          rows.map(({ at }) => at),
        ],
      );
      await app.sql('UPDATE chat_instances SET created_at = $2, connected_at = $2 WHERE id = $1', [
        instance.id,
        minutesAgo(60 * 24 * 25),
      ]);
    }

    test('against its habit degrades it, and does not pause it; one message makes it well', async () => {
      await wrote(minutesAgo(300), 4);
      await watch();
      expect(await instance.health()).toMatchObject({
        status: 'DEGRADED',
        healthCode: 'SILENT',
        healthReason: expect.stringMatching(/^No lead has written since .* Look whether the phone is online/),
        pausedUntil: null,
      });
      expect([await eventsOf(), await auditedOf()]).toEqual([1, ['CHAT_INSTANCE_DEGRADED']]);
      await watch();
      expect(await eventsOf()).toBe(1);
      await instance.write({ chat: plainNumber() });
      await watch();
      expect(await instance.health()).toMatchObject({ status: 'CONNECTED', degradedAt: null });
    });

    test.each([
      ['an instance that is busy and was heard a moment ago', 5, 8, 1],
      ['a quiet instance', 600, 1, 24],
      ['an instance of one lead an hour, after a few hours', 300, 1, 1],
    ])('%s is not too silent', async (_, silentMinutes, leadsPerHour, everyHours) => {
      await wrote(minutesAgo(silentMinutes), leadsPerHour, everyHours);
      await watch();
      expect(await instance.health()).toMatchObject({ status: 'CONNECTED' });
    });

    test('of an hour is looked at without writing anything, and noted then', async () => {
      const looks = async () => {
        const [row] = await app.sql<{ lookedAt: Date; heardAt: Date }>(
          'SELECT looked_at AS "lookedAt", heard_at AS "heardAt" FROM instance_recoveries WHERE instance_id = $1',
          [instance.id],
        );
        return row;
      };
      await wrote(minutesAgo(20), 4);
      await watch();
      const first = await looks();
      await watch();
      expect(await looks()).toEqual(first);
      await app.sql("UPDATE instance_recoveries SET looked_at = looked_at - interval '61 min' WHERE instance_id = $1", [
        instance.id,
      ]);
      await watch();
      const later = await looks();
      expect(later?.lookedAt.getTime()).toBeGreaterThan(first!.lookedAt.getTime());
      expect(later?.heardAt).toEqual(first?.heardAt);
      await instance.write({ chat: plainNumber() });
      await watch();
      expect((await looks())?.heardAt.getTime()).toBeGreaterThan(first!.heardAt.getTime());
    });

    test('messages that were recovered do not end it, and a new connection begins afresh', async () => {
      await wrote(minutesAgo(300), 4);
      await watch();
      await instance.write({ chat: plainNumber(), at: minutesAgo(3), isWithheld: true });
      await instance.recover();
      await watch();
      expect(await instance.health()).toMatchObject({ status: 'DEGRADED' });
      await app.sql(
        'UPDATE chat_instances SET connected_at = now(), health_code = NULL, health_reason = NULL, degraded_at = NULL WHERE id = $1',
        [instance.id],
      );
      await watch();
      expect(await instance.health()).toMatchObject({ status: 'CONNECTED' });
    });
  });

  test('a new state ends the degradation', async () => {
    await instance.write({ chat: plainNumber(), at: minutesAgo(30), isWithheld: true });
    await run();
    expect(await instance.health()).toMatchObject({ status: 'DEGRADED' });
    await app.post(
      '/webhooks/chat/gateway/inbound',
      { event: 'connection.update', instance: instance.name, data: { state: 'close', statusReason: 428 } },
      { 'x-tenant-key': tenant.apiKey },
    );
    expect(await instance.health()).toMatchObject({ status: 'DISCONNECTED', healthCode: null, degradedAt: null });
  });
}
