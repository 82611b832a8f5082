/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Periods of a series, by the calendar of the time zone. */
export type Bucket =
  /** Days. */
  | 'DAY'
  /** Hours of the clock. An hour that comes twice is two buckets; a skipped hour is none. */
  | 'HOUR'
  /** Months. */
  | 'MONTH'
  /** Weeks from Monday. */
  | 'WEEK';

/** A new dashboard. */
export type CreateDashboardInput = {
  /** Name, unique in the tenant, at most 100 characters. */
  name: string;
  /** The time range that it shows; the last 30 days by default. */
  range?: TimeRangeInput | null | undefined;
  /** A time zone of the IANA database, for example `America/Sao_Paulo`. UTC by default. */
  timeZone?: string | null | undefined;
  /** The widgets, in their order, at most 24. */
  widgets: Array<WidgetInput>;
};

/** The field that records are grouped by. */
export type Dimension =
  /** The ad, post or product that first brought the lead, by its `sourceId`. Messages are counted one by one. */
  | 'AD'
  /** The lead's assignee. */
  | 'ASSIGNEE'
  /** The user who wrote the message. Of turns and leads, the user who wrote the reply. */
  | 'AUTHOR'
  /** INBOUND or OUTBOUND. */
  | 'DIRECTION'
  /** The hour, 0 to 23, in the time zone. */
  | 'HOUR_OF_DAY'
  /** The chat instance. Of a turn, the instance of its first message. */
  | 'INSTANCE'
  /** Where the message came from, as `Message.origin` says. These messages are counted one by one. */
  | 'ORIGIN'
  /** The lead's source. */
  | 'SOURCE'
  /** The message's status now. Messages from leads have none. */
  | 'STATUS'
  /** The template of the message. */
  | 'TEMPLATE'
  /** The day of the week, 1 (Monday) to 7, in the time zone. */
  | 'WEEKDAY';

/** The side that wrote. */
export type MessageDirection =
  /** The lead wrote to us. */
  | 'INBOUND'
  /** We wrote to the lead. */
  | 'OUTBOUND';

/** How far an outbound message has come. It never goes back; DELIVERED and READ take a failure back. */
export type MessageStatus =
  /** Taken back before it was sent. */
  | 'CANCELED'
  /** On the recipient’s device. */
  | 'DELIVERED'
  /** Not sent: error says why. */
  | 'FAILED'
  /** Accepted by us, waiting for its turn. */
  | 'QUEUED'
  /** Seen by the recipient. */
  | 'READ'
  /** Handed to the gateway, no answer yet. */
  | 'SENDING'
  /** Accepted by the gateway. */
  | 'SENT';

/** What a widget measures. Messages and leads count by the time at which they were stored, with their status and fields as they are now. */
export type Metric =
  /** Leads that wait for an answer now, whatever the time range: `waitingSince` is set, and the conversation is not CLOSED. */
  | 'CONVERSATIONS_WAITING'
  /** The share of MESSAGES_ACCEPTED that is DELIVERED or READ now. */
  | 'DELIVERED_RATE'
  /** The share of MESSAGES_ACCEPTED that is FAILED now. */
  | 'FAILED_RATE'
  /** New leads. Leads that were merged into another do not count. */
  | 'LEADS_CREATED'
  /** Leads that have opted out and not in again, by the time at which they opted out. */
  | 'LEADS_OPTED_OUT'
  /** How long the lead of CONVERSATIONS_WAITING that has waited longest has waited now, whatever the time range. Null where none waits, and for groups taken together. */
  | 'LONGEST_WAIT'
  /** Messages in both directions. */
  | 'MESSAGES'
  /** Messages to leads that were queued and not canceled. The rates are shares of these. */
  | 'MESSAGES_ACCEPTED'
  /** Messages from leads. */
  | 'MESSAGES_RECEIVED'
  /** Messages to leads that were sent: SENT, DELIVERED or READ now. */
  | 'MESSAGES_SENT'
  /** Messages that are queued now, whatever the time range. Messages scheduled for later do not count. */
  | 'QUEUE_DEPTH'
  /** The share of MESSAGES_ACCEPTED that is READ now. */
  | 'READ_RATE'
  /** How long leads waited for a reply: the median. A lead’s first message since our last one opens a turn. The first message that is stored afterwards, from the phone or through the API, is the reply; bulk sends, automatic and canceled messages are not. A turn counts by the time at which it opened. Turns without a reply count in `total` only. */
  | 'RESPONSE_TIME_MEDIAN'
  /** As RESPONSE_TIME_MEDIAN, but the 90th percentile: nine out of ten leads waited no longer. */
  | 'RESPONSE_TIME_P90'
  /** The time from a new lead to the first message to it that was not canceled: the median. Leads without such a message count in `total` only. */
  | 'SPEED_TO_LEAD'
  /** Turns without a reply yet. RESPONSE_TIME_MEDIAN says what a turn is. */
  | 'TURNS_UNANSWERED';

/** Ranges by the calendar of the time zone. */
export type RangePreset =
  /** The current day and the 6 days before. */
  | 'LAST_7_DAYS'
  /** The current day and the 29 days before. */
  | 'LAST_30_DAYS'
  /** The current day and the 89 days before. */
  | 'LAST_90_DAYS'
  /** The month before. */
  | 'LAST_MONTH'
  /** The week before. */
  | 'LAST_WEEK'
  /** The current month. */
  | 'THIS_MONTH'
  /** The current week, from Monday. */
  | 'THIS_WEEK'
  /** The current year. */
  | 'THIS_YEAR'
  /** The current day. */
  | 'TODAY'
  /** The day before. */
  | 'YESTERDAY';

/** Which records of a value. */
export type RowsOf =
  /** The records that `count` counts. */
  | 'COUNTED'
  /** The records that `total` counts. They include the counted ones. */
  | 'TOTAL';

/** A time range: a preset alone, or from and to. */
export type TimeRangeInput = {
  /** The start, included. */
  from?: string | null | undefined;
  /** A range that moves with the current day. */
  preset?: RangePreset | null | undefined;
  /** The end, not included; at most 1,096 days after from. */
  to?: string | null | undefined;
};

/** What to change; fields that are left out stay as they are. */
export type UpdateDashboardInput = {
  /** The `updatedAt` that the change was made for: CONFLICT where the dashboard has been changed since. */
  expectedUpdatedAt?: string | null | undefined;
  /** Name, unique in the tenant, at most 100 characters. */
  name?: string | null | undefined;
  /** The time range that it shows. */
  range?: TimeRangeInput | null | undefined;
  /** A time zone of the IANA database, for example `America/Sao_Paulo`. */
  timeZone?: string | null | undefined;
  /** All widgets, in their order, at most 24. Widgets that are not in the list are removed. */
  widgets?: Array<WidgetInput> | null | undefined;
};

/** What is counted: all given conditions have to hold, each with one of its values. */
export type WidgetFilterInput = {
  /** First brought by one of these ads, posts or products (their `sourceId`): 1 to 50 of them. */
  adIds?: Array<string> | null | undefined;
  /** The lead's assignee: 1 to 50 of them. */
  assigneeIds?: Array<string | number> | null | undefined;
  /** The user who wrote the message; for turns and leads, the reply: 1 to 50 of them. */
  authorIds?: Array<string | number> | null | undefined;
  /** The chat instance: 1 to 50 of them. */
  instanceIds?: Array<string | number> | null | undefined;
  /** The lead's source: 1 to 50 of them. */
  sources?: Array<string> | null | undefined;
  /** The template of the message: 1 to 50 of them. */
  templateIds?: Array<string | number> | null | undefined;
};

/** A widget. Its type decides which fields it has; other fields are refused. */
export type WidgetInput = {
  /** SERIES, required: the length of a bucket. A range has at most 400 buckets. */
  bucket?: Bucket | null | undefined;
  /** BREAKDOWN and TABLE, required: the field to group records by. Not every metric has every dimension. */
  dimension?: Dimension | null | undefined;
  /** Which records count; all by default. */
  filter?: WidgetFilterInput | null | undefined;
  /** In a change: the id of an existing widget, which it keeps. Without one, or with an unknown one, it gets a new id. */
  id?: string | number | null | undefined;
  /** BREAKDOWN and TABLE: the greatest number of slices or lines, 10 by default, 50 at most. */
  limit?: number | null | undefined;
  /** The metric. Required, except for TABLE. */
  metric?: Metric | null | undefined;
  /** TABLE, required: the metrics of its columns, 1 to 8. */
  metrics?: Array<Metric> | null | undefined;
  /** The title, at most 100 characters. */
  title: string;
  /** The kind of widget. */
  type: WidgetType;
};

/** The kind of a widget. */
export type WidgetType =
  /** A value for each value of a dimension. */
  | 'BREAKDOWN'
  /** A single value, with the value of the time before. */
  | 'FIGURE'
  /** A value for each bucket of time. */
  | 'SERIES'
  /** Several values for each value of a dimension. */
  | 'TABLE';

export type DashboardListQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type DashboardListQuery = { dashboards: { totalCount: number, edges: Array<{ node: { id: string, name: string, timeZone: string, updatedAt: string, range: { preset: RangePreset | null, from: string, to: string }, widgets: Array<
          | { id: string }
          | { id: string }
          | { id: string }
          | { id: string }
        > } }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } };

export type StoredDashboardQueryVariables = Exact<{
  id: string | number;
}>;


export type StoredDashboardQuery = { dashboard: { id: string, name: string, timeZone: string, updatedAt: string, range: { preset: RangePreset | null, from: string, to: string }, widgets: Array<
      | { metric: Metric, dimension: Dimension, limit: number, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
      | { metric: Metric, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
      | { metric: Metric, bucket: Bucket, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
      | { metrics: Array<Metric>, dimension: Dimension, limit: number, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
    > } | null };

export type ShownDashboardQueryVariables = Exact<{
  id: string | number;
  range?: TimeRangeInput | null | undefined;
  timeZone?: string | null | undefined;
}>;


export type ShownDashboardQuery = { stored: { id: string, name: string, timeZone: string, updatedAt: string, range: { preset: RangePreset | null, from: string, to: string }, widgets: Array<
      | { metric: Metric, dimension: Dimension, limit: number, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
      | { metric: Metric, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
      | { metric: Metric, bucket: Bucket, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
      | { metrics: Array<Metric>, dimension: Dimension, limit: number, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
    > } | null, shown: { range: { from: string, to: string }, widgets: Array<
      | { id: string, breakdown: { slices: Array<{ key: string | null, label: string, metric: Metric, value: number | null, count: number, total: number }>, other: { metric: Metric, value: number | null, count: number, total: number } | null } }
      | { id: string, figure: { metric: Metric, value: number | null, count: number, total: number, previous: { from: string, to: string, metric: Metric, value: number | null, count: number, total: number } | null, course: { bucket: Bucket, starts: Array<string>, values: Array<number | null> } | null } }
      | { id: string, series: { points: Array<{ start: string, end: string, metric: Metric, value: number | null, count: number, total: number }> } }
      | { id: string, table: { omittedCount: number, lines: Array<{ key: string | null, label: string, cells: Array<{ metric: Metric, value: number | null, count: number, total: number }> }> } }
    > } | null };

export type ShownWidgetQueryVariables = Exact<{
  id: string | number;
  widget: string | number;
  range?: TimeRangeInput | null | undefined;
  timeZone?: string | null | undefined;
}>;


export type ShownWidgetQuery = { dashboard: { range: { from: string, to: string }, widget:
      | { id: string, breakdown: { slices: Array<{ key: string | null, label: string, metric: Metric, value: number | null, count: number, total: number }>, other: { metric: Metric, value: number | null, count: number, total: number } | null } }
      | { id: string, figure: { metric: Metric, value: number | null, count: number, total: number, previous: { from: string, to: string, metric: Metric, value: number | null, count: number, total: number } | null, course: { bucket: Bucket, starts: Array<string>, values: Array<number | null> } | null } }
      | { id: string, series: { points: Array<{ start: string, end: string, metric: Metric, value: number | null, count: number, total: number }> } }
      | { id: string, table: { omittedCount: number, lines: Array<{ key: string | null, label: string, cells: Array<{ metric: Metric, value: number | null, count: number, total: number }> }> } }
     | null } | null };

export type DashboardPlanFragment = { id: string, name: string, timeZone: string, updatedAt: string, range: { preset: RangePreset | null, from: string, to: string }, widgets: Array<
    | { metric: Metric, dimension: Dimension, limit: number, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
    | { metric: Metric, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
    | { metric: Metric, bucket: Bucket, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
    | { metrics: Array<Metric>, dimension: Dimension, limit: number, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
  > };

type WidgetPlan_BreakdownWidget_Fragment = { metric: Metric, dimension: Dimension, limit: number, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } };

type WidgetPlan_FigureWidget_Fragment = { metric: Metric, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } };

type WidgetPlan_SeriesWidget_Fragment = { metric: Metric, bucket: Bucket, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } };

type WidgetPlan_TableWidget_Fragment = { metrics: Array<Metric>, dimension: Dimension, limit: number, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } };

export type WidgetPlanFragment =
  | WidgetPlan_BreakdownWidget_Fragment
  | WidgetPlan_FigureWidget_Fragment
  | WidgetPlan_SeriesWidget_Fragment
  | WidgetPlan_TableWidget_Fragment
;

type MeasureValue_BreakdownRest_Fragment = { metric: Metric, value: number | null, count: number, total: number };

type MeasureValue_BreakdownSlice_Fragment = { metric: Metric, value: number | null, count: number, total: number };

type MeasureValue_Figure_Fragment = { metric: Metric, value: number | null, count: number, total: number };

type MeasureValue_PreviousFigure_Fragment = { metric: Metric, value: number | null, count: number, total: number };

type MeasureValue_SeriesPoint_Fragment = { metric: Metric, value: number | null, count: number, total: number };

type MeasureValue_TableCell_Fragment = { metric: Metric, value: number | null, count: number, total: number };

export type MeasureValueFragment =
  | MeasureValue_BreakdownRest_Fragment
  | MeasureValue_BreakdownSlice_Fragment
  | MeasureValue_Figure_Fragment
  | MeasureValue_PreviousFigure_Fragment
  | MeasureValue_SeriesPoint_Fragment
  | MeasureValue_TableCell_Fragment
;

type WidgetData_BreakdownWidget_Fragment = { id: string, breakdown: { slices: Array<{ key: string | null, label: string, metric: Metric, value: number | null, count: number, total: number }>, other: { metric: Metric, value: number | null, count: number, total: number } | null } };

type WidgetData_FigureWidget_Fragment = { id: string, figure: { metric: Metric, value: number | null, count: number, total: number, previous: { from: string, to: string, metric: Metric, value: number | null, count: number, total: number } | null, course: { bucket: Bucket, starts: Array<string>, values: Array<number | null> } | null } };

type WidgetData_SeriesWidget_Fragment = { id: string, series: { points: Array<{ start: string, end: string, metric: Metric, value: number | null, count: number, total: number }> } };

type WidgetData_TableWidget_Fragment = { id: string, table: { omittedCount: number, lines: Array<{ key: string | null, label: string, cells: Array<{ metric: Metric, value: number | null, count: number, total: number }> }> } };

export type WidgetDataFragment =
  | WidgetData_BreakdownWidget_Fragment
  | WidgetData_FigureWidget_Fragment
  | WidgetData_SeriesWidget_Fragment
  | WidgetData_TableWidget_Fragment
;

export type FigureRowsQueryVariables = Exact<{
  id: string | number;
  widget: string | number;
  range?: TimeRangeInput | null | undefined;
  timeZone?: string | null | undefined;
  of: RowsOf;
  after?: string | null | undefined;
}>;


export type FigureRowsQuery = { dashboard: { widget:
      | { figure: { count: number, total: number, rows: { totalCount: number, edges: Array<{ node:
                | { __typename: 'Lead', id: string, name: string, chat: string | null, source: string, createdAt: string, waitingSince: string | null }
                | { __typename: 'Message', id: string, body: string | null, type: string, direction: MessageDirection, createdAt: string, messageStatus: MessageStatus | null, lead: { id: string, name: string } }
               }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } }
      | Record<PropertyKey, never>
     | null } | null };

export type PreviousRowsQueryVariables = Exact<{
  id: string | number;
  widget: string | number;
  range?: TimeRangeInput | null | undefined;
  timeZone?: string | null | undefined;
  of: RowsOf;
  after?: string | null | undefined;
}>;


export type PreviousRowsQuery = { dashboard: { widget:
      | { figure: { previous: { count: number, total: number, rows: { totalCount: number, edges: Array<{ node:
                  | { __typename: 'Lead', id: string, name: string, chat: string | null, source: string, createdAt: string, waitingSince: string | null }
                  | { __typename: 'Message', id: string, body: string | null, type: string, direction: MessageDirection, createdAt: string, messageStatus: MessageStatus | null, lead: { id: string, name: string } }
                 }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null } }
      | Record<PropertyKey, never>
     | null } | null };

export type PointRowsQueryVariables = Exact<{
  id: string | number;
  widget: string | number;
  range?: TimeRangeInput | null | undefined;
  timeZone?: string | null | undefined;
  at: string;
  of: RowsOf;
  after?: string | null | undefined;
}>;


export type PointRowsQuery = { dashboard: { widget:
      | { series: { point: { count: number, total: number, rows: { totalCount: number, edges: Array<{ node:
                  | { __typename: 'Lead', id: string, name: string, chat: string | null, source: string, createdAt: string, waitingSince: string | null }
                  | { __typename: 'Message', id: string, body: string | null, type: string, direction: MessageDirection, createdAt: string, messageStatus: MessageStatus | null, lead: { id: string, name: string } }
                 }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null } }
      | Record<PropertyKey, never>
     | null } | null };

export type SliceRowsQueryVariables = Exact<{
  id: string | number;
  widget: string | number;
  range?: TimeRangeInput | null | undefined;
  timeZone?: string | null | undefined;
  key?: string | number | null | undefined;
  of: RowsOf;
  after?: string | null | undefined;
}>;


export type SliceRowsQuery = { dashboard: { widget:
      | { breakdown: { slice: { count: number, total: number, rows: { totalCount: number, edges: Array<{ node:
                  | { __typename: 'Lead', id: string, name: string, chat: string | null, source: string, createdAt: string, waitingSince: string | null }
                  | { __typename: 'Message', id: string, body: string | null, type: string, direction: MessageDirection, createdAt: string, messageStatus: MessageStatus | null, lead: { id: string, name: string } }
                 }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null } }
      | Record<PropertyKey, never>
     | null } | null };

export type OtherRowsQueryVariables = Exact<{
  id: string | number;
  widget: string | number;
  range?: TimeRangeInput | null | undefined;
  timeZone?: string | null | undefined;
  of: RowsOf;
  after?: string | null | undefined;
}>;


export type OtherRowsQuery = { dashboard: { widget:
      | { breakdown: { other: { count: number, total: number, rows: { totalCount: number, edges: Array<{ node:
                  | { __typename: 'Lead', id: string, name: string, chat: string | null, source: string, createdAt: string, waitingSince: string | null }
                  | { __typename: 'Message', id: string, body: string | null, type: string, direction: MessageDirection, createdAt: string, messageStatus: MessageStatus | null, lead: { id: string, name: string } }
                 }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null } }
      | Record<PropertyKey, never>
     | null } | null };

export type CellRowsQueryVariables = Exact<{
  id: string | number;
  widget: string | number;
  range?: TimeRangeInput | null | undefined;
  timeZone?: string | null | undefined;
  key?: string | number | null | undefined;
  metric: Metric;
  of: RowsOf;
  after?: string | null | undefined;
}>;


export type CellRowsQuery = { dashboard: { widget:
      | { table: { line: { cell: { count: number, total: number, rows: { totalCount: number, edges: Array<{ node:
                    | { __typename: 'Lead', id: string, name: string, chat: string | null, source: string, createdAt: string, waitingSince: string | null }
                    | { __typename: 'Message', id: string, body: string | null, type: string, direction: MessageDirection, createdAt: string, messageStatus: MessageStatus | null, lead: { id: string, name: string } }
                   }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null } | null } }
      | Record<PropertyKey, never>
     | null } | null };

export type MarkRowsFragment = { totalCount: number, edges: Array<{ node:
      | { __typename: 'Lead', id: string, name: string, chat: string | null, source: string, createdAt: string, waitingSince: string | null }
      | { __typename: 'Message', id: string, body: string | null, type: string, direction: MessageDirection, createdAt: string, messageStatus: MessageStatus | null, lead: { id: string, name: string } }
     }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } };

export type AddDashboardMutationVariables = Exact<{
  input: CreateDashboardInput;
}>;


export type AddDashboardMutation = { createDashboard: { id: string } };

export type ChangeDashboardMutationVariables = Exact<{
  id: string | number;
  input: UpdateDashboardInput;
}>;


export type ChangeDashboardMutation = { updateDashboard: { id: string, name: string, timeZone: string, updatedAt: string, range: { preset: RangePreset | null, from: string, to: string }, widgets: Array<
      | { metric: Metric, dimension: Dimension, limit: number, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
      | { metric: Metric, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
      | { metric: Metric, bucket: Bucket, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
      | { metrics: Array<Metric>, dimension: Dimension, limit: number, id: string, type: WidgetType, title: string, filter: { sources: Array<string> | null, assigneeIds: Array<string> | null, adIds: Array<string> | null, instanceIds: Array<string> | null, authorIds: Array<string> | null, templateIds: Array<string> | null } }
    > } };

export type RemoveDashboardMutationVariables = Exact<{
  id: string | number;
}>;


export type RemoveDashboardMutation = { deleteDashboard: string };

export type FilterChoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type FilterChoicesQuery = { chatInstances: Array<{ id: string, instanceName: string }>, templates: { edges: Array<{ node: { id: string, name: string } }> } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const WidgetPlanFragmentDoc = new TypedDocumentString(`
    fragment WidgetPlan on Widget {
  id
  type
  title
  filter {
    sources
    assigneeIds
    adIds
    instanceIds
    authorIds
    templateIds
  }
  ... on FigureWidget {
    metric
  }
  ... on SeriesWidget {
    metric
    bucket
  }
  ... on BreakdownWidget {
    metric
    dimension
    limit
  }
  ... on TableWidget {
    metrics
    dimension
    limit
  }
}
    `, {"fragmentName":"WidgetPlan"}) as unknown as TypedDocumentString<WidgetPlanFragment, unknown>;
export const DashboardPlanFragmentDoc = new TypedDocumentString(`
    fragment DashboardPlan on Dashboard {
  id
  name
  timeZone
  updatedAt
  range {
    preset
    from
    to
  }
  widgets {
    ...WidgetPlan
  }
}
    fragment WidgetPlan on Widget {
  id
  type
  title
  filter {
    sources
    assigneeIds
    adIds
    instanceIds
    authorIds
    templateIds
  }
  ... on FigureWidget {
    metric
  }
  ... on SeriesWidget {
    metric
    bucket
  }
  ... on BreakdownWidget {
    metric
    dimension
    limit
  }
  ... on TableWidget {
    metrics
    dimension
    limit
  }
}`, {"fragmentName":"DashboardPlan"}) as unknown as TypedDocumentString<DashboardPlanFragment, unknown>;
export const MeasureValueFragmentDoc = new TypedDocumentString(`
    fragment MeasureValue on Measure {
  metric
  value
  count
  total
}
    `, {"fragmentName":"MeasureValue"}) as unknown as TypedDocumentString<MeasureValueFragment, unknown>;
export const WidgetDataFragmentDoc = new TypedDocumentString(`
    fragment WidgetData on Widget {
  id
  ... on FigureWidget {
    figure: data {
      ...MeasureValue
      previous {
        ...MeasureValue
        from
        to
      }
      course {
        bucket
        starts
        values
      }
    }
  }
  ... on SeriesWidget {
    series: data {
      points {
        ...MeasureValue
        start
        end
      }
    }
  }
  ... on BreakdownWidget {
    breakdown: data {
      slices {
        ...MeasureValue
        key
        label
      }
      other {
        ...MeasureValue
      }
    }
  }
  ... on TableWidget {
    table: data {
      lines {
        key
        label
        cells {
          ...MeasureValue
        }
      }
      omittedCount
    }
  }
}
    fragment MeasureValue on Measure {
  metric
  value
  count
  total
}`, {"fragmentName":"WidgetData"}) as unknown as TypedDocumentString<WidgetDataFragment, unknown>;
export const MarkRowsFragmentDoc = new TypedDocumentString(`
    fragment MarkRows on DashboardRecordConnection {
  totalCount
  edges {
    node {
      __typename
      ... on Lead {
        id
        name
        chat
        source
        createdAt
        waitingSince
      }
      ... on Message {
        id
        body
        type
        direction
        messageStatus: status
        createdAt
        lead {
          id
          name
        }
      }
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}
    `, {"fragmentName":"MarkRows"}) as unknown as TypedDocumentString<MarkRowsFragment, unknown>;
export const DashboardListDocument = new TypedDocumentString(`
    query DashboardList($first: Int, $after: String) {
  dashboards(first: $first, after: $after) {
    totalCount
    edges {
      node {
        id
        name
        timeZone
        updatedAt
        range {
          preset
          from
          to
        }
        widgets {
          id
        }
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    `) as unknown as TypedDocumentString<DashboardListQuery, DashboardListQueryVariables>;
export const StoredDashboardDocument = new TypedDocumentString(`
    query StoredDashboard($id: ID!) {
  dashboard(id: $id) {
    ...DashboardPlan
  }
}
    fragment DashboardPlan on Dashboard {
  id
  name
  timeZone
  updatedAt
  range {
    preset
    from
    to
  }
  widgets {
    ...WidgetPlan
  }
}
fragment WidgetPlan on Widget {
  id
  type
  title
  filter {
    sources
    assigneeIds
    adIds
    instanceIds
    authorIds
    templateIds
  }
  ... on FigureWidget {
    metric
  }
  ... on SeriesWidget {
    metric
    bucket
  }
  ... on BreakdownWidget {
    metric
    dimension
    limit
  }
  ... on TableWidget {
    metrics
    dimension
    limit
  }
}`) as unknown as TypedDocumentString<StoredDashboardQuery, StoredDashboardQueryVariables>;
export const ShownDashboardDocument = new TypedDocumentString(`
    query ShownDashboard($id: ID!, $range: TimeRangeInput, $timeZone: String) {
  stored: dashboard(id: $id) {
    ...DashboardPlan
  }
  shown: dashboard(id: $id, range: $range, timeZone: $timeZone) {
    range {
      from
      to
    }
    widgets {
      ...WidgetData
    }
  }
}
    fragment DashboardPlan on Dashboard {
  id
  name
  timeZone
  updatedAt
  range {
    preset
    from
    to
  }
  widgets {
    ...WidgetPlan
  }
}
fragment WidgetPlan on Widget {
  id
  type
  title
  filter {
    sources
    assigneeIds
    adIds
    instanceIds
    authorIds
    templateIds
  }
  ... on FigureWidget {
    metric
  }
  ... on SeriesWidget {
    metric
    bucket
  }
  ... on BreakdownWidget {
    metric
    dimension
    limit
  }
  ... on TableWidget {
    metrics
    dimension
    limit
  }
}
fragment MeasureValue on Measure {
  metric
  value
  count
  total
}
fragment WidgetData on Widget {
  id
  ... on FigureWidget {
    figure: data {
      ...MeasureValue
      previous {
        ...MeasureValue
        from
        to
      }
      course {
        bucket
        starts
        values
      }
    }
  }
  ... on SeriesWidget {
    series: data {
      points {
        ...MeasureValue
        start
        end
      }
    }
  }
  ... on BreakdownWidget {
    breakdown: data {
      slices {
        ...MeasureValue
        key
        label
      }
      other {
        ...MeasureValue
      }
    }
  }
  ... on TableWidget {
    table: data {
      lines {
        key
        label
        cells {
          ...MeasureValue
        }
      }
      omittedCount
    }
  }
}`) as unknown as TypedDocumentString<ShownDashboardQuery, ShownDashboardQueryVariables>;
export const ShownWidgetDocument = new TypedDocumentString(`
    query ShownWidget($id: ID!, $widget: ID!, $range: TimeRangeInput, $timeZone: String) {
  dashboard(id: $id, range: $range, timeZone: $timeZone) {
    range {
      from
      to
    }
    widget(id: $widget) {
      ...WidgetData
    }
  }
}
    fragment MeasureValue on Measure {
  metric
  value
  count
  total
}
fragment WidgetData on Widget {
  id
  ... on FigureWidget {
    figure: data {
      ...MeasureValue
      previous {
        ...MeasureValue
        from
        to
      }
      course {
        bucket
        starts
        values
      }
    }
  }
  ... on SeriesWidget {
    series: data {
      points {
        ...MeasureValue
        start
        end
      }
    }
  }
  ... on BreakdownWidget {
    breakdown: data {
      slices {
        ...MeasureValue
        key
        label
      }
      other {
        ...MeasureValue
      }
    }
  }
  ... on TableWidget {
    table: data {
      lines {
        key
        label
        cells {
          ...MeasureValue
        }
      }
      omittedCount
    }
  }
}`) as unknown as TypedDocumentString<ShownWidgetQuery, ShownWidgetQueryVariables>;
export const FigureRowsDocument = new TypedDocumentString(`
    query FigureRows($id: ID!, $widget: ID!, $range: TimeRangeInput, $timeZone: String, $of: RowsOf!, $after: String) {
  dashboard(id: $id, range: $range, timeZone: $timeZone) {
    widget(id: $widget) {
      ... on FigureWidget {
        figure: data {
          count
          total
          rows(first: 25, after: $after, of: $of) {
            ...MarkRows
          }
        }
      }
    }
  }
}
    fragment MarkRows on DashboardRecordConnection {
  totalCount
  edges {
    node {
      __typename
      ... on Lead {
        id
        name
        chat
        source
        createdAt
        waitingSince
      }
      ... on Message {
        id
        body
        type
        direction
        messageStatus: status
        createdAt
        lead {
          id
          name
        }
      }
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}`) as unknown as TypedDocumentString<FigureRowsQuery, FigureRowsQueryVariables>;
export const PreviousRowsDocument = new TypedDocumentString(`
    query PreviousRows($id: ID!, $widget: ID!, $range: TimeRangeInput, $timeZone: String, $of: RowsOf!, $after: String) {
  dashboard(id: $id, range: $range, timeZone: $timeZone) {
    widget(id: $widget) {
      ... on FigureWidget {
        figure: data {
          previous {
            count
            total
            rows(first: 25, after: $after, of: $of) {
              ...MarkRows
            }
          }
        }
      }
    }
  }
}
    fragment MarkRows on DashboardRecordConnection {
  totalCount
  edges {
    node {
      __typename
      ... on Lead {
        id
        name
        chat
        source
        createdAt
        waitingSince
      }
      ... on Message {
        id
        body
        type
        direction
        messageStatus: status
        createdAt
        lead {
          id
          name
        }
      }
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}`) as unknown as TypedDocumentString<PreviousRowsQuery, PreviousRowsQueryVariables>;
export const PointRowsDocument = new TypedDocumentString(`
    query PointRows($id: ID!, $widget: ID!, $range: TimeRangeInput, $timeZone: String, $at: DateTime!, $of: RowsOf!, $after: String) {
  dashboard(id: $id, range: $range, timeZone: $timeZone) {
    widget(id: $widget) {
      ... on SeriesWidget {
        series: data {
          point(at: $at) {
            count
            total
            rows(first: 25, after: $after, of: $of) {
              ...MarkRows
            }
          }
        }
      }
    }
  }
}
    fragment MarkRows on DashboardRecordConnection {
  totalCount
  edges {
    node {
      __typename
      ... on Lead {
        id
        name
        chat
        source
        createdAt
        waitingSince
      }
      ... on Message {
        id
        body
        type
        direction
        messageStatus: status
        createdAt
        lead {
          id
          name
        }
      }
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}`) as unknown as TypedDocumentString<PointRowsQuery, PointRowsQueryVariables>;
export const SliceRowsDocument = new TypedDocumentString(`
    query SliceRows($id: ID!, $widget: ID!, $range: TimeRangeInput, $timeZone: String, $key: ID, $of: RowsOf!, $after: String) {
  dashboard(id: $id, range: $range, timeZone: $timeZone) {
    widget(id: $widget) {
      ... on BreakdownWidget {
        breakdown: data {
          slice(key: $key) {
            count
            total
            rows(first: 25, after: $after, of: $of) {
              ...MarkRows
            }
          }
        }
      }
    }
  }
}
    fragment MarkRows on DashboardRecordConnection {
  totalCount
  edges {
    node {
      __typename
      ... on Lead {
        id
        name
        chat
        source
        createdAt
        waitingSince
      }
      ... on Message {
        id
        body
        type
        direction
        messageStatus: status
        createdAt
        lead {
          id
          name
        }
      }
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}`) as unknown as TypedDocumentString<SliceRowsQuery, SliceRowsQueryVariables>;
export const OtherRowsDocument = new TypedDocumentString(`
    query OtherRows($id: ID!, $widget: ID!, $range: TimeRangeInput, $timeZone: String, $of: RowsOf!, $after: String) {
  dashboard(id: $id, range: $range, timeZone: $timeZone) {
    widget(id: $widget) {
      ... on BreakdownWidget {
        breakdown: data {
          other {
            count
            total
            rows(first: 25, after: $after, of: $of) {
              ...MarkRows
            }
          }
        }
      }
    }
  }
}
    fragment MarkRows on DashboardRecordConnection {
  totalCount
  edges {
    node {
      __typename
      ... on Lead {
        id
        name
        chat
        source
        createdAt
        waitingSince
      }
      ... on Message {
        id
        body
        type
        direction
        messageStatus: status
        createdAt
        lead {
          id
          name
        }
      }
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}`) as unknown as TypedDocumentString<OtherRowsQuery, OtherRowsQueryVariables>;
export const CellRowsDocument = new TypedDocumentString(`
    query CellRows($id: ID!, $widget: ID!, $range: TimeRangeInput, $timeZone: String, $key: ID, $metric: Metric!, $of: RowsOf!, $after: String) {
  dashboard(id: $id, range: $range, timeZone: $timeZone) {
    widget(id: $widget) {
      ... on TableWidget {
        table: data {
          line(key: $key) {
            cell(metric: $metric) {
              count
              total
              rows(first: 25, after: $after, of: $of) {
                ...MarkRows
              }
            }
          }
        }
      }
    }
  }
}
    fragment MarkRows on DashboardRecordConnection {
  totalCount
  edges {
    node {
      __typename
      ... on Lead {
        id
        name
        chat
        source
        createdAt
        waitingSince
      }
      ... on Message {
        id
        body
        type
        direction
        messageStatus: status
        createdAt
        lead {
          id
          name
        }
      }
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}`) as unknown as TypedDocumentString<CellRowsQuery, CellRowsQueryVariables>;
export const AddDashboardDocument = new TypedDocumentString(`
    mutation AddDashboard($input: CreateDashboardInput!) {
  createDashboard(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<AddDashboardMutation, AddDashboardMutationVariables>;
export const ChangeDashboardDocument = new TypedDocumentString(`
    mutation ChangeDashboard($id: ID!, $input: UpdateDashboardInput!) {
  updateDashboard(id: $id, input: $input) {
    ...DashboardPlan
  }
}
    fragment DashboardPlan on Dashboard {
  id
  name
  timeZone
  updatedAt
  range {
    preset
    from
    to
  }
  widgets {
    ...WidgetPlan
  }
}
fragment WidgetPlan on Widget {
  id
  type
  title
  filter {
    sources
    assigneeIds
    adIds
    instanceIds
    authorIds
    templateIds
  }
  ... on FigureWidget {
    metric
  }
  ... on SeriesWidget {
    metric
    bucket
  }
  ... on BreakdownWidget {
    metric
    dimension
    limit
  }
  ... on TableWidget {
    metrics
    dimension
    limit
  }
}`) as unknown as TypedDocumentString<ChangeDashboardMutation, ChangeDashboardMutationVariables>;
export const RemoveDashboardDocument = new TypedDocumentString(`
    mutation RemoveDashboard($id: ID!) {
  deleteDashboard(id: $id)
}
    `) as unknown as TypedDocumentString<RemoveDashboardMutation, RemoveDashboardMutationVariables>;
export const FilterChoicesDocument = new TypedDocumentString(`
    query FilterChoices {
  chatInstances {
    id
    instanceName
  }
  templates(first: 200) {
    edges {
      node {
        id
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FilterChoicesQuery, FilterChoicesQueryVariables>;