// REST of files: the upload of a file.

import { Router, type Request } from 'express';
import { tokenRequired } from '../../platform/errors.js';
import { parseInput, withoutEmpty } from '../../platform/input/input.js';
import { sendJson } from '../../platform/http/json-answer.js';
import { uploadQuerySchema } from './media.openapi.js';
import { openUpload, type UploadTimes } from './upload-body.js';
import type { UploadService } from './upload.service.js';

/** A large document over a slow connection comes in this time, at about 175 KB/s. */
const uploadTimes: UploadTimes = { silenceLimitMs: 30_000, timeoutMs: 600_000 };

export function uploadRoutes(uploads: UploadService): Router {
  const router = Router();
  router.post('/media', async (req, res) => {
    try {
      if (req.user === undefined) throw tokenRequired();
      const { fileName } = parseInput(uploadQuerySchema, withoutEmpty(req.query, ['fileName']));
      const open = () => openUpload(req, fileName, uploadTimes);
      sendJson(res.status(201), await uploads.receive(req.user, lengthOf(req), open));
    } finally {
      // A refused sender has to finish the body before it reads the answer. The transport ends senders that do not.
      req.resume();
    }
  });
  return router;
}

function lengthOf({ headers }: Request): number | undefined {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : undefined;
}
