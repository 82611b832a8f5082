// REST door for external systems: leads, inbound messages and delivery statuses, with `x-tenant-key`.

import { Router } from 'express';
import type { Request } from 'express';
import { AppError } from '../../platform/errors.js';
import type { WebhookCall } from './webhook-call.js';
import type { LeadAnswer, WebhookService } from './webhook.service.js';

export function webhookRoutes(webhooks: WebhookService): Router {
  const router = Router();
  router.post('/public/leads', async (req, res) => {
    const lead = await webhooks.receiveLead(toCall(req), 'public');
    res.status(statusOf(lead)).json(lead);
  });
  router.post('/webhooks/leads', async (req, res) => {
    const lead = await webhooks.receiveLead(toCall(req), 'webhook');
    res.status(statusOf(lead)).json(lead);
  });
  router.post('/webhooks/chat/gateway/inbound', async (req, res) => {
    res.json(await webhooks.receiveInbound(toCall(req)));
  });
  router.post('/webhooks/chat/gateway/status', async (req, res) => {
    res.json(await webhooks.receiveStatuses(toCall(req)));
  });
  return router;
}

function toCall(req: Request): WebhookCall {
  if (req.tenantKey === undefined) throw new AppError('UNAUTHENTICATED', 'A valid x-tenant-key is required');
  return {
    principal: req.tenantKey,
    route: req.path,
    contentType: req.headers['content-type'],
    signature: req.get('x-signature'),
    userAgent: req.headers['user-agent'],
    body: req.rawBody ?? Buffer.alloc(0),
  };
}

function statusOf(lead: LeadAnswer): number {
  return lead.created ? 201 : 200;
}
