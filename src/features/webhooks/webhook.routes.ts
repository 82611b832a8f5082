// REST door for external systems: leads, inbound messages and delivery statuses, with `x-tenant-key`.

import { Router } from 'express';
import type { Request } from 'express';
import { AppError } from '../../platform/errors.js';
import type { WebhookCall } from './webhook-call.js';
import type { LeadAnswer, WebhookService } from './webhook.service.js';

const paths = {
  publicLeads: '/public/leads',
  leads: '/webhooks/leads',
  inbound: '/webhooks/chat/gateway/inbound',
  status: '/webhooks/chat/gateway/status',
} as const;

export function webhookRoutes(webhooks: WebhookService): Router {
  const router = Router();
  router.post(paths.publicLeads, async (req, res) => {
    const lead = await webhooks.receiveLead(toCall(req, paths.publicLeads), 'public');
    res.status(statusOf(lead)).json(lead);
  });
  router.post(paths.leads, async (req, res) => {
    const lead = await webhooks.receiveLead(toCall(req, paths.leads), 'webhook');
    res.status(statusOf(lead)).json(lead);
  });
  router.post(paths.inbound, async (req, res) => {
    res.json(await webhooks.receiveInbound(toCall(req, paths.inbound)));
  });
  router.post(paths.status, async (req, res) => {
    res.json(await webhooks.receiveStatuses(toCall(req, paths.status)));
  });
  return router;
}

function toCall(req: Request, route: string): WebhookCall {
  if (req.tenantKey === undefined) throw new AppError('UNAUTHENTICATED', 'A valid x-tenant-key is required');
  return {
    principal: req.tenantKey,
    route,
    contentType: req.headers['content-type'],
    signature: req.get('x-signature'),
    userAgent: req.headers['user-agent'],
    body: req.rawBody ?? Buffer.alloc(0),
  };
}

function statusOf(lead: LeadAnswer): number {
  return lead.created ? 201 : 200;
}
