// The tenant's events over one socket, each once and in order. The socket reconnects by itself and continues after the last cursor.

import { createClient, type Client } from 'graphql-ws';
import { askAgain } from '../api/client.js';
import { EventCursorDocument, FeedDocument, type FeedSubscription } from '../api/operations.js';
import { accessToken, freshToken, onSignOut, renew, sessionState } from '../app/session.js';
import { Store } from '../app/store.js';

export type FeedEvent = FeedSubscription['events'];
export type ConnectionState = 'live' | 'reconnecting' | 'offline';

export interface FeedListener {
  onEvent(event: FeedEvent): void;
  /** Events may have been missed: listeners read their data again. */
  onResync(): void;
}

/** The state without a connection. The browser knows at once that it has no network. */
const notLive = (): ConnectionState => (navigator.onLine ? 'reconnecting' : 'offline');

export const connection = new Store<ConnectionState>(notLive());

const firstWaitMs = 500;
const maxWaitMs = 15_000;
const silenceMs = 10_000;
const maxWaiting = 5_000;

class Feed {
  private readonly listeners = new Set<FeedListener>();
  private client: Client | undefined;
  private leave: (() => void) | undefined;
  private cursor: string | undefined;
  private waitMs = firstWaitMs;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waiting: FeedEvent[] = [];
  private run = 0;
  private hasFailed = false;
  private started = Promise.withResolvers<void>();

  listen(listener: FeedListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Resolves once the feed knows its cursor: a reading from then on misses no event. If the feed cannot start, the promise resolves as
   * well, and a resync follows later. It never rejects, and resolves at once if no user is signed in.
   */
  whenReady(): Promise<void> {
    return sessionState.value.user === undefined ? Promise.resolve() : this.started.promise;
  }

  /** Starts the feed after sign-in. */
  start(): void {
    const run = (this.run += 1);
    const goOn = ({ eventCursor }: { eventCursor: string }) => {
      this.cursor = eventCursor;
      this.connect();
      if (this.hasFailed) this.tellResync();
      this.hasFailed = false;
    };
    const tryLater = () => {
      this.hasFailed = true;
      connection.set(notLive());
      this.timer = setTimeout(() => this.start(), maxWaitMs);
    };
    void askAgain(EventCursorDocument)
      .then(
        (answer) => run === this.run && goOn(answer),
        () => run === this.run && tryLater(),
      )
      .finally(() => run <= this.run && this.started.resolve());
  }

  stop(): void {
    this.run += 1;
    clearTimeout(this.timer);
    this.leave?.();
    void this.client?.dispose();
    this.client = undefined;
    this.cursor = undefined;
    this.waiting = [];
    this.hasFailed = false;
    const { resolve } = this.started;
    this.started = Promise.withResolvers();
    // The same user goes on: what waits for this start waits for the next. React starts everything twice while it is developed.
    if (sessionState.value.user !== undefined) resolve(this.started.promise);
    connection.set(notLive());
  }

  /** Reconnects at once instead of after the wait, because the network is back or the page is shown again. */
  hurry(): void {
    if (connection.value === 'live') return;
    if (this.client === undefined) return this.startAtOnce();
    clearTimeout(this.timer);
    this.waitMs = firstWaitMs;
    this.connect();
  }

  // A page that opened without a network waits to start.
  private startAtOnce(): void {
    if (!this.hasFailed) return;
    clearTimeout(this.timer);
    this.start();
  }

  private connect(): void {
    const run = (this.run += 1);
    void this.client?.dispose();
    this.client = createClient({
      url: `${location.origin.replace('http', 'ws')}/graphql`,
      connectionParams: async () => ({ authorization: `Bearer ${await accessToken()}` }),
      retryAttempts: 0,
      lazy: true,
      // A connection that was cut by sleep gives no sign. It is closed if no answer comes in this time.
      keepAlive: silenceMs,
      connectionAckWaitTimeout: silenceMs,
      on: {
        connected: () => run === this.run && this.onConnected(),
        ping: (received) => !received && this.watch(run),
        pong: (received) => received && clearTimeout(this.silence),
      },
    });
    const over = (reason: unknown) => run === this.run && void this.connectAgain(reason);
    this.leave = this.client.subscribe<FeedSubscription>(
      { query: FeedDocument.toString(), variables: { after: this.cursor } },
      {
        next: ({ data }) => run === this.run && this.receive(data?.events),
        error: over,
        complete: () => over(undefined),
      },
    );
  }

  private silence: ReturnType<typeof setTimeout> | undefined;

  private watch(run: number): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => run === this.run && this.client?.terminate(), silenceMs / 2);
  }

  private onConnected(): void {
    this.waitMs = firstWaitMs;
    connection.set('live');
  }

  private async connectAgain(reason: unknown): Promise<void> {
    clearTimeout(this.silence);
    const run = this.run;
    const code = (reason as { code?: unknown } | undefined)?.code;
    if (code === 4401 || code === 4403) {
      try {
        // After 4401 the present token is good for nothing.
        await (code === 4401 ? renew() : freshToken());
      } catch {
        // A renewal that is refused has signed the user out. One that fails for now is tried again with the next connection.
      }
      // The user has signed out meanwhile.
      if (run !== this.run) return;
    }
    if (isRefusedCursor(reason)) {
      this.cursor = undefined;
      this.tellResync();
    }
    connection.set(notLive());
    const wait = this.waitMs * (0.5 + Math.random() / 2);
    this.waitMs = Math.min(this.waitMs * 2, maxWaitMs);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => run === this.run && this.connect(), wait);
  }

  private receive(event: FeedEvent | undefined): void {
    // An event without data was too large to deliver.
    if (event === undefined || event.type === 'RESYNC_REQUIRED') {
      if (event !== undefined) this.cursor = event.cursor;
      this.waiting = [];
      return this.tellResync();
    }
    this.cursor = event.cursor;
    this.waiting.push(event);
    // Events that arrive together, for example after an hour offline, are delivered together.
    if (this.waiting.length === 1) setTimeout(() => this.deliver());
    if (this.waiting.length > maxWaiting) this.deliver();
  }

  private deliver(): void {
    const events = this.waiting;
    this.waiting = [];
    for (const event of events) for (const listener of this.listeners) listener.onEvent(event);
  }

  private tellResync(): void {
    for (const listener of this.listeners) listener.onResync();
  }
}

// The server refuses a cursor with GraphQL errors of the subscription.
function isRefusedCursor(reason: unknown): boolean {
  return (
    Array.isArray(reason) && (reason[0] as { extensions?: { code?: string } })?.extensions?.code === 'VALIDATION_FAILED'
  );
}

export const feed = new Feed();

/** Calls back with both ids when a lead is merged into another; again with each later event of the merged lead. */
export function onMerge(move: (fromId: string, toId: string) => void): void {
  feed.listen({
    onEvent: ({ leadId, lead }) => {
      if (leadId !== null && lead?.mergedInto != null) move(leadId, lead.mergedInto.id);
    },
    onResync: () => undefined,
  });
}

onSignOut(() => feed.stop());
addEventListener('online', () => feed.hurry());
addEventListener('offline', () => connection.set('offline'));
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && feed.hurry());
