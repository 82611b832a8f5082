// The gauges of messages that wait to be sent, of statuses that wait for their message, and of deliveries to endpoints.

import type { Gauge } from 'prom-client';

/** @param gauge makes a gauge, and registers it */
export function outboxGauges(gauge: (name: string, help: string, labels?: string[]) => Gauge) {
  return {
    messages: gauge(
      'leadwire_outbox_messages',
      'Messages that wait to be sent; at most 50,000 of a tenant are counted.',
    ),
    tenants: gauge('leadwire_outbox_tenants', 'Tenants with messages that wait to be sent, up to 1,000.'),
    limited: gauge(
      'leadwire_limiter_waiting_tenants',
      'Tenants with messages that wait for their rate limit, as far as this process has seen.',
    ),
    oldest: gauge('leadwire_outbox_oldest_seconds', 'How long the message has been due that has been due longest.'),
    tenantMessages: gauge(
      'leadwire_outbox_tenant_messages',
      'Messages of a tenant that wait to be sent, for the tenants with most of them and with the oldest.',
      ['tenant'],
    ),
    tenantOldest: gauge(
      'leadwire_outbox_tenant_oldest_seconds',
      "How long a tenant's oldest message has been due, for the same tenants.",
      ['tenant'],
    ),
    parked: gauge('leadwire_parked_statuses', 'Statuses that wait for their message to become known, up to 50,000.'),
    endpointOldest: gauge(
      'leadwire_endpoint_oldest_seconds',
      'How long the delivery has been due that has been due longest, of webhook endpoints that do not fail.',
    ),
  };
}
