// An integrator's receiver: it takes webhooks, keeps them as they came, and judges their signatures by the specification, not by our code.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  path: string;
  id: string;
  timestamp: number;
  signatures: string[];
  bytes: Buffer;
  body: { type: string; timestamp: string; data: Record<string, unknown> };
}

/** Answers one webhook; an answer that does nothing leaves the caller waiting. */
export type Answer = (response: ServerResponse, received: ReceivedWebhook) => void;

export const answering =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end();

export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  private readonly answers = new Map<string, Answer>();
  private readonly waiting: ServerResponse[] = [];

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const header = (name: string) => String(request.headers[name] ?? '');
        receiver.take(response, {
          path: request.url ?? '',
          id: header('webhook-id'),
          timestamp: Number(header('webhook-timestamp')),
          signatures: header('webhook-signature').split(' '),
          bytes,
          body: JSON.parse(bytes.toString('utf8')) as ReceivedWebhook['body'],
        });
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new WebhookReceiver(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });
    return receiver;
  }

  /** Sets the answer to webhooks on this path, which is 204 by default. */
  answer(path: string, answer: Answer): void {
    this.answers.set(path, answer);
  }

  /** The webhooks that came on this path, the oldest first. */
  on(path: string): ReceivedWebhook[] {
    return this.received.filter((webhook) => webhook.path === path);
  }

  /** Leaves webhooks without an answer until they are let go. */
  readonly hang: Answer = (response) => void this.waiting.push(response);

  /** The number of webhooks that hang at this moment. */
  get hanging(): number {
    return this.waiting.filter((response) => !response.destroyed).length;
  }

  letGo(): void {
    for (const response of this.waiting.splice(0)) response.writeHead(204).end();
  }

  private take(response: ServerResponse, received: ReceivedWebhook): void {
    this.received.push(received);
    (this.answers.get(received.path) ?? answering(204))(response, received);
  }
}

/** The signatures of the webhook that hold for a secret. */
export function verified({ id, timestamp, signatures, bytes }: ReceivedWebhook, secret: string): string[] {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest();
  return signatures.filter((signature) => {
    const [version, given = ''] = signature.split(',');
    const digest = Buffer.from(given, 'base64');
    return version === 'v1' && digest.length === expected.length && timingSafeEqual(digest, expected);
  });
}
