// Accepting an operator's message: all of it or nothing, once for each idempotency key, and only within the tenant.

import { randomUUID } from 'node:crypto';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import type { SendMessageInput } from '../../support/operations.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import {
  createLead,
  plainNumber,
  readMessage,
  send,
  startSender,
  stateOf,
  trySend,
  waitForStatus,
  withSender,
} from './sending-harness.js';

export function describeMessageSendService(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;

  withSender((sender) => ({ simulator, app, tenant, other } = sender));

  function inAnHour(): string {
    return new Date(Date.now() + 3_600_000).toISOString();
  }

  function attemptsOf(messageId: string) {
    return simulator.attempts().filter((attempt) => attempt.idempotencyKey === messageId);
  }

  describe('one transaction', () => {
    interface Written {
      messages: number;
      outbox: number;
      jobs: number;
      transitions: number;
      events: number;
      ofLead: number;
    }

    async function countWritten(owner: TestTenant, leadId: string): Promise<Written | undefined> {
      const [written] = await app.sql<Written>(
        `WITH m AS (SELECT id FROM messages WHERE lead_id = $1)
       SELECT (SELECT count(*) FROM m)::int AS messages,
         (SELECT count(*) FROM outbox_entries WHERE lead_id = $1)::int AS outbox,
         (SELECT count(*) FROM pgboss.job WHERE data ->> 'tenantId' = $2::text)::int AS jobs,
         (SELECT count(*) FROM message_status_transitions WHERE message_id IN (SELECT id FROM m))::int AS transitions,
         (SELECT count(*) FROM events WHERE lead_id = $1 AND type = 'MESSAGE_STATUS_CHANGED')::int AS events,
         (SELECT count(*) FROM leads WHERE id = $1 AND last_message_id IS NOT NULL)::int AS "ofLead"`,
        [leadId, owner.id],
      );
      return written;
    }

    test('the message, its place in the outbox, its job, its transition, its event and the lead’s mark are written together', async () => {
      const api = await startSender(simulator, { PROCESS_ROLE: 'api' });
      try {
        const owner = await api.createTenant();
        const leadId = await createLead(api, owner);
        const id = await send(api, owner, { leadId, body: 'Oi' });
        const [outbox] = await api.sql('SELECT message_id FROM outbox_entries');
        expect(outbox).toEqual({ message_id: id });
        const [job] = await api.sql("SELECT data FROM pgboss.job WHERE name = 'dispatch-outbound'");
        expect(job).toEqual({ data: { tenantId: owner.id } });
        const transitions = await api.sql('SELECT to_status, source FROM message_status_transitions');
        expect(transitions).toEqual([{ to_status: 'QUEUED', source: 'user' }]);
        const events = await api.sql("SELECT message_id FROM events WHERE type = 'MESSAGE_STATUS_CHANGED'");
        expect(events).toEqual([{ message_id: id }]);
        expect(await api.sql('SELECT last_message_id FROM leads')).toEqual([{ last_message_id: id }]);
        expect((await stateOf(api, id)).status).toBe('QUEUED');
      } finally {
        await api.stop();
      }
    });

    test.each(['pgboss.job', 'outbox_entries', 'message_status_transitions', 'events'])(
      'where %s cannot be written nothing is, and the same key works afterwards',
      async (table) => {
        const owner = await app.createTenant();
        const leadId = await createLead(app, owner);
        const input = { leadId, body: 'Oi', idempotencyKey: randomUUID() };
        await app.sql(
          `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`,
        );
        await app.sql(`CREATE TRIGGER refuse BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`);
        try {
          const { errors } = await trySend(app, owner, input);
          expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL' } }]);
          expect(JSON.stringify(errors)).not.toContain('refused');
        } finally {
          await app.sql(`DROP TRIGGER refuse ON ${table}`);
        }
        expect(await countWritten(owner, leadId)).toEqual({
          messages: 0,
          outbox: 0,
          jobs: 0,
          transitions: 0,
          events: 0,
          ofLead: 0,
        });
        const id = await send(app, owner, input);
        await waitForStatus(app, id, 'SENT');
        expect(attemptsOf(id)).toHaveLength(1);
      },
    );
  });

  describe('idempotencyKey', () => {
    test('the same key and content give the same message, sent once', async () => {
      const leadId = await createLead(app, tenant);
      const input = { leadId, body: 'Oi', idempotencyKey: randomUUID() };
      const id = await send(app, tenant, input);
      await waitForStatus(app, id, 'SENT');
      expect(await send(app, tenant, input)).toBe(id);
      expect(await send(app, tenant, { ...input, leadId: leadId.toUpperCase() })).toBe(id);
      expect(await app.sql('SELECT id FROM messages WHERE lead_id = $1', [leadId])).toEqual([{ id }]);
      expect(attemptsOf(id)).toHaveLength(1);
    });

    test('other content under a used key is CONFLICT, whichever part differs', async () => {
      const [leadId, otherLeadId] = [await createLead(app, tenant), await createLead(app, tenant)];
      const media = { url: 'https://files.example/a.png' };
      const first: SendMessageInput = { leadId, body: 'Oi', idempotencyKey: randomUUID() };
      const id = await send(app, tenant, first);
      const changes: Partial<SendMessageInput>[] = [
        { body: 'Oi!' },
        { leadId: otherLeadId },
        { media },
        { instanceId: tenant.instance.id },
        { sendAt: inAnHour() },
      ];
      for (const change of changes) {
        const { errors } = await trySend(app, tenant, { ...first, ...change });
        expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
      }
      expect(await send(app, tenant, first)).toBe(id);
    });

    test('20 simultaneous calls with one key make one message and one send', async () => {
      const leadId = await createLead(app, tenant);
      const input = { leadId, body: 'Oi', idempotencyKey: randomUUID() };
      const ids = await Promise.all(Array.from({ length: 20 }, () => send(app, tenant, input)));
      expect(new Set(ids).size).toBe(1);
      const [id = ''] = ids;
      await waitForStatus(app, id, 'SENT');
      expect(await app.sql('SELECT id FROM messages WHERE lead_id = $1', [leadId])).toEqual([{ id }]);
      expect(attemptsOf(id)).toHaveLength(1);
    });

    test('the same key in another tenant is another message', async () => {
      const idempotencyKey = randomUUID();
      const mine = await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi', idempotencyKey });
      const theirs = await send(app, other, { leadId: await createLead(app, other), body: 'Olá', idempotencyKey });
      expect(theirs).not.toBe(mine);
      expect((await readMessage(app, other, theirs)).body).toBe('Olá');
      await waitForStatus(app, theirs, 'SENT');
    });

    test('without a key, the same content twice is two messages', async () => {
      const leadId = await createLead(app, tenant);
      const ids = [await send(app, tenant, { leadId, body: 'Oi' }), await send(app, tenant, { leadId, body: 'Oi' })];
      expect(new Set(ids).size).toBe(2);
    });
  });

  describe('wrong fields', () => {
    const url = 'https://files.example/a.png';
    const cases: [string, Partial<SendMessageInput>, string][] = [
      ['neither text nor media', { body: null }, 'body'],
      ['an empty text', { body: '' }, 'body'],
      ['a text of blanks', { body: ' \n\u00A0' }, 'body'],
      ['a caption of blanks', { media: { url, caption: ' ' } }, 'media.caption'],
      ['a text of 65,537 characters', { body: 'x'.repeat(65_537) }, 'body'],
      ['a text with NUL', { body: 'a\u0000b' }, 'body'],
      ['half a surrogate pair', { body: 'a\ud83d' }, 'body'],
      ['a lead id that is no UUID', { leadId: 'ana' }, 'leadId'],
      ['an instance id that is no UUID', { instanceId: 'line' }, 'instanceId'],
      ['an empty idempotency key', { idempotencyKey: '' }, 'idempotencyKey'],
      ['an idempotency key of 256 characters', { idempotencyKey: 'k'.repeat(256) }, 'idempotencyKey'],
      ['an expected message that is no UUID', { expectedLastMessageId: 'the last' }, 'expectedLastMessageId'],
      ['a template id that is no UUID', { body: null, templateId: 'greeting' }, 'templateId'],
      ['a template beside a text', { templateId: randomUUID() }, 'body'],
      ['a template beside media', { body: null, media: { url }, templateId: randomUUID() }, 'media'],
      ['variables without a template', { variables: { a: 'b' } }, 'variables'],
      ['a time more than a year ahead', { sendAt: new Date(Date.now() + 367 * 86_400_000).toISOString() }, 'sendAt'],
      ['media that is no URL', { media: { url: 'a.png' } }, 'media.url'],
      ['media on this machine’s disk', { media: { url: 'file:///etc/passwd' } }, 'media.url'],
      ['a media URL of 2,049 characters', { media: { url: `https://a.example/${'x'.repeat(2_031)}` } }, 'media.url'],
      ['a caption of 4,097 characters', { media: { url, caption: 'x'.repeat(4_097) } }, 'media.caption'],
      ['a file name with NUL', { media: { url, fileName: 'a\u0000' } }, 'media.fileName'],
    ];

    test.each(cases)('%s is VALIDATION_FAILED and named', async (_name, change, path) => {
      const leadId = await createLead(app, tenant);
      const { errors } = await trySend(app, tenant, { leadId, body: 'Oi', ...change });
      expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', errors: [{ path }] } }]);
    });

    test('every wrong field is named at once', async () => {
      const { errors } = await trySend(app, tenant, { leadId: 'x', body: '', idempotencyKey: '' });
      const paths = errors?.[0]?.extensions.errors?.map((error) => error.path);
      expect(new Set(paths)).toEqual(new Set(['leadId', 'body', 'idempotencyKey']));
    });

    test('a lead without a number is named by leadId', async () => {
      const leadId = await createLead(app, tenant);
      await app.sql('UPDATE leads SET chat = NULL WHERE id = $1', [leadId]);
      const { errors } = await trySend(app, tenant, { leadId, body: 'Oi' });
      expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', errors: [{ path: 'leadId' }] } }]);
    });

    test('a tenant without an instance is told so by instanceId', async () => {
      const bare = await app.createTenant();
      const leadId = await createLead(app, bare);
      await app.sql('UPDATE chat_instances SET deleted_at = now() WHERE id = $1', [bare.instance.id]);
      const { errors } = await trySend(app, bare, { leadId, body: 'Oi' });
      expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', errors: [{ path: 'instanceId' }] } }]);
    });
  });

  describe('records that are not the tenant’s', () => {
    test.each<[string, () => Promise<SendMessageInput>]>([
      ['an unknown lead', async () => ({ leadId: randomUUID(), body: 'Oi' })],
      ['another tenant’s lead', async () => ({ leadId: await createLead(app, other), body: 'Oi' })],
      [
        'an unknown instance',
        async () => ({ leadId: await createLead(app, tenant), instanceId: randomUUID(), body: 'Oi' }),
      ],
      [
        'another tenant’s instance',
        async () => ({ leadId: await createLead(app, tenant), instanceId: other.instance.id, body: 'Oi' }),
      ],
    ])('%s is NOT_FOUND, and nothing is written', async (_name, makeInput) => {
      const input = await makeInput();
      const before = await app.sql('SELECT count(*) FROM messages');
      const { data, errors } = await trySend(app, tenant, input);
      expect(data ?? null).toBeNull();
      expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
      expect(await app.sql('SELECT count(*) FROM messages')).toEqual(before);
    });

    test('a deleted instance is NOT_FOUND', async () => {
      const owner = await app.createTenant();
      const leadId = await createLead(app, owner);
      await app.sql('UPDATE chat_instances SET deleted_at = now() WHERE id = $1', [owner.instance.id]);
      const { errors } = await trySend(app, owner, { leadId, instanceId: owner.instance.id, body: 'Oi' });
      expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    });
  });

  describe('expectedLastMessageId', () => {
    const lastOf = async (leadId: string) => {
      const [lead] = await app.sql<{ id: string }>('SELECT last_message_id AS id FROM leads WHERE id = $1', [leadId]);
      return lead?.id;
    };

    test('the newest message of the lead is let through, and any other is CONFLICT, with nothing written', async () => {
      const leadId = await createLead(app, tenant);
      const first = await send(app, tenant, { leadId, body: '1' });
      const second = await send(app, tenant, { leadId, body: '2', expectedLastMessageId: first });
      for (const expectedLastMessageId of [first, randomUUID()]) {
        const { errors } = await trySend(app, tenant, { leadId, body: '3', expectedLastMessageId });
        expect(errors).toMatchObject([
          {
            extensions: { code: 'CONFLICT', errors: [{ path: 'expectedLastMessageId', message: expect.any(String) }] },
          },
        ]);
      }
      expect(await lastOf(leadId)).toBe(second);
      expect(await app.sql('SELECT count(*)::int AS n FROM messages WHERE lead_id = $1', [leadId])).toEqual([{ n: 2 }]);
    });

    test('the CONFLICT shows what was not seen, the oldest first, and 50 of them at most', async () => {
      const leadId = await createLead(app, tenant);
      const expectedLastMessageId = await send(app, tenant, { leadId, body: 'seen' });
      await send(app, tenant, { leadId, body: 'not seen' });
      const unseen = async () => {
        const { errors } = await trySend(app, tenant, { leadId, body: 'late', expectedLastMessageId });
        return (errors?.[0]?.extensions as { unseenMessages?: unknown[] } | undefined)?.unseenMessages;
      };
      expect(await unseen()).toEqual([
        {
          id: expect.any(String),
          direction: 'OUTBOUND',
          type: 'text',
          body: 'not seen',
          createdAt: expect.any(String),
        },
      ]);
      for (let count = 0; count < 60; count += 1) await send(app, tenant, { leadId, body: `${count}` });
      expect(await unseen()).toHaveLength(50);
      expect((await unseen())?.[1]).toMatchObject({ body: '0' });
    });

    test('of 10 simultaneous answers to the same message one is sent', async () => {
      const leadId = await createLead(app, tenant);
      const expectedLastMessageId = await send(app, tenant, { leadId, body: 'first' });
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          trySend(app, tenant, { leadId, body: `${index}`, expectedLastMessageId }),
        ),
      );
      expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
      expect(answers.flatMap(({ errors }) => errors?.map(({ extensions }) => extensions.code) ?? [])).toEqual(
        Array.from({ length: 9 }, () => 'CONFLICT'),
      );
    });

    test('a repeated call under its key gives the message, though it is the newest itself by now', async () => {
      const leadId = await createLead(app, tenant);
      const expectedLastMessageId = await send(app, tenant, { leadId, body: 'first' });
      const input = { leadId, body: 'Oi', expectedLastMessageId, idempotencyKey: randomUUID() };
      const ids = await Promise.all(Array.from({ length: 5 }, () => send(app, tenant, input)));
      expect(new Set(ids).size).toBe(1);
      expect(await send(app, tenant, input)).toBe(ids[0]);
    });
  });

  describe('content', () => {
    test.each([
      ['image/png', 'image'],
      ['video/mp4', 'video'],
      ['audio/ogg', 'audio'],
      ['application/pdf', 'document'],
      [null, 'document'],
    ])('media alone (%s) leaves as %s, without a text', async (mimeType, type) => {
      const media = { url: 'https://files.example/a', mimeType };
      const id = await send(app, tenant, { leadId: await createLead(app, tenant), media });
      await waitForStatus(app, id, 'SENT');
      expect(attemptsOf(id)).toMatchObject([{ type, text: null, media: { url: media.url } }]);
      expect(await readMessage(app, tenant, id)).toMatchObject({
        type,
        body: null,
        media: { mimeType, sourceUrl: media.url },
      });
    });

    test.each([
      ['blanks at its ends', '  Oi \n'],
      ['emoji and right-to-left text', '👩‍👩‍👧 שלום'],
      ['characters of SQL and JSON', `'; DROP TABLE messages; -- "\\`],
    ])('a text with %s leaves as it was written', async (_name, body) => {
      const id = await send(app, tenant, { leadId: await createLead(app, tenant), body });
      await waitForStatus(app, id, 'SENT');
      expect(attemptsOf(id)).toMatchObject([{ text: body }]);
    });

    test('a text of 65,536 characters is kept whole', async () => {
      const body = 'x'.repeat(65_536);
      const id = await send(app, tenant, { leadId: await createLead(app, tenant), body });
      expect((await readMessage(app, tenant, id)).body).toBe(body);
    });

    test('the instance named is the one it leaves through', async () => {
      const leadId = await createLead(app, tenant, plainNumber());
      const id = await send(app, tenant, { leadId, instanceId: tenant.instance.id, body: 'Oi' });
      await waitForStatus(app, id, 'SENT');
      expect(attemptsOf(id)).toMatchObject([{ instance: tenant.instance.name }]);
    });
  });
}
