// Encryption of secrets at rest: AES-256-GCM with a random nonce, bound to what the secret belongs to.

import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** Layout of a box: nonce (12 bytes), tag (16 bytes), ciphertext. */
export class SecretBox {
  /**
   * @param key 32 bytes: seals, and opens
   * @param previousKey opens what the key does not, while the key is being replaced
   */
  constructor(
    private readonly key: Buffer,
    private readonly previousKey?: Buffer,
  ) {}

  /** @param owner what the secret belongs to (a row's id): a box moved to another row does not open */
  seal(secret: string, owner: string): Buffer<ArrayBuffer> {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(owner));
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
  }

  /** @throws Error when the key, the owner or the bytes are not the ones it was sealed with */
  open(box: Uint8Array, owner: string): string {
    try {
      return this.opensWithKey(box, owner) ?? decrypt(box, owner, this.previousKey ?? this.key);
    } catch (cause) {
      throw new Error('A stored secret cannot be decrypted: ENCRYPTION_KEY is not the one it was stored with.', {
        cause,
      });
    }
  }

  /** @returns the secret sealed with the key; undefined where it is already @throws Error as `open` does */
  sealAnew(box: Uint8Array, owner: string): Buffer<ArrayBuffer> | undefined {
    return this.opensWithKey(box, owner) === undefined ? this.seal(this.open(box, owner), owner) : undefined;
  }

  private opensWithKey(box: Uint8Array, owner: string): string | undefined {
    try {
      return decrypt(box, owner, this.key);
    } catch {
      return undefined;
    }
  }
}

function decrypt(box: Uint8Array, owner: string, key: Buffer): string {
  const bytes = Buffer.from(box);
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(owner));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
}

/** SHA-256, for looking a random secret up without storing it. */
export function sha256(text: string): Buffer<ArrayBuffer> {
  return hash('sha256', text, 'buffer');
}
