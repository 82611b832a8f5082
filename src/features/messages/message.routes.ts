// REST API of files of messages.

import { Router } from 'express';
import { z } from 'zod';
import { sendCsv } from '../../platform/http/csv-response.js';
import { parseJsonParameters } from '../../platform/input/input.js';
import type { RouteDescription } from '../../platform/http/route-description.js';
import type { MessageExportService } from './export.service.js';
import { messageFilterSchema, type MessageFilterInput } from './message.schema.js';

export function messageExportRoutes(exports: MessageExportService): Router {
  const router = Router();
  router.get('/messages/export.csv', async (req, res) => {
    const { filter } = parseJsonParameters(req.query, ['filter']);
    const wanted = filter as MessageFilterInput | undefined;
    await sendCsv({ req, res }, 'messages.csv', () => exports.export(req.user, wanted));
  });
  return router;
}

export const messageExportDescriptions: RouteDescription[] = [
  {
    method: 'get',
    path: '/messages/export.csv',
    operationId: 'exportMessages',
    tag: 'Files',
    summary: 'Export messages as CSV',
    credentials: [['bearer']],
    parameters: [
      {
        name: 'filter',
        in: 'query',
        description: 'As of the list `allMessages` in GraphQL.',
        schema: messageFilterSchema,
        example: { direction: 'INBOUND', since: '2026-01-01T00:00:00Z' },
        json: true,
      },
    ],
    answers: { 200: { description: 'The file, streamed.', type: 'text/csv', schema: z.string() } },
    problems: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
];
