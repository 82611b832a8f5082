// Files of messages that come through WAHA, against a server that answers as it does.

import { randomUUID } from 'node:crypto';
import { answering, ScriptedGateway, type Script, type ScriptedRequest } from '../../providers/scripted-gateway.js';
import { TestApp, withKey, withToken, type TestTenant } from '../../support/test-app.js';
import { plainNumber, readMessage, until } from '../messages/sending-harness.js';
import { FileServer, status } from './file-server.js';
import { png } from './sample-files.js';

const token = 'waha-key-of-the-test';

interface Place {
  tenant: TestTenant;
  session: string;
}

export function describeWahaMedia(): void {
  let app: TestApp;
  let waha: ScriptedGateway;
  let files: FileServer;
  /** The answers of WAHA, which are 404 where a test says nothing. */
  let script: (request: ScriptedRequest) => Script | undefined;

  beforeAll(async () => {
    waha = await ScriptedGateway.start((request, response) => {
      const isKnown = request.headers['x-api-key'] === token;
      const answer = isKnown ? script(request) : answering(401, { message: 'Unauthorized', statusCode: 401 });
      (answer ?? answering(404, { message: 'Not found', statusCode: 404 }))(request, response);
    });
    files = await FileServer.start();
    app = await TestApp.start({});
  });
  afterAll(async () => {
    await app.stop();
    await waha.close();
    await files.close();
  });
  beforeEach(() => {
    script = () => undefined;
    waha.requests.length = 0;
  });

  async function createPlace(key = token): Promise<Place> {
    const tenant = await app.createTenant();
    const session = `waha-${randomUUID()}`;
    const query = 'mutation ($input: CreateChatInstanceInput!) { createChatInstance(input: $input) { id } }';
    const access = { provider: 'waha', baseUrl: waha.url, token: key };
    const input = { accountId: tenant.admin.accountId, instanceName: session, ...access };
    const answer = await app.post('/graphql', { query, variables: { input } }, withToken(tenant.admin));
    expect(((await answer.json()) as { errors?: unknown }).errors).toBeUndefined();
    return { tenant, session };
  }

  const chat = `${plainNumber()}@c.us`;
  const idOf = () => `false_${chat}_3EB0${randomUUID().replaceAll('-', '').toUpperCase()}`;

  /** Lets a lead send a picture. @returns the service's id of the message */
  async function sends({ tenant, session }: Place, media: object | null, id = idOf()): Promise<string> {
    const payload = {
      id,
      timestamp: Math.floor(Date.now() / 1_000),
      from: chat,
      fromMe: false,
      body: 'Look',
      hasMedia: true,
      media,
      _data: { Message: { imageMessage: { mimetype: 'image/png', caption: 'Look' } } },
    };
    const call = { event: 'message.any', session, payload };
    const answer = await app.post('/webhooks/chat/gateway/inbound', call, withKey(tenant));
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { results: { messageId: string }[] }).results[0]?.messageId ?? '';
  }

  const settled = ({ tenant }: Place, id: string) =>
    until(
      async () => (await readMessage(app, tenant, id)).media,
      (media) => media !== null && (media.state !== 'PENDING' || media.error !== null),
    );
  const bytesOf = async (url: string | null | undefined) => Buffer.from(await (await fetch(url ?? '')).arrayBuffer());
  const paths = () => waha.requests.map(({ method, path }) => `${method} ${path}`);
  const giving =
    (bytes: Buffer): Script =>
    (_request, response) =>
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length }).end(bytes);

  test.each([
    ['its own address', () => waha.url],
    ['the address by which it knows itself', () => 'http://localhost:3000'],
    ['an address behind a proxy', () => 'https://waha.example.com/gateway'],
  ])('a file below %s is fetched from the instance’s, with the key', async (_what, origin) => {
    const at = await createPlace();
    const bytes = png(40_000);
    script = ({ path }) => (path === `/api/files/${at.session}/a%20b.png` ? giving(bytes) : undefined);
    const url = `${origin()}/api/files/${at.session}/a%20b.png`;
    const media = await settled(at, await sends(at, { url, mimetype: 'image/png', filename: 'a b.png' }));
    expect(media).toMatchObject({ state: 'STORED', size: bytes.length, fileName: 'a b.png', caption: 'Look' });
    expect((await bytesOf(media?.url)).equals(bytes)).toBe(true);
    expect(paths()).toEqual([`GET /api/files/${at.session}/a%20b.png`]);
  });

  test.each<[string, (session: string) => object | null, number]>([
    ['that was not downloaded', () => null, 2],
    ['whose download failed', () => ({ url: null, mimetype: 'image/png', error: { message: 'gone' } }), 2],
    ['that is kept no more', (session) => ({ url: `${waha.url}/api/files/${session}/old.png` }), 3],
  ])('a file %s is downloaded by its message', async (_what, mediaOf, requests) => {
    const at = await createPlace();
    const bytes = png(9);
    const id = idOf();
    const ask = `/api/${at.session}/chats/${encodeURIComponent(chat)}/messages/${encodeURIComponent(id)}?downloadMedia=true`;
    const again = `/api/files/${at.session}/new.png`;
    script = ({ path }) => {
      if (path === ask) return answering(200, { id, media: { url: `http://localhost:3000${again}` } });
      return path === again ? giving(bytes) : undefined;
    };
    expect(await settled(at, await sends(at, mediaOf(at.session), id))).toMatchObject({ state: 'STORED' });
    expect(paths().slice(-2)).toEqual([`GET ${ask}`, `GET ${again}`]);
    expect(waha.requests).toHaveLength(requests);
  });

  test('a file in a store beside WAHA is fetched without the key', async () => {
    const at = await createPlace();
    const bytes = png(5);
    let seen: object = {};
    const url = files.give('/bucket/a.png?X-Amz-Signature=1', (response, { headers }) => {
      seen = headers;
      response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    });
    expect(await settled(at, await sends(at, { url }))).toMatchObject({ state: 'STORED' });
    expect(seen).not.toHaveProperty('x-api-key');
    expect(waha.requests).toEqual([]);
  });

  const wahaError = (code: number, message: string) => answering(code, { statusCode: code, message });
  test.each<[string, Script, string, RegExp]>([
    ['a message that it does not know yet', wahaError(404, 'Message not found'), 'PENDING', /Message not found/],
    ['a session that does not work', wahaError(422, 'Session is STARTING'), 'PENDING', /STARTING/],
    ['a fault', wahaError(500, 'boom'), 'PENDING', /boom/],
    ['no file in the answer', answering(200, { id: 'x', media: null }), 'PENDING', /could not download/],
    ['another answer', answering(200, []), 'PENDING', /could not download/],
    ['no permission', wahaError(403, 'Forbidden'), 'FAILED', /token and instanceName/],
    ['a redirect', (_request, response) => response.writeHead(302, { location: '/x' }).end(), 'FAILED', /302/],
  ])('%s', async (_what, answer, state, sentence) => {
    const at = await createPlace();
    script = ({ path }) => (path.includes('/messages/') ? answer : undefined);
    const media = await settled(at, await sends(at, null));
    expect(media).toMatchObject({ state, error: expect.stringMatching(sentence) });
    expect(media?.error).not.toContain(token);
    await app.sql('DELETE FROM media_files WHERE tenant_id = $1', [at.tenant.id]);
  });

  test('a wrong key is told, and not shown', async () => {
    const at = await createPlace('another-key-of-the-test');
    const url = `${waha.url}/api/files/${at.session}/a.png`;
    const media = await settled(at, await sends(at, { url }));
    expect(media).toMatchObject({ state: 'FAILED', error: expect.stringMatching(/token and instanceName/) });
    expect(media?.error).not.toContain('another-key');
  });

  test('content of another type is FAILED', async () => {
    const at = await createPlace();
    script = ({ path }) => (path.startsWith('/api/files/') ? giving(Buffer.from('<html></html>')) : undefined);
    const url = `${waha.url}/api/files/${at.session}/a.png`;
    expect(await settled(at, await sends(at, { url }))).toMatchObject({ state: 'FAILED' });
  });

  test('an address that may not be called is not, and the message is asked for', async () => {
    const at = await createPlace();
    const media = await settled(at, await sends(at, { url: 'http://169.254.169.254/latest/meta-data' }));
    expect(media).toMatchObject({ state: 'PENDING', error: expect.stringContaining('Not found') });
    expect(paths()).toEqual([expect.stringContaining('?downloadMedia=true')]);
    await app.sql('DELETE FROM media_files WHERE tenant_id = $1', [at.tenant.id]);
  });

  test('a file beside it that is gone, of a message that is gone, ends after the attempts of any file', async () => {
    const at = await createPlace();
    const url = files.give('/bucket/gone.png', status(404));
    expect(await settled(at, await sends(at, { url }))).toMatchObject({ state: 'PENDING' });
    await app.sql('UPDATE media_files SET attempt_count = 9, due_at = now() WHERE tenant_id = $1', [at.tenant.id]);
    const [{ id } = { id: '' }] = await app.sql<{ id: string }>('SELECT id FROM media_files WHERE tenant_id = $1', [
      at.tenant.id,
    ]);
    const ended = await until(
      async () => (await readMessage(app, at.tenant, id)).media,
      (media) => media?.state !== 'PENDING',
    );
    expect(ended).toMatchObject({ state: 'FAILED' });
  });
}
