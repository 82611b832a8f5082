// Owns what the protocols share: a report with all that each of them needs, and the numbers and ids that gateways make up.

import { createHash } from 'node:crypto';
import type { HistoryRow } from './message-history.js';
import type { Report } from './report-plan.js';

/** A report with all that a protocol needs to write it. */
export interface DressedReport {
  readonly report: Report;
  /** The message that the report is about; undefined for a report on the instance, or when the message is forgotten. */
  readonly row: HistoryRow | undefined;
  /** The message that the row changes or answers; undefined when it is not known. */
  readonly other: HistoryRow | undefined;
  /** The time in milliseconds since 1970. */
  readonly now: number;
  /** The simulator's address; empty until it listens. */
  readonly serverUrl: string;
}

/** The number that an instance writes from: the same for the same name. */
export function ownNumberOf(instance: string): string {
  return `4930${String(createHash('sha256').update(instance).digest().readUInt32BE() % 100_000_000).padStart(8, '0')}`;
}

/** Hexadecimal digits that a gateway makes up: the same for the same name. @param length 64 at most */
export function digitsOf(name: string, length: number): string {
  return createHash('sha256').update(name).digest('hex').slice(0, length);
}

/** The digits, or the network's id, of a caller's address: `55…`, `+55…`, `55…@c.us`, `55…@s.whatsapp.net` or `1…@lid`. */
export function numberOf(address: string, numberBehind: (lid: string) => string | undefined): string {
  const [name = '', domain = ''] = address.split('@');
  if (domain === 'lid') return numberBehind(name) ?? address;
  return ['', 'c.us', 's.whatsapp.net'].includes(domain) ? name.replace('+', '') : address;
}
