// The Evolution API's calls on the two chat paths and on the path of each event, over the wire.

import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { listen } from '../access/socket-answers.js';
import { ScriptedGateway, answering } from '../providers/scripted-gateway.js';
import {
  createLead,
  send,
  startSender,
  stateOf,
  until,
  untilRetried,
  waitForStatus,
} from '../features/messages/sending-harness.js';
import { withTenant } from '../support/shared-app.js';
import { TestApp, withKey, withToken, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';

const endpoints = ['/webhooks/chat/gateway/inbound', '/webhooks/chat/gateway/status'];

interface Event {
  event: string;
  instance: string;
  apikey?: string;
  data: Record<string, unknown> & { key?: Record<string, unknown> };
}

interface Answer {
  accepted: number;
  results: { messageId?: string; leadId?: string; duplicate?: boolean; outcome?: string; reason?: string }[];
}

export function describeWebhooksEvolution(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made));

  /** A recorded call, for this tenant's instance. */
  function recorded(name: string, of = tenant): Event {
    const url = new URL(`../providers/payloads/evolution/${name}.json`, import.meta.url);
    return { ...(JSON.parse(readFileSync(url, 'utf8')) as Event), instance: of.instance.name };
  }

  async function accepted(body: unknown, path = endpoints[0] ?? '', at = app, of = tenant): Promise<Answer> {
    const response = await at.post(path, body, withKey(of));
    const answer = (await response.json()) as Answer;
    expect({ status: response.status, answer }).toEqual({ status: 200, answer });
    return answer;
  }

  /** A text of a lead, with ids of its own. */
  function text(body: string, key: Record<string, unknown> = {}): Event {
    const call = recorded('upsert-text');
    call.data.key = { remoteJid: '5511988887777@s.whatsapp.net', fromMe: false, id: randomUUID(), ...key };
    call.data['message'] = { conversation: body };
    return call;
  }

  async function messagesOf(leadId: string | undefined) {
    return app.sql<{ direction: string; status: string | null; body: string | null }>(
      'SELECT direction, status, body FROM messages WHERE lead_id = $1 ORDER BY position',
      [leadId],
    );
  }

  describe('messages.upsert', () => {
    test.each(endpoints)('on %s: the message of a lead, once', async (path) => {
      const call = text('Oi! Ainda tem?');
      const first = await accepted(call, path);
      const again = await accepted(call, path);
      expect(first).toMatchObject({ accepted: 1, results: [{ duplicate: false }] });
      expect(again.results).toEqual([{ ...first.results[0], duplicate: true }]);
      expect(await messagesOf(first.results[0]?.leadId)).toContainEqual({
        direction: 'INBOUND',
        status: null,
        body: 'Oi! Ainda tem?',
      });
    });

    test('behind the path of its event, the event is known by the path', async () => {
      const { event: _event, ...call } = text('Por evento');
      const answer = await accepted(call, '/webhooks/chat/gateway/messages-upsert');
      expect(answer).toMatchObject({ accepted: 1, results: [{ duplicate: false }] });
    });

    test('what was written on the phone is OUTBOUND, and unread for nobody', async () => {
      const leadId = await createLead(app, tenant, '4915100000401');
      const call = text('Do celular', { remoteJid: '4915100000401@s.whatsapp.net', fromMe: true });
      expect((await accepted(call)).results).toMatchObject([{ leadId, duplicate: false }]);
      expect((await accepted(call)).results).toMatchObject([{ leadId, duplicate: true }]);
      expect(await messagesOf(leadId)).toEqual([{ direction: 'OUTBOUND', status: 'SENT', body: 'Do celular' }]);
      expect(await app.sql('SELECT unread_count FROM leads WHERE id = $1', [leadId])).toEqual([{ unread_count: 0 }]);
    });

    test('groups, newsletters and what says nothing are ignored with a reason', async () => {
      for (const name of ['upsert-group', 'upsert-status-update', 'upsert-sender-key-only']) {
        const { results } = await accepted(recorded(name));
        expect(results).toEqual([{ outcome: 'ignored', reason: expect.any(String) }]);
      }
    });

    test('many in one call: each has its result', async () => {
      const { data, ...call } = text('x');
      const { key, ...rest } = data;
      const items = [1, 2, 3].map((count) => ({ ...rest, key: { ...key, id: `many-${count}` } }));
      const wrong = { ...rest, key: { ...key, id: 7 } };
      const answer = await accepted({ ...call, data: [...items, wrong] });
      expect(answer.accepted).toBe(3);
      expect(answer.results[3]).toMatchObject({ outcome: 'refused', errors: [{ path: 'data.3.key.id' }] });
    });

    test('an instance that the tenant does not have is refused by name, and journalled without the key of Evolution', async () => {
      const call = { ...text('x'), instance: 'nobody', apikey: `secret-${randomUUID()}` };
      await expectProblem(await app.post(endpoints[0] ?? '', call, withKey(tenant)), 'VALIDATION_FAILED', ['instance']);
      const [entry] = await app.sql<{ body: Buffer; dialect: string }>(
        `SELECT body, dialect FROM webhook_deliveries WHERE tenant_id = $1 AND outcome = 'refused' ORDER BY id DESC LIMIT 1`,
        [tenant.id],
      );
      expect(entry?.dialect).toBe('evolution');
      expect(entry?.body.toString()).toContain('"nobody"');
      expect(entry?.body.toString()).not.toContain(call.apikey);
    });
  });

  describe('the echo of our own send', () => {
    let gateway: ScriptedGateway;
    let sender: TestApp;
    let owner: TestTenant;
    const externalId = () => `echo-${randomUUID()}`;

    afterEach(async () => {
      // The gateway closes first, because the sender would wait for the sends that it never answers.
      await gateway.close();
      await sender.stop();
    });

    async function startWith(script: Parameters<typeof ScriptedGateway.start>[0]): Promise<string> {
      gateway = await ScriptedGateway.start(script);
      sender = await startSender(gateway);
      owner = await sender.createTenant();
      return createLead(sender, owner, '4915100000777');
    }

    const echoOf = (id: string, body: string) => {
      const call = recorded('upsert-text', owner);
      call.data.key = { remoteJid: '4915100000777@s.whatsapp.net', fromMe: true, id };
      call.data['message'] = { conversation: body };
      call.data['messageTimestamp'] = Math.floor(Date.now() / 1_000);
      return call;
    };

    test('after the answer: it is that message', async () => {
      const id = externalId();
      const leadId = await startWith(answering(200, { messageId: id }));
      const messageId = await send(sender, owner, { leadId, body: 'Tem sim!' });
      await waitForStatus(sender, messageId, 'SENT');
      const { results } = await accepted(echoOf(id, 'Tem sim!'), undefined, sender, owner);
      expect(results).toEqual([{ messageId, leadId, duplicate: true }]);
      expect(await sender.sql('SELECT 1 FROM messages WHERE lead_id = $1', [leadId])).toHaveLength(1);
    });

    test('before the answer, or instead of one: it proves the send, which is not repeated', async () => {
      const id = externalId();
      // The gateway takes the message and never answers.
      const leadId = await startWith(() => undefined);
      const messageId = await send(sender, owner, { leadId, body: 'Tem sim!' });
      await until(
        () => gateway.requests.length,
        (count) => count === 1,
      );
      const { results } = await accepted(echoOf(id, 'Tem sim!'), undefined, sender, owner);
      expect(results).toEqual([{ messageId, leadId, duplicate: true }]);
      expect(await stateOf(sender, messageId)).toMatchObject({ status: 'SENT', externalId: id });
      expect(await sender.sql('SELECT 1 FROM outbox_entries')).toEqual([]);
      expect(await sender.sql('SELECT 1 FROM messages WHERE lead_id = $1', [leadId])).toHaveLength(1);
    });

    test('of several sends in one call: each is its own, with what was reported before; a second one alike is another message', async () => {
      const firstId = await startWith(() => undefined);
      const leadIds = [firstId, await createLead(sender, owner, '4915100000778')];
      const messageIds = [];
      for (const leadId of leadIds) messageIds.push(await send(sender, owner, { leadId, body: 'Tem sim!' }));
      await until(
        () => gateway.requests.length,
        (count) => count === 2,
      );
      const ids = [externalId(), externalId(), externalId()];
      const status = { messageId: ids[1], status: 'READ', instance: owner.instance.name };
      await accepted(status, '/webhooks/chat/gateway/status', sender, owner);
      const { data, ...call } = echoOf('', 'Tem sim!');
      const people = ['4915100000777', '4915100000778', '4915100000777'];
      const echoes = ids.map((id, index) => {
        return { ...data, key: { remoteJid: `${people[index]}@s.whatsapp.net`, fromMe: true, id } };
      });
      const { results } = await accepted({ ...call, data: echoes }, undefined, sender, owner);
      expect(results).toMatchObject([
        { messageId: messageIds[0], leadId: leadIds[0], duplicate: true },
        { messageId: messageIds[1], leadId: leadIds[1], duplicate: true },
        { leadId: leadIds[0], duplicate: false },
      ]);
      expect(await stateOf(sender, messageIds[0] ?? '')).toMatchObject({ status: 'SENT', externalId: ids[0] });
      expect(await stateOf(sender, messageIds[1] ?? '')).toMatchObject({ status: 'READ', externalId: ids[1] });
      expect(await sender.sql('SELECT 1 FROM messages')).toHaveLength(3);
    });

    test('of what has certainly not left, or left later: it was written on the phone, and the send leaves', async () => {
      let isBusy = true;
      const leadId = await startWith((request, response) => {
        const answer = isBusy ? answering(503, {}) : answering(200, { messageId: 'left-later' });
        answer(request, response);
      });
      const messageId = await send(sender, owner, { leadId, body: 'Tem sim!' });
      await until(
        () => sender.sql("SELECT FROM send_attempts WHERE message_id = $1 AND outcome = 'temporary'", [messageId]),
        (attempts) => attempts.length === 1,
      );
      const { results } = await accepted(echoOf(externalId(), 'Tem sim!'), undefined, sender, owner);
      expect(results).toMatchObject([{ leadId, duplicate: false }]);
      // The next attempt is under way, but an echo of what was written before it is none of it.
      await sender.sql('UPDATE send_attempts SET outcome = NULL, finished_at = NULL WHERE message_id = $1', [
        messageId,
      ]);
      const early = echoOf(externalId(), 'Tem sim!');
      early.data['messageTimestamp'] = Math.floor(Date.now() / 1_000) - 3_600;
      const past = await accepted(early, undefined, sender, owner);
      expect(past.results).toMatchObject([{ leadId, duplicate: false }]);
      await sender.sql("UPDATE send_attempts SET outcome = 'temporary', finished_at = now() WHERE message_id = $1", [
        messageId,
      ]);
      isBusy = false;
      await untilRetried(
        sender,
        owner,
        () => stateOf(sender, messageId),
        ({ status }) => status === 'SENT',
      );
      expect(await stateOf(sender, messageId)).toMatchObject({ externalId: 'left-later' });
    });

    test('another text while a send is under way is another message', async () => {
      const leadId = await startWith(() => undefined);
      await send(sender, owner, { leadId, body: 'Tem sim!' });
      await until(
        () => gateway.requests.length,
        (count) => count === 1,
      );
      const { results } = await accepted(echoOf(externalId(), 'Do celular'), undefined, sender, owner);
      expect(results).toMatchObject([{ leadId, duplicate: false }]);
    });
  });

  describe('messages.update', () => {
    const update = (keyId: string, status: string) => {
      const call = recorded('update-delivered');
      call.data = { ...call.data, keyId, status, fromMe: true };
      return call;
    };

    test('moves a message forward, never back, by the id alone', async () => {
      const id = `up-${randomUUID()}`;
      const sent = text('Do celular', { fromMe: true, id });
      const { messageId } = (await accepted(sent)).results[0] ?? {};
      const outcomes = [];
      for (const status of ['DELIVERY_ACK', 'SERVER_ACK', 'READ', 'DELIVERY_ACK', 'PLAYED']) {
        const call = update(id, status);
        call.data['remoteJid'] = '4900000000@s.whatsapp.net';
        outcomes.push((await accepted(call, endpoints[1])).results[0]?.outcome);
      }
      expect(outcomes).toEqual(['applied', 'ignored', 'applied', 'ignored', 'ignored']);
      expect(await stateOf(app, messageId ?? '')).toMatchObject({ status: 'READ' });
    });

    test('before its message, which was written on the phone: applied once that comes', async () => {
      const id = `early-${randomUUID()}`;
      expect((await accepted(update(id, 'READ'))).results).toMatchObject([{ outcome: 'parked' }]);
      const { messageId } = (await accepted(text('Do celular', { fromMe: true, id }))).results[0] ?? {};
      expect(await stateOf(app, messageId ?? '')).toMatchObject({ status: 'READ' });
    });

    test('of an id that nobody knows is parked; DELETED and PENDING are ignored', async () => {
      expect((await accepted(update('nobody-1', 'READ'))).results).toMatchObject([{ outcome: 'parked' }]);
      for (const status of ['DELETED', 'PENDING'])
        expect((await accepted(update('nobody-1', status))).results).toMatchObject([{ outcome: 'ignored' }]);
    });
  });

  describe('connection.update', () => {
    const connection = (state: string, statusReason: number, of: TestTenant) => {
      const call = recorded('connection-close', of);
      call.data = { instance: of.instance.name, state, statusReason };
      return call;
    };
    const readInstance = async (of: TestTenant) => {
      const query = 'SELECT status, last_error, told_status FROM chat_instances WHERE id = $1';
      return (
        await app.sql<{ status: string; last_error: string | null; told_status: string }>(query, [of.instance.id])
      )[0];
    };

    test.each([
      ['open', 200, 'CONNECTED', null],
      ['connecting', 200, 'CONNECTING', null],
      ['close', 401, 'DISCONNECTED', expect.stringContaining('401')],
      ['close', 428, 'DISCONNECTED', expect.stringContaining('428')],
      ['refused', 403, 'ERROR', expect.stringContaining('403')],
      ['close', 402, 'ERROR', expect.stringContaining('402')],
    ])('%s (%d) → %s', async (state, reason, status, lastError) => {
      const fresh = await app.createTenant();
      const { results } = await accepted(connection(state, reason, fresh), undefined, app, fresh);
      expect(results).toEqual([{ outcome: 'applied' }]);
      expect(await readInstance(fresh)).toMatchObject({ status, last_error: lastError });
    });

    test('an instance that flaps is kept as it is, and reported once in ten seconds, with its last state in any case', async () => {
      const fresh = await app.createTenant();
      await app.sql(
        `UPDATE chat_instances SET status = 'CONNECTED', told_status = 'CONNECTED', told_at = '2000-01-01' WHERE id = $1`,
        [fresh.instance.id],
      );
      const document = 'subscription { chatInstanceStatusChanged { status } }';
      const ear = await listen(app, withToken(fresh.operator)['authorization'], document, {}, fresh);
      const toldAgo = (interval: string) =>
        app.sql('UPDATE chat_instances SET told_at = now() - $2::interval WHERE id = $1', [
          fresh.instance.id,
          interval,
        ]);
      await accepted(connection('close', 428, fresh), undefined, app, fresh);
      expect((await ear.next()).errors).toBeUndefined();
      // However slow the machine is, the flaps come within the ten seconds.
      await toldAgo('-1 hour');
      for (let count = 0; count < 20; count += 1) {
        await accepted(connection('close', 428, fresh), undefined, app, fresh);
        await accepted(connection('connecting', 200, fresh), undefined, app, fresh);
      }
      await accepted(connection('open', 200, fresh), undefined, app, fresh);
      expect(await readInstance(fresh)).toMatchObject({ status: 'CONNECTED', told_status: 'DISCONNECTED' });
      const events = () =>
        app.sql(`SELECT 1 FROM events WHERE tenant_id = $1 AND type = 'CHAT_INSTANCE_STATUS_CHANGED'`, [fresh.id]);
      expect(await events()).toHaveLength(1);
      await toldAgo('10 s');
      expect(await ear.next()).toEqual({ data: { chatInstanceStatusChanged: { status: 'CONNECTED' } } });
      expect(await events()).toHaveLength(2);
      await ear.close();
    });
  });

  describe('while CHAT_WEBHOOK_SECRET is set', () => {
    test('its calls, which are never signed, are refused and journalled without its key', async () => {
      const strict = await TestApp.start({ CHAT_WEBHOOK_SECRET: 'a webhook secret' }, app.database);
      try {
        const call = { ...text('x'), apikey: `secret-${randomUUID()}` };
        await expectProblem(await strict.post(endpoints[0] ?? '', call, withKey(tenant)), 'SIGNATURE_INVALID');
        const kept = await app.sql<{ body: Buffer }>('SELECT body FROM webhook_deliveries WHERE tenant_id = $1', [
          tenant.id,
        ]);
        for (const { body } of kept) expect(body.toString()).not.toContain(call.apikey);
      } finally {
        await strict.stop({ keepDatabase: true });
      }
    });
  });

  test.each(['a%00b', 'a%20b', 'a%2Fb', 'a'.repeat(101)])('a path that names no event: /%s is 404', async (event) => {
    await expectProblem(await app.post(`/webhooks/chat/gateway/${event}`, text('x'), withKey(tenant)), 'NOT_FOUND');
  });

  test.each(['messages-upsert', 'anything'])('what is no event is refused behind /%s', async (event) => {
    const body = { messageId: 'x', from: '5511988887777', text: 'Oi' };
    const answer = await app.post(`/webhooks/chat/gateway/${event}`, body, withKey(tenant));
    await expectProblem(answer, 'VALIDATION_FAILED', ['data']);
  });
}
