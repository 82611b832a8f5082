// Places recovered messages at the time at which they were written, but in the order of the history with messages that webhooks brought.
// Gateways give whole seconds, and messages that webhooks brought have the time of their arrival.

import { recordIdAt, timeOfId } from '../../platform/database/record-id.js';

/** A record of a history in its order, the oldest first. */
export interface PlacedRecord {
  /** Names the conversation; null where it is none of ours. */
  chat: string | null;
  writtenAt: Date;
  /** The id of its message, where that is here. */
  knownId: string | undefined;
}

/** A message with an id from before it was written was queued here, and stands where it was queued: it says nothing about others. */
const clockSkewMs = 2_000;
/** A step within a millisecond of an id: a 4,096th of it. */
const step = 1n << 62n;
/**
 * A step behind the last id. The next message is not read yet, and may have the very next id of the same webhook call: that is 2 ** 42
 * away, more or less.
 */
const smallStep = 1n << 32n;

/**
 * Ids for the records that are not here, by their index; undefined for the others.
 * @param lastIds the last id in each conversation before these records; it is brought up to date
 */
export function placeRecords(
  records: readonly PlacedRecord[],
  lastIds: Map<string, string>,
  now: Date,
): (string | undefined)[] {
  const nextIds = nextKnownIds(records);
  return records.map((record, index) => {
    const { chat, writtenAt, knownId } = record;
    if (chat === null) return knownId === undefined ? recordIdAt(earliest(writtenAt, now)) : undefined;
    const before = lastIds.get(chat);
    const id = knownId ?? placeOne(earliest(writtenAt, now), before, nextIds[index]);
    if (knownId === undefined || (isNeighbour(record) && knownId > (before ?? ''))) lastIds.set(chat, id);
    return knownId === undefined ? id : undefined;
  });
}

/** For each record, the id of the next message in its conversation that is here. */
function nextKnownIds(records: readonly PlacedRecord[]): (string | undefined)[] {
  const next = new Map<string, string>();
  return records
    .toReversed()
    .map((record) => {
      if (record.chat === null) return undefined;
      const id = next.get(record.chat);
      if (record.knownId !== undefined && isNeighbour(record)) next.set(record.chat, record.knownId);
      return id;
    })
    .reverse();
}

function isNeighbour({ knownId, writtenAt }: PlacedRecord): boolean {
  return knownId !== undefined && timeOfId(knownId).getTime() >= writtenAt.getTime() - clockSkewMs;
}

function placeOne(writtenAt: Date, before: string | undefined, after: string | undefined): string {
  const wanted = recordIdAt(writtenAt);
  if (after !== undefined && before !== undefined && after <= before) {
    // They came in the other order: the time decides.
    return wanted;
  }
  if (before !== undefined && before >= wanted) return after === undefined ? behind(before) : between(before, after);
  if (after === undefined || wanted < after) return wanted;
  return between(before ?? firstBefore(after), after);
}

function earliest(one: Date, other: Date): Date {
  return one < other ? one : other;
}

function behind(id: string): string {
  return toId(toNumber(id) + smallStep);
}

function firstBefore(id: string): string {
  return toId(toNumber(id) - 2n * step);
}

function between(lower: string, upper: string): string {
  const [from, to] = [toNumber(lower), toNumber(upper)];
  const half = (to - from) / 2n;
  return toId(from + (half < step ? half : step));
}

// A UUID v7 without its version and variant: 48 bits of milliseconds, then 12 and 62 bits.

function toNumber(id: string): bigint {
  const bits = BigInt(`0x${id.replaceAll('-', '')}`);
  const [time, high, low] = [bits >> 80n, (bits >> 64n) & 0xfffn, bits & ((1n << 62n) - 1n)];
  return (time << 74n) | (high << 62n) | low;
}

function toId(number: bigint): string {
  const [time, high, low] = [number >> 74n, (number >> 62n) & 0xfffn, number & ((1n << 62n) - 1n)];
  const bits = (time << 80n) | (0x7n << 76n) | (high << 64n) | (0b10n << 62n) | low;
  const hex = bits.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
