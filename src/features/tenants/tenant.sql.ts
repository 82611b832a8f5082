// The statements of tenants and their keys. A change shares its transaction with its audit entry.

import type { NamedStatement } from '../../platform/database/database.js';
import type { SealedColumn } from '../../platform/secret-box.js';
import type { AssistantMode, SignatureMode } from './tenant.schema.js';

/** A tenant as a statement gives it. The key is never among the columns. */
export interface TenantRow {
  id: string;
  name: string;
  slug: string;
  isPlatform: boolean;
  isActive: boolean;
  chatRateMax: number | null;
  chatRateDurationMs: number | null;
  webhookSourceLabel: string | null;
  /** ISO 3166-1 alpha-2: whose numbers national writings are. */
  defaultCountry: string | null;
  optOutKeywords: string[];
  optInKeywords: string[];
  optOutReply: string | null;
  /** True if leads see that an operator has read or is typing, and if a number is looked up before its first message. */
  sendsReadReceipts: boolean;
  showsTyping: boolean;
  checksNumbers: boolean;
  /** The mode of its users' assistants. */
  assistants: AssistantMode;
  /** The place of the signature in texts that its users write, and its format. */
  signature: SignatureMode;
  signatureFormat: string;
  /** Whether notifications of browsers say what was written. */
  pushesText: boolean;
  createdAt: Date;
  updatedAt: Date;
}

const columns = `id, name, slug, is_platform AS "isPlatform", is_active AS "isActive", chat_rate_max AS "chatRateMax",
  chat_rate_duration_ms AS "chatRateDurationMs", webhook_source_label AS "webhookSourceLabel",
  default_country AS "defaultCountry", opt_out_keywords AS "optOutKeywords", opt_in_keywords AS "optInKeywords",
  opt_out_reply AS "optOutReply", sends_read_receipts AS "sendsReadReceipts", shows_typing AS "showsTyping",
  checks_numbers AS "checksNumbers", assistants, signature, signature_format AS "signatureFormat", pushes_text AS "pushesText",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Creations wait for each other, so that exactly one of them is the first. Held until the transaction ends. */
export const lockCreation: NamedStatement = {
  name: 'lock-tenant-creation',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('leadwire tenant creation', 0))`,
};

/** $1 id, $2 name, $3 slug, $4 rate max, $5 rate duration in ms, $6 source label, $7 country. The first tenant is the platform's. */
export const insertTenant: NamedStatement = {
  name: 'insert-tenant',
  text: `INSERT INTO tenants (id, name, slug, is_platform, chat_rate_max, chat_rate_duration_ms, webhook_source_label, default_country,
      updated_at)
    VALUES ($1, $2, $3, NOT EXISTS (SELECT FROM tenants), $4, $5, $6, $7, now()) RETURNING ${columns}`,
};

export const selectTenantIds: NamedStatement = {
  name: 'select-tenant-ids',
  text: 'SELECT id FROM tenants ORDER BY id',
};

/** $1 tenant → the country that its numbers are read with. */
export const selectDefaultCountry: NamedStatement = {
  name: 'select-default-country',
  text: 'SELECT default_country AS "defaultCountry" FROM tenants WHERE id = $1',
};

/** $1 id → its choices about channels beside messages. */
export const selectChannelChoices: NamedStatement = {
  name: 'select-channel-choices',
  text: `SELECT sends_read_receipts AS "sendsReadReceipts", shows_typing AS "showsTyping", checks_numbers AS "checksNumbers"
    FROM tenants WHERE id = $1`,
};

/** $1 id → the mode of its users' assistants. */
export const selectAssistantMode: NamedStatement = {
  name: 'select-assistant-mode',
  text: 'SELECT assistants FROM tenants WHERE id = $1',
};

/** $1 id. A change waits for another's end; readers and references do not. */
export const lockTenant: NamedStatement = {
  name: 'lock-tenant',
  text: `SELECT ${columns} FROM tenants WHERE id = $1 FOR NO KEY UPDATE`,
};

/** $1 id. */
export const selectConsentWords: NamedStatement = {
  name: 'select-consent-words',
  text: `SELECT opt_out_keywords AS "optOutKeywords", opt_in_keywords AS "optInKeywords", opt_out_reply AS "optOutReply"
    FROM tenants WHERE id = $1`,
};

/** The canonical forms of the keywords that opt out, of tenant $1, as an array: they are the first of all. */
export const optOutKeys = `(SELECT t.consent_keys[:cardinality(t.opt_out_keywords)] FROM tenants t WHERE t.id = $1)`;

/**
 * $1 id, $2 name, $3 slug, $4 rate max, $5 rate duration in ms, $6 source label, $7 active, $8 country, $9 keywords that opt out, $10 that
 * opt in, $11 the reply, $12 the canonical forms of both kinds in this order, $13 read receipts, $14 typing, $15 checks of numbers, $16
 * assistants, $17 signature, $18 its format, $19 text in notifications.
 */
export const updateTenant: NamedStatement = {
  name: 'update-tenant',
  text: `UPDATE tenants SET name = $2, slug = $3, chat_rate_max = $4, chat_rate_duration_ms = $5, webhook_source_label = $6,
      is_active = $7, default_country = $8, opt_out_keywords = $9, opt_in_keywords = $10, opt_out_reply = $11,
      consent_keys = $12, sends_read_receipts = $13, shows_typing = $14, checks_numbers = $15, assistants = $16,
      signature = $17::signature_mode, signature_format = $18, pushes_text = $19, updated_at = now()
    WHERE id = $1 RETURNING ${columns}`,
};

/** $1 tenant, $2 id, $3 hash, $4 ciphertext. */
export const insertKey: NamedStatement = {
  name: 'insert-api-key',
  text: 'INSERT INTO tenant_api_keys (tenant_id, id, hash, ciphertext) VALUES ($1, $2, $3, $4)',
};

/**
 * $1 tenant, $2 grace in seconds. A key that ends earlier already keeps its end: after a rotation without grace none is left. Stored to the
 * millisecond: rounded up, an end could lie a moment ahead.
 */
export const endKeys: NamedStatement = {
  name: 'end-api-keys',
  text: `UPDATE tenant_api_keys
    SET expires_at = least(coalesce(expires_at, 'infinity'),
      date_trunc('milliseconds', clock_timestamp()) + $2::int * interval '1 s')
    WHERE tenant_id = $1`,
};

/** $1 tenant. A key that has ended is not kept, not even encrypted. */
export const deleteEndedKeys: NamedStatement = {
  name: 'delete-ended-api-keys',
  text: 'DELETE FROM tenant_api_keys WHERE tenant_id = $1 AND expires_at <= clock_timestamp()',
};

/** $1 tenants → the current key of each. */
export const selectCurrentKeys: NamedStatement = {
  name: 'select-current-api-keys',
  text: `SELECT tenant_id AS "tenantId", id, ciphertext FROM tenant_api_keys
    WHERE tenant_id = ANY($1::uuid[]) AND expires_at IS NULL`,
};

/** The first and the last key, to try ENCRYPTION_KEY on: encrypting again goes from the first to the last. */
export const selectOuterKeys: NamedStatement = {
  name: 'select-outer-api-keys',
  text: `(SELECT id, ciphertext FROM tenant_api_keys ORDER BY tenant_id, id LIMIT 1)
    UNION ALL (SELECT id, ciphertext FROM tenant_api_keys ORDER BY tenant_id DESC, id DESC LIMIT 1)`,
};

export const apiKeySecrets: SealedColumn = { table: 'tenant_api_keys', column: 'ciphertext', ownerOf: (id) => id };

/** $1 hash → the key's tenant with its default country, while key and tenant are in force, by the database's clock. */
export const findKey: NamedStatement = {
  name: 'find-api-key',
  text: `SELECT k.id AS "keyId", k.tenant_id AS "tenantId", t.default_country AS "defaultCountry"
    FROM tenant_api_keys k JOIN tenants t ON t.id = k.tenant_id
    WHERE k.hash = $1 AND t.is_active AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())`,
};
