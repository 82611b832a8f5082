// REST door of files of messages.

import { Router } from 'express';
import { sendCsv } from '../../platform/csv-response.js';
import { parseJsonParameters } from '../../platform/input.js';
import type { MessageExportService } from './export.service.js';
import type { MessageFilterInput } from './message-list.schema.js';

export function messageExportRoutes(exports: MessageExportService): Router {
  const router = Router();
  router.get('/messages/export.csv', async (req, res) => {
    const { filter } = parseJsonParameters(req.query, ['filter']);
    const wanted = filter as MessageFilterInput | undefined;
    await sendCsv({ req, res }, 'messages.csv', () => exports.export(req.user, wanted));
  });
  return router;
}
