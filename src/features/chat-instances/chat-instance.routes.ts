// REST door of chat instances.

import { Router } from 'express';
import type { ChatInstanceService } from './chat-instance.service.js';

export function chatInstanceRoutes(chatInstances: ChatInstanceService): Router {
  const router = Router();
  router.get('/chat/instances', async (req, res) => {
    res.json(await chatInstances.list(req.user, req.query['accountId']));
  });
  return router;
}
