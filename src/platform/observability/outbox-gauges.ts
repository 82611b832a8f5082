// The gauges of messages that wait to be sent, of statuses that wait for their message, and of deliveries to endpoints.

import type { Gauge } from 'prom-client';

/** The messages that wait to be sent, as far as the reading looked. */
export interface OutboxReading {
  /** The messages of all tenants together. */
  messages: number;
  tenants: number;
  /** The tenants among these whose rate limit is used up. */
  limitedTenants: number;
  oldestSeconds: number;
  /** The few tenants that are worth a look. */
  notable: readonly { tenantId: string; messages: number; oldestSeconds: number }[];
  parkedStatuses: number;
  /** The time for which the longest due delivery has been due, of webhook endpoints that do not fail. */
  endpointOldestSeconds: number;
}

export class OutboxGauges {
  private readonly messages: Gauge;
  private readonly tenants: Gauge;
  private readonly limited: Gauge;
  private readonly oldest: Gauge;
  private readonly tenantMessages: Gauge;
  private readonly tenantOldest: Gauge;
  private readonly parked: Gauge;
  private readonly endpointOldest: Gauge;

  /** @param gauge makes a gauge, and registers it */
  constructor(gauge: (name: string, help: string, labels?: string[]) => Gauge) {
    this.messages = gauge(
      'leadwire_outbox_messages',
      'Messages that wait to be sent; at most 50,000 of a tenant are counted.',
    );
    this.tenants = gauge('leadwire_outbox_tenants', 'Tenants with messages that wait to be sent, up to 1,000.');
    this.limited = gauge(
      'leadwire_limiter_waiting_tenants',
      'Tenants with messages that wait for their rate limit, as far as this process has seen.',
    );
    this.oldest = gauge(
      'leadwire_outbox_oldest_seconds',
      'How long the message has been due that has been due longest.',
    );
    this.tenantMessages = gauge(
      'leadwire_outbox_tenant_messages',
      'Messages of a tenant that wait to be sent, for the tenants with most of them and with the oldest.',
      ['tenant'],
    );
    this.tenantOldest = gauge(
      'leadwire_outbox_tenant_oldest_seconds',
      "How long a tenant's oldest message has been due, for the same tenants.",
      ['tenant'],
    );
    this.parked = gauge(
      'leadwire_parked_statuses',
      'Statuses that wait for their message to become known, up to 50,000.',
    );
    this.endpointOldest = gauge(
      'leadwire_endpoint_oldest_seconds',
      'How long the delivery has been due that has been due longest, of webhook endpoints that do not fail.',
    );
  }

  /** Shows a reading. A number that is not known is left out: 0 would say that all is well. */
  show(reading: OutboxReading | undefined): void {
    this.tenantMessages.reset();
    this.tenantOldest.reset();
    if (reading === undefined) {
      const { messages, tenants, limited, oldest, parked, endpointOldest } = this;
      for (const gauge of [messages, tenants, limited, oldest, parked, endpointOldest]) gauge.remove();
      return;
    }
    this.messages.set(reading.messages);
    this.tenants.set(reading.tenants);
    this.limited.set(reading.limitedTenants);
    this.oldest.set(reading.oldestSeconds);
    this.parked.set(reading.parkedStatuses);
    this.endpointOldest.set(reading.endpointOldestSeconds);
    for (const { tenantId: tenant, messages, oldestSeconds } of reading.notable) {
      this.tenantMessages.set({ tenant }, messages);
      this.tenantOldest.set({ tenant }, oldestSeconds);
    }
  }
}
