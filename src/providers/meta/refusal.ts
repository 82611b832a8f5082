// Reads what Meta's Cloud API refused: the result of a send, of an upload, of a look at the instance, and of a list of templates. The
// codes, their meanings and what to do about each stand in error.ts.

import { z } from 'zod';
import {
  permanent,
  type FileUpload,
  type InstanceResult,
  type SendResult,
  type TemplateListResult,
} from '../chat-gateway.js';
import {
  isNotDone,
  instanceRefusedByStatus,
  reasonByStatus,
  refusedForGood,
  sendRefusedByStatus,
  temporary,
  withAdvice,
  wordsOfGateway,
  type StatedReason,
} from '../answer.js';
import type { GatewayAnswer } from '../http.js';
import { metaErrors } from './error.js';

const errorSchema = z.object({
  error: z.object({
    code: z.number().int(),
    message: z.string().catch(''),
    error_data: z.object({ details: z.string() }).optional().catch(undefined),
  }),
});

/** Reads the result of a refused send: by Meta's code, and where that is unknown by the HTTP status. */
export function readSendRefusal(answer: GatewayAnswer): SendResult {
  const reason = readReason(answer);
  if (reason === undefined) return sendRefusedByStatus(answer, reasonByStatus(answer));
  const { code, message } = reason;
  const known = metaErrors.get(code);
  if (known?.kind === 'temporary' || known?.kind === 'busy') {
    const retryAfterSeconds = Math.max(known.leastSeconds ?? 0, answer.retryAfterSeconds ?? 0);
    const refusal = temporary({ ...answer, retryAfterSeconds: retryAfterSeconds || undefined }, reason);
    return known.kind === 'busy' ? { ...refusal, isInstanceBusy: true } : refusal;
  }
  if (known !== undefined) {
    const detail = withAdvice(message, known.advice);
    if (known.kind === 'permanent') return permanent(code, detail);
    return { outcome: 'paused', code, detail, retryAfterSeconds: answer.retryAfterSeconds };
  }
  // An error of the network's own says that nothing was sent, whatever status it comes with.
  return answer.status >= 500 ? temporary(answer, reason) : sendRefusedByStatus(answer, reason);
}

/** Reads the result of a refused upload. Nothing was sent in any case. */
export function readUploadRefusal(answer: GatewayAnswer): Exclude<FileUpload, { outcome: 'uploaded' }> {
  const refusal = readSendRefusal(answer);
  if (refusal.outcome !== 'unknown' && refusal.outcome !== 'accepted') return refusal;
  return temporary(answer, readReason(answer) ?? reasonByStatus(answer));
}

/** Reads the result of a refused read of the state: ERROR where the number cannot be used. */
export function readInstanceRefusal(answer: GatewayAnswer): InstanceResult {
  const reason = readReason(answer);
  if (reason === undefined) return instanceRefusedByStatus(answer, reasonByStatus(answer));
  const { code, message } = reason;
  const known = metaErrors.get(code);
  if (known?.kind === 'out')
    return { outcome: 'answered', status: 'ERROR', lastError: `${code}: ${withAdvice(message, known.advice)}` };
  return passes(answer, code) ? temporary(answer, reason) : refusedForGood(answer, reason);
}

export function readTemplatesRefusal(answer: GatewayAnswer): Exclude<TemplateListResult, { outcome: 'answered' }> {
  const reason = readReason(answer) ?? reasonByStatus(answer);
  const known = metaErrors.get(reason.code);
  if (known?.kind === 'out') return permanent(reason.code, withAdvice(reason.message, known.advice));
  return passes(answer, reason.code) ? temporary(answer, reason) : refusedForGood(answer, reason);
}

export function passes(answer: GatewayAnswer, code: string): boolean {
  const kind = metaErrors.get(code)?.kind;
  return kind === 'temporary' || kind === 'busy' || isNotDone(answer) || answer.status >= 500;
}

/** The network's own error; undefined where the answer holds none, as the answer of a proxy. */
export function readReason(answer: GatewayAnswer): StatedReason | undefined {
  const reported = errorSchema.safeParse(answer.json).data?.error;
  if (reported === undefined) return undefined;
  const words = reported.error_data?.details ?? reported.message;
  const message = words === '' ? reasonByStatus(answer).message : wordsOfGateway(answer, words);
  return { code: String(reported.code), message };
}
