// A server that answers as Evolution API v2 does: it keeps instances and what they sent, knows one global key, and can be
// told to answer otherwise.

import { randomUUID } from 'node:crypto';
import { answering, type Script, type ScriptedRequest } from '../providers/scripted-gateway.js';
import { ProviderServer } from './provider-server.js';

export type EvolutionState = 'open' | 'connecting' | 'close' | 'refused';

/** A message as `findMessages` lists it. */
export interface EvolutionRecord {
  key: { id: string; fromMe?: boolean; remoteJid?: string; remoteJidAlt?: string };
  /** Unix seconds. */
  messageTimestamp: number | string;
  message: unknown;
  messageType?: string;
  /** The statuses of a message that our instance sent. */
  MessageUpdate?: unknown;
}

interface FindBody {
  where: { key: { fromMe?: boolean }; messageTimestamp?: { gte: string; lte: string } };
  page: number;
  offset: number;
}

/** An error in Evolution's shape. */
export function evolutionError(status: number, message: unknown): Script {
  return answering(status, { status, error: 'Error', response: { message } });
}

export class EvolutionServer extends ProviderServer {
  static readonly globalKey = 'B6D711FCDE4D4FD5936544120E713976';
  static readonly qr = {
    pairingCode: 'WZYEH1YY',
    code: '2@y8eK+bjtEjUWy9/FOM',
    base64: 'data:image/png;base64,iVBORw0=',
  };

  readonly instances = new Map<string, EvolutionState>([['acme', 'open']]);
  /** The messages, newest first, as Evolution lists them. */
  readonly records: EvolutionRecord[] = [];

  static async start(): Promise<EvolutionServer> {
    const server = new EvolutionServer();
    await server.listen();
    return server;
  }

  /** Records a message that the instance has sent. @param secondsAgo the message's age by the server's clock */
  record(message: unknown, { key = {}, secondsAgo = 0 }: { key?: object; secondsAgo?: number } = {}): EvolutionRecord {
    const remoteJid = '5511988887777@s.whatsapp.net';
    const sent = {
      key: { id: `3EB0${randomUUID()}`, fromMe: true, remoteJid, ...key },
      messageTimestamp: Math.floor(Date.now() / 1_000) - secondsAgo,
      message,
    };
    this.records.unshift(sent);
    return sent;
  }

  protected override answer({ method, path, headers, body }: ScriptedRequest): Script {
    if (headers['apikey'] !== EvolutionServer.globalKey) return evolutionError(401, 'Unauthorized');
    const [, family, action, encoded = ''] = path.split('/');
    const name = decodeURIComponent(encoded);
    const route = `${method} ${family}/${action}`;
    if (route === 'POST instance/create') return this.create((body as { instanceName: string }).instanceName);
    const state = this.instances.get(name);
    if (state === undefined) return evolutionError(404, [`The "${name}" instance does not exist`]);
    return this.routes(route, name, state, body);
  }

  private routes(route: string, instanceName: string, state: EvolutionState, body: unknown): Script {
    switch (route) {
      case 'POST message/sendText':
      case 'POST message/sendMedia':
      case 'POST message/sendWhatsAppAudio':
        return this.send(body as { number: string });
      case 'POST chat/findMessages':
        return this.find(body as FindBody);
      case 'GET instance/connectionState':
        return answering(200, { instance: { instanceName, state } });
      case 'GET instance/connect':
        if (state === 'open') return answering(200, { instance: { instanceName, state } });
        this.instances.set(instanceName, 'connecting');
        return answering(200, { ...EvolutionServer.qr, count: 1 });
      case 'DELETE instance/logout':
        if (state === 'close') return evolutionError(400, [`The "${instanceName}" instance is not connected`]);
        this.instances.set(instanceName, 'close');
        return answering(200, { status: 'SUCCESS', error: false, response: { message: 'Instance logged out' } });
      default:
        return evolutionError(404, [`Cannot ${route}`]);
    }
  }

  private create(instanceName: string): Script {
    if (this.instances.has(instanceName))
      return evolutionError(403, [`This name "${instanceName}" is already in use.`]);
    this.instances.set(instanceName, 'close');
    const instance = { instanceName, instanceId: randomUUID(), integration: 'WHATSAPP-BAILEYS', status: 'created' };
    return answering(201, { instance, hash: randomUUID().toUpperCase(), settings: {} });
  }

  private send({ number }: { number: string }): Script {
    const { key, messageTimestamp } = this.record({}, { key: { remoteJid: `${number}@s.whatsapp.net` } });
    return answering(201, { key, status: 'PENDING', messageTimestamp, messageType: 'conversation' });
  }

  private find({ where, page, offset }: FindBody): Script {
    const seconds = (time: string) => Math.floor(new Date(time).getTime() / 1_000);
    const { gte, lte } = where.messageTimestamp ?? { gte: '1970-01-01T00:00:01Z', lte: '2999-01-01T00:00:00Z' };
    const found = this.records.filter(
      ({ key, messageTimestamp: at }) =>
        (where.key.fromMe === undefined || key.fromMe === where.key.fromMe) &&
        Number(at) >= seconds(gte) &&
        Number(at) <= seconds(lte),
    );
    const records = found.slice((page - 1) * offset, page * offset);
    const pages = Math.ceil(found.length / offset);
    return answering(200, { messages: { total: found.length, pages, currentPage: page, records } });
  }
}
