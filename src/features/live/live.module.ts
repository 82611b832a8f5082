// Builds the services of the live feed.

import { EventLog } from '../../platform/events/event-log.js';
import type { Foundation } from '../../platform/foundation.js';
import { EventRecords, type RecordServices } from '../events/event-records.js';
import type { LeadService } from '../leads/lead.service.js';
import { LiveFeed, type LiveFeedOptions } from './live-feed.js';
import { LiveService } from './live.service.js';

const livePollIntervalMs = 2_000;

export function createLive(
  { database, notifier, log, metrics }: Foundation,
  services: RecordServices & { leads: LeadService },
) {
  const eventLog = new EventLog(database);
  const recordsOf: LiveFeedOptions['recordsOf'] = (tenantId, events) => new EventRecords(services, tenantId, events);
  const feed = new LiveFeed({ eventLog, notifier, recordsOf, log, metrics, pollIntervalMs: livePollIntervalMs });
  return { feed, live: new LiveService({ eventLog, leads: services.leads }) };
}
