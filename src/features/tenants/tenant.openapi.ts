// What the REST door of tenants says of itself.

import { z } from 'zod';
import { wireId, wireTime } from '../../platform/route-description.js';
import type { RouteDescription, Wire } from '../../platform/route-description.js';
import { chatRateLimitSchema } from './tenant.schema.js';
import type { TenantWithKey } from './tenant.service.js';

const tenantAnswer: z.ZodType<Wire<TenantWithKey>> = z.object({
  id: wireId,
  name: z.string(),
  slug: z.string(),
  createdAt: wireTime,
  updatedAt: wireTime,
  chatRateLimit: chatRateLimitSchema.nullable(),
  webhookSourceLabel: z.string().nullable(),
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
