// REST door of chat instances.

import { Router } from 'express';
import { z } from 'zod';
import { parseInput, uuid } from '../../platform/input.js';
import type { ChatInstanceService } from './chat-instance.service.js';

const querySchema = z.object({ accountId: uuid.optional() });

export function chatInstanceRoutes(chatInstances: ChatInstanceService): Router {
  const router = Router();
  router.get('/chat/instances', async (req, res) => {
    const { accountId } = parseInput(querySchema, req.query);
    res.json(await chatInstances.list(req.user, accountId));
  });
  return router;
}
