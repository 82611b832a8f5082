// REST API for lead sources. The path names the source. transport/http has proved that the call comes from it, if the source has a proof.

import { Router, type Request, type Response } from 'express';
import { AppError } from '../../platform/errors.js';
import type { LeadSourcePrincipal } from '../../platform/principal.js';
import { sendJson } from '../../platform/http/json-answer.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { readDryRunParameter } from '../intake/dry-run-parameter.js';
import type { SourceItemResult } from './calls/source-lead-intake.js';
import type { SourceAnswer, SourceCall, SourceCallService } from './calls/source-call.service.js';

const paths = {
  meta: '/webhooks/leads/meta/:sourceId',
  google: '/webhooks/leads/google/:sourceId',
  form: '/webhooks/leads/form/:sourceId',
} as const;

/** The answer to an unsigned form. It does not tell whether a person is known. */
interface UnsignedAnswer {
  accepted: number;
  /** The outcome of each submission; only for several submissions. */
  results?: ({ outcome: 'accepted' } | Extract<SourceItemResult, { outcome: 'refused' }>)[];
}

/** @param dryRuns judges calls with `dryRun=true`, and keeps nothing */
export function leadSourceRoutes(calls: SourceCallService, dryRuns: SourceCallService): Router {
  const router = Router();
  const receive = (req: Request, res: Response): Promise<SourceAnswer> => {
    const source = sourceOf(req);
    const caller = { key: source.sourceId, setHeaders: (headers: Record<string, string>) => res.set(headers) };
    const dryRun = readDryRunParameter(req.query);
    return (dryRun === undefined ? calls : dryRuns).receive(toCall(req), source, caller, dryRun?.check);
  };
  router.get(paths.meta, async (req, res) => {
    res.type('text/plain').send(await calls.answerHandshake(req.query, req.params.sourceId));
  });
  router.post(paths.meta, async (req, res) => {
    sendJson(res, await receive(req, res));
  });
  router.post(paths.google, async (req, res) => {
    const answer = await receive(req, res);
    sendJson(res, readDryRunParameter(req.query) === undefined ? {} : answer);
  });
  router.post(paths.form, async (req, res) => {
    const answer = await receive(req, res);
    sendJson(res, sourceOf(req).isSigned ? answer : toUnsigned(answer));
  });
  return router;
}

function toUnsigned({ accepted, results }: SourceAnswer): UnsignedAnswer {
  if (results.length === 1) return { accepted };
  return { accepted, results: results.map((result) => ('errors' in result ? result : { outcome: 'accepted' })) };
}

function sourceOf({ leadSource }: Request): LeadSourcePrincipal {
  if (leadSource === undefined) throw new AppError('UNAUTHENTICATED', 'A call of a lead source is required');
  return leadSource;
}

function toCall(req: Request): SourceCall {
  return {
    id: newRecordId(),
    contentType: req.headers['content-type'],
    userAgent: req.headers['user-agent'],
    signature: req.get('x-hub-signature-256'),
    body: req.rawBody ?? Buffer.alloc(0),
    receivedAt: new Date(),
  };
}
