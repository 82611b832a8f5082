// The habit of an instance, and the places of recovered messages: rules without a database.

import { expectedLeads, habitOf } from '../../../src/features/recovery/instance-habit.js';
import { placeRecords, type PlacedRecord } from '../../../src/features/recovery/message-place.js';
import { positionAt, positionStep, timeOfPosition } from '../../../src/features/leads/conversation/position.js';

const hourMs = 3_600_000;
const now = new Date('2026-11-20T15:30:00Z');
const hourNow = Math.floor(now.getTime() / hourMs);

export function describeInstanceHabit(): void {
  describe('a habit', () => {
    /** A row of `leads` for every hour of the last weeks for which `isBusy` holds. */
    const busy = (weeks: number, leads: number, isBusy: (hoursAgo: number) => boolean = () => true) =>
      Array.from({ length: weeks * 168 }, (_, index) => index + 1)
        .filter(isBusy)
        .map((hoursAgo) => ({ hour: hourNow - hoursAgo, leads }));

    test('of less than two weeks is none', () => {
      expect(habitOf(busy(1, 5), now)).toEqual([]);
      expect(habitOf([], now)).toEqual([]);
    });

    test('is that of the quietest week', () => {
      const counts = busy(3, 5).map((one) => (one.hour === hourNow - 170 ? { ...one, leads: 1 } : one));
      const habit = habitOf(counts, now);
      expect(habit).toHaveLength(168);
      expect(habit[(hourNow - 2) % 168]).toBe(1);
      expect(habit.filter((leads) => leads === 5)).toHaveLength(167);
    });

    test('of an hour that was silent in one week is nothing', () => {
      const habit = habitOf(
        busy(4, 5, (hoursAgo) => hoursAgo !== 10),
        now,
      );
      expect(habit[(hourNow - 10) % 168]).toBe(0);
    });

    test('tells how many leads would have written, by parts of hours', () => {
      const habit = habitOf(busy(4, 6), now);
      expect(expectedLeads(habit, now, new Date(now.getTime() + hourMs / 2))).toBeCloseTo(3);
      expect(expectedLeads(habit, now, new Date(now.getTime() + 2.5 * hourMs))).toBeCloseTo(15);
      expect(expectedLeads(habit, now, new Date(now.getTime() + 30 * 24 * hourMs))).toBeCloseTo(6 * 168);
      expect(expectedLeads([], now, new Date(now.getTime() + hourMs))).toBe(0);
    });
  });

  describe('the place of a recovered message', () => {
    const at = (seconds: number) => new Date(now.getTime() - 3_600_000 + seconds * 1_000);
    const known = (seconds: number, arrivedSeconds = seconds, chat = 'a'): PlacedRecord => ({
      chat,
      writtenAt: at(seconds),
      knownPosition: String(positionAt(at(arrivedSeconds))),
    });
    const missing = (seconds: number, chat = 'a'): PlacedRecord => ({
      chat,
      writtenAt: at(seconds),
      knownPosition: undefined,
    });
    const positionsOf = (records: readonly PlacedRecord[], lastPositions = new Map<string, bigint>()) =>
      placeRecords(records, lastPositions, now).map((position, index) =>
        BigInt(position ?? records[index]?.knownPosition ?? 0),
      );
    const inOrder = (positions: readonly bigint[]) =>
      positions.toSorted((one, other) => (one === other ? 0 : one < other ? -1 : 1));

    test('is its time where nothing else is known', () => {
      expect(positionsOf([missing(10)])).toEqual([positionAt(at(10))]);
    });

    test('of many in one second is in the order of the history, each a position of its own', () => {
      const positions = positionsOf(Array.from({ length: 20_000 }, () => missing(10)));
      expect(positions).toEqual(inOrder([...new Set(positions)]));
      expect(timeOfPosition(positions.at(-1) ?? 0n).getTime() - at(10).getTime()).toBeLessThan(1_000);
    });

    test('between two that came late is between them', () => {
      const positions = positionsOf([known(10, 900), missing(20), missing(21), known(30, 900.001), missing(40)]);
      expect(positions).toEqual(inOrder([...new Set(positions)]));
    });

    test('between two that leave no room is that of the one before it', () => {
      const first = positionAt(at(900));
      const records = [first, undefined, undefined, first + 1n].map((position) => ({
        chat: 'a',
        writtenAt: at(10),
        knownPosition: position === undefined ? undefined : String(position),
      }));
      expect(positionsOf(records)).toEqual([first, first, first, first + 1n]);
    });

    test('stays its time where what came says nothing: another chat, the other order, what was queued before', () => {
      const records = [known(5, 900, 'b'), known(10, 900), missing(20), known(30, 31), known(40, -500), missing(50)];
      expect(positionsOf(records)[2]).toBe(positionAt(at(20)));
      expect(positionsOf([known(40, -500), missing(50)])[1]).toBe(positionAt(at(50)));
    });

    test('knows the end of the records before', () => {
      const lastPositions = new Map<string, bigint>();
      const [first = 0n] = positionsOf([known(10, 900)], lastPositions);
      const [second = 0n] = positionsOf([missing(20)], lastPositions);
      expect(second > first).toBe(true);
    });

    test('at the end of the records that were read is before the next message of the same webhook call', () => {
      const first = positionAt(at(900));
      const next = first + BigInt(positionStep);
      const records = [String(first), undefined].map((knownPosition) => ({
        chat: 'a',
        writtenAt: at(10),
        knownPosition,
      }));
      const [, placed = 0n] = positionsOf(records);
      expect(inOrder([next, placed, first])).toEqual([first, placed, next]);
    });

    test('is never a time to come', () => {
      expect(positionsOf([missing(7_200)])).toEqual([positionAt(now)]);
    });
  });
}
