// Bounds and formats of tenant input.

import { z } from 'zod';
import { text } from '../../platform/input.js';

/** At most `max` sends in any window of `durationMs` (100 ms to one day). */
export const chatRateLimitSchema = z.strictObject({
  max: z.number().int().min(1).max(1_000_000),
  durationMs: z.number().int().min(100).max(86_400_000),
});

export const createTenantSchema = z.strictObject({
  name: text(200),
  slug: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'has to be 1 to 63 lower-case letters, digits and inner hyphens'),
  chatRateLimit: chatRateLimitSchema.nullish(),
  webhookSourceLabel: text(100).nullish(),
});

export type CreateTenantInput = z.input<typeof createTenantSchema>;
