// Instances that Meta's Cloud API calls. Meta cannot send an API key: the path names the instance, and the app secret signs the body.

import { createHmac } from 'node:crypto';
import type { Database, NamedStatement } from '../../platform/database/database.js';
import { KnownCallers } from '../../platform/http/known-callers.js';
import type { MetaWebhookPrincipal } from '../../platform/principal.js';
import type { SecretBox } from '../../platform/secret-box.js';
import { providers } from '../../providers/registry.js';
import { webhookSecretOwner } from './chat-instance.sql.js';

/** An instance that Meta may call. */
export interface MetaWebhook extends MetaWebhookPrincipal {
  /** The app secret, with which Meta signs its calls. */
  secret: string;
}

export interface MetaWebhookOptions {
  database: Database;
  secretBox: SecretBox;
  /** The key of 32 bytes from which verify tokens are derived. */
  encryptionKey: Buffer;
  /** The key before a rotation. Verify tokens that are derived from it are accepted too. */
  encryptionKeyPrevious: Buffer | undefined;
}

/** $1 instance, $2 providers that send a tenant key → the instance with its encrypted secret, if its tenant is active and it has one. */
const selectMetaWebhook: NamedStatement = {
  name: 'select-meta-webhook',
  text: `SELECT i.tenant_id AS "tenantId", i.id AS "instanceId", i.instance_name AS "instanceName",
      i.metadata->>'phoneNumberId' AS "phoneNumberId", i.webhook_secret_ciphertext AS "secretCiphertext"
    FROM tenants t JOIN chat_instances i ON i.tenant_id = t.id AND i.id = $1
    WHERE t.is_active AND i.deleted_at IS NULL AND i.webhook_secret_ciphertext IS NOT NULL 
      AND i.provider <> ALL ($2::text[])`,
};

interface MetaWebhookRow extends Omit<MetaWebhook, 'secret' | 'phoneNumberId'> {
  phoneNumberId: string | null;
  secretCiphertext: Buffer;
}

const verifyTokenLength = 32;

/** Providers whose signed calls come with a tenant key. */
const keyedProviders = providers.filter(({ webhooks }) => webhooks?.signature !== undefined).map(({ name }) => name);

export class MetaWebhookService {
  /** The instances with their secrets. It has none that are unknown, inactive or without a webhook secret. */
  readonly callers: KnownCallers<MetaWebhook>;

  constructor(private readonly options: MetaWebhookOptions) {
    this.callers = new KnownCallers((id) => this.load(id));
  }

  /** Returns the instance and its secret; undefined if it is unknown, inactive or has no webhook secret. */
  find(instanceId: string): Promise<MetaWebhook | undefined> {
    return this.callers.find(instanceId);
  }

  private async load(id: string): Promise<MetaWebhook | undefined> {
    const { database, secretBox } = this.options;
    const [row] = await database.query<MetaWebhookRow>(selectMetaWebhook, [id, keyedProviders]);
    if (row === undefined) return undefined;
    const { secretCiphertext, phoneNumberId, ...instance } = row;
    const secret = secretBox.open(secretCiphertext, webhookSecretOwner(id));
    return { ...instance, phoneNumberId: phoneNumberId ?? undefined, secret };
  }

  /** Returns the token that an ADMIN enters at Meta together with the instance's address. Meta's handshake sends it back. */
  verifyTokenOf(instanceId: string): string {
    return verifyTokenOf(instanceId, this.options.encryptionKey);
  }

  /** Returns the tokens that a handshake may carry: of the current `ENCRYPTION_KEY`, and of the previous one. */
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
