// `messages.update`: how far a message has come. Correlated by the message's id alone, because the jid beside it can be
// another customer's; it carries no time.

import type { FieldError } from '../../../platform/errors.js';
import { externalId, fieldErrors, isPlainObject } from '../../../platform/input.js';
import type { ReadReport, ReportedStatus } from './dialect.js';
import { objectAt, readLabel } from './evolution-value.js';

/** The network's numbers for a status, in their order. */
const numbered = ['ERROR', 'PENDING', 'SERVER_ACK', 'DELIVERY_ACK', 'READ', 'PLAYED'];

const statuses: ReadonlyMap<string, ReportedStatus['status']> = new Map([
  ['ERROR', 'FAILED'],
  ['SERVER_ACK', 'SENT'],
  ['DELIVERY_ACK', 'DELIVERED'],
  ['READ', 'READ'],
  ['PLAYED', 'READ'],
  ['SENT', 'SENT'],
  ['DELIVERED', 'DELIVERED'],
  ['FAILED', 'FAILED'],
]);

// Words of the business mode only, and the beginning of its message ids.
const businessWords = new Set(['SENT', 'DELIVERED', 'FAILED']);
const businessId = /^wamid\./;

/** @param path where `data` stands in the call, for errors */
export function readStatus(data: unknown, path: string): ReadReport {
  if (!isPlainObject(data)) return { errors: [{ path, message: 'has to be an object' }] };
  const written = data.status ?? objectAt(data, 'update').status;
  const word =
    typeof written === 'number' ? (numbered[written] ?? String(written)) : readLabel(written, 50)?.toUpperCase();
  const id = readId(data, path);
  if (word === undefined) {
    const message = written === undefined ? 'is required' : 'has to be a status';
    return { errors: [...('errors' in id ? id.errors : []), { path: `${path}.status`, message }] };
  }
  const status = statuses.get(word);
  if (status === undefined) return { item: { kind: 'ignored', reason: `a status that says nothing: ${word}` } };
  if (isOfLead(data, word, 'id' in id ? id.id : '')) {
    return { item: { kind: 'ignored', reason: "a status of the lead's own message" } };
  }
  if ('errors' in id) return id;
  const error = status === 'FAILED' ? { code: word } : undefined;
  return { item: { kind: 'status', externalId: id.id, status, error } };
}

function readId(data: Record<string, unknown>, path: string): { id: string } | { errors: FieldError[] } {
  const key = objectAt(data, 'key');
  const older = data.keyId === undefined && key.id !== undefined;
  const id = externalId.safeParse(older ? key.id : data.keyId);
  if (id.success) return { id: id.data };
  return { errors: fieldErrors(id.error, older ? `${path}.key.id` : `${path}.keyId`) };
}

// The business mode writes `fromMe: false` on all that it reports, and reports on our messages only.
function isOfLead(data: Record<string, unknown>, word: string, id: string): boolean {
  const fromMe = data.fromMe ?? objectAt(data, 'key').fromMe;
  return fromMe === false && !businessWords.has(word) && !businessId.test(id);
}
