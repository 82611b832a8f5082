// The client of the baselines of sending, which posts a message to the gateway: `node:http` with kept connections, and nothing more.

import { Agent, request, type IncomingMessage } from 'node:http';
import { readBody } from './read-body.js';

export interface Post {
  messageId: string;
  to: string;
  text: string;
  instance: string;
}

const timeoutMs = 15_000;

export class GatewayPosts {
  private readonly gateway = new URL('messages', `${process.env['GATEWAY_URL'] ?? ''}/`);
  private readonly authorization = `Bearer ${process.env['GATEWAY_TOKEN'] ?? ''}`;
  private readonly agent = new Agent({ keepAlive: true });

  /** @returns the id that the gateway gave it @throws Error when it was not accepted */
  async post({ messageId, to, text, instance }: Post): Promise<string> {
    const body = JSON.stringify({ instance, to, type: 'text', text });
    const headers = {
      authorization: this.authorization,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      // A retry after a lost answer has the same key.
      'idempotency-key': messageId,
    };
    const { agent } = this;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const call = request(this.gateway, { method: 'POST', agent, headers, timeout: timeoutMs }, resolve);
      call.on('timeout', () => call.destroy(new Error('no answer in time')));
      call.on('error', reject);
      call.end(body);
    });
    const accepted = await readBody(response);
    const { messageId: externalId } = JSON.parse(accepted) as { messageId?: unknown };
    if (response.statusCode !== 200 || typeof externalId !== 'string') throw new Error(`refused: ${accepted}`);
    return externalId;
  }
}
