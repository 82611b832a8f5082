// Plays a fault under load: it strikes a stage, everything goes on, and its toll is counted once nothing waits any more.

import type { FaultCase } from '../faults/fault-cases.js';
import { neighbourLimit, type FaultStage, type StagePostgres } from '../faults/fault-stage.js';
import type { ServiceProcess } from '../faults/service-process.js';
import { StageLoad, fullestWindow, type StageLoadOptions } from '../faults/stage-load.js';
import type { LossWindow } from '../faults/toll.js';

const wellOutcomes = new Set(['200', '201', 'OK']);
const complaintsShown = 10;
/** The calls acknowledged before a fault, so that it meets a service at work. */
const callsBefore = 50;

export interface FaultResult {
  fault: Pick<FaultCase, 'name' | 'title'>;
  saw: string;
  lost: string;
  doubled: number;
  recovery: string;
  complaints: string[];
}

/** The known effects of a fault before all accepted messages have left. */
export interface PlayedFault<Postgres extends StagePostgres> {
  fault: FaultCase<Postgres>;
  load: StageLoad;
  /** The processes that lived meanwhile, each with the number of lines that it had written before. */
  processes: Map<ServiceProcess, number>;
  struckAtMs: number;
  endedAtMs: number;
  recoveredAtMs: number;
  /** The time in which the primary acknowledged what was lost with it. */
  window: LossWindow | undefined;
}

export interface PlayOptions extends StageLoadOptions {
  /** Keeps the calls of two loads apart. Default: the fault's name. */
  prefix?: string;
  /** Resolves when the fault may strike. Default: after some calls, so that it meets a service at work. */
  settle?: (load: StageLoad) => Promise<void>;
}

const untilAtWork = (load: StageLoad) => load.intake.untilAcknowledged(callsBefore);

/**
 * Strikes the stage under load. Resolves once every kind of call has succeeded again.
 * @param options another load than the usual one
 */
export async function play<Postgres extends StagePostgres>(
  stage: FaultStage<Postgres>,
  fault: FaultCase<Postgres>,
  { prefix = fault.name, settle = untilAtWork, ...options }: PlayOptions = {},
): Promise<PlayedFault<Postgres>> {
  await fault.prepare?.(stage);
  // Lines that an earlier fault made a process write belong to that fault.
  const before = [stage.api, stage.worker].map((process) => [process, process.lineCount] as const);
  const load = new StageLoad(stage, prefix, options);
  try {
    await load.watch();
    await settle(load);
    const struckAtMs = performance.now();
    const ended = (await fault.strike(stage, load)) ?? performance.now();
    const { endedAtMs, window } = typeof ended === 'number' ? { endedAtMs: ended, window: undefined } : ended;
    await load.untilAllGoesOn(endedAtMs);
    const recoveredAtMs = performance.now();
    await load.finish();
    const processes = new Map([[stage.api, 0] as const, [stage.worker, 0] as const, ...before]);
    return { fault, load, processes, struckAtMs, endedAtMs, recoveredAtMs, window };
  } catch (error) {
    load.stopReaders();
    throw error;
  } finally {
    load.stop();
  }
}

/** Judges a fault once nothing waits any more. */
export async function judge<Postgres extends StagePostgres>(
  stage: FaultStage<Postgres>,
  played: PlayedFault<Postgres>,
): Promise<FaultResult> {
  const { fault, load, processes, window } = played;
  const { lost, gone, doubled, disordered } = await load.readToll(window);
  const fullest = fullestWindow(stage.healthyGateway.acceptances);
  const complaints = [
    ...lost.map((name) => `lost: ${name}`),
    ...doubled.map((name) => `doubled: ${name}`),
    ...disordered.map((name) => `out of order: ${name}`),
    ...(fullest > neighbourLimit.max ? [`a window of the neighbour's limit held ${fullest}`] : []),
    ...(window === undefined && load.resyncCount > 0 ? ['a client of the feed had to read again'] : []),
    ...(window !== undefined && load.resyncCount < 2 ? ['the clients of the feed were not ahead of the standby'] : []),
    ...[...processes].flatMap(([process, lineCount]) => complaintsOf(process, lineCount)),
  ];
  for (const complaint of complaints.slice(0, complaintsShown))
    process.stderr.write(`faults: ${fault.name}: ${complaint}\n`);
  const saw = describeSeen(played);
  return {
    fault,
    saw,
    lost:
      window === undefined ? String(lost.length) : `${lost.length} that the standby had, ${gone.length} that it lacked`,
    doubled: doubled.length,
    recovery: describeRecovery(recoveryOf(stage, played)),
    complaints,
  };
}

function complaintsOf(process: ServiceProcess, lineCount: number): string[] {
  const { faults, crash } = process.complaintsSince(lineCount);
  return [...faults, crash].filter((text) => text !== '');
}

// Kinds of calls that all went well stand together.
function describeSeen({
  load,
  struckAtMs: fromMs,
  recoveredAtMs: toMs,
}: Omit<PlayedFault<StagePostgres>, 'fault'>): string {
  const kinds = Object.entries(load.logs).map(([name, log]) => ({ name, counts: log.outcomes(fromMs, toMs) }));
  const isWell = ({ counts }: { counts: Map<string, number> }) =>
    [...counts.keys()].every((outcome) => wellOutcomes.has(outcome));
  const troubled = kinds.filter((kind) => !isWell(kind)).map(({ name, counts }) => `${name} ${renderCounts(counts)}`);
  const wellCount = kinds.filter(isWell).flatMap(({ counts }) => [...counts.values()]);
  const total = wellCount.reduce((sum, count) => sum + count, 0);
  const well = total === 0 ? [] : [`${troubled.length === 0 ? 'everything' : 'all else'} well × ${total}`];
  const delays = load.neighbourDelaysMs(fromMs, toMs);
  const slowest =
    delays.length === 0 ? [] : [`the neighbour's messages left within ${Math.max(...delays).toFixed(0)} ms`];
  return [...troubled, ...well, ...slowest].join('; ');
}

function renderCounts(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([outcome, count]) => `${outcome} × ${count}`).join(', ');
}

/** The time from the end of the fault to each moment of the recovery, in seconds. */
export function recoveryOf<Postgres extends StagePostgres>(
  { gateway }: FaultStage<Postgres>,
  { load, endedAtMs }: Omit<PlayedFault<Postgres>, 'fault'>,
) {
  const firstOf = (name: string) => load.logs[name]?.acknowledgedAfter(endedAtMs) ?? Infinity;
  const moments = {
    intake: firstOf('intake'),
    'every kind of call': Math.max(...Object.keys(load.logs).map(firstOf)),
    ready: firstOf('readiness'),
    sending: gateway.acceptedAfter(endedAtMs) ?? Infinity,
    'nothing waits': load.lastLeftAtMs,
  };
  const seconds = Object.entries(moments).map(([name, atMs]) => [name, Math.max(0, atMs - endedAtMs) / 1_000]);
  return Object.fromEntries(seconds) as typeof moments;
}

const describeRecovery = (recovery: Record<string, number>): string =>
  Object.entries(recovery)
    .map(([name, seconds]) => `${name} ${seconds.toFixed(2)} s`)
    .join(', ');
