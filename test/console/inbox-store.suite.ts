// The list of the inbox: readings that meet, and a view that only the server can judge.

import type { FeedSubscription, LeadRowFragment } from '../../src/console/api/operations.js';
import { inboxQueryOf } from '../../src/console/live/inbox-filter.js';
import { InboxStore, type InboxPage } from '../../src/console/live/inbox-store.js';
import { jest } from '../support/jest.js';

const at = '2026-01-01T00:00:00.000Z';
const rowOf = (id: string) =>
  ({ id, conversationStatus: 'OPEN', lastMessage: { createdAt: at, origin: 'LEAD' } }) as unknown as LeadRowFragment;
const received = (id: string) =>
  ({ type: 'MESSAGE_RECEIVED', leadId: id, lead: rowOf(id) }) as unknown as FeedSubscription['events'];
const pageOf = (...ids: string[]): InboxPage => ({
  rows: ids.map((id) => ({ row: rowOf(id), cursor: id })),
  hasMore: false,
});
const idsOf = (store: InboxStore) => store.state.value.rows.map(({ id }) => id).toSorted();

export function describeInboxStore(): void {
  afterEach(() => jest.useRealTimers());

  it('what comes during a reading stays, though another one has waited with it', async () => {
    const answers: ((page: InboxPage) => void)[] = [];
    const store = new InboxStore(
      inboxQueryOf({ view: 'all' }, 'me'),
      () => new Promise((resolve) => answers.push(resolve)),
    );
    const readings = [store.load(), store.load(), store.load()];
    answers[0]?.(pageOf('a'));
    await readings[0];
    while (answers.length < 2) await Promise.resolve();
    answers[1]?.(pageOf('a'));
    await readings[1];
    while (answers.length < 3) await Promise.resolve();
    store.receive(received('b'));
    answers[2]?.(pageOf('a'));
    await readings[2];
    expect(idsOf(store)).toEqual(['a', 'b']);
  });

  it('a view that is opened again asks the server about a row that it cannot judge', async () => {
    jest.useFakeTimers();
    let readings = 0;
    const store = new InboxStore(inboxQueryOf({ fromAd: 'true' }, 'me'), () => {
      readings += 1;
      return Promise.resolve(pageOf());
    });
    store.receive(received('a'));
    store.close();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(readings).toBe(0);
    store.receive(received('b'));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(readings).toBe(1);
  });

  it('a list that was read on stays as long when it is read again', async () => {
    const ids = ['g', 'f', 'e', 'd', 'c', 'b', 'a'];
    const asked: number[] = [];
    const mostAtOnce = 3;
    const store = new InboxStore(inboxQueryOf({ view: 'all' }, 'me'), (after, wanted) => {
      asked.push(wanted);
      const begin = after === undefined ? 0 : ids.indexOf(after) + 1;
      const end = begin + Math.min(Math.max(wanted, 2), mostAtOnce);
      return Promise.resolve({ ...pageOf(...ids.slice(begin, end)), hasMore: end < ids.length });
    });
    await store.load();
    await store.loadMore();
    await store.loadMore();
    expect(idsOf(store)).toEqual(['b', 'c', 'd', 'e', 'f', 'g']);
    asked.length = 0;
    await store.readAgain();
    expect(idsOf(store)).toEqual(['b', 'c', 'd', 'e', 'f', 'g']);
    expect(asked).toEqual([6, 3]);
    expect(store.state.value.hasMore).toBe(true);
  });
}
