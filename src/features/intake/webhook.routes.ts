// REST API for external systems: leads, inbound messages and delivery statuses, with `x-tenant-key`.

import { Router, type Request, type Response } from 'express';
import { AppError, keyRequired } from '../../platform/errors.js';
import { sendJson } from '../../platform/http/json-answer.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { toCountry } from '../../platform/phone-numbers/country.js';
import { readDryRunParameter, refuseDryRun } from './dry-run-parameter.js';
import type { LeadAnswer, LeadDefaults, WebhookCall } from './webhook-call.js';
import type { Caller } from './intake-limits.js';
import type { WebhookService } from './webhook.service.js';

const paths = {
  publicLeads: '/public/leads',
  leads: '/webhooks/leads',
  inbound: '/webhooks/chat/gateway/inbound',
  status: '/webhooks/chat/gateway/status',
  // Evolution's `byEvents` puts the event's name behind the configured address.
  event: '/webhooks/chat/gateway/:event',
  cloud: '/webhooks/chat/cloud/:instanceId',
} as const;

const eventName = /^[\w.-]{1,100}$/;
const keyedPath = /^\/(?:public\/leads|webhooks\/leads|webhooks\/chat\/gateway\/[\w.-]{1,100})\/?$/i;

const commonPaths: ReadonlySet<string> = new Set([paths.inbound, paths.status, paths.leads, paths.publicLeads]);

/** Returns whether a call is for one of the four most called paths. Other writings of these paths (`/Public/leads/`) are not recognised. */
export function isIntakeCall({ method, url }: Pick<Request, 'method' | 'url'>): boolean {
  return method === 'POST' && commonPaths.has(url);
}

/** Returns whether this API itself counts a call with a tenant key, by its items, and not as a request. */
export function countsByItself(req: Pick<Request, 'method' | 'url' | 'path'>): boolean {
  return isIntakeCall(req) || (req.method === 'POST' && keyedPath.test(req.path));
}

/** @param dryRuns judges leads that are posted with `dryRun=true`, and keeps nothing */
export function webhookRoutes(webhooks: WebhookService, dryRuns: WebhookService): Router {
  const router = Router();
  router.post(paths.inbound, async (req, res) => {
    sendJson(res, await webhooks.receiveChat(toChatCall(req, paths.inbound), { kind: 'messages' }, callerOf(req, res)));
  });
  router.post(paths.status, async (req, res) => {
    sendJson(res, await webhooks.receiveChat(toChatCall(req, paths.status), { kind: 'statuses' }, callerOf(req, res)));
  });
  const takeLeads = (path: string, source: LeadDefaults['source']) =>
    router.post(path, async (req, res) => {
      const posted = [toCall(req, path), defaultsOf(req, source), callerOf(req, res)] as const;
      const dryRun = readDryRunParameter(req.query);
      if (dryRun === undefined) {
        const lead = await webhooks.receiveLead(...posted);
        sendJson(res.status(statusOf(lead)), lead);
      } else {
        sendJson(res, await dryRuns.explainLead(...posted, dryRun.check));
      }
    });
  takeLeads(paths.publicLeads, 'public');
  takeLeads(paths.leads, 'webhook');
  router.post(paths.event, async (req, res, next) => {
    const { event } = req.params;
    if (!eventName.test(event)) return next();
    sendJson(
      res,
      await webhooks.receiveChat(toChatCall(req, `/webhooks/chat/gateway/${event}`), { event }, callerOf(req, res)),
    );
  });
  router.get(paths.cloud, async (req, res) => {
    res.type('text/plain').send(await webhooks.answerCloudHandshake(req.query, req.params.instanceId));
  });
  router.post(paths.cloud, async (req, res) => {
    if (req.metaWebhook === undefined) throw new AppError('UNAUTHENTICATED', 'A signed call is required');
    const { tenantId, instanceId } = req.metaWebhook;
    const signature = req.get('x-hub-signature-256');
    const call = { ...readRequest(req), route: `/webhooks/chat/cloud/${instanceId}`, tenantId, signature };
    sendJson(res, await webhooks.receiveCloud(call, req.metaWebhook, callerOf(req, res)));
  });
  return router;
}

function toCall(req: Request, route: string): WebhookCall {
  const { 'x-tenant-key': key, authorization } = req.headers;
  if (req.tenantKey === undefined) throw keyRequired({ key: String(key ?? ''), authorization });
  const { tenantId } = req.tenantKey;
  const [signature, hmac] = [req.get('x-signature'), req.get('x-webhook-hmac')];
  return { ...readRequest(req), route, tenantId, signature, hmac };
}

/** @throws AppError UNAUTHENTICATED; VALIDATION_FAILED for a call that only wants to be tried: it would be kept */
function toChatCall(req: Request, route: string): WebhookCall {
  const call = toCall(req, route);
  refuseDryRun(req.query);
  return call;
}

/** The key's look-up has read the tenant's country: a call costs no statement for it. */
function defaultsOf({ tenantKey }: Request, source: LeadDefaults['source']): LeadDefaults {
  return { source, country: toCountry(tenantKey?.defaultCountry) };
}

/** Meta's calls count by instance, because Meta has no tenant key. */
function callerOf({ tenantKey, metaWebhook }: Request, res: Response): Caller {
  const key = metaWebhook?.instanceId ?? tenantKey?.tenantId ?? '';
  const setHeaders = (headers: Record<string, string>) => {
    for (const name in headers) res.setHeader(name, headers[name] ?? '');
  };
  return { key, setHeaders };
}

function readRequest(req: Request) {
  return {
    id: newRecordId(),
    contentType: req.headers['content-type'],
    userAgent: req.headers['user-agent'],
    body: req.rawBody ?? Buffer.alloc(0),
    receivedAt: new Date(),
  };
}

function statusOf(lead: LeadAnswer): number {
  return lead.created ? 201 : 200;
}
