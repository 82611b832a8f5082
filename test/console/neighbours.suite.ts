// The conversation that opens once another is closed.

import { inboxOrder, neighbourOf, nextWaitingAfter } from '../../src/console/live/neighbours.js';

export function describeNeighbours(): void {
  const order = (...places: string[]) =>
    inboxOrder.set(places.map((place) => ({ id: place.charAt(0), isWaiting: place.endsWith('!') })));
  afterEach(() => inboxOrder.set([]));

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
}
