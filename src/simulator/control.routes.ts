// Owns `/simulator/*`: turning the knobs, setting webhook addresses, playing the lead, and looking at what happened.
// No real gateway has these routes.

import { Router, type Request } from 'express';
import { z } from 'zod';
import type { BoundedHistory } from './bounded-memory.js';
import { dressOf } from './dress.js';
import { GatewayError } from './gateway-error.js';
import type { SendAttempt } from './gateway.routes.js';
import type { InstanceRegistry } from './instance-registry.js';
import type { MessageHistory } from './message-history.js';
import { instanceNameSchema, type WebhookTarget } from './message.schema.js';
import { PLAYERS } from './players.js';
import type { BehaviourBook } from './behaviour-book.js';
import { SPECIAL_CASES } from './special-cases.js';
import type { WebhookCall, WebhookReporter } from './webhook-reporter.js';

export interface ControlRoutesOptions {
  readonly attempts: BoundedHistory<SendAttempt>;
  readonly behaviours: BehaviourBook;
  readonly instances: InstanceRegistry;
  readonly reporter: WebhookReporter;
  readonly history: MessageHistory;
  /** Lets a lead write; a wrong body is a ZodError. Resolves with the first webhook call it led to. */
  readonly receiveFromLead: (input: unknown) => Promise<{ messageId: string; call: WebhookCall }>;
}

const instanceQuerySchema = z.object({ instance: instanceNameSchema.optional() });
const momentSchema = z.iso
  .datetime({ offset: true })
  .transform((written) => Date.parse(written))
  .optional();
const historyQuerySchema = instanceQuerySchema.extend({
  number: z.string().min(1).max(128).optional(),
  since: momentSchema,
  until: momentSchema,
  limit: z.coerce.number().int().min(1).max(10_000).default(100),
});
const listQuerySchema = instanceQuerySchema.extend({ limit: z.coerce.number().int().min(1).max(1_000).default(100) });

/** Expects a parsed JSON body where one is sent. */
export function controlRoutes(options: ControlRoutesOptions): Router {
  const { attempts, behaviours, instances, reporter, history, receiveFromLead } = options;
  const router = tableRoutes();

  router.post('/instances/:name/scan', (request, response) => {
    response.json(instances.scan(instanceNameSchema.parse(request.params.name)));
  });

  router.get('/behaviour', (request, response) => {
    response.json(behaviours.get(readInstance(request)));
  });
  router.put('/behaviour', (request, response) => {
    response.json(behaviours.replace(request.body, readInstance(request)));
  });
  router.patch('/behaviour', (request, response) => {
    response.json(behaviours.change(request.body, readInstance(request)));
  });

  router.get('/webhook-target', (request, response) => {
    response.json(maskTarget(reporter.getTarget(readInstance(request))));
  });
  router.patch('/webhook-target', (request, response) => {
    const instance = readInstance(request);
    reporter.setTarget(request.body, instance);
    // An instance exists from the moment it is named.
    if (instance !== undefined) instances.get(instance);
    response.json(maskTarget(reporter.getTarget(instance)));
  });

  router.get('/messages', (request, response) => {
    const { entries, ...counts } = listNewest(attempts, request);
    response.json({ messages: entries, ...counts });
  });
  router.delete('/messages', (_request, response) => {
    attempts.clear();
    response.status(204).end();
  });
  router.get('/webhooks', (request, response) => {
    const { entries, ...counts } = listNewest(reporter.calls, request);
    response.json({ webhooks: entries, ...counts });
  });
  router.delete('/webhooks', (_request, response) => {
    reporter.calls.clear();
    response.status(204).end();
  });

  router.get('/history', (request, response) => {
    const { limit, ...filter } = historyQuerySchema.parse(request.query);
    response.json(history.summarize(filter, limit));
  });
  router.delete('/history', (_request, response) => {
    history.clear();
    response.status(204).end();
  });

  router.post('/inbound', async (request, response) => {
    const { messageId, call } = await receiveFromLead(request.body);
    if (call.url === null && !call.isWithheld)
      throw new GatewayError(409, 'webhook_not_set', 'No webhookBaseUrl is set for this instance');
    response.json({ messageId, webhook: call });
  });
  return router;
}

/** The routes of the tables whose rows callers name: special numbers and players. */
function tableRoutes(): Router {
  const router = Router();
  router.get('/special-numbers', (_request, response) => {
    response.json({ specialNumbers: SPECIAL_CASES });
  });
  router.get('/players', (_request, response) => {
    const players = PLAYERS.map(({ name, meaning, playedAs, variants = [] }) => ({
      name,
      meaning,
      playedAs,
      variants,
    }));
    response.json({ players });
  });
  return router;
}

function readInstance(request: Request): string | undefined {
  return instanceQuerySchema.parse(request.query).instance;
}

/** The newest `limit` entries of the instance asked for, oldest first; `total` counts all since the last clearing. */
function listNewest<T extends { instance: string | null }>(history: BoundedHistory<T>, request: Request) {
  const { instance, limit } = listQuerySchema.parse(request.query);
  const entries = history.list().filter((entry) => instance === undefined || entry.instance === instance);
  return { entries: entries.slice(-limit), total: history.added };
}

// Callers who may turn the knobs must not learn the product's keys.
function maskTarget(target: WebhookTarget) {
  const { webhookBaseUrl, webhookUrl, tenantKey, webhookSecret, cloud, googleForm, metaForm } = target;
  return {
    dress: dressOf(target),
    webhookBaseUrl: webhookBaseUrl ?? null,
    webhookUrl: webhookUrl ?? null,
    hasTenantKey: tenantKey !== undefined,
    hasWebhookSecret: webhookSecret !== undefined,
    cloudInstanceId: cloud?.instanceId ?? null,
    googleFormUrl: googleForm?.url ?? null,
    metaFormUrl: metaForm?.url ?? null,
  };
}
