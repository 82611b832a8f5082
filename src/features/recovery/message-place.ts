// Places recovered messages at the time at which they were written, but in the order of the history with messages that webhooks brought.
// Gateways give whole seconds, and messages that webhooks brought have the time of their arrival.

import { positionAt, timeOfPosition } from '../leads/conversation/position.js';

/** A record of a history in its order, the oldest first. */
export interface PlacedRecord {
  /** Names the conversation; null where it is none of ours. */
  chat: string | null;
  writtenAt: Date;
  /** The position of its message, where that is here. */
  knownPosition: string | undefined;
}

/** A message that stands before it was written was queued here, and stands where it was queued: it says nothing about others. */
const clockSkewMs = 2_000;
/** The distance to a neighbour that is known: a quarter of a microsecond. */
const step = 256n;
/** The distance behind the last message, so that all records of a second stand within that second. */
const smallStep = 16n;

/**
 * Positions for the records that are not here, by their index; undefined for the others. Where neighbours leave no room, a record shares
 * the position of the one before it, and their ids decide.
 * @param lastPositions the last position in each conversation before these records; it is brought up to date
 */
export function placeRecords(
  records: readonly PlacedRecord[],
  lastPositions: Map<string, bigint>,
  now: Date,
): (string | undefined)[] {
  const nextPositions = nextKnownPositions(records);
  return records.map((record, index) => {
    const { chat, knownPosition } = record;
    const wanted = positionAt(record.writtenAt < now ? record.writtenAt : now);
    if (chat === null) return knownPosition === undefined ? String(wanted) : undefined;
    const before = lastPositions.get(chat);
    const position =
      knownPosition === undefined ? placeOne(wanted, before, nextPositions[index]) : BigInt(knownPosition);
    if (knownPosition === undefined || (isNeighbour(record) && position > (before ?? 0n)))
      lastPositions.set(chat, position);
    return knownPosition === undefined ? String(position) : undefined;
  });
}

/** For each record, the position of the next message in its conversation that is here. */
function nextKnownPositions(records: readonly PlacedRecord[]): (bigint | undefined)[] {
  const next = new Map<string, bigint>();
  return records
    .toReversed()
    .map((record) => {
      if (record.chat === null) return undefined;
      const position = next.get(record.chat);
      if (record.knownPosition !== undefined && isNeighbour(record))
        next.set(record.chat, BigInt(record.knownPosition));
      return position;
    })
    .reverse();
}

function isNeighbour({ knownPosition, writtenAt }: PlacedRecord): boolean {
  return knownPosition !== undefined && timeOfPosition(knownPosition).getTime() >= writtenAt.getTime() - clockSkewMs;
}

function placeOne(wanted: bigint, before: bigint | undefined, after: bigint | undefined): bigint {
  if (after !== undefined && before !== undefined && after <= before) {
    // They came in the other order: the time decides.
    return wanted;
  }
  if (before !== undefined && before >= wanted)
    return after === undefined ? before + smallStep : between(before, after);
  if (after === undefined || wanted < after) return wanted;
  return between(before ?? after - 2n * step, after);
}

function between(lower: bigint, upper: bigint): bigint {
  const half = (upper - lower) / 2n;
  return lower + (half < step ? half : step);
}
