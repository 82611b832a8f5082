// The metrics of dashboards: the records that each one counts, its unit, and its dimensions and filters. The statements that count are in
// widget-result.sql.ts.

/** The number of messages in each state: `received`, or outbound with this status now. */
export interface CountsByState {
  received: number;
  queued: number;
  sending: number;
  sent: number;
  delivered: number;
  read: number;
  failed: number;
  canceled: number;
}

export type MessageState = keyof CountsByState;

export const messageStates = [
  'received',
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'canceled',
] as const satisfies readonly MessageState[];

const outbound = messageStates.filter((state) => state !== 'received');
const accepted = outbound.filter((state) => state !== 'canceled');

export const metricUnits = {
  COUNT: 'A number of records.',
  RATIO: 'A share from 0 to 1.',
  SECONDS: 'A duration in seconds.',
} as const;

export type MetricUnit = keyof typeof metricUnits;

/** The records that a metric counts. They decide its dimensions and filters. */
export type MetricSource =
  | { from: 'messages'; counted: readonly MessageState[]; base: readonly MessageState[] }
  | { from: 'turns' | 'leads' | 'optOuts'; counted: 'all' | 'answered' | 'unanswered'; percentile?: number }
  | { from: 'queue' }
  | { from: 'waiting'; measured: 'count' | 'longest' };

interface MetricDefinition {
  description: string;
  unit: MetricUnit;
  source: MetricSource;
}

const messages = (counted: readonly MessageState[], base = counted): MetricSource => ({
  from: 'messages',
  counted,
  base,
});

/** Records count by the time at which they were stored, or a lead opted out, with their status and fields as they are now. */
export const metrics = {
  LEADS_CREATED: {
    description: 'New leads. Leads that were merged into another do not count.',
    unit: 'COUNT',
    source: { from: 'leads', counted: 'all' },
  },
  LEADS_OPTED_OUT: {
    description: 'Leads that have opted out and not in again, by the time at which they opted out.',
    unit: 'COUNT',
    source: { from: 'optOuts', counted: 'all' },
  },
  MESSAGES: { description: 'Messages in both directions.', unit: 'COUNT', source: messages(messageStates) },
  MESSAGES_RECEIVED: { description: 'Messages from leads.', unit: 'COUNT', source: messages(['received']) },
  MESSAGES_ACCEPTED: {
    description: 'Messages to leads that were queued and not canceled. The rates are shares of these.',
    unit: 'COUNT',
    source: messages(accepted),
  },
  MESSAGES_SENT: {
    description: 'Messages to leads that were sent: SENT, DELIVERED or READ now.',
    unit: 'COUNT',
    source: messages(['sent', 'delivered', 'read']),
  },
  DELIVERED_RATE: {
    description: 'The share of MESSAGES_ACCEPTED that is DELIVERED or READ now.',
    unit: 'RATIO',
    source: messages(['delivered', 'read'], accepted),
  },
  READ_RATE: {
    description: 'The share of MESSAGES_ACCEPTED that is READ now.',
    unit: 'RATIO',
    source: messages(['read'], accepted),
  },
  FAILED_RATE: {
    description: 'The share of MESSAGES_ACCEPTED that is FAILED now.',
    unit: 'RATIO',
    source: messages(['failed'], accepted),
  },
  RESPONSE_TIME_MEDIAN: {
    description:
      'How long leads waited for a reply: the median. A lead’s first message since our last one opens a turn. The first message that is stored afterwards, from the phone or through the API, is the reply; a scheduled one counts as stored when it was sent. Bulk sends, automatic, canceled and failed messages are none. A turn counts by the time at which it opened. Turns without a reply count in `total` only.',
    unit: 'SECONDS',
    source: { from: 'turns', counted: 'answered', percentile: 0.5 },
  },
  RESPONSE_TIME_P90: {
    description: 'As RESPONSE_TIME_MEDIAN, but the 90th percentile: nine out of ten leads waited no longer.',
    unit: 'SECONDS',
    source: { from: 'turns', counted: 'answered', percentile: 0.9 },
  },
  TURNS_UNANSWERED: {
    description: 'Turns without a reply yet. RESPONSE_TIME_MEDIAN says what a turn is.',
    unit: 'COUNT',
    source: { from: 'turns', counted: 'unanswered' },
  },
  SPEED_TO_LEAD: {
    description:
      'The time from a new lead to the first message to it that was neither canceled nor failed: the median. Leads without such a message count in `total` only.',
    unit: 'SECONDS',
    source: { from: 'leads', counted: 'answered', percentile: 0.5 },
  },
  QUEUE_DEPTH: {
    description: 'Messages that are queued now, whatever the time range. Messages scheduled for later do not count.',
    unit: 'COUNT',
    source: { from: 'queue' },
  },
  CONVERSATIONS_WAITING: {
    description:
      'Leads that wait for an answer now, whatever the time range: `waitingSince` is set, and the conversation is not CLOSED.',
    unit: 'COUNT',
    source: { from: 'waiting', measured: 'count' },
  },
  LONGEST_WAIT: {
    description:
      'How long the lead of CONVERSATIONS_WAITING that has waited longest has waited now, whatever the time range. Null where none waits, and for groups taken together.',
    unit: 'SECONDS',
    source: { from: 'waiting', measured: 'longest' },
  },
} as const satisfies Record<string, MetricDefinition>;

export type Metric = keyof typeof metrics;

export const metricNames = Object.keys(metrics) as [Metric, ...Metric[]];

export function unitOf(metric: Metric): MetricUnit {
  return metrics[metric].unit;
}

export function sourceOf(metric: Metric): MetricSource {
  return metrics[metric].source;
}

/** The fields that records can be grouped by. */
export const dimensions = {
  SOURCE: "The lead's source.",
  ASSIGNEE: "The lead's assignee.",
  AD: 'The ad, post or product that first brought the lead, by its `sourceId`. Messages are counted one by one.',
  INSTANCE: 'The chat instance. Of a turn, the instance of its first message.',
  AUTHOR: 'The user who wrote the message. Of turns and leads, the user who wrote the reply.',
  TEMPLATE: 'The template of the message.',
  STATUS: "The message's status now. Messages from leads have none.",
  DIRECTION: 'INBOUND or OUTBOUND.',
  ORIGIN: 'Where the message came from, as `Message.origin` says. These messages are counted one by one.',
  HOUR_OF_DAY: 'The hour, 0 to 23, in the time zone.',
  WEEKDAY: 'The day of the week, 1 (Monday) to 7, in the time zone.',
  HOUR_OF_WEEK: 'The weekday and the hour, `1-0` (Monday from midnight) to `7-23`, in the time zone.',
} as const;

export type Dimension = keyof typeof dimensions;

export const dimensionNames = Object.keys(dimensions) as [Dimension, ...Dimension[]];

const ofTime = ['HOUR_OF_DAY', 'WEEKDAY', 'HOUR_OF_WEEK'] as const;
const dimensionsBySource: Record<MetricSource['from'], readonly Dimension[]> = {
  messages: dimensionNames,
  turns: ['SOURCE', 'ASSIGNEE', 'AD', 'INSTANCE', 'AUTHOR', ...ofTime],
  leads: ['SOURCE', 'ASSIGNEE', 'AD', 'AUTHOR', ...ofTime],
  optOuts: ['SOURCE', 'ASSIGNEE', 'AD', ...ofTime],
  queue: ['SOURCE', 'ASSIGNEE', 'AD', 'INSTANCE', 'AUTHOR', 'TEMPLATE', 'ORIGIN'],
  waiting: ['SOURCE', 'ASSIGNEE', 'AD'],
};

/** True if a metric shows the current state. Such a metric has no series, and no value of the time before. */
export function isOfNow(metric: Metric): boolean {
  const { from } = sourceOf(metric);
  return from === 'queue' || from === 'waiting';
}

/** True if a metric can be grouped by a dimension. Rates cannot be grouped by status or direction. */
export function isBrokenDownBy(metric: Metric, dimension: Dimension): boolean {
  const isOfMessage = dimension === 'STATUS' || dimension === 'DIRECTION';
  if (isOfMessage && unitOf(metric) === 'RATIO') return false;
  return dimensionsBySource[sourceOf(metric).from].includes(dimension);
}

/** The fields of a filter, with the dimension that each one filters. */
export const filterFields = {
  sources: 'SOURCE',
  assigneeIds: 'ASSIGNEE',
  adIds: 'AD',
  instanceIds: 'INSTANCE',
  authorIds: 'AUTHOR',
  templateIds: 'TEMPLATE',
} as const satisfies Record<string, Dimension>;

export type FilterField = keyof typeof filterFields;

/** The value of a metric. */
export interface MetricValue {
  /** Null if there are no records to compute it from. */
  value: number | null;
  /** The number of records that count; the numerator of a rate. */
  count: number;
  /** The number of records among which they count; the denominator of a rate. */
  total: number;
}

/** The counts of a statement for one group of records. */
export interface Counted {
  /** The counts of messages. */
  byState?: CountsByState;
  /** The number of turns, leads, queued messages or waiting leads. */
  total?: number;
  answered?: number;
  /** The median wait in milliseconds. `p90` has the same unit. */
  median?: number | null;
  p90?: number | null;
  /** The longest current wait of a lead, in milliseconds. */
  longest?: number | null;
}

/** Computes the value of a metric. @param states the states that count, if the group is a status or direction */
export function valueOf(metric: Metric, counted: Counted | undefined, states: readonly MessageState[] = messageStates) {
  const source = sourceOf(metric);
  if (source.from === 'messages') return messageValue(metric, source, counted?.byState, states);
  if (source.from === 'waiting') return waitingValue(source.measured, counted);
  const { total = 0, answered = 0 } = counted ?? {};
  if (source.from === 'queue') return { value: total, count: total, total };
  if (source.percentile !== undefined) {
    const waitMs = source.percentile === 0.9 ? counted?.p90 : counted?.median;
    return { value: secondsOf(waitMs), count: answered, total };
  }
  const count = { all: total, answered, unanswered: total - answered }[source.counted];
  return valueOfCounts(metric, count, total);
}

/** Adds values of one metric. */
export function sumOf(metric: Metric, values: readonly MetricValue[]): MetricValue {
  const add = (of: 'count' | 'total') => values.reduce((sum, value) => sum + value[of], 0);
  return valueOfCounts(metric, add('count'), add('total'));
}

// Percentiles cannot be added, so the value of a sum of durations is null.
function valueOfCounts(metric: Metric, count: number, total: number): MetricValue {
  const ratio = total === 0 ? null : count / total;
  return { value: { COUNT: count, RATIO: ratio, SECONDS: null }[unitOf(metric)], count, total };
}

function secondsOf(ms: number | null | undefined): number | null {
  return ms == null ? null : ms / 1_000;
}

function waitingValue(measured: 'count' | 'longest', { total = 0, longest }: Counted = {}): MetricValue {
  return { value: measured === 'count' ? total : secondsOf(longest), count: total, total };
}

function messageValue(
  metric: Metric,
  { counted, base }: Extract<MetricSource, { from: 'messages' }>,
  byState: CountsByState | undefined,
  states: readonly MessageState[],
): MetricValue {
  const sum = (of: readonly MessageState[]) =>
    of.filter((state) => states.includes(state)).reduce((total, state) => total + (byState?.[state] ?? 0), 0);
  return valueOfCounts(metric, sum(counted), sum(base));
}
