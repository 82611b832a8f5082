// Liveness and readiness, outside of the rate limit.

import { Router } from 'express';

export interface ReadinessCheck {
  name: string;
  check: () => Promise<void>;
}

/** `ready` is 503 while a check fails or the process is draining, and says which. */
export function healthRoutes(checks: readonly ReadinessCheck[], isDraining: () => boolean): Router {
  const router = Router();
  router.get('/health/live', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/health/ready', async (_req, res) => {
    const results = await Promise.allSettled(checks.map(({ check }) => check()));
    const down = checks.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name);
    if (isDraining()) down.push('draining');
    res
      .status(down.length === 0 ? 200 : 503)
      .json(down.length === 0 ? { status: 'ok' } : { status: 'unavailable', down });
  });
  return router;
}
