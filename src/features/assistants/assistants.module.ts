// Builds the services of the API for assistants.

import type { Config } from '../../config/config.js';
import type { Foundation } from '../../platform/foundation.js';
import type { TenantService } from '../tenants/tenant.service.js';
import { AssistantReadingService, type AssistantReadingOptions } from './assistant-reading.service.js';
import { AssistantReplyService, type AssistantReplyOptions } from './assistant-reply.service.js';
import { AssistantService } from './assistant.service.js';
import { Capabilities } from './capability.js';

export type AssistantParts = Omit<AssistantReadingOptions & AssistantReplyOptions, 'database' | 'capabilities'> & {
  tenants: TenantService;
};

export function createAssistants(
  { database }: Foundation,
  parts: AssistantParts,
  { encryptionKey, encryptionKeyPrevious }: Config,
) {
  const secrets = [encryptionKey, ...(encryptionKeyPrevious === undefined ? [] : [encryptionKeyPrevious])];
  const capabilities = new Capabilities(secrets);
  const own = { ...parts, database, capabilities };
  const reading = new AssistantReadingService(own);
  const replies = new AssistantReplyService(own);
  const { audit, tenants } = parts;
  return { assistants: new AssistantService({ database, audit, tenants, reading, replies }) };
}
