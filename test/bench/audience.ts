// Many WebSockets that listen, at the least cost for the load generator: frames are counted, and read only when a bench asks for it.
// The subscriptions belong to the benches.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const textOpcode = 1;
const pingOpcode = 9;
const pongOpcode = 10;
const openTogether = 50;
const lookIntervalMs = 5;

export class AudienceSocket {
  /** Text frames so far. */
  frameCount = 0;
  onText: ((payload: Buffer) => void) | undefined;
  isClosed = false;
  private rest: Buffer = Buffer.alloc(0);
  private isUpgraded = false;
  private onUpgraded: () => void = () => undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.isClosed = true));
  }

  /** @param protocol the subprotocol, if any */
  static async open(url: string, path: string, protocol?: string): Promise<AudienceSocket> {
    const { hostname, port, host } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    const audience = new AudienceSocket(socket);
    const upgraded = new Promise<void>((resolve) => (audience.onUpgraded = resolve));
    const asked = protocol === undefined ? '' : `sec-websocket-protocol: ${protocol}\r\n`;
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\n` +
        `sec-websocket-key: ${randomBytes(16).toString('base64')}\r\n${asked}\r\n`,
    );
    await upgraded;
    return audience;
  }

  send(text: string): void {
    this.write(textOpcode, Buffer.from(text));
  }

  async untilFrames(count: number): Promise<void> {
    while (this.frameCount < count) {
      if (this.isClosed) throw new Error('a socket was closed');
      await delay(lookIntervalMs);
    }
  }

  close(): void {
    this.socket.destroy();
  }

  // The mask is all zeros, which the protocol allows.
  private write(opcode: number, payload: Buffer): void {
    const length = payload.length;
    const head = length < 126 ? Buffer.alloc(6) : Buffer.alloc(8);
    head[0] = 0x80 | opcode;
    head[1] = 0x80 | (length < 126 ? length : 126);
    if (length >= 126) head.writeUInt16BE(length, 2);
    this.socket.write(Buffer.concat([head, payload]));
  }

  private read(chunk: Buffer): void {
    let data = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    if (!this.isUpgraded) {
      const end = data.indexOf('\r\n\r\n');
      if (end < 0) return void (this.rest = data);
      if (!data.subarray(0, end).toString().startsWith('HTTP/1.1 101')) return void this.socket.destroy();
      this.isUpgraded = true;
      data = data.subarray(end + 4);
      this.onUpgraded();
    }
    let at = 0;
    for (let next = this.readFrame(data, at); next !== undefined; next = this.readFrame(data, at)) at = next;
    this.rest = data.subarray(at);
  }

  /** @returns the offset of the next frame; undefined while this one is not whole */
  private readFrame(data: Buffer, at: number): number | undefined {
    const [first, second] = [data[at], data[at + 1]];
    if (first === undefined || second === undefined) return undefined;
    const short = second & 0x7f;
    const headLength = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (data.length < at + headLength) return undefined;
    const length =
      short < 126 ? short : short === 126 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2));
    const end = at + headLength + length;
    if (data.length < end) return undefined;
    const opcode = first & 0x0f;
    if (opcode === textOpcode) {
      this.frameCount += 1;
      this.onText?.(data.subarray(at + headLength, end));
    }
    if (opcode === pingOpcode) this.write(pongOpcode, data.subarray(at + headLength, end));
    return end;
  }
}

/** Opens many sockets, a few at a time. */
export async function openAudience(
  count: number,
  open: (index: number) => Promise<AudienceSocket>,
): Promise<AudienceSocket[]> {
  const sockets: AudienceSocket[] = [];
  for (let start = 0; start < count; start += openTogether) {
    const indices = Array.from({ length: Math.min(openTogether, count - start) }, (_, index) => start + index);
    sockets.push(...(await Promise.all(indices.map(open))));
  }
  return sockets;
}

/** A graphql-transport-ws socket that is signed in. */
export async function openGraphqlSocket(url: string, token: string): Promise<AudienceSocket> {
  const socket = await AudienceSocket.open(url, '/graphql', 'graphql-transport-ws');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
  await socket.untilFrames(1);
  socket.frameCount = 0;
  return socket;
}

/** Subscribes. Nothing acknowledges it, so the next frame is an event's. @param id by default, as graphql-ws clients make it */
export function subscribe(socket: AudienceSocket, query: string, id: string = randomBytes(18).toString('hex')): void {
  socket.send(JSON.stringify({ type: 'subscribe', id, payload: { query } }));
}
