// Stored dashboards: creating, changing, listing and deleting them. Results belong to widget-result.service.ts.

import type { Database, NamedStatement, Prisma, SqlRunner } from '../../platform/database/database.js';
import { AppError, notFound } from '../../platform/errors.js';
import { isUuid, parseInput, validationFailed, withoutUndefined } from '../../platform/input/input.js';
import { keyFilter, readPage, type KeyRange, type Page, type PageArgs } from '../../platform/database/page.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import { requireRoomFor } from '../../platform/database/record-bound.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { changedFields, type AuditService } from '../audit/audit.service.js';
import {
  createDashboardSchema,
  maxDashboards,
  pointProblems,
  toWidget,
  updateDashboardSchema,
  type CreateDashboardInput,
  type UpdateDashboardInput,
  type WantedWidget,
  type Widget,
} from './dashboard.schema.js';
import { findBuckets, resolveRange, type Bucket, type TimeRange } from './time-range.js';
import { writeUnique } from '../../platform/database/unique-fields.js';

/** A dashboard without results. */
export interface DashboardRecord {
  tenantId: string;
  id: string;
  name: string;
  widgets: Widget[];
  timeZone: string;
  timeRange: TimeRange;
  createdAt: Date;
  updatedAt: Date;
}

type DashboardRow = Prisma.DashboardGetPayload<object>;

const defaultTimeZone = 'UTC';
const defaultRange: TimeRange = { preset: 'LAST_30_DAYS' };

export interface DashboardOptions {
  database: Database;
  audit: AuditService;
}

export class DashboardService {
  constructor(private readonly options: DashboardOptions) {}

  /** Returns the tenant's dashboards, newest first. */
  async list(principal: Principal | undefined, args: PageArgs): Promise<Page<DashboardRecord>> {
    const { tenantId } = requireUser(principal);
    const read = async (range: KeyRange) => {
      const { bound, sort } = keyFilter(range, 'desc');
      const query = { where: { tenantId, id: bound }, orderBy: { id: sort }, take: range.limit };
      return (await this.options.database.prisma.dashboard.findMany(query)).map(toRecord);
    };
    const count = () => this.options.database.prisma.dashboard.count({ where: { tenantId } });
    return readPage(args, { list: 'dashboards', keyOf: (dashboard) => dashboard.id, read, count });
  }

  /** Returns a dashboard of the caller's tenant; null if there is none with this id. */
  async find(principal: Principal | undefined, id: string): Promise<DashboardRecord | null> {
    const { tenantId } = requireUser(principal);
    if (!isUuid(id)) return null;
    const where = { tenantId_id: { tenantId, id } };
    const row = await this.options.database.prisma.dashboard.findUnique({ where });
    return row === null ? null : toRecord(row);
  }

  /**
   * Creates a dashboard. Its widgets get new ids; ids of the input are ignored.
   * @throws AppError VALIDATION_FAILED naming each wrong field (`widgets.<index>.metric`); CONFLICT if the name is taken, or the
   * tenant has `maxDashboards`
   */
  async create(principal: Principal | undefined, input: CreateDashboardInput): Promise<DashboardRecord> {
    const user = requireUser(principal);
    const wanted = parseInput(createDashboardSchema, input);
    const { timeZone = null, range = null } = wanted;
    const dashboard = {
      id: newRecordId(),
      name: wanted.name,
      widgets: wanted.widgets.map((widget) => toWidget(widget, newRecordId())),
      timeZone: timeZone ?? defaultTimeZone,
      timeRange: range ?? defaultRange,
    };
    return this.options.database.transaction(async (sql) => {
      await check(sql, dashboard);
      await requireRoomFor(sql, user.tenantId, { kind: 'dashboards', max: maxDashboards, count: countDashboards });
      const created = toRecord(
        await writeUnique('dashboard', uniqueFields, () => insert(sql, user.tenantId, [dashboard])),
      );
      const entry = { action: 'DASHBOARD_CREATED', after: auditedFields(created) } as const;
      await this.options.audit.record(sql, user, [{ ...about(created), ...entry }]);
      return created;
    });
  }

  /**
   * Changes a dashboard. Widgets are replaced as a whole; a widget that names an existing id keeps it. Safe to repeat if every widget
   * names its id, without `expectedUpdatedAt`.
   * @throws AppError NOT_FOUND; VALIDATION_FAILED like `create`; CONFLICT if the name is taken, or the dashboard was changed since
   * `expectedUpdatedAt`
   */
  async update(principal: Principal | undefined, id: string, input: UpdateDashboardInput): Promise<DashboardRecord> {
    const user = requireUser(principal);
    const { range: timeRange, widgets, expectedUpdatedAt, ...fields } = parseInput(updateDashboardSchema, input);
    return this.options.database.transaction(async (sql) => {
      const before = await getLocked(sql, user.tenantId, id);
      if (expectedUpdatedAt != null && expectedUpdatedAt.getTime() !== before.updatedAt.getTime())
        throw new AppError('CONFLICT', 'The dashboard was changed by somebody else', {
          errors: [{ path: 'expectedUpdatedAt', message: `it was changed at ${before.updatedAt.toISOString()}` }],
        });
      const change = { ...fields, timeRange, widgets: widgets && keepIds(before.widgets, widgets) };
      const next: DashboardRecord = { ...before, ...withoutUndefined(change) };
      const changed = changedFields(auditedFields(before), auditedFields(next));
      if (changed === undefined) return before;
      await check(sql, next);
      const stored = [JSON.stringify(next.widgets), next.timeZone, JSON.stringify(next.timeRange)];
      const values = [next.tenantId, next.id, next.name, ...stored];
      const after = toRecord(
        await writeUnique('dashboard', uniqueFields, () => sql.query<DashboardRow>(updateDashboard, values)),
      );
      await this.options.audit.record(sql, user, [{ ...about(after), action: 'DASHBOARD_UPDATED', ...changed }]);
      return after;
    });
  }

  /** Deletes a dashboard. @returns its id @throws AppError NOT_FOUND, also if it is already deleted */
  async delete(principal: Principal | undefined, id: string): Promise<string> {
    const user = requireUser(principal);
    return this.options.database.transaction(async (sql) => {
      const before = await getLocked(sql, user.tenantId, id);
      await sql.query(deleteDashboard, [before.tenantId, before.id]);
      const entry = { action: 'DASHBOARD_DELETED', before: auditedFields(before) } as const;
      await this.options.audit.record(sql, user, [{ ...about(before), ...entry }]);
      return before.id;
    });
  }

  /** Creates the first dashboards of a new tenant. Call it in the transaction that creates the tenant. */
  async createDefaults(sql: SqlRunner, tenantId: string): Promise<void> {
    const dashboards = defaultDashboards.map(({ name, widgets }) => ({
      id: newRecordId(),
      name,
      widgets: widgets.map((widget) => toWidget(widget, newRecordId())),
      timeZone: defaultTimeZone,
      timeRange: defaultRange,
    }));
    await insert(sql, tenantId, dashboards);
  }
}

type NewDashboard = Omit<DashboardRecord, 'tenantId' | 'createdAt' | 'updatedAt'>;

// Stored values were checked, so they are cast. jsonb reorders keys, so each value is rebuilt in one order, which makes equal values
// comparable.
function toRecord(row: DashboardRow): DashboardRecord {
  const widgets = (row.widgets as unknown as WantedWidget[]).map((widget) => toWidget(widget, widget.id ?? ''));
  const range = row.timeRange as unknown as TimeRange;
  return { ...row, widgets, timeRange: 'preset' in range ? range : { from: range.from, to: range.to } };
}

function insert(sql: SqlRunner, tenantId: string, dashboards: readonly NewDashboard[]): Promise<DashboardRow[]> {
  return sql.query<DashboardRow>(insertDashboards, [
    tenantId,
    dashboards.map(({ id }) => id),
    dashboards.map(({ name }) => name),
    dashboards.map(({ widgets }) => JSON.stringify(widgets)),
    dashboards.map(({ timeZone }) => timeZone),
    dashboards.map(({ timeRange }) => JSON.stringify(timeRange)),
  ]);
}

// Checks more than single fields: PostgreSQL has to know the time zone, and the range bounds the points of series.
async function check(sql: SqlRunner, { widgets, timeZone, timeRange }: NewDashboard): Promise<void> {
  const range = await resolveRange(sql, timeRange, timeZone, new Date());
  const tooFine = new Set<Bucket>();
  for (const bucket of new Set(widgets.flatMap((widget) => (widget.type === 'SERIES' ? widget.bucket : []))))
    if ((await findBuckets(sql, range, bucket, timeZone)) === undefined) tooFine.add(bucket);
  const problems = pointProblems(widgets, (bucket) => tooFine.has(bucket));
  if (problems.length > 0) throw validationFailed(problems);
}

function keepIds(before: readonly Widget[], wanted: readonly WantedWidget[]): Widget[] {
  const known = new Set(before.map(({ id }) => id));
  return wanted.map((widget) => toWidget(widget, known.has(widget.id ?? '') ? (widget.id ?? '') : newRecordId()));
}

const uniqueFields = { dashboards_tenant_id_name_key: 'name' };

async function getLocked(sql: SqlRunner, tenantId: string, id: string): Promise<DashboardRecord> {
  const [dashboard] = isUuid(id) ? await sql.query<DashboardRow>(lockDashboard, [tenantId, id]) : [];
  if (dashboard === undefined) throw notFound('dashboard');
  return toRecord(dashboard);
}

function auditedFields({ name, widgets, timeZone, timeRange }: DashboardRecord) {
  return { name, widgets, timeZone, timeRange };
}

function about({ tenantId, id }: DashboardRecord) {
  return { tenantId, targetKind: 'DASHBOARD', targetId: id } as const;
}

/** The first dashboards of a new tenant. The last one comes first in the list. */
const defaultDashboards: readonly { name: string; widgets: readonly WantedWidget[] }[] = [
  {
    name: 'Response times',
    widgets: [
      { type: 'FIGURE', title: 'Response time, median', metric: 'RESPONSE_TIME_MEDIAN' },
      { type: 'FIGURE', title: 'Response time, 9 of 10', metric: 'RESPONSE_TIME_P90' },
      { type: 'FIGURE', title: 'Still unanswered', metric: 'TURNS_UNANSWERED' },
      { type: 'SERIES', title: 'Response time by day', metric: 'RESPONSE_TIME_MEDIAN', bucket: 'DAY' },
      { type: 'BREAKDOWN', title: 'Speed to lead by source', metric: 'SPEED_TO_LEAD', dimension: 'SOURCE' },
      { type: 'BREAKDOWN', title: 'Busy hours', metric: 'MESSAGES_RECEIVED', dimension: 'HOUR_OF_DAY' },
    ],
  },
  {
    name: 'Leads and messages',
    widgets: [
      { type: 'FIGURE', title: 'New leads', metric: 'LEADS_CREATED' },
      { type: 'FIGURE', title: 'Messages received', metric: 'MESSAGES_RECEIVED' },
      { type: 'FIGURE', title: 'Waiting to be sent', metric: 'QUEUE_DEPTH' },
      { type: 'SERIES', title: 'Messages by day', metric: 'MESSAGES', bucket: 'DAY' },
      { type: 'BREAKDOWN', title: 'Leads by source', metric: 'LEADS_CREATED', dimension: 'SOURCE' },
      {
        type: 'TABLE',
        title: 'Delivery by instance',
        metrics: ['MESSAGES_SENT', 'DELIVERED_RATE', 'READ_RATE', 'FAILED_RATE'],
        dimension: 'INSTANCE',
      },
    ],
  },
];

const columns = `tenant_id AS "tenantId", id, name, widgets, time_zone AS "timeZone", time_range AS "timeRange",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** $1 tenant → the number of its dashboards. */
const countDashboards: NamedStatement = {
  name: 'count-dashboards',
  text: 'SELECT count(*)::int AS count FROM dashboards WHERE tenant_id = $1',
};

/** $1 tenant; columns: $2 ids, $3 names, $4 widgets, $5 time zones, $6 time ranges. */
const insertDashboards: NamedStatement = {
  name: 'insert-dashboards',
  text: `INSERT INTO dashboards (tenant_id, id, name, widgets, time_zone, time_range, updated_at)
    SELECT $1::uuid, *, now() FROM unnest($2::uuid[], $3::text[], $4::jsonb[], $5::text[], $6::jsonb[]) RETURNING ${columns}`,
};

/** $1 tenant, $2 id. */
const lockDashboard: NamedStatement = {
  name: 'lock-dashboard',
  text: `SELECT ${columns} FROM dashboards WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE`,
};

/** $1 tenant, $2 id, $3 name, $4 widgets, $5 time zone, $6 time range. */
const updateDashboard: NamedStatement = {
  name: 'update-dashboard',
  text: `UPDATE dashboards SET name = $3, widgets = $4, time_zone = $5, time_range = $6, updated_at = now()
    WHERE tenant_id = $1 AND id = $2 RETURNING ${columns}`,
};

/** $1 tenant, $2 id. */
const deleteDashboard: NamedStatement = {
  name: 'delete-dashboard',
  text: 'DELETE FROM dashboards WHERE tenant_id = $1 AND id = $2',
};
