// What a case promises, judged by what its gateway saw: the limit, the order, and each message once. Sentences on what was broken.

import type { Limit, PlannedMessage } from './paced-case.js';
import { retryAfterSeconds } from './paced-gateway.js';
import type { Arrival } from './paced-gateway.js';
import type { Grant } from './worker-group.js';

/** When a limit may have been in force, in milliseconds since 1970; the moment of a change belongs to both. */
export interface LimitPeriod {
  limit: Limit | null;
  from: number;
  to: number;
}

export interface SentMessage extends PlannedMessage {
  /** As `sendMessage` gave it. */
  id: string;
  /** At the end. */
  status: string;
}

export interface PlayedCase {
  /** Each lead's, in the order of acceptance. */
  leads: SentMessage[][];
  limits: LimitPeriod[];
  /** In their order. */
  arrivals: Arrival[];
  grants: Grant[];
  /** Messages that a killed worker had in its hands: they may arrive again at any time. */
  abandonedKeys: ReadonlySet<string>;
}

type GrantedArrival = Arrival & { grantedAt: number };

// Clocks of one machine, read in whole milliseconds on one side.
const clockGrainMs = 1;
const isTemporary: Record<Arrival['answer'], boolean> = {
  tooMany: true,
  unavailable: true,
  hang: true,
  reset: true,
  accepted: false,
  refused: false,
};

/** @returns nothing when every promise was kept */
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

/** A lead's message arrives first after those before it are done: accepted, or refused for the last time. */
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
 * Each send is judged by the limit that was in force when it was granted: every window of that length which holds it, and holds
 * nothing that was granted later. Without a change these are all windows. What is granted after a change thus keeps the new limit,
 * with all that was sent before it; what was granted before it and arrives after it is judged by the old one.
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
  // At the moment of a change either limit will do.
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
