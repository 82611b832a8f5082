// Owns what is at the gateway: every message, reaction, edit and deletion, whether a webhook reported it or not. The lists of the gateways
// and the counts for an audit are read from here.

import type { LeadMessage, OutgoingMessage } from './message.schema.js';

/** The delivery status of our message; a lead's message stays PENDING. */
export type SentStatus = 'PENDING' | 'SENT' | 'DELIVERED' | 'READ' | 'FAILED';

type Fields = Record<string, unknown>;

/** Content beyond a text or a file, as each protocol writes it. A part is left out when its protocol has no such content. */
export interface Wire {
  /** Fields of the gateway's own body, beside its sender and time. */
  readonly gateway?: Fields | ((own: Fields) => Fields);
  /** The network's part of a message, or a wrapper around the row's own content: Evolution and WAHA pass it on. */
  readonly network?: Fields | ((own: Fields) => Fields);
  /** Fields of Evolution's record beside the message. */
  readonly record?: Fields;
  /** An event of Evolution in place of a message. */
  readonly evolution?: (row: HistoryRow) => { readonly event: string; readonly data: object };
  /** An event of WAHA in place of a message. */
  readonly waha?: (row: HistoryRow) => { readonly event: string; readonly payload: object };
  /** Fields of an element of one of Meta's lists, or a change of the row's own content. */
  readonly cloud?: Fields | ((own: Fields) => Fields);
  /** The field of Meta's subscription, and the name of its list: `messages` by default. */
  readonly cloudField?: string;
  /** The form outside of the conversation that the lead comes from. */
  readonly form?: 'google' | 'meta';
  /** The row is no message of a conversation, and is not counted as one. */
  readonly isSignal?: true;
  /** The next row under the same id fills it. */
  readonly isPlaceholder?: true;
}

/** @param own the fields of the message without the part */
export function partOf(part: Wire['network'], own: Fields): Fields {
  return typeof part === 'function' ? part(own) : (part ?? own);
}

/** A message, or a change to one, by either side. */
export interface HistoryRow {
  readonly kind: 'message' | 'reaction' | 'edit' | 'deletion';
  readonly instance: string;
  readonly id: string;
  /** The other side of the conversation: digits, or an id as the network writes it. */
  readonly number: string;
  /** The hidden id that the other side writes under. */
  readonly lid?: string | undefined;
  readonly source: 'lead' | 'api' | 'phone';
  /** The time in milliseconds since 1970. */
  readonly at: number;
  readonly name?: string | undefined;
  readonly type: string;
  readonly text?: string | undefined;
  readonly media?: OutgoingMessage['media'];
  readonly replyTo?: string | undefined;
  /** The content in each protocol, when it is more than a text or a file. */
  readonly wire?: Wire | undefined;
  /** The message that a reaction, an edit or a deletion is about. */
  readonly about?: string | undefined;
  /** The emoji of a reaction; null takes it back. */
  readonly emoji?: string | null | undefined;
  readonly status: SentStatus;
  readonly editedAt?: number | undefined;
  readonly isDeleted: boolean;
  /** No webhook reported it. */
  readonly isWithheld: boolean;
}

export interface HistoryFilter {
  readonly instance?: string | undefined;
  readonly number?: string | undefined;
  readonly isFromMe?: boolean | undefined;
  /** The span in milliseconds since 1970, both ends included. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** The counts of messages, without reactions, edits and deletions. */
export interface HistoryCounts {
  inbound: number;
  /** Messages sent through the gateway's interface, or written on the phone. */
  outbound: number;
  /** Messages of both directions that no webhook reported. Sends are left out, because their answer reports them. */
  withheld: number;
}

export interface HistorySummary extends HistoryCounts {
  readonly numbers: readonly (HistoryCounts & { readonly number: string })[];
  readonly numberCount: number;
  /** The rows of all instances that were dropped for lack of room: above 0, the counts are too low. */
  readonly forgotten: number;
}

const MAX_ROWS = 50_000;
const MAX_CHARACTERS = 64 * 1_024 * 1_024;
const ROW_CHARACTERS = 256;
const MAX_LIDS = 10_000;
/** The statuses in their order, so that one that comes late changes nothing. */
const STATUSES: readonly SentStatus[] = ['PENDING', 'SENT', 'DELIVERED', 'READ', 'FAILED'];

/** Holds 50,000 rows and 64 Mi characters; the oldest go first. */
export class MessageHistory {
  readonly #rows = new Map<string, HistoryRow>();
  readonly #lids = new Map<string, string>();
  #characters = 0;
  #forgotten = 0;

  /**
   * A second row under the same id changes nothing, unless the first was a placeholder. A row that the gateway's lists leave out is not
   * kept. @returns the row as it is kept or, when it is not kept, as it is reported
   */
  add(row: HistoryRow): HistoryRow {
    const before = this.find(row.instance, row.id);
    if (before !== undefined && before.wire?.isPlaceholder !== true) return before;
    const lid = row.lid ?? this.#lids.get(row.number);
    const kept = lid === undefined ? row : { ...row, lid };
    // A signal without a network part is reported once, and stands in no list.
    if (kept.wire?.isSignal === true && kept.wire.network === undefined) return kept;
    this.#rows.set(keyOf(row.instance, row.id), kept);
    this.#characters += weigh(kept) - (before === undefined ? 0 : weigh(before));
    this.#forgetOldest();
    if (kept.about !== undefined) this.#change(kept);
    return kept;
  }

  find(instance: string, id: string): HistoryRow | undefined {
    return this.#rows.get(keyOf(instance, id));
  }

  /** @returns the message with its status; undefined where it is forgotten */
  setStatus(instance: string, id: string, status: SentStatus): HistoryRow | undefined {
    const row = this.find(instance, id);
    if (row === undefined || STATUSES.indexOf(status) <= STATUSES.indexOf(row.status)) return row;
    return this.#replace({ ...row, status });
  }

  /** Lists rows from the newest to the oldest; of one second, the row that came last is first. */
  list(filter: HistoryFilter): HistoryRow[] {
    const found: HistoryRow[] = [];
    for (const row of this.#rows.values()) if (isAsked(row, filter)) found.push(row);
    return found.reverse().sort((one, other) => secondsOf(other) - secondsOf(one));
  }

  /** Counts messages in all, and for each of the first `limit` numbers. */
  summarize(filter: HistoryFilter, limit: number): HistorySummary {
    const counts = [...this.#count(filter)];
    const sum = (name: keyof HistoryCounts) => counts.reduce((total, [, of]) => total + of[name], 0);
    return {
      inbound: sum('inbound'),
      outbound: sum('outbound'),
      withheld: sum('withheld'),
      numbers: counts.slice(0, limit).map(([number, of]) => ({ number, ...of })),
      numberCount: counts.length,
      forgotten: this.#forgotten,
    };
  }

  // Counts by the other side's number, in the order of its first message.
  #count(filter: HistoryFilter): Map<string, HistoryCounts> {
    const counts = new Map<string, HistoryCounts>();
    for (const row of this.#rows.values()) {
      if (row.kind !== 'message' || row.wire?.isSignal === true || !isAsked(row, filter)) continue;
      const of = counts.get(row.number) ?? { inbound: 0, outbound: 0, withheld: 0 };
      counts.set(row.number, of);
      if (row.source === 'lead') of.inbound += 1;
      else of.outbound += 1;
      if (row.isWithheld && row.source !== 'api') of.withheld += 1;
    }
    return counts;
  }

  /** Records the hidden id that a person writes under from now on. */
  hide(number: string, lid: string): void {
    this.#lids.delete(number);
    this.#lids.set(number, lid);
    const [oldest] = this.#lids.keys();
    if (this.#lids.size > MAX_LIDS && oldest !== undefined) this.#lids.delete(oldest);
  }

  /** The number behind a hidden id. */
  numberOf(lid: string): string | undefined {
    for (const [number, hidden] of this.#lids) if (hidden === lid) return number;
    return undefined;
  }

  clear(): void {
    this.#rows.clear();
    this.#characters = 0;
    this.#forgotten = 0;
  }

  #change({ kind, instance, about = '', text, at }: HistoryRow): void {
    const message = this.find(instance, about);
    if (message === undefined) return;
    if (kind === 'edit') this.#replace({ ...message, ...editedBy(message, text), editedAt: at });
    if (kind === 'deletion') this.#replace({ ...message, isDeleted: true });
  }

  #replace(row: HistoryRow): HistoryRow {
    const key = keyOf(row.instance, row.id);
    const before = this.#rows.get(key);
    this.#characters += weigh(row) - (before === undefined ? 0 : weigh(before));
    this.#rows.set(key, row);
    return row;
  }

  #forgetOldest(): void {
    for (const [key, row] of this.#rows) {
      if (this.#rows.size <= MAX_ROWS && this.#characters <= MAX_CHARACTERS) return;
      this.#rows.delete(key);
      this.#characters -= weigh(row);
      this.#forgotten += 1;
    }
  }
}

/** The row of a message that we sent through the gateway's interface. */
export function rowOfSend(
  { message, messageId, acceptedAt }: { message: OutgoingMessage; messageId: string; acceptedAt: number },
  isWithheld: boolean,
): HistoryRow {
  const { instance, to: number, type, text, media, replyTo } = message;
  const content = { type, text, media, replyTo };
  const ours = { source: 'api', status: 'PENDING', isDeleted: false, isWithheld } as const;
  return { kind: 'message', instance, id: messageId, number, at: acceptedAt, ...content, ...ours };
}

/** A reaction that we were asked to set. */
export interface SentReaction {
  readonly instance: string;
  readonly to: string;
  /** The message that it is set to. */
  readonly messageId: string;
  /** Null takes it back. */
  readonly emoji: string | null;
}

/** The row of our reaction, under an id of its own. */
export function rowOfReaction(
  { instance, to: number, messageId: about, emoji }: SentReaction,
  { messageId: id, acceptedAt: at }: { messageId: string; acceptedAt: number },
  isWithheld: boolean,
): HistoryRow {
  const ours = { source: 'api', status: 'PENDING', isDeleted: false, isWithheld } as const;
  return { kind: 'reaction', type: 'reaction', instance, id, number, about, emoji, at, ...ours };
}

type LeadFields = Exclude<keyof LeadMessage, 'player' | 'variant' | 'delayMs' | 'language'>;

/** The row of what a lead, or a person at our own phone, wrote or did. */
export function rowOfLead(
  said: Pick<LeadMessage, LeadFields> & { messageId: string; writtenAt: number; wire?: Wire | undefined },
  { type, name, isWithheld }: { type: string; name: string; isWithheld: boolean },
): HistoryRow {
  const { instance, from: number, lid, reaction, edit, deletion, fromPhone } = said;
  const base = {
    instance,
    id: said.messageId,
    number,
    lid,
    source: fromPhone === true ? 'phone' : 'lead',
    at: said.writtenAt,
    name,
    type,
    status: 'PENDING',
    isDeleted: false,
    isWithheld,
  } as const;
  if (reaction !== undefined) return { ...base, kind: 'reaction', about: reaction.messageId, emoji: reaction.emoji };
  if (edit !== undefined) return { ...base, kind: 'edit', about: edit.messageId, text: edit.text };
  if (deletion !== undefined) return { ...base, kind: 'deletion', about: deletion.messageId };
  const { text, media, replyTo, wire } = said;
  return { ...base, kind: 'message', text, media, replyTo, wire };
}

function editedBy({ media }: HistoryRow, text: string | undefined): Partial<HistoryRow> {
  return media === undefined ? { text } : { media: { ...media, caption: text } };
}

function isAsked(row: HistoryRow, { instance, number, isFromMe, since, until }: HistoryFilter): boolean {
  if (instance !== undefined && row.instance !== instance) return false;
  if (number !== undefined && row.number !== number && row.lid !== number) return false;
  if (isFromMe !== undefined && (row.source !== 'lead') !== isFromMe) return false;
  return (since === undefined || row.at >= since) && (until === undefined || row.at <= until);
}

// Gateways keep times in seconds.
function secondsOf({ at }: HistoryRow): number {
  return Math.floor(at / 1_000);
}

function weigh({ text = '', media }: HistoryRow): number {
  return ROW_CHARACTERS + text.length + (media === undefined ? 0 : media.url.length + (media.caption?.length ?? 0));
}

function keyOf(instance: string, id: string): string {
  return `${instance}\n${id}`;
}
