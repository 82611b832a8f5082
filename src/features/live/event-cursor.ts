// A client's place in its tenant's event log, as text that means nothing to anybody else.

import { invalidField } from '../../platform/errors.js';

// Enough to tell another tenant's cursor.
const tenantMarkLength = 12;
const pattern = /^([0-9a-f]{12}):(0|[1-9]\d{0,15})$/;

export function encodeEventCursor(tenantId: string, seq: number): string {
  return Buffer.from(`${tenantId.slice(-tenantMarkLength)}:${seq}`).toString('base64url');
}

/** @throws AppError VALIDATION_FAILED on `after` for what is no cursor of this tenant's events */
export function decodeEventCursor(tenantId: string, cursor: string): number {
  const [, mark, digits] = pattern.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const seq = Number(digits);
  // Decoding is lenient: what was written otherwise is none of ours.
  if (mark !== tenantId.slice(-tenantMarkLength) || encodeEventCursor(tenantId, seq) !== cursor)
    throw invalidField('after', 'is not a cursor of these events');
  return seq;
}
