// Owns the shape of Evolution API's webhooks: one event of one instance in a call. How it writes a message stands in evolution-record.ts.

import { digitsOf, ownNumberOf, type DressedReport } from './dressed-report.js';
import { instanceIdOf, keyOf, makeRecord, recordIdOf, statusWordOf } from './evolution-record.js';
import type { HistoryRow } from './message-history.js';
import type { InstanceConnection, InstanceState, InstanceStatus } from './instance-registry.js';
import { jidOf, messageOf } from './network-message.js';

interface EvolutionEvent {
  readonly event: string;
  readonly data: object;
}

const STATES: Readonly<Record<InstanceStatus, string>> = {
  CONNECTED: 'open',
  CONNECTING: 'connecting',
  DISCONNECTED: 'close',
  ERROR: 'refused',
};

/** The network's codes for the reason of a connection's state. */
const REASONS: Readonly<Record<InstanceStatus, number>> = {
  CONNECTED: 200,
  CONNECTING: 200,
  DISCONNECTED: 401,
  ERROR: 403,
};

/** The instance's state in Evolution's word. */
export function stateOf(status: InstanceStatus): string {
  return STATES[status];
}

/** The bodies that carry a report, in their order. */
export function listEvolutionCalls(dressed: DressedReport): object[] {
  const { now, serverUrl, report } = dressed;
  return eventsOf(dressed).map(({ event, data }) => ({
    event,
    instance: report.instance,
    data,
    destination: serverUrl,
    // Evolution writes local time with the mark of UTC.
    date_time: new Date(now - new Date(now).getTimezoneOffset() * 60_000).toISOString(),
    sender: jidOf(ownNumberOf(report.instance)),
    server_url: serverUrl,
    // A real gateway sends its key in every call, although it is a secret.
    apikey: digitsOf(`key of ${report.instance}`, 32).toUpperCase(),
  }));
}

function eventsOf({ report, row, other }: DressedReport): EvolutionEvent[] {
  switch (report.kind) {
    case 'connection':
      return connectionEvents(report.instance, report.state);
    case 'status':
      return [{ event: 'messages.update', data: statusOf(report, row) }];
    case 'sent':
      return row === undefined
        ? []
        : [{ event: 'send.message', data: { ...makeRecord(row, other), status: 'PENDING' } }];
    case 'form':
      return [];
    case 'inbound':
    default:
      return row === undefined
        ? []
        : row.wire?.evolution === undefined
          ? writtenEvents(row, other)
          : [row.wire.evolution(row)];
  }
}

function writtenEvents(row: HistoryRow, other: HistoryRow | undefined): EvolutionEvent[] {
  const { kind, number, source, about = '', at, instance } = row;
  if (kind === 'message' || kind === 'reaction') return [{ event: 'messages.upsert', data: makeRecord(row, other) }];
  // The key of an edit or deletion is written as its author sees the conversation.
  const chat = source === 'phone' ? number : ownNumberOf(instance);
  const protocol = { key: { remoteJid: jidOf(chat), fromMe: true, id: about }, timestampMs: String(at) };
  if (kind === 'edit') {
    const editedMessage = editedMessageOf(row, other);
    return [{ event: 'messages.edited', data: { ...protocol, type: 'MESSAGE_EDIT', editedMessage } }];
  }
  return [
    { event: 'messages.edited', data: { ...protocol, type: 'REVOKE' } },
    { event: 'messages.delete', data: keyOf({ ...row, id: about }) },
  ];
}

function editedMessageOf({ text }: HistoryRow, other: HistoryRow | undefined): object {
  if (other?.media === undefined) return { conversation: text };
  const [part = 'imageMessage'] = Object.keys(messageOf(other));
  return { [part]: { caption: text } };
}

function statusOf(
  { instance, messageId, status }: Extract<DressedReport['report'], { kind: 'status' }>,
  row?: HistoryRow,
) {
  const keyId = messageId;
  const known = row === undefined ? {} : { remoteJid: keyOf(row).remoteJid };
  const ours = { instanceId: instanceIdOf(instance), messageId: recordIdOf({ instance, id: messageId }) };
  return { keyId, ...known, fromMe: true, status: statusWordOf(status), ...ours };
}

function connectionEvents(
  instance: string,
  { status, qr, pairingCode }: InstanceState & InstanceConnection,
): EvolutionEvent[] {
  const own = status === 'CONNECTED' ? { wuid: jidOf(ownNumberOf(instance)) } : {};
  const state = { instance, ...own, state: stateOf(status), statusReason: REASONS[status] };
  const update = { event: 'connection.update', data: state };
  if (qr === undefined) return [update];
  const qrcode = { instance, pairingCode, code: `simulator:${pairingCode}`, base64: qr };
  return [update, { event: 'qrcode.updated', data: { qrcode } }];
}
