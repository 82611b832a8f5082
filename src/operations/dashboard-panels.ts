// The panels of the dashboard for Grafana, by the metrics that they show.

import { halfAndMost, intakeRoutes, own, perSecond, quantile, sum } from './panel-expressions.js';

export interface Panel {
  title: string;
  unit: 'bytes' | 'ops' | 'reqps' | 's' | 'short';
  description: string;
  /** Expressions of Prometheus by their legends. */
  series: Readonly<Record<string, string>>;
}

interface Section {
  title: string;
  /** The panels of a row share its width. */
  rows: readonly (readonly Panel[])[];
}

const intake: Section = {
  title: 'Intake',
  rows: [
    [
      {
        title: 'Calls by route',
        unit: 'reqps',
        description: 'Webhook calls and leads that were posted.',
        series: { '{{route}}': sum('route', perSecond('leadwire_http_requests_total', intakeRoutes)) },
      },
      {
        title: 'Answers',
        unit: 'reqps',
        description: 'Of all routes, by status and error code.',
        series: { '{{status}} {{code}}': sum('status, code', perSecond('leadwire_http_requests_total')) },
      },
      {
        title: 'Latency',
        unit: 's',
        description: 'Half of the calls, and all but one of a hundred.',
        series: halfAndMost('route', 'leadwire_http_request_duration_seconds', intakeRoutes),
      },
    ],
    [
      {
        title: 'What became of it',
        unit: 'ops',
        description: 'Leads, messages and statuses; parked ones wait for their message.',
        series: {
          '{{item}} {{outcome}}': sum('item, outcome', perSecond('leadwire_intake_items_total')),
          'file {{outcome}}': sum('outcome', perSecond('leadwire_media_fetches_total')),
          'store fails to {{operation}}': sum('operation', perSecond('leadwire_media_store_failures_total')),
          'unknown kind, {{dialect}}': sum('dialect', perSecond('leadwire_unknown_kinds_total')),
          'lead of Meta {{outcome}}': sum('outcome', perSecond('leadwire_source_lead_fetches_total')),
        },
      },
      {
        title: 'Batch size',
        unit: 'short',
        description: 'How many calls were written together, on average.',
        series: {
          '{{batcher}}': `${sum('batcher', perSecond('leadwire_batch_size_sum'))} / ${sum('batcher', perSecond('leadwire_batch_size_count'))}`,
        },
      },
      {
        title: 'Writing a batch',
        unit: 's',
        description: 'All but one of a hundred.',
        series: { '{{batcher}} p99': quantile(0.99, 'batcher', 'leadwire_batch_duration_seconds') },
      },
      {
        title: 'Waiting and refused',
        unit: 'short',
        description: 'Calls that wait to be written (503 from 5,000 on), and those that were refused for it.',
        series: {
          '{{batcher}}': sum('batcher', own('leadwire_batch_waiting')),
          '{{batcher}} refused/s': sum('batcher', perSecond('leadwire_batch_refused_total')),
        },
      },
    ],
  ],
};

const sending: Section = {
  title: 'Sending',
  rows: [
    [
      {
        title: 'Waiting',
        unit: 'short',
        description:
          'Messages that are due or wait for their limit, of all tenants, and of those with most. Every worker tells the same.',
        series: {
          all: 'max(leadwire_outbox_messages)',
          '{{tenant}}': 'topk(10, max by (tenant) (leadwire_outbox_tenant_messages))',
        },
      },
      {
        title: 'Oldest',
        unit: 's',
        description: 'How long the oldest message has been due.',
        series: {
          'of all': 'max(leadwire_outbox_oldest_seconds)',
          '{{tenant}}': 'topk(10, max by (tenant) (leadwire_outbox_tenant_oldest_seconds))',
        },
      },
      {
        title: 'Tenants that wait',
        unit: 'short',
        description: 'With anything to send, and of these those whose rate limit is used up.',
        series: {
          'with messages': 'max(leadwire_outbox_tenants)',
          limited: `max(${own('leadwire_limiter_waiting_tenants')})`,
        },
      },
    ],
    [
      {
        title: 'Sends by outcome',
        unit: 'ops',
        description:
          'Accepted, tried again (temporary, repeatable, paused, unknown) or ended (permanent, unconfirmed).',
        series: {
          '{{provider}} {{outcome}}': sum('provider, outcome', perSecond('leadwire_sends_total')),
          retries: `sum(${perSecond('leadwire_send_retries_total')})`,
        },
      },
      {
        title: "Gateways' latency",
        unit: 's',
        description: 'Half of the sends, and all but one of a hundred.',
        series: halfAndMost('provider', 'leadwire_send_duration_seconds'),
      },
      {
        title: 'Parked statuses',
        unit: 'short',
        description: 'Reported before their message was known.',
        series: { parked: 'max(leadwire_parked_statuses)' },
      },
    ],
    [
      {
        title: 'Webhook posts',
        unit: 'ops',
        description: "Posts to tenants' endpoints by outcome: failed ones are tried again, given_up ones are not.",
        series: { '{{outcome}}': sum('outcome', perSecond('leadwire_endpoint_attempts_total')) },
      },
      {
        title: 'Oldest webhook delivery',
        unit: 's',
        description: 'How long the delivery has been due that has been due longest: seconds, while workers keep up.',
        series: { oldest: 'max(leadwire_endpoint_oldest_seconds)' },
      },
      {
        title: 'Endpoints disabled',
        unit: 'short',
        description: 'Webhook endpoints that the service disabled, by reason: their tenants have to repair them.',
        series: { '{{reason}}': sum('reason', 'increase(leadwire_endpoints_disabled_total[1h])') },
      },
    ],
  ],
};

const live: Section = {
  title: 'Live and GraphQL',
  rows: [
    [
      {
        title: 'Sockets',
        unit: 'short',
        description: 'Open WebSockets, subscriptions and tenants that are watched.',
        series: {
          sockets: `sum(${own('leadwire_sockets')})`,
          subscriptions: `sum(${own('leadwire_live_subscriptions')})`,
          tenants: `max(${own('leadwire_live_tenants')})`,
        },
      },
      {
        title: 'Live lag',
        unit: 's',
        description: 'From an event being written to its subscribers.',
        series: halfAndMost('instance', 'leadwire_live_lag_seconds'),
      },
      {
        title: 'Deliveries',
        unit: 'ops',
        description: 'Events written to subscribers as they came.',
        series: { deliveries: `sum(${perSecond('leadwire_live_deliveries_total')})` },
      },
      {
        title: 'Ends',
        unit: 'ops',
        description: 'Sockets by close code, slow clients, and subscribers that have to read again.',
        series: {
          'closed {{code}}': sum('code', perSecond('leadwire_sockets_closed_total')),
          'too slow': `sum(${perSecond('leadwire_live_slow_clients_total')})`,
          resync: `sum(${perSecond('leadwire_live_resyncs_total')})`,
        },
      },
    ],
    [
      {
        title: 'GraphQL operations',
        unit: 'ops',
        description: 'By type and outcome; timeouts besides.',
        series: {
          '{{type}} {{outcome}}': sum('type, outcome', perSecond('leadwire_graphql_operations_total')),
          timeouts: `sum(${perSecond('leadwire_graphql_timeouts_total')})`,
        },
      },
      {
        title: 'GraphQL latency',
        unit: 's',
        description: 'Half of the operations, and all but one of a hundred.',
        series: halfAndMost('type', 'leadwire_graphql_operation_duration_seconds'),
      },
      {
        title: 'Limits',
        unit: 'ops',
        description: 'Beyond a rate limit, and credentials that were wrong.',
        series: {
          '{{limit}} {{kind}}': sum('limit, kind', perSecond('leadwire_rate_limited_total')),
          'failed authentications': `sum(${perSecond('leadwire_failed_authentications_total')})`,
        },
      },
    ],
  ],
};

const underneath: Section = {
  title: 'Underneath',
  rows: [
    [
      {
        title: 'Database connections',
        unit: 'short',
        description: "Of each process's pool, and who waits for one.",
        series: {
          '{{instance}} {{state}}': sum('instance, state', own('leadwire_database_pool_connections')),
          '{{instance}} waiting': own('leadwire_database_pool_waiting'),
          '{{instance}} waiting for a share': own('leadwire_database_share_waiting'),
          '{{instance}} at most': own('leadwire_database_pool_size'),
        },
      },
      {
        title: 'Dependencies',
        unit: 'short',
        description:
          '1 where PostgreSQL answers; 1 where Redis or a read replica is configured and away; how far replicas are behind, and what they serve.',
        series: {
          '{{instance}} PostgreSQL': own('leadwire_database_up'),
          '{{instance}} without Redis': own('leadwire_redis_degraded'),
          '{{instance}} without {{replica}}': own('leadwire_database_replica_left_out'),
          '{{instance}} behind at {{replica}}, s': own('leadwire_database_replica_lag_seconds'),
          'reads from the {{server}}, /s': sum('server', `rate(${own('leadwire_database_read_operations_total')}[5m])`),
        },
      },
      {
        title: 'Event loop',
        unit: 's',
        description: 'How long what is ready has to wait for its turn.',
        series: {
          '{{instance}} p50': own('nodejs_eventloop_lag_p50_seconds'),
          '{{instance}} p99': own('nodejs_eventloop_lag_p99_seconds'),
        },
      },
    ],
    [
      {
        title: 'CPU',
        unit: 'short',
        description: 'Cores in use.',
        series: { '{{instance}}': perSecond('process_cpu_seconds_total') },
      },
      {
        title: 'Memory',
        unit: 'bytes',
        description: 'Resident, and the heap in use.',
        series: {
          '{{instance}} resident': own('process_resident_memory_bytes'),
          '{{instance}} heap': own('nodejs_heap_size_used_bytes'),
        },
      },
      {
        title: 'Scheduled tasks',
        unit: 's',
        description: 'Time since each last succeeded anywhere, when it is overdue, and how long it took.',
        series: {
          '{{task}} ago': 'time() - max by (task) (leadwire_job_last_success_timestamp_seconds)',
          '{{task}} overdue': 'max by (task) (leadwire_job_overdue_seconds)',
          '{{task}} took': 'max by (task) (leadwire_job_last_duration_seconds)',
        },
      },
      {
        title: 'Background work',
        unit: 'ops',
        description: 'Batches of jobs by outcome.',
        series: { '{{task}} {{outcome}}': sum('task, outcome', perSecond('leadwire_job_runs_total')) },
      },
    ],
    [
      {
        title: 'Partitions',
        unit: 'short',
        description:
          'For how many days there are partitions of the journal and of the event log (4 at least while workers run), and rows that have none.',
        series: {
          '{{table}} days': 'max by (table) (leadwire_partition_days_ahead)',
          '{{table}} rows without': 'max by (table) (leadwire_rows_without_partition)',
        },
      },
      {
        title: 'Histories of gateways',
        unit: 'ops',
        description:
          'Readings of histories by cause and outcome, and what their records turned out to be. Recovered: no webhook had brought them.',
        series: {
          'readings {{cause}} {{outcome}}': sum('cause, outcome', perSecond('leadwire_history_readings_total')),
          'records {{found}}': sum('found', perSecond('leadwire_history_records_total')),
          statuses: `sum(${perSecond('leadwire_history_statuses_total')})`,
        },
      },
      {
        title: 'Degraded instances',
        unit: 'short',
        description:
          'Chat instances that say CONNECTED while evidence says otherwise. Every worker reports all of them.',
        series: { '{{reason}}': `max by (reason) (${own('leadwire_degraded_instances')})` },
      },
    ],
    [
      {
        title: 'Receipts, typing and look-ups',
        unit: 'ops',
        description:
          'What gateways are told and asked beside messages, where tenants have chosen it: read receipts, typing, and numbers before their first message.',
        series: {
          'receipts {{provider}} {{outcome}}': sum('provider, outcome', perSecond('leadwire_read_receipts_total')),
          'typing {{provider}} {{outcome}}': sum('provider, outcome', perSecond('leadwire_typing_total')),
          'numbers {{provider}} {{outcome}}': sum('provider, outcome', perSecond('leadwire_number_look_ups_total')),
        },
      },
    ],
    [
      {
        title: 'Notifications of browsers',
        unit: 'ops',
        description:
          'Posts to push services by outcome. Gone: the browser is forgotten. Dropped: a round of a tenant had no time left.',
        series: { '{{outcome}}': sum('outcome', perSecond('leadwire_pushes_total')) },
      },
      {
        title: 'Search behind',
        unit: 's',
        description:
          'Age of the oldest event whose words the index of messages does not have yet: seconds, while workers keep up.',
        series: { oldest: 'max(leadwire_search_behind_seconds)' },
      },
    ],
  ],
};

export const sections: readonly Section[] = [intake, sending, live, underneath];
