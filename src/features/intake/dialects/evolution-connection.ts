// `connection.update` and `qrcode.updated`: the state of the line. The QR code is a way to take the line over, so it is
// part of no result.

import { isPlainObject } from '../../../platform/input.js';
import type { ReadReport, ReportedConnection } from './dialect.js';
import { readLabel, readNumber } from './evolution-value.js';

/** Reasons by the network's numbers. */
const reasons: ReadonlyMap<number, string> = new Map([
  [401, 'logged out'],
  [402, 'banned for a time'],
  [403, 'forbidden by the network'],
  [406, 'not accepted by the network'],
  [408, 'timed out'],
  [411, 'the phone does not support several devices'],
  [428, 'the connection was closed'],
  [440, 'replaced by another connection'],
  [500, 'the session is damaged'],
  [503, 'the network is unavailable'],
  [515, 'a restart is required'],
]);

// Where connecting again cannot help.
const lastingReasons = new Set([402, 403, 406]);

/** @param path where `data` stands in the call, for errors */
export function readConnection(data: unknown, path: string): ReadReport {
  if (!isPlainObject(data)) return { errors: [{ path, message: 'has to be an object' }] };
  const state = readLabel(data.state, 50)?.toLowerCase();
  if (state === 'open') return { item: { kind: 'connection', status: 'CONNECTED' } };
  if (state === 'connecting') return { item: { kind: 'connection', status: 'CONNECTING' } };
  const reason = readNumber(data.statusReason);
  const status = statusOf(state, reason);
  if (status !== undefined) return { item: { kind: 'connection', status, lastError: describe(state, reason) } };
  if (state !== undefined) return { item: { kind: 'ignored', reason: `a state that is not known: ${state}` } };
  const message = data.state === undefined ? 'is required' : 'has to be a state';
  return { errors: [{ path: `${path}.state`, message }] };
}

/** A code to scan was shown, or was not scanned in time: then the call carries a message in its place. */
export function readQrCode(data: unknown, path: string): ReadReport {
  if (!isPlainObject(data)) return { errors: [{ path, message: 'has to be an object' }] };
  const expired = data.qrcode === undefined && data.statusCode !== undefined;
  if (!expired) return { item: { kind: 'connection', status: 'CONNECTING' } };
  return { item: { kind: 'connection', status: 'ERROR', lastError: 'the QR code was not scanned in time' } };
}

function statusOf(state: string | undefined, reason: number | undefined): ReportedConnection['status'] | undefined {
  if (state === 'refused' || (reason !== undefined && lastingReasons.has(reason))) return 'ERROR';
  return state === 'close' || reason === 401 ? 'DISCONNECTED' : undefined;
}

// 200 is what Evolution writes where it knows no reason.
function describe(state: string | undefined, reason: number | undefined): string {
  const what = state === 'refused' ? 'the line was refused' : 'the line was closed';
  if (reason === undefined || reason === 200 || !Number.isInteger(reason) || reason > 9_999) return what;
  const words = reasons.get(reason);
  return words === undefined ? `${what} (${reason})` : `${what} (${reason}: ${words})`;
}
