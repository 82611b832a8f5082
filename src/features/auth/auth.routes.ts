// REST of sign-in.

import { Router } from 'express';
import { sendJson } from '../../platform/http/json-answer.js';
import { parseJsonBody } from '../../platform/http/json-body.js';
import { keptSeconds } from './auth.openapi.js';
import type { AuthService } from './auth.service.js';

export function authRoutes(auth: AuthService): Router {
  const router = Router();
  router.get('/auth/config', async (_req, res) => {
    const config = await auth.getSignInConfig();
    sendJson(res.set('Cache-Control', `public, max-age=${keptSeconds}`).vary('Origin'), config);
  });
  router.post('/auth/token', async (req, res) => {
    const body = parseJsonBody(req.rawBody ?? Buffer.alloc(0), req.headers['content-type']);
    sendJson(res, await auth.exchangeToken(body));
  });
  if (auth.takesSignInLinks)
    router.post('/auth/link', async (req, res) => {
      const body = parseJsonBody(req.rawBody ?? Buffer.alloc(0), req.headers['content-type']);
      sendJson(res, await auth.signInByLink(body));
    });
  // A missing endpoint must not reveal that it exists elsewhere.
  if (!auth.issuesDevTokens) return router;
  router.post('/auth/dev/token', async (req, res) => {
    const body = parseJsonBody(req.rawBody ?? Buffer.alloc(0), req.headers['content-type']);
    sendJson(res, await auth.issueDevToken(body));
  });
  return router;
}
