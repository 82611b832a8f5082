// Files of messages: fetched after the message was stored, sent by id, kept, and gone with their lead.

import { randomUUID } from 'node:crypto';
import { readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { connect, execute, failureOf, query, Subscription } from '../../support/graphql-client.js';
import {
  ChangedMessagesDocument,
  DeleteLeadDocument,
  EventsDocument,
  FetchMediaDocument,
  MergeLeadsDocument,
  SendMessageDocument,
  type MessageQuery,
  type SendMessageInput,
} from '../../support/operations.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../../support/test-app.js';
import { waitForSubscribers } from '../live/live-harness.js';
import { createEndpoint } from '../outgoing-webhooks/endpoint-harness.js';
import { WebhookReceiver } from '../outgoing-webhooks/webhook-receiver.js';
import {
  createLead,
  readMessage,
  send,
  startSender,
  startSimulator,
  until,
  waitForStatus,
} from '../messages/sending-harness.js';
import { FileServer, status } from './file-server.js';
import { pdf, png } from './sample-files.js';

type Media = NonNullable<NonNullable<MessageQuery['message']>['media']>;

export function describeMediaFiles(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;
  let files: FileServer;
  let number = 0;

  beforeAll(async () => {
    simulator = await startSimulator();
    files = await FileServer.start();
    app = await startSender(simulator);
    tenant = await app.createTenant();
  });
  afterAll(async () => {
    await app.stop();
    await simulator.close();
    await files.close();
  });

  const nextNumber = () => `49151${String((number += 1)).padStart(6, '0')}5555`;

  /** Lets a lead send a file. @returns the message's id */
  async function receive(media: object, from = nextNumber(), of = tenant): Promise<string> {
    const message = { messageId: randomUUID(), from, type: 'image', media };
    const answer = await app.post('/webhooks/chat/gateway/inbound', message, withKey(of));
    const { results } = (await answer.json()) as { results: { messageId: string }[] };
    return results[0]?.messageId ?? '';
  }

  async function mediaOf(id: string, of = tenant): Promise<Media> {
    const { media } = await readMessage(app, of, id);
    if (media === null) throw new Error('the message has no file');
    return media;
  }

  const settled = (id: string, of = tenant) =>
    until(
      () => mediaOf(id, of),
      ({ state }) => state !== 'PENDING',
    );
  const fetchBytes = async (media: Media) => Buffer.from(await (await fetch(media.url ?? '')).arrayBuffer());
  const folder = () => join(tmpdir(), 'leadwire-tests', basename(new URL(app.database.url).pathname), 'media');
  const objects = async (of = tenant) =>
    (await readdir(join(folder(), of.id), { recursive: true }).catch(() => [])).filter((name) => name.includes('/'));
  // Sweeps until every object that is due or being deleted is gone. A sweep does nothing while one of the application's own is under way.
  const sweep = () =>
    until(
      async () => {
        await app.app.services.mediaObjects.sweep.run();
        return app.sql("SELECT tenant_id FROM media_deletions WHERE due_at < now() + interval '10 minutes'");
      },
      (rows) => rows.length === 0,
    );

  async function upload(
    bytes = png(),
    type = 'image/png',
    { of = tenant, fileName = 'offer.bin' }: { of?: TestTenant; fileName?: string } = {},
  ): Promise<string> {
    const headers = { ...withToken(of.operator), 'content-type': type };
    const answer = await fetch(`${app.url}/media?fileName=${encodeURIComponent(fileName)}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(bytes),
    });
    return ((await answer.json()) as { id: string }).id;
  }

  describe('a file that a lead sends', () => {
    test('is PENDING with the message and STORED soon after; MESSAGE_UPDATED tells of it', async () => {
      const client = connect(app, tenant.operator);
      const events = new Subscription(client, EventsDocument);
      await waitForSubscribers(app, tenant, 1);
      const bytes = png(50_000);
      let release: () => void = () => undefined;
      const url = files.give('/held.png', (response) => {
        release = () => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
      });
      const id = await receive({ url, mimeType: 'image/png', fileName: 'a.png', caption: 'Look' });
      expect(await mediaOf(id)).toEqual({
        id,
        state: 'PENDING',
        url: null,
        sourceUrl: url,
        mimeType: 'image/png',
        fileName: 'a.png',
        size: null,
        sha256: null,
        caption: 'Look',
        error: null,
      });
      await until(() => files.requests.includes('/held.png'), Boolean);
      release();
      const media = await settled(id);
      expect(media).toMatchObject({
        state: 'STORED',
        size: bytes.length,
        mimeType: 'image/png',
        caption: 'Look',
        error: null,
      });
      expect((await fetchBytes(media)).equals(bytes)).toBe(true);
      await events.until((seen) =>
        seen.some(({ events: event }) => event.type === 'MESSAGE_UPDATED' && event.message?.id === id),
      );
      await client.dispose();
    });

    test('outgoing webhooks say of it what GraphQL says, with an address that can be read', async () => {
      const receiver = await WebhookReceiver.start();
      try {
        const eventTypes = ['MESSAGE_RECEIVED', 'MESSAGE_UPDATED'] as const;
        const endpoint = await createEndpoint(app, tenant, receiver.url, { eventTypes: [...eventTypes] });
        const bytes = png(2_000);
        const id = await receive({ url: files.give('/posted.png', bytes), fileName: 'a.png', caption: 'Look' });
        const fileOf = ({ body }: { body: { data: Record<string, unknown> } }) =>
          (body.data['message'] as { id: string; media: Media }).media;
        const posted = await until(
          () => receiver.on(endpoint.path).filter(({ body }) => body.type === 'message.updated'),
          ({ length }) => length > 0,
        );
        const stored = fileOf(posted[0]!);
        expect({ ...stored, url: null }).toEqual({ ...(await mediaOf(id)), url: null });
        expect(stored).toMatchObject({ id, state: 'STORED', mimeType: 'image/png', size: bytes.length });
        expect((await fetchBytes(stored)).equals(bytes)).toBe(true);
      } finally {
        await receiver.close();
      }
    });

    test('a redelivery fetches nothing again', async () => {
      const url = files.give('/once.png', png());
      const message = { messageId: randomUUID(), from: nextNumber(), media: { url } };
      for (let count = 0; count < 3; count += 1)
        await app.post('/webhooks/chat/gateway/inbound', message, withKey(tenant));
      const [row] = await app.sql<{ id: string }>('SELECT id FROM messages WHERE external_id = $1', [
        message.messageId,
      ]);
      await settled(row?.id ?? '');
      expect(files.requests.filter((path) => path === '/once.png')).toHaveLength(1);
    });

    test.each<[string, string, () => string, RegExp]>([
      [
        'EXPIRED',
        'an address that has ended',
        () => files.give('/gone', status(404)),
        /leads nowhere any more \(404\)/,
      ],
      [
        'FAILED',
        'content that is not what was said',
        () => files.give('/page', Buffer.from('<html>')),
        /is not image\/png/,
      ],
      ['FAILED', 'an empty file', () => files.give('/empty', Buffer.alloc(0)), /./],
      ['FAILED', 'a refusal for good', () => files.give('/teapot', status(418)), /answered 418/],
      ['FAILED', 'a private address', () => 'http://10.1.2.3/a.png', /not public.*GATEWAY_ALLOWED_HOSTS/],
      [
        'FAILED',
        'a redirect to a private address',
        () => files.give('/in', status(302, { location: 'http://192.168.0.1/' })),
        /not public/,
      ],
      [
        'FAILED',
        'redirects without end',
        () => files.give('/loop', status(302, { location: '/loop' })),
        /redirect to redirect/,
      ],
      [
        'TOO_LARGE',
        'a huge Content-Length',
        () => files.give('/huge', status(200, { 'content-length': '99999999999' })),
        /more than 100 MiB/,
      ],
    ])('%s: %s', async (state, _what, give, sentence) => {
      const media = await settled(await receive({ url: give(), mimeType: 'image/png' }));
      expect(media).toMatchObject({ state, url: null, size: null, error: expect.stringMatching(sentence) });
    });

    test('TOO_LARGE: an endless body, which is not read on', async () => {
      let isClosed = false;
      const url = files.give('/endless', (response) => {
        response.writeHead(200, { 'content-type': 'image/png' }).write(png());
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on('drain', more).on('close', () => (isClosed = true));
        more();
      });
      expect(await settled(await receive({ url }))).toMatchObject({
        state: 'TOO_LARGE',
        error: 'The file has more than 16 MiB.',
      });
      await until(() => isClosed, Boolean);
      expect(await readdir(join(folder(), '.incoming'))).toEqual([]);
    });

    test('a fault that passes is tried again; fetchMedia does it at once', async () => {
      const url = files.give('/later.png', status(503));
      const id = await receive({ url });
      const first = await until(
        () => mediaOf(id),
        ({ error }) => error !== null,
      );
      expect(first).toMatchObject({ state: 'PENDING', error: 'The server of the file answered 503.' });
      files.give('/later.png', png());
      await query(app, tenant.operator, FetchMediaDocument, { messageId: id });
      expect(await settled(id)).toMatchObject({ state: 'STORED', error: null });
    });

    test('a body that breaks off is no file', async () => {
      const url = files.give('/cut.png', (response) => {
        response.writeHead(200, { 'content-length': 100_000 }).write(png());
        setTimeout(() => response.destroy(), 50);
      });
      const id = await receive({ url });
      const media = await until(
        () => mediaOf(id),
        ({ error }) => error !== null,
      );
      expect(media).toMatchObject({ state: 'PENDING', error: 'The file broke off.' });
    });

    test('one tenant’s files that hang hold up no other tenant’s', async () => {
      const [slow, quick] = [await app.createTenant(), await app.createTenant()];
      const url = files.give('/hangs', () => undefined);
      await Promise.all(Array.from({ length: 20 }, () => receive({ url }, nextNumber(), slow)));
      await until(
        () => files.requests.filter((path) => path === '/hangs').length,
        (count) => count === 4,
      );
      const id = await receive({ url: files.give('/quick.png', png()) }, nextNumber(), quick);
      expect(await settled(id, quick)).toMatchObject({ state: 'STORED' });
      await app.sql('DELETE FROM media_files WHERE tenant_id = $1', [slow.id]);
      // The fetches that hang would count in later cases for up to 20 s.
      await app.app.services.mediaFetcher.stopErased();
    });
  });

  describe('fetchMedia', () => {
    test('fetches what failed, and leaves what is stored', async () => {
      const url = files.give('/comes-back.png', status(404));
      const id = await receive({ url });
      expect((await settled(id)).state).toBe('EXPIRED');
      files.give('/comes-back.png', png());
      const { fetchMedia } = await query(app, tenant.operator, FetchMediaDocument, { messageId: id });
      expect(fetchMedia.media).toMatchObject({ state: 'PENDING', error: null });
      const stored = await settled(id);
      expect(stored.state).toBe('STORED');
      const asked = () => files.requests.filter((path) => path === '/comes-back.png').length;
      expect(asked()).toBe(2);
      await query(app, tenant.operator, FetchMediaDocument, { messageId: id });
      expect(await mediaOf(id)).toMatchObject({ state: 'STORED', sha256: stored.sha256 });
      expect(asked()).toBe(2);
    });

    test('a message from before there were files keeps what was known, and gets its file', async () => {
      const url = files.give('/old.png', png());
      const id = await receive({ url, fileName: 'old.png' });
      await settled(id);
      await app.sql('DELETE FROM media_files WHERE id = $1', [id]);
      expect(await mediaOf(id)).toMatchObject({
        id,
        state: 'FAILED',
        url: null,
        sourceUrl: url,
        fileName: 'old.png',
        error: expect.stringContaining('fetchMedia'),
      });
      await query(app, tenant.operator, FetchMediaDocument, { messageId: id });
      expect((await settled(id)).state).toBe('STORED');
    });

    test('NOT_FOUND for another tenant’s message, CONFLICT for one without a file', async () => {
      const other = await app.createTenant();
      const id = await receive({ url: files.give('/mine.png', png()) });
      const ask = async (of: TestTenant, messageId: string) =>
        failureOf(await execute(app, of.operator, FetchMediaDocument, { messageId })).code;
      expect(await ask(other, id)).toBe('NOT_FOUND');
      const text = { messageId: randomUUID(), from: nextNumber(), text: 'Oi' };
      const answer = await app.post('/webhooks/chat/gateway/inbound', text, withKey(tenant));
      const { results } = (await answer.json()) as { results: { messageId: string }[] };
      expect(await ask(tenant, results[0]?.messageId ?? '')).toBe('CONFLICT');
    });
  });

  describe('a file that is sent', () => {
    const trySend = async (media: SendMessageInput['media'], of = tenant) => {
      const leadId = await createLead(app, of, nextNumber());
      return failureOf(await execute(app, of.operator, SendMessageDocument, { input: { leadId, media } }));
    };

    test('by id: the gateway gets an address that it can fetch; the same upload goes to many', async () => {
      const bytes = pdf(3_000);
      const id = await upload(bytes, 'application/pdf');
      for (let count = 0; count < 2; count += 1) {
        const leadId = await createLead(app, tenant, nextNumber());
        const messageId = await send(app, tenant, { leadId, media: { id, caption: 'Our offer' } });
        await waitForStatus(app, messageId, 'SENT');
        const { media: sent, type } =
          simulator.attempts().findLast(({ idempotencyKey }) => idempotencyKey === messageId) ?? {};
        expect(type).toBe('document');
        expect(sent).toMatchObject({ mimeType: 'application/pdf', fileName: 'offer.bin', caption: 'Our offer' });
        expect(Buffer.from(await (await fetch(sent?.url ?? '')).arrayBuffer()).equals(bytes)).toBe(true);
        expect(await mediaOf(messageId)).toMatchObject({
          id: messageId,
          state: 'STORED',
          size: bytes.length,
          sourceUrl: null,
        });
      }
      await sweep();
      expect((await objects()).length).toBeGreaterThan(0);
    });

    test('by address: the gateway gets the address, and we keep a copy to show', async () => {
      const url = files.give('/sent.png', png());
      const leadId = await createLead(app, tenant, nextNumber());
      const id = await send(app, tenant, { leadId, media: { url, mimeType: 'image/png' } });
      await waitForStatus(app, id, 'SENT');
      expect(simulator.attempts().findLast(({ idempotencyKey }) => idempotencyKey === id)?.media?.url).toBe(url);
      expect(await settled(id)).toMatchObject({ state: 'STORED', sourceUrl: url });
    });

    test('an edit of its caption on the phone keeps the caption before', async () => {
      const to = nextNumber();
      const leadId = await createLead(app, tenant, to);
      const media = { id: await upload(), caption: 'Our offer' };
      const id = await send(app, tenant, { leadId, media });
      await waitForStatus(app, id, 'SENT');
      const { externalId } = await readMessage(app, tenant, id);
      const key = { id: externalId, fromMe: true, remoteJid: `${to}@s.whatsapp.net` };
      const edited = { key, type: 14, editedMessage: { conversation: 'Our new offer' }, timestampMs: Date.now() };
      const call = { event: 'messages.edited', instance: tenant.instance.name, data: edited };
      const answer = await app.post('/webhooks/chat/gateway/inbound', call, withKey(tenant));
      expect(await answer.json()).toMatchObject({ results: [{ change: 'EDIT', outcome: 'applied' }] });
      expect(await mediaOf(id)).toMatchObject({ state: 'STORED', caption: 'Our new offer' });
      const { messages } = await query(app, tenant.operator, ChangedMessagesDocument, { leadId });
      const [message] = messages.edges.map(({ node }) => node);
      expect(message).toMatchObject({ changes: [{ kind: 'EDIT', previousBody: 'Our offer' }] });
    });

    test('marks that turn the direction of its name are left out: it would look like another kind of file', async () => {
      const fileName = 'photo\u202Egnp.exe';
      const shown = 'photognp.exe';
      const leadId = await createLead(app, tenant, nextNumber());
      const id = await upload(png(), 'image/png', { fileName });
      expect(await mediaOf(await send(app, tenant, { leadId, media: { id } }))).toMatchObject({ fileName: shown });
      const named = await upload();
      expect(await mediaOf(await send(app, tenant, { leadId, media: { id: named, fileName } }))).toMatchObject({
        fileName: shown,
      });
    });

    test('the file of a message can be sent on', async () => {
      const id = await receive({ url: files.give('/forward.png', png()), fileName: 'x.png' });
      await settled(id);
      const leadId = await createLead(app, tenant, nextNumber());
      const messageId = await send(app, tenant, { leadId, media: { id } });
      expect(await mediaOf(messageId)).toMatchObject({ state: 'STORED', fileName: 'x.png' });
    });

    test('is refused before it is queued: unknown, another tenant’s, not stored, too large, in two ways at once', async () => {
      const other = await app.createTenant();
      expect((await trySend({ id: randomUUID() })).code).toBe('NOT_FOUND');
      expect((await trySend({ id: await upload(png(), 'image/png', { of: other }) })).code).toBe('NOT_FOUND');
      const failed = await receive({ url: files.give('/no', status(404)) });
      await settled(failed);
      const large = await receive({ url: files.give('/large.png', png(6 * 1024 * 1024)) });
      await settled(large);
      const invalid = (path: string) => ({ code: 'VALIDATION_FAILED', paths: [path] });
      expect(await trySend({ id: failed })).toEqual(invalid('media.id'));
      expect(await trySend({ id: large })).toEqual(invalid('media.id'));
      const id = await upload();
      expect(await trySend({ id, url: 'https://x.example/a' })).toEqual(invalid('media.url'));
      expect(await trySend({ id, mimeType: 'image/png' })).toEqual(invalid('media.mimeType'));
      expect(await trySend({ caption: 'x' })).toEqual(invalid('media.url'));
    });

    test('an idempotency key covers the file', async () => {
      const leadId = await createLead(app, tenant, nextNumber());
      const [one, two] = [await upload(), await upload()];
      const sendKeyed = (id: string) =>
        execute(app, tenant.operator, SendMessageDocument, { input: { leadId, media: { id }, idempotencyKey: 'k' } });
      const first = await sendKeyed(one);
      expect((await sendKeyed(one)).data?.sendMessage.id).toBe(first.data?.sendMessage.id);
      expect(failureOf(await sendKeyed(two)).code).toBe('CONFLICT');
    });
  });

  describe('what goes', () => {
    test('erasing a lead erases its files, uploads that went to nobody else included', async () => {
      const own = await app.createTenant();
      const from = nextNumber();
      const id = await receive({ url: files.give('/erased.png', png()) }, from, own);
      const media = await settled(id, own);
      const leadId = (await readMessage(app, own, id)).lead.id;
      const uploaded = await upload(png(10), 'image/png', { of: own });
      const sent = await send(app, own, { leadId, media: { id: uploaded } });
      await waitForStatus(app, sent, 'SENT');
      expect(await objects(own)).toHaveLength(2);
      await query(app, own.operator, DeleteLeadDocument, { id: leadId });
      expect((await fetch(media.url ?? '')).status).toBe(404);
      await sweep();
      expect(await objects(own)).toEqual([]);
    });

    test('a file that two leads have stays until both are erased; a merge keeps files', async () => {
      const own = await app.createTenant();
      const id = await upload(png(), 'image/png', { of: own });
      const leads = [
        await createLead(app, own, nextNumber()),
        await createLead(app, own, nextNumber()),
        await createLead(app, own, nextNumber()),
      ];
      const messages: string[] = [];
      for (const leadId of leads.slice(0, 2)) messages.push(await send(app, own, { leadId, media: { id } }));
      for (const message of messages) await waitForStatus(app, message, 'SENT');
      await query(app, own.admin, MergeLeadsDocument, { leadId: leads[1] ?? '', intoId: leads[2] ?? '' });
      await query(app, own.operator, DeleteLeadDocument, { id: leads[0] ?? '' });
      await sweep();
      expect(await objects(own)).toHaveLength(1);
      expect((await fetch((await mediaOf(messages[1] ?? '', own)).url ?? '')).status).toBe(200);
      await query(app, own.operator, DeleteLeadDocument, { id: leads[2] ?? '' });
      await sweep();
      expect(await objects(own)).toEqual([]);
    });

    test.each([
      ['after its message', false],
      ['before its message', true],
    ])('a deletion by the writer that comes %s takes the file', async (_when, isFirst) => {
      const own = await app.createTenant();
      const from = nextNumber();
      const messageId = randomUUID();
      const deletion = { from, type: 'deletion', deletion: { messageId } };
      const file = { messageId, from, type: 'image', media: { url: files.give(`/${messageId}`, png()) } };
      const post = async (body: object) => {
        const answer = await app.post('/webhooks/chat/gateway/inbound', body, withKey(own));
        expect(answer.status).toBe(200);
        return ((await answer.json()) as { results: { messageId: string }[] }).results[0]?.messageId ?? '';
      };
      if (isFirst) await post(deletion);
      const id = await post(file);
      if (!isFirst) {
        const { url } = await settled(id, own);
        expect(await objects(own)).toHaveLength(1);
        await post(deletion);
        expect((await fetch(url ?? '')).status).toBe(404);
      }
      expect(await readMessage(app, own, id)).toMatchObject({ media: null });
      const again = await execute(app, own.operator, FetchMediaDocument, { messageId: id });
      expect(failureOf(again).code).toBe('CONFLICT');
      expect(await app.sql('SELECT FROM media_files WHERE tenant_id = $1', [own.id])).toEqual([]);
      await sweep();
      expect(await objects(own)).toEqual([]);
    });

    test('uploads that nobody sent go after a day, and files after their days', async () => {
      const own = await app.createTenant();
      const [unused, used] = [
        await upload(png(1), 'image/png', { of: own }),
        await upload(png(2), 'image/png', { of: own }),
      ];
      const leadId = await createLead(app, own, nextNumber());
      const sent = await send(app, own, { leadId, media: { id: used } });
      const aDayAgo = "now() - interval '25 hours'";
      await app.sql(`UPDATE media_files SET created_at = ${aDayAgo} WHERE id = ANY($1)`, [[unused, used]]);
      const { pruning } = app.app.services;
      await pruning.prune();
      // The application's own sweep may be under way.
      await until(
        async () => {
          await sweep();
          return objects(own);
        },
        (left) => left.length === 1,
      );
      expect(
        failureOf(await execute(app, own.operator, SendMessageDocument, { input: { leadId, media: { id: unused } } }))
          .code,
      ).toBe('NOT_FOUND');
      await app.sql(`UPDATE media_files SET used_at = ${aDayAgo} WHERE id = $1`, [used]);
      await pruning.prune();
      expect(await mediaOf(sent, own)).toMatchObject({ state: 'STORED' });
      const short = await startSender(simulator, { PROCESS_ROLE: 'api', MEDIA_RETENTION_DAYS: '30' }, app.database);
      await app.sql("UPDATE media_files SET stored_at = now() - interval '31 days' WHERE id = $1", [sent]);
      await short.app.services.pruning.prune();
      await short.stop({ keepDatabase: true });
      expect(await mediaOf(sent, own)).toMatchObject({
        state: 'EXPIRED',
        url: null,
        error: 'Files are kept for 30 days.',
        fileName: 'offer.bin',
      });
      await sweep();
      expect(await objects(own)).toEqual([]);
    });

    test('a message that waits keeps its file, however old it is', async () => {
      const own = await app.createTenant();
      const leadId = await createLead(app, own, nextNumber());
      const media = { id: await upload(png(), 'image/png', { of: own }) };
      const waiting = await send(app, own, {
        leadId,
        media,
        sendAt: new Date(Date.now() + 40 * 86_400_000).toISOString(),
      });
      await app.sql("UPDATE media_files SET stored_at = now() - interval '31 days' WHERE tenant_id = $1", [own.id]);
      const short = await startSender(simulator, { PROCESS_ROLE: 'api', MEDIA_RETENTION_DAYS: '30' }, app.database);
      await short.app.services.pruning.prune();
      await short.stop({ keepDatabase: true });
      expect(await mediaOf(waiting, own)).toMatchObject({ state: 'STORED' });
    });

    test('a message that is erased while its file comes leaves no object', async () => {
      const own = await app.createTenant();
      let release: () => void = () => undefined;
      const url = files.give('/erased-meanwhile.png', (response) => {
        release = () => response.end(png());
      });
      const id = await receive({ url }, nextNumber(), own);
      await until(() => files.requests.includes('/erased-meanwhile.png'), Boolean);
      await query(app, own.operator, DeleteLeadDocument, { id: (await readMessage(app, own, id)).lead.id });
      const stores = app.app.services.mediaObjects.staging;
      release();
      // The file was stored and is due at once, so the test moves no time.
      await until(
        async () => {
          await app.app.services.mediaObjects.sweep.run();
          const left = await app.sql('SELECT FROM media_deletions WHERE tenant_id = $1', [own.id]);
          const staged = await readdir(stores.folder);
          return [...left, ...staged, ...(await objects(own))].length + app.app.services.mediaFetcher.count;
        },
        (count) => count === 0,
      );
    });

    test('a fetch ends soon after its message was erased, and keeps nothing', async () => {
      const own = await app.createTenant();
      let isClosed = false;
      const url = files.give('/endless.png', (response) => {
        response.writeHead(200, { 'content-type': 'image/png' }).write(png(50_000));
        // A server that goes on is never silent for too long.
        const writing = setInterval(() => response.write('on and on'), 1_000);
        response.on('close', () => {
          clearInterval(writing);
          isClosed = true;
        });
      });
      const id = await receive({ url }, nextNumber(), own);
      await until(() => files.requests.includes('/endless.png'), Boolean);
      const { mediaFetcher, mediaObjects } = app.app.services;
      await mediaFetcher.stopErased();
      expect(isClosed).toBe(false);
      await query(app, own.operator, DeleteLeadDocument, { id: (await readMessage(app, own, id)).lead.id });
      await mediaFetcher.stopErased();
      await until(() => isClosed && mediaFetcher.count === 0, Boolean);
      expect(await readdir(mediaObjects.staging.folder)).toEqual([]);
    });

    test('what a killed process has left half received goes while others run', async () => {
      const { mediaObjects } = app.app.services;
      const left = join(mediaObjects.staging.folder, 'left');
      await writeFile(left, 'half');
      await mediaObjects.removeHalfReceived();
      expect(await readdir(mediaObjects.staging.folder)).toEqual(['left']);
      const twoHoursAgo = Date.now() / 1_000 - 7_200;
      await utimes(left, twoHoursAgo, twoHoursAgo);
      await mediaObjects.removeHalfReceived();
      expect(await readdir(mediaObjects.staging.folder)).toEqual([]);
    });

    test('a disk that takes no file is UNAVAILABLE, and a file that is fetched is tried again', async () => {
      const own = await app.createTenant();
      const { folder: staging } = app.app.services.mediaObjects.staging;
      await rename(staging, `${staging}-away`);
      try {
        const headers = { ...withToken(own.operator), 'content-type': 'image/png' };
        const refused = await fetch(`${app.url}/media`, { method: 'POST', headers, body: new Uint8Array(png()) });
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
        expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' });
        const id = await receive({ url: files.give('/no-room.png', png()) }, nextNumber(), own);
        const media = await until(
          () => mediaOf(id, own),
          ({ error }) => error !== null,
        );
        expect(media).toMatchObject({ state: 'PENDING', error: 'The file could not be stored right now.' });
      } finally {
        await rename(`${staging}-away`, staging);
      }
    });
  });

  test('the key of an address can be replaced: old addresses stay valid', async () => {
    const id = await receive({ url: files.give('/rotated.png', png()) });
    const { url } = await settled(id);
    const keys = { ENCRYPTION_KEY: 'ab'.repeat(32), ENCRYPTION_KEY_PREVIOUS: '0123456789abcdef'.repeat(4) };
    const next = await startSender(simulator, { PROCESS_ROLE: 'api', ...keys }, app.database);
    const moved = (url ?? '').replace(/:\d+\//, `:${next.app.port}/`);
    expect((await fetch(moved)).status).toBe(200);
    expect(next.app.services.mediaAddresses.of(tenant.id, id)).not.toBe(moved);
    await next.stop({ keepDatabase: true });
  });
}
