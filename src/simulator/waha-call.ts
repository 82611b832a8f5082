// Owns the shape of WAHA's webhooks: the envelope, its events, and their signature. How it writes a message stands in waha-message.ts.

import { createHmac, randomUUID } from 'node:crypto';
import { digitsOf, ownNumberOf, type DressedReport } from './dressed-report.js';
import type { InstanceStatus } from './instance-registry.js';
import type { HistoryRow } from './message-history.js';
import { ackOf, chatIdOf, makeWahaMessage, serializedIdOf } from './waha-message.js';

interface WahaEvent {
  readonly event: string;
  readonly payload: object;
}

const STATUSES: Readonly<Record<InstanceStatus, string>> = {
  CONNECTED: 'WORKING',
  CONNECTING: 'SCAN_QR_CODE',
  DISCONNECTED: 'STOPPED',
  ERROR: 'FAILED',
};

export const WAHA_ENGINE = 'GOWS';
export const WAHA_ENVIRONMENT = { version: '2026.7.1', engine: WAHA_ENGINE, tier: 'PLUS', browser: null } as const;

/** The session's status in WAHA's word. */
export function sessionStatusOf(status: InstanceStatus): string {
  return STATUSES[status];
}

/** The session's own account at the network. */
export function meOf(session: string): object {
  return { id: `${ownNumberOf(session)}@c.us`, pushName: session };
}

/** The bodies that carry a report, in their order. */
export function listWahaCalls(dressed: DressedReport): object[] {
  const { now: timestamp, report } = dressed;
  return eventsOf(dressed).map(({ event, payload }) => ({
    id: `evt_${digitsOf(`${event} ${JSON.stringify(payload)}`, 26)}`,
    timestamp,
    event,
    session: report.instance,
    metadata: {},
    me: meOf(report.instance),
    payload,
    engine: WAHA_ENGINE,
    environment: WAHA_ENVIRONMENT,
  }));
}

/** The headers of a call, signed only when the session has a key. @param now in milliseconds since 1970 */
export function makeWahaHeaders(raw: string, key: string | undefined, now: number): Record<string, string> {
  const headers = { 'x-webhook-request-id': randomUUID(), 'x-webhook-timestamp': String(now) };
  if (key === undefined) return headers;
  const digest = createHmac('sha512', key).update(raw).digest('hex');
  return { ...headers, 'x-webhook-hmac': digest, 'x-webhook-hmac-algorithm': 'sha512' };
}

function eventsOf({ report, row, other, serverUrl, now: timestamp }: DressedReport): WahaEvent[] {
  if (report.kind === 'connection') {
    const status = sessionStatusOf(report.state.status);
    const payload = { name: report.instance, status, statuses: [{ status, timestamp }] };
    return [{ event: 'session.status', payload }];
  }
  if (row === undefined) return [];
  if (report.kind === 'inbound' && row.wire?.waha !== undefined) return [row.wire.waha(row)];
  if (report.kind === 'status') return [{ event: 'message.ack', payload: ackPayload(row, report.status) }];
  const message = makeWahaMessage(row, { serverUrl, isDownloaded: true, quoted: other });
  const { id, from, fromMe, source, to, participant, timestamp: seconds } = message;
  switch (row.kind) {
    case 'message':
      // The echo shows the send as it was, whatever its status is by now.
      return [
        { event: 'message.any', payload: report.kind === 'sent' ? { ...message, ...ackOf('PENDING') } : message },
      ];
    case 'reaction': {
      // A forgotten message counts as written by the other side.
      const about = other ?? { ...row, id: row.about ?? '', source: row.source === 'lead' ? 'api' : 'lead' };
      const reaction = { text: row.emoji ?? '', messageId: serializedIdOf(about) };
      return [
        {
          event: 'message.reaction',
          payload: { id, timestamp: seconds, from, fromMe, source, to, participant, reaction },
        },
      ];
    }
    case 'edit':
      return [{ event: 'message.edited', payload: { ...message, editedMessageId: row.about } }];
    case 'deletion':
    default:
      return [{ event: 'message.revoked', payload: { after: message, before: null, revokedMessageId: row.about } }];
  }
}

function ackPayload(row: HistoryRow, status: Extract<DressedReport['report'], { kind: 'status' }>['status']): object {
  return { id: serializedIdOf(row), from: chatIdOf(row), to: null, participant: null, fromMe: true, ...ackOf(status) };
}
