// The habit of an instance, and the places of recovered messages: rules without a database.

import { expectedLeads, habitOf } from '../../../src/features/recovery/instance-habit.js';
import { placeRecords, type PlacedRecord } from '../../../src/features/recovery/message-place.js';
import { firstIdAt, newRecordId, recordIdAt, timeOfId } from '../../../src/platform/database/record-id.js';

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
      knownId: recordIdAt(at(arrivedSeconds)),
    });
    const missing = (seconds: number, chat = 'a'): PlacedRecord => ({
      chat,
      writtenAt: at(seconds),
      knownId: undefined,
    });
    const idsOf = (records: readonly PlacedRecord[], lastIds = new Map<string, string>()) =>
      placeRecords(records, lastIds, now).map((id, index) => id ?? records[index]?.knownId ?? '');

    test('is its time where nothing else is known', () => {
      const [id = ''] = idsOf([missing(10)]);
      expect(timeOfId(id)).toEqual(at(10));
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    });

    test('of many in one second is in the order of the history, each with an id of its own', () => {
      const ids = idsOf(Array.from({ length: 500 }, () => missing(10)));
      expect(ids).toEqual([...new Set(ids)].sort());
      expect(timeOfId(ids[499] ?? '').getTime() - at(10).getTime()).toBeLessThan(1_000);
    });

    test('between two that came late is between them', () => {
      const ids = idsOf([known(10, 900), missing(20), missing(21), known(30, 900.001), missing(40)]);
      expect(ids).toEqual([...ids].sort());
    });

    test('stays its time where what came says nothing: another chat, the other order, what was queued before', () => {
      const records = [known(5, 900, 'b'), known(10, 900), missing(20), known(30, 31), known(40, -500), missing(50)];
      const ids = idsOf(records);
      expect(timeOfId(ids[2] ?? '')).toEqual(at(20));
      const [, queued = ''] = idsOf([known(40, -500), missing(50)]);
      expect(timeOfId(queued)).toEqual(at(50));
    });

    test('knows the end of the records before', () => {
      const lastIds = new Map<string, string>();
      const [first = ''] = idsOf([known(10, 900)], lastIds);
      const [second = ''] = idsOf([missing(20)], lastIds);
      expect(second > first).toBe(true);
    });

    test('at the end of the records that were read is before the next message of the same webhook call', () => {
      const [first, next] = [newRecordId(), newRecordId()];
      const writtenAt = new Date(now.getTime() - 60_000);
      const records = [first, undefined].map((knownId) => ({ chat: 'a', writtenAt, knownId }));
      const [, placed = ''] = placeRecords(records, new Map(), new Date());
      expect([next, placed, first].toSorted()).toEqual([first, placed, next]);
    });

    test('is never a time to come', () => {
      const [id = ''] = idsOf([missing(7_200)]);
      expect(id < firstIdAt(new Date(now.getTime() + 1))).toBe(true);
    });
  });
}
