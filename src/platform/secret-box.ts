// Encryption of secrets at rest: AES-256-GCM with a random nonce, bound to the owner of the secret.

import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import type { Database, SqlRunner } from './database/database.js';

const nonceBytes = 12;
const tagBytes = 16;

/** Layout of a box: nonce (12 bytes), tag (16 bytes), ciphertext. */
export class SecretBox {
  /**
   * @param key 32 bytes: seals, and opens
   * @param previousKey opens boxes that the key does not open, while the key is being replaced
   */
  constructor(
    private readonly key: Buffer,
    private readonly previousKey?: Buffer,
  ) {}

  /** @param owner the record that the secret belongs to (a row's id): a box moved to another row does not open */
  seal(secret: string, owner: string): Buffer<ArrayBuffer> {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(owner));
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
  }

  /** @throws Error when the key, the owner or the bytes are not those of the sealing */
  open(box: Uint8Array, owner: string): string {
    try {
      return this.opensWithKey(box, owner) ?? decrypt(box, owner, this.previousKey ?? this.key);
    } catch (cause) {
      throw new Error('A stored secret cannot be decrypted: ENCRYPTION_KEY is not the one it was stored with.', {
        cause,
      });
    }
  }

  /** @returns the secret sealed with the key; undefined where it is sealed with it already @throws Error as `open` does */
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

/** A column of boxes (`bytea`) in a table with the key (tenant_id, id). */
export interface SealedColumn {
  table: string;
  column: string;
  /** The owner that the box in a row was sealed for. */
  ownerOf: (id: string) => string;
}

interface SealedRow {
  tenantId: string;
  id: string;
  box: Buffer;
}

const rowsAtOnce = 500;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * Seals secrets of the previous key with the box's key. Servers may run meanwhile; safe to repeat, and to interrupt.
 * @returns the number of secrets that it sealed again
 * @throws Error when neither key opens a secret: those before it are done
 */
export async function sealColumnAnew(database: Database, secretBox: SecretBox, column: SealedColumn): Promise<number> {
  let sealedCount = 0;
  let last = { tenantId: beforeAll, id: beforeAll };
  for (;;) {
    const { tenantId, id } = last;
    const { rows, sealed } = await database.transaction((sql) => sealRowsAnew(sql, secretBox, column, [tenantId, id]));
    sealedCount += sealed;
    const newest = rows.at(-1);
    if (newest === undefined) return sealedCount;
    last = newest;
  }
}

async function sealRowsAnew(
  sql: SqlRunner,
  secretBox: SecretBox,
  { table, column, ownerOf }: SealedColumn,
  after: [tenantId: string, id: string],
): Promise<{ rows: SealedRow[]; sealed: number }> {
  // The rows are locked until they are written: an administrator may be replacing a secret.
  const rows = await sql.query<SealedRow>(
    `SELECT tenant_id AS "tenantId", id, ${column} AS box FROM ${table}
      WHERE (tenant_id, id) > ($1, $2) AND ${column} IS NOT NULL ORDER BY tenant_id, id LIMIT ${rowsAtOnce} FOR NO KEY UPDATE`,
    after,
  );
  const changed = rows.flatMap(({ box, ...row }) => {
    const sealedAnew = secretBox.sealAnew(box, ownerOf(row.id));
    return sealedAnew === undefined ? [] : [{ ...row, box: sealedAnew }];
  });
  await sql.query(
    `UPDATE ${table} t SET ${column} = n.box FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS n (tenant_id, id, box)
      WHERE t.tenant_id = n.tenant_id AND t.id = n.id`,
    [changed.map(({ tenantId }) => tenantId), changed.map(({ id }) => id), changed.map(({ box }) => box)],
  );
  return { rows, sealed: changed.length };
}
