// OpenAPI description of the Model Context Protocol's endpoint. The protocol itself lists and describes the tools.

import { z } from 'zod';
import { anyObject, type RouteDescription } from '../../platform/http/route-description.js';

/** The largest message that the endpoint takes. The longest reply fills at most a third of it. */
export const maxMessageBytes = 64 * 1024;

const rpcMessage = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    method: z.string().optional(),
    id: z.union([z.string(), z.number()]).optional(),
    params: anyObject.optional(),
  })
  .describe('A JSON-RPC 2.0 message.');

export const assistantDescriptions: RouteDescription[] = [
  {
    method: 'post',
    path: '/mcp',
    operationId: 'callAssistantTools',
    tag: 'Assistants',
    summary: 'Model Context Protocol for assistants of users (streamable HTTP)',
    description:
      'One message in each call; lists of messages are refused. There is no session and no stream: each call is answered with JSON by any process. ' +
      'What a tool refuses is a result with `isError`, whose text has the `code`. 403 while the tenant has assistants OFF.',
    credentials: [['bearer']],
    body: {
      type: 'application/json',
      schema: rpcMessage,
      maxBytes: maxMessageBytes,
      examples: {
        initialize: {
          summary: 'Open',
          value: {
            jsonrpc: '2.0',
            id: 1,
            method: 'initialize',
            params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'example', version: '1' } },
          },
          status: 200,
        },
        tools: { summary: 'List the tools', value: { jsonrpc: '2.0', id: 2, method: 'tools/list' }, status: 200 },
      },
    },
    answers: {
      200: { description: 'The answer.', schema: rpcMessage },
      202: { description: 'A notification was taken: there is no answer.', schema: z.string() },
    },
    problems: ['UNAUTHENTICATED', 'FORBIDDEN'],
  },
];
