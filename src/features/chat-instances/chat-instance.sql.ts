// The statements that read and change chat instances. Changes run in transactions that also write the audit log.

import type { NamedStatement } from '../../platform/database/database.js';
import type { ChatInstanceStatus } from '../../platform/prisma/enums.js';
import { lockAccountById } from '../users/user.sql.js';
import type { SealedColumn } from '../../platform/secret-box.js';
import type { Provider } from '../../providers/provider.js';
import { providers } from '../../providers/registry.js';
import type { StoredInstance } from './gateway-endpoints.js';

/** A row without credentials: flags say only if they are stored. */
export interface ChatInstanceRow {
  tenantId: string;
  id: string;
  accountId: string;
  provider: string;
  instanceName: string;
  isDefault: boolean;
  status: ChatInstanceStatus;
  baseUrl: string | null;
  hasToken: boolean;
  hasWebhookSecret: boolean;
  metadata: Record<string, unknown> | null;
  /** True while sending is paused because the gateway reported that the instance is not connected. */
  isPaused: boolean;
  /** True while its gateway does not answer sends. */
  isUnreachable: boolean;
}

const columns = `tenant_id AS "tenantId", id, account_id AS "accountId", provider, instance_name AS "instanceName",
  is_default AS "isDefault", status, base_url AS "baseUrl", token_ciphertext IS NOT NULL AS "hasToken",
  webhook_secret_ciphertext IS NOT NULL AS "hasWebhookSecret", metadata,
  coalesce(outbound_paused_until > now(), false) AS "isPaused",
  coalesce(health_code = 'UNREACHABLE', false) AS "isUnreachable"`;

/** $1 tenant, $2 account. Changes of an account's default run one at a time under this lock. */
export const lockAccount: NamedStatement = {
  name: 'lock-account',
  text: lockAccountById('$2'),
};

/** $1 tenant, $2 instance. Taken before the lock of the instance, as in a creation. */
export const lockAccountOfInstance: NamedStatement = {
  name: 'lock-account-of-instance',
  text: lockAccountById('(SELECT account_id FROM chat_instances WHERE tenant_id = $1 AND id = $2)'),
};

/** $1 tenant, $2 instance → the instance unless it is deleted. */
export const lockInstance: NamedStatement = {
  name: 'lock-chat-instance',
  text: `SELECT ${columns} FROM chat_instances WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
};

/**
 * $1 tenant, $2 instance → the instance unless it is deleted. Unlike `lockInstance`, it also waits for transactions that write a message of
 * the instance, because their foreign keys hold the row. The deletion then ends that message too.
 */
export const lockInstanceForDeletion: NamedStatement = {
  name: 'lock-chat-instance-for-deletion',
  text: `SELECT ${columns} FROM chat_instances WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`,
};

/** $1 tenant → the number of its instances in use. */
export const countInstances: NamedStatement = {
  name: 'count-chat-instances',
  text: 'SELECT count(*)::int AS count FROM chat_instances WHERE tenant_id = $1 AND deleted_at IS NULL',
};

/** $1 tenant, $2 account → a row if the account has an instance in use. */
export const hasInstance: NamedStatement = {
  name: 'has-chat-instance',
  text: 'SELECT FROM chat_instances WHERE tenant_id = $1 AND account_id = $2 AND deleted_at IS NULL LIMIT 1',
};

/** $1 tenant, $2 account, $3 the new default instance → the old one. */
export const clearDefault: NamedStatement = {
  name: 'clear-default-chat-instance',
  text: `UPDATE chat_instances SET is_default = false, updated_at = now()
    WHERE tenant_id = $1 AND account_id = $2 AND id <> $3 AND is_default AND deleted_at IS NULL RETURNING ${columns}`,
};

/** $1 to $7 as in `updateInstance`; $8 credential, $9 account, $10 status. */
export const insertInstance: NamedStatement = {
  name: 'insert-chat-instance',
  text: `INSERT INTO chat_instances (tenant_id, id, provider, instance_name, is_default, base_url, metadata,
      token_ciphertext, account_id, status, told_status, connected_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10::chat_instance_status, $10::chat_instance_status,
      CASE WHEN $10::chat_instance_status = 'CONNECTED' THEN now() END, now()) RETURNING ${columns}`,
};

/** A condition on the values of `updateInstance`. */
const isSameLine = `(provider, instance_name, base_url, metadata->>'phoneNumberId')
        IS NOT DISTINCT FROM ($3, $4, $6, $7::jsonb->>'phoneNumberId')`;

/**
 * $1 tenant, $2 id, $3 provider, $4 name, $5 default, $6 address, $7 metadata, $8 true if the credential changes, $9 the new credential.
 * Another line has another number, which is unknown at first, its gateway another clock, and what was sent before went through the former
 * one. Its state is asked for, as with another credential.
 */
export const updateInstance: NamedStatement = {
  name: 'update-chat-instance',
  text: `UPDATE chat_instances SET provider = $3, instance_name = $4, is_default = $5, base_url = $6, metadata = $7::jsonb,
      token_ciphertext = CASE WHEN $8::bool THEN $9::bytea ELSE token_ciphertext END, updated_at = now(),
      number = CASE WHEN ${isSameLine} THEN number END, status_reported_at = CASE WHEN ${isSameLine} THEN status_reported_at END,
      connected_at = CASE WHEN ${isSameLine} THEN connected_at WHEN status = 'CONNECTED' THEN now() END,
      state_asked_at = CASE WHEN ${isSameLine} AND NOT $8::bool THEN state_asked_at ELSE '-infinity' END
    WHERE tenant_id = $1 AND id = $2 RETURNING ${columns}`,
};

/** $1 tenant, $2 id, $3 the secret that the gateway signs its calls with, encrypted; null removes it. */
export const setWebhookSecret: NamedStatement = {
  name: 'set-webhook-secret',
  text: 'UPDATE chat_instances SET webhook_secret_ciphertext = $3, updated_at = now() WHERE tenant_id = $1 AND id = $2',
};

/** $1 tenant, $2 id. Removes the secrets too. */
export const deleteInstance: NamedStatement = {
  name: 'delete-chat-instance',
  text: `UPDATE chat_instances SET deleted_at = now(), updated_at = now(), is_default = false, status = 'INACTIVE',
      status_changed_at = now(), told_status = 'INACTIVE', token_ciphertext = NULL, webhook_secret_ciphertext = NULL,
      health_code = NULL, health_reason = NULL, degraded_at = NULL
    WHERE tenant_id = $1 AND id = $2`,
};

/** $1 tenant, $2 id. Ends a pause now: one message is sent first, to see if the instance is back. */
export const endPause: NamedStatement = {
  name: 'end-pause-of-instance',
  text: 'UPDATE chat_instances SET outbound_paused_until = now() WHERE tenant_id = $1 AND id = $2',
};

/** $1 tenant, $2 ids → the pauses of those instances that are paused. */
export const selectPauses: NamedStatement = {
  name: 'select-pauses-of-instances',
  text: `SELECT id, outbound_paused_until AS "pausedUntil", outbound_pause_reason AS "pauseReason" FROM chat_instances
    WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND outbound_paused_until > now()`,
};

/** $1 tenant, $2 ids → the addresses of their gateways, and which secrets are stored. */
export const selectGateways: NamedStatement = {
  name: 'select-gateways-of-instances',
  text: `SELECT id, base_url AS "baseUrl", token_ciphertext IS NOT NULL AS "hasToken",
      webhook_secret_ciphertext IS NOT NULL AS "hasWebhookSecret"
    FROM chat_instances WHERE tenant_id = $1 AND id = ANY($2::uuid[])`,
};

/** $1 tenant → its instances in use, default ones first. */
export const listKnownInstances: NamedStatement = {
  name: 'list-known-instances',
  text: `SELECT id, instance_name AS "instanceName", is_default AS "isDefault", number FROM chat_instances
    WHERE tenant_id = $1 AND deleted_at IS NULL ORDER BY is_default DESC, id`,
};

export interface InstanceStateRow extends StoredInstance {
  status: ChatInstanceStatus;
  lastError: string | null;
  number: string | null;
  /** The time by the database's clock. */
  statusChangedAt: Date;
}

/** The columns of `InstanceStateRow`, for an instance `i`. */
export const storedInstanceColumns = `i.id AS "instanceId", i.provider, i.instance_name AS "instanceName", i.base_url AS "baseUrl",
  i.token_ciphertext AS "tokenCiphertext", i.metadata->>'phoneNumberId' AS "phoneNumberId",
  i.metadata->>'phoneNumber' AS "phoneNumber", i.metadata->>'wabaId' AS "wabaId", i.metadata->>'apiVersion' AS "apiVersion", i.status, i.last_error AS "lastError", i.number,
  i.status_changed_at AS "statusChangedAt"`;

const selectStoredInstanceText = `SELECT ${storedInstanceColumns} FROM chat_instances i
  WHERE i.tenant_id = $1 AND i.id = $2 AND i.deleted_at IS NULL`;

/** $1 tenant, $2 instance → the instance with its state, unless it is deleted. */
export const selectStoredInstance: NamedStatement = { name: 'select-stored-instance', text: selectStoredInstanceText };

/** Selects like `selectStoredInstance`, and locks the row. */
export const lockStoredInstance: NamedStatement = {
  name: 'lock-stored-instance',
  text: `${selectStoredInstanceText} FOR NO KEY UPDATE`,
};

/** True if a gateway's answer about one instance holds for the other: same provider, name and address. */
export function isSameInstance(one: StoredInstance, other: StoredInstance): boolean {
  return one.provider === other.provider && one.instanceName === other.instanceName && one.baseUrl === other.baseUrl;
}

export interface CheckedInstance extends InstanceStateRow {
  tenantId: string;
  /** Its gateway did not answer sends. */
  isUnreachable: boolean;
  /** Its credential or its line was changed since it was asked for: what is stored of its state may be another line's. */
  isChanged: boolean;
}

/**
 * $1 limit, $2 hours → instances of active tenants that are CONNECTING or UNREACHABLE, or DISCONNECTED or in ERROR for less than $2 hours,
 * or whose credential or line was changed since they were asked for. Tenants take turns. The instance that was asked for longest ago comes
 * first in its tenant. Locked instances are skipped.
 */
export const takeInstancesToCheck: NamedStatement = {
  name: 'take-instances-to-check',
  text: `WITH due AS (
      SELECT i.tenant_id, i.id FROM tenants t JOIN chat_instances i ON i.tenant_id = t.id
      WHERE t.is_active AND i.deleted_at IS NULL AND (i.status = 'CONNECTING' OR i.health_code = 'UNREACHABLE'
        OR (i.status IN ('DISCONNECTED', 'ERROR') AND i.status_changed_at > now() - make_interval(hours => $2::int))
        OR i.state_asked_at = '-infinity')
      ORDER BY row_number() OVER (PARTITION BY i.tenant_id ORDER BY i.state_asked_at NULLS FIRST, i.id),
        i.state_asked_at NULLS FIRST, i.id
      LIMIT $1::int
    ), target AS (
      SELECT i.tenant_id, i.id, i.state_asked_at = '-infinity' AS is_changed
      FROM due d JOIN chat_instances i ON i.tenant_id = d.tenant_id AND i.id = d.id
      FOR NO KEY UPDATE OF i SKIP LOCKED
    )
    UPDATE chat_instances i SET state_asked_at = now() FROM target t WHERE i.tenant_id = t.tenant_id AND i.id = t.id
    RETURNING i.tenant_id AS "tenantId", coalesce(t.is_changed, false) AS "isChanged", coalesce(i.health_code = 'UNREACHABLE', false) AS "isUnreachable", ${storedInstanceColumns}`,
};

/** The owner that a webhook secret is sealed for. It differs from the gateway token's, so that neither opens as the other. */
export function webhookSecretOwner(instanceId: string): string {
  return `${instanceId} webhook`;
}

export const gatewayTokens: SealedColumn = { table: 'chat_instances', column: 'token_ciphertext', ownerOf: (id) => id };

export const metaWebhookSecrets: SealedColumn = {
  table: 'chat_instances',
  column: 'webhook_secret_ciphertext',
  ownerOf: webhookSecretOwner,
};

const windowed = namesOf(({ hasReplyWindow }) => hasReplyWindow === true);
const withAccounts = namesOf(({ hasAccounts }) => hasAccounts === true);

/** Returns the names of some providers, as a list in SQL. */
function namesOf(isMeant: (provider: Provider) => boolean): string {
  return providers
    .filter(isMeant)
    .map(({ name }) => `'${name}'`)
    .join(', ');
}

/** True if the network of an instance takes free texts only for a day after the lead's last message. */
export const hasReplyWindow = (instance: string) => `(${instance}.provider IN (${windowed}))`;

/** A subquery: true if the network of tenant $1's instance has a reply window; null if there is no such instance. */
export const hasReplyWindowById = (id: string) =>
  `(SELECT ${hasReplyWindow('wi')} FROM chat_instances wi WHERE wi.tenant_id = $1 AND wi.id = ${id})`;

/**
 * A table expression for reports on a business account of tenant $1. `by_id` is the instance through which a report came, and `id` an
 * instance in use that it may be about. A report is about the instances of its account, or, if the account is not known, about `by_id`.
 */
export const instancesOfAccount = `(
    SELECT i.id AS by_id, s.id, s.metadata->>'wabaId' AS waba_id, i.id = s.id AS is_itself
    FROM chat_instances i JOIN chat_instances s ON s.tenant_id = i.tenant_id AND s.provider IN (${withAccounts})
      AND s.deleted_at IS NULL
    WHERE i.tenant_id = $1
  )`;

/**
 * $1 tenant, $2 instance → the instance and its provider while it is in use. Its deletion then waits for this transaction's end, and counts
 * its messages.
 */
export const holdInstance: NamedStatement = {
  name: 'hold-chat-instance',
  text: `SELECT id, provider, ${hasReplyWindow('chat_instances')} AS "hasReplyWindow" FROM chat_instances
    WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR KEY SHARE`,
};

/** $1 tenant, $2 instance, $3 pause in ms, $4 reason. A pause that lasts longer stays. */
export const pauseInstance: NamedStatement = {
  name: 'pause-instance',
  text: `UPDATE chat_instances SET outbound_paused_until = now() + $3::int * interval '1 ms', outbound_pause_reason = $4
    WHERE tenant_id = $1 AND id = $2
      AND (outbound_paused_until IS NULL OR outbound_paused_until < now() + $3::int * interval '1 ms')`,
};

/**
 * $1 tenant, $2 instances whose pause is over: a message was sent through them, so they are back. A newer pause goes on: an earlier
 * message may have been refused in the meantime.
 */
export const endPauses: NamedStatement = {
  name: 'end-pauses',
  text: `UPDATE chat_instances SET outbound_paused_until = NULL, outbound_pause_reason = NULL
    WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND outbound_paused_until <= now()`,
};

/** A subquery for the ids of tenant $1's instances that are in use. */
export const usableInstanceIds = `SELECT id FROM chat_instances WHERE tenant_id = $1 AND deleted_at IS NULL AND status <> 'INACTIVE'`;

/**
 * A subquery with the columns of tenant $1's instance in use that a call names.
 * @param name null: the default one, as in `defaultInstanceId`
 */
export const namedInstance = (name: string, selected: string) => `(SELECT ${selected} FROM chat_instances
  WHERE tenant_id = $1 AND deleted_at IS NULL AND instance_name = coalesce(${name},
    (SELECT instance_name FROM chat_instances WHERE tenant_id = $1 AND deleted_at IS NULL ORDER BY is_default DESC, id LIMIT 1))
  LIMIT 1)`;

/** A subquery for the id of tenant $1's default instance. Messages leave through it if nothing else decides. */
export const defaultInstanceId =
  'SELECT id FROM chat_instances WHERE tenant_id = $1 AND deleted_at IS NULL ORDER BY is_default DESC, id LIMIT 1';
