// REST of lead files: import and export.

import { Router, type Request } from 'express';
import { sendCsv } from '../../../platform/http/csv-response.js';
import { AppError, tokenRequired } from '../../../platform/errors.js';
import { parseJsonParameters, withoutEmpty } from '../../../platform/input/input.js';
import { sendJson } from '../../../platform/http/json-answer.js';
import type { LeadFilterInput, LeadOrderInput } from '../lead.schema.js';
import type { LeadExportService } from './lead-export.service.js';
import type { LeadImportService } from './lead-import.service.js';

const csvType = /^(?:text|application)\/csv\s*(?:;\s*charset="?utf-?8"?\s*)?$/i;

export function leadFileRoutes(imports: LeadImportService, exports: LeadExportService): Router {
  const router = Router();
  router.post('/leads/import', async (req, res) => {
    try {
      sendJson(res, await imports.start(req.user, csvOf(req), givenParameters(req)));
    } finally {
      // A client that is refused half-way has to finish its upload before it reads the answer.
      req.resume();
    }
  });
  router.post('/leads/import/columns', async (req, res) => {
    try {
      sendJson(res, await imports.readHead(req.user, csvOf(req), givenParameters(req)));
    } finally {
      // Drains the rest of the file, because only the head was read.
      req.resume();
    }
  });
  router.get('/leads/import/:id/refused', async (req, res) => {
    parseJsonParameters(req.query, []);
    await sendCsv({ req, res }, 'refused-rows.csv', () => imports.exportRefused(req.user, req.params.id));
  });
  router.get('/leads/export.csv', async (req, res) => {
    const { filter, orderBy } = parseJsonParameters(req.query, ['filter', 'orderBy']);
    const list = [filter as LeadFilterInput | undefined, orderBy as LeadOrderInput | undefined] as const;
    await sendCsv({ req, res }, 'leads.csv', () => exports.export(req.user, ...list));
  });
  return router;
}

// An empty `dryRun` is left to the schema, which refuses it: who wrote it may not expect that the file is imported.
function givenParameters({ query }: Request): Record<string, unknown> {
  return withoutEmpty(query, ['fileName', 'country', 'update', 'columns']);
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
