// Files that are handed to Meta ahead of the message, which names them by id. Meta keeps one for 30 days: within a day, a file that went
// to a number before is not sent again.

import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { FileUpload, GatewayEndpoint, OutgoingFile } from '../chat-gateway.js';
import { isSuccess } from '../answer.js';
import type { GatewayAnswer, GatewayCall, GatewayCallResult } from '../http.js';

/** Posts to the number's `/media`. */
type Post = (stream: NonNullable<GatewayCall['stream']>) => Promise<GatewayCallResult>;

export interface MetaUploadsOptions {
  /** Reads the result of a refused upload. */
  readRefusal: (answer: GatewayAnswer) => Exclude<FileUpload, { outcome: 'uploaded' }>;
}

const maxKnown = 1_000;
const knownForMs = 24 * 3_600_000;
const uploadedSchema = z.object({ id: z.string().regex(/^\d{1,64}$/) });

export class MetaUploads {
  private readonly known = new LRUCache<string, string>({ max: maxKnown, ttl: knownForMs });

  constructor(private readonly options: MetaUploadsOptions) {}

  /** Safe to repeat: a file that was uploaded twice is sent once. */
  async upload(endpoint: GatewayEndpoint, file: OutgoingFile, post: Post): Promise<FileUpload> {
    const { baseUrl, phoneNumberId } = endpoint;
    const key = JSON.stringify([baseUrl, phoneNumberId, file.sha256, file.mimeType, file.fileName]);
    const id = this.known.get(key);
    if (id !== undefined) return { outcome: 'uploaded', id };
    const answer = await post(formOf(file));
    if (answer.outcome === 'permanent') return answer;
    // Whatever became of it, no message was sent.
    if (answer.outcome !== 'answered') return { outcome: 'temporary', code: answer.code, detail: answer.detail };
    if (!isSuccess(answer)) return this.options.readRefusal(answer);
    const uploaded = uploadedSchema.safeParse(answer.json).data;
    if (uploaded === undefined)
      return {
        outcome: 'temporary',
        code: 'GATEWAY_ANSWER_INVALID',
        detail: `${answer.gateway} took the file without an id`,
      };
    this.known.set(key, uploaded.id);
    return { outcome: 'uploaded', id: uploaded.id };
  }

  /** The network refused a message with this file: the next one has it uploaded again. */
  forget(id: string): void {
    for (const [key, known] of this.known) if (known === id) this.known.delete(key);
  }
}

function formOf(file: OutgoingFile): NonNullable<GatewayCall['stream']> {
  const { mimeType, fileName, size } = file;
  const boundary = `leadwire-${randomUUID()}`;
  // Nothing in a name may end the header that it stands in.
  const name = (fileName ?? 'file').replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
  const field = (key: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`;
  const head = Buffer.from(
    `${field('messaging_product', 'whatsapp')}${field('type', mimeType)}--${boundary}\r\n` +
      `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${mimeType}\r\n\r\n`,
  );
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    size: head.length + size + end.length,
    chunks: framed(head, file.bytes(), end),
  };
}

async function* framed(head: Buffer, bytes: AsyncIterable<Uint8Array>, end: Buffer): AsyncGenerator<Uint8Array> {
  yield head;
  yield* bytes;
  yield end;
}
