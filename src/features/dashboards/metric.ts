// What a dashboard can measure: which records each metric counts, in which unit, and what it may be broken down and filtered by.
// The statements that count are widget-result.sql.ts's.

/** How many messages there are of each kind: `received`, or sent by us with this status now. */
export interface MessageTally {
  received: number;
  queued: number;
  sending: number;
  sent: number;
  delivered: number;
  read: number;
  failed: number;
  canceled: number;
}

export type MessageState = keyof MessageTally;

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

/** What a value says: a number of records, a share from 0 to 1, or a length of time in seconds. */
export const metricUnits = {
  COUNT: 'A number of records.',
  RATIO: 'A share, from 0 to 1.',
  SECONDS: 'A length of time in seconds.',
} as const;

export type MetricUnit = keyof typeof metricUnits;

/** Where the records of a metric come from, and so what it can be filtered and broken down by. */
export type MetricSource =
  | { from: 'messages'; counted: readonly MessageState[]; base: readonly MessageState[] }
  | { from: 'turns' | 'leads'; counted: 'all' | 'answered' | 'unanswered'; percentile?: number }
  | { from: 'queue' };

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

/** By the time at which a message or lead was stored; statuses and leads' fields as they are now. */
export const metrics = {
  LEADS_CREATED: {
    description: 'Leads that came in. Those that were merged into another do not count.',
    unit: 'COUNT',
    source: { from: 'leads', counted: 'all' },
  },
  MESSAGES: { description: 'Messages of both sides.', unit: 'COUNT', source: messages(messageStates) },
  MESSAGES_RECEIVED: { description: 'Messages from leads.', unit: 'COUNT', source: messages(['received']) },
  MESSAGES_ACCEPTED: {
    description: 'Messages to leads that were accepted to send and not taken back: the base of the rates.',
    unit: 'COUNT',
    source: messages(accepted),
  },
  MESSAGES_SENT: {
    description: 'Messages to leads that have left: SENT, DELIVERED or READ by now.',
    unit: 'COUNT',
    source: messages(['sent', 'delivered', 'read']),
  },
  DELIVERED_RATE: {
    description: 'Of the messages accepted to send: the share that has arrived by now (DELIVERED or READ).',
    unit: 'RATIO',
    source: messages(['delivered', 'read'], accepted),
  },
  READ_RATE: {
    description: 'Of the messages accepted to send: the share that is READ by now.',
    unit: 'RATIO',
    source: messages(['read'], accepted),
  },
  FAILED_RATE: {
    description: 'Of the messages accepted to send: the share that is FAILED by now.',
    unit: 'RATIO',
    source: messages(['failed'], accepted),
  },
  RESPONSE_TIME_MEDIAN: {
    description:
      'How long leads waited for a reply: half of them no longer than this. A lead’s first message since our last one opens a turn; the first message that is stored afterwards, from the phone or through the API, is the reply. Bulk sends and messages that were taken back are none. Turns are counted by when they opened; those without a reply yet stand in `total` only.',
    unit: 'SECONDS',
    source: { from: 'turns', counted: 'answered', percentile: 0.5 },
  },
  RESPONSE_TIME_P90: {
    description: 'As RESPONSE_TIME_MEDIAN: nine out of ten waited no longer than this.',
    unit: 'SECONDS',
    source: { from: 'turns', counted: 'answered', percentile: 0.9 },
  },
  TURNS_UNANSWERED: {
    description: 'Turns, as of RESPONSE_TIME_MEDIAN, that have no reply yet.',
    unit: 'COUNT',
    source: { from: 'turns', counted: 'unanswered' },
  },
  SPEED_TO_LEAD: {
    description:
      'From when a lead came in to the first message to it, of any kind that was not taken back: the median. Leads without one stand in `total` only.',
    unit: 'SECONDS',
    source: { from: 'leads', counted: 'answered', percentile: 0.5 },
  },
  QUEUE_DEPTH: {
    description:
      'Messages that wait for their turn now, whatever the time range. Those scheduled for later do not count.',
    unit: 'COUNT',
    source: { from: 'queue' },
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

/** By what records can be told apart. */
export const dimensions = {
  SOURCE: "The lead's source.",
  ASSIGNEE: "The lead's assignee.",
  INSTANCE: 'The chat instance. Of a turn: the one that its first message came through.',
  AUTHOR: 'Who wrote the message. Of turns and leads: who wrote the reply.',
  TEMPLATE: 'The template that the message was made of.',
  STATUS: "The message's status now; messages from leads have none.",
  DIRECTION: 'Who wrote: the lead or we.',
  HOUR_OF_DAY: 'The hour, 0 to 23, in the time zone.',
  WEEKDAY: 'The day of the week, 1 (Monday) to 7, in the time zone.',
} as const;

export type Dimension = keyof typeof dimensions;

export const dimensionNames = Object.keys(dimensions) as [Dimension, ...Dimension[]];

const dimensionsBySource: Record<MetricSource['from'], readonly Dimension[]> = {
  messages: dimensionNames,
  turns: ['SOURCE', 'ASSIGNEE', 'INSTANCE', 'AUTHOR', 'HOUR_OF_DAY', 'WEEKDAY'],
  leads: ['SOURCE', 'ASSIGNEE', 'AUTHOR', 'HOUR_OF_DAY', 'WEEKDAY'],
  queue: ['SOURCE', 'ASSIGNEE', 'INSTANCE', 'AUTHOR', 'TEMPLATE'],
};

/** Whether a metric's records can be told apart by this; a rate within one status says nothing. */
export function isBrokenDownBy(metric: Metric, dimension: Dimension): boolean {
  const isOfMessage = dimension === 'STATUS' || dimension === 'DIRECTION';
  if (isOfMessage && unitOf(metric) === 'RATIO') return false;
  return dimensionsBySource[sourceOf(metric).from].includes(dimension);
}

/** Fields of records that a filter can name, by the dimension that they are. */
export const filterFields = {
  sources: 'SOURCE',
  assigneeIds: 'ASSIGNEE',
  instanceIds: 'INSTANCE',
  authorIds: 'AUTHOR',
  templateIds: 'TEMPLATE',
} as const satisfies Record<string, Dimension>;

export type FilterField = keyof typeof filterFields;

/** A value of each metric from what was counted; null where there is nothing to say. */
export interface MetricValue {
  value: number | null;
  /** How many records it was made of. */
  count: number;
  /** Of how many; for plain counts the same. */
  total: number;
}

/** What the statements count of one group of records. */
export interface Counted {
  /** Of messages. */
  tally?: MessageTally;
  /** Of turns, leads and the queue. */
  total?: number;
  answered?: number;
  /** Milliseconds. */
  median?: number | null;
  p90?: number | null;
}

/** @param states only these, where the group is one status or direction */
export function valueOf(metric: Metric, counted: Counted | undefined, states: readonly MessageState[] = messageStates) {
  const source = sourceOf(metric);
  if (source.from === 'messages') return messageValue(metric, source, counted?.tally, states);
  const { total = 0, answered = 0 } = counted ?? {};
  if (source.from === 'queue' || source.counted === 'all') return { value: total, count: total, total };
  if (source.counted === 'unanswered') return { value: total - answered, count: total - answered, total };
  const waitMs = source.percentile === 0.9 ? counted?.p90 : counted?.median;
  return { value: waitMs == null ? null : waitMs / 1_000, count: answered, total };
}

function messageValue(
  metric: Metric,
  { counted, base }: Extract<MetricSource, { from: 'messages' }>,
  tally: MessageTally | undefined,
  states: readonly MessageState[],
): MetricValue {
  const sum = (of: readonly MessageState[]) =>
    of.filter((state) => states.includes(state)).reduce((total, state) => total + (tally?.[state] ?? 0), 0);
  const [count, total] = [sum(counted), sum(base)];
  if (unitOf(metric) === 'COUNT') return { value: count, count, total };
  return { value: total === 0 ? null : count / total, count, total };
}
