// Converts a widget between the form and the API, and maps the API's errors to the form's fields.

import { filterFields, type FilterField } from './metric-rules.js';
import type { WidgetPlan } from './marks.js';
import type { Bucket, Dimension, Metric, WidgetFilterInput, WidgetInput, WidgetType } from './operations.js';

export interface WidgetDraft {
  type: WidgetType;
  title: string;
  metric: Metric;
  metrics: readonly Metric[];
  dimension: Dimension;
  bucket: Bucket;
  limit: string;
  filter: Record<FilterField, readonly string[]>;
}

const noFilter: WidgetDraft['filter'] = {
  sources: [],
  assigneeIds: [],
  adIds: [],
  instanceIds: [],
  authorIds: [],
  templateIds: [],
};

/** Returns the draft of an existing widget, or of a new one. */
export function draftOf(plan?: WidgetPlan): WidgetDraft {
  const empty: WidgetDraft = {
    type: 'FIGURE',
    title: '',
    metric: 'MESSAGES_RECEIVED',
    metrics: ['MESSAGES_SENT', 'DELIVERED_RATE', 'READ_RATE'],
    dimension: 'INSTANCE',
    bucket: 'DAY',
    limit: '10',
    filter: noFilter,
  };
  if (plan === undefined) return empty;
  return {
    ...empty,
    type: plan.type,
    title: plan.title,
    ...('metric' in plan && { metric: plan.metric, metrics: [plan.metric] }),
    ...('metrics' in plan && { metrics: plan.metrics, metric: plan.metrics[0] ?? empty.metric }),
    ...('dimension' in plan && { dimension: plan.dimension, limit: String(plan.limit) }),
    ...('bucket' in plan && { bucket: plan.bucket }),
    filter: Object.fromEntries(
      filterFields.map((field) => [field, plan.filter[field] ?? []]),
    ) as unknown as WidgetDraft['filter'],
  };
}

export const metricsOf = ({ type, metric, metrics }: WidgetDraft): readonly Metric[] =>
  type === 'TABLE' ? metrics : [metric];

/** Returns only the fields of the widget's type, because the API refuses others. */
export function inputOf(draft: WidgetDraft, id?: string): WidgetInput {
  const { type, title, metric, metrics, dimension, bucket, limit } = draft;
  const groups = { dimension, limit: Number(limit) };
  const own: Record<WidgetType, Partial<WidgetInput>> = {
    FIGURE: { metric },
    SERIES: { metric, bucket },
    BREAKDOWN: { metric, ...groups },
    TABLE: { metrics: [...metrics], ...groups },
  };
  const filter = filterOf(draft.filter);
  return { type, title: title.trim(), ...own[type], ...(id !== undefined && { id }), ...(filter && { filter }) };
}

/** Returns a stored widget as input, because a change sends all widgets again. */
export function inputOfPlan(plan: WidgetPlan): WidgetInput {
  return inputOf(draftOf(plan), plan.id);
}

function filterOf(filter: WidgetDraft['filter']): WidgetFilterInput | undefined {
  const given = filterFields.flatMap((field) => {
    const values = filter[field].map((value) => value.trim()).filter(Boolean);
    return values.length === 0 ? [] : [[field, values] as const];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

export type DraftField = Exclude<keyof WidgetDraft, 'filter'> | FilterField | 'form';

const fieldNames: readonly string[] = [
  ...(['type', 'title', 'metric', 'metrics', 'dimension', 'bucket', 'limit'] satisfies DraftField[]),
  ...filterFields,
];

/** Returns the errors of the widget at this index by field. Errors without a field belong to the form. */
export function problemsOf(
  problems: readonly { path: string; message: string }[],
  index: number,
): Partial<Record<DraftField, string>> {
  const found: Partial<Record<DraftField, string>> = {};
  for (const { path, message } of problems) {
    const [list, place, ...rest] = path.replace(/^input\./, '').split('.');
    const isOwn = list === 'widgets' && place === String(index);
    const name = isOwn ? (rest[0] === 'filter' ? rest[1] : rest[0]) : undefined;
    const field = (name !== undefined && fieldNames.includes(name) ? name : 'form') as DraftField;
    found[field] ??= field === 'form' ? `${path}: ${message}` : message;
  }
  return found;
}

/** Returns the list with one item moved by one place; the same list if there is no such place. */
export function moved<Item>(items: readonly Item[], index: number, by: -1 | 1): readonly Item[] {
  const [one, other] = [items[index], items[index + by]];
  if (one === undefined || other === undefined) return items;
  return items.with(index, other).with(index + by, one);
}
