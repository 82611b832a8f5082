// The window over a conversation: its order, changes by events, pages on both sides, and its bound.

import {
  ConversationStore,
  type ChatMessage,
  type MessagePage,
  type MessageRange,
} from '../../src/console/live/conversation-store.js';
import { idAt, messageAt } from './chat-message.js';

/** A server with messages 1 to `count`, which answers like `messages` of the API. */
class Server {
  readonly asked: MessageRange[] = [];
  messages: ChatMessage[];
  /** Runs after the page is read and before it arrives. */
  beforeAnswer = () => {};

  constructor(count: number) {
    this.messages = Array.from({ length: count }, (_, index) => messageAt(index + 1));
  }

  readonly load = async (range: MessageRange): Promise<MessagePage> => {
    this.asked.push(range);
    const [from, to] = this.bounds(range);
    const page = this.messages.slice(from, to);
    const answer = {
      entries: page.map((message) => ({ cursor: `cursor ${message.id}`, message })),
      hasOlder: from > 0,
      hasNewer: to < this.messages.length,
    };
    this.beforeAnswer();
    return answer;
  };

  private bounds(range: MessageRange): [number, number] {
    const { length } = this.messages;
    const placeOf = (id: string) => this.messages.findIndex((message) => message.id === id);
    if ('last' in range) {
      const end = range.before === undefined ? length : placeOf(range.before.slice(7));
      return [Math.max(0, end - range.last), end];
    }
    const start =
      'after' in range
        ? placeOf(range.after.slice(7)) + 1
        : Math.max(0, placeOf(range.around) - Math.floor(range.first / 2));
    return [start, Math.min(length, start + range.first)];
  }
}

const limits = { page: 10, kept: 30 };
const placesOf = (store: ConversationStore) =>
  store.state.value.messages.map(
    ({ createdAt }) => (Date.parse(createdAt) - Date.parse(messageAt(0).createdAt)) / 60_000,
  );
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

async function opened(count: number, around?: number) {
  const server = new Server(count);
  const store = new ConversationStore(server.load, limits);
  await store.show(around === undefined ? undefined : idAt(around));
  return { server, store };
}

export function describeConversationStore() {
  it('shows the newest page first, then older ones by their cursors', async () => {
    const { server, store } = await opened(25);
    expect(placesOf(store)).toEqual(range(16, 25));
    await store.loadOlder();
    await store.loadOlder();
    expect(placesOf(store)).toEqual(range(1, 25));
    expect(store.state.value).toMatchObject({ hasOlder: false, hasNewer: false });
    await store.loadOlder();
    expect(server.asked).toHaveLength(3);
  });

  it('asks once for an older page that is under way', async () => {
    const { server, store } = await opened(25);
    await Promise.all([store.loadOlder(), store.loadOlder()]);
    expect(server.asked).toHaveLength(2);
    expect(placesOf(store)).toEqual(range(6, 25));
  });

  it('puts new messages at the end, recovered ones in their place, and none twice', async () => {
    const { store } = await opened(5);
    const recovered = messageAt(2.5);
    for (const message of [messageAt(6), recovered, messageAt(6), recovered]) store.receive(message);
    expect(placesOf(store)).toEqual([1, 2, 2.5, 3, 4, 5, 6]);
  });

  it('changes a message in place', async () => {
    const { store } = await opened(3);
    store.receive(messageAt(2, { body: 'edited', editedAt: '2026-11-23T13:00:00.000Z' }));
    expect(store.state.value.messages[1]).toMatchObject({ body: 'edited' });
    expect(placesOf(store)).toEqual([1, 2, 3]);
  });

  it('leaves to later pages what lies before the window', async () => {
    const { store } = await opened(25);
    store.receive(messageAt(3, { body: 'edited' }));
    expect(placesOf(store)).toEqual(range(16, 25));
  });

  it('keeps what events told while a page was read', async () => {
    const server = new Server(5);
    const store = new ConversationStore(server.load, limits);
    server.beforeAnswer = () => {
      store.receive(messageAt(5, { body: 'edited' }));
      store.receive(messageAt(6));
    };
    await store.show();
    expect(placesOf(store)).toEqual(range(1, 6));
    expect(store.state.value.messages[4]).toMatchObject({ body: 'edited' });
  });

  it('does not let an answer replace what an event has told', async () => {
    const { store } = await opened(1);
    store.receive(messageAt(2, { direction: 'OUTBOUND', status: 'SENT' }));
    store.receiveAnswer(messageAt(2, { direction: 'OUTBOUND', status: 'QUEUED' }));
    expect(store.state.value.messages[1]).toMatchObject({ status: 'SENT' });
    store.receiveAnswer(messageAt(3));
    expect(placesOf(store)).toEqual([1, 2, 3]);
  });

  it('tells apart what has come and what has been in the page', async () => {
    const { store } = await opened(3);
    const idOf = (place: number) => messageAt(place).id;
    store.noteShown(messageAt(3));
    // The new message stands below the screen.
    store.receive(messageAt(4));
    expect([store.newestId, store.newestShownId]).toEqual([idOf(4), idOf(3)]);
    // Scrolling to an older message does not move the mark back.
    store.noteShown(messageAt(1));
    expect(store.newestShownId).toBe(idOf(3));
    store.noteShown(messageAt(4));
    expect(store.newestShownId).toBe(idOf(4));
    // The user's own message counts as shown, wherever it stands.
    store.receiveAnswer(messageAt(5, { direction: 'OUTBOUND', status: 'QUEUED' }));
    expect(store.newestShownId).toBe(idOf(5));
  });

  it('shows the page around a message, and goes on in both directions', async () => {
    const { store } = await opened(60, 30);
    expect(store.state.value).toMatchObject({ hasOlder: true, hasNewer: true });
    expect(placesOf(store)).toEqual(range(25, 34));
    store.receive(messageAt(61));
    expect(placesOf(store)).toEqual(range(25, 34));
    await store.loadNewer();
    await store.loadOlder();
    expect(placesOf(store)).toEqual(range(15, 44));
    await store.show();
    expect(placesOf(store)).toEqual(range(51, 60));
  });

  it('keeps at most so many: the far end is cut off, and read again on the way back', async () => {
    const { server, store } = await opened(60);
    await store.loadOlder();
    await store.loadOlder();
    await store.loadOlder();
    expect(placesOf(store)).toEqual(range(21, 50));
    expect(store.state.value).toMatchObject({ hasOlder: true, hasNewer: true });
    await store.loadNewer();
    expect(placesOf(store)).toEqual(range(31, 60));
    expect(store.state.value).toMatchObject({ hasOlder: true, hasNewer: false });
    server.messages.push(messageAt(61));
    store.receive(messageAt(61));
    expect(placesOf(store)).toEqual(range(32, 61));
  });

  it('reads older messages also where its oldest one came by an event', async () => {
    const { server, store } = await opened(5);
    for (const place of range(6, 60)) {
      server.messages.push(messageAt(place));
      store.receive(messageAt(place));
    }
    expect(placesOf(store)).toEqual(range(31, 60));
    await store.loadOlder();
    expect(placesOf(store)[0]).toBeLessThan(31);
    expect(placesOf(store)).toEqual(range(placesOf(store)[0] ?? 0, placesOf(store).at(-1) ?? 0));
  });

  it('reads again after events may have been missed', async () => {
    const { server, store } = await opened(5);
    server.messages.push(messageAt(6), messageAt(7));
    server.messages[0] = messageAt(1, { deletedAt: '2026-11-23T13:00:00.000Z', body: null });
    await store.readAgain();
    expect(placesOf(store)).toEqual(range(1, 7));
    expect(store.state.value.messages[0]).toMatchObject({ body: null });
  });

  it('drops an older page that arrives after a jump', async () => {
    const { server, store } = await opened(60);
    const older = store.loadOlder();
    const jump = store.show(idAt(10));
    await Promise.all([older, jump]);
    expect(placesOf(store)).toEqual(range(5, 14));
    expect(server.asked).toHaveLength(3);
  });

  it('keeps the newest page alone while it is out of sight', async () => {
    const { store } = await opened(60);
    await store.loadOlder();
    store.trim();
    expect(placesOf(store)).toEqual(range(51, 60));
    await store.show(idAt(10));
    store.trim();
    expect(store.state.value).toMatchObject({ status: 'loading', messages: [] });
  });

  it('tells of a failure, and shows the messages once it has passed', async () => {
    const server = new Server(3);
    let fails = true;
    const store = new ConversationStore((asked) => {
      if (fails) throw new Error('out');
      return server.load(asked);
    }, limits);
    await store.show();
    expect(store.state.value).toMatchObject({ status: 'failed' });
    fails = false;
    await store.show();
    expect(placesOf(store)).toEqual([1, 2, 3]);
    fails = true;
    await store.show();
    expect(store.state.value).toMatchObject({ status: 'ready' });
    expect(placesOf(store)).toEqual([1, 2, 3]);
  });

  it('knows that a failed reading leaves it behind, until one succeeds', async () => {
    const { server, store } = await opened(12);
    server.beforeAnswer = () => {
      throw new Error('no network');
    };
    await store.readAgain();
    expect([store.isOutdated, store.state.value.status]).toEqual([true, 'ready']);
    server.beforeAnswer = () => {};
    server.messages.push(messageAt(13));
    await store.readAgain();
    expect([store.isOutdated, store.state.value.error, placesOf(store).at(-1)]).toEqual([false, undefined, 13]);
  });

  it('shows what it was to show when a first reading that failed is repeated', async () => {
    const server = new Server(40);
    const store = new ConversationStore(server.load, limits);
    server.beforeAnswer = () => {
      throw new Error('no network');
    };
    await store.show(idAt(5));
    expect(store.state.value.status).toBe('failed');
    server.beforeAnswer = () => {};
    await store.readAgain();
    expect(store.has(idAt(5))).toBe(true);
  });

  it('forgets the error of an older page once it is asked for again', async () => {
    const { server, store } = await opened(25);
    server.beforeAnswer = () => {
      throw new Error('no network');
    };
    await store.loadOlder();
    expect(store.state.value.error).toBeInstanceOf(Error);
    server.beforeAnswer = () => {};
    await store.loadOlder();
    expect([store.state.value.error, placesOf(store)[0]]).toEqual([undefined, 6]);
  });

  it('answers the newest message that is left, when those of a merge are taken away', async () => {
    const { server, store } = await opened(12);
    store.noteShown(messageAt(12));
    server.messages.splice(10);
    expect(store.differFrom(idAt(10))).toBe(true);
    await store.readAgain();
    expect(store.differFrom(idAt(10))).toBe(false);
    expect(store.newestShownId).toBe(idAt(10));
  });

  it('differs from its lead by a newest message that it lacks or should lack, and not by a notice', async () => {
    const { server, store } = await opened(3);
    expect([store.differFrom(idAt(3)), store.differFrom(idAt(9)), store.differFrom(undefined)]).toEqual([
      false,
      true,
      true,
    ]);
    server.messages.push({ ...messageAt(4), isNotice: true });
    await store.readAgain();
    expect(store.differFrom(idAt(3))).toBe(false);
  });
}
