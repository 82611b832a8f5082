// The registry of REST routes and of their OpenAPI descriptions. Every *.routes.ts is listed here once.

import type { Router } from 'express';
import { assistantDescriptions } from './features/assistants/assistant.openapi.js';
import { assistantRoutes } from './features/assistants/assistant.routes.js';
import { authRoutes } from './features/auth/auth.routes.js';
import { describeAuth } from './features/auth/auth.openapi.js';
import { chatInstanceDescriptions, chatInstanceRoutes } from './features/chat-instances/chat-instance.routes.js';
import { leadFileRoutes } from './features/leads/files/lead-file.routes.js';
import { leadFileDescriptions } from './features/leads/files/lead-file.openapi.js';
import { leadSourceDescriptions } from './features/lead-sources/lead-source.openapi.js';
import { leadSourceRoutes } from './features/lead-sources/lead-source.routes.js';
import { mediaDescriptions } from './features/media/media.openapi.js';
import { downloadRoutes } from './features/media/download.routes.js';
import { uploadRoutes } from './features/media/upload.routes.js';
import { messageExportDescriptions, messageExportRoutes } from './features/messages/message.routes.js';
import { tenantDescriptions, tenantRoutes } from './features/tenants/tenant.routes.js';
import { webhookDescriptions } from './features/intake/webhook.openapi.js';
import { webhookRoutes } from './features/intake/webhook.routes.js';
import type { RouteDescription } from './platform/http/route-description.js';
import type { Services } from './services.js';

/** The routers in the order in which they are tried. The most called routes come first. */
export function routesOf(services: Services): Router[] {
  return [
    webhookRoutes(services.webhooks, services.dryRuns),
    leadSourceRoutes(services.leadSourceCalls, services.leadSourceDryRuns),
    authRoutes(services.auth),
    chatInstanceRoutes(services.chatInstances),
    tenantRoutes(services.tenants),
    leadFileRoutes(services.leadImports, services.leadExports),
    uploadRoutes(services.uploads),
    downloadRoutes(services),
    messageExportRoutes(services.messageExports),
    assistantRoutes(services.assistants),
  ];
}

/** The OpenAPI descriptions of these routes, in the order of the document. */
export function describeRoutes(services: Services): RouteDescription[] {
  return [
    ...webhookDescriptions,
    ...leadSourceDescriptions,
    ...describeAuth(services.auth),
    ...chatInstanceDescriptions,
    ...tenantDescriptions,
    ...leadFileDescriptions,
    ...messageExportDescriptions,
    ...mediaDescriptions,
    ...assistantDescriptions,
  ];
}
