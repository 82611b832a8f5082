// The line of time of a lead, put together from lists that are read page by page.

import { daysOf, rowsOf, storyOf, type StoryItem } from '../../src/console/pages/lead/story.js';

export function describeStory(): void {
  const item = (id: string, at: string) => ({ kind: 'note', id, at: `2026-11-${at}:00.000Z` }) as StoryItem;
  const idsOf = (items: readonly StoryItem[]) => items.map(({ id }) => id).join('');

  it('is in the order of the times, the newest first', () => {
    const first = { items: [item('a', '03T10:00'), item('d', '01T10:00')], hasMore: false };
    const second = { items: [item('b', '02T11:00'), item('c', '02T10:00')], hasMore: false };
    const { items, waitsFor } = storyOf([first, second]);
    expect(idsOf(items)).toBe('abcd');
    expect(waitsFor).toEqual([]);
    expect(daysOf(items).map((day) => idsOf(day.items))).toEqual(['a', 'bc', 'd']);
  });

  it('ends where a list has more, and goes on once that is read', () => {
    const long = { items: [item('a', '05T10:00'), item('b', '04T10:00')], hasMore: true };
    const short = { items: [item('x', '04T12:00'), item('y', '03T12:00'), item('z', '01T12:00')], hasMore: true };
    const { items, waitsFor } = storyOf([long, short]);
    expect(idsOf(items)).toBe('axb');
    expect(waitsFor).toEqual([0]);
    const longer = { items: [...long.items, item('c', '02T10:00')], hasMore: false };
    const next = storyOf([longer, short]);
    expect(idsOf(next.items)).toBe('axbycz');
    expect(next.waitsFor).toEqual([1]);
  });

  it('says nothing while a list is not read yet', () => {
    const known = { items: [item('a', '05T10:00')], hasMore: false };
    expect(storyOf([known, { items: [], hasMore: true }])).toEqual({ items: [], waitsFor: [1] });
  });

  it('is in the other order too, and ends where a list has more', () => {
    const long = { items: [item('a', '01T10:00'), item('b', '02T10:00')], hasMore: true };
    const short = { items: [item('x', '01T12:00'), item('y', '03T12:00')], hasMore: false };
    const { items, waitsFor } = storyOf([long, short], 'oldestFirst');
    expect(idsOf(items)).toBe('axb');
    expect(waitsFor).toEqual([0]);
    expect(storyOf([{ items: [], hasMore: true }, short], 'oldestFirst')).toEqual({ items: [], waitsFor: [0] });
  });

  const said = (id: string, at: string, direction = 'INBOUND', more: object = {}) => {
    const message = { createdAt: `2026-11-${at}:00.000Z`, direction, status: null, scheduledFor: null, ...more };
    return { ...item(id, at), kind: 'message', message } as StoryItem;
  };
  const now = Date.parse('2026-11-20T12:00:00.000Z');

  it('has turns, which read downwards in either order', () => {
    const oldest = [
      said('a', '20T10:00'),
      said('b', '20T10:02'),
      said('c', '20T10:03', 'OUTBOUND'),
      item('n', '20T10:04'),
      said('d', '20T10:05', 'OUTBOUND'),
      said('e', '20T10:20', 'OUTBOUND'),
    ];
    const drawn = (items: readonly StoryItem[], order: 'newestFirst' | 'oldestFirst') =>
      rowsOf(items, order, now)
        .map((row) => (row.kind === 'fold' ? 'fold' : `${row.isFollowUp ? '+' : ' '}${row.item.id}`))
        .join('');
    const call = said('k', '20T10:01', 'INBOUND', { type: 'call' });
    expect(drawn([...oldest.slice(0, 1), call, ...oldest.slice(1, 2)], 'oldestFirst')).toBe(' a k b');
    expect(drawn(oldest, 'oldestFirst')).toBe(' a+b c n d e');
    expect(drawn(oldest.toReversed(), 'newestFirst')).toBe(' e d n c a+b');
  });

  it('folds many messages between two other events, unless they are new', () => {
    const many = (day: string) =>
      Array.from({ length: 6 }, (_, index) =>
        said(String(index), `${day}T1${index}:00`, index % 2 === 0 ? 'OUTBOUND' : 'INBOUND'),
      );
    expect(rowsOf(many('20'), 'oldestFirst', now)).toHaveLength(6);
    expect(rowsOf(many('19'), 'oldestFirst', now)).toHaveLength(6);
    expect(rowsOf(many('17').slice(1), 'oldestFirst', now)).toHaveLength(5);
    const [fold] = rowsOf(many('17').toReversed(), 'newestFirst', now);
    expect(fold).toMatchObject({
      kind: 'fold',
      id: '5',
      from: '2026-11-17T10:00:00.000Z',
      until: '2026-11-17T15:00:00.000Z',
    });
    expect(fold?.kind === 'fold' && fold.rows.map((row) => row.item.id).join('')).toBe('543210');
  });

  it('a scheduled message stands where it leaves, whatever is still to be read', () => {
    const later = { scheduledFor: '2026-11-21T09:00:00.000Z', status: 'QUEUED' };
    const scheduled = { ...said('s', '20T10:00', 'OUTBOUND', later), at: later.scheduledFor };
    const notes = { items: [item('x', '20T11:00'), item('y', '01T11:00')], hasMore: false };
    const { items } = storyOf([{ items: [scheduled, said('a', '20T09:00')], hasMore: true }, notes]);
    expect(idsOf(items)).toBe('sxa');
    const fromTheOldest = storyOf([{ items: [scheduled], hasMore: true }, notes], 'oldestFirst');
    expect(idsOf(fromTheOldest.items)).toBe('ys');
  });
}
