// Builds the services of channel templates.

import type { Foundation } from '../../platform/foundation.js';
import type { ChatInstanceService } from '../chat-instances/chat-instance.service.js';
import type { GatewayEndpoints } from '../chat-instances/gateway-endpoints.js';
import { ChannelTemplateStatusService } from './channel-template-status.service.js';
import { ChannelTemplateSyncService } from './channel-template-sync.service.js';
import { ChannelTemplateService } from './channel-template.service.js';

// The caller waits while up to 20 pages are read.
const syncTimeLimitMs = 30_000;

export interface ChannelTemplateParts {
  chatInstances: ChatInstanceService;
  endpoints: GatewayEndpoints;
}

export function createChannelTemplates(
  { database, transactor }: Foundation,
  { chatInstances, endpoints }: ChannelTemplateParts,
) {
  return {
    channelTemplates: new ChannelTemplateService({ database, chatInstances, endpoints }),
    channelTemplateSyncs: new ChannelTemplateSyncService({
      database,
      transactor,
      endpoints,
      timeLimitMs: syncTimeLimitMs,
    }),
    channelTemplateStatuses: new ChannelTemplateStatusService(),
  };
}
