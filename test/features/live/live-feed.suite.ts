// Tests of the feed by itself, with readers that take as much as each test wants: readers that are behind, the end of the log, and the
// notices that wake the feed.

import { setTimeout as delay } from 'node:timers/promises';
import type { FeedEvent } from '../../../src/features/live/event-pages.js';
import { EventRecords } from '../../../src/features/events/event-records.js';
import type { Frame } from '../../../src/features/live/frame-cache.js';
import { LiveFeed } from '../../../src/features/live/live-feed.js';
import type { FeedReader } from '../../../src/features/live/tenant-tail.js';
import { EventLog, type LoggedEvent } from '../../../src/platform/events/event-log.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { Notifier } from '../../../src/platform/events/notifier.js';
import { withTenantEach } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { createLead, until } from '../messages/sending-harness.js';

const never = 3_600_000;
const log = createLogger('silent');

export function describeLiveFeed(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let feeds: LiveFeed[] = [];

  withTenantEach((made) => ({ app, tenant } = made));

  afterEach(() => {
    for (const feed of feeds) feed.stop();
    feeds = [];
  });

  function startFeed(notifier: Pick<Notifier, 'subscribe'> = silent, pollIntervalMs = 20, keptForMs = never): LiveFeed {
    const eventLog = new EventLog(app.app.services.database);
    const recordsOf = (tenantId: string, events: readonly LoggedEvent[]) =>
      new EventRecords(app.app.services, tenantId, events);
    const feed = new LiveFeed({
      eventLog,
      notifier,
      recordsOf,
      log,
      metrics: new Metrics(),
      pollIntervalMs,
      keptForMs,
    });
    feed.start();
    feeds.push(feed);
    return feed;
  }

  const silent = { subscribe: () => () => undefined };

  /** Makes a frame of each event's type, and counts the pages that it made. */
  class TypesGroup {
    pagesMade = 0;
    /** The number of next pages that cannot be made. */
    failures = 0;
    /** The number of pages that are made before the others have to wait for the gate. */
    free = Number.POSITIVE_INFINITY;
    gate = Promise.resolve();

    constructor(
      readonly id = 1,
      readonly eventsAtOnce = 1_000,
    ) {}

    async render(events: readonly FeedEvent[]): Promise<Frame[]> {
      expect(events.length).toBeLessThanOrEqual(this.eventsAtOnce);
      this.free -= 1;
      if (this.free < 0) await this.gate;
      if (this.failures > 0) {
        this.failures -= 1;
        throw new Error('not now');
      }
      this.pagesMade += 1;
      return events.map(({ seq, type }) => ({ seq, payload: Buffer.from(type) }));
    }
  }

  class Reader implements FeedReader {
    readonly seqs: number[] = [];
    readonly types: string[] = [];
    hasEnded = false;
    /** The number of frames that it takes before it is full; `takeMore` refills it. */
    private room: number;
    private wake: () => void = () => undefined;

    constructor(
      readonly group = new TypesGroup(),
      room = Number.POSITIVE_INFINITY,
    ) {
      this.room = room;
    }

    write(frames: readonly Frame[], afterSeq: number): number | undefined {
      let written = afterSeq;
      for (const { seq, payload } of frames) {
        if (seq <= afterSeq) continue;
        if (this.room <= 0) return written;
        this.room -= 1;
        this.seqs.push(seq);
        this.types.push(payload.toString());
        written = seq;
      }
      return undefined;
    }

    async whenReady(): Promise<boolean> {
      while (this.room <= 0) await new Promise<void>((resolve) => (this.wake = resolve));
      return true;
    }

    takeMore(count: number): void {
      this.room = count;
      this.wake();
    }

    end(): void {
      this.hasEnded = true;
    }

    async untilCount(count: number): Promise<number[]> {
      await until(
        () => this.seqs.length,
        (length) => length >= count,
      );
      return this.seqs;
    }
  }

  /** Appends events past the application, which wakes no reader. */
  async function append(count: number): Promise<void> {
    await app.sql(
      `WITH head AS (
       INSERT INTO event_heads AS h (tenant_id, last_seq) VALUES ($1, $2)
       ON CONFLICT (tenant_id) DO UPDATE SET last_seq = h.last_seq + $2 RETURNING last_seq - $2 AS seq
     ) INSERT INTO events (tenant_id, seq, type) SELECT $1, head.seq + n, 'LEAD_UPDATED' FROM head, generate_series(1, $2::int) n`,
      [tenant.id, count],
    );
  }

  const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

  test('is woken by NOTIFY alone', async () => {
    const feed = startFeed(app.app.services.notifier, never);
    const reader = new Reader();
    await feed.follow(tenant.id, reader);
    await createLead(app, tenant);
    await reader.untilCount(1);
  });

  test('finds by its timer alone what no notification told it', async () => {
    const feed = startFeed(new Notifier({ url: app.database.url, log }));
    const reader = new Reader();
    await feed.follow(tenant.id, reader);
    await append(3);
    expect(await reader.untilCount(3)).toEqual([1, 2, 3]);
  });

  test('replays what comes after a place, then goes on, while others write', async () => {
    await append(1_234);
    const feed = startFeed();
    const live = new Reader();
    await feed.follow(tenant.id, live);
    const places = [0, 1, 99, 100, 101, 700, 1_233, 1_234];
    const readers = places.map((place) => ({ place, reader: new Reader() }));
    const writing = (async () => {
      for (let count = 0; count < 20; count += 1) await append(7);
    })();
    await Promise.all(readers.map(({ place, reader }) => feed.follow(tenant.id, reader, { seq: place })));
    await writing;
    const last = 1_234 + 140;
    for (const { place, reader } of readers)
      expect(await reader.untilCount(last - place)).toEqual(upTo(last, place + 1));
    expect(await live.untilCount(140)).toEqual(upTo(last, 1_235));
  });

  test('makes a page once for all readers of a group', async () => {
    await append(400);
    const feed = startFeed();
    const group = new TypesGroup();
    const readers = Array.from({ length: 50 }, () => new Reader(group));
    await Promise.all(readers.map((reader) => feed.follow(tenant.id, reader, { seq: 0 })));
    for (const reader of readers) expect(await reader.untilCount(400)).toEqual(upTo(400));
    expect(group.pagesMade).toBeLessThanOrEqual(4);
    await append(10);
    for (const reader of readers) expect(await reader.untilCount(410)).toEqual(upTo(410));
    expect(group.pagesMade).toBeLessThanOrEqual(6);
  });

  test.each<[string, number, number, number]>([
    ['is handed out again to who comes later', 3, never, 1],
    ['is handed out again, also a full one after a burst', 512, never, 1],
    ['that is too old is made again: its records may have changed', 3, 1, 2],
  ])('a page %s', async (_name, count, keptForMs, made) => {
    const feed = startFeed(silent, 20, keptForMs);
    const group = new TypesGroup();
    const [first, second] = [new Reader(group), new Reader(group)];
    await feed.follow(tenant.id, first, { seq: 0 });
    await append(count);
    await first.untilCount(count);
    await delay(5);
    await feed.follow(tenant.id, second, { seq: 0 });
    expect(await second.untilCount(count)).toEqual(upTo(count));
    expect(group.pagesMade).toBe(made);
  });

  test('a reader that is full holds nobody up, and reads the log itself once it takes more', async () => {
    const feed = startFeed();
    const [full, awake] = [new Reader(new TypesGroup(1), 5), new Reader(new TypesGroup(1))];
    await feed.follow(tenant.id, full);
    await feed.follow(tenant.id, awake);
    for (let count = 0; count < 4; count += 1) {
      await append(500);
      await awake.untilCount(500 * (count + 1));
    }
    expect(full.seqs).toEqual(upTo(5));
    full.takeMore(1_000);
    expect(await full.untilCount(1_005)).toEqual(upTo(1_005));
    full.takeMore(Number.POSITIVE_INFINITY);
    expect(await full.untilCount(2_000)).toEqual(upTo(2_000));
    await append(1);
    expect(await full.untilCount(2_001)).toEqual(upTo(2_001));
    expect(awake.seqs).toEqual(full.seqs);
  });

  test('a group that cannot be made holds nobody up, and misses nothing', async () => {
    const feed = startFeed();
    const [failing, other] = [new TypesGroup(1), new TypesGroup(2)];
    const [late, prompt] = [new Reader(failing), new Reader(other)];
    await feed.follow(tenant.id, late);
    await feed.follow(tenant.id, prompt);
    failing.failures = Number.POSITIVE_INFINITY;
    await append(3);
    expect(await prompt.untilCount(3)).toEqual([1, 2, 3]);
    expect(late.seqs).toEqual([]);
    failing.failures = 2;
    expect(await late.untilCount(3)).toEqual([1, 2, 3]);
  });

  test('a group that takes long holds nobody up, and is not asked twice', async () => {
    const feed = startFeed();
    const slow = new TypesGroup(1);
    const [prompt, late, other] = [new Reader(new TypesGroup(2)), new Reader(slow), new Reader(slow)];
    for (const reader of [prompt, late, other]) await feed.follow(tenant.id, reader);
    const gate = Promise.withResolvers<void>();
    slow.gate = gate.promise;
    slow.free = 0;
    await append(3);
    expect(await prompt.untilCount(3)).toEqual(upTo(3));
    expect([late.seqs, other.seqs]).toEqual([[], []]);
    gate.resolve();
    for (const reader of [late, other]) expect(await reader.untilCount(3)).toEqual(upTo(3));
    expect(slow.pagesMade).toBe(1);
  });

  test('a group that makes few events at a time holds nobody up for more than these', async () => {
    const feed = startFeed();
    const heavy = new TypesGroup(1, 3);
    const [prompt, late, other, behind] = [
      new Reader(new TypesGroup(2)),
      new Reader(heavy),
      new Reader(heavy),
      new Reader(heavy),
    ];
    for (const reader of [prompt, late, other]) await feed.follow(tenant.id, reader);
    const gate = Promise.withResolvers<void>();
    heavy.gate = gate.promise;
    heavy.free = 1;
    await append(10);
    expect(await prompt.untilCount(10)).toEqual(upTo(10));
    for (const reader of [late, other]) expect(await reader.untilCount(3)).toEqual(upTo(3));
    gate.resolve();
    for (const reader of [late, other]) expect(await reader.untilCount(10)).toEqual(upTo(10));
    expect(heavy.pagesMade).toBe(4);
    await feed.follow(tenant.id, behind, { seq: 4 });
    await append(1);
    for (const reader of [late, other]) expect(await reader.untilCount(11)).toEqual(upTo(11));
    expect(await behind.untilCount(7)).toEqual(upTo(11, 5));
  });

  describe('where the database has lost the newest events', () => {
    // The numbers are given again, as after a failover to a standby that was behind, or with a restored backup.
    async function loseAllAfter(seq: number): Promise<void> {
      await app.sql('DELETE FROM events WHERE tenant_id = $1 AND seq > $2', [tenant.id, seq]);
      await app.sql('UPDATE event_heads SET last_seq = $2 WHERE tenant_id = $1', [tenant.id, seq]);
      // No event of the new log has the time of a lost one.
      await delay(5);
    }

    const positionNow = () => new EventLog(app.app.services.database).headOf(tenant.id);

    test.each([
      ['is behind them', 0],
      ['has grown a little', 3],
      ['has as many again', 10],
      ['has grown past them', 14],
    ])('live readers are told once the log %s, and miss nothing after it', async (_name, count) => {
      await append(20);
      const feed = startFeed(silent, 50);
      const reader = new Reader();
      await feed.follow(tenant.id, reader, { seq: 10 });
      await reader.untilCount(10);
      await loseAllAfter(10);
      if (count > 0) await append(count);
      await until(
        () => reader.types.includes('RESYNC_REQUIRED'),
        (isTold) => isTold,
      );
      const toldSeq = reader.seqs[reader.types.indexOf('RESYNC_REQUIRED')] ?? 0;
      await append(2);
      await until(
        () => reader.seqs.at(-1),
        (seq) => seq === 12 + count,
      );
      expect(reader.seqs).toEqual([...upTo(20, 11), toldSeq, ...upTo(12 + count, toldSeq + 1)]);
      expect(reader.types.filter((type) => type === 'RESYNC_REQUIRED')).toHaveLength(1);
    });

    test('a reader that was full meanwhile is told as well', async () => {
      await append(20);
      const feed = startFeed();
      const [full, awake] = [new Reader(new TypesGroup(1), 10), new Reader(new TypesGroup(1))];
      for (const reader of [full, awake]) await feed.follow(tenant.id, reader, { seq: 10 });
      for (const reader of [full, awake]) await reader.untilCount(10);
      await append(1);
      await awake.untilCount(11);
      await loseAllAfter(10);
      await append(20);
      await awake.untilCount(12);
      full.takeMore(Number.POSITIVE_INFINITY);
      await full.untilCount(11);
      expect(full.types.lastIndexOf('RESYNC_REQUIRED')).toBe(10);
      await append(1);
      for (const reader of [full, awake])
        await until(
          () => reader.seqs.at(-1),
          (seq) => seq === 31,
        );
    });

    test.each([
      ['of a lost event', 0, true],
      ['of a lost event, whose number is taken,', 5, true],
      ['of a lost event far behind the head', 500, true],
      ['of a kept event', 5, false],
    ])('a position %s says so by itself', async (_name, count, isLost) => {
      await append(10);
      const kept = await positionNow();
      await append(5);
      const lost = await positionNow();
      await loseAllAfter(10);
      if (count > 0) await append(count);
      const feed = startFeed();
      const reader = new Reader();
      await feed.follow(tenant.id, reader, isLost ? lost : kept);
      await append(1);
      await until(
        () => reader.seqs.at(-1),
        (seq) => seq === 11 + count,
      );
      expect(reader.types.indexOf('RESYNC_REQUIRED')).toBe(isLost ? 0 : -1);
      if (!isLost) expect(reader.seqs).toEqual(upTo(11 + count, 11));
    });

    test('a position ahead of this process is no lost one', async () => {
      await append(3);
      const feed = startFeed(silent, never);
      const [first, ahead] = [new Reader(), new Reader()];
      await feed.follow(tenant.id, first);
      await append(4);
      await feed.follow(tenant.id, ahead, await positionNow());
      expect(await first.untilCount(4)).toEqual(upTo(7, 4));
      await append(2);
      await feed.follow(tenant.id, new Reader(), await positionNow());
      expect(await ahead.untilCount(2)).toEqual([8, 9]);
      expect(ahead.types).not.toContain('RESYNC_REQUIRED');
    });
  });

  describe('where the log does not reach back', () => {
    const prune = (seq: number) => app.sql('DELETE FROM events WHERE tenant_id = $1 AND seq <= $2', [tenant.id, seq]);

    test('a place before its beginning gets RESYNC_REQUIRED, at the head, and what happens from there on', async () => {
      await append(250);
      await prune(120);
      const feed = startFeed();
      const readers = [0, 50, 119, 120, 180].map((place) => ({ place, reader: new Reader() }));
      for (const { place, reader } of readers) await feed.follow(tenant.id, reader, { seq: place });
      for (const { reader } of readers) await reader.untilCount(1);
      await append(2);
      for (const { place, reader } of readers) {
        const isLost = place < 120;
        const seqs = isLost ? [250, 251, 252] : upTo(252, place + 1);
        expect([place, await reader.untilCount(seqs.length)]).toEqual([place, seqs]);
        expect([place, reader.types[0]]).toEqual([place, isLost ? 'RESYNC_REQUIRED' : 'LEAD_UPDATED']);
        expect([place, reader.types.lastIndexOf('RESYNC_REQUIRED')]).toEqual([place, isLost ? 0 : -1]);
      }
    });

    test('the whole log gone is no exception', async () => {
      await append(10);
      await prune(10);
      const feed = startFeed();
      const [lost, head] = [new Reader(), new Reader()];
      await feed.follow(tenant.id, lost, { seq: 3 });
      await feed.follow(tenant.id, head, { seq: 10 });
      await lost.untilCount(1);
      await append(1);
      expect([await lost.untilCount(2), lost.types]).toEqual([
        [10, 11],
        ['RESYNC_REQUIRED', 'LEAD_UPDATED'],
      ]);
      expect(await head.untilCount(1)).toEqual([11]);
    });

    test('a feed that slept that long tells its live readers', async () => {
      const feed = startFeed(silent, 200);
      const reader = new Reader();
      await append(1);
      await feed.follow(tenant.id, reader);
      await app.sql(
        `WITH grown AS (UPDATE event_heads SET last_seq = 900 WHERE tenant_id = $1)
       INSERT INTO events (tenant_id, seq, type) SELECT $1, n, 'LEAD_UPDATED' FROM generate_series(800, 900) n`,
        [tenant.id],
      );
      await reader.untilCount(1);
      await append(1);
      expect(await reader.untilCount(2)).toEqual([900, 901]);
      expect(reader.types).toEqual(['RESYNC_REQUIRED', 'LEAD_UPDATED']);
    });

    test('a log that was set back, as by a restored backup, is told as well', async () => {
      await append(100);
      const feed = startFeed();
      const reader = new Reader();
      await feed.follow(tenant.id, reader);
      await app.sql('DELETE FROM events WHERE tenant_id = $1 AND seq > 40', [tenant.id]);
      await app.sql('UPDATE event_heads SET last_seq = 40 WHERE tenant_id = $1', [tenant.id]);
      await reader.untilCount(1);
      await append(1);
      expect([await reader.untilCount(2), reader.types]).toEqual([
        [40, 41],
        ['RESYNC_REQUIRED', 'LEAD_UPDATED'],
      ]);
    });
  });

  test('who leaves gets nothing any more, and the last one takes the tail along', async () => {
    const feed = startFeed();
    const reader = new Reader();
    const leave = await feed.follow(tenant.id, reader);
    expect(feed.subscriberCount(tenant.id)).toBe(1);
    leave();
    leave();
    expect(feed.subscriberCount(tenant.id)).toBe(0);
    await append(1);
    const later = new Reader();
    await feed.follow(tenant.id, later);
    await append(1);
    expect(await later.untilCount(1)).toEqual([2]);
    await delay(0);
    expect(reader.seqs).toEqual([]);
  });

  test('stop ends every reader', async () => {
    const feed = startFeed(silent, never);
    const [live, full] = [new Reader(), new Reader(new TypesGroup(), 0)];
    await feed.follow(tenant.id, live);
    await feed.follow(tenant.id, full);
    feed.stop();
    expect([live.hasEnded, full.hasEnded]).toEqual([true, true]);
  });
}
