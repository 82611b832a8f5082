// Instances that the network itself calls (Meta's Cloud API): it cannot carry an API key, so the path names the instance and
// the body is signed with the app's secret.

import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database, NamedStatement } from '../../platform/database.js';
import { isUuid } from '../../platform/input.js';
import type { NetworkLinePrincipal } from '../../platform/principal.js';
import type { SealedColumn } from '../../platform/sealed-column.js';
import type { SecretBox } from '../../platform/secret-box.js';

/** A line that the network may call. */
export interface NetworkLine extends NetworkLinePrincipal {
  /** What the network signs with. */
  secret: string;
}

export interface NetworkLineOptions {
  database: Database;
  secretBox: SecretBox;
  /** 32 bytes: verify tokens are made with it. */
  encryptionKey: Buffer;
  /** Verify tokens made with it are known too. */
  encryptionKeyPrevious: Buffer | undefined;
}

/** $1 instance. */
const selectNetworkLine: NamedStatement = {
  name: 'select-network-line',
  text: `SELECT i.tenant_id AS "tenantId", i.id AS "instanceId", i.instance_name AS "instanceName",
      i.metadata->>'phoneNumberId' AS "phoneNumberId", i.webhook_secret_ciphertext AS "secretCiphertext"
    FROM tenants t JOIN chat_instances i ON i.tenant_id = t.id AND i.id = $1
    WHERE t.is_active AND i.deleted_at IS NULL AND i.webhook_secret_ciphertext IS NOT NULL`,
};

interface NetworkLineRow extends Omit<NetworkLine, 'secret' | 'phoneNumberId'> {
  phoneNumberId: string | null;
  secretCiphertext: Buffer;
}

// How long a replaced secret may still pass on a process that used it before.
const cacheMs = 3_000;
const cacheSize = 10_000;
const verifyTokenLength = 32;

export class NetworkLineService {
  private readonly lines = new LRUCache<string, NetworkLine>({ max: cacheSize, ttl: cacheMs });

  constructor(private readonly options: NetworkLineOptions) {}

  /** The line of an instance; undefined where there is none, or where the network is not meant to call it. */
  async find(instanceId: string): Promise<NetworkLine | undefined> {
    if (!isUuid(instanceId)) return undefined;
    const id = instanceId.toLowerCase();
    const known = this.lines.get(id);
    if (known !== undefined) return known;
    const { database, secretBox } = this.options;
    const [row] = await database.query<NetworkLineRow>(selectNetworkLine, [id]);
    if (row === undefined) return undefined;
    const { secretCiphertext, phoneNumberId, ...line } = row;
    const secret = secretBox.open(secretCiphertext, secretOwner(id));
    const found = { ...line, phoneNumberId: phoneNumberId ?? undefined, secret };
    this.lines.set(id, found);
    return found;
  }

  /** What an ADMIN enters at the network beside the instance's address, so that the network's handshake is known. */
  verifyTokenOf(instanceId: string): string {
    return verifyTokenOf(instanceId, this.options.encryptionKey);
  }

  /** What the network may bring: entered there before `ENCRYPTION_KEY` was replaced, or since. */
  listVerifyTokens(instanceId: string): string[] {
    const { encryptionKey, encryptionKeyPrevious } = this.options;
    const keys = encryptionKeyPrevious === undefined ? [encryptionKey] : [encryptionKey, encryptionKeyPrevious];
    return keys.map((key) => verifyTokenOf(instanceId, key));
  }
}

function verifyTokenOf(instanceId: string, key: Buffer): string {
  const hmac = createHmac('sha256', key).update(`network verify token ${instanceId}`);
  return hmac.digest('hex').slice(0, verifyTokenLength);
}

/** What an instance's webhook secret is sealed for: never to be taken for its gateway token. */
export function secretOwner(instanceId: string): string {
  return `${instanceId} webhook`;
}

export const gatewayTokens: SealedColumn = { table: 'chat_instances', column: 'token_ciphertext', ownerOf: (id) => id };

export const lineWebhookSecrets: SealedColumn = {
  table: 'chat_instances',
  column: 'webhook_secret_ciphertext',
  ownerOf: secretOwner,
};
