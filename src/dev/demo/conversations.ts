// Gives the demo's scripts their times, and writes them: the leads and all their messages in one transaction, in a few statements.

import type {
  PastChange,
  DemoMessage,
  PastReaction,
  PastStatus,
} from '../../features/messages/demo/demo-message.sql.js';
import { Transactor } from '../../platform/database/transaction.js';
import type { Services } from '../../services.js';
import type { Desk } from './demo-tenant.js';
import { englishPeople } from './english.js';
import { portuguesePeople } from './portuguese.js';
import type { Colleague, DemoFile, Line, Person } from './script.js';
import { spanishPeople } from './spanish.js';
import type { ReportedMedia } from '../../providers/reported.js';

export const demoPeople: readonly Person[] = [...englishPeople, ...portuguesePeople, ...spanishPeople];

/** The source of the demo's files, and the instances that its messages went through. */
export interface DemoPlaces {
  /** The simulator's address. */
  filesUrl: string;
  connectedId: string;
  loggedOutId: string;
}

const minuteMs = 60_000;
const secondMs = 1_000;
const rotation: readonly Colleague[] = ['operator', 'beatriz', 'james'];

/** The provider's id of a line, the same in each database. */
export function externalIdOf({ key }: Person, index: number): string {
  return `3EB0DEMO${key.toUpperCase()}${String(index).padStart(2, '0')}`;
}

/** Writes the leads with their conversations, all or nothing. Not safe to repeat. */
export async function writeConversations(services: Services, desk: Desk, places: DemoPlaces): Promise<void> {
  const { database, notifier, demoLeads, demoMessages, wordIndex } = services;
  const now = Date.now();
  const timed = demoPeople.map((person) => ({ person, times: timesOf(person, now) }));
  // The oldest leads come first, because lists of leads follow their ids.
  const inOrder = timed.toSorted((one, other) => firstOf(one.times) - firstOf(other.times));
  await new Transactor(database, notifier).run(desk.admin.tenantId, async (tx) => {
    const leads = inOrder.map(({ person: { number: chat, name, source }, times }) => ({
      chat,
      name,
      source,
      cameAt: new Date(firstOf(times) - minuteMs),
    }));
    const ids = await demoLeads.create(tx, leads, 'demo');
    const messages = inOrder.flatMap(({ person, times }, index) =>
      person.lines.map((line, position) => {
        const written = { person, line, position, times, leadId: ids[index] ?? '' };
        return toMessage(written, desk, places);
      }),
    );
    await demoMessages.write(tx, messages);
    // Messages of the past have no events, which the search follows.
    await wordIndex.forget(tx, tx.tenantId);
  });
}

function firstOf(times: readonly number[]): number {
  return times[0] ?? 0;
}

/** The time of each line in milliseconds, counted back from the last one. */
function timesOf({ lines, endedMinutesAgo }: Person, now: number): number[] {
  const times: number[] = [];
  let at = now - endedMinutesAgo * minuteMs;
  for (const [index, line] of lines.toReversed().entries()) {
    times.unshift(at);
    at -= (line.after ?? 3 + ((index * 7) % 11)) * minuteMs + ((index * 13) % 40) * secondMs;
  }
  return times;
}

interface WrittenLine {
  person: Person;
  line: Line;
  position: number;
  times: readonly number[];
  leadId: string;
}

function toMessage(written: WrittenLine, desk: Desk, places: DemoPlaces): DemoMessage {
  const { person, line, position, times, leadId } = written;
  const isInbound = line.by === 'lead';
  const sentAtMs = times[position] ?? 0;
  const colleague = person.assignee ?? rotation[(person.key.length + position) % rotation.length] ?? 'operator';
  const { userId } = desk[colleague];
  const id = externalIdOf(person, position);
  return {
    leadId,
    instanceId: person.isElsewhere === true ? places.loggedOutId : places.connectedId,
    direction: isInbound ? 'INBOUND' : 'OUTBOUND',
    ...contentOf(line, id, places),
    externalId: isInbound || wasTaken(line) ? id : null,
    replyTo: line.quotes === undefined ? null : externalIdOf(person, line.quotes),
    authorId: isInbound ? null : userId,
    writtenAt: new Date(sentAtMs),
    statuses: isInbound ? [] : statusesOf(line, sentAtMs, nextLeadLine(person, position, times)),
    reactions: reactionsTo(line, userId, sentAtMs),
    change: changeOf(line, sentAtMs),
  };
}

/** True when the gateway gave the message an id. */
function wasTaken({ failure, status }: Line): boolean {
  return failure?.answered !== true && status !== 'CANCELED';
}

function contentOf(
  { text, file, isDeleted = false }: Line,
  id: string,
  places: DemoPlaces,
): Pick<DemoMessage, 'type' | 'body' | 'media'> {
  if (isDeleted) return { type: 'text', body: null, media: null };
  if (file === undefined) return { type: 'text', body: text, media: null };
  return { type: file, body: text, media: mediaOf(file, text, id, places) };
}

const changedAfterMs = 40 * secondMs;

function reactionsTo({ by, reaction: emoji }: Line, userId: string, writtenAtMs: number): PastReaction[] {
  if (emoji === undefined) return [];
  const isOurs = by === 'lead';
  return [{ fromLead: !isOurs, emoji, userId: isOurs ? userId : null, at: new Date(writtenAtMs + changedAfterMs) }];
}

function changeOf({ text, before, isDeleted = false }: Line, writtenAtMs: number): PastChange | null {
  const at = new Date(writtenAtMs + changedAfterMs);
  if (isDeleted) return { kind: 'DELETION', previousBody: text, at };
  return before === undefined ? null : { kind: 'EDIT', previousBody: before, at };
}

/** The time of the lead's next line; undefined without one. */
function nextLeadLine({ lines }: Person, position: number, times: readonly number[]): number | undefined {
  const next = lines.findIndex(({ by }, index) => index > position && by === 'lead');
  return next === -1 ? undefined : times[next];
}

function statusesOf({ status, failure }: Line, writtenAt: number, answeredAt: number | undefined): PastStatus[] {
  const at = (ms: number) => new Date(writtenAt + ms);
  const queued: PastStatus = { status: 'QUEUED', at: at(0), source: 'user' };
  if (status === 'CANCELED') return [queued, { status, at: at(30 * secondMs), source: 'user' }];
  const sending: PastStatus = { status: 'SENDING', at: at(150), source: 'worker' };
  const failed = { status: 'FAILED', code: failure?.code, detail: failure?.detail } as const;
  if (failure?.answered === true) return [queued, sending, { ...failed, at: at(900), source: 'worker' }];
  const sent: PastStatus = { status: 'SENT', at: at(700), source: 'worker' };
  if (failure !== undefined) return [queued, sending, sent, { ...failed, at: at(4 * secondMs), source: 'gateway' }];
  const last = status ?? (answeredAt === undefined ? 'DELIVERED' : 'READ');
  const readAt = Math.min(writtenAt + 3 * minuteMs, (answeredAt ?? Number.POSITIVE_INFINITY) - secondMs);
  const reported: PastStatus[] = [
    { status: 'DELIVERED', at: at(2 * secondMs), source: 'gateway' },
    { status: 'READ', at: new Date(Math.max(readAt, writtenAt + 3 * secondMs)), source: 'gateway' },
  ];
  const count = { SENT: 0, DELIVERED: 1, READ: 2 }[last];
  return [queued, sending, sent, ...reported.slice(0, count)];
}

const fileTypes = {
  image: { mimeType: 'image/png', ending: 'png' },
  audio: { mimeType: 'audio/wav', ending: 'wav', isVoice: true },
  document: { mimeType: 'application/pdf', ending: 'pdf' },
} as const satisfies Record<DemoFile, object>;

function mediaOf(file: DemoFile, caption: string | null, id: string, { filesUrl }: DemoPlaces): ReportedMedia {
  const { ending, ...type } = fileTypes[file];
  const fileName = file === 'document' ? `Atlantic-Stays-${id.slice(-5)}.${ending}` : `${file}.${ending}`;
  const url = `${filesUrl}/files/${file === 'document' ? `Atlantic_Stays-${id}` : id}.${ending}`;
  return { url, ...type, fileName, ...(caption === null ? {} : { caption }) };
}
