// REST door of files of leads: import and export.

import { Router } from 'express';
import type { Request } from 'express';
import { sendCsv } from '../../../platform/csv-response.js';
import { AppError, tokenRequired } from '../../../platform/errors.js';
import { parseJsonParameters } from '../../../platform/input.js';
import type { LeadExportService } from './lead-export.service.js';
import type { LeadImportService } from './lead-import.service.js';
import type { LeadFilterInput, LeadOrderInput } from '../lead-list.schema.js';

const csvType = /^(?:text|application)\/csv\s*(?:;\s*charset="?utf-?8"?\s*)?$/i;

export function leadFileRoutes(imports: LeadImportService, exports: LeadExportService): Router {
  const router = Router();
  router.post('/leads/import', async (req, res) => {
    try {
      res.json(await imports.start(req.user, csvOf(req), req.query));
    } finally {
      // Who is refused half-way has to finish before the answer is read.
      req.resume();
    }
  });
  router.get('/leads/export.csv', async (req, res) => {
    const { filter, orderBy } = parseJsonParameters(req.query, ['filter', 'orderBy']);
    const list = [filter as LeadFilterInput | undefined, orderBy as LeadOrderInput | undefined] as const;
    await sendCsv({ req, res }, 'leads.csv', () => exports.export(req.user, ...list));
  });
  return router;
}

/** The request itself: its body has not been read. */
function csvOf(req: Request): Request {
  if (req.user === undefined) throw tokenRequired();
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (!csvType.test(req.headers['content-type'] ?? '') || encoding !== 'identity')
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the file as Content-Type: text/csv, in UTF-8 and not compressed',
    );
  return req;
}
