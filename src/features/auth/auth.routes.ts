// REST door of sign-in.

import { Router } from 'express';
import { parseJsonBody } from '../../platform/json-body.js';
import type { AuthService } from './auth.service.js';

export function authRoutes(auth: AuthService): Router {
  const router = Router();
  router.post('/auth/token', async (req, res) => {
    const body = parseJsonBody(req.rawBody ?? Buffer.alloc(0), req.headers['content-type']);
    res.json(await auth.exchangeToken(body));
  });
  // Where it does not exist, nothing may tell that it does elsewhere.
  if (!auth.issuesDevTokens) return router;
  router.post('/auth/dev/token', async (req, res) => {
    const body = parseJsonBody(req.rawBody ?? Buffer.alloc(0), req.headers['content-type']);
    res.json(await auth.issueDevToken(body));
  });
  return router;
}
