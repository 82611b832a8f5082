// Owns how Evolution API writes one message: in the answer to a send, in its list of messages, and in its webhooks.

import { digitsOf } from './dressed-report.js';
import type { HistoryRow, SentStatus } from './message-history.js';
import { jidOf, messageOf } from './network-message.js';

/** A message of `findMessages`, of `messages.upsert` and of a send's answer. */
export interface EvolutionRecord {
  readonly key: EvolutionKey;
  readonly pushName: string;
  readonly status: string;
  readonly message: object;
  readonly contextInfo?: object;
  readonly messageType: string;
  /** Unix seconds. */
  readonly messageTimestamp: number;
  readonly instanceId: string;
  readonly source: string;
}

export interface EvolutionKey {
  readonly remoteJid: string;
  readonly fromMe: boolean;
  readonly id: string;
  readonly remoteJidAlt?: string;
  readonly addressingMode?: 'lid';
}

const STATUSES: Readonly<Record<SentStatus, string>> = {
  PENDING: 'PENDING',
  SENT: 'SERVER_ACK',
  DELIVERED: 'DELIVERY_ACK',
  READ: 'READ',
  FAILED: 'ERROR',
};

/** @param quoted the message that it answers, where that is known */
export function makeRecord(row: HistoryRow, quoted?: HistoryRow): EvolutionRecord {
  const { instance, name, source, at, status, replyTo } = row;
  const message = messageOf(row);
  const quotedMessage = quoted === undefined ? { conversation: '' } : messageOf(quoted);
  return {
    key: keyOf(row),
    pushName: source === 'lead' ? (name ?? '') : 'Você',
    status: source === 'lead' ? 'DELIVERY_ACK' : statusWordOf(status),
    message,
    ...row.wire?.record,
    ...(replyTo === undefined ? {} : { contextInfo: { stanzaId: replyTo, quotedMessage } }),
    messageType: Object.keys(message)[0] ?? 'unknown',
    messageTimestamp: Math.floor(at / 1_000),
    instanceId: instanceIdOf(instance),
    source: source === 'api' ? 'unknown' : 'android',
  };
}

/** A message as `findMessages` lists it: an edited one has the new words and the time of the edit. */
export function makeListedRecord(row: HistoryRow, quoted?: HistoryRow): object {
  const { status: _, ...record } = makeRecord(row, quoted);
  const edited = row.editedAt === undefined ? {} : { messageTimestamp: Math.floor(row.editedAt / 1_000) };
  return { id: recordIdOf(row), ...record, ...edited, MessageUpdate: updatesOf(row).map((status) => ({ status })) };
}

export function keyOf({ number, lid, source, id }: Pick<HistoryRow, 'number' | 'lid' | 'source' | 'id'>): EvolutionKey {
  const jid = jidOf(number);
  const own = { fromMe: source !== 'lead', id };
  return lid === undefined
    ? { remoteJid: jid, ...own }
    : { remoteJid: `${lid}@lid`, ...own, remoteJidAlt: jid, addressingMode: 'lid' };
}

export function statusWordOf(status: SentStatus): string {
  return STATUSES[status];
}

export function instanceIdOf(instance: string): string {
  const digits = digitsOf(`instance ${instance}`, 32);
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

/** The id of a message in Evolution's own database. */
export function recordIdOf({ instance, id }: Pick<HistoryRow, 'instance' | 'id'>): string {
  return `c${digitsOf(`record ${instance} ${id}`, 24)}`;
}

function updatesOf({ source, status, editedAt, isDeleted }: HistoryRow): string[] {
  return [
    ...(source === 'lead' || status === 'PENDING' ? [] : [statusWordOf(status)]),
    ...(editedAt === undefined ? [] : ['EDITED']),
    ...(isDeleted ? ['DELETED'] : []),
  ];
}
