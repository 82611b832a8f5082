// Figures against a plain computation in memory, over the wire: made-up conversations around clock changes, at month ends, and where there
// is nothing. Every figure is compared with the rows that it says it counted.

import { randomUUID } from 'node:crypto';
import { createLead } from '../messages/sending-harness.js';
import { query } from '../../support/graphql-client.js';
import {
  CreateDashboardDocument,
  DashboardDataDocument,
  DashboardRowsDocument,
  type DashboardRowsQuery,
  type WidgetInput,
} from '../../support/operations.js';
import { TestApp, withKey, type TestTenant } from '../../support/test-app.js';
import { RollUpService } from '../../../src/features/dashboards/roll-up.service.js';
import type { NamedStatement, SqlRunner } from '../../../src/platform/database/database.js';
import { WidgetFigures } from '../../../src/features/dashboards/widget-figures.js';
import { StatementBudget } from '../../../src/features/dashboards/dashboard-reading.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import {
  filterFields,
  isBrokenDownBy,
  isOfNow,
  metricNames,
  type Dimension,
  type Metric,
} from '../../../src/features/dashboards/metric.js';
import {
  addConversations,
  createCast,
  disturb,
  pick,
  readPlain,
  seededRandom,
  type Cast,
  type Random,
} from './figure-harness.js';
import { answer, localPeriod, wallClock, type PlainData, type PlainFilter, type Question } from './reference.js';

export function describeFigures(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let cast: Cast;

  beforeAll(async () => {
    // Without a worker, only queries and the tests count.
    app = await TestApp.start({ PROCESS_ROLE: 'api' });
    tenant = await app.createTenant();
    cast = await createCast(app, tenant);
  });
  afterAll(() => app.stop());

  interface Range {
    from: Date;
    to: Date;
  }

  let dashboardCount = 0;

  async function createDashboard(widgets: WidgetInput[], range: Range, timeZone = 'UTC', by = tenant) {
    dashboardCount += 1;
    const input = {
      name: `dashboard ${dashboardCount}`,
      timeZone,
      range: { from: range.from.toISOString(), to: range.to.toISOString() },
      widgets,
    };
    return (await query(app, by.operator, CreateDashboardDocument, { input })).createDashboard;
  }

  const read = async (id: string, by = tenant) => {
    const { dashboard } = await query(app, by.operator, DashboardDataDocument, { id });
    return dashboard?.widgets ?? [];
  };

  interface Measure {
    metric: string;
    value: number | null;
    count: number;
    total: number;
  }

  const close = (value: number | null) => (value === null ? null : expect.closeTo(value, 6));

  function expectMeasure(measure: Measure | undefined, data: PlainData, question: Question): void {
    const { value, counted, total } = answer(data, question);
    expect({ ...question, ...measure }).toEqual({
      ...question,
      ...measure,
      value: close(value),
      count: counted.length,
      total: total.length,
    });
  }

  type RowsWidget = NonNullable<NonNullable<DashboardRowsQuery['dashboard']>['widget']>;
  type WithRows = Measure & {
    rows: { edges: { node: { id: string } }[]; pageInfo: { endCursor: string | null; hasNextPage: boolean } };
  };

  interface WantedRows {
    id: string;
    widget: string;
    of: 'COUNTED' | 'TOTAL';
    at: string;
    key?: string | null;
  }

  async function readRows(wanted: WantedRows): Promise<RowsWidget> {
    const { dashboard } = await query(app, tenant.operator, DashboardRowsDocument, { ...wanted, first: 200 });
    return dashboard!.widget!;
  }

  function expectRows(measure: WithRows, data: PlainData, question: Question, of: 'COUNTED' | 'TOTAL'): void {
    const expected = answer(data, question);
    const wanted = of === 'COUNTED' ? expected.counted : expected.total;
    const ids = measure.rows.edges.map(({ node }) => node.id);
    expect({ ...question, of, ids: ids.toSorted() }).toEqual({ ...question, of, ids: wanted.toSorted() });
    expect(ids).toHaveLength(of === 'COUNTED' ? measure.count : measure.total);
  }

  const dimensions: Dimension[] = [
    'SOURCE',
    'ASSIGNEE',
    'AD',
    'INSTANCE',
    'AUTHOR',
    'TEMPLATE',
    'STATUS',
    'DIRECTION',
    'ORIGIN',
    'HOUR_OF_DAY',
    'WEEKDAY',
    'HOUR_OF_WEEK',
  ];
  const measured = metricNames.filter((metric) => !isOfNow(metric));

  function randomFilter(random: Random, metric: Metric): PlainFilter {
    const filter: PlainFilter = {
      ...(random() < 0.3 ? { sources: [pick(random, cast.sources), 'website'] } : {}),
      ...(random() < 0.2 ? { assigneeIds: [pick(random, cast.userIds)] } : {}),
      ...(random() < 0.1 ? { adIds: [pick(random, cast.adIds)] } : {}),
      ...(random() < 0.2 ? { instanceIds: [pick(random, cast.instanceIds)] } : {}),
      ...(random() < 0.1 ? { authorIds: [pick(random, cast.userIds)] } : {}),
      ...(random() < 0.1 ? { templateIds: cast.templateIds } : {}),
    };
    const isOf = ([field]: [string, unknown]) => isBrokenDownBy(metric, filterFields[field as keyof PlainFilter]);
    return Object.fromEntries(Object.entries(filter).filter(isOf));
  }

  function randomWidgets(random: Random): WidgetInput[] {
    const anyMetric = () => pick(random, measured);
    const base = (metric: Metric) => ({ title: 'x', metric, filter: randomFilter(random, metric) });
    const groups = (metric: Metric) =>
      pick(
        random,
        dimensions.filter((dimension) => isBrokenDownBy(metric, dimension)),
      );
    const broken = Array.from({ length: 3 }, (): WidgetInput => {
      const metric = anyMetric();
      return { ...base(metric), type: 'BREAKDOWN', dimension: groups(metric), limit: 50 };
    });
    const tableMetric = anyMetric();
    const dimension = groups(tableMetric);
    const fitting = measured.filter((metric) => isBrokenDownBy(metric, dimension));
    return [
      { ...base(anyMetric()), type: 'FIGURE' },
      { ...base(anyMetric()), type: 'FIGURE' },
      { ...base(anyMetric()), type: 'SERIES', bucket: 'HOUR' },
      { ...base(anyMetric()), type: 'SERIES', bucket: 'DAY' },
      ...broken,
      { type: 'TABLE', title: 'x', metrics: [tableMetric, pick(random, fitting)], dimension },
    ];
  }

  interface Asked {
    id: string;
    widgets: WidgetInput[];
    range: Range;
    zone: string;
    random: Random;
  }

  type ShownWidget = Awaited<ReturnType<typeof read>>[number];

  async function expectFigures(asked: Asked, data: PlainData): Promise<void> {
    const shown = await read(asked.id);
    expect(shown).toHaveLength(asked.widgets.length);
    for (const [index, widget] of shown.entries()) expectWidget(widget, asked.widgets[index]!, asked, data);
  }

  const questionOf = ({ metric, filter }: WidgetInput, range: Range): Question => ({
    metric: metric as Metric,
    ...range,
    filter: (filter ?? {}) as PlainFilter,
  });

  function expectWidget(widget: ShownWidget, wanted: WidgetInput, { range, zone }: Asked, data: PlainData): void {
    const question = questionOf(wanted, range);
    const sliceOf = (key: string | null) => ({ dimension: wanted.dimension!, key, timeZone: zone });
    if ('figure' in widget) {
      expectMeasure(widget.figure, data, question);
      const from = new Date(2 * range.from.getTime() - range.to.getTime());
      expectMeasure(widget.figure.previous ?? undefined, data, { ...question, from, to: range.from });
    } else if ('series' in widget) {
      expectPoints(widget.series.points, data, question);
      expectLocal(widget.series.points, wanted.bucket ?? 'DAY', zone);
    } else if ('breakdown' in widget) {
      const { slices } = widget.breakdown;
      for (const slice of slices) expectMeasure(slice, data, { ...question, slice: sliceOf(slice.key) });
      const all = slices.reduce((sum, { total }) => sum + total, 0);
      expect(all).toBe(answer(data, question).total.length);
    } else {
      const cells = widget.table.lines.flatMap((line) => line.cells.map((cell) => ({ ...cell, key: line.key })));
      for (const cell of cells) expectMeasure(cell, data, { metric: cell.metric, ...range, slice: sliceOf(cell.key) });
    }
  }

  type Point = Measure & { start: string; end: string };

  function expectPoints(points: readonly Point[], data: PlainData, question: Question): void {
    expect([points[0]?.start, points.at(-1)?.end]).toEqual([question.from.toISOString(), question.to.toISOString()]);
    expect(points.slice(1).map(({ start }) => start)).toEqual(points.slice(0, -1).map(({ end }) => end));
    for (const point of points)
      expectMeasure(point, data, { ...question, from: new Date(point.start), to: new Date(point.end) });
  }

  // Each bucket is one hour or day of the local wall clock.
  function expectLocal(points: { start: string; end: string }[], bucket: string, zone: string): void {
    const name = (time: Date) => {
      const { date, hour } = wallClock(time, zone);
      return bucket === 'HOUR' ? `${date} ${hour}` : localPeriod(time, 'DAY', zone);
    };
    for (const { start, end } of points) expect(name(new Date(start))).toBe(name(new Date(Date.parse(end) - 1)));
  }

  async function expectAllRows(asked: Asked, data: PlainData): Promise<void> {
    const stored = await read(asked.id);
    for (const [index, shown] of stored.entries()) {
      const of = asked.random() < 0.5 ? 'COUNTED' : 'TOTAL';
      const [from, to] = [asked.range.from.getTime(), asked.range.to.getTime()];
      const at = new Date(from + asked.random() * (to - from - 1)).toISOString();
      const wanted = { id: asked.id, widget: shown.id, of, at } as const;
      for (const key of keysOf(shown)) {
        const widget = await readRows({ ...wanted, key });
        expectRowsOf(widget, { ...wanted, key }, { ...asked, widgets: [asked.widgets[index]!] }, data);
      }
    }
  }

  // A widget without keys gets one look, for the key null.
  function keysOf(shown: ShownWidget): (string | null)[] {
    if ('breakdown' in shown) return shown.breakdown.slices.slice(0, 4).map(({ key }) => key);
    return 'table' in shown ? shown.table.lines.slice(0, 2).map(({ key }) => key) : [null];
  }

  function expectRowsOf(widget: RowsWidget, { of, key = null }: WantedRows, asked: Asked, data: PlainData): void {
    const wanted = asked.widgets[0]!;
    const question = questionOf(wanted, asked.range);
    const slice = { dimension: wanted.dimension!, key, timeZone: asked.zone };
    if ('figure' in widget) expectRows(widget.figure, data, question, of);
    else if ('series' in widget) {
      const { point } = widget.series;
      const span = { from: new Date(point!.start), to: new Date(point!.end) };
      expectRows(point!, data, { ...question, ...span }, of);
    } else if ('breakdown' in widget) expectRows(widget.breakdown.slice!, data, { ...question, slice }, of);
    else
      for (const cell of widget.table.line!.cells)
        expectRows(cell, data, { metric: cell.metric, ...asked.range, slice }, of);
  }

  test.each<[string, string]>([
    ['America/Sao_Paulo', '2018-02-18T02:00Z'],
    ['America/Sao_Paulo', '2018-11-04T03:00Z'],
    ['Europe/Berlin', '2026-03-29T01:00Z'],
    ['Europe/Berlin', '2026-10-25T01:00Z'],
    ['America/New_York', '2026-11-01T06:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
    ['Asia/Kathmandu', '2024-02-29T18:15Z'],
    ['UTC', '2026-02-01T00:00Z'],
  ])('in %s around %s', async (zone, around) => {
    const at = new Date(around);
    const seed = at.getTime() / 1_000;
    const random = seededRandom(seed);
    const within = () => at.getTime() - Math.floor(random() * 86_400_000);
    // In some ranges, neither end is a quarter of an hour.
    const isRound = random() < 0.5;
    const from = new Date(isRound ? at.getTime() - 86_400_000 : within());
    const to = new Date(isRound ? at.getTime() + 86_400_000 : at.getTime() + Math.floor(random() * 86_400_000) + 1);
    const range = { from, to };
    await addConversations(app, cast, { random, at, edges: [at, from, to], count: 120 });
    const widgets = randomWidgets(random);
    const { id } = await createDashboard(widgets, range, zone);
    const asked = { id, widgets, range, zone, random };
    await expectFigures(asked, await readPlain(app, tenant.id));
    await disturb(app, cast, random);
    const data = await readPlain(app, tenant.id);
    await expectFigures(asked, data);
    await expectAllRows(asked, data);
  });

  test('of conversations that go on, only what is new is computed again', async () => {
    const own = await app.createTenant();
    const ownCast = await createCast(app, own);
    const random = seededRandom(34);
    const quarterMs = 900_000;
    const lately = Math.floor(Date.now() / quarterMs) * quarterMs - quarterMs;
    const range = { from: new Date(lately - 4 * 86_400_000), to: new Date(lately + 86_400_000) };
    const edges = [range.from, new Date(lately - 86_400_000)];
    const started = new Date(lately - 2 * 86_400_000);
    await addConversations(app, ownCast, { random, at: started, edges, count: 200 });
    const metrics = measured.filter((metric) => isBrokenDownBy(metric, 'SOURCE'));
    const widgets = metrics.map((metric) => ({ type: 'FIGURE', title: 'x', metric }) as const);
    const { id } = await createDashboard(widgets, range, 'UTC', own);
    const statements = new Set<string>();
    const { database } = app.app.services;
    const watched = {
      query: database.query.bind(database),
      transaction: (work: (sql: SqlRunner) => Promise<unknown>, options: { tenantId: string }) =>
        database.transaction((sql) => {
          const note = (statement: NamedStatement, values: unknown[]) => {
            statements.add(statement.name);
            return sql.query(statement, values);
          };
          return work({ ...sql, query: note } as SqlRunner);
        }, options),
    } as Pick<typeof database, 'query' | 'transaction'>;
    const rollUps = new RollUpService({ database: watched, log: createLogger('silent') });
    const leadIds = (await readPlain(app, own.id)).leads.map((lead) => lead.id);
    const say = (direction: string, status: string | null) =>
      app.sql(
        `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, author_id, is_automatic, created_at)
         VALUES ($1, gen_random_uuid(), $2, $3, $4, $5, 'text', $6, $7, $8)`,
        [
          own.id,
          pick(random, leadIds),
          pick(random, ownCast.instanceIds),
          direction,
          status,
          status === null ? null : pick(random, ownCast.userIds),
          status !== null && random() < 0.1,
          new Date(lately + Math.floor(random() * quarterMs)),
        ],
      );
    const ofLately = (change: string, ...values: unknown[]) =>
      app.sql(
        `${change} WHERE tenant_id = $1 AND id IN (SELECT id FROM messages WHERE tenant_id = $1 AND created_at >= $2 ORDER BY id LIMIT 2)`,
        [own.id, new Date(lately), ...values],
      );
    await rollUps.catchUp(own.id);
    for (let round = 0; round < 12; round += 1) {
      statements.clear();
      for (let count = 0; count < 4; count += 1) await say('INBOUND', null);
      for (let count = 0; count < 3; count += 1)
        await say('OUTBOUND', pick(random, ['QUEUED', 'SENT', 'READ', 'FAILED']));
      if (round % 3 === 1) await ofLately('UPDATE messages SET lead_id = $3', leadIds[round % leadIds.length]);
      if (round % 3 === 2) await ofLately('DELETE FROM messages');
      if (round % 3 === 0)
        await app.sql(
          "UPDATE messages SET status = 'CANCELED' WHERE tenant_id = $1 AND created_at >= $2 AND status = 'QUEUED'",
          [own.id, new Date(lately)],
        );
      await rollUps.catchUp(own.id);
      expect([...statements]).toContain('compute-recent-reply-times');
      expect([...statements]).not.toContain('compute-reply-times');
      const data = await readPlain(app, own.id);
      const shown = await read(id, own);
      for (const [index, widget] of shown.entries()) {
        if (!('figure' in widget)) throw new Error('no figure');
        expectMeasure(widget.figure, data, { metric: metrics[index]!, ...range, filter: {} });
      }
      const turns = () => app.sql('SELECT * FROM reply_times WHERE tenant_id = $1 ORDER BY kind, id', [own.id]);
      const kept = await turns();
      await app.sql(
        "INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids) SELECT $1, '{}', array_agg(id) FROM leads WHERE tenant_id = $1",
        [own.id],
      );
      await rollUps.catchUp(own.id);
      expect(await turns()).toEqual(kept);
    }
  });

  test('replies by their author, and messages by their origin', async () => {
    const own = await app.createTenant();
    const ownCast = await createCast(app, own);
    const [first = '', second = ''] = ownCast.userIds;
    const leadId = randomUUID();
    await app.sql(
      "INSERT INTO leads (tenant_id, id, name, source, created_at, updated_at) VALUES ($1, $2, 'x', 'x', '2026-05-01T00:00Z', now())",
      [own.id, leadId],
    );
    const add = (minute: number, fields: { author?: string; automatic?: boolean; bulk?: boolean } | null) =>
      app.sql(
        `INSERT INTO messages (tenant_id, id, lead_id, instance_id, type, direction, status, author_id, is_automatic, bulk_send_id, created_at)
         VALUES ($1, gen_random_uuid(), $2, $3, 'text', $4, $5, $6, $7, $8, '2026-05-05T00:00Z'::timestamptz + $9 * interval '1 minute')`,
        [
          own.id,
          leadId,
          own.instance.id,
          fields === null ? 'INBOUND' : 'OUTBOUND',
          fields === null ? null : 'SENT',
          fields?.author ?? null,
          fields?.automatic ?? false,
          fields?.bulk === true ? ownCast.bulkSendId : null,
          minute,
        ],
      );
    // Neither the automatic message nor the bulk one is a reply.
    await add(0, null);
    await add(1, { automatic: true });
    await add(2, { bulk: true, author: first });
    await add(5, { author: first });
    await add(20, null);
    await add(35, { author: first });
    await add(40, null);
    await add(42, { author: second });
    await add(50, null);
    await add(51, {});
    const range = { from: new Date('2026-05-05T00:00Z'), to: new Date('2026-05-06T00:00Z') };
    const breakdown = { type: 'BREAKDOWN', title: 'x' } as const;
    const { id } = await createDashboard(
      [
        { ...breakdown, metric: 'RESPONSE_TIME_MEDIAN', dimension: 'AUTHOR' },
        { ...breakdown, metric: 'MESSAGES', dimension: 'ORIGIN' },
        { ...breakdown, metric: 'MESSAGES', dimension: 'ORIGIN', filter: { authorIds: [first] } },
        { ...breakdown, metric: 'FAILED_RATE', dimension: 'ORIGIN', limit: 2 },
        { type: 'TABLE', title: 'x', metrics: ['MESSAGES', 'MESSAGES_SENT'], dimension: 'ORIGIN' },
      ],
      range,
      'UTC',
      own,
    );
    const shown = (await read(id, own)).map((widget) => {
      if ('breakdown' in widget) return widget.breakdown.slices.map(({ key, value }) => [key, value]);
      return 'table' in widget
        ? widget.table.lines.map(({ key, cells }) => [key, ...cells.map(({ value }) => value)])
        : [];
    });
    const [byAuthor = [], ...byOrigin] = shown;
    expect(new Map(byAuthor as [string | null, number][])).toEqual(
      new Map([
        [first, 600],
        [second, 120],
        [null, 60],
      ]),
    );
    expect(byOrigin).toEqual([
      [
        ['LEAD', 4],
        ['USER', 3],
        ['BULK', 1],
        ['PHONE', 1],
        ['SYSTEM', 1],
      ],
      [
        ['USER', 2],
        ['BULK', 1],
      ],
      [
        ['USER', 0],
        ['BULK', 0],
      ],
      [
        ['LEAD', 4, 0],
        ['USER', 3, 3],
        ['BULK', 1, 1],
        ['PHONE', 1, 1],
        ['SYSTEM', 1, 1],
      ],
    ]);
  });

  test('a message that gets another author or instance, or becomes automatic, counts as what it is then', async () => {
    const own = await app.createTenant();
    const { userIds, instanceIds } = await createCast(app, own);
    const [leadId, asked, reply, later] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await app.sql(
      "INSERT INTO leads (tenant_id, id, name, source, created_at, updated_at) VALUES ($1, $2, 'x', 'x', '2026-05-01T00:00Z', now())",
      [own.id, leadId],
    );
    await app.sql(
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, type, direction, status, author_id, created_at) VALUES
         ($1, $2, $5, $6, 'text', 'INBOUND', NULL, NULL, '2026-05-05T00:00Z'),
         ($1, $3, $5, $6, 'text', 'OUTBOUND', 'SENT', $7, '2026-05-05T00:05Z'),
         ($1, $4, $5, $6, 'text', 'OUTBOUND', 'SENT', $7, '2026-05-05T00:09Z')`,
      [own.id, asked, reply, later, leadId, instanceIds[0], userIds[0]],
    );
    const range = { from: new Date('2026-05-05T00:00Z'), to: new Date('2026-05-06T00:00Z') };
    const widget = { type: 'BREAKDOWN', title: 'x', metric: 'RESPONSE_TIME_MEDIAN' } as const;
    const widgets: WidgetInput[] = [
      { ...widget, dimension: 'AUTHOR' },
      { ...widget, dimension: 'INSTANCE' },
    ];
    const { id } = await createDashboard(widgets, range, 'UTC', own);
    const slices = async () =>
      (await read(id, own)).map((shown) => {
        if (!('breakdown' in shown)) throw new Error('no breakdown');
        return shown.breakdown.slices.map(({ key, value }) => [key, value]);
      });
    const set = (messageId: string, column: string, value: unknown) =>
      app.sql(`UPDATE messages SET ${column} = $3 WHERE tenant_id = $1 AND id = $2`, [own.id, messageId, value]);
    expect(await slices()).toEqual([[[userIds[0], 300]], [[instanceIds[0], 300]]]);
    await set(reply, 'author_id', userIds[1]);
    expect(await slices()).toEqual([[[userIds[1], 300]], [[instanceIds[0], 300]]]);
    await set(asked, 'instance_id', instanceIds[1]);
    expect(await slices()).toEqual([[[userIds[1], 300]], [[instanceIds[1], 300]]]);
    await set(reply, 'is_automatic', true);
    expect(await slices()).toEqual([[[userIds[0], 540]], [[instanceIds[1], 540]]]);
  });

  test('a reply that fails gives way to a scheduled message that has left, however long ago it was stored', async () => {
    const own = await app.createTenant();
    const [leadId, asked, scheduled, failing] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await app.sql(
      "INSERT INTO leads (tenant_id, id, name, source, created_at, updated_at) VALUES ($1, $2, 'x', 'x', now() - interval '2 hours', now())",
      [own.id, leadId],
    );
    await app.sql(
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, type, direction, status, created_at, scheduled_for, sent_at) VALUES
         ($1, $2, $5, $6, 'text', 'INBOUND', NULL, now() - interval '55 min', NULL, NULL),
         ($1, $3, $5, $6, 'text', 'OUTBOUND', 'SENT', now() - interval '54 min', now(), now()),
         ($1, $4, $5, $6, 'text', 'OUTBOUND', 'SENT', now() - interval '1 min', NULL, NULL)`,
      [own.id, asked, scheduled, failing, leadId, own.instance.id],
    );
    const replies = async () => {
      await app.app.services.rollUps.catchUp(own.id);
      const rows = await app.sql<{ reply: string | null }>(
        'SELECT reply_id AS reply FROM reply_times WHERE tenant_id = $1 ORDER BY kind',
        [own.id],
      );
      return rows.map(({ reply }) => reply);
    };
    expect(await replies()).toEqual([failing, failing]);
    await app.sql("UPDATE messages SET status = 'FAILED' WHERE id = $1", [failing]);
    expect(await replies()).toEqual([scheduled, scheduled]);
  });

  test('what comes in while others look is counted once, by the reader that comes first', async () => {
    const own = await app.createTenant();
    const now = Date.now();
    const range = { from: new Date(now - 3_600_000), to: new Date(now + 3_600_000) };
    const { id } = await createDashboard([{ type: 'FIGURE', title: 'x', metric: 'MESSAGES' }], range, 'UTC', own);
    const { rollUps } = app.app.services;
    const post = (index: number) =>
      app.post(
        '/webhooks/chat/gateway/inbound',
        { messageId: `m${index}`, from: `49151123400${index % 10}`, text: 'Oi' },
        withKey(own),
      );
    const looks = Array.from({ length: 10 }, () => read(id, own));
    const rounds = Array.from({ length: 4 }, () => rollUps.catchUpAll());
    await Promise.all([...Array.from({ length: 60 }, (_, index) => post(index)), ...looks, ...rounds]);
    expect(await read(id, own)).toMatchObject([{ figure: { value: 60 } }]);
    await rollUps.catchUpAll();
    expect(await app.sql('SELECT tenant_id FROM dashboard_changes')).toEqual([]);
  });

  test('what a run has left that was interrupted is computed by the next one', async () => {
    const own = await app.createTenant();
    const range = { from: new Date('2026-05-01T00:00Z'), to: new Date('2026-06-01T00:00Z') };
    const widgets: WidgetInput[] = [
      { type: 'FIGURE', title: 'x', metric: 'MESSAGES' },
      { type: 'FIGURE', title: 'x', metric: 'TURNS_UNANSWERED' },
    ];
    const { id } = await createDashboard(widgets, range, 'UTC', own);
    // The leads are more than one transaction computes.
    await app.sql(
      `WITH made AS (
         INSERT INTO leads (tenant_id, id, name, source, created_at, updated_at)
         SELECT $1, gen_random_uuid(), 'x', 'x', '2026-05-05T00:00Z', now() FROM generate_series(1, 600) RETURNING id
       )
       INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, created_at)
       SELECT $1, gen_random_uuid(), id, $2, 'INBOUND', 'text', 'Oi', '2026-05-05T00:00Z' FROM made`,
      [own.id, own.instance.id],
    );
    const { database } = app.app.services;
    let count = 0;
    const failing = {
      query: database.query.bind(database),
      transaction: (...given: Parameters<typeof database.transaction>) => {
        count += 1;
        return count === 3 ? Promise.reject(new Error('interrupted')) : database.transaction(...given);
      },
    } as Pick<typeof database, 'query' | 'transaction'>;
    const interrupted = new RollUpService({ database: failing, log: createLogger('silent') });
    await expect(interrupted.catchUp(own.id)).rejects.toThrow('interrupted');
    const noted = () => app.sql('SELECT id FROM dashboard_changes WHERE tenant_id = $1', [own.id]);
    expect(await noted()).not.toEqual([]);
    expect(await read(id, own)).toMatchObject([{ figure: { value: 600 } }, { figure: { value: 600 } }]);
    expect(await noted()).toEqual([]);
  });

  test('while a range goes on, it is compared with as much of the time before', async () => {
    const own = await app.createTenant();
    const hourMs = 3_600_000;
    const now = Date.now();
    const range = { from: new Date(now - 3 * hourMs), to: new Date(now + 3 * hourMs) };
    const { id } = await createDashboard([{ type: 'FIGURE', title: 'x', metric: 'MESSAGES' }], range, 'UTC', own);
    const leadId = await createLead(app, own);
    const write = (hoursAgo: number) =>
      app.sql(
        `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, created_at)
         VALUES ($1, gen_random_uuid(), $2, $3, 'INBOUND', 'text', 'Oi', $4)`,
        [own.id, leadId, own.instance.id, new Date(now - hoursAgo * hourMs)],
      );
    for (const hoursAgo of [1, 2, 4, 5, 7, 8, 8.5, 10]) await write(hoursAgo);
    const [widget] = await read(id, own);
    expect(widget).toMatchObject({ figure: { value: 2, previous: { value: 3 } } });
  });

  test('a tenant with many changes holds up no other', async () => {
    const ids = [(await app.createTenant()).id, (await app.createTenant()).id];
    await app.app.services.rollUps.catchUpAll();
    // They are more than one turn computes.
    await app.sql(
      `INSERT INTO dashboard_changes (tenant_id, quarters)
       SELECT id, '{2026-05-05T00:00Z}' FROM unnest($1::uuid[]) AS t (id), generate_series(1, 20001)`,
      [ids],
    );
    const { database } = app.app.services;
    const turns: unknown[] = [];
    const recording = {
      query: database.query.bind(database),
      transaction: (...[work, options]: Parameters<typeof database.transaction>) => {
        turns.push(options?.tenantId);
        return database.transaction(work, options);
      },
    } as Pick<typeof database, 'query' | 'transaction'>;
    await new RollUpService({ database: recording, log: createLogger('silent') }).catchUpAll();
    const [first, second] = turns;
    expect(first).not.toBe(second);
    expect(turns).toEqual([first, second, first, second]);
    expect(await app.sql('SELECT tenant_id FROM dashboard_changes')).toEqual([]);
  });

  test('rows that are loaded past the foreign keys are counted; those of a truncated table are not', async () => {
    const own = await app.createTenant();
    const range = { from: new Date('2026-05-01T00:00Z'), to: new Date('2026-06-01T00:00Z') };
    const widgets: WidgetInput[] = [
      { type: 'FIGURE', title: 'x', metric: 'MESSAGES' },
      { type: 'FIGURE', title: 'x', metric: 'TURNS_UNANSWERED' },
      { type: 'FIGURE', title: 'x', metric: 'LEADS_CREATED' },
    ];
    const { id } = await createDashboard(widgets, range, 'UTC', own);
    const lead = randomUUID();
    await app.sql(`BEGIN; SET LOCAL session_replication_role = replica;
    INSERT INTO leads (tenant_id, id, name, source, created_at, updated_at)
      VALUES ('${own.id}', '${lead}', 'x', 'x', '2026-05-05T00:00Z', now());
    INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, created_at)
      SELECT '${own.id}', gen_random_uuid(), '${lead}', '${own.instance.id}', 'INBOUND', 'text', '2026-05-05T00:00Z'
      FROM generate_series(1, 7);
    COMMIT`);
    const values = async () => (await read(id, own)).map((widget) => 'figure' in widget && widget.figure.value);
    expect(await values()).toEqual([7, 1, 1]);
    await app.sql('TRUNCATE messages CASCADE');
    expect(await values()).toEqual([0, 0, 1]);
  });

  test('of any number of sources the largest are told apart, and all are counted', async () => {
    const own = await app.createTenant();
    const range = { from: new Date('2026-05-01T00:00Z'), to: new Date('2026-06-01T00:00Z') };
    // Sources 251 to 300 have 1 to 50 messages, and those before have one each. Sources without messages have two leads each.
    await app.sql(
      `WITH made AS (
       INSERT INTO leads (tenant_id, id, name, source, created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'x', 'source ' || lpad(n::text, 3, '0'), '2026-05-05T00:00Z', now() FROM generate_series(1, 300) n
       RETURNING id, source)
     INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, created_at)
     SELECT $1, gen_random_uuid(), made.id, $2, 'INBOUND', 'text', '2026-05-05T00:00Z'
     FROM made, generate_series(1, greatest(1, right(source, 3)::int - 250))`,
      [own.id, own.instance.id],
    );
    await app.sql(
      `INSERT INTO leads (tenant_id, id, name, source, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'x', 'silent ' || lpad(n::text, 3, '0'), '2026-05-05T00:00Z', now()
     FROM generate_series(1, 250) n, generate_series(1, 2)`,
      [own.id],
    );
    const dimension = 'SOURCE' as const;
    const { id } = await createDashboard(
      [
        { type: 'BREAKDOWN', title: 'x', metric: 'MESSAGES_RECEIVED', dimension, limit: 50 },
        { type: 'BREAKDOWN', title: 'x', metric: 'SPEED_TO_LEAD', dimension, limit: 2 },
        { type: 'TABLE', title: 'x', metrics: ['LEADS_CREATED', 'MESSAGES_RECEIVED'], dimension, limit: 2 },
        { type: 'TABLE', title: 'x', metrics: ['MESSAGES_RECEIVED', 'LEADS_CREATED'], dimension, limit: 2 },
      ],
      range,
      'UTC',
      own,
    );
    const [messages, waits, byLeads, byMessages] = (await read(id, own)) as [
      Extract<ShownWidget, { breakdown: unknown }>,
      Extract<ShownWidget, { breakdown: unknown }>,
      Extract<ShownWidget, { table: unknown }>,
      Extract<ShownWidget, { table: unknown }>,
    ];
    expect(messages.breakdown.slices.map(({ key, value }) => [key, value])).toEqual([
      ...Array.from({ length: 49 }, (_, index) => [`source ${300 - index}`, 50 - index]),
      ['source 001', 1],
    ]);
    expect(messages.breakdown.other).toMatchObject({ value: 250, count: 250 });
    expect(waits.breakdown.slices.map(({ key, total }) => [key, total])).toEqual([
      ['silent 001', 2],
      ['silent 002', 2],
    ]);
    expect(waits.breakdown.other).toMatchObject({ value: null, count: 0, total: 248 * 2 + 300 });
    const linesOf = ({ table }: typeof byLeads) =>
      table.lines.map(({ key, cells }) => [key, cells.map(({ value }) => value)]);
    expect(linesOf(byLeads)).toEqual([
      ['silent 001', [2, 0]],
      ['silent 002', [2, 0]],
    ]);
    // Sources with few leads and the most messages are counted all the same.
    expect(linesOf(byMessages)).toEqual([
      ['source 300', [50, 1]],
      ['source 299', [49, 1]],
    ]);
    expect(byMessages.table.omittedCount).toBe(548);
    // The number of rows from PostgreSQL is bounded, whatever there is.
    const counting = {
      principal: { tenantId: own.id },
      timeZone: 'UTC',
      budget: new StatementBudget(),
      counted: new Map(),
    };
    const widget = {
      id: '',
      type: 'BREAKDOWN' as const,
      title: 'x',
      metric: 'LEADS_CREATED' as const,
      dimension,
      limit: 2,
      filter: {},
    };
    const counted = await new WidgetFigures(app.app.services.database).countBy(counting, widget, widget.metric, range);
    expect([counted.values.size, counted.others]).toEqual([
      200,
      { keys: 350, value: { value: 400, count: 400, total: 400 } },
    ]);
  });
}
