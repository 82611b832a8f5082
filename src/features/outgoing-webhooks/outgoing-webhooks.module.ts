// Assembles the services of outgoing webhooks.

import type { WebhookSender } from '../../clients/webhook-sender.js';
import type { Config } from '../../config/config.js';
import type { Foundation } from '../../platform/foundation.js';
import type { AuditService } from '../audit/audit.service.js';
import type { RecordServices } from '../events/event-records.js';
import { EndpointClaimService } from './endpoint-claim.service.js';
import { EndpointDeliveryService } from './endpoint-delivery.service.js';
import { EndpointDispatcher } from './endpoint-dispatcher.js';
import { EndpointFeedService } from './endpoint-feed.service.js';
import { EndpointPayloads } from './endpoint-payload.js';
import { EndpointResultService } from './endpoint-result.service.js';
import { WebhookEndpointService } from './webhook-endpoint.service.js';

const leaseMs = 60_000;
const postsAtOncePerEndpoint = 8;
const postsAtOnce = 256;
const pollIntervalMs = 2_000;

export interface OutgoingWebhookParts {
  audit: AuditService;
  records: RecordServices;
  /** The sender of deliveries. An attempt of it ends well within 60 s. */
  sender: WebhookSender;
}

export function createOutgoingWebhooks(
  foundation: Foundation,
  { audit, records, sender }: OutgoingWebhookParts,
  { processRole }: Config,
) {
  const { database, notifier, secretBox, log, metrics } = foundation;
  const endpointDispatcher = new EndpointDispatcher({
    database,
    notifier,
    feed: new EndpointFeedService({ database }),
    claims: new EndpointClaimService({ database, leaseMs }),
    results: new EndpointResultService({ database, audit, log, metrics }),
    payloads: new EndpointPayloads(records),
    sender,
    secretBox,
    log,
    concurrency: postsAtOncePerEndpoint,
    totalConcurrency: postsAtOnce,
    pollIntervalMs,
  });
  const onChange = (tenantId: string) => {
    if (processRole !== 'api') endpointDispatcher.follow(tenantId);
    notifier.wakeAll(tenantId);
  };
  const checkUrl = (url: string) => sender.checkUrl(url);
  return {
    endpointDispatcher,
    webhookEndpoints: new WebhookEndpointService({ database, audit, secretBox, checkUrl, onChange }),
    endpointDeliveries: new EndpointDeliveryService({ database, audit, onChange }),
  };
}
