// Judges a case by the arrivals at its gateway: the limit, the order, and each message once. It returns sentences about broken promises.

import type { Limit, PlannedMessage } from './paced-case.js';
import { retryAfterSeconds, type Arrival } from './paced-gateway.js';
import type { Grant } from './worker-group.js';

/** The time in which a limit may have been in force, in milliseconds since 1970; the moment of a change belongs to both. */
export interface LimitPeriod {
  limit: Limit | null;
  from: number;
  to: number;
}

export interface SentMessage extends PlannedMessage {
  /** The id that `sendMessage` returned. */
  id: string;
  /** The status at the end. */
  status: string;
}

export interface PlayedCase {
  /** The messages of each lead, in the order of acceptance. */
  leads: SentMessage[][];
  limits: LimitPeriod[];
  /** The arrivals in their order. */
  arrivals: Arrival[];
  grants: Grant[];
  /** Messages that a killed worker had claimed: they may arrive again at any time. */
  abandonedKeys: ReadonlySet<string>;
}

type GrantedArrival = Arrival & { grantedAt: number };

// The two clocks belong to one machine, and one of them is read in whole milliseconds.
const clockGrainMs = 1;
const isTemporary: Record<Arrival['answer'], boolean> = {
  tooMany: true,
  unavailable: true,
  hang: true,
  reset: true,
  accepted: false,
  refused: false,
};

/** @returns an empty list when every promise was kept */
export function judge(played: PlayedCase): string[] {
  const messages = played.leads.flat();
  return [
    ...messages.flatMap((message) => judgeMessage(message, played)),
    ...played.leads.flatMap((lead) => judgeOrder(lead, played.arrivals)),
    ...judgeKeys(messages, played.arrivals),
    ...judgePace(played),
  ];
}

function judgeMessage({ id, text, status, isRefused }: SentMessage, played: PlayedCase): string[] {
  const arrivals = played.arrivals.filter((arrival) => arrival.text === text);
  const grants = played.grants.filter((grant) => grant.key === id);
  const wanted = isRefused ? 'FAILED' : 'SENT';
  const broken = status === wanted ? [] : [`"${text}" ended ${status} instead of ${wanted}`];
  if (arrivals.length === 0) broken.push(`"${text}" never arrived`);
  if (arrivals.length > grants.length) broken.push(`"${text}" arrived more often than it was granted`);
  for (const [index, { answer, at }] of arrivals.slice(0, -1).entries()) {
    if (played.abandonedKeys.has(id)) break;
    const next = arrivals[index + 1]?.at ?? 0;
    if (!isTemporary[answer]) broken.push(`"${text}" arrived again after it was ${answer}`);
    if (answer === 'tooMany' && next - at < retryAfterSeconds * 1_000)
      broken.push(`"${text}" arrived again after ${next - at} ms, before the time of Retry-After`);
  }
  return broken;
}

/** A lead's message first arrives after the messages before it are done: accepted, or refused for the last time. */
function judgeOrder(lead: readonly SentMessage[], arrivals: readonly Arrival[]): string[] {
  return lead.slice(1).flatMap(({ text }, index) => {
    const before = lead[index];
    const first = arrivals.findIndex((arrival) => arrival.text === text);
    const isDone = (arrival: Arrival) =>
      arrival.text === before?.text &&
      (arrival.answer === 'accepted' || arrival.answer === 'refused' || arrival.answer === 'reset');
    const done = arrivals.findIndex(isDone);
    return first < 0 || (done >= 0 && done < first) ? [] : [`"${text}" arrived before "${before?.text}" was done`];
  });
}

function judgeKeys(messages: readonly SentMessage[], arrivals: readonly Arrival[]): string[] {
  const idOf = new Map(messages.map(({ id, text }) => [text, id]));
  const numberOf = new Map<string, string>();
  const broken: string[] = [];
  if (new Set(idOf.values()).size !== idOf.size) broken.push('two messages have one id');
  for (const { key, text, to } of arrivals) {
    if (idOf.get(text) !== key) broken.push(`"${text}" arrived under the key ${key}, which is not its message's`);
    if ((numberOf.get(key) ?? to) !== to) broken.push(`the key ${key} led to two numbers`);
    numberOf.set(key, to);
  }
  return broken;
}

/**
 * Judges each send by the limit that was in force when it was granted. The windows of that length count which hold the send and no later
 * grant. Without a change these are all windows. A send that was granted after a change keeps the new limit, with all earlier sends. A send
 * that was granted before a change and arrives after it is judged by the old limit.
 */
function judgePace({ arrivals, grants, limits }: PlayedCase): string[] {
  const granted = arrivals.map((arrival) => ({ ...arrival, grantedAt: findGrant(arrival, grants) }));
  const unknown = granted.filter(({ grantedAt }) => grantedAt === undefined);
  const known = granted.filter((arrival): arrival is GrantedArrival => arrival.grantedAt !== undefined);
  return [
    ...unknown.map(({ text }) => `"${text}" arrived without a grant`),
    ...known.flatMap((arrival) => judgeWindows(arrival, known, limits)),
  ];
}

function findGrant({ key, at }: Arrival, grants: readonly Grant[]): number | undefined {
  const before = grants.filter((grant) => grant.key === key && grant.at <= at + clockGrainMs);
  return before.length === 0 ? undefined : Math.max(...before.map((grant) => grant.at));
}

function judgeWindows(
  last: GrantedArrival,
  arrivals: readonly GrantedArrival[],
  limits: readonly LimitPeriod[],
): string[] {
  const inForce = limits.filter(({ from, to }) => from <= last.grantedAt && last.grantedAt <= to);
  const times = arrivals.filter(({ grantedAt }) => grantedAt <= last.grantedAt).map(({ at }) => at);
  const broken = inForce.map(({ limit }) => (limit === null ? undefined : describeFullest(last, times, limit)));
  // At the moment of a change, keeping either limit is enough.
  return broken.includes(undefined) ? [] : broken.slice(0, 1).flatMap((sentence) => sentence ?? []);
}

/** @returns undefined when no window of these times with `last` in it holds more than `max` */
function describeFullest(last: Arrival, times: readonly number[], { max, durationMs }: Limit): string | undefined {
  const starts = times.filter((start) => start <= last.at && last.at < start + durationMs);
  const held = starts.map((start) => times.filter((time) => time >= start && time < start + durationMs).length);
  const fullest = Math.max(0, ...held);
  return fullest <= max
    ? undefined
    : `${fullest} sends arrived within ${durationMs} ms, ${max} may ("${last.text}" at ${last.at})`;
}
