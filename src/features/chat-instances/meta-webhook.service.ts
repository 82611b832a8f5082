// Instances that the network itself calls (Meta's Cloud API): it cannot carry an API key, so the path names the instance and
// the body is signed with the app's secret.

import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database, NamedStatement } from '../../platform/database.js';
import { isUuid } from '../../platform/input.js';
import type { MetaWebhookPrincipal } from '../../platform/principal.js';
import type { SealedColumn, SecretBox } from '../../platform/secret-box.js';

/** A line that the network may call. */
export interface MetaWebhook extends MetaWebhookPrincipal {
  /** What the network signs with. */
  secret: string;
}

export interface MetaWebhookOptions {
  database: Database;
  secretBox: SecretBox;
  /** 32 bytes: verify tokens are made with it. */
  encryptionKey: Buffer;
  /** Verify tokens made with it are known too. */
  encryptionKeyPrevious: Buffer | undefined;
}

/** $1 instance. */
const selectMetaWebhook: NamedStatement = {
  name: 'select-network-line',
  text: `SELECT i.tenant_id AS "tenantId", i.id AS "instanceId", i.instance_name AS "instanceName",
      i.metadata->>'phoneNumberId' AS "phoneNumberId", i.webhook_secret_ciphertext AS "secretCiphertext"
    FROM tenants t JOIN chat_instances i ON i.tenant_id = t.id AND i.id = $1
    WHERE t.is_active AND i.deleted_at IS NULL AND i.webhook_secret_ciphertext IS NOT NULL`,
};

interface MetaWebhookRow extends Omit<MetaWebhook, 'secret' | 'phoneNumberId'> {
  phoneNumberId: string | null;
  secretCiphertext: Buffer;
}

// How long a replaced secret may still pass on a process that used it before.
const cacheMs = 3_000;
const cacheSize = 10_000;
// Instances that are not there: asked for again no sooner, and taken for news no sooner.
const missMs = 3_000;
const newMissMs = 60_000;
const verifyTokenLength = 32;

export class MetaWebhookService {
  private readonly lines = new LRUCache<string, MetaWebhook>({ max: cacheSize, ttl: cacheMs });
  /** When each was last asked for in vain, on the clock of `performance`. */
  private readonly misses = new LRUCache<string, number>({ max: cacheSize, ttl: newMissMs });
  private readonly looking = new Map<string, Promise<MetaWebhook | undefined>>();
  private readonly familiar = new LRUCache<string, true>({ max: cacheSize });

  constructor(private readonly options: MetaWebhookOptions) {}

  /** The line of an instance; undefined where there is none, or where the network is not meant to call it. */
  async find(instanceId: string): Promise<MetaWebhook | undefined> {
    if (!isUuid(instanceId)) return undefined;
    const id = instanceId.toLowerCase();
    const known = this.lines.get(id);
    if (known !== undefined) return known;
    const missedAtMs = this.misses.get(id);
    if (missedAtMs !== undefined && performance.now() - missedAtMs < missMs) return undefined;
    const looking = this.looking.get(id) ?? this.load(id).finally(() => this.looking.delete(id));
    this.looking.set(id, looking);
    const found = await looking;
    if (found === undefined) this.misses.set(id, performance.now());
    return found;
  }

  /** Whether nobody has asked for the instance in vain within the last minute: one that was deleted may be called for days. */
  isNews(instanceId: string): boolean {
    return !this.misses.has(instanceId.toLowerCase());
  }

  /** Whether the network has proved to call for the instance before, however long ago. */
  isFamiliar(instanceId: string): boolean {
    return this.familiar.has(instanceId.toLowerCase());
  }

  /** To be called once the network has proved to call for the instance. */
  noteFamiliar(instanceId: string): void {
    this.familiar.set(instanceId.toLowerCase(), true);
  }

  private async load(id: string): Promise<MetaWebhook | undefined> {
    const { database, secretBox } = this.options;
    const [row] = await database.query<MetaWebhookRow>(selectMetaWebhook, [id]);
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

export const metaWebhookSecrets: SealedColumn = {
  table: 'chat_instances',
  column: 'webhook_secret_ciphertext',
  ownerOf: secretOwner,
};
