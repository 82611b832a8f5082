// Liveness and readiness, outside of the rate limit.

import { Router, type Response } from 'express';
import { z } from 'zod';
import { productVersion } from '../../config/product.js';
import { within } from '../../platform/jobs/deadline.js';
import { sendJson } from '../../platform/http/json-answer.js';
import type { RouteDescription } from '../../platform/http/route-description.js';

export interface ReadinessCheck {
  name: string;
  check: () => Promise<void>;
}

export interface HealthOptions {
  checks: readonly ReadinessCheck[];
  isDraining: () => boolean;
  /** Lists the dependencies that the process does without for the time being. */
  listDegraded: () => readonly string[];
}

// The answer comes in time, also where a database accepts statements and never answers.
const checkTimeoutMs = 2_000;
const retryAfterSeconds = 2;

/**
 * `ready` is 503 while a check fails or the process is draining, and says which. Dependencies that it can do without are named beside `ok`.
 */
export function healthRoutes({ checks, isDraining, listDegraded }: HealthOptions): Router {
  const router = Router();
  const bounded = checks.map(({ name, check }) => ({ name, check: withinTime(check) }));
  router.get('/health/live', (_req, res) => {
    sendJson(res, { status: 'ok', version: productVersion });
  });
  router.get('/health/ready', async (_req, res) => {
    // The answer comes at once, whatever time the checks may take.
    if (isDraining()) {
      sendDown(res, ['draining']);
      return;
    }
    const results = await Promise.allSettled(bounded.map(({ check }) => check()));
    const down = bounded.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name);
    if (down.length > 0) return sendDown(res, down);
    const degraded = listDegraded();
    sendJson(res, { status: 'ok', ...(degraded.length === 0 ? {} : { degraded }) });
  });
  return router;
}

function sendDown(res: Response, down: readonly string[]): void {
  res.set('Retry-After', String(retryAfterSeconds));
  sendJson(res.status(503), { status: 'unavailable', down });
}

/** Bounds the time of a check, which is given up when it takes too long; while one runs no other starts. */
function withinTime(check: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= check().finally(() => (running = undefined));
    return within(checkTimeoutMs, running, () => {
      throw new Error('the check takes too long');
    });
  };
}

const shared = { method: 'get', tag: 'Health', credentials: [], problems: [], unlimited: true } as const;
const ok = z.object({ status: z.literal('ok') });

export const healthDescriptions: RouteDescription[] = [
  {
    ...shared,
    path: '/health/live',
    operationId: 'isLive',
    summary: 'Whether the process is alive',
    answers: {
      200: { description: 'It is; `version` is that of the product.', schema: ok.extend({ version: z.string() }) },
    },
  },
  {
    ...shared,
    path: '/health/ready',
    operationId: 'isReady',
    summary: 'Whether the process can serve; answered within 2 s',
    answers: {
      200: {
        description: 'It can. `degraded` names what it does without.',
        schema: ok.extend({ degraded: z.array(z.string()).optional() }),
      },
      503: {
        description: 'It cannot. `down` says why, `Retry-After` when to ask again.',
        schema: z.object({ status: z.literal('unavailable'), down: z.array(z.string()) }),
      },
    },
  },
];
