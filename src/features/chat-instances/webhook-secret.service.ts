// The secrets that gateways sign their calls with, by instance name. They are for calls that come with a tenant key. Meta's calls come
// without one, and belong to meta-webhook.service.ts.

import type { Database, NamedStatement } from '../../platform/database/database.js';
import { ExpiringCache } from '../../platform/expiring-cache.js';
import type { SecretBox } from '../../platform/secret-box.js';
import { webhookSecretOwner } from './chat-instance.sql.js';

/** $1 tenant → its instances in use that have a webhook secret; at most as many as a tenant may have instances. */
const selectWebhookSecrets: NamedStatement = {
  name: 'select-webhook-secrets',
  text: `SELECT id, instance_name AS "instanceName", webhook_secret_ciphertext AS "secretCiphertext"
    FROM chat_instances WHERE tenant_id = $1 AND deleted_at IS NULL AND webhook_secret_ciphertext IS NOT NULL`,
};

interface SealedSecret {
  id: string;
  instanceName: string;
  secretCiphertext: Buffer;
}

type Secrets = ReadonlyMap<string, SealedSecret>;

// A replaced secret may pass for this time, and a new one may be missing for as long.
const rememberedMs = 3_000;
const maxTenants = 10_000;

export class WebhookSecretService {
  private readonly remembered = new ExpiringCache<Secrets>({ max: maxTenants, ttl: rememberedMs });
  private readonly looking = new Map<string, Promise<Secrets>>();

  constructor(
    private readonly database: Database,
    private readonly secretBox: SecretBox,
  ) {}

  /**
   * Returns the webhook secret of the tenant's instance with this name; undefined if it has none, or there is no such instance.
   * @throws Error if the secret cannot be opened, because ENCRYPTION_KEY was changed
   */
  async find(tenantId: string, instanceName: string): Promise<string | undefined> {
    const secrets = this.remembered.get(tenantId) ?? (await this.look(tenantId));
    const sealed = secrets.get(instanceName);
    return sealed === undefined
      ? undefined
      : this.secretBox.open(sealed.secretCiphertext, webhookSecretOwner(sealed.id));
  }

  private look(tenantId: string): Promise<Secrets> {
    const looking = this.looking.get(tenantId) ?? this.load(tenantId).finally(() => this.looking.delete(tenantId));
    this.looking.set(tenantId, looking);
    return looking;
  }

  private async load(tenantId: string): Promise<Secrets> {
    const rows = await this.database.query<SealedSecret>(selectWebhookSecrets, [tenantId]);
    const secrets = new Map(rows.map((row) => [row.instanceName, row]));
    this.remembered.set(tenantId, secrets);
    return secrets;
  }
}
