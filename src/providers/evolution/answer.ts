// Reads Evolution API's answers: ids, the instance's state, codes to scan, and reasons. A reason is a text, a list of texts or a list of
// objects. gateway.ts decides what follows from them.

import { z } from 'zod';
import { externalId } from '../../platform/input/input.js';
import { numberNotOnNetwork, pairingCode, qr, type InstanceResult, type SendResult } from '../chat-gateway.js';
import type { GatewayAnswer } from '../http.js';
import {
  isNotDone,
  instanceWithoutState,
  reasonByStatus,
  sendRefusedByStatus,
  temporary,
  withAdvice,
  wordsOfGateway,
  type StatedReason,
} from '../answer.js';

const jid = z.string().max(300).nullish().catch(undefined);

/** A message's identity at Evolution. */
export const messageKey = z.object({ id: externalId, remoteJid: jid, remoteJidAlt: jid });

const sentSchema = z.object({ key: messageKey });
const refusedSchema = z.object({ response: z.object({ message: z.unknown() }) });
/** `connect` reports its failures in this form, with status 200. */
const failedSchema = z.object({ error: z.literal(true), message: z.unknown() });
const missingNumberSchema = z.array(z.object({ exists: z.literal(false) })).min(1);
const stateSchema = z.object({ instance: z.object({ state: z.string() }) });
const codesSchema = z.object({
  base64: qr.nullish().catch(undefined),
  code: qr.nullish().catch(undefined),
  pairingCode: pairingCode.nullish().catch(undefined),
});

const states: ReadonlyMap<string, 'CONNECTED' | 'CONNECTING' | 'DISCONNECTED' | 'ERROR'> = new Map([
  ['open', 'CONNECTED'],
  ['connecting', 'CONNECTING'],
  ['close', 'DISCONNECTED'],
  ['refused', 'ERROR'],
]);

/** The id and the conversation of what was sent; undefined where the answer names none. */
export function readSent({ json }: GatewayAnswer): { id: string; jids: string[] } | undefined {
  const sent = sentSchema.safeParse(json);
  return sent.success ? { id: sent.data.key.id, jids: jidsOf(sent.data.key) } : undefined;
}

/** Every name of the conversation that a key gives. */
export function jidsOf({ remoteJid, remoteJidAlt }: z.output<typeof messageKey>): string[] {
  return [remoteJid, remoteJidAlt].filter((name) => name != null);
}

/** Reads the result of a refused send. */
export function readSendRefusal(answer: GatewayAnswer): SendResult {
  const reason = readReason(answer);
  if (isUnknownNumber(answer)) return numberNotOnNetwork;
  if (isConnectionClosed(answer)) {
    const detail = `${answer.gateway} has lost its connection to the network (Connection Closed). Connect the chat instance again.`;
    return { outcome: 'paused', code: 'CONNECTION_CLOSED', detail, retryAfterSeconds: answer.retryAfterSeconds };
  }
  if (answer.status === 404) {
    const detail = withAdvice(reason.message, 'Connect the chat instance, which creates it at the gateway.');
    return { outcome: 'paused', code: reason.code, detail };
  }
  // The network may have taken the message before the time was over.
  if (/timed? ?out/i.test(wordsOf(answer))) return { outcome: 'unknown', code: reason.code, detail: reason.message };
  return sendRefusedByStatus(answer, reason);
}

/** The instance's state. */
export function readState(answer: GatewayAnswer): InstanceResult {
  const status = states.get(stateSchema.safeParse(answer.json).data?.instance.state ?? '');
  if (status === undefined) return instanceWithoutState(answer);
  const lastError = 'The network refused the connection';
  return { outcome: 'answered', status, ...(status === 'ERROR' ? { lastError } : {}) };
}

/** Reads the answer to `connect`: the state of an instance that is connected, and otherwise the current codes. */
export function readConnecting(answer: GatewayAnswer): InstanceResult {
  const { json } = answer;
  if (failedSchema.safeParse(json).success) return temporary(answer, { ...readReason(answer), code: 'CONNECT_FAILED' });
  if (stateSchema.safeParse(json).success) return readState(answer);
  const codes = codesSchema.safeParse(json);
  if (!codes.success) return instanceWithoutState(answer);
  const { base64, code, pairingCode: typed } = codes.data;
  const scanned = base64 ?? code;
  return {
    outcome: 'answered',
    status: 'CONNECTING',
    ...(scanned == null ? {} : { qr: scanned }),
    ...(typed == null ? {} : { pairingCode: typed }),
  };
}

/** Reads the stated reason. Evolution has no codes but those of HTTP. */
export function readReason(answer: GatewayAnswer): StatedReason {
  const byStatus = reasonByStatus(answer);
  const words = wordsOf(answer);
  return words === '' ? byStatus : { ...byStatus, message: wordsOfGateway(answer, words) };
}

/** The instance is disconnected. Evolution says so with 400 and with 500. */
export function isConnectionClosed(answer: GatewayAnswer): boolean {
  return !isNotDone(answer) && /connection closed/i.test(wordsOf(answer));
}

/** `create` was called for a name that exists already. */
export function isNameTaken(answer: GatewayAnswer): boolean {
  return /already in use/i.test(wordsOf(answer));
}

/** `logout` was called for an instance that is disconnected. */
export function isNotConnected(answer: GatewayAnswer): boolean {
  return answer.status === 400 && /not connected/i.test(wordsOf(answer));
}

function isUnknownNumber({ json }: GatewayAnswer): boolean {
  return missingNumberSchema.safeParse(refusedSchema.safeParse(json).data?.response.message).success;
}

function wordsOf({ json }: GatewayAnswer): string {
  const stated = refusedSchema.safeParse(json).data?.response.message ?? failedSchema.safeParse(json).data?.message;
  const listed = Array.isArray(stated) ? stated.flat(2) : [stated];
  return listed.filter((part) => typeof part === 'string').join('; ');
}
