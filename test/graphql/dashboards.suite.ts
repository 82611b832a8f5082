// Dashboards over GraphQL: keeping them, refusals, the dashboards of new tenants, and figures of the present.

import { randomUUID } from 'node:crypto';
import { createLead, plainNumber, send, startSender } from '../features/messages/sending-harness.js';
import { execute, failureOf, query } from '../support/graphql-client.js';
import {
  AuditLogDocument,
  CreateDashboardDocument,
  DashboardCellDocument,
  DashboardDataDocument,
  DashboardDocument,
  DashboardRowsDocument,
  DashboardsDocument,
  DeleteDashboardDocument,
  DeleteLeadDocument,
  MergeLeadsDocument,
  UpdateDashboardDocument,
  type CreateDashboardInput,
  type TimeRangeInput,
  type UpdateDashboardInput,
  type WidgetInput,
} from '../support/operations.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeDashboards(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    // No gateway answers at this address, so queued messages wait for a retry.
    app = await startSender({ url: 'http://127.0.0.1:9' });
    tenant = await app.createTenant();
  });
  afterAll(() => app.stop());

  const newName = () => `dashboard-${randomUUID()}`;
  const figure: WidgetInput = { type: 'FIGURE', title: 'Received', metric: 'MESSAGES_RECEIVED' };
  const create = (input: Partial<CreateDashboardInput> = {}, by = tenant) =>
    execute(app, by.operator, CreateDashboardDocument, { input: { name: newName(), widgets: [figure], ...input } });
  const update = (id: string, input: UpdateDashboardInput, by = tenant) =>
    execute(app, by.operator, UpdateDashboardDocument, { id, input });

  async function created(input: Partial<CreateDashboardInput> = {}, by = tenant) {
    const { data, errors } = await create(input, by);
    if (data == null) throw new Error(`the dashboard was not created: ${JSON.stringify(errors)}`);
    return data.createDashboard;
  }

  async function show(id: string, by = tenant, variables: { range?: TimeRangeInput; timeZone?: string } = {}) {
    const { dashboard } = await query(app, by.operator, DashboardDataDocument, { id, ...variables });
    return dashboard?.widgets ?? [];
  }

  /** Reads a widget of a dashboard with its rows, or with the rows of one key of a breakdown. */
  async function rowsOf(
    dashboard: { id: string; widgets: { id: string }[] },
    index: number,
    by: TestTenant,
    page: RowsPage = {},
  ) {
    const { id, widgets } = dashboard;
    const at = new Date().toISOString();
    const variables = { id, widget: widgets[index]!.id, at, of: 'COUNTED', ...page } as const;
    return (await query(app, by.operator, DashboardRowsDocument, variables)).dashboard?.widget;
  }

  interface RowsPage {
    key?: string;
    first?: number;
    after?: string | null;
  }

  /** The figure of a dashboard that has one figure. */
  async function figureOf(id: string, by = tenant) {
    const [widget] = await show(id, by);
    return widget !== undefined && 'figure' in widget ? widget.figure : undefined;
  }

  describe('creating', () => {
    test('a dashboard is what it was created as, with ids and defaults', async () => {
      const filter = { sources: ['ads'], instanceIds: [tenant.instance.id] };
      const widgets: WidgetInput[] = [
        { ...figure, filter },
        { type: 'SERIES', title: 'By day', metric: 'DELIVERED_RATE', bucket: 'DAY' },
        { type: 'BREAKDOWN', title: 'By source', metric: 'LEADS_CREATED', dimension: 'SOURCE' },
        { type: 'TABLE', title: 'By instance', metrics: ['MESSAGES', 'READ_RATE'], dimension: 'INSTANCE', limit: 3 },
      ];
      const range = { preset: 'LAST_MONTH' } as const;
      const dashboard = await created({ timeZone: 'America/Sao_Paulo', range, widgets });
      expect(dashboard).toMatchObject({
        timeZone: 'America/Sao_Paulo',
        range,
        widgets: [
          { type: 'FIGURE', title: 'Received', metric: 'MESSAGES_RECEIVED', filter },
          { type: 'SERIES', bucket: 'DAY' },
          { type: 'BREAKDOWN', dimension: 'SOURCE', limit: 10 },
          { type: 'TABLE', metrics: ['MESSAGES', 'READ_RATE'], limit: 3 },
        ],
      });
      const { dashboard: read } = await query(app, tenant.admin, DashboardDocument, { id: dashboard.id });
      expect(read).toEqual(dashboard);
    });

    const widget = (change: Partial<WidgetInput>): Partial<CreateDashboardInput> => ({
      widgets: [figure, { ...figure, ...change }],
    });
    const anyId = randomUUID();
    test.each<[string, Partial<CreateDashboardInput>, string[]]>([
      ['no name', { name: ' ' }, ['name']],
      ['a long name', { name: 'a'.repeat(101) }, ['name']],
      ['a zone that is none', { timeZone: 'Mars/Olympus' }, ['timeZone']],
      ['an offset for a zone', { timeZone: '+03:00' }, ['timeZone']],
      ['SQL for a zone', { timeZone: "UTC'; SELECT 1" }, ['timeZone']],
      ['25 widgets', { widgets: Array.from({ length: 25 }, () => figure) }, ['widgets']],
      ['a range without anything', { range: {} }, ['range.from']],
      ['a range without an end', { range: { from: '2026-01-01T00:00:00Z' } }, ['range.to']],
      ['a range both ways', { range: { preset: 'TODAY', from: '2026-01-01T00:00:00Z' } }, ['range.preset']],
      ['an empty range', { range: { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } }, ['range.to']],
      ['a range of 4 years', { range: { from: '2022-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } }, ['range.to']],
      [
        'a range of long ago',
        { range: { from: '1926-01-01T00:00:00Z', to: '1926-01-02T00:00:00Z' } },
        ['range.from', 'range.to'],
      ],
      ['no title', widget({ title: '' }), ['widgets.1.title']],
      ['a figure without a metric', widget({ metric: null }), ['widgets.1.metric']],
      ['a figure with a bucket', widget({ bucket: 'DAY' }), ['widgets.1.bucket']],
      ['a figure with metrics', widget({ metrics: ['MESSAGES'] }), ['widgets.1.metrics']],
      ['a series without a bucket', widget({ type: 'SERIES' }), ['widgets.1.bucket']],
      ['a series of the queue', widget({ type: 'SERIES', bucket: 'DAY', metric: 'QUEUE_DEPTH' }), ['widgets.1.metric']],
      ['hours of a month', widget({ type: 'SERIES', bucket: 'HOUR' }), ['widgets.1.bucket']],
      ['a breakdown by nothing', widget({ type: 'BREAKDOWN' }), ['widgets.1.dimension']],
      [
        'a breakdown of a rate by status',
        widget({ type: 'BREAKDOWN', metric: 'READ_RATE', dimension: 'STATUS' }),
        ['widgets.1.dimension'],
      ],
      [
        'leads by template',
        widget({ type: 'BREAKDOWN', metric: 'LEADS_CREATED', dimension: 'TEMPLATE' }),
        ['widgets.1.dimension'],
      ],
      ['51 slices', widget({ type: 'BREAKDOWN', dimension: 'SOURCE', limit: 51 }), ['widgets.1.limit']],
      [
        'a table of nothing',
        widget({ type: 'TABLE', metric: null, metrics: [], dimension: 'SOURCE' }),
        ['widgets.1.metrics'],
      ],
      ['a filter that is no id', widget({ filter: { authorIds: ['x'] } }), ['widgets.1.filter.authorIds.0']],
      ['a filter by nothing', widget({ filter: { sources: [] } }), ['widgets.1.filter.sources']],
      [
        '51 sources',
        widget({ filter: { sources: Array.from({ length: 51 }, (_, n) => `s${n}`) } }),
        ['widgets.1.filter.sources'],
      ],
      [
        'leads of an instance',
        widget({ metric: 'LEADS_CREATED', filter: { instanceIds: [anyId] } }),
        ['widgets.1.filter.instanceIds'],
      ],
      [
        'one id for two widgets',
        {
          widgets: [
            { ...figure, id: anyId },
            { ...figure, id: anyId },
          ],
        },
        ['widgets.1.id'],
      ],
    ])('%s is refused by name', async (_, input, paths) => {
      expect(failureOf(await create(input))).toEqual({ code: 'VALIDATION_FAILED', paths });
    });

    test('a name is one dashboard of a tenant, until it is deleted', async () => {
      const name = newName();
      const { id } = await created({ name });
      expect(failureOf(await create({ name }))).toEqual({ code: 'CONFLICT', paths: ['name'] });
      const other = await app.createTenant();
      await created({ name }, other);
      await query(app, tenant.operator, DeleteDashboardDocument, { id });
      await created({ name });
    });

    test('of many that are created at once, the tenant keeps at most 100', async () => {
      const own = await app.createTenant();
      const answers = await Promise.all(Array.from({ length: 104 }, () => create({ widgets: [] }, own)));
      const refused = answers.filter(({ errors }) => errors !== undefined);
      expect(refused.map((answer) => failureOf(answer).code)).toEqual(Array(6).fill('CONFLICT'));
    });
  });

  describe('changing', () => {
    test('what is left out stays; widgets that are named stay themselves', async () => {
      const before = await created({ widgets: [figure, { ...figure, title: 'Second' }] });
      const [first, second] = before.widgets;
      const widgets: WidgetInput[] = [
        { ...figure, id: second!.id, title: 'Now first' },
        { ...figure, id: randomUUID(), title: 'New' },
      ];
      const { data } = await update(before.id, { widgets });
      expect(data?.updateDashboard).toMatchObject({ name: before.name, timeZone: 'UTC', range: before.range });
      const [kept, added] = data?.updateDashboard.widgets ?? [];
      expect(kept).toMatchObject({ id: second!.id, title: 'Now first' });
      expect([first!.id, second!.id, widgets[1]!.id]).not.toContain(added?.id);
    });

    test('what changes nothing is no change', async () => {
      const range = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };
      const filter = { templateIds: [randomUUID()], sources: ['a'] };
      const dashboard = await created({ range, widgets: [{ ...figure, filter }] });
      const widgets = [{ ...figure, filter, id: dashboard.widgets[0]!.id }];
      const { data } = await update(dashboard.id, { name: dashboard.name, timeZone: 'UTC', range, widgets });
      expect(data?.updateDashboard).toEqual(dashboard);
    });

    test.each<[string, UpdateDashboardInput, string[]]>([
      ['a name of null', { name: null }, ['name']],
      ['a longer range than its hours have points', { range: { preset: 'LAST_90_DAYS' } }, ['widgets.0.bucket']],
      ['a zone that is none', { timeZone: 'x' }, ['timeZone']],
    ])('%s is refused by name', async (_, input, paths) => {
      const hours: WidgetInput = { type: 'SERIES', title: 'x', metric: 'MESSAGES', bucket: 'HOUR' };
      const { id } = await created({ range: { preset: 'TODAY' }, widgets: [hours] });
      expect(failureOf(await update(id, input))).toEqual({ code: 'VALIDATION_FAILED', paths });
    });

    test.each([
      ['400 days', '2027-02-05T00:00:00Z', undefined],
      ['401 days', '2027-02-06T00:00:00Z', ['widgets.0.bucket']],
    ])('a series of %s by the day is refused beyond 400', async (_, to, paths) => {
      const days: WidgetInput = { type: 'SERIES', title: 'x', metric: 'MESSAGES', bucket: 'DAY' };
      const { id } = await created({ range: { preset: 'TODAY' }, widgets: [days] });
      expect(failureOf(await update(id, { range: { from: '2026-01-01T00:00:00Z', to } })).paths).toEqual(paths);
    });

    test('what is not there is not found; a taken name is CONFLICT', async () => {
      const [one, two] = [await created(), await created()];
      expect(failureOf(await update(one.id, { name: two.name })).code).toBe('CONFLICT');
      for (const id of [randomUUID(), 'x'])
        expect(failureOf(await update(id, { name: newName() })).code).toBe('NOT_FOUND');
      await query(app, tenant.operator, DeleteDashboardDocument, { id: one.id });
      const again = await execute(app, tenant.operator, DeleteDashboardDocument, { id: one.id });
      expect(failureOf(again).code).toBe('NOT_FOUND');
      expect((await query(app, tenant.operator, DashboardDocument, { id: one.id })).dashboard).toBeNull();
    });

    test('a change for what is there no more is CONFLICT and changes nothing', async () => {
      const dashboard = await created();
      const first = await update(dashboard.id, { name: newName(), expectedUpdatedAt: dashboard.updatedAt });
      expect(first.errors).toBeUndefined();
      const late = await update(dashboard.id, { timeZone: 'Europe/Berlin', expectedUpdatedAt: dashboard.updatedAt });
      expect(failureOf(late)).toEqual({ code: 'CONFLICT', paths: ['expectedUpdatedAt'] });
      const { dashboard: after } = await query(app, tenant.operator, DashboardDocument, { id: dashboard.id });
      expect(after).toEqual(first.data?.updateDashboard);
    });

    test('who did it stands in the audit log, with what was changed', async () => {
      const { id, name } = await created();
      await update(id, { timeZone: 'Europe/Berlin' });
      await query(app, tenant.operator, DeleteDashboardDocument, { id });
      const { auditLog } = await query(app, tenant.admin, AuditLogDocument, { filter: { targetId: id } });
      expect(auditLog.edges.map(({ node }) => node)).toMatchObject([
        { action: 'DASHBOARD_DELETED', actorId: tenant.operator.id, before: { name }, after: null },
        { action: 'DASHBOARD_UPDATED', before: { timeZone: 'UTC' }, after: { timeZone: 'Europe/Berlin' } },
        { action: 'DASHBOARD_CREATED', targetKind: 'DASHBOARD', before: null, after: { name } },
      ]);
    });
  });

  test('a new tenant has dashboards that show nothing yet, and says so in figures', async () => {
    const own = await app.createTenant();
    const { dashboards } = await query(app, own.operator, DashboardsDocument, {});
    expect(dashboards.edges.map(({ node }) => node.name)).toEqual(['Leads and messages', 'Response times']);
    for (const { node } of dashboards.edges) {
      expect(node.widgets).toHaveLength(6);
      for (const widget of await show(node.id, own)) {
        if ('figure' in widget) expect([0, null]).toContain(widget.figure.value);
        if ('series' in widget) expect(widget.series.points.map(({ total }) => total)).toEqual(Array(30).fill(0));
        if ('table' in widget) expect(widget.table.lines).toEqual([]);
      }
    }
  });

  describe('the course of a figure', () => {
    const dayMs = 86_400_000;
    const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
    const text = `query ($id: ID!) {
      dashboard(id: $id) { widgets {
        ... on FigureWidget { figure: data { value course { bucket starts values } } }
        ... on SeriesWidget { series: data { points { start value } } }
      } }
    }`;

    /** Reads the course of a figure, and the points of a series of the same metric. */
    async function courseOf(range: TimeRangeInput, bucket: 'HOUR' | 'DAY' | 'WEEK' | 'MONTH', by: TestTenant) {
      const series: WidgetInput = { ...figure, type: 'SERIES', bucket };
      const { id } = await created({ range, timeZone: 'America/Sao_Paulo', widgets: [figure, series] }, by);
      const answer = await app.post('/graphql', { query: text, variables: { id } }, withToken(by.operator));
      const { data } = (await answer.json()) as { data: { dashboard: { widgets: [CourseWidget, SeriesWidget] } } };
      const [{ figure: shown }, { series: drawn }] = data.dashboard.widgets;
      return { ...shown, points: drawn.points };
    }

    interface CourseWidget {
      figure: { value: number; course: { bucket: string; starts: string[]; values: number[] } };
    }

    interface SeriesWidget {
      series: { points: { start: string; value: number }[] };
    }

    test('has the values of the series of its range up to now, in the shortest buckets that are few enough', async () => {
      const own = await app.createTenant();
      const leadId = await createLead(app, own);
      await app.sql(
        `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body)
         SELECT $1, gen_random_uuid(), $2, $3, 'INBOUND', 'text', 'x' FROM generate_series(1, 3)`,
        [own.id, leadId, own.instance.id],
      );
      for (const [range, bucket] of [
        [{ preset: 'TODAY' }, 'HOUR'],
        [{ preset: 'LAST_30_DAYS' }, 'DAY'],
        [{ preset: 'THIS_YEAR' }, 'WEEK'],
        [{ from: ago(700 * dayMs), to: ago(-dayMs) }, 'MONTH'],
      ] as const) {
        const { value, course, points } = await courseOf(range, bucket, own);
        const begun = points.filter(({ start }) => Date.parse(start) <= Date.now());
        expect([course.bucket, course.starts]).toEqual([bucket, begun.map(({ start }) => start)]);
        expect(course.values).toEqual(begun.map((point) => point.value));
        expect(course.values.reduce((sum, one) => sum + one, 0)).toBe(value);
      }
    });
  });

  describe('what happens just now', () => {
    test('is counted at once: a message, its reply, a change of its lead', async () => {
      const own = await app.createTenant();
      const widgets: WidgetInput[] = [
        { type: 'FIGURE', title: 'x', metric: 'MESSAGES_RECEIVED' },
        { type: 'FIGURE', title: 'x', metric: 'TURNS_UNANSWERED' },
        { type: 'FIGURE', title: 'x', metric: 'RESPONSE_TIME_MEDIAN' },
        { type: 'BREAKDOWN', title: 'x', metric: 'MESSAGES_RECEIVED', dimension: 'ASSIGNEE' },
      ];
      const { id } = await created({ range: { preset: 'TODAY' }, widgets }, own);
      const from = plainNumber();
      const post = () =>
        app.post('/webhooks/chat/gateway/inbound', { messageId: randomUUID(), from, text: 'Oi' }, withKey(own));
      await post();
      await post();
      const totals = async () =>
        (await show(id, own)).map((widget) =>
          'figure' in widget ? [widget.figure.count, widget.figure.total] : undefined,
        );
      expect(await totals()).toEqual([[2, 2], [1, 1], [0, 1], undefined]);
      const leadId = await createLead(app, own, from);
      await send(app, own, { leadId, body: 'Oi' });
      expect(await totals()).toEqual([[2, 2], [0, 1], [1, 1], undefined]);
      await app.sql('UPDATE leads SET assignee_id = $1 WHERE id = $2', [own.operator.id, leadId]);
      const [, , , byAssignee] = await show(id, own);
      expect(byAssignee).toMatchObject({
        breakdown: {
          slices: [{ key: own.operator.id, label: `${own.operator.idpSub}@test.example`, count: 2 }],
          other: null,
        },
      });
    });

    test('leads that are merged are one, and their turns are its turns', async () => {
      const own = await app.createTenant();
      const widgets: WidgetInput[] = [{ ...figure, metric: 'LEADS_CREATED' }];
      const dashboard = await created({ range: { preset: 'TODAY' }, widgets }, own);
      const { id } = dashboard;
      const [leadId, intoId] = [await createLead(app, own), await createLead(app, own)];
      expect(await figureOf(id, own)).toMatchObject({ value: 2 });
      await query(app, own.operator, MergeLeadsDocument, { leadId, intoId });
      expect(await figureOf(id, own)).toMatchObject({ value: 1 });
      expect(await rowsOf(dashboard, 0, own)).toMatchObject({
        figure: { rows: { edges: [{ node: { id: intoId } }] } },
      });
    });

    test('the queue is what waits now, but for what is scheduled, whatever the range', async () => {
      const own = await app.createTenant();
      const queue: WidgetInput = { type: 'FIGURE', title: 'x', metric: 'QUEUE_DEPTH' };
      const byLine: WidgetInput = { ...queue, type: 'BREAKDOWN', dimension: 'INSTANCE' };
      const range = { from: '2001-01-01T00:00:00Z', to: '2001-01-02T00:00:00Z' };
      const dashboard = await created({ range, widgets: [queue, byLine] }, own);
      const { id } = dashboard;
      // The instance is disconnected, so the messages wait.
      await app.sql("UPDATE chat_instances SET status = 'DISCONNECTED', told_status = 'DISCONNECTED' WHERE id = $1", [
        own.instance.id,
      ]);
      const leadId = await createLead(app, own);
      const waiting = [await send(app, own, { leadId, body: '1' }), await send(app, own, { leadId, body: '2' })];
      await send(app, own, { leadId, body: '3', sendAt: new Date(Date.now() + 3_600_000).toISOString() });
      expect(await show(id, own)).toMatchObject([
        { figure: { value: 2, count: 2, total: 2, unit: 'COUNT', previous: null } },
        { breakdown: { slices: [{ key: own.instance.id, label: own.instance.name, value: 2 }] } },
      ]);
      const edges = waiting.toReversed().map((messageId) => ({ node: { id: messageId } }));
      expect(await rowsOf(dashboard, 0, own)).toMatchObject({ figure: { rows: { edges } } });
      const ofLine = await rowsOf(dashboard, 1, own, { key: own.instance.id });
      expect(ofLine).toMatchObject({ breakdown: { slice: { rows: { edges } }, other: null } });
    });

    test('who waits now, and how long the first has waited, whatever the range; a closed conversation does not count', async () => {
      const own = await app.createTenant();
      const waiting: WidgetInput = { type: 'FIGURE', title: 'x', metric: 'CONVERSATIONS_WAITING' };
      const longest: WidgetInput = { ...waiting, metric: 'LONGEST_WAIT' };
      const bySource: WidgetInput = { ...longest, type: 'BREAKDOWN', dimension: 'SOURCE' };
      const mine: WidgetInput = { ...waiting, filter: { assigneeIds: [own.operator.id] } };
      const range = { from: '2001-01-01T00:00:00Z', to: '2001-01-02T00:00:00Z' };
      const dashboard = await created({ range, widgets: [waiting, longest, bySource, mine] }, own);
      const nothing = { count: 0, total: 0, previous: null };
      expect(await show(dashboard.id, own)).toMatchObject([
        { figure: { value: 0, unit: 'COUNT', ...nothing } },
        { figure: { value: null, unit: 'SECONDS', ...nothing } },
        { breakdown: { slices: [] } },
        { figure: { value: 0, ...nothing } },
      ]);
      const leadIds = await Promise.all(Array.from({ length: 4 }, () => createLead(app, own)));
      const since = "now() - ($3::int * interval '1 hour')";
      for (const [index, leadId] of leadIds.entries())
        await app.sql(
          `UPDATE leads SET last_message_id = gen_random_uuid(), last_message_position = message_position(now()), waiting_since = ${since}, source = $4, assignee_id = $5,
             conversation_status = CASE WHEN $3::int = 4 THEN 'CLOSED' ELSE 'OPEN' END::conversation_status
           WHERE tenant_id = $1 AND id = $2`,
          [own.id, leadId, index + 1, index === 0 ? 'web' : 'fair', index === 0 ? own.operator.id : null],
        );
      const answer = (await show(dashboard.id, own)) as unknown as {
        figure?: { value: number };
        breakdown?: { slices: { key: string; value: number; count: number }[] };
      }[];
      expect(answer).toMatchObject([
        { figure: { value: 3, count: 3, total: 3 } },
        { figure: { count: 3, total: 3 } },
        {
          breakdown: {
            slices: [
              { key: 'fair', count: 2 },
              { key: 'web', count: 1 },
            ],
          },
        },
        { figure: { value: 1, count: 1 } },
      ]);
      expect(answer[1]?.figure?.value).toBeCloseTo(3 * 3_600, -2);
      expect(answer[2]?.breakdown?.slices.map(({ value }) => Math.round(value / 3_600))).toEqual([3, 1]);
      // The lead that began to wait last comes first, like in all lists of dashboards.
      const edges = leadIds.slice(0, 3).map((id) => ({ node: { id } }));
      for (const index of [0, 1])
        expect(await rowsOf(dashboard, index, own)).toMatchObject({ figure: { rows: { edges } } });
    });
  });

  describe('reading', () => {
    test('rows come in pages without gap or repetition, also of records of one moment', async () => {
      const own = await app.createTenant();
      const leadId = await createLead(app, own);
      await app.sql(
        `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, created_at)
       SELECT $1, gen_random_uuid(), $2, $3, 'INBOUND', 'text', timestamptz '2026-05-05 12:00Z' + n / 3 * interval '1 s'
       FROM generate_series(0, 9) n`,
        [own.id, leadId, own.instance.id],
      );
      const range = { from: '2026-05-05T00:00:00Z', to: '2026-05-06T00:00:00Z' };
      const dashboard = await created({ range }, own);
      const seen: string[] = [];
      let after: string | null = null;
      for (let page = 0; page < 4; page += 1) {
        const widget: Awaited<ReturnType<typeof rowsOf>> = await rowsOf(dashboard, 0, own, { first: 3, after });
        if (widget == null || !('figure' in widget)) throw new Error('there is no figure');
        const { edges, pageInfo } = widget.figure.rows;
        seen.push(...edges.map(({ node }) => node.id));
        expect([pageInfo.hasNextPage, pageInfo.hasPreviousPage]).toEqual([page < 3, page > 0]);
        after = pageInfo.endCursor;
      }
      const stored = await app.sql<{ id: string }>(
        'SELECT id FROM messages WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC',
        [own.id],
      );
      expect(seen).toEqual(stored.map((row) => row.id));
    });

    test('a page goes on behind a record that has gone since, and knows what lies before it', async () => {
      const own = await app.createTenant();
      const ids: string[] = [];
      for (let index = 0; index < 4; index += 1) ids.unshift(await createLead(app, own));
      const [from, to] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
      const dashboard = await created({ range: { from, to }, widgets: [{ ...figure, metric: 'LEADS_CREATED' }] }, own);
      const page = async (after: string | null) => {
        const widget = await rowsOf(dashboard, 0, own, { first: 1, after });
        if (widget == null || !('figure' in widget)) throw new Error('there is no figure');
        const { edges, pageInfo, totalCount } = widget.figure.rows;
        return { ids: edges.map(({ node }) => node.id), totalCount, ...pageInfo };
      };
      const first = await page(null);
      expect(first).toMatchObject({ ids: ids.slice(0, 1), totalCount: 4, hasNextPage: true, hasPreviousPage: false });
      const second = await page(first.endCursor);
      expect(second).toMatchObject({ ids: ids.slice(1, 2), hasNextPage: true, hasPreviousPage: true });
      await query(app, own.operator, DeleteLeadDocument, { id: ids[1]! });
      const third = await page(second.endCursor);
      expect(third).toMatchObject({ ids: ids.slice(2, 3), totalCount: 3, hasNextPage: true, hasPreviousPage: true });
    });

    test('another range and zone for one look; what does not fit is refused by name', async () => {
      const series: WidgetInput = { type: 'SERIES', title: 'x', metric: 'MESSAGES', bucket: 'HOUR' };
      const { id } = await created({ range: { preset: 'TODAY' }, widgets: [series] });
      const range = { from: '2026-10-24T22:00:00Z', to: '2026-10-25T23:00:00Z' };
      const [widget] = await show(id, tenant, { range, timeZone: 'Europe/Berlin' });
      const points = Array.from({ length: 25 }, () => ({ value: 0, count: 0, total: 0 }));
      expect(widget).toMatchObject({ series: { points } });
      const look = (variables: { range?: TimeRangeInput; timeZone?: string }) =>
        execute(app, tenant.operator, DashboardDataDocument, { id, ...variables });
      expect(failureOf(await look({ range: { preset: 'THIS_YEAR' } })).paths).toEqual(['bucket']);
      expect(failureOf(await look({ timeZone: 'x' })).paths).toEqual(['timeZone']);
      expect(failureOf(await look({ range: {} })).paths).toEqual(['range.from']);
    });

    test('a rate of nothing has no value, and what is beyond the limit is one more slice', async () => {
      const own = await app.createTenant();
      for (const source of ['a', 'b', 'b', 'c', 'c', 'c'])
        await app.post('/public/leads', { chat: plainNumber(), source }, withKey(own));
      const widgets: WidgetInput[] = [
        { ...figure, metric: 'DELIVERED_RATE' },
        { type: 'BREAKDOWN', title: 'x', metric: 'LEADS_CREATED', dimension: 'SOURCE', limit: 1 },
        { type: 'TABLE', title: 'x', metrics: ['LEADS_CREATED', 'SPEED_TO_LEAD'], dimension: 'SOURCE', limit: 2 },
      ];
      const dashboard = await created({ range: { preset: 'TODAY' }, widgets }, own);
      const { id } = dashboard;
      expect(await show(id, own)).toMatchObject([
        { figure: { value: null, count: 0, total: 0, unit: 'RATIO' } },
        { breakdown: { slices: [{ key: 'c', label: 'c', value: 3 }], other: { value: 3, count: 3 } } },
        {
          table: {
            lines: [{ key: 'c', cells: [{ value: 3 }, { value: null, count: 0, total: 3 }] }, { key: 'b' }],
            omittedCount: 1,
          },
        },
      ]);
      const breakdown = await rowsOf(dashboard, 1, own, { key: 'c' });
      if (breakdown == null || !('breakdown' in breakdown)) throw new Error('there is no breakdown');
      expect(breakdown.breakdown.slice?.rows.edges).toHaveLength(3);
      expect(breakdown.breakdown.other?.rows.edges).toHaveLength(3);
    });

    test('one value of a table opens its records alone', async () => {
      const own = await app.createTenant();
      for (const source of ['a', 'b', 'b'])
        await app.post('/public/leads', { chat: plainNumber(), source }, withKey(own));
      const table: WidgetInput = { type: 'TABLE', title: 'x', metrics: ['LEADS_CREATED'], dimension: 'SOURCE' };
      const { id, widgets } = await created({ range: { preset: 'TODAY' }, widgets: [table] }, own);
      const cellOf = async (metric: 'LEADS_CREATED' | 'SPEED_TO_LEAD') => {
        const variables = { id, widget: widgets[0]!.id, key: 'b', metric };
        const { dashboard } = await query(app, own.operator, DashboardCellDocument, variables);
        const widget = dashboard?.widget;
        return widget != null && 'table' in widget ? widget.table.line?.cell : undefined;
      };
      const cell = await cellOf('LEADS_CREATED');
      expect(cell).toMatchObject({ value: 2, rows: { totalCount: 2 } });
      expect(cell?.rows.edges).toHaveLength(2);
      expect(await cellOf('SPEED_TO_LEAD')).toBeNull();
    });

    test('an operation reads 200 figures and lists at most', async () => {
      const widgets = Array.from({ length: 24 }, (_, n) => ({
        ...figure,
        title: `${n}`,
        filter: { sources: [`${n}`] },
      }));
      const { id } = await created({ widgets });
      const looks = (count: number) =>
        Array.from(
          { length: count },
          (_, n) => `d${n}: dashboard(id: "${id}") { widgets { ... on FigureWidget { data { count } } } }`,
        );
      const ask = async (count: number) => {
        const answer = await app.post(
          '/graphql',
          { query: `{ ${looks(count).join(' ')} }` },
          withToken(tenant.operator),
        );
        return (await answer.json()) as { errors?: { extensions: { code: string } }[] };
      };
      expect((await ask(8)).errors).toBeUndefined();
      expect((await ask(9)).errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
    });

    test('an operation shows 10,000 values at most: any one dashboard in full', async () => {
      const series = (n: number): WidgetInput => ({
        type: 'SERIES',
        title: `${n}`,
        metric: 'MESSAGES',
        bucket: 'HOUR',
      });
      const range = { from: '2026-05-01T00:00:00Z', to: '2026-05-17T14:00:00Z' };
      const { id } = await created({ range, widgets: Array.from({ length: 24 }, (_, n) => series(n)) });
      const look = `dashboard(id: "${id}") { widgets { ... on SeriesWidget { data { points { value } } } } }`;
      const ask = async (document: string) => {
        const answer = await app.post('/graphql', { query: document }, withToken(tenant.operator));
        return (await answer.json()) as { data: any; errors?: { message: string; extensions: { code: string } }[] };
      };
      const { data } = await ask(`{ ${look} }`);
      expect(data.dashboard.widgets.flatMap((widget: any) => widget.data.points)).toHaveLength(24 * 398);
      const { errors } = await ask(`{ one: ${look} other: ${look} }`);
      expect(errors?.[0]).toMatchObject({
        message: expect.stringContaining('at most 10000 values'),
        extensions: { code: 'VALIDATION_FAILED' },
      });
    });
  });
}
