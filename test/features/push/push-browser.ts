// Plays a browser's subscription to notifications: it has keys of its own, and decrypts what was sent to it (RFC 8291).

import { createDecipheriv, createECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import type { KeepPushDeviceInput } from '../../support/operations.js';

const saltBytes = 16;
const tagBytes = 16;

export class PushBrowser {
  private readonly pair = createECDH('prime256v1');
  private readonly secret = randomBytes(16);

  constructor(readonly endpoint: string) {
    this.pair.generateKeys();
  }

  get input(): KeepPushDeviceInput {
    return {
      endpoint: this.endpoint,
      publicKey: this.pair.getPublicKey('base64url'),
      secret: this.secret.toString('base64url'),
      name: 'Chromium on Linux',
      language: 'pt-BR',
      notifiesMine: true,
      notifiesUnassigned: true,
    };
  }

  /** Decrypts a body of the encoding `aes128gcm`. @throws Error for one that is for another browser */
  decrypt(body: Buffer): unknown {
    const salt = body.subarray(0, saltBytes);
    const keyLength = body.readUInt8(saltBytes + 4);
    const start = saltBytes + 5;
    const senderKey = body.subarray(start, start + keyLength);
    const record = body.subarray(start + keyLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.pair.getPublicKey(), senderKey]);
    const shared = Buffer.from(hkdfSync('sha256', this.pair.computeSecret(senderKey), this.secret, info, 32));
    const derive = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', shared, salt, `Content-Encoding: ${name}\0`, length));
    const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
    cipher.setAuthTag(record.subarray(-tagBytes));
    const padded = Buffer.concat([cipher.update(record.subarray(0, -tagBytes)), cipher.final()]);
    // The last record ends with a 2 and its padding.
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
  }
}

/** A subscription whose push service does not exist. */
export function pushSubscription(): KeepPushDeviceInput {
  return new PushBrowser(`https://push.example.com/${randomUUID()}`).input;
}
