// Liveness and readiness, outside of the rate limit.

import { Router } from 'express';

export interface ReadinessCheck {
  name: string;
  check: () => Promise<void>;
}

export interface HealthOptions {
  checks: readonly ReadinessCheck[];
  isDraining: () => boolean;
  /** What the process does without for the time being. */
  listDegraded: () => readonly string[];
}

/** `ready` is 503 while a check fails or the process is draining, and says which. What it can do without is named beside `ok`. */
export function healthRoutes({ checks, isDraining, listDegraded }: HealthOptions): Router {
  const router = Router();
  router.get('/health/live', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/health/ready', async (_req, res) => {
    const results = await Promise.allSettled(checks.map(({ check }) => check()));
    const down = checks.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name);
    if (isDraining()) down.push('draining');
    const degraded = listDegraded();
    const ready = { status: 'ok', ...(degraded.length === 0 ? {} : { degraded }) };
    res.status(down.length === 0 ? 200 : 503).json(down.length === 0 ? ready : { status: 'unavailable', down });
  });
  return router;
}
