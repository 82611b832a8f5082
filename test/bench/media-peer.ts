// The other side of the media bench, as a process of its own, so that pumping bytes does not slow the measurement. It uploads and downloads
// files on request, and serves files at plain addresses and as Evolution API and Meta's Cloud API give them.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { json, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { FilePace } from '../../src/clients/object-store/file-pace.js';
import { png } from '../features/media/sample-files.js';
import { announcePort } from './baselines/intake-store.js';

/** `POST /upload` → the ids of the files. */
export interface UploadOrder {
  url: string;
  tokens: readonly string[];
  filesPerToken: number;
  bytes: number;
}

/** `POST /download`: each answer has to have so many bytes. */
export interface DownloadOrder {
  urls: readonly string[];
  bytes: number;
}

/** The size of photos that gateways give; the path names the size of other files. */
export const photoBytes = 200_000;
const sliceBytes = 64 * 1024;
/** The rate of all clients together, about 100 MB a second: as much as a network of 1 Gbit/s carries. */
const network = new FilePace({ intervalMs: 1, bytes: 128 * 1024 });

const photo = png(photoBytes);
const photoHash = createHash('sha256').update(photo).digest('hex');
const pictures = new Map<number, Buffer>();

const server = createServer((req, res) => {
  answer(req, res).catch((error: unknown) => {
    res.writeHead(500).end(error instanceof Error ? error.stack : String(error));
  });
});

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const path = req.url ?? '';
  if (path === '/upload') return reply(res, await uploadAll((await json(req)) as UploadOrder));
  if (path === '/download') return reply(res, await downloadAll((await json(req)) as DownloadOrder));
  const [, bytes] = /^\/files\/(\d+)\//.exec(path) ?? [];
  if (bytes !== undefined) return replyWithPicture(res, pictureOf(Number(bytes)));
  if (path === '/photo') return replyWithPicture(res, photo);
  await text(req);
  if (path.startsWith('/chat/getBase64FromMediaMessage/')) {
    const size = { fileLength: String(photo.length), height: 1, width: 1 };
    const file = { mediaType: 'imageMessage', fileName: 'photo.png', caption: '', size, mimetype: 'image/png' };
    return reply(res, { ...file, base64: photo.toString('base64') }, 201);
  }
  if (path.startsWith('/instance/')) return reply(res, { instance: { state: 'open' } });
  // Any other call is Meta's, for a file by its id.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/photo`;
  const file = { mime_type: 'image/png', sha256: photoHash, file_size: photo.length, id: '1' };
  return reply(res, { messaging_product: 'whatsapp', url, ...file });
}

/** Uploads all files at once: every request has begun before the first byte of a file goes out. */
async function uploadAll({ url, tokens, filesPerToken, bytes }: UploadOrder): Promise<string[]> {
  // The files have no known type, because an image of this size would be refused.
  const slice = Buffer.alloc(sliceBytes, 1);
  const calls = tokens.flatMap((token) =>
    Array.from({ length: filesPerToken }, () => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/octet-stream',
        'content-length': bytes,
      };
      const call = request(`${url}/media`, { method: 'POST', headers, agent: false });
      call.flushHeaders();
      return call;
    }),
  );
  const upload = async (call: (typeof calls)[number]) => {
    const answered = once(call, 'response') as Promise<[IncomingMessage]>;
    // A failed write is ignored here, because the answer gives the reason of a refusal.
    const source = Readable.from(slices(slice, bytes), { objectMode: false });
    const sent = pipeline(source, (chunks) => network.chunks('', chunks), call).catch(() => undefined);
    const [response] = await answered;
    const body = await text(response);
    await sent;
    if (response.statusCode !== 201) throw new Error(`An upload was answered ${response.statusCode}: ${body}`);
    return (JSON.parse(body) as { id: string }).id;
  };
  return Promise.all(calls.map(upload));
}

function* slices(slice: Buffer, bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= slice.length) yield slice.subarray(0, Math.min(left, slice.length));
}

async function downloadAll({ urls, bytes }: DownloadOrder): Promise<number> {
  const download = async (url: string) => {
    const call = request(url, { agent: false }).end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    let size = 0;
    for await (const chunk of response) size += (chunk as Buffer).length;
    if (response.statusCode !== 200 || size !== bytes)
      throw new Error(`A download was answered ${response.statusCode} with ${size} bytes`);
  };
  await Promise.all(urls.map(download));
  return urls.length;
}

function pictureOf(bytes: number): Buffer {
  const picture = pictures.get(bytes) ?? png(bytes);
  pictures.set(bytes, picture);
  return picture;
}

function replyWithPicture(res: ServerResponse, picture: Buffer): void {
  res.writeHead(200, { 'content-type': 'image/png', 'content-length': picture.length }).end(picture);
}

function reply(res: ServerResponse, body: unknown, status = 200): void {
  const bytes = Buffer.from(JSON.stringify(body));
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes);
}

server.listen(0, '127.0.0.1', () => announcePort(server.address()));
