// The registry of REST routes: every *.routes.ts stands here once.

import type { Router } from 'express';
import { authRoutes } from './features/auth/auth.routes.js';
import { chatInstanceRoutes } from './features/chat-instances/chat-instance.routes.js';
import { leadFileRoutes } from './features/leads/lead-file.routes.js';
import { messageExportRoutes } from './features/messages/message-export.routes.js';
import { tenantRoutes } from './features/tenants/tenant.routes.js';
import { webhookRoutes } from './features/webhooks/webhook.routes.js';
import type { Services } from './services.js';

/** In the order in which they are tried: the ones that external systems call most stand first. */
export function routesOf(services: Services): Router[] {
  return [
    webhookRoutes(services.webhooks),
    authRoutes(services.auth),
    chatInstanceRoutes(services.chatInstances),
    tenantRoutes(services.tenants),
    leadFileRoutes(services.leadImports, services.leadExports),
    messageExportRoutes(services.messageExports),
  ];
}
