// Files of messages that come through Evolution API and Meta's Cloud API, and files that are sent through them, against servers that
// answer as they do.

import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { answering, type Script, type ScriptedRequest } from '../../providers/scripted-gateway.js';
import { CloudServer, cloudError } from '../../support/cloud-server.js';
import { EvolutionServer, evolutionError } from '../../support/evolution-server.js';
import { execute, failureOf } from '../../support/graphql-client.js';
import { FetchMediaDocument, SendMessageDocument, type MessageQuery } from '../../support/operations.js';
import { TestApp, withKey, withToken, type TestTenant } from '../../support/test-app.js';
import { createLead, plainNumber, readMessage, send, until, waitForStatus } from '../messages/sending-harness.js';
import { FileServer, status } from './file-server.js';
import { oggOpus, png } from './sample-files.js';

type Media = NonNullable<NonNullable<MessageQuery['message']>['media']>;

const appSecret = '0123456789abcdef0123456789abcdef';

export function describeProviderMedia(): void {
  let app: TestApp;
  let evolution: EvolutionServer;
  let cloud: CloudServer;
  let files: FileServer;

  beforeAll(async () => {
    evolution = await EvolutionServer.start();
    cloud = await CloudServer.start();
    files = await FileServer.start();
    app = await TestApp.start({});
  });
  afterAll(async () => {
    await app.stop();
    await evolution.close();
    await cloud.close();
    await files.close();
  });
  beforeEach(() => {
    evolution.script = undefined;
    cloud.script = undefined;
    evolution.requests.length = 0;
    cloud.requests.length = 0;
  });

  const createInstance = async (tenant: TestTenant, input: object): Promise<string> => {
    const document = 'mutation ($input: CreateChatInstanceInput!) { createChatInstance(input: $input) { id } }';
    const variables = { input: { accountId: tenant.admin.accountId, ...input } };
    const answer = await app.post('/graphql', { query: document, variables }, withToken(tenant.admin));
    const { data, errors } = (await answer.json()) as {
      data?: { createChatInstance: { id: string } };
      errors?: unknown;
    };
    expect(errors).toBeUndefined();
    return data?.createChatInstance.id ?? '';
  };

  async function evolutionTenant(): Promise<{ tenant: TestTenant; instanceName: string; instanceId: string }> {
    const tenant = await app.createTenant();
    const instanceName = `evo-${randomUUID()}`;
    evolution.instances.set(instanceName, 'open');
    const token = EvolutionServer.globalKey;
    const instanceId = await createInstance(tenant, {
      instanceName,
      provider: 'evolution',
      baseUrl: evolution.url,
      token,
    });
    return { tenant, instanceName, instanceId };
  }

  async function cloudTenant(): Promise<{ tenant: TestTenant; instanceId: string }> {
    const tenant = await app.createTenant();
    const metadata = { phoneNumberId: CloudServer.phoneNumberId };
    const { token } = cloud;
    const instanceId = await createInstance(tenant, {
      instanceName: `cloud-${randomUUID()}`,
      provider: 'cloud',
      baseUrl: cloud.url,
      token,
      metadata,
      webhookSecret: appSecret,
    });
    return { tenant, instanceId };
  }

  const idIn = async (answer: Response): Promise<string> => {
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { results: { messageId: string }[] }).results[0]?.messageId ?? '';
  };

  async function evolutionSends(at: { tenant: TestTenant; instanceName: string }, message: object): Promise<string> {
    const data = {
      key: { remoteJid: `${plainNumber()}@s.whatsapp.net`, fromMe: false, id: `3EB0${randomUUID()}` },
      messageType: 'imageMessage',
      messageTimestamp: Math.floor(Date.now() / 1_000),
      message: { imageMessage: { url: 'https://mmg.whatsapp.net/o1/enc', mimetype: 'image/png' }, ...message },
    };
    const call = { event: 'messages.upsert', instance: at.instanceName, data };
    return idIn(await app.post('/webhooks/chat/gateway/inbound', call, withKey(at.tenant)));
  }

  async function metaSends(instanceId: string, message: object): Promise<string> {
    const from = plainNumber();
    const value = {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '5511', phone_number_id: CloudServer.phoneNumberId },
      contacts: [{ profile: { name: 'Ana' }, wa_id: from }],
      messages: [{ from, id: `wamid.${randomUUID()}`, timestamp: String(Math.floor(Date.now() / 1_000)), ...message }],
    };
    const call = { object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field: 'messages', value }] }] };
    const text = JSON.stringify(call);
    const signature = `sha256=${createHmac('sha256', appSecret).update(text).digest('hex')}`;
    return idIn(await app.post(`/webhooks/chat/cloud/${instanceId}`, text, { 'x-hub-signature-256': signature }));
  }

  const mediaOf = async (tenant: TestTenant, id: string): Promise<Media> => {
    const { media } = await readMessage(app, tenant, id);
    if (media === null) throw new Error('the message has no file');
    return media;
  };
  const settled = (tenant: TestTenant, id: string) =>
    until(
      () => mediaOf(tenant, id),
      ({ state, error }) => state !== 'PENDING' || error !== null,
    );
  const bytesOf = async ({ url }: Media) => Buffer.from(await (await fetch(url ?? '')).arrayBuffer());
  const onBase64 = (script: Script) => (request: ScriptedRequest) =>
    request.path.startsWith('/chat/getBase64FromMediaMessage/') ? script : undefined;
  const paths = (requests: readonly ScriptedRequest[]) => requests.map(({ method, path }) => `${method} ${path}`);
  const base64Answer = (bytes: Buffer, change: object = {}) =>
    answering(201, {
      mediaType: 'imageMessage',
      fileName: 'photo.png',
      caption: 'says "base64":"no"',
      size: { fileLength: String(bytes.length), height: 1, width: 1 },
      mimetype: 'image/png',
      base64: bytes.toString('base64'),
      buffer: null,
      ...change,
    });

  describe('Evolution', () => {
    test('a file comes out of getBase64FromMediaMessage, by the message’s key', async () => {
      const at = await evolutionTenant();
      const bytes = png(1_000_001);
      evolution.script = onBase64(base64Answer(bytes));
      const media = await settled(at.tenant, await evolutionSends(at, {}));
      expect(media).toMatchObject({
        state: 'STORED',
        size: bytes.length,
        fileName: 'photo.png',
        mimeType: 'image/png',
      });
      expect((await bytesOf(media)).equals(bytes)).toBe(true);
      expect(evolution.requests).toMatchObject([
        {
          path: `/chat/getBase64FromMediaMessage/${at.instanceName}`,
          headers: { apikey: EvolutionServer.globalKey },
          body: { message: { key: { id: expect.stringMatching(/^3EB0/) } }, convertToMp4: false },
        },
      ]);
    });

    test('mediaUrl is fetched without the key; one that has ended is asked for', async () => {
      const at = await evolutionTenant();
      const bytes = png(10);
      const copy = files.give('/copy.png', bytes, 'image/png');
      const first = await settled(at.tenant, await evolutionSends(at, { mediaUrl: copy }));
      expect((await bytesOf(first)).equals(bytes)).toBe(true);
      expect(evolution.requests).toEqual([]);
      evolution.script = onBase64(base64Answer(bytes));
      const ended = files.give('/ended.png', status(403));
      expect(await settled(at.tenant, await evolutionSends(at, { mediaUrl: ended }))).toMatchObject({
        state: 'STORED',
      });
      expect(evolution.requests).toHaveLength(1);
    });

    test.each<[string, ReturnType<typeof status>, RegExp]>([
      ['the server of mediaUrl is out: it is tried on', status(503), /^(?!.*Message not found)/],
      [
        'mediaUrl leads nowhere: that is told too',
        status(302, { location: '/loop.png' }),
        /from redirect to redirect.*Message not found/,
      ],
    ])('Evolution does not know the message, and %s', async (_what, script, sentence) => {
      const at = await evolutionTenant();
      evolution.script = onBase64(evolutionError(400, ['Message not found']));
      const mediaUrl = files.give('/loop.png', script);
      const media = await settled(at.tenant, await evolutionSends(at, { mediaUrl }));
      expect(media).toMatchObject({ state: 'PENDING', error: expect.stringMatching(sentence) });
      await app.sql('DELETE FROM media_files WHERE tenant_id = $1', [at.tenant.id]);
    });

    test('base64 in the call is neither stored with the message nor kept in the journal', async () => {
      const at = await evolutionTenant();
      evolution.script = onBase64(base64Answer(png()));
      const base64 = png(6_000).toString('base64');
      const id = await evolutionSends(at, { base64 });
      expect(await settled(at.tenant, id)).toMatchObject({ state: 'STORED' });
      const [kept] = await app.sql<{ media: string }>('SELECT media::text FROM messages WHERE id = $1', [id]);
      expect(kept?.media).not.toContain(base64.slice(0, 20));
      const [call] = await app.sql<{ body: Buffer; bytes: number }>(
        'SELECT body, body_bytes AS bytes FROM webhook_deliveries WHERE tenant_id = $1',
        [at.tenant.id],
      );
      expect(call?.body.toString()).toContain('"base64":""');
      expect(call?.bytes).toBeGreaterThan(8_000);
    });

    test('base64 in the call is the file: nothing is fetched, and it is not kept twice', async () => {
      const at = await evolutionTenant();
      const bytes = png(60_000);
      const media = await settled(at.tenant, await evolutionSends(at, { base64: bytes.toString('base64') }));
      expect(media).toMatchObject({ state: 'STORED', size: bytes.length, mimeType: 'image/png' });
      expect((await bytesOf(media)).equals(bytes)).toBe(true);
      expect(evolution.requests).toEqual([]);
      const kept = await app.sql('SELECT content FROM media_files WHERE tenant_id = $1', [at.tenant.id]);
      expect(kept).toEqual([{ content: null }]);
    });

    test('base64 in the call that is none is left out: the file is asked for', async () => {
      const at = await evolutionTenant();
      evolution.script = onBase64(base64Answer(png(9)));
      const media = await settled(at.tenant, await evolutionSends(at, { base64: 'no Base64 at all' }));
      expect(media).toMatchObject({ state: 'STORED', size: png(9).length });
      expect(evolution.requests).toHaveLength(1);
    });

    test('base64 in the call of another type than the message says is FAILED, and is not kept', async () => {
      const at = await evolutionTenant();
      const base64 = Buffer.from('<html></html>').toString('base64');
      const media = await settled(at.tenant, await evolutionSends(at, { base64 }));
      expect(media).toMatchObject({ state: 'FAILED', error: expect.stringContaining('is not image/png') });
      const kept = await app.sql('SELECT content FROM media_files WHERE tenant_id = $1', [at.tenant.id]);
      expect(kept).toEqual([{ content: null }]);
    });

    test.each<[string, Script, string, RegExp]>([
      ['a failure', evolutionError(400, ['Message not found']), 'PENDING', /Message not found/],
      ['another answer', answering(201, { mediaType: 'imageMessage' }), 'PENDING', /without the file/],
      ['a text that is no Base64', base64Answer(png(), { base64: 'AAAA*AAA' }), 'PENDING', /broke off/],
      ['no permission', evolutionError(403, 'Forbidden'), 'FAILED', /token and instanceName/],
      ['a size that is too large', base64Answer(png(), { size: { fileLength: 2e9 } }), 'TOO_LARGE', /100 MiB/],
      ['content of another type', base64Answer(Buffer.from('<html>')), 'FAILED', /is not image\/png/],
    ])('%s', async (_what, script, state, sentence) => {
      const at = await evolutionTenant();
      evolution.script = onBase64(script);
      const media = await settled(at.tenant, await evolutionSends(at, {}));
      expect(media).toMatchObject({ state, error: expect.stringMatching(sentence) });
      await app.sql('DELETE FROM media_files WHERE tenant_id = $1', [at.tenant.id]);
    });

    test('a message that it has no more FAILS after 15 minutes, and says why from the first answer on', async () => {
      const at = await evolutionTenant();
      evolution.script = onBase64(evolutionError(400, ['Message not found']));
      const id = await evolutionSends(at, {});
      const waits: number[] = [];
      let media = await settled(at.tenant, id);
      while (media.state === 'PENDING') {
        expect(media.error).toMatch(/Message not found/);
        const [row] = await app.sql<{ seconds: number; attempts: number }>(
          `UPDATE media_files f SET due_at = now() FROM media_files o WHERE f.id = $1 AND o.id = $1 AND f.state = 'PENDING'
           RETURNING extract(epoch FROM o.due_at - now())::float AS seconds, f.attempt_count AS attempts`,
          [id],
        );
        waits.push(row?.seconds ?? 0);
        app.app.services.mediaFetcher.wake(at.tenant.id);
        // The fetcher counts a file a moment after a worker has claimed it.
        let calm = 0;
        await until(
          () => app.sql('SELECT FROM media_files WHERE id = $1 AND attempt_count > $2', [id, row?.attempts]),
          (rows) => {
            calm = rows.length === 1 && app.app.services.mediaFetcher.count === 0 ? calm + 1 : 0;
            return calm === 5;
          },
        );
        media = await mediaOf(at.tenant, id);
      }
      expect(media).toMatchObject({ state: 'FAILED', error: expect.stringMatching(/Message not found.*5 times/) });
      const waited = waits.reduce((sum, seconds) => sum + seconds, 0);
      expect(waited).toBeGreaterThan(14 * 60);
      expect(waited).toBeLessThanOrEqual(15 * 60);
    });

    test('a message that it does not know after an outage of half an hour is asked for once more', async () => {
      const at = await evolutionTenant();
      evolution.script = onBase64(evolutionError(503, ['Bad gateway']));
      const id = await evolutionSends(at, {});
      await settled(at.tenant, id);
      evolution.script = onBase64(evolutionError(400, ['Message not found']));
      await app.sql('UPDATE media_files SET attempt_count = 4, due_at = now() WHERE id = $1', [id]);
      app.app.services.mediaFetcher.wake(at.tenant.id);
      const told = await until(
        () => mediaOf(at.tenant, id),
        ({ error }) => error?.includes('Message not found') === true,
      );
      expect(told).toMatchObject({ state: 'PENDING' });
      await app.sql('DELETE FROM media_files WHERE tenant_id = $1', [at.tenant.id]);
    });

    test('an endless Base64 text is not read on', async () => {
      const at = await evolutionTenant();
      let isClosed = false;
      evolution.script = onBase64((_request, response: ServerResponse) => {
        response
          .writeHead(201)
          .write(`{"mimetype":"image/png","base64":"${png(2).toString('base64').replaceAll('=', '')}`);
        const more = () => {
          while (!response.destroyed && response.write('A'.repeat(65_536)));
        };
        response.on('drain', more).on('close', () => (isClosed = true));
        more();
      });
      expect(await settled(at.tenant, await evolutionSends(at, {}))).toMatchObject({ state: 'TOO_LARGE' });
      await until(() => isClosed, Boolean);
    });
  });

  describe('Meta', () => {
    const fileId = '1003383421387256';
    const bytes = png(70_000);

    let sha256: string | undefined;
    beforeEach(() => (sha256 = undefined));

    /** Plays the two steps of a download. @param answers the answers of the address, call by call */
    function giveFile(...answers: readonly (number | Buffer)[]): void {
      let calls = 0;
      cloud.script = ({ path, method }) => {
        if (method !== 'GET') return undefined;
        if (path.startsWith(`/v24.0/${fileId}?`)) {
          const file = {
            url: `${cloud.url}/file/${calls}`,
            mime_type: 'image/png',
            file_size: bytes.length,
            sha256,
            id: fileId,
          };
          return answering(200, { messaging_product: 'whatsapp', ...file });
        }
        const answer = answers[calls++] ?? 500;
        return (request, response) => {
          const isKnown = request.headers.authorization === `Bearer ${cloud.token}`;
          if (!isKnown) response.writeHead(401).end();
          else if (typeof answer === 'number') response.writeHead(answer).end();
          else response.writeHead(200, { 'content-length': answer.length }).end(answer);
        };
      };
    }
    const image = { type: 'image', image: { id: fileId, mime_type: 'image/png', sha256: 'x', caption: 'Look' } };

    test('id → address → bytes, with the token; 404 on the address asks once more', async () => {
      const { tenant, instanceId } = await cloudTenant();
      giveFile(404, bytes);
      const media = await settled(tenant, await metaSends(instanceId, image));
      expect(media).toMatchObject({ state: 'STORED', size: bytes.length, caption: 'Look' });
      expect((await bytesOf(media)).equals(bytes)).toBe(true);
      const asked = `GET /v24.0/${fileId}?phone_number_id=${CloudServer.phoneNumberId}`;
      expect(paths(cloud.requests)).toEqual([asked, 'GET /file/0', asked, 'GET /file/1']);
    });

    test('the SHA-256 that Meta gives is that of the file', async () => {
      const { tenant, instanceId } = await cloudTenant();
      sha256 = createHash('sha256').update(bytes).digest('hex').toUpperCase();
      giveFile(bytes);
      expect(await settled(tenant, await metaSends(instanceId, image))).toMatchObject({ state: 'STORED' });
    });

    test('bytes with another SHA-256 are FAILED, and nothing of them is kept', async () => {
      const { tenant, instanceId } = await cloudTenant();
      sha256 = createHash('sha256').update('other bytes').digest('hex');
      giveFile(bytes);
      const media = await settled(tenant, await metaSends(instanceId, image));
      expect(media).toMatchObject({ state: 'FAILED', url: null, error: expect.stringContaining('SHA-256') });
      expect(
        await app.sql('SELECT FROM media_files WHERE tenant_id = $1 AND object_id IS NOT NULL', [tenant.id]),
      ).toEqual([]);
    });

    test('two 404s: EXPIRED', async () => {
      const { tenant, instanceId } = await cloudTenant();
      giveFile(404, 404, bytes);
      expect(await settled(tenant, await metaSends(instanceId, image))).toMatchObject({ state: 'EXPIRED' });
    });

    const gone = answering(400, { error: { message: 'Unsupported get request', code: 100, error_subcode: 33 } });
    const elsewhere = answering(200, { url: 'https://files.example.com/a', mime_type: 'image/png', id: fileId });
    test.each<[string, Script, string, RegExp]>([
      ['an id that is over', gone, 'EXPIRED', /no more/],
      ['a token that is over', cloudError(401, 190), 'PENDING', /new access token/],
      ['a fault', cloudError(500, 2), 'PENDING', /tries it again/],
      ['another refusal', cloudError(400, 100), 'FAILED', /./],
      ['an address of someone else, who never gets the token', elsewhere, 'FAILED', /not its own/],
    ])('%s', async (_what, script, state, sentence) => {
      const { tenant, instanceId } = await cloudTenant();
      cloud.script = ({ method }) => (method === 'GET' ? script : undefined);
      const media = await settled(tenant, await metaSends(instanceId, image));
      expect(media).toMatchObject({ state, error: expect.stringMatching(sentence) });
      await app.sql('DELETE FROM media_files WHERE tenant_id = $1', [tenant.id]);
    });

    test('131052 is TOO_LARGE, and nothing is fetched', async () => {
      const { tenant, instanceId } = await cloudTenant();
      const errors = [{ code: 131_052, title: 'Media download error' }];
      const id = await metaSends(instanceId, { type: 'unsupported', errors });
      expect(await mediaOf(tenant, id)).toMatchObject({ state: 'TOO_LARGE', url: null });
      expect(cloud.requests).toEqual([]);
      const again = await execute(app, tenant.operator, FetchMediaDocument, { messageId: id });
      expect(failureOf(again).code).toBe('CONFLICT');
    });
  });

  describe('a file that is sent', () => {
    const upload = async (tenant: TestTenant, bytes: Buffer, type: string): Promise<string> => {
      const headers = { ...withToken(tenant.operator), 'content-type': type };
      const answer = await fetch(`${app.url}/media`, { method: 'POST', headers, body: new Uint8Array(bytes) });
      return ((await answer.json()) as { id: string }).id;
    };
    const oggHead = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('OpusHead'), Buffer.alloc(40)]);

    test.each([
      ['an image', png(), 'image/png', 'sendMedia', 'media'],
      ['a voice note', oggHead, 'audio/ogg', 'sendWhatsAppAudio', 'audio'],
    ])('Evolution gets %s by a signed address', async (_what, content, type, route, field) => {
      const { tenant, instanceId, instanceName } = await evolutionTenant();
      const id = await upload(tenant, content, type);
      const leadId = await createLead(app, tenant, plainNumber());
      const messageId = await send(app, tenant, { leadId, instanceId, media: { id } });
      await waitForStatus(app, messageId, 'SENT');
      const [request] = evolution.requests.filter(({ path }) => path === `/message/${route}/${instanceName}`);
      const url = (request?.body as Record<string, string> | undefined)?.[field];
      expect(Buffer.from(await (await fetch(url ?? '')).arrayBuffer()).equals(content)).toBe(true);
    });

    /** A lead who has written, which opens Meta's window. */
    async function cloudLead(): Promise<{ tenant: TestTenant; instanceId: string; leadId: string }> {
      const at = await cloudTenant();
      const from = await metaSends(at.instanceId, { type: 'text', text: { body: 'Oi' } });
      return { ...at, leadId: (await readMessage(app, at.tenant, from)).lead.id };
    }
    const uploads = () => cloud.requests.filter(({ path }) => path.endsWith('/media'));
    const messagesOf = () => cloud.requests.filter(({ path }) => path.endsWith('/messages')).map(({ body }) => body);

    test('Meta is given the file where PUBLIC_URL is not configured, once for each number', async () => {
      const { tenant, instanceId, leadId } = await cloudLead();
      const content = png(200_000);
      const id = await upload(tenant, content, 'image/png');
      for (const caption of ['First', 'Second'])
        await waitForStatus(app, await send(app, tenant, { leadId, instanceId, media: { id, caption } }), 'SENT');
      const [given, ...others] = uploads();
      expect(others).toEqual([]);
      expect(given).toMatchObject({
        method: 'POST',
        path: `/v24.0/${CloudServer.phoneNumberId}/media`,
        headers: { authorization: `Bearer ${cloud.token}` },
      });
      const headers = { 'content-type': given?.headers['content-type'] ?? '' };
      const form = await new Response(new Uint8Array(given?.body as Buffer), { headers }).formData();
      expect([form.get('messaging_product'), form.get('type')]).toEqual(['whatsapp', 'image/png']);
      const file = form.get('file') as File;
      expect(file.type).toBe('image/png');
      expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);
      const image = { id: expect.stringMatching(/^\d{16}$/) };
      expect(messagesOf()).toMatchObject([
        { type: 'image', image: { ...image, caption: 'First' } },
        { type: 'image', image: { ...image, caption: 'Second' } },
      ]);
      expect(JSON.stringify(messagesOf())).not.toContain('link');
    });

    test('Meta refuses the file: the message is FAILED with its words, and was not sent', async () => {
      const { tenant, instanceId, leadId } = await cloudLead();
      cloud.script = ({ path }) =>
        path.endsWith('/media') ? cloudError(400, 131_053, 'Unsupported codec') : undefined;
      const id = await upload(tenant, png(), 'image/png');
      const messageId = await send(app, tenant, { leadId, instanceId, media: { id } });
      await waitForStatus(app, messageId, 'FAILED');
      const { timeline } = await readMessage(app, tenant, messageId);
      expect(timeline.at(-1)).toMatchObject({
        toStatus: 'FAILED',
        providerCode: '131053',
        detail: expect.stringContaining('Unsupported codec'),
      });
      expect(messagesOf()).toEqual([]);
    });

    test('Meta gets a signed link where PUBLIC_URL is configured', async () => {
      const usual = app;
      app = await TestApp.start({ PUBLIC_URL: 'https://leadwire.example' });
      try {
        const { tenant, instanceId, leadId } = await cloudLead();
        const id = await upload(tenant, png(), 'image/png');
        await waitForStatus(app, await send(app, tenant, { leadId, instanceId, media: { id } }), 'SENT');
        expect(uploads()).toEqual([]);
        const link = expect.stringMatching(/^https:\/\/leadwire\.example\/media\//);
        expect(messagesOf()).toMatchObject([{ type: 'image', image: { link } }]);
      } finally {
        await app.stop();
        app = usual;
      }
    });

    const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(40)]);
    const wav = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WAVEfmt '), Buffer.alloc(40)]);
    const quicktime = Buffer.concat([Buffer.from([0, 0, 0, 20]), Buffer.from('ftypqt  '), Buffer.alloc(40)]);
    test.each([
      ['an image', gif, 'image/gif', 'image as image/jpeg, image/png'],
      ['sound', wav, 'audio/wav', 'audio as audio/aac'],
      ['a video', quicktime, 'video/quicktime', 'video as video/mp4'],
    ])('a type of %s that Meta does not take is refused before it is queued', async (_what, content, type, words) => {
      const { tenant, instanceId, leadId } = await cloudLead();
      const refuse = (media: object) =>
        execute(app, tenant.operator, SendMessageDocument, { input: { leadId, instanceId, media } });
      const byId = await refuse({ id: await upload(tenant, content, type) });
      expect(failureOf(byId)).toMatchObject({ code: 'VALIDATION_FAILED', paths: ['media.id'] });
      expect(byId.errors?.[0]?.message).toContain(words);
      const byUrl = await refuse({ url: 'https://files.example/a', mimeType: type });
      expect(failureOf(byUrl)).toMatchObject({ code: 'VALIDATION_FAILED', paths: ['media.mimeType'] });
      expect(cloud.requests).toEqual([]);
    });

    test('sound as Opus, and of MP4, is given to Meta under the types that it takes', async () => {
      const { tenant, instanceId, leadId } = await cloudLead();
      const m4a = Buffer.concat([Buffer.from([0, 0, 0, 20]), Buffer.from('ftypM4A '), Buffer.alloc(40)]);
      for (const [content, type] of [
        [oggOpus(), 'audio/ogg'],
        [m4a, 'audio/mp4'],
      ] as const) {
        const id = await upload(tenant, content, type);
        await waitForStatus(app, await send(app, tenant, { leadId, instanceId, media: { id } }), 'SENT');
      }
      const types = uploads().map(({ body }) => /name="type"\r\n\r\n(.*?)\r\n/.exec(String(body))?.[1]);
      expect(types).toEqual(['audio/ogg; codecs=opus', 'audio/mp4']);
    });
  });
}
