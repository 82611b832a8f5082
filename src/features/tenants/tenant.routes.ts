// REST of tenants.

import { Router } from 'express';
import { z } from 'zod';
import { sendJson } from '../../platform/http/json-answer.js';
import { wireId, wireTime, type RouteDescription, type Wire } from '../../platform/http/route-description.js';
import { chatRateLimitSchema } from './tenant.schema.js';
import type { TenantService, TenantWithKey } from './tenant.service.js';

export function tenantRoutes(tenants: TenantService): Router {
  const router = Router();
  router.get('/tenants/:id', async (req, res) => {
    sendJson(res, await tenants.getWithKey(req.user, req.params.id));
  });
  return router;
}

const tenantAnswer: z.ZodType<Wire<TenantWithKey>> = z.object({
  id: wireId,
  name: z.string(),
  slug: z.string(),
  createdAt: wireTime,
  updatedAt: wireTime,
  chatRateLimit: chatRateLimitSchema.nullable(),
  webhookSourceLabel: z.string().nullable(),
  defaultCountry: z.string().nullable().describe('ISO 3166-1 alpha-2: whose numbers national writings are.'),
  apiKey: z.string().describe('Sent as `x-tenant-key`. Each showing is audited.'),
});

export const tenantDescriptions: RouteDescription[] = [
  {
    method: 'get',
    path: '/tenants/:id',
    operationId: 'getTenant',
    tag: 'Tenants',
    summary: 'Read a tenant with its API key; ADMIN',
    credentials: [['bearer']],
    parameters: [{ name: 'id', in: 'path', description: "The tenant's id.", schema: wireId }],
    answers: { 200: { description: 'The tenant.', schema: tenantAnswer } },
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  },
];
