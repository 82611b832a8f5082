// A server that speaks the part of S3 that the store of files uses, in memory. It computes each signature (version 4) by itself, and checks
// each body against its declared length and hash. S3 accepts every request that this server accepts.

import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface S3Options {
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface SignedRequest {
  method: string;
  /** The request's path with its query, as it was sent. */
  path: string;
  headers: Readonly<Record<string, string>>;
}

const hash = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();

/** The signature of a request, as Amazon documents it. @param signed the names of the headers that it covers */
export function signatureV4(
  { method, path, headers }: SignedRequest,
  signed: readonly string[],
  { secretAccessKey, region }: Pick<S3Options, 'secretAccessKey' | 'region'>,
): string {
  const time = headers['x-amz-date'] ?? '';
  const day = time.slice(0, 8);
  const [pathname = '', query = ''] = path.split('?');
  const lines = signed.map((name) => `${name}:${(headers[name] ?? '').trim().replaceAll(/ +/g, ' ')}\n`).join('');
  const sorted = query.split('&').toSorted().join('&');
  const content = headers['x-amz-content-sha256'] ?? '';
  const canonical = [method, pathname, sorted, lines, signed.join(';'), content].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, hash(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce(hmac, Buffer.from(`AWS4${secretAccessKey}`));
  return hmac(key, text).toString('hex');
}

export class S3Server {
  readonly objects = new Map<string, Buffer>();
  /** The number of requests in a row that are answered 503. */
  busyAnswers = 0;

  private constructor(
    private readonly server: Server,
    private readonly options: S3Options,
  ) {}

  static async start(options: S3Options): Promise<S3Server> {
    const server = createServer();
    const s3 = new S3Server(server, options);
    server.on('request', (request, response) => {
      s3.answer(request, response).catch(() => request.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return s3;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const refuse = (status: number, code: string) =>
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    if (this.busyAnswers > 0) {
      this.busyAnswers -= 1;
      return void refuse(503, 'SlowDown');
    }
    if (!this.isSigned(request)) return void refuse(403, 'SignatureDoesNotMatch');
    if (request.headers['x-amz-content-sha256'] !== hash(body)) return void refuse(400, 'XAmzContentSHA256Mismatch');
    const [, bucket = '', ...rest] = (request.url ?? '').split('/');
    if (bucket !== this.options.bucket) return void refuse(404, 'NoSuchBucket');
    this.answerFor(rest.join('/'), body, request, response, refuse);
  }

  private answerFor(
    key: string,
    body: Buffer,
    { method, headers }: IncomingMessage,
    response: ServerResponse,
    refuse: (status: number, code: string) => void,
  ): void {
    if (method === 'HEAD' && key === '') return void response.writeHead(200).end();
    if (method === 'PUT') {
      // S3 requires the length of a body in advance.
      if (headers['content-length'] === undefined) return refuse(411, 'MissingContentLength');
      this.objects.set(key, body);
      return void response.writeHead(200).end();
    }
    if (method === 'DELETE') {
      this.objects.delete(key);
      return void response.writeHead(204).end();
    }
    const object = this.objects.get(key);
    if (object === undefined) return refuse(404, 'NoSuchKey');
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (first === undefined || last === undefined) return void response.writeHead(200).end(object);
    response.writeHead(206).end(object.subarray(Number(first), Number(last) + 1));
  }

  private isSigned({ method = '', url = '', headers }: IncomingMessage): boolean {
    const pattern = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/[^,]+, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/;
    const [, id, signed = '', given] = pattern.exec(headers.authorization ?? '') ?? [];
    const names = signed.split(';');
    const isComplete = ['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name));
    const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const expected = signatureV4({ method, path: url, headers: flat }, names, this.options);
    return id === this.options.accessKeyId && isComplete && given === expected;
  }
}
