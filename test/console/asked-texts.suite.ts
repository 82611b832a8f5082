import { readInTurn } from '../../src/console/api/read-in-turn.js';
import { AskedTexts } from '../../src/console/live/asked-texts.js';

export function describeAskedTexts(): void {
  test('what a field asked for is not shown to it again, however late it comes', () => {
    const asked = new AskedTexts('');
    asked.ask('an');
    asked.ask('ana');
    expect(asked.takes('an')).toBe(false);
    expect(asked.takes('ana')).toBe(false);
    expect(asked.takes('ana')).toBe(false);
  });

  test('what others put into the address is shown, also what the field asked for before', () => {
    const asked = new AskedTexts('');
    asked.ask('an');
    asked.ask('ana');
    expect(asked.takes('ana')).toBe(false);
    expect(asked.takes('an')).toBe(true);
    expect(asked.takes('')).toBe(true);
  });
}

const pageOf = (from: number, hasNextPage: boolean) => ({
  edges: [{ node: from }, { node: from + 1 }],
  pageInfo: { hasNextPage, endCursor: String(from + 2) },
});

export function describeReadInTurn(): void {
  const load = (after: string | undefined) => Promise.resolve(pageOf(Number(after ?? 0), Number(after ?? 0) < 4));
  const isNewest = () => true;

  test('reads as many pages as are wanted, each after the one before', async () => {
    const read = await readInTurn(load, { after: undefined, count: 2, isNewest });
    expect(read).toEqual({ nodes: [0, 1, 2, 3], pages: 2, after: '4', hasMore: true });
  });

  test('ends with the last page, and where nobody waits any more', async () => {
    const all = await readInTurn(load, { after: undefined, count: 9, isNewest });
    expect(all).toEqual({ nodes: [0, 1, 2, 3, 4, 5], pages: 3, after: '6', hasMore: false });
    const one = await readInTurn(load, { after: '2', count: 9, isNewest: () => false });
    expect(one.nodes).toEqual([2, 3]);
  });
}
