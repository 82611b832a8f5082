// Instances that Meta's Cloud API calls. Meta cannot send an API key: the path names the instance, and the app secret signs the body.

import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database, NamedStatement } from '../../platform/database.js';
import { isUuid } from '../../platform/input.js';
import type { MetaWebhookPrincipal } from '../../platform/principal.js';
import type { SecretBox } from '../../platform/secret-box.js';
import { webhookSecretOwner } from './chat-instance.sql.js';

/** An instance that Meta may call. */
export interface MetaWebhook extends MetaWebhookPrincipal {
  /** Meta signs with it. */
  secret: string;
}

export interface MetaWebhookOptions {
  database: Database;
  secretBox: SecretBox;
  /** 32 bytes. Verify tokens are derived from it. */
  encryptionKey: Buffer;
  /** Verify tokens derived from it are accepted too. */
  encryptionKeyPrevious: Buffer | undefined;
}

/** $1 instance. */
const selectMetaWebhook: NamedStatement = {
  name: 'select-meta-webhook',
  text: `SELECT i.tenant_id AS "tenantId", i.id AS "instanceId", i.instance_name AS "instanceName",
      i.metadata->>'phoneNumberId' AS "phoneNumberId", i.webhook_secret_ciphertext AS "secretCiphertext"
    FROM tenants t JOIN chat_instances i ON i.tenant_id = t.id AND i.id = $1
    WHERE t.is_active AND i.deleted_at IS NULL AND i.webhook_secret_ciphertext IS NOT NULL AND i.provider <> 'waha'`,
};

interface MetaWebhookRow extends Omit<MetaWebhook, 'secret' | 'phoneNumberId'> {
  phoneNumberId: string | null;
  secretCiphertext: Buffer;
}

// A replaced secret may still pass for this long, on a process that has used it.
const cacheMs = 3_000;
const cacheSize = 10_000;
// An unknown instance is not looked up again within missMs, and does not count as news within newMissMs.
const missMs = 3_000;
const newMissMs = 60_000;
const verifyTokenLength = 32;

export class MetaWebhookService {
  private readonly webhooks = new LRUCache<string, MetaWebhook>({ max: cacheSize, ttl: cacheMs });
  /** When each unknown instance was last looked up, by `performance.now()`. */
  private readonly misses = new LRUCache<string, number>({ max: cacheSize, ttl: newMissMs });
  private readonly looking = new Map<string, Promise<MetaWebhook | undefined>>();
  private readonly familiar = new LRUCache<string, true>({ max: cacheSize });

  constructor(private readonly options: MetaWebhookOptions) {}

  /** The instance and its secret; undefined if it is unknown, inactive or has no webhook secret. */
  async find(instanceId: string): Promise<MetaWebhook | undefined> {
    if (!isUuid(instanceId)) return undefined;
    const id = instanceId.toLowerCase();
    const known = this.webhooks.get(id);
    if (known !== undefined) return known;
    const missedAtMs = this.misses.get(id);
    if (missedAtMs !== undefined && performance.now() - missedAtMs < missMs) return undefined;
    const looking = this.looking.get(id) ?? this.load(id).finally(() => this.looking.delete(id));
    this.looking.set(id, looking);
    const found = await looking;
    if (found === undefined) this.misses.set(id, performance.now());
    return found;
  }

  /** Whether no call for this unknown instance came within the last minute. A deleted instance may be called for days. */
  isNews(instanceId: string): boolean {
    return !this.misses.has(instanceId.toLowerCase());
  }

  /** Whether this process has seen a valid signature for the instance before. */
  isFamiliar(instanceId: string): boolean {
    return this.familiar.has(instanceId.toLowerCase());
  }

  /** Call it after a valid signature for the instance. */
  noteFamiliar(instanceId: string): void {
    this.familiar.set(instanceId.toLowerCase(), true);
  }

  private async load(id: string): Promise<MetaWebhook | undefined> {
    const { database, secretBox } = this.options;
    const [row] = await database.query<MetaWebhookRow>(selectMetaWebhook, [id]);
    if (row === undefined) return undefined;
    const { secretCiphertext, phoneNumberId, ...instance } = row;
    const secret = secretBox.open(secretCiphertext, webhookSecretOwner(id));
    const found = { ...instance, phoneNumberId: phoneNumberId ?? undefined, secret };
    this.webhooks.set(id, found);
    return found;
  }

  /** The token that an ADMIN enters at Meta together with the instance's address. Meta's handshake sends it back. */
  verifyTokenOf(instanceId: string): string {
    return verifyTokenOf(instanceId, this.options.encryptionKey);
  }

  /** The tokens that a handshake may carry: of the current `ENCRYPTION_KEY`, and of the previous one. */
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
