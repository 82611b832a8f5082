// The unit, dimensions and filters of each metric, equal to the API's rules. A test compares the two.

import type { Bucket, Dimension, Metric, WidgetType } from './operations.js';

export type Unit = 'COUNT' | 'RATIO' | 'SECONDS';
type Source = 'messages' | 'turns' | 'leads' | 'optOuts' | 'queue' | 'waiting';

const rules: Record<Metric, readonly [Unit, Source]> = {
  LEADS_CREATED: ['COUNT', 'leads'],
  LEADS_OPTED_OUT: ['COUNT', 'optOuts'],
  MESSAGES: ['COUNT', 'messages'],
  MESSAGES_RECEIVED: ['COUNT', 'messages'],
  MESSAGES_ACCEPTED: ['COUNT', 'messages'],
  MESSAGES_SENT: ['COUNT', 'messages'],
  DELIVERED_RATE: ['RATIO', 'messages'],
  READ_RATE: ['RATIO', 'messages'],
  FAILED_RATE: ['RATIO', 'messages'],
  RESPONSE_TIME_MEDIAN: ['SECONDS', 'turns'],
  RESPONSE_TIME_P90: ['SECONDS', 'turns'],
  TURNS_UNANSWERED: ['COUNT', 'turns'],
  SPEED_TO_LEAD: ['SECONDS', 'leads'],
  QUEUE_DEPTH: ['COUNT', 'queue'],
  CONVERSATIONS_WAITING: ['COUNT', 'waiting'],
  LONGEST_WAIT: ['SECONDS', 'waiting'],
};

// More is neither better nor worse by itself for the other metrics.
const better: Partial<Record<Metric, 'more' | 'less'>> = {
  LEADS_CREATED: 'more',
  LEADS_OPTED_OUT: 'less',
  DELIVERED_RATE: 'more',
  READ_RATE: 'more',
  FAILED_RATE: 'less',
  RESPONSE_TIME_MEDIAN: 'less',
  RESPONSE_TIME_P90: 'less',
  TURNS_UNANSWERED: 'less',
  SPEED_TO_LEAD: 'less',
};

export const metricNames = Object.keys(rules) as Metric[];
export const widgetTypes: readonly WidgetType[] = ['FIGURE', 'SERIES', 'BREAKDOWN', 'TABLE'];
export const bucketNames: readonly Bucket[] = ['HOUR', 'DAY', 'WEEK', 'MONTH'];
export const maxTableMetrics = 8;
export const maxGroups = 50;
export const maxWidgets = 24;

const ofLeads: readonly Dimension[] = ['SOURCE', 'ASSIGNEE', 'AD'];
/** Dimensions that follow from the time of a record. They are complete and in their order. */
export const timeDimensions: readonly Dimension[] = ['HOUR_OF_DAY', 'WEEKDAY', 'HOUR_OF_WEEK'];
const dimensions: Record<Source, readonly Dimension[]> = {
  messages: [...ofLeads, 'INSTANCE', 'AUTHOR', 'TEMPLATE', 'STATUS', 'DIRECTION', 'ORIGIN', ...timeDimensions],
  turns: [...ofLeads, 'INSTANCE', 'AUTHOR', ...timeDimensions],
  leads: [...ofLeads, 'AUTHOR', ...timeDimensions],
  optOuts: [...ofLeads, ...timeDimensions],
  queue: [...ofLeads, 'INSTANCE', 'AUTHOR', 'TEMPLATE', 'ORIGIN'],
  waiting: ofLeads,
};

export const dimensionNames = dimensions.messages;

export const unitOf = (metric: Metric): Unit => rules[metric][0];

/** Returns true if the metric shows the present state for any range, because it has no history. */
export const isOfNow = (metric: Metric): boolean => rules[metric][1] === 'queue' || rules[metric][1] === 'waiting';

/** Returns the direction that is an improvement. */
export const wantedDirection = (metric: Metric): 'more' | 'less' | undefined => better[metric];

export function canGroup(metric: Metric, dimension: Dimension): boolean {
  const isOfMessage = dimension === 'STATUS' || dimension === 'DIRECTION';
  return !(isOfMessage && unitOf(metric) === 'RATIO') && dimensions[rules[metric][1]].includes(dimension);
}

export const filterDimensions = {
  sources: 'SOURCE',
  assigneeIds: 'ASSIGNEE',
  adIds: 'AD',
  instanceIds: 'INSTANCE',
  authorIds: 'AUTHOR',
  templateIds: 'TEMPLATE',
} as const satisfies Record<string, Dimension>;

export type FilterField = keyof typeof filterDimensions;
export const filterFields = Object.keys(filterDimensions) as FilterField[];

export const canFilter = (metrics: readonly Metric[], field: FilterField): boolean =>
  metrics.every((metric) => canGroup(metric, filterDimensions[field]));
