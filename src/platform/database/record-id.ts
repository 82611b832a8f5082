// The ids of records: UUIDs of version 7 that rise within a process, also within a millisecond and when the clock is set back.
// Their bits are laid out by the uuid library.

import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const bytesPerId = 16;
// Randomness is asked for in stocks: one call for each id would cost more than the rest of the id.
const stock = new Uint8Array(bytesPerId * 256);
// Half of the sequence's range is left to count up in.
const maxFirstSequence = 2 ** 31 - 1;
const sequenceEnd = 2 ** 32;

let used = stock.length;
let lastMs = 0;
let sequence = 0;

/** A new UUID v7, greater than every one before it in this process. */
export function newRecordId(): string {
  const random = takeRandom();
  advance(Date.now(), random);
  return uuidv7({ msecs: lastMs, seq: sequence, random });
}

function takeRandom(): Uint8Array {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  used += bytesPerId;
  return stock.subarray(used - bytesPerId, used);
}

function advance(nowMs: number, random: Uint8Array): void {
  sequence += 1;
  if (nowMs <= lastMs && sequence < sequenceEnd) return;
  lastMs = Math.max(nowMs, lastMs + 1);
  sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) & maxFirstSequence;
}

/** Returns the time at which a UUID v7 was made, to the millisecond. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

/** Returns the lowest UUID v7 of that time, in the order of ids. */
export function firstIdAt(time: Date, offsetMs = 0): string {
  const ms = Math.min(Math.max(time.getTime() + offsetMs, 0), 2 ** 48 - 1);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Makes a UUID v7 of that time: it stands among the ids of then, in no order with others of the same millisecond. */
export function recordIdAt(time: Date): string {
  return uuidv7({ msecs: time.getTime() });
}
