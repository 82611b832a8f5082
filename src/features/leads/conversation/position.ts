// A message's position is its place in the conversation. A new message stands behind all that are stored, whatever its gateway says of its
// time; only a message of a history stands at its own time. The position is a time in microseconds, times 1,024. So messages of a history
// find room between others, and the conversations of two leads that become one are joined by their times.

const unitsPerMs = 1_024_000n;
const lowest = 10n ** 18n;

/** The distance between messages that are written together: a microsecond. */
export const positionStep = 1_024;

/** Returns the position of a message that was written at that time. From 2001 to 2255 it has 19 digits. */
export function positionAt(time: Date): bigint {
  const position = BigInt(time.getTime()) * unitsPerMs;
  return position < lowest ? lowest : position;
}

/** Returns the time of a position, to the millisecond. */
export function timeOfPosition(position: bigint | string): Date {
  return new Date(Number(BigInt(position) / unitsPerMs));
}

/**
 * Locks leads of tenant $1 that are not merged, in the order of their ids, as the part `held` (id, last) of a WITH. `last` is a position
 * that is not before any of the lead's messages. It is read under the lock, so that no other transaction adds a message before this one
 * ends.
 * @param leadIds an array, in SQL
 */
export const heldLeads = (leadIds: string) => `locked AS (
      SELECT l.id, greatest(l.last_message_position, l.last_bulk_message_position) AS newest FROM leads l
      WHERE l.tenant_id = $1 AND l.id = ANY(${leadIds}) AND l.merged_into_id IS NULL
      ORDER BY l.id FOR NO KEY UPDATE
    ), held AS (
      SELECT id, greatest(message_position(clock_timestamp()), newest) AS last FROM locked
    )`;

/**
 * The position of a message behind another position, in SQL.
 * @param place the message's number among those that are written together, from 1
 */
export const positionBehind = (position: string, place: string) => `${position} + ${positionStep} * ${place}`;
