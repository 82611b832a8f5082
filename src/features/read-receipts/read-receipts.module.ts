// Assembles the services of read receipts and typing.

import type { Foundation } from '../../platform/foundation.js';
import type { ChatInstanceService } from '../chat-instances/chat-instance.service.js';
import type { GatewayEndpoints } from '../chat-instances/gateway-endpoints.js';
import type { LeadService } from '../leads/lead.service.js';
import type { MessageService } from '../messages/message.service.js';
import type { ChannelChoices } from '../tenants/channel-choices.js';
import { ReadReceiptService } from './read-receipt.service.js';
import { TypingService } from './typing.service.js';

// These limits are below what gateways take of messages: receipts do not wait for a place in the tenant's limit.
const receiptsAtOncePerTenant = 4;
const receiptsAtOnce = 32;
const maxWaitingPerTenant = 1_000;
const maxWaiting = 20_000;
// A call can take as long as typing is shown to the lead.
const typingAtOncePerTenant = 32;
const typingAtOnce = 256;

export interface ReadReceiptParts {
  endpoints: GatewayEndpoints;
  leads: LeadService;
  chatInstances: ChatInstanceService;
  messages: MessageService;
  choices: ChannelChoices;
}

export function createReadReceipts(foundation: Foundation, parts: ReadReceiptParts) {
  const { database, metrics, log } = foundation;
  const { endpoints, choices } = parts;
  return {
    readReceipts: new ReadReceiptService({
      database,
      endpoints,
      choices,
      metrics,
      log,
      concurrency: receiptsAtOncePerTenant,
      totalConcurrency: receiptsAtOnce,
      maxWaitingPerTenant,
      maxWaiting,
    }),
    typing: new TypingService({
      database,
      ...parts,
      metrics,
      log,
      concurrency: typingAtOncePerTenant,
      totalConcurrency: typingAtOnce,
    }),
  };
}
