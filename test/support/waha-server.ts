// A server that answers as WAHA does: it keeps sessions and the messages that they sent, and knows one key. A test can tell it to answer
// otherwise. A message that is sent again under its id counts once.

import { randomBytes } from 'node:crypto';
import { answering, type Script, type ScriptedRequest } from '../providers/scripted-gateway.js';
import { ProviderServer } from './provider-server.js';

export type WahaStatus = 'STOPPED' | 'STARTING' | 'SCAN_QR_CODE' | 'WORKING' | 'FAILED';

/** WAHA's engines. `GOWS` and `NOWEB` accept an id with a message, and each engine writes an id in its own way. */
export type WahaEngine = 'GOWS' | 'NOWEB' | 'WEBJS';

/** A message that WAHA accepted, as the network has it. */
export interface WahaMessage {
  id: string;
  chatId: string;
  text: string;
  /** Unix seconds. */
  timestamp: number;
  hasMedia: boolean;
  ack: number;
}

export interface WahaSend {
  session: string;
  chatId: string;
  text?: string;
  caption?: string;
  file?: object;
  id?: string;
  reply_to?: string;
}

/** An error in WAHA's shape. */
export function wahaError(status: number, message: string): Script {
  return answering(status, { statusCode: status, message, error: 'Error' });
}

/** A failure of the engine. */
export function engineError(message: string): Script {
  return answering(500, { statusCode: 500, exception: { message, name: 'Error' }, version: {} });
}

export class WahaServer extends ProviderServer {
  static readonly apiKey = 'waha-b6d711fcde4d4fd5';
  static readonly qr = '2@y8eK+bjtEjUWy9/FOM,abc';
  static readonly pairingCode = 'WZYE-H1YY';

  readonly sessions = new Map<string, WahaStatus>([['acme', 'WORKING']]);
  engine: WahaEngine = 'GOWS';
  /** Messages by id, in the order of their first acceptance. */
  readonly messages = new Map<string, WahaMessage>();
  /** The network's spelling of numbers; null for a number that the network does not know. */
  readonly chats = new Map<string, string | null>();

  static async start(): Promise<WahaServer> {
    const server = new WahaServer();
    await server.listen();
    return server;
  }

  /** The texts of the messages that the network has, in their order. */
  get texts(): string[] {
    return [...this.messages.values()].map(({ text }) => text);
  }

  newId(): string {
    return `3EB0${randomBytes(9).toString('hex').toUpperCase()}`;
  }

  /** Takes a message. @param secondsAgo by the server's clock @returns its id */
  take({ chatId, text, caption, file, id: wanted }: Partial<WahaSend>, secondsAgo = 0): string {
    const id = (this.engine === 'WEBJS' ? undefined : wanted) ?? this.newId();
    const timestamp = Math.floor(Date.now() / 1_000) - secondsAgo;
    const message = { id, chatId: chatId ?? '5511988887777@c.us', text: text ?? caption ?? '', timestamp };
    if (!this.messages.has(id)) this.messages.set(id, { ...message, hasMedia: file !== undefined, ack: 1 });
    return id;
  }

  /** The engine's answer to a send. */
  sent(id: string, chatId: string): Script {
    const whole = `true_${chatId}_${id}`;
    const key = { id, fromMe: true, remoteJid: chatId.replace('@c.us', '@s.whatsapp.net') };
    const answers = { GOWS: { id: whole, _data: null }, NOWEB: { key }, WEBJS: { id: { id, _serialized: whole } } };
    return answering(201, answers[this.engine]);
  }

  protected override answer({ method, path, headers, body }: ScriptedRequest): Script {
    if (headers['x-api-key'] !== WahaServer.apiKey) return wahaError(401, 'Unauthorized');
    const { pathname, searchParams } = new URL(path, 'http://waha');
    const names = pathname.split('/').slice(2).map(decodeURIComponent);
    const [first = '', second = '', third = ''] = names;
    if (first === 'sessions') return this.sessionRoutes(method, second, third, body);
    if (first === 'contacts') return this.check(searchParams.get('phone') ?? '');
    if (first === 'reaction' || first.startsWith('send')) return this.send(first, body as WahaSend);
    if (second === 'auth') return this.codes(first, third);
    return (
      this.outage(first) ?? this.workingRoutes(names, searchParams) ?? wahaError(404, `Cannot ${method} ${pathname}`)
    );
  }

  private workingRoutes([, family, chatId = '', , id]: string[], query: URLSearchParams): Script | undefined {
    if (family === 'new-message-id') return this.reserve();
    if (family !== 'chats') return undefined;
    return id === undefined ? this.list(chatId, query) : this.find(id);
  }

  private reserve(): Script {
    if (this.engine === 'WEBJS') return wahaError(422, 'The method is not implemented by the engine.');
    return answering(200, { id: this.newId() });
  }

  private sessionRoutes(method: string, name: string, action: string, body: unknown): Script {
    if (name === '') return this.create((body as { name: string }).name);
    const status = this.sessions.get(name);
    if (status === undefined) return wahaError(404, 'Session not found');
    if (method === 'POST') this.sessions.set(name, this.after(status, action));
    return answering(method === 'POST' ? 201 : 200, { name, status: this.sessions.get(name), config: {}, me: null });
  }

  // A session that was signed out starts again, and waits for a new code.
  private after(status: WahaStatus, action: string): WahaStatus {
    if (action === 'stop') return 'STOPPED';
    if (action === 'logout') return status === 'STOPPED' ? 'STOPPED' : 'SCAN_QR_CODE';
    return status === 'STOPPED' || action === 'restart' ? 'SCAN_QR_CODE' : status;
  }

  private create(name: string): Script {
    if (this.sessions.has(name)) return wahaError(422, `Session '${name}' already exists. Use PUT to update it.`);
    this.sessions.set(name, 'STOPPED');
    return answering(201, { name, status: 'STOPPED', config: {} });
  }

  private codes(name: string, kind: string): Script {
    const status = this.sessions.get(name);
    if (status === undefined) return missing(name);
    if (status !== 'SCAN_QR_CODE')
      return wahaError(422, `Can get it in SCAN_QR_CODE status only. The current status is '${status}'`);
    return kind === 'qr' ? answering(200, { value: WahaServer.qr }) : answering(201, { code: WahaServer.pairingCode });
  }

  private outage(name: string): Script | undefined {
    const status = this.sessions.get(name);
    if (status === 'WORKING') return undefined;
    if (status === undefined || status === 'STOPPED') return missing(name);
    const error = 'Session status is not as expected. Try again later or restart the session';
    return answering(422, { error, session: name, status, expected: ['WORKING'] });
  }

  private send(route: string, send: WahaSend): Script {
    const out = this.outage(send.session);
    if (out !== undefined || route === 'reaction') return out ?? answering(200, { id: 'true_5511@c.us_3EB0' });
    const number = send.chatId.replace('@c.us', '');
    if ((this.chats.get(number) ?? number) !== number || this.chats.get(number) === null)
      return engineError(`2 UNKNOWN: no LID found for ${number}@s.whatsapp.net from server`);
    return this.sent(this.take(send), send.chatId);
  }

  private check(phone: string): Script {
    const chat = this.chats.get(phone);
    if (chat === null) return answering(200, { numberExists: false });
    return answering(200, { numberExists: true, chatId: `${chat ?? phone}@c.us` });
  }

  private find(id: string): Script {
    const message = this.messages.get(id.split('_')[2] ?? id);
    return message === undefined ? wahaError(404, 'Message not found') : answering(200, toRecord(message));
  }

  private list(chatId: string, query: URLSearchParams): Script {
    const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
    const since = Number(query.get('filter.timestamp.gte'));
    const found = [...this.messages.values()]
      .filter((message) => message.chatId === chatId && message.timestamp >= since)
      .toReversed();
    return answering(200, found.slice(offset, offset + limit).map(toRecord));
  }
}

function missing(name: string): Script {
  return wahaError(404, `We didn't find a session with name '${name}'.\nPlease start it first`);
}

function toRecord({ id, chatId, text, timestamp, hasMedia, ack }: WahaMessage): object {
  const ids = { id: `true_${chatId}_${id}`, timestamp, from: 'me', to: chatId, fromMe: true, source: 'api' };
  return { ...ids, body: text, hasMedia, media: null, ack, ackName: 'SERVER' };
}
