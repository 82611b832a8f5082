// Plays the push service of browsers on this machine: it keeps what was posted to each address, and answers as a test says.

import { createPublicKey, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { PushBrowser } from './push-browser.js';

export interface PostedPush {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export class PlayedPushService {
  readonly posts: PostedPush[] = [];
  /** The status that a path answers with; 201 where none is set. */
  readonly statuses = new Map<string, number>();
  private count = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<PlayedPushService> {
    const server = createServer();
    const played = new PlayedPushService(server);
    server.on('request', (request, response) => {
      void (async () => {
        const { url: path = '', headers } = request;
        played.posts.push({ path, headers, body: await buffer(request) });
        response.writeHead(played.statuses.get(path) ?? 201).end();
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return played;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A browser that subscribes here. */
  subscribe(): PushBrowser {
    this.count += 1;
    return new PushBrowser(`${this.url}/${this.count}`);
  }

  /** A notification that was posted to a browser, decrypted. */
  told(browser: PushBrowser): unknown[] {
    return this.postsOf(browser).map(({ body }) => browser.decrypt(body));
  }

  postsOf({ endpoint }: PushBrowser): PostedPush[] {
    return this.posts.filter(({ path }) => endpoint === `${this.url}${path}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The claims of a post's signature (RFC 8292), and the key that it was made with. @throws Error where it does not fit */
export function signerOf({ headers }: PostedPush): { claims: Record<string, unknown>; key: string } {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  const isGenuine = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isGenuine) throw new Error('the signature does not fit');
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>, key };
}
