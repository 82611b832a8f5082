// Clients that are slow on purpose, or leave half of their connection open, are cut off, and other callers do not notice them. All kinds
// run at the same time: each test waits for its own kind. A long run uses the product's own limits.

import { connect, type Socket } from 'node:net';
import type { AppTuning } from '../../src/app.js';
import { TestApp, withKey, type TestTenant } from '../support/test-app.js';

const socketsOfAKind = 50;
const path = '/webhooks/chat/gateway/inbound';
const message = JSON.stringify({ messageId: 'slow', from: '5511988887777', text: 'Oi' });

interface SlowClient {
  kind: string;
  /** The client sends this at once. */
  begins: (tenant: TestTenant) => string;
  /** The client adds this again and again. */
  drip?: string;
  /** The client ends its own half of the connection, and waits. */
  ends?: boolean;
  /** The whole text that the server may send before it closes. */
  says: RegExp;
}

const head = ({ apiKey }: TestTenant, framing: string) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nx-tenant-key: ${apiKey}\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`;
const nothingOr408 = /^$|^HTTP\/1\.1 408 /;
const nothingOr400 = /^$|^HTTP\/1\.1 400 /;

const clients: SlowClient[] = [
  { kind: 'says nothing at all', begins: () => '', says: nothingOr408 },
  {
    kind: 'sends a head that never ends',
    begins: () => 'POST /public/leads HTTP/1.1\r\nhost: x\r\nx-slow: ',
    drip: 'a',
    says: nothingOr408,
  },
  {
    kind: 'sends new header lines without end',
    begins: () => 'POST /public/leads HTTP/1.1\r\nhost: x\r\n',
    drip: 'x-slow: a\r\n',
    says: nothingOr408,
  },
  {
    kind: 'sends a body byte by byte',
    begins: (tenant) => `${head(tenant, `content-length: ${message.length}`)}{`,
    drip: ' ',
    says: nothingOr408,
  },
  {
    kind: 'sends a body of chunks that never ends',
    begins: (tenant) => head(tenant, 'transfer-encoding: chunked'),
    drip: '1\r\n \r\n',
    says: nothingOr408,
  },
  {
    kind: 'announces a body and never begins it',
    begins: (tenant) => head(tenant, `content-length: ${message.length}`),
    says: nothingOr408,
  },
  {
    kind: 'lacks the last byte of its body',
    begins: (tenant) => head(tenant, `content-length: ${message.length + 1}`) + message,
    says: nothingOr408,
  },
  {
    kind: 'ends its half within the head',
    begins: () => 'POST /public/leads HTTP/1.1\r\n',
    ends: true,
    says: nothingOr400,
  },
  {
    kind: 'ends its half within the body',
    begins: (tenant) => head(tenant, `content-length: ${message.length}`) + message.slice(0, 9),
    ends: true,
    says: nothingOr400,
  },
  {
    kind: 'asks, ends its half, and waits for the answer',
    begins: () => 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n',
    ends: true,
    says: /^HTTP\/1\.1 200 /,
  },
  {
    kind: 'keeps its connection after the answer',
    begins: () => 'GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: keep-alive\r\n\r\n',
    says: /^HTTP\/1\.1 200 /,
  },
];

/** @param tuning the application's limits, which the clients exceed @param dripIntervalMs the pause between two additions of a client */
export function describeSlowClients(tuning: AppTuning, dripIntervalMs: number): void {
  let app: TestApp;
  let tenant: TestTenant;
  const drips: NodeJS.Timeout[] = [];
  const sockets: Socket[] = [];
  /** The server's answers to each client of a kind, until it closed. */
  const answers = new Map<string, Promise<string[]>>();

  beforeAll(async () => {
    app = await TestApp.start({}, undefined, tuning);
    tenant = await app.createTenant();
    for (const client of clients) {
      const ofItsKind = Array.from({ length: socketsOfAKind }, () => open(client));
      answers.set(client.kind, Promise.all(ofItsKind.map(untilClosed)));
    }
  });

  afterAll(async () => {
    for (const timer of drips) clearInterval(timer);
    for (const socket of sockets) socket.destroy();
    await app.stop();
  });

  function open({ begins, drip, ends = false }: SlowClient): Socket {
    const socket = connect({ port: app.app.port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket.on('error', () => undefined));
    socket.write(begins(tenant));
    if (ends) socket.end();
    // A client closes its side after the server has closed its own.
    socket.on('end', () => socket.end());
    if (drip !== undefined) drips.push(setInterval(() => socket.writable && socket.write(drip), dripIntervalMs));
    return socket;
  }

  /** Returns everything that the server sends until it closes. */
  async function untilClosed(socket: Socket): Promise<string> {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A drip may meet the end of the connection. That is an error of the socket, and not of the case: what was received is judged.
    await new Promise((resolve) => socket.once('close', resolve));
    return Buffer.concat(chunks).toString();
  }

  test('meanwhile others are served', async () => {
    expect((await app.get('/health/live')).status).toBe(200);
    const answer = await app.post(path, { messageId: 'quick', from: '5511988887777', text: 'Oi' }, withKey(tenant));
    expect(answer.status).toBe(200);
  });

  test.each(clients.map(({ kind, says }) => [kind, says] as const))(
    `${socketsOfAKind} of which each %s are all closed`,
    async (kind, says) => {
      const told = await answers.get(kind);
      expect(told).toHaveLength(socketsOfAKind);
      for (const text of told ?? []) expect(text).toMatch(says);
    },
  );

  test('of what never arrived whole nothing was taken', async () => {
    expect(await app.sql('SELECT external_id AS id FROM messages')).toEqual([{ id: 'quick' }]);
    expect(await app.sql('SELECT outcome FROM webhook_deliveries')).toEqual([{ outcome: 'processed' }]);
  });
}
