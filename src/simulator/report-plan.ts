// Owns what will be reported about an accepted message, when and in which order: a plan drawn once, from knobs and seed.
// Carrying it out is left to webhook-reporter.ts.

import type { SimulatorBehaviour } from './behaviour.schema.js';
import type { InstanceConnection, InstanceState } from './instance-registry.js';
import { partOf, rowOfLead, type HistoryRow, type Wire } from './message-history.js';
import type { LeadMessage, OutgoingMessage } from './message.schema.js';
import { SeededRandom } from './seeded-random.js';
import type { FormLead } from './form-leads.js';

interface AnyReport {
  readonly instance: string;
  /** The body in the gateway's own protocol; empty when that has no such report. */
  readonly body: object;
  /** The number of deliveries, although one would do. */
  readonly copies: 1 | 2;
  /** The event happened, but no webhook is called. */
  readonly isWithheld: boolean;
}

/** An event at the gateway, and the webhook call that reports it. Not every protocol reports `sent` and `connection`. */
export type Report = AnyReport &
  (
    | { readonly kind: 'status'; readonly messageId: string; readonly status: StatusEvent['status'] }
    | { readonly kind: 'inbound'; readonly row: HistoryRow }
    | { readonly kind: 'sent'; readonly messageId: string }
    | { readonly kind: 'form'; readonly lead: FormLead }
    | { readonly kind: 'connection'; readonly state: InstanceState & InstanceConnection }
  );

/** A report and the moment it is due, in milliseconds since 1970. */
export type PlannedReport = Report & { readonly dueAt: number };

/** The reports of one message. Within a list the order is kept; `early` is reported before the request is answered. */
export interface ReportPlan {
  readonly early: readonly PlannedReport[];
  readonly statuses: readonly PlannedReport[];
  /** The echo of the send itself. */
  readonly sent: PlannedReport;
  readonly replies: readonly PlannedReport[];
  readonly reactions: readonly PlannedReport[];
}

interface StatusEvent {
  readonly status: 'SENT' | 'DELIVERED' | 'READ' | 'FAILED';
  readonly at: number;
}

/** A message that was accepted at `acceptedAt`, in milliseconds since 1970. */
export interface AcceptedMessage {
  readonly message: OutgoingMessage;
  readonly messageId: string;
  readonly acceptedAt: number;
  /** The name of the recipient, if it is known. */
  readonly name?: string | undefined;
  /** The address of the leads' pictures; without it, leads send none. */
  readonly filesUrl?: string | undefined;
}

const LEAD_NAMES = ['Ana', 'Bruno', 'Chiara', 'Deepa', 'Emeka', 'Farah', 'Goran', 'Hana', 'Ivan', 'Júlia'] as const;
const MESSAGE_ID_DIGITS = 20;

/** An id as the chat network gives it: unique in all but theory, and the same again for the same seed. */
export function drawMessageId(random: SeededRandom): string {
  return `3EB0${random.text(MESSAGE_ID_DIGITS, '0123456789ABCDEF')}`;
}

/** Every draw is made, needed or not, so that turning one knob leaves what the others drew as it was. */
export function planReports(
  accepted: AcceptedMessage,
  behaviour: SimulatorBehaviour,
  random: SeededRandom,
): ReportPlan {
  const fails = random.chance(behaviour.failAfterAcceptRate);
  const isDelivered = random.chance(behaviour.deliveredRate);
  const isRead = random.chance(behaviour.readRate);
  const isEarly = random.chance(behaviour.earlyStatusRate);
  const isReordered = random.chance(behaviour.reorderRate);
  const replies = random.chance(behaviour.replyRate);
  const reply = planReply(accepted, behaviour, random.fork());

  const events = listEvents(accepted.acceptedAt, behaviour, fails, isDelivered, isRead);
  const early = isEarly ? events.filter(isReportedEarly).map((event) => ({ ...event, at: accepted.acceptedAt })) : [];
  const later = isEarly ? events.filter((event) => !isReportedEarly(event)) : events;
  const planned = [...early, ...later].map((event) => planStatus(accepted, event, behaviour, random));
  const inOrder = planned.slice(early.length);
  const statuses = isReordered ? reorder(inOrder, behaviour.reorderAs, random) : inOrder;
  const changes = random.fork();
  return {
    sent: planSent({ instance: accepted.message.instance, ...accepted }, behaviour, random),
    early: planned.slice(0, early.length),
    statuses,
    replies: replies && !fails ? [reply.report, ...planChanges(reply, behaviour, changes)] : [],
    reactions: fails ? [] : planReaction(accepted, behaviour, changes),
  };
}

/** The echo of our send, due at once. */
export function planSent(
  { instance, messageId, acceptedAt: dueAt }: Pick<AcceptedMessage, 'messageId' | 'acceptedAt'> & { instance: string },
  behaviour: SimulatorBehaviour,
  random: SeededRandom,
): PlannedReport {
  const isWithheld = drawWithheld(`sent ${messageId}`, behaviour);
  return { kind: 'sent', instance, messageId, body: {}, copies: drawCopies(behaviour, random), isWithheld, dueAt };
}

/** The lead's changes to its reply: an edit, then a deletion. */
function planChanges({ lead, report }: Reply, behaviour: SimulatorBehaviour, random: SeededRandom): PlannedReport[] {
  const { instance, from, messageId } = lead;
  const draws = { isEdited: random.chance(behaviour.editRate), isDeleted: random.chance(behaviour.deleteRate) };
  const edit = { instance, from, edit: { messageId, text: random.pick(behaviour.replyTexts) } };
  const deletion = { instance, from, deletion: { messageId } };
  return [...(draws.isEdited ? [edit] : []), ...(draws.isDeleted ? [deletion] : [])].map((change, index) => {
    const dueAt = report.dueAt + behaviour.changeDelayMs * (index + 1);
    const own = { ...change, messageId: drawMessageId(random), writtenAt: dueAt };
    return { ...makeInboundReport(own, behaviour, random), dueAt };
  });
}

function planReaction(
  { message, messageId, acceptedAt }: AcceptedMessage,
  behaviour: SimulatorBehaviour,
  random: SeededRandom,
): PlannedReport[] {
  const reacts = random.chance(behaviour.reactionRate);
  const dueAt = acceptedAt + behaviour.changeDelayMs;
  const reaction = { messageId, emoji: random.pick(behaviour.reactionEmojis) };
  const own = { messageId: drawMessageId(random), writtenAt: dueAt };
  const lead = { instance: message.instance, from: message.to, reaction, ...own };
  return reacts ? [{ ...makeInboundReport(lead, behaviour, random), dueAt }] : [];
}

/** The report of a lead's message, or of its change to an earlier one. */
export function makeInboundReport(
  lead: LeadMessage & { messageId: string; writtenAt: number; wire?: Wire | undefined },
  behaviour: SimulatorBehaviour,
  random: SeededRandom,
): Extract<Report, { kind: 'inbound' }> {
  const { instance, from, name = nameOf(from), text, media, replyTo, messageId } = lead;
  const timestamp = formatTimestamp(lead.writtenAt, behaviour);
  const change = changeOf(lead);
  const type = media ? mediaType(media.mimeType) : 'text';
  const written = { instance, messageId, from, name, type, text, timestamp, media, replyTo };
  const told = { ...written, ...partOf(lead.wire?.gateway, written) };
  const body = change === undefined ? told : { instance, messageId, from, timestamp, ...change };
  const isWithheld = drawWithheld(messageId, behaviour);
  const row = rowOfLead(lead, { type, name, isWithheld });
  return { kind: 'inbound', instance, body, row, copies: drawCopies(behaviour, random), isWithheld };
}

function changeOf({ reaction, edit, deletion, preference }: LeadMessage): object | undefined {
  if (preference !== undefined) return { type: 'preference', preference };
  if (reaction !== undefined) return { type: 'reaction', reaction };
  if (edit !== undefined) return { type: 'edit', edit };
  return deletion === undefined ? undefined : { type: 'deletion', deletion };
}

interface Reply {
  report: PlannedReport;
  lead: { instance: string; from: string; messageId: string };
}

function planReply(
  { message, messageId, acceptedAt, name, filesUrl }: AcceptedMessage,
  behaviour: SimulatorBehaviour,
  random: SeededRandom,
): Reply {
  const writtenAt = acceptedAt + behaviour.replyDelayMs;
  const text = random.pick(behaviour.replyTexts);
  const own = { messageId: drawMessageId(random), writtenAt };
  const content = random.fork();
  const quotes = content.chance(behaviour.quoteRate);
  const isPicture = content.chance(behaviour.pictureRate) && filesUrl !== undefined;
  const lead = {
    instance: message.instance,
    from: message.to,
    ...(name === undefined ? {} : { name }),
    ...(isPicture ? { media: pictureAt(filesUrl, own.messageId, text) } : { text }),
    ...(quotes ? { replyTo: messageId } : {}),
    ...own,
  };
  return { report: { ...makeInboundReport(lead, behaviour, random), dueAt: writtenAt }, lead };
}

/** A picture that the simulator serves: another one for each id. */
export function pictureAt(filesUrl: string, id: string, caption: string) {
  return { url: `${filesUrl}/files/${id}.png`, mimeType: 'image/png', fileName: 'photo.png', caption };
}

function listEvents(
  acceptedAt: number,
  behaviour: SimulatorBehaviour,
  fails: boolean,
  isDelivered: boolean,
  isRead: boolean,
): StatusEvent[] {
  const events: StatusEvent[] = [{ status: 'SENT', at: acceptedAt + behaviour.sentDelayMs }];
  if (fails) events.push({ status: 'FAILED', at: acceptedAt + behaviour.deliveredDelayMs });
  else if (isDelivered) events.push({ status: 'DELIVERED', at: acceptedAt + behaviour.deliveredDelayMs });
  if (!fails && isDelivered && isRead) events.push({ status: 'READ', at: acceptedAt + behaviour.readDelayMs });
  return events.sort((one, other) => one.at - other.at);
}

function isReportedEarly({ status }: StatusEvent): boolean {
  return status === 'SENT' || status === 'DELIVERED';
}

function planStatus(
  { message, messageId }: AcceptedMessage,
  { status, at }: StatusEvent,
  behaviour: SimulatorBehaviour,
  random: SeededRandom,
): PlannedReport {
  const error =
    status === 'FAILED' ? { code: behaviour.failAfterAcceptCode, message: 'Message undeliverable' } : undefined;
  const timestamp = formatTimestamp(at, behaviour);
  const { instance } = message;
  const body = { instance, messageId, status, timestamp, error };
  const copies = drawCopies(behaviour, random);
  const isWithheld = drawWithheld(`${status} ${messageId}`, behaviour);
  return { kind: 'status', instance, messageId, status, body, copies, isWithheld, dueAt: at };
}

// Nothing may be reported before it happened, so all of them wait for the last: only their order is wrong, never their times.
function reorder(
  reports: readonly PlannedReport[],
  order: SimulatorBehaviour['reorderAs'],
  random: SeededRandom,
): PlannedReport[] {
  const dueAt = Math.max(...reports.map((report) => report.dueAt));
  const held = reports.map((report) => ({ ...report, dueAt }));
  const reversed = held.toReversed();
  if (order === 'reverse') return reversed;
  const shuffled = random.shuffle(held);
  return shuffled.every((report, index) => report === held[index]) ? reversed : shuffled;
}

function drawCopies(behaviour: SimulatorBehaviour, random: SeededRandom): 1 | 2 {
  return random.chance(behaviour.duplicateRate) ? 2 : 1;
}

// The draw comes from the id, so that turning the knob leaves every other draw as it was.
function drawWithheld(what: string, { withholdRate }: SimulatorBehaviour): boolean {
  return withholdRate > 0 && SeededRandom.fromSeed(`withheld ${what}`).chance(withholdRate);
}

function formatTimestamp(at: number, { timestampFormat }: SimulatorBehaviour): number | string {
  return timestampFormat === 'iso' ? new Date(at).toISOString() : Math.floor(at / 1_000);
}

/** The same number is the same person, whenever it writes. */
export function nameOf(from: string): string {
  const sum = Array.from(from).reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return LEAD_NAMES[sum % LEAD_NAMES.length] ?? LEAD_NAMES[0];
}

function mediaType(mimeType = ''): string {
  const family = mimeType.split('/')[0] ?? '';
  return ['image', 'video', 'audio'].includes(family) ? family : 'document';
}
