// Reads WAHA's answers: message ids, the session's state, and reasons. Each engine writes messages in a shape of its own. gateway.ts
// decides what follows from them.

import { z } from 'zod';
import { externalId } from '../../platform/input/input.js';
import {
  numberNotOnNetwork,
  pairingCode,
  qr,
  type FoundSend,
  type InstanceResult,
  type SendResult,
} from '../chat-gateway.js';
import type { GatewayAnswer } from '../http.js';
import {
  instanceRefusedByStatus,
  instanceWithoutState,
  isNotDone,
  isSuccess,
  reasonByStatus,
  sendRefusedByStatus,
  withAdvice,
  wordsOfGateway,
  type StatedReason,
} from '../answer.js';
import { parseWahaMessageId } from './message-id.js';
import { numberOfJid, ownNumberOf } from '../whatsapp/jid.js';

/** A message as an answer names it. */
export interface SentMessage {
  id: string;
  /** The number of its chat; undefined where the network hides it, or the answer does not say it. */
  chat: string | undefined;
}

const jid = z.string().max(300).nullish().catch(undefined);
// GOWS and WPP write the id as text, WEBJS as an object, and NOWEB gives the network's own key.
const sentSchema = z.union([
  z.object({ id: externalId }).transform(({ id }) => id),
  z.object({ id: z.object({ _serialized: externalId }) }).transform(({ id }) => id._serialized),
  z.object({ key: z.object({ id: externalId, remoteJid: jid }) }).transform(({ key }) => key),
]);
// A reserved id goes into a path and into SQL, so it has to look like an id.
const reservedSchema = z.object({ id: z.string().regex(/^[0-9A-Za-z.-]{8,128}$/) });
const stateSchema = z.object({ status: z.string() });
const meSchema = z.object({ me: z.object({ id: jid }) });
/** WAHA's answer while the session is not WORKING: its state, and the one that is needed. */
const notWorkingSchema = z.object({ status: z.string(), expected: z.array(z.string()) });
const reasonSchema = z.object({
  message: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  error: z
    .union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)])
    .optional()
    .catch(undefined),
  exception: z.object({ message: z.string() }).optional().catch(undefined),
});
const qrSchema = z.object({ value: qr });
const pairingSchema = z.object({ code: pairingCode });
const foundSchema = z.object({ id: externalId, fromMe: z.boolean(), ack: z.number().nullish().catch(undefined) });
const checkedSchema = z.object({ numberExists: z.boolean(), chatId: jid });

const states: ReadonlyMap<string, 'CONNECTED' | 'CONNECTING' | 'DISCONNECTED' | 'ERROR'> = new Map([
  ['STOPPED', 'DISCONNECTED'],
  ['STARTING', 'CONNECTING'],
  ['SCAN_QR_CODE', 'CONNECTING'],
  ['WORKING', 'CONNECTED'],
  ['FAILED', 'ERROR'],
]);
/** `ERROR`: the network refused the message. */
const failedAck = -1;

/** Reads the sent message; undefined where the answer names none. */
export function readSent({ json }: GatewayAnswer): SentMessage | undefined {
  const sent = sentSchema.safeParse(json).data;
  if (sent === undefined) return undefined;
  const { id, chatId } = typeof sent === 'string' ? parseWahaMessageId(sent) : { id: sent.id, chatId: sent.remoteJid };
  return { id, chat: chatId == null ? undefined : numberOfJid(chatId) };
}

export function readReservedId({ json }: GatewayAnswer): string | undefined {
  return reservedSchema.safeParse(json).data?.id;
}

/** The code to scan, as text to draw; undefined where there is none. */
export function readQr({ json }: GatewayAnswer): string | undefined {
  return qrSchema.safeParse(json).data?.value;
}

export function readPairingCode({ json }: GatewayAnswer): string | undefined {
  return pairingSchema.safeParse(json).data?.code;
}

/** Reads the network's writing of a number that was asked for; null where it knows no such number, undefined where it does not say. */
export function readCheckedNumber({ json }: GatewayAnswer): string | null | undefined {
  const checked = checkedSchema.safeParse(json).data;
  if (checked?.numberExists === false) return null;
  return checked?.chatId == null ? undefined : numberOfJid(checked.chatId);
}

/** Reads whether the gateway has a message under this id of ours. A message that the network refused was not sent. */
export function readFound(answer: GatewayAnswer, id: string): FoundSend {
  const found = foundSchema.safeParse(answer.json).data;
  if (found === undefined || parseWahaMessageId(found.id).id !== id || !found.fromMe)
    return { outcome: 'unknown', detail: `${answer.gateway} answered without the message that was asked for` };
  return found.ack === failedAck ? { outcome: 'absent' } : { outcome: 'sent', externalId: id };
}

/** WAHA's name of the session's state; undefined where the answer holds none. */
export function statusOf({ json }: GatewayAnswer): string | undefined {
  return stateSchema.safeParse(json).data?.status;
}

/** The instance's state. */
export function readState(answer: GatewayAnswer): InstanceResult {
  const name = statusOf(answer) ?? '';
  const status = states.get(name) ?? (name.startsWith('PASSKEY_') ? 'CONNECTING' : undefined);
  if (status === undefined) return instanceWithoutState(answer);
  const lastError = 'The session has failed. Connect it again';
  const number = status === 'CONNECTED' ? ownNumberOf([meSchema.safeParse(answer.json).data?.me.id]) : undefined;
  return { outcome: 'answered', status, number, ...(status === 'ERROR' ? { lastError } : {}) };
}

/** Reads the result of a refused send, look-up or reservation. */
export function readSendRefusal(answer: GatewayAnswer): Exclude<SendResult, { outcome: 'accepted' }> {
  const reason = readReason(answer);
  if (isSessionOut(answer)) {
    const detail = withAdvice(reason.message, 'Connect the chat instance, which starts its session.');
    return { outcome: 'paused', code: 'SESSION_NOT_WORKING', detail, retryAfterSeconds: answer.retryAfterSeconds };
  }
  if (isNumberUnknown(answer)) return numberNotOnNetwork;
  return sendRefusedByStatus(answer, reason);
}

/** Engines that ask the network for the recipient first say that it knows none. Nothing was sent then. */
export function isNumberUnknown(answer: GatewayAnswer): boolean {
  return /no lid found|no lid for user|lid is missing/i.test(wordsOf(answer));
}

/** The session is stopped, waits for its code, or is not there. Nothing was sent then. */
export function isSessionOut(answer: GatewayAnswer): boolean {
  if (isNotDone(answer) || isSuccess(answer)) return false;
  if (/connection closed|websocket not connected/i.test(wordsOf(answer))) return true;
  return isSessionMissing(answer) || (answer.status === 422 && notWorkingSchema.safeParse(answer.json).success);
}

/** WAHA has no session of this name, or it is stopped. A message that is not there is another 404. */
export function isSessionMissing(answer: GatewayAnswer): boolean {
  const words = wordsOf(answer);
  // A path that WAHA does not know may hold the word as its instance's name.
  return answer.status === 404 && /\bsession\b/i.test(words) && !/^cannot [a-z]+ \//i.test(words);
}

/** This engine has no such call. */
export function isNotImplemented(answer: GatewayAnswer): boolean {
  return answer.status === 501 || (answer.status === 422 && /not implemented by the engine/i.test(wordsOf(answer)));
}

/** Reads the result of a refused lifecycle call. */
export function instanceRefused(answer: GatewayAnswer): InstanceResult {
  return instanceRefusedByStatus(answer, readReason(answer));
}

/** Reads the stated reason. WAHA has no codes but those of HTTP. */
export function readReason(answer: GatewayAnswer): StatedReason {
  const byStatus = reasonByStatus(answer);
  const words = wordsOf(answer);
  return words === '' ? byStatus : { ...byStatus, message: wordsOfGateway(answer, words) };
}

function wordsOf({ json }: GatewayAnswer): string {
  const { message, error, exception } = reasonSchema.safeParse(json).data ?? {};
  const stated = exception?.message ?? message ?? error;
  return stated === undefined ? '' : [stated].flat().join('; ');
}
