// REST endpoint of chat instances.

import { Router } from 'express';
import { z } from 'zod';
import { isLeftOut, uuid } from '../../platform/input/input.js';
import { sendJson } from '../../platform/http/json-answer.js';
import { ChatInstanceStatus } from '../../platform/prisma/enums.js';
import { wireId, wireTime, type RouteDescription, type Wire } from '../../platform/http/route-description.js';
import type { ChatInstanceService, PublicChatInstance } from './chat-instance.service.js';

export function chatInstanceRoutes(chatInstances: ChatInstanceService): Router {
  const router = Router();
  router.get('/chat/instances', async (req, res) => {
    const { accountId } = req.query;
    const instances = await chatInstances.list(req.user, isLeftOut(accountId) ? undefined : accountId);
    sendJson(res, instances.map(toAnswer));
  });
  return router;
}

type Answer = Omit<PublicChatInstance, 'number' | 'healthCode' | 'healthReason' | 'degradedAt'>;

// The endpoint shows the fields of its interface, and no others. GraphQL has the number and the health of instances. In the interface
// metadata are an object, where other fields may be null.
function toAnswer(instance: PublicChatInstance): Answer {
  const { number: _number, healthCode: _code, healthReason: _reason, degradedAt: _since, ...answer } = instance;
  return { ...answer, metadata: answer.metadata ?? {} };
}

const times = { createdAt: wireTime, updatedAt: wireTime };

const instanceAnswer: z.ZodType<Wire<Omit<Answer, 'metadata'>>> = z.object({
  id: wireId,
  provider: z.string(),
  instanceName: z.string(),
  isDefault: z.boolean(),
  status: z.enum(ChatInstanceStatus),
  ...times,
  deletedAt: wireTime.nullable(),
  lastError: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).describe('Empty where nothing was given.'),
  tenant: z.object({ id: wireId, name: z.string(), slug: z.string(), ...times }),
  account: z.object({ id: wireId, name: z.string(), ...times }),
});

export const chatInstanceDescriptions: RouteDescription[] = [
  {
    method: 'get',
    path: '/chat/instances',
    operationId: 'listChatInstances',
    tag: 'Chat instances',
    summary: "List the tenant's chat instances, oldest first",
    credentials: [['bearer']],
    parameters: [{ name: 'accountId', in: 'query', description: 'Only those of this account.', schema: uuid }],
    answers: { 200: { description: 'The instances.', schema: z.array(instanceAnswer) } },
    problems: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
];
