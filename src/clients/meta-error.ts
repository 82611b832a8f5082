// The errors of Meta's Cloud API: which pass by themselves, which take the whole line out, and which no repetition changes,
// with a sentence on what to do about each.

import { z } from 'zod';
import type { LineResult, SendResult } from './chat-gateway.js';
import type { GatewayAnswer } from './gateway-http.js';
import {
  isNotDone,
  lineRefusedByStatus,
  reasonByStatus,
  refusedForGood,
  sendRefusedByStatus,
  temporary,
  withAdvice,
  wordsOfGateway,
} from './gateway-refusal.js';
import type { StatedReason } from './gateway-refusal.js';

const errorSchema = z.object({
  error: z.object({
    code: z.number().int(),
    message: z.string().catch(''),
    error_data: z.object({ details: z.string() }).optional().catch(undefined),
  }),
});

/** The whole line came too fast. */
const lineIsBusy: ReadonlySet<string> = new Set(['4', '80007', '130429', '131048']);

/** How long to wait at the least, in seconds; 0 where the usual waits do. */
const passing: ReadonlyMap<string, number> = new Map([
  ['1', 0],
  ['2', 0],
  ['4', 0],
  ['80007', 0],
  ['130429', 0],
  // One pair may exchange one message in 6 seconds.
  ['131056', 6],
  ['131057', 0],
  // Too many messages of the number were blocked or reported: sending on makes it worse.
  ['131048', 3_600],
]);

const lineIsOut: ReadonlyMap<string, string> = new Map([
  ['190', "Enter a new access token as the chat instance's token."],
  ['368', "Read in Meta's business support which policy the account has broken, and ask for a review."],
  ['131031', "Read in Meta's business support why the account is locked, and ask for a review."],
  ['131042', "Put the account's means of payment in order in Meta's billing hub."],
]);

const lasting: ReadonlyMap<string, string> = new Map([
  ['131026', "Check the lead's number; the lead may have to update the app or accept the network's terms."],
  ['131047', 'The lead last wrote more than 24 hours ago: send an approved template.'],
  ['131049', 'The network held the message back to spare the lead: wait a day or more before sending anew.'],
  ['132000', 'Give the template as many values as it has variables.'],
  ['132001', 'Choose a template that is approved in this language.'],
  ['132012', 'Give each value of the template the format that its variable has.'],
]);

/** What a refused send means: by the code, and where that is unknown by the HTTP status. */
export function readSendRefusal(answer: GatewayAnswer): SendResult {
  const reason = readReason(answer);
  if (reason === undefined) return sendRefusedByStatus(answer, reasonByStatus(answer));
  const { code, message } = reason;
  const leastSeconds = passing.get(code);
  if (leastSeconds !== undefined) {
    const retryAfterSeconds = Math.max(leastSeconds, answer.retryAfterSeconds ?? 0);
    const refusal = temporary({ ...answer, retryAfterSeconds: retryAfterSeconds || undefined }, reason);
    return lineIsBusy.has(code) ? { ...refusal, isLineBusy: true } : refusal;
  }
  const lineAdvice = lineIsOut.get(code);
  const { retryAfterSeconds } = answer;
  if (lineAdvice !== undefined)
    return { outcome: 'paused', code, detail: withAdvice(message, lineAdvice), retryAfterSeconds };
  const advice = lasting.get(code);
  if (advice !== undefined) return { outcome: 'permanent', code, detail: withAdvice(message, advice) };
  // An error of the network's own says that nothing was sent, whatever status it comes with.
  return answer.status >= 500 ? temporary(answer, reason) : sendRefusedByStatus(answer, reason);
}

/** What a refused look at the line means: an error where the line is out. */
export function readLineRefusal(answer: GatewayAnswer): LineResult {
  const reason = readReason(answer);
  if (reason === undefined) return lineRefusedByStatus(answer, reasonByStatus(answer));
  const { code, message } = reason;
  const advice = lineIsOut.get(code);
  if (advice !== undefined)
    return { outcome: 'answered', status: 'ERROR', lastError: `${code}: ${withAdvice(message, advice)}` };
  const passes = passing.has(code) || isNotDone(answer) || answer.status >= 500;
  return passes ? temporary(answer, reason) : refusedForGood(answer, reason);
}

/** The network's own error; undefined where the answer holds none, as one of a proxy. */
function readReason(answer: GatewayAnswer): StatedReason | undefined {
  const reported = errorSchema.safeParse(answer.json).data?.error;
  if (reported === undefined) return undefined;
  const words = reported.error_data?.details ?? reported.message;
  const message = words === '' ? reasonByStatus(answer).message : wordsOfGateway(answer, words);
  return { code: String(reported.code), message };
}
