// The line of time of a lead, put together from lists that are read page by page.

import { daysOf, storyOf, type StoryItem } from '../../src/console/pages/lead/story.js';

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
}
