// Interprets a gateway's answer by its HTTP status, with a sentence on what to do, where its protocol says nothing more. Codes of a
// protocol are left to its driver.

import {
  permanent,
  type InstanceResult,
  type PermanentRefusal,
  type SendResult,
  type TemporaryRefusal,
} from './chat-gateway.js';
import type { GatewayAnswer, GatewayCallResult } from './http.js';

/** The gateway's reason, already quoted. */
export interface StatedReason {
  code: string;
  message: string;
}

type NoAnswer = Exclude<GatewayCallResult, GatewayAnswer>;

const maxReasonLength = 1_000;
const answerInvalid = 'GATEWAY_ANSWER_INVALID';

// These statuses refuse a call before anything was done: too slow, too early, too often, not now.
const notDoneStatuses = new Set([408, 425, 429, 503]);

const advices: ReadonlyMap<number, string> = new Map([
  [401, "Check the chat instance's token."],
  [403, "Check what the chat instance's token permits."],
  [404, "Check the chat instance's baseUrl and instanceName."],
  [405, "Check the chat instance's provider and baseUrl."],
  [413, 'Send a smaller message.'],
]);
const generalAdvice = 'Correct what the gateway objects to, then try again.';
const redirectAdvice = "Enter the address that it redirects to as the chat instance's baseUrl.";

export function isSuccess({ status }: GatewayAnswer): boolean {
  return status >= 200 && status < 300;
}

/** True if the gateway says by its status alone that it did nothing and may do it later. */
export function isNotDone({ status }: GatewayAnswer): boolean {
  return notDoneStatuses.has(status);
}

/** The reason of an answer that states none. */
export function reasonByStatus({ status, gateway }: GatewayAnswer): StatedReason {
  return { code: `HTTP_${status}`, message: `${gateway} answered ${status}` };
}

/** The gateway's words in a sentence that says whose they are, as long as a message's error may be. */
export function wordsOfGateway({ gateway, quote }: GatewayAnswer, words: string): string {
  const start = `${gateway} says: `;
  return start + quote(words, maxReasonLength - start.length);
}

/** Joins what happened and what to do. */
export function withAdvice(message: string, advice: string): string {
  return `${/[.!?]$/.test(message) ? message : `${message}.`} ${advice}`;
}

/** The advice on a refusal with this status. */
export function adviceFor(status: number): string {
  return status >= 300 && status < 400 ? redirectAdvice : (advices.get(status) ?? generalAdvice);
}

export function temporary({ retryAfterSeconds }: GatewayAnswer, { code, message }: StatedReason): TemporaryRefusal {
  return { outcome: 'temporary', code, detail: message, retryAfterSeconds };
}

/** The result of a send that is retried. 429 is about the instance's pace, not about this message. */
export function sendLater(answer: GatewayAnswer, reason: StatedReason): TemporaryRefusal {
  return answer.status === 429 ? { ...temporary(answer, reason), isInstanceBusy: true } : temporary(answer, reason);
}

export function refusedForGood({ status }: GatewayAnswer, { code, message }: StatedReason): PermanentRefusal {
  return permanent(code, withAdvice(message, adviceFor(status)));
}

/**
 * The result of a refused send by its status, for gateways that honour no keys. 408, 425, 429 and 503 are temporary, and 401 pauses the
 * instance. Any other 4xx and a redirect are permanent. Any other 5xx may have come after the sending.
 */
export function sendRefusedByStatus(
  answer: GatewayAnswer,
  reason: StatedReason,
): Exclude<SendResult, { outcome: 'accepted' }> {
  if (isNotDone(answer)) return sendLater(answer, reason);
  if (answer.status >= 500) return { outcome: 'unknown', code: reason.code, detail: reason.message };
  const refused = refusedForGood(answer, reason);
  return answer.status === 401 ? { ...refused, outcome: 'paused' } : refused;
}

/** The result of a send that the gateway accepted without naming its id. */
export function acceptedWithoutId({ gateway }: GatewayAnswer, field: string): SendResult {
  return { outcome: 'unknown', code: answerInvalid, detail: `${gateway} accepted without naming a ${field}` };
}

/** The result of a send without an answer. */
export function sendWithoutAnswer(result: NoAnswer): Exclude<SendResult, { outcome: 'accepted' }> {
  if (result.outcome === 'permanent') return result;
  return { ...result, outcome: result.outcome === 'notSent' ? 'temporary' : 'unknown' };
}

/** The result of a lifecycle call without an answer. */
export function instanceWithoutAnswer(result: NoAnswer): InstanceResult {
  return result.outcome === 'permanent' ? result : { ...result, outcome: 'temporary' };
}

/** The result of a refused lifecycle call by its status: it can be repeated after any fault of the gateway. */
export function instanceRefusedByStatus(answer: GatewayAnswer, reason: StatedReason): InstanceResult {
  if (isNotDone(answer) || answer.status >= 500) return temporary(answer, reason);
  return refusedForGood(answer, reason);
}

/** The result of a lifecycle call that succeeded without naming the instance's state. */
export function instanceWithoutState(answer: GatewayAnswer): InstanceResult {
  return temporary(answer, {
    code: answerInvalid,
    message: `${answer.gateway} does not name the state of the instance`,
  });
}
