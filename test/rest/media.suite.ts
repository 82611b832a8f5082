// POST /media and GET /media/:id: uploading a file, and reading it at its signed address.

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { jpegHead, pdf, png, svg } from '../features/media/sample-files.js';
import { withTenant } from '../support/shared-app.js';
import { withToken, type TestApp, type TestTenant, type TestUser } from '../support/test-app.js';
import { until } from '../features/messages/sending-harness.js';
import { expectProblem } from './problem.js';

const mebibyte = 1024 * 1024;

interface Uploaded {
  id: string;
  mimeType: string;
  size: number;
  sha256: string;
}

export function describeMedia(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made));

  const post = (body: RequestInit['body'] | undefined, headers: Record<string, string>, search = '') =>
    fetch(`${app.url}/media${search}`, { method: 'POST', headers, body: body ?? null });

  function formOf(bytes: Buffer, type: string, name = 'a.png', field = 'file'): FormData {
    const form = new FormData();
    form.append(field, new Blob([new Uint8Array(bytes)], { type }), name);
    return form;
  }

  const postForm = (form: FormData, user: TestUser = tenant.operator) => post(form, withToken(user));
  const postRaw = (bytes: Buffer, type: string, search = '') =>
    post(new Uint8Array(bytes), { ...withToken(tenant.operator), 'content-type': type }, search);

  async function upload(bytes: Buffer, type: string, name?: string): Promise<Uploaded> {
    const answer = await postForm(formOf(bytes, type, name));
    expect(answer.status).toBe(201);
    return (await answer.json()) as Uploaded;
  }

  const addressOf = ({ id }: Pick<Uploaded, 'id'>) => app.app.services.mediaAddresses.of(tenant.id, id);
  const storedFiles = () =>
    app.sql<{ id: string }>('SELECT id FROM media_files WHERE tenant_id = $1 ORDER BY id', [tenant.id]);

  describe('POST /media', () => {
    test('201: a file of a form, with what is known of it', async () => {
      const bytes = png(1_000);
      const uploaded = await upload(bytes, 'image/png');
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(uploaded).toEqual({ id: expect.any(String), mimeType: 'image/png', size: bytes.length, sha256 });
      const read = await fetch(addressOf(uploaded));
      expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
    });

    test('201: the bytes with their type; the name is in the address', async () => {
      const answer = await postRaw(Buffer.from('Our offer'), 'text/plain; charset=utf-8', '?fileName=offer.txt');
      expect(answer.status).toBe(201);
      const uploaded = (await answer.json()) as Uploaded;
      expect(uploaded.mimeType).toBe('text/plain');
      const { headers } = await fetch(addressOf(uploaded));
      expect(headers.get('content-disposition')).toBe(`attachment; filename="offer.txt"; filename*=UTF-8''offer.txt`);
    });

    test('201: sent in chunks, without a length', async () => {
      const body = new ReadableStream({
        start: (controller) => {
          controller.enqueue(new Uint8Array(png(200_000)));
          controller.close();
        },
      });
      const headers = { ...withToken(tenant.operator), 'content-type': 'image/png' };
      const answer = await fetch(`${app.url}/media`, { method: 'POST', headers, body, duplex: 'half' });
      expect(answer.status).toBe(201);
    });

    test('401: before a byte of the body is read', async () => {
      const before = await storedFiles();
      await expectProblem(await post(formOf(png(), 'image/png'), {}), 'UNAUTHENTICATED');
      const headers = { authorization: 'Bearer forged', 'content-type': 'image/png', 'content-length': '90000000' };
      const call = request(`${app.url}/media`, { method: 'POST', headers });
      call.on('error', () => undefined).flushHeaders();
      const [answer] = (await once(call, 'response')) as [{ statusCode: number }];
      expect(answer.statusCode).toBe(401);
      call.destroy();
      expect(await storedFiles()).toEqual(before);
    });

    test.each([
      ['a picture', png(5 * mebibyte), 'image/png', '5 MiB'],
      ['a document', pdf(100 * mebibyte), 'application/pdf', '100 MiB'],
    ])('413: %s beyond its limit', async (_what, bytes, type, limit) => {
      const problem = await expectProblem(await postRaw(bytes, type), 'PAYLOAD_TOO_LARGE');
      expect(problem.detail).toContain(limit);
      expect(problem.errors).toEqual([{ path: 'file', message: expect.stringContaining(limit) }]);
    });

    test('413: a declared length beyond every limit is refused at once', async () => {
      const headers = {
        ...withToken(tenant.operator),
        'content-type': 'application/zip',
        'content-length': '99999999999',
      };
      const call = request(`${app.url}/media`, { method: 'POST', headers });
      call.on('error', () => undefined).flushHeaders();
      const [answer] = (await once(call, 'response')) as [{ statusCode: number }];
      expect(answer.statusCode).toBe(413);
      call.destroy();
    });

    test('413: an endless body in chunks', async () => {
      const headers = { ...withToken(tenant.operator), 'content-type': 'image/png' };
      const call = request(`${app.url}/media`, { method: 'POST', headers });
      call.on('error', () => undefined);
      call.write(png());
      const answered = once(call, 'response') as Promise<[{ statusCode: number }]>;
      const sending = { isOver: false };
      void answered.finally(() => (sending.isOver = true));
      while (!sending.isOver) if (!call.write(randomBytes(65_536))) await Promise.race([once(call, 'drain'), answered]);
      expect((await answered)[0].statusCode).toBe(413);
      call.destroy();
    });

    test.each([
      ['no type', undefined],
      ['a type that is none', 'nonsense'],
    ])('415: %s', async (_what, type) => {
      const headers = { ...withToken(tenant.operator), ...(type !== undefined && { 'content-type': type }) };
      await expectProblem(await post(new Uint8Array(png()), headers), 'UNSUPPORTED_MEDIA_TYPE');
    });

    test('415: content that is not what is declared, naming the field', async () => {
      const answer = await postForm(formOf(Buffer.from('<script>alert(1)</script>'), 'image/png'));
      const problem = await expectProblem(answer, 'UNSUPPORTED_MEDIA_TYPE');
      expect(problem.errors).toEqual([{ path: 'file', message: 'has content that is not image/png' }]);
    });

    test('422: no file, an empty one, a second one, a part of another name, a wrong parameter', async () => {
      const two = formOf(png(), 'image/png');
      two.append('file', new Blob(['x']), 'b.txt');
      const other = formOf(png(), 'image/png');
      other.append('colour', 'red');
      const cases: [() => Promise<Response>, string][] = [
        [() => postForm(new FormData()), 'file'],
        [() => postForm(formOf(Buffer.alloc(0), 'text/plain')), 'file'],
        [() => postRaw(Buffer.alloc(0), 'text/plain'), 'file'],
        [() => postForm(two), 'file'],
        [() => postForm(other), 'colour'],
        [() => postForm(formOf(png(), 'image/png', 'a.png', 'picture')), 'picture'],
        [() => postRaw(png(), 'image/png', `?fileName=${'x'.repeat(300)}`), 'fileName'],
      ];
      for (const [ask, path] of cases) {
        const problem = await expectProblem(await ask(), 'VALIDATION_FAILED');
        expect(problem.errors?.[0]?.path).toBe(path);
      }
    });

    test('400: a form that is malformed, or ends early', async () => {
      const type = 'multipart/form-data; boundary=x';
      const head =
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';
      for (const body of [`${head}half`, 'nothing of a form', head])
        await expectProblem(await postRaw(Buffer.from(body), type), 'BAD_REQUEST');
      await expectProblem(await postRaw(Buffer.from('x'), 'multipart/form-data'), 'BAD_REQUEST');
    });

    test('a sender who hangs up leaves nothing, and frees its place', async () => {
      const user = await app.createUser(tenant.id, {
        email: 'gone@test.example',
        role: 'OPERATOR',
        idpSub: `${tenant.slug}-gone`,
      });
      const token = await app.signIn(`${tenant.slug}-gone`);
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/png', 'content-length': '2000000' };
      const before = await storedFiles();
      for (let count = 0; count < 8; count += 1) {
        const call = request(`${app.url}/media`, { method: 'POST', headers });
        call.on('error', () => undefined);
        call.write(png(100_000));
        await delay(20);
        call.destroy();
        await delay(20);
      }
      expect(await storedFiles()).toEqual(before);
      const send = () => postForm(formOf(png(), 'image/png'), { ...tenant.operator, id: user.id, token });
      // The server hears of the last upload's end a moment later.
      const statuses = await until(
        async () => [(await send()).status],
        ([status]) => status !== 429,
      );
      expect(statuses).toEqual([201]);
    });

    test('429: more at a time than a user may have', async () => {
      const own = await app.createTenant();
      const headers = { ...withToken(own.operator), 'content-type': 'image/png', 'content-length': '1000000' };
      // The fifth upload at a time is refused.
      const calls = Array.from({ length: 5 }, () => {
        const call = request(`${app.url}/media`, { method: 'POST', headers });
        call.on('error', () => undefined).write(png());
        return call;
      });
      const [refused] = (await Promise.race(calls.map((call) => once(call, 'response')))) as [IncomingMessage];
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '2']);
      const answer = await postForm(formOf(png(), 'image/png'), own.operator);
      await expectProblem(answer, 'RATE_LIMITED');
      // A colleague has an allowance of their own.
      expect((await postForm(formOf(png(), 'image/png'), own.admin)).status).toBe(201);
      for (const call of calls) call.destroy();
    });
  });

  describe('GET /media/:id', () => {
    test('200: a picture is shown, may be kept, and runs nothing', async () => {
      const { headers, status } = await fetch(addressOf(await upload(png(), 'image/png', 'Ein Bild – ä.png')));
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': `inline; filename="Ein Bild _ _.png"; filename*=UTF-8''Ein%20Bild%20%E2%80%93%20%C3%A4.png`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, max-age=3600, immutable',
        'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
        'cross-origin-resource-policy': 'cross-origin',
        'accept-ranges': 'bytes',
        etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      });
    });

    test.each([
      [svg(), 'image/svg+xml', 'attachment'],
      [Buffer.from('<script>1</script>'), 'text/html', 'attachment'],
      [pdf(), 'application/pdf', 'inline'],
      [jpegHead(), 'image/jpeg', 'inline'],
    ])('%# %s is %s', async (bytes, type, disposition) => {
      const answer = await fetch(addressOf(await upload(bytes, type, 'a')));
      expect(answer.headers.get('content-type')).toBe(type);
      expect(answer.headers.get('content-disposition')).toMatch(new RegExp(`^${disposition};`));
    });

    test('HEAD tells the same and sends no body; 304 for what the caller has', async () => {
      const bytes = png(5_000);
      const address = addressOf(await upload(bytes, 'image/png'));
      const head = await fetch(address, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
        200,
        String(bytes.length),
        '',
      ]);
      const again = await fetch(address, { headers: { 'if-none-match': head.headers.get('etag') ?? '' } });
      expect([again.status, await again.text()]).toEqual([304, '']);
    });

    test('206: the first bytes, the last, and from one on; several ranges are all of it', async () => {
      const bytes = png(5_000);
      const address = addressOf(await upload(bytes, 'image/png'));
      const read = async (range: string, more: Record<string, string> = {}) => {
        const answer = await fetch(address, { headers: { range, ...more } });
        return {
          status: answer.status,
          range: answer.headers.get('content-range'),
          body: Buffer.from(await answer.arrayBuffer()),
        };
      };
      const { length } = bytes;
      expect(await read('bytes=0-9')).toEqual({
        status: 206,
        range: `bytes 0-9/${length}`,
        body: bytes.subarray(0, 10),
      });
      expect(await read('bytes=-5')).toEqual({
        status: 206,
        range: `bytes ${length - 5}-${length - 1}/${length}`,
        body: bytes.subarray(-5),
      });
      expect((await read('bytes=4000-')).body.equals(bytes.subarray(4_000))).toBe(true);
      expect((await read('bytes=0-1,5-6')).status).toBe(200);
      expect((await read('bytes=0-1', { 'if-range': '"other"' })).status).toBe(200);
      expect((await read('nonsense')).status).toBe(200);
      expect(await read(`bytes=${length}-`)).toEqual({
        status: 416,
        range: `bytes */${length}`,
        body: Buffer.alloc(0),
      });
    });

    test('403: a forged, changed, missing or expired signature, and another tenant’s; 404 for a file that is gone', async () => {
      const uploaded = await upload(png(), 'image/png');
      const other = await app.createTenant();
      const good = new URL(addressOf(uploaded));
      const changed = (name: string, value: string) => {
        const url = new URL(good);
        url.searchParams.set(name, value);
        return url;
      };
      const bare = new URL(good.pathname, good);
      const second = await upload(jpegHead(), 'image/jpeg');
      const moved = new URL(good.href.replace(uploaded.id, second.id));
      const later = String(Number(good.searchParams.get('expires')) + 60);
      const wrong = [
        bare,
        moved,
        changed('tenant', other.id),
        changed('expires', later),
        changed('signature', 'A'.repeat(43)),
      ];
      for (const url of [...wrong, new URL('/media/nonsense', good)])
        await expectProblem(await fetch(url), 'FORBIDDEN');
      await app.sql('DELETE FROM media_files WHERE id = $1', [uploaded.id]);
      await expectProblem(await fetch(good), 'NOT_FOUND');
    });
  });
}
