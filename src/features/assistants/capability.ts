// Signed texts that an assistant holds instead of ids. Only reading gives them, and each is for one user. A handle names a conversation
// that may be read. A capability names the one conversation that may be answered, and the message that has to be its newest then.

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** A reply permit, given by reading: one reply to this lead, through this instance, while this message is the newest. */
export interface ReplyPermit {
  leadId: string;
  instanceId: string;
  lastMessageId: string;
}

/** The user for whom a text is signed. It opens for no other user and in no other tenant. */
export interface Holder {
  tenantId: string;
  userId: string;
}

export type Opened<Content> = { outcome: 'valid' | 'expired'; content: Content; key: string } | { outcome: 'invalid' };

/** The validity of a reply capability. */
export const replyLifeMs = 600_000;
/** The validity of a handle, with which a listed conversation can be read. */
export const handleLifeMs = 3_600_000;

const keyPurpose = 'leadwire assistant capabilities';
const idBytes = 16;
const timeBytes = 4;
const tagBytes = 16;
const kinds = { conv: 1, reply: 3 } as const;

type Kind = keyof typeof kinds;

/** The longest handle or capability, in characters. */
export const maxCapabilityLength = 100;

export class Capabilities {
  private readonly keys: readonly Buffer[];

  /**
   * @param secrets 32 bytes each: the first signs, all of them verify
   * @param now the current time in milliseconds
   */
  constructor(
    secrets: readonly Buffer[],
    private readonly now: () => number = Date.now,
  ) {
    this.keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', keyPurpose, 32)));
  }

  handleOf(holder: Holder, leadId: string): string {
    return this.sign('conv', holder, [leadId], this.now() + handleLifeMs).text;
  }

  permit(holder: Holder, { leadId, instanceId, lastMessageId }: ReplyPermit): { capability: string; expiresAt: Date } {
    const ids = [leadId, instanceId, lastMessageId];
    const { text, expiresAt } = this.sign('reply', holder, ids, this.now() + replyLifeMs);
    return { capability: text, expiresAt };
  }

  openHandle(holder: Holder, text: string): Opened<{ leadId: string }> {
    return this.open('conv', holder, text, ([leadId = '']) => ({ leadId }));
  }

  /** Opens a reply capability. The returned `key` is the same for the same permit, however its text is written. */
  openPermit(holder: Holder, text: string): Opened<ReplyPermit> {
    const toPermit = ([leadId = '', instanceId = '', lastMessageId = '']: string[]) => ({
      leadId,
      instanceId,
      lastMessageId,
    });
    return this.open('reply', holder, text, toPermit);
  }

  private sign(kind: Kind, holder: Holder, ids: readonly string[], expiresAtMs: number) {
    const [key] = this.keys;
    if (key === undefined) throw new Error('there is no key for capabilities');
    const seconds = Math.floor(expiresAtMs / 1_000);
    const time = Buffer.alloc(timeBytes);
    time.writeUInt32BE(seconds);
    const content = Buffer.concat([...ids.map((id) => Buffer.from(id.replaceAll('-', ''), 'hex')), time]);
    const text = `${kind}_${Buffer.concat([content, tagOf(key, kind, holder, content)]).toString('base64url')}`;
    return { text, expiresAt: new Date(seconds * 1_000) };
  }

  private open<Content>(kind: Kind, holder: Holder, text: string, read: (ids: string[]) => Content): Opened<Content> {
    const prefix = `${kind}_`;
    if (text.length > maxCapabilityLength || !text.startsWith(prefix)) return { outcome: 'invalid' };
    const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
    const contentBytes = kinds[kind] * idBytes + timeBytes;
    if (bytes.length !== contentBytes + tagBytes) return { outcome: 'invalid' };
    const [content, tag] = [bytes.subarray(0, contentBytes), bytes.subarray(contentBytes)];
    if (!this.keys.some((key) => timingSafeEqual(tag, tagOf(key, kind, holder, content))))
      return { outcome: 'invalid' };
    const ids = Array.from({ length: kinds[kind] }, (_, index) => idOfBytes(content, index * idBytes));
    const isExpired = content.readUInt32BE(contentBytes - timeBytes) * 1_000 <= this.now();
    return { outcome: isExpired ? 'expired' : 'valid', content: read(ids), key: tag.toString('base64url') };
  }
}

function tagOf(key: Buffer, kind: Kind, { tenantId, userId }: Holder, content: Buffer): Buffer {
  const mac = createHmac('sha256', key).update(`${kind}:${tenantId}:${userId}:`).update(content);
  return mac.digest().subarray(0, tagBytes);
}

function idOfBytes(bytes: Buffer, from: number): string {
  const hex = bytes.toString('hex', from, from + idBytes);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
