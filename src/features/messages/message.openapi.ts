// What the REST door of files of messages says of itself.

import { z } from 'zod';
import type { RouteDescription } from '../../platform/route-description.js';
import { messageFilterSchema } from './message-list.schema.js';

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
