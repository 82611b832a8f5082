// Gateways that do not honour keys: a send whose answer was lost is looked up, and never sent again blindly. Instances that are out: their
// messages wait, in order, and no other messages do.

import { maxAttempts } from '../../../src/features/outbox/send-result.service.js';
import { answering, type Script, type ScriptedRequest } from '../../providers/scripted-gateway.js';
import { EvolutionServer, evolutionError } from '../../support/evolution-server.js';
import { withTenantEach } from '../../support/shared-app.js';
import { serviceOperator, type TestApp, type TestTenant } from '../../support/test-app.js';
import { transact } from '../leads/lead-harness.js';
import {
  createLead,
  createLeads,
  hurryRetries,
  plainNumber,
  readMessage,
  send,
  stateOf,
  until,
  waitForStatus,
} from './sending-harness.js';

export function describeLostAnswer(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let server: EvolutionServer;
  let instanceId: string;

  withTenantEach((made) => ({ app, tenant } = made));
  beforeEach(async () => {
    server = await EvolutionServer.start();
    instanceId = await createInstance('acme', server.url);
  });
  afterEach(() => server.close());

  async function createInstance(instanceName: string, baseUrl: string): Promise<string> {
    const input = {
      accountId: tenant.admin.accountId,
      instanceName,
      provider: 'evolution',
      baseUrl,
      token: EvolutionServer.globalKey,
    };
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    return (await app.app.services.chatInstances.create(serviceOperator, input, place)).id;
  }

  const sendThroughInstance = async (leadId: string, body: string) => send(app, tenant, { leadId, instanceId, body });
  const sentTexts = () =>
    server.requests
      .filter(({ path }) => path.startsWith('/message/sendText'))
      .map(({ body }) => (body as { text: string }).text);
  const outcomesOf = async (id: string) =>
    (
      await app.sql<{ outcome: string | null }>(
        'SELECT outcome FROM send_attempts WHERE message_id = $1 ORDER BY number',
        [id],
      )
    ).map(({ outcome }) => outcome);

  /** Breaks the connection of the next send off, which may be tried again at any time. With `isKept`, the message has left before. */
  function loseAnswer(isKept: boolean, rest: (request: ScriptedRequest) => Script | undefined = () => undefined): void {
    let isLost = false;
    server.script = (request): Script | undefined => {
      const { path, body } = request;
      if (isLost || !path.startsWith('/message/')) return rest(request);
      isLost = true;
      const { number, text } = body as { number: string; text: string };
      return (_, response) => {
        if (isKept) server.record({ conversation: text }, { key: { remoteJid: `${number}@s.whatsapp.net` } });
        response.socket?.resetAndDestroy();
      };
    };
  }

  async function untilUnknown(id: string): Promise<void> {
    await until(
      () => outcomesOf(id),
      ([first]) => first === 'unknown',
    );
  }

  describe('an answer that was lost', () => {
    test('of a message that left: it is found, and not sent again', async () => {
      loseAnswer(true);
      const id = await sendThroughInstance(await createLead(app, tenant, '4915112345678'), 'Guten Tag');
      await untilUnknown(id);
      await hurryRetries(app, tenant);
      expect(await waitForStatus(app, id, 'SENT')).toMatchObject({ externalId: server.records[0]?.key.id });
      expect(sentTexts()).toEqual(['Guten Tag']);
    });

    test('of a message that did not leave: it is sent again, before the lead’s next one', async () => {
      loseAnswer(false);
      const leadId = await createLead(app, tenant, plainNumber());
      const first = await sendThroughInstance(leadId, 'one');
      await untilUnknown(first);
      const second = await sendThroughInstance(leadId, 'two');
      await hurryRetries(app, tenant);
      await waitForStatus(app, second, 'SENT');
      expect((await stateOf(app, first)).status).toBe('SENT');
      expect(sentTexts()).toEqual(['one', 'one', 'two']);
    });

    test('where the gateway cannot tell: it stays SENDING with a reason, and holds nothing back', async () => {
      server.script = ({ path }) =>
        path.startsWith('/chat/findMessages')
          ? evolutionError(404, 'no such list')
          : (_, response) => response.socket?.resetAndDestroy();
      const leadId = await createLead(app, tenant, plainNumber());
      const first = await sendThroughInstance(leadId, 'one');
      await untilUnknown(first);
      const second = await sendThroughInstance(leadId, 'two');
      await hurryRetries(app, tenant);
      const state = await until(
        () => stateOf(app, first),
        ({ errorCode }) => errorCode !== null,
      );
      expect(state).toMatchObject({ status: 'SENDING', errorCode: 'SEND_UNCONFIRMED' });
      expect(state.errorMessage).toMatch(/may have reached the lead/);
      server.script = undefined;
      await until(
        () => outcomesOf(second),
        (outcomes) => outcomes.length > 0,
      );
      expect(await app.sql('SELECT 1 FROM outbox_entries WHERE message_id = $1', [first])).toEqual([]);
      expect(sentTexts().filter((text) => text === 'one')).toHaveLength(1);
    });

    test('that the gateway cannot be asked for now: it is asked again, and found', async () => {
      loseAnswer(true, ({ path }) =>
        path.startsWith('/chat/findMessages') ? evolutionError(503, 'later') : undefined,
      );
      const id = await sendThroughInstance(await createLead(app, tenant, plainNumber()), 'asked again');
      await untilUnknown(id);
      const [record] = server.records;
      await hurryRetries(app, tenant);
      await until(
        () => outcomesOf(id),
        (outcomes) => outcomes[1] === 'unknown',
      );
      expect(await stateOf(app, id)).toMatchObject({ status: 'SENDING', errorCode: null });
      server.script = undefined;
      await hurryRetries(app, tenant);
      expect(await waitForStatus(app, id, 'SENT')).toMatchObject({ externalId: record?.key.id });
      expect(sentTexts()).toEqual(['asked again']);
    });

    test('of the last attempt: it is looked up before the message is given up', async () => {
      // The message is not tried again before the test hurries it.
      const later = answering(503, {}, { 'retry-after': '600' });
      server.script = ({ path }) => (path.startsWith('/message/') ? later : undefined);
      const id = await sendThroughInstance(await createLead(app, tenant, '4915112345678'), 'at last');
      await until(
        () => outcomesOf(id),
        ([first]) => first === 'temporary',
      );
      // Stores all attempts but the last.
      await app.sql(
        `INSERT INTO send_attempts (tenant_id, message_id, number, granted_at, finished_at, outcome)
         SELECT tenant_id, message_id, n, granted_at, finished_at, 'temporary' FROM send_attempts, generate_series(2, $2::int) AS n
         WHERE message_id = $1`,
        [id, maxAttempts - 1],
      );
      await app.sql('UPDATE outbox_entries SET attempt_count = $2 WHERE message_id = $1', [id, maxAttempts - 1]);
      loseAnswer(true);
      await hurryRetries(app, tenant);
      await until(
        () => outcomesOf(id),
        (outcomes) => outcomes[maxAttempts - 1] === 'unknown',
      );
      await hurryRetries(app, tenant);
      expect(await waitForStatus(app, id, 'SENT')).toMatchObject({ externalId: server.records[0]?.key.id });
    });

    test('twice, by workers that died: what the first one sent is found', async () => {
      const id = await sendThroughInstance(await createLead(app, tenant, '4915112345678'), 'long ago');
      await waitForStatus(app, id, 'SENT');
      await app.sql("UPDATE messages SET status = 'SENDING', external_id = NULL, sent_at = NULL WHERE id = $1", [id]);
      await app.sql(
        "UPDATE send_attempts SET outcome = NULL, finished_at = NULL, granted_at = now() - interval '130 s' WHERE message_id = $1",
        [id],
      );
      await app.sql(
        `INSERT INTO send_attempts (tenant_id, message_id, number, granted_at)
         SELECT tenant_id, message_id, 2, now() - interval '65 s' FROM send_attempts WHERE message_id = $1`,
        [id],
      );
      await app.sql(
        `INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id, attempt_count, lease_until)
         SELECT tenant_id, id, lead_id, instance_id, 2, now() FROM messages WHERE id = $1`,
        [id],
      );
      const [record] = server.records;
      if (record !== undefined) {
        record.message = { conversation: 'long ago' };
        record.messageTimestamp = Math.floor(Date.now() / 1_000) - 129;
      }
      app.app.services.dispatcher.wake(tenant.id);
      expect(await waitForStatus(app, id, 'SENT')).toMatchObject({ externalId: record?.key.id });
      expect(sentTexts()).toEqual(['long ago']);
    });

    test('of the second of two alike, which did not leave: it is sent again', async () => {
      const leadId = await createLead(app, tenant, '4915112345678');
      const first = await sendThroughInstance(leadId, 'Oi');
      await waitForStatus(app, first, 'SENT');
      const [record] = server.records;
      if (record !== undefined) record.message = { conversation: 'Oi' };
      loseAnswer(false);
      const second = await sendThroughInstance(leadId, 'Oi');
      await untilUnknown(second);
      await hurryRetries(app, tenant);
      const { externalId } = await waitForStatus(app, second, 'SENT');
      expect(externalId).not.toBe(record?.key.id);
      expect(sentTexts()).toEqual(['Oi', 'Oi', 'Oi']);
    });

    test('because the worker died: it is looked up before anything is sent', async () => {
      const id = await sendThroughInstance(await createLead(app, tenant, '4915112345678'), 'before');
      await waitForStatus(app, id, 'SENT');
      // Simulates a worker that was killed between the gateway's answer and the service's write.
      await app.sql("UPDATE messages SET status = 'SENDING', external_id = NULL, sent_at = NULL WHERE id = $1", [id]);
      await app.sql('UPDATE send_attempts SET outcome = NULL, finished_at = NULL WHERE message_id = $1', [id]);
      await app.sql(
        `INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id, attempt_count, lease_until)
         SELECT tenant_id, id, lead_id, instance_id, 1, now() FROM messages WHERE id = $1`,
        [id],
      );
      const [record] = server.records;
      if (record !== undefined) record.message = { conversation: 'before' };
      app.app.services.dispatcher.wake(tenant.id);
      expect(await waitForStatus(app, id, 'SENT')).toMatchObject({ externalId: record?.key.id });
      expect(sentTexts()).toEqual(['before']);
    });
  });

  describe('an instance that is out', () => {
    const closed = evolutionError(400, ['Error: Connection Closed']);
    const pauseOf = async () =>
      (
        await app.sql<{ until: Date | null }>(
          'SELECT outbound_paused_until AS until FROM chat_instances WHERE id = $1',
          [instanceId],
        )
      )[0]?.until;
    const endPause = async () => {
      await app.sql('UPDATE chat_instances SET outbound_paused_until = now() WHERE id = $1', [instanceId]);
      app.app.services.dispatcher.wake(tenant.id);
    };

    test('keeps its messages, however often it is tried, and sends them in order when it is back', async () => {
      server.always(closed);
      const leadId = await createLead(app, tenant, plainNumber());
      const ids = [await sendThroughInstance(leadId, 'one'), await sendThroughInstance(leadId, 'two')];
      for (let round = 0; round < 10; round += 1) {
        const attempts = await until(
          () => outcomesOf(ids[0] ?? ''),
          (outcomes) => outcomes.length > round && outcomes.every((outcome) => outcome === 'paused'),
        );
        expect(attempts).toHaveLength(round + 1);
        if (round < 9) await endPause();
      }
      server.script = undefined;
      await endPause();
      await waitForStatus(app, ids[1] ?? '', 'SENT');
      expect(sentTexts().slice(-2)).toEqual(['one', 'two']);
      expect(await pauseOf()).toBeNull();
    });

    test('is tried with one message after its pause, and holds up no other instance', async () => {
      server.always(closed);
      const leads = await createLeads(app, tenant, 6);
      const first = await sendThroughInstance(leads[0] ?? '', 'first');
      await until(
        () => outcomesOf(first),
        ([outcome]) => outcome === 'paused',
      );
      const waiting = await Promise.all(leads.slice(1).map((leadId) => sendThroughInstance(leadId, 'waiting')));
      const other = await EvolutionServer.start();
      try {
        const otherId = await createInstance('other', other.url);
        other.instances.set('other', 'open');
        const id = await send(app, tenant, { leadId: await createLead(app, tenant), instanceId: otherId, body: 'Oi' });
        await waitForStatus(app, id, 'SENT');
      } finally {
        await other.close();
      }
      expect(sentTexts()).toEqual(['first']);
      await endPause();
      await until(
        () => sentTexts().length,
        (count) => count >= 2,
      );
      await until(pauseOf, (time) => time != null && time.getTime() > Date.now());
      expect(sentTexts()).toHaveLength(2);
      server.script = undefined;
      await endPause();
      for (const id of waiting) await waitForStatus(app, id, 'SENT');
    });

    test('is probed with one message, also while the result of the probe is being stored', async () => {
      server.always(closed);
      const [first = '', second = ''] = await createLeads(app, tenant, 2);
      const tried = await sendThroughInstance(first, 'first');
      await until(
        () => outcomesOf(tried),
        ([outcome]) => outcome === 'paused',
      );
      await sendThroughInstance(second, 'waiting');
      const answers: (() => void)[] = [];
      server.script = () => (request, response) => void answers.push(() => closed(request, response));
      const other = await EvolutionServer.start();
      try {
        await endPause();
        await until(
          () => answers.length,
          (count) => count === 1,
        );
        await transact(app, tenant, async (holder) => {
          await holder.query('SELECT FROM send_attempts WHERE message_id = $1 FOR UPDATE', [tried]);
          answers[0]?.();
          // The message goes through another instance: once it is sent, a claim has looked at this instance as well.
          const otherId = await createInstance('other', other.url);
          other.instances.set('other', 'open');
          await send(app, tenant, { leadId: await createLead(app, tenant), instanceId: otherId, body: 'Oi' });
          await until(
            () => other.requests.length,
            (count) => count >= 1,
          );
        });
        await until(pauseOf, (time) => time != null && time.getTime() > Date.now());
        expect(sentTexts()).toEqual(['first', 'first']);
      } finally {
        await other.close();
      }
    });

    test('asked to slow down (429) rests as a whole, as long as was asked, and each attempt counts', async () => {
      server.always(answering(429, {}, { 'retry-after': '60' }));
      const leads = await createLeads(app, tenant, 4);
      const first = await sendThroughInstance(leads[0] ?? '', 'first');
      const outcomes = await until(
        () => outcomesOf(first),
        ([outcome]) => outcome !== null && outcome !== undefined,
      );
      expect(outcomes).toEqual(['temporary']);
      const pausedMs = ((await pauseOf())?.getTime() ?? 0) - Date.now();
      expect(pausedMs).toBeGreaterThan(30_000);
      expect(pausedMs).toBeLessThan(61_000);
      const others = await Promise.all(leads.slice(1).map((leadId) => sendThroughInstance(leadId, 'waiting')));
      expect(await readMessage(app, tenant, others[0] ?? '')).toMatchObject({ waitingReason: 'INSTANCE_PAUSED' });
      expect(sentTexts()).toEqual(['first']);
      server.script = undefined;
      await endPause();
      for (const id of others) await waitForStatus(app, id, 'SENT');
    });

    test('by its reported state: nothing is sent until it is CONNECTED again', async () => {
      await app.sql("UPDATE chat_instances SET status = 'DISCONNECTED' WHERE id = $1", [instanceId]);
      const id = await sendThroughInstance(await createLead(app, tenant), 'Oi');
      const free = await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi' });
      await until(
        () => outcomesOf(free),
        (outcomes) => outcomes.length > 0,
      );
      expect(await outcomesOf(id)).toEqual([]);
      await app.sql("UPDATE chat_instances SET status = 'CONNECTED' WHERE id = $1", [instanceId]);
      app.app.services.dispatcher.wake(tenant.id);
      await waitForStatus(app, id, 'SENT');
    });
  });

  describe('the order among leads', () => {
    test('an operator’s reply goes ahead of bulk, and what is scheduled holds nothing back', async () => {
      await app.sql('UPDATE tenants SET chat_rate_max = 1, chat_rate_duration_ms = 200 WHERE id = $1', [tenant.id]);
      await app.sql("UPDATE chat_instances SET status = 'DISCONNECTED' WHERE id = $1", [instanceId]);
      const leads = await createLeads(app, tenant, 4);
      const bodies = ['bulk 1', 'bulk 2', 'later', 'reply'];
      const ids: string[] = [];
      for (const [index, body] of bodies.entries()) ids.push(await sendThroughInstance(leads[index] ?? '', body));
      await app.sql('UPDATE outbox_entries SET priority = 10 WHERE message_id = ANY($1)', [ids.slice(0, 2)]);
      await app.sql("UPDATE outbox_entries SET scheduled_at = now() + interval '1 hour' WHERE message_id = $1", [
        ids[2],
      ]);
      const alsoForLater = await sendThroughInstance(leads[2] ?? '', 'at once');
      await app.sql("UPDATE chat_instances SET status = 'CONNECTED' WHERE id = $1", [instanceId]);
      app.app.services.dispatcher.wake(tenant.id);
      await waitForStatus(app, ids[1] ?? '', 'SENT');
      expect((await stateOf(app, alsoForLater)).status).toBe('SENT');
      expect(sentTexts()).toEqual(['reply', 'at once', 'bulk 1', 'bulk 2']);
      await app.sql('UPDATE outbox_entries SET scheduled_at = now() WHERE message_id = $1', [ids[2]]);
      app.app.services.dispatcher.wake(tenant.id);
      await waitForStatus(app, ids[2] ?? '', 'SENT');
    });
  });

  test('the number under which a network took a message is the lead’s as well', async () => {
    server.script = ({ path, body }) =>
      path.startsWith('/message/')
        ? answering(201, {
            key: {
              id: `3EB0${(body as { number: string }).number}`,
              fromMe: true,
              remoteJid: '4915100000001@s.whatsapp.net',
            },
            status: 'PENDING',
          })
        : undefined;
    const leadId = await createLead(app, tenant, '4915112345679');
    await waitForStatus(app, await sendThroughInstance(leadId, 'Oi'), 'SENT');
    const identities = await app.sql('SELECT value FROM lead_identities WHERE lead_id = $1 ORDER BY value', [leadId]);
    expect(identities).toEqual([{ value: '4915100000001' }, { value: '4915112345679' }]);
  });
}
