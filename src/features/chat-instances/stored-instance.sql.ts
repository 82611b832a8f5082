// A chat instance as those read it who ask its gateway for the line: where it is, and how it stood before.

import type { NamedStatement } from '../../platform/database.js';
import type { ChatInstanceStatus } from '../../platform/prisma/enums.js';
import type { StoredLine } from './gateway-endpoints.js';

export interface LineRow extends StoredLine {
  status: ChatInstanceStatus;
  lastError: string | null;
  /** By the database's clock. */
  statusChangedAt: Date;
}

/** Of an instance `i`. */
export const lineColumns = `i.id AS "instanceId", i.provider, i.instance_name AS "instanceName", i.base_url AS "baseUrl",
  i.token_ciphertext AS "tokenCiphertext", i.metadata->>'phoneNumberId' AS "phoneNumberId",
  i.metadata->>'apiVersion' AS "apiVersion", i.status, i.last_error AS "lastError",
  i.status_changed_at AS "statusChangedAt"`;

const selectLineText = `SELECT ${lineColumns} FROM chat_instances i
  WHERE i.tenant_id = $1 AND i.id = $2 AND i.deleted_at IS NULL`;

/** $1 tenant, $2 instance. */
export const selectLine: NamedStatement = { name: 'select-line', text: selectLineText };

/** As `selectLine`; a change waits for another's end. */
export const lockLine: NamedStatement = { name: 'lock-line', text: `${selectLineText} FOR NO KEY UPDATE` };

/** Whether what the gateway said of the one is true of the other. */
export function isSameLine(one: StoredLine, other: StoredLine): boolean {
  return one.provider === other.provider && one.instanceName === other.instanceName && one.baseUrl === other.baseUrl;
}
