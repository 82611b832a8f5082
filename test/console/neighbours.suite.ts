// The conversation that comes next, after one is closed or by a key.

import * as neighbours from '../../src/console/live/neighbours.js';

const { beginOrder, changeOrder, stepFrom } = neighbours;

export function describeNeighbours(): void {
  const placesOf = (names: string[]) => names.map((name) => ({ id: name.charAt(0), isWaiting: name.endsWith('!') }));
  const order = (...names: string[]) => beginOrder(placesOf(names));
  const change = (...names: string[]) => changeOrder(placesOf(names));
  const neighbourOf = (id: string) => neighbours.neighbourOf(id)?.id;
  const nextWaitingAfter = (id: string) => neighbours.nextWaitingAfter(id)?.id;
  afterEach(() => order());

  it('is the one below in the list, else the one above', () => {
    order('a', 'b', 'c');
    expect(['a', 'b', 'c', 'elsewhere'].map(neighbourOf)).toEqual(['b', 'c', 'b', 'a']);
    order('a');
    expect(neighbourOf('a')).toBeUndefined();
  });

  it('after an answer is the next that waits, also from the top again, and never the same', () => {
    order('a!', 'b!', 'c', 'd!');
    expect(['a', 'b', 'd', 'elsewhere'].map(nextWaitingAfter)).toEqual(['b', 'd', 'a', 'a']);
    order('a!', 'b');
    expect(nextWaitingAfter('a')).toBeUndefined();
  });

  it('is a step of a key further, and at an end of the list the one there', () => {
    order('a', 'b', 'c');
    expect(['a', 'c', 'elsewhere', undefined].map((id) => stepFrom(id, 1))).toEqual(['b', 'c', 'a', 'a']);
    expect(['c', 'a', 'elsewhere', undefined].map((id) => stepFrom(id, -1))).toEqual(['b', 'a', 'a', 'a']);
    order();
    expect(stepFrom('a', 1)).toBeUndefined();
  });

  it('of a conversation that has left the list is counted from its former place', () => {
    order('a!', 'b', 'c!', 'd');
    change('a!', 'c!', 'd');
    expect([neighbourOf('b'), stepFrom('b', 1), stepFrom('b', -1), nextWaitingAfter('b')]).toEqual([
      'c',
      'c',
      'a',
      'c',
    ]);
    // The one below leaves as well, and a new one comes in at the top.
    change('e', 'a!', 'd');
    expect([stepFrom('b', 1), stepFrom('b', -1), stepFrom('c', -1)]).toEqual(['d', 'a', 'a']);
    change('e', 'a!');
    expect([stepFrom('d', 1), stepFrom('d', -1), neighbourOf('d'), nextWaitingAfter('d')]).toEqual([
      'a',
      'a',
      'a',
      'a',
    ]);
    // Back in the list, it has the place that it has there.
    change('d', 'e', 'a!');
    expect(stepFrom('d', 1)).toBe('e');
  });

  it('of a conversation of another list is the first, and so it is of one that left long ago', () => {
    order('a', 'b', 'c');
    change('a', 'c');
    order('x', 'c');
    expect(stepFrom('b', 1)).toBe('x');
    for (let count = 0; count <= 50; count += 1) {
      change('x', 'y', String.fromCodePoint(0x100 + count));
      change('x', 'y');
    }
    expect([0x100, 0x101].map((code) => stepFrom(String.fromCodePoint(code), -1))).toEqual(['x', 'y']);
  });
}
