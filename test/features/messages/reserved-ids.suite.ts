// Gateways that reserve ids: any worker sends a message under the id that was stored before, so that it arrives once. Its reports find it
// at once.

import { maxAttempts } from '../../../src/features/outbox/send-result.service.js';
import { answering, type Script } from '../../providers/scripted-gateway.js';
import { execute, query } from '../../support/graphql-client.js';
import { ReactToMessageDocument, RetryMessageDocument } from '../../support/operations.js';
import { withTenantEach } from '../../support/shared-app.js';
import { serviceOperator, withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { engineError, wahaError, WahaServer, type WahaSend } from '../../support/waha-server.js';
import {
  createLead,
  hurryRetries,
  plainNumber,
  readMessage,
  send,
  stateOf,
  trySend,
  until,
  waitForStatus,
} from './sending-harness.js';

export function describeReservedIds(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let server: WahaServer;
  let instanceId: string;

  withTenantEach((made) => ({ app, tenant } = made));
  beforeEach(async () => {
    server = await WahaServer.start();
    const { accountId } = tenant.admin;
    const gateway = { provider: 'waha', baseUrl: server.url, token: WahaServer.apiKey };
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    const input = { accountId, instanceName: 'acme', ...gateway };
    instanceId = (await app.app.services.chatInstances.create(serviceOperator, input, place)).id;
  });
  afterEach(() => server.close());

  const newLead = () => createLead(app, tenant, plainNumber());
  const sendThrough = async (body: string, leadId?: string) =>
    send(app, tenant, { leadId: leadId ?? (await newLead()), instanceId, body });
  const outcomesOf = async (id: string) =>
    (
      await app.sql<{ outcome: string | null }>(
        'SELECT outcome FROM send_attempts WHERE message_id = $1 ORDER BY number',
        [id],
      )
    ).map(({ outcome }) => outcome);
  const posts = () =>
    server.requests.filter(({ path }) => path.startsWith('/api/send')).map(({ body }) => body as WahaSend);
  const isLookUp = (path: string) => path.includes('/chats/all/messages/');
  const lookUps = () => server.requests.filter(({ path }) => isLookUp(path));
  const firstIs = (id: string, outcome: string) =>
    until(
      () => outcomesOf(id),
      ([first]) => first === outcome,
    );
  const report = (messageId: string, status: string) =>
    app.post('/webhooks/chat/gateway/status', { instance: 'acme', messageId, status }, withKey(tenant));

  /** Breaks the connection of every send off. With `isTaken`, the message has left before. */
  function loseAnswers(isTaken: boolean): void {
    server.script = ({ path, body }): Script | undefined => {
      if (!path.startsWith('/api/send')) return undefined;
      return (_, response) => {
        if (isTaken) server.take(body as WahaSend);
        response.socket?.resetAndDestroy();
      };
    };
  }

  /** Leaves a message behind like a worker that was killed before it had an answer. @param leaseSeconds the rest of its lease */
  async function leaveBehind(id: string, leadId: string, reservedId: string | null, leaseSeconds = 0): Promise<void> {
    await app.sql("UPDATE messages SET status = 'SENDING', external_id = $2, sent_at = NULL WHERE id = $1", [
      id,
      reservedId,
    ]);
    await app.sql('UPDATE send_attempts SET outcome = NULL, finished_at = NULL WHERE message_id = $1', [id]);
    await app.sql(
      `INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id, attempt_count, lease_until)
       VALUES ($1, $2, $3, $4, 1, now() + $5 * interval '1 second')`,
      [tenant.id, id, leadId, instanceId, leaseSeconds],
    );
  }

  test('a message is sent under an id that is its own before it is handed over', async () => {
    let kept: string | null = null;
    let id = '';
    server.script = ({ path, body }) => {
      if (!path.startsWith('/api/send')) return undefined;
      const { id: reserved = '', chatId } = body as WahaSend;
      const answerLater: Script = async (request, response) => {
        kept = (await stateOf(app, id)).externalId;
        server.sent(server.take({ ...(body as WahaSend), id: reserved }), chatId)(request, response);
      };
      return answerLater;
    };
    const leadId = await newLead();
    await app.sql("UPDATE chat_instances SET status = 'DISCONNECTED' WHERE id = $1", [instanceId]);
    id = await sendThrough('Oi', leadId);
    await app.sql("UPDATE chat_instances SET status = 'CONNECTED' WHERE id = $1", [instanceId]);
    app.app.services.dispatcher.wake(tenant.id);
    const { externalId } = await waitForStatus(app, id, 'SENT');
    expect(externalId).toBe(posts()[0]?.id);
    expect(kept).toBe(externalId);
    expect(server.texts).toEqual(['Oi']);
    expect(lookUps()).toEqual([]);
  });

  describe('an answer that was lost', () => {
    test('of a message that left: it is found by its id, and not sent again', async () => {
      loseAnswers(true);
      const id = await sendThrough('Guten Tag');
      const { externalId } = await waitForStatus(app, id, 'SENT');
      expect(posts().map((post) => post.id)).toEqual([externalId]);
      expect(await outcomesOf(id)).toEqual(['unknown', 'accepted']);
    });

    test('of a message that did not leave: it is sent again under the same id, before the lead’s next one', async () => {
      loseAnswers(false);
      const leadId = await newLead();
      const first = await sendThrough('one', leadId);
      await firstIs(first, 'unknown');
      server.script = undefined;
      const second = await sendThrough('two', leadId);
      await waitForStatus(app, second, 'SENT');
      const [reserved] = posts();
      const { externalId } = await stateOf(app, first);
      expect(externalId).toBe(reserved?.id);
      expect(
        posts()
          .filter(({ text }) => text === 'one')
          .every((post) => post.id === externalId),
      ).toBe(true);
      expect(server.texts).toEqual(['one', 'two']);
    });

    test('where the gateway cannot tell: it is sent again under the same id', async () => {
      server.script = ({ path, body }) => {
        if (isLookUp(path)) return wahaError(400, 'Enable NOWEB store');
        if (!path.startsWith('/api/send') || posts().length > 1) return undefined;
        return (_, response) => {
          server.take(body as WahaSend);
          response.socket?.resetAndDestroy();
        };
      };
      const id = await sendThrough('one');
      const { externalId } = await waitForStatus(app, id, 'SENT');
      expect(posts().map((post) => post.id)).toEqual([externalId, externalId]);
      expect(server.texts).toEqual(['one']);
    });

    test('that the gateway cannot be asked for now: it is asked again, and nothing is sent meanwhile', async () => {
      server.script = ({ path, body }) => {
        if (isLookUp(path)) return lookUps().length > 2 ? undefined : wahaError(503, 'later');
        if (!path.startsWith('/api/send')) return undefined;
        return (_, response) => {
          server.take(body as WahaSend);
          response.socket?.resetAndDestroy();
        };
      };
      const id = await sendThrough('asked again');
      await hurried(id);
      expect(await outcomesOf(id)).toEqual(['unknown', 'unknown', 'unknown', 'accepted']);
      expect(posts()).toHaveLength(1);
    });

    test('while the session is out: its instance pauses, and the message is looked up once it is back', async () => {
      server.script = ({ path, body }) => {
        if (!path.startsWith('/api/send')) return undefined;
        return (_, response) => {
          server.take(body as WahaSend);
          server.sessions.set('acme', 'SCAN_QR_CODE');
          response.socket?.resetAndDestroy();
        };
      };
      const id = await sendThrough('paused');
      await until(
        () => outcomesOf(id),
        (outcomes) => outcomes.includes('paused'),
      );
      server.sessions.set('acme', 'WORKING');
      await app.sql('UPDATE chat_instances SET outbound_paused_until = now() WHERE id = $1', [instanceId]);
      app.app.services.dispatcher.wake(tenant.id);
      await waitForStatus(app, id, 'SENT');
      expect(posts()).toHaveLength(1);
    });

    test('because the worker died: the next one finds it by its id', async () => {
      const leadId = await newLead();
      const id = await sendThrough('before', leadId);
      const { externalId } = await waitForStatus(app, id, 'SENT');
      await leaveBehind(id, leadId, externalId);
      app.app.services.dispatcher.wake(tenant.id);
      expect(await waitForStatus(app, id, 'SENT')).toMatchObject({ externalId });
      expect(posts()).toHaveLength(1);
    });

    test('because the worker died before it kept an id: it is sent under a new one, and nothing is looked up', async () => {
      const leadId = await newLead();
      const id = await sendThrough('before', leadId);
      await waitForStatus(app, id, 'SENT');
      server.messages.clear();
      await leaveBehind(id, leadId, null);
      app.app.services.dispatcher.wake(tenant.id);
      const { externalId } = await waitForStatus(app, id, 'SENT');
      expect(server.messages.has(externalId ?? '')).toBe(true);
      expect(posts()).toHaveLength(2);
      expect(server.requests.filter(({ path }) => path.includes('/chats/'))).toEqual([]);
    });

    test('for good: the message fails after its last attempt, and a retry finds it', async () => {
      loseAnswers(false);
      const id = await sendThrough('at last');
      await firstIs(id, 'unknown');
      const { externalId } = await stateOf(app, id);
      // Stores all attempts but the last.
      await app.sql(
        `INSERT INTO send_attempts (tenant_id, message_id, number, granted_at, finished_at, outcome)
         SELECT tenant_id, message_id, n, granted_at, finished_at, 'temporary' FROM send_attempts, generate_series(100, $2::int) AS n
         WHERE message_id = $1 AND number = 1`,
        [id, 100 + maxAttempts],
      );
      await app.sql('UPDATE outbox_entries SET attempt_count = $2 WHERE message_id = $1', [id, 100 + maxAttempts]);
      await hurryRetries(app, tenant);
      expect(await waitForStatus(app, id, 'FAILED')).toMatchObject({ externalId, errorCode: 'ATTEMPTS_EXHAUSTED' });
      // The message had left all the same.
      server.take({ text: 'at last', id: externalId ?? '' });
      server.script = undefined;
      const before = posts().length;
      await query(app, tenant.operator, RetryMessageDocument, { id });
      expect(await waitForStatus(app, id, 'SENT')).toMatchObject({ externalId });
      expect(posts()).toHaveLength(before);
    });
  });

  /** Waits until a message is sent, whatever delays its retries have. */
  async function hurried(id: string): Promise<void> {
    await until(
      async () => {
        await hurryRetries(app, tenant);
        return stateOf(app, id);
      },
      ({ status }) => status === 'SENT',
    );
  }

  describe('a report', () => {
    test('that comes before the answer finds the message at once', async () => {
      let answer: (() => void) | undefined;
      server.script = ({ path, body }) => {
        if (!path.startsWith('/api/send')) return undefined;
        const { chatId } = body as WahaSend;
        const id = server.take(body as WahaSend);
        return (request, response) => (answer = () => server.sent(id, chatId)(request, response));
      };
      const id = await sendThrough('Oi');
      await until(
        () => posts().length,
        (count) => count === 1,
      );
      const told = (await (await report(posts()[0]?.id ?? '', 'DELIVERED')).json()) as { results: object[] };
      expect(told.results).toMatchObject([{ messageId: id, outcome: 'applied' }]);
      expect((await stateOf(app, id)).status).toBe('DELIVERED');
      answer?.();
      await until(
        () => outcomesOf(id),
        ([outcome]) => outcome === 'accepted',
      );
      expect((await stateOf(app, id)).status).toBe('DELIVERED');
      expect(await app.sql('SELECT 1 FROM outbox_entries WHERE message_id = $1', [id])).toEqual([]);
    });

    test('settles what a worker died with: the gateway is asked nothing', async () => {
      const leadId = await newLead();
      const id = await sendThrough('Oi', leadId);
      const { externalId } = await waitForStatus(app, id, 'SENT');
      // The lease keeps workers from taking the message before the report.
      await leaveBehind(id, leadId, externalId, 60);
      await report(externalId ?? '', 'READ');
      const before = server.requests.length;
      await app.sql('UPDATE outbox_entries SET lease_until = now() WHERE message_id = $1', [id]);
      app.app.services.dispatcher.wake(tenant.id);
      await until(
        () => app.sql('SELECT 1 FROM outbox_entries WHERE message_id = $1', [id]),
        (rows) => rows.length === 0,
      );
      expect((await stateOf(app, id)).status).toBe('READ');
      expect(server.requests).toHaveLength(before);
    });

    test('that the network refused it ends the id: a retry gets a new one', async () => {
      const id = await sendThrough('Oi');
      const { externalId } = await waitForStatus(app, id, 'SENT');
      await report(externalId ?? '', 'FAILED');
      await waitForStatus(app, id, 'FAILED');
      await query(app, tenant.operator, RetryMessageDocument, { id });
      const again = await waitForStatus(app, id, 'SENT');
      expect(again.externalId).not.toBe(externalId);
      expect(posts().map((post) => post.id)).toEqual([externalId, again.externalId]);
    });
  });

  describe('a refusal', () => {
    test('for good fails the message, and a retry keeps its id', async () => {
      server.script = ({ path }) => (path.startsWith('/api/send') ? wahaError(422, 'no such thing') : undefined);
      const id = await sendThrough('Oi');
      await waitForStatus(app, id, 'FAILED');
      server.script = undefined;
      await query(app, tenant.operator, RetryMessageDocument, { id });
      const { externalId } = await waitForStatus(app, id, 'SENT');
      expect(posts().map((post) => post.id)).toEqual([externalId, externalId]);
    });

    test('is not retried while it is under way', async () => {
      let answer: (() => void) | undefined;
      server.script = ({ path, body }) => {
        if (!path.startsWith('/api/send')) return undefined;
        const { chatId } = body as WahaSend;
        const taken = server.take(body as WahaSend);
        return (request, response) => (answer = () => server.sent(taken, chatId)(request, response));
      };
      const id = await sendThrough('Oi');
      await until(
        () => posts().length,
        (count) => count === 1,
      );
      const { errors } = await execute(app, tenant.operator, RetryMessageDocument, { id });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT' });
      answer?.();
      await waitForStatus(app, id, 'SENT');
    });

    test('keeps a message from being quoted and reacted to', async () => {
      server.script = ({ path }) => (path.startsWith('/api/send') ? wahaError(422, 'no such thing') : undefined);
      const leadId = await newLead();
      const id = await sendThrough('Oi', leadId);
      expect((await waitForStatus(app, id, 'FAILED')).externalId).not.toBeNull();
      const quoting = await trySend(app, tenant, { leadId, instanceId, body: 'Oi', replyToMessageId: id });
      expect(quoting.errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED' });
      const reacting = await execute(app, tenant.operator, ReactToMessageDocument, { id, emoji: '👍' });
      expect(reacting.errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT' });
    });
  });

  describe('an id that cannot be had', () => {
    const isReservation = (path: string) => path.endsWith('/new-message-id');

    test('now: nothing is sent before there is one', async () => {
      server.script = ({ path }) =>
        isReservation(path) && server.requests.length < 3 ? engineError('it broke') : undefined;
      const id = await sendThrough('Oi');
      await waitForStatus(app, id, 'SENT');
      expect(await outcomesOf(id)).toEqual(['temporary', 'temporary', 'accepted']);
      expect(posts()).toHaveLength(1);
    });

    test('as another message has it: nothing is sent under it', async () => {
      server.script = ({ path }) =>
        isReservation(path) && server.requests.length < 4 ? answering(200, { id: '3EB0AAAAAAAA' }) : undefined;
      const first = await sendThrough('one');
      await waitForStatus(app, first, 'SENT');
      const second = await sendThrough('two');
      await waitForStatus(app, second, 'SENT');
      expect((await stateOf(app, first)).externalId).toBe('3EB0AAAAAAAA');
      expect((await stateOf(app, second)).externalId).not.toBe('3EB0AAAAAAAA');
      expect(await outcomesOf(second)).toEqual(['temporary', 'accepted']);
    });

    test('from this engine: what was lost is looked up in the chat, and sent once', async () => {
      server.engine = 'WEBJS';
      loseAnswers(true);
      const id = await sendThrough('Oi');
      await firstIs(id, 'unknown');
      expect((await readMessage(app, tenant, id)).externalId).toBeNull();
      await hurryRetries(app, tenant);
      const { externalId } = await waitForStatus(app, id, 'SENT');
      expect([...server.messages.keys()]).toEqual([externalId]);
      expect(posts()).toHaveLength(1);
    });
  });
}
