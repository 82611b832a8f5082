// Owns what the dresses share: what happened, as each of them needs it, and names that every gateway of this kind gives to an instance.

import { createHash } from 'node:crypto';
import type { HistoryRow } from './message-history.js';
import type { Report } from './report-plan.js';

/** What happened, as a dress needs it. */
export interface DressedReport {
  readonly report: Report;
  /** What the report is about; undefined where it is about the instance, or where the message is forgotten. */
  readonly row: HistoryRow | undefined;
  /** The message that it changes or answers, where that is known. */
  readonly other: HistoryRow | undefined;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Where the simulator is; empty until it listens. */
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

/** Digits, or an id as the network writes it, of what a caller names somebody by: `55…`, `+55…`, `55…@c.us`, `55…@s.whatsapp.net`, `1…@lid`. */
export function numberOf(address: string, numberBehind: (lid: string) => string | undefined): string {
  const [name = '', domain = ''] = address.split('@');
  if (domain === 'lid') return numberBehind(name) ?? address;
  return ['', 'c.us', 's.whatsapp.net'].includes(domain) ? name.replace('+', '') : address;
}
