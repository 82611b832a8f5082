// Repeats a fault of a cluster, under a heavier load: a thousand calls of intake a second beside sends, clients of the live feed
// and operators who read.

import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultCase } from '../faults/fault-cases.js';
import type { FaultStage, StagePostgres } from '../faults/fault-stage.js';
import type { StageLoad, StageLoadOptions } from '../faults/stage-load.js';
import { judge, play, recoveryOf } from './played-fault.js';
import type { Listing } from './side-by-side.js';

const perSecond = 1_000;
/** A thousand calls a second come from many tenants, as a rule. */
const tenantCount = 16;
/** The tenants beside the one that sends. */
export const furtherTenantCount = tenantCount - 1;
const connections = 16;
const loadOptions = {
  intake: { connections, pauseMs: 0, perSecond: perSecond / tenantCount },
  readerCount: 4,
} satisfies StageLoadOptions;
/** The load has its rate by then. */
const warmUpMs = 5_000;
const steadyMs = 5_000;

interface Round {
  /** Calls of intake that were acknowledged in a second before the fault. */
  rate: number;
  lost: number;
  doubled: number;
  /** Seconds from the promotion on. */
  intake: number;
  everyKind: number;
  sending: number;
  sockets: number;
  loadAverage: number;
  isWell: boolean;
}

/** Strikes `times` times. Between two times the cluster gets whole again, and everything that waits leaves. */
export async function playRepeatedly<Postgres extends StagePostgres>(
  stage: FaultStage<Postgres>,
  fault: FaultCase<Postgres>,
  times: number,
): Promise<{ listing: Listing; isWell: boolean }> {
  const rounds: Round[] = [];
  for (let number = 1; number <= times; number += 1) {
    const round = await playRound(stage, fault, `${fault.name} ${number}`);
    rounds.push(round);
    process.stderr.write(`faults: ${fault.name} ${number} of ${times}: ${JSON.stringify(round)}\n`);
  }
  return { listing: listingOf(fault, rounds), isWell: rounds.every(({ isWell }) => isWell) };
}

async function playRound<Postgres extends StagePostgres>(
  stage: FaultStage<Postgres>,
  fault: FaultCase<Postgres>,
  prefix: string,
): Promise<Round> {
  let rate = 0;
  const settle = async (load: StageLoad) => {
    rate = await measureRate(load);
  };
  const played = await play(stage, fault, { ...loadOptions, prefix, settle });
  const [loadAverage = 0] = loadavg();
  await stage.untilNothingWaits();
  const { lost, doubled, complaints } = await judge(stage, played);
  const { intake, 'every kind of call': everyKind, sending } = recoveryOf(stage, played);
  const sockets = Math.max(0, played.load.feedsGoOnAfter(played.endedAtMs) - played.endedAtMs) / 1_000;
  const isWell = complaints.length === 0;
  return { rate, lost: Number(lost), doubled, intake, everyKind, sending, sockets, loadAverage, isWell };
}

async function measureRate(load: StageLoad): Promise<number> {
  await delay(warmUpMs);
  const before = load.intakeCount;
  await delay(steadyMs);
  return ((load.intakeCount - before) * 1_000) / steadyMs;
}

function listingOf(fault: { name: string; title: string }, rounds: readonly Round[]): Listing {
  const sum = (key: 'lost' | 'doubled') => String(rounds.reduce((total, round) => total + round[key], 0));
  const spread = (key: Exclude<keyof Round, 'isWell'>, digits: number, unit = '') => {
    const sorted = rounds.map((round) => round[key]).toSorted((one, other) => one - other);
    const at = (share: number) => (sorted[Math.ceil(share * (sorted.length - 1))] ?? 0).toFixed(digits);
    return [at(0), at(0.5), at(1)].map((value) => `${value}${unit}`);
  };
  const seconds = (name: string, key: Exclude<keyof Round, 'isWell'>) => [name, ...spread(key, 2, ' s')];
  return {
    title: `${rounds.length} times: ${fault.title}`,
    columns: ['', 'least', 'median', 'most'],
    rows: [
      ['calls of intake acknowledged in a second, before', ...spread('rate', 0)],
      seconds('first acknowledged call of intake', 'intake'),
      seconds('every kind of call', 'everyKind'),
      seconds('first new message at the gateway', 'sending'),
      seconds('every client of the live feed goes on', 'sockets'),
      ['load average of the machine', ...spread('loadAverage', 1)],
    ],
    notes: [
      `lost in all: ${sum('lost')}; doubled in all: ${sum('doubled')}; times with any other fault: ${rounds.filter(({ isWell }) => !isWell).length}`,
      `Seconds count from the promotion. Asked for: ${perSecond} calls of intake a second for ${tenantCount} tenants over ${tenantCount * connections} connections, ` +
        `beside sends and the other calls of the faults above, and ${loadOptions.readerCount} clients of the live feed. Each has every event once, without a gap.`,
      `\`npm run faults -- ${fault.name} --times ${rounds.length}\``,
    ],
  };
}
