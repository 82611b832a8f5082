// POST /mcp: the Model Context Protocol for users' assistants (streamable HTTP, without sessions).

import { Router } from 'express';
import { AppError } from '../../platform/errors.js';
import { bodyTooLarge, parseJsonBody } from '../../platform/http/json-body.js';
import { maxMessageBytes } from './assistant.openapi.js';
import type { AssistantService } from './assistant.service.js';

export function assistantRoutes(assistants: AssistantService): Router {
  const router = Router();
  router.post('/mcp', async (req, res) => {
    const admitted = await assistants.admit(req.user);
    const bytes = req.rawBody ?? Buffer.alloc(0);
    if (bytes.length > maxMessageBytes) throw bodyTooLarge(maxMessageBytes);
    const message = parseJsonBody(bytes, req.headers['content-type']);
    // A list would hold several calls but count once against the rate limit.
    if (Array.isArray(message))
      throw new AppError('BAD_REQUEST', 'Send one JSON-RPC message in a call: lists are not taken');
    const { answerMessage } = await import('./assistant-protocol.js');
    const { status, body } = await answerMessage(assistants, admitted, message, req.get('mcp-protocol-version'));
    if (body === '') res.status(status).end();
    else res.status(status).type('application/json').send(body);
  });
  return router;
}
