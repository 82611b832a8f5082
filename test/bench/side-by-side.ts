// Compares sides within one run. The sides take turns, so that a slow moment of the machine slows them all, and the results are
// medians. The benches define what a side does in its turn.

import type { BenchPostgres } from './postgres.js';
import type { ProductVersion } from './product-version.js';

/** A measurement that `npm run bench` runs by its name. */
export interface Bench {
  /** The name on the command line. */
  readonly name: string;
  run(context: BenchContext): Promise<(Comparison | Listing)[]>;
}

export interface BenchContext {
  postgres: BenchPostgres;
  /** The resources to stop or remove at the end; the last one added goes first. */
  resources: AsyncDisposableStack;
  /** The signal that Ctrl-C aborts. */
  signal: AbortSignal;
  /** Reports on standard error how far the bench is. */
  progress(line: string): void;
  /** `--before`: the version that this one is compared with, by the benches that can. */
  before?: ProductVersion | undefined;
  /** `--seconds`: how long each attack lasts. */
  attackSeconds?: number | undefined;
  /** `--attack`: a regular expression; attacks whose names it does not match are left out. */
  attackNames?: string | undefined;
  /** `--minutes`: how long memory is measured, by the benches that measure it. */
  minutes?: number | undefined;
  /** `--rounds`: how many rounds the sides take turns in; each bench has its own default. */
  rounds?: number | undefined;
  /** `--messages`: how many messages are stored, by the bench of years. */
  messages?: number | undefined;
  /** `--keep`: a folder in which the databases of that bench stay. */
  keptIn?: string | undefined;
  /** `--path`: a regular expression; paths of that bench whose names it does not match are left out. */
  pathNames?: string | undefined;
  /** `--brief`: everything is done once and briefly. It tests the bench, and its figures say nothing. */
  isBrief?: boolean | undefined;
}

/** The number and the length of the measurements. */
export interface Timing {
  rounds: number;
  roundMs: number;
  warmUpMs: number;
}

const briefTiming: Timing = { rounds: 1, roundMs: 200, warmUpMs: 50 };

/** The bench's own timing, with the rounds of `--rounds`; or the brief one of `--brief`. */
export function timingOf({ isBrief = false, rounds }: BenchContext, timing: Timing): Timing {
  return isBrief ? briefTiming : { ...timing, rounds: rounds ?? timing.rounds };
}

export interface Comparison {
  /** The table's caption. */
  title: string;
  /** The path of the product in the table of all paths; none where it is not part of it. */
  path?: string;
  sides: SideResult[];
  /** The meaning of the ratio; by default, the first side's throughput divided by the side's. */
  ratioTitle?: string;
  /** Conditions that a reader needs to judge the figures. */
  notes: string[];
}

/** Figures of one server by itself, with columns of their own. */
export interface Listing {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  notes: string[];
}

/** The figures of a side's turn. */
export interface RoundFigures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Side {
  readonly name: string;
  /** Brings the side up to speed before its turn is measured. */
  warmUp(): Promise<void>;
  /** @throws when an answer was wrong or missing */
  measure(): Promise<RoundFigures>;
}

/** Medians over the rounds. */
export interface SideResult extends RoundFigures {
  name: string;
  /** The ratio over the rounds; undefined for the side that the others are compared with. */
  ratio: { median: number; lowest: number; highest: number } | undefined;
  /** The CPU of a call in microseconds, of the server and PostgreSQL together, where it was measured. */
  cpuUs?: number | undefined;
}

/** The ratio of a side to another in one round; undefined for the side that the others are compared with. */
export type RoundRatio = (round: readonly RoundFigures[], sideIndex: number) => number | undefined;

export interface SideBySideOptions {
  rounds: number;
  signal: AbortSignal;
  progress: (line: string) => void;
  /** By default the first side's throughput divided by the side's. */
  ratio?: RoundRatio;
}

/** Gives each side its turn in every round, and goes back the way it came: A B C, C B A, … No side always follows the same one. */
export async function measureSideBySide(
  sides: readonly [Side, ...Side[]],
  { rounds, signal, progress, ratio = ratioOfFirst }: SideBySideOptions,
): Promise<SideResult[]> {
  const figures: RoundFigures[][] = [];
  for (let number = 1; number <= rounds; number += 1) {
    const round: RoundFigures[] = [];
    const turns = [...sides.entries()];
    for (const [index, side] of number % 2 === 1 ? turns : turns.reverse()) {
      signal.throwIfAborted();
      await side.warmUp();
      const measured = await side.measure();
      round[index] = measured;
      progress(`round ${number} of ${rounds}, ${side.name}: ${describe(measured)}`);
    }
    figures.push(round);
  }
  return sides.map(({ name }, index) => summarise(name, figures, index, ratio));
}

function ratioOfFirst(round: readonly RoundFigures[], sideIndex: number): number | undefined {
  const [first, side] = [round[0], round[sideIndex]];
  return sideIndex === 0 || first === undefined || side === undefined ? undefined : first.perSecond / side.perSecond;
}

function describe({ perSecond, p50Ms, p99Ms }: RoundFigures): string {
  return `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
}

function summarise(name: string, rounds: readonly RoundFigures[][], index: number, ratio: RoundRatio): SideResult {
  const turns = rounds.flatMap((round) => round[index] ?? []);
  const ratios = rounds.flatMap((round) => ratio(round, index) ?? []);
  return {
    name,
    perSecond: median(turns.map(({ perSecond }) => perSecond)),
    p50Ms: median(turns.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(turns.map(({ p99Ms }) => p99Ms)),
    ratio:
      ratios.length === 0
        ? undefined
        : { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) },
  };
}

/** The middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  return percentile(Float64Array.from(values).sort(), 0.5);
}

/** The value below which `fraction` (0 to 1) of the sorted values lie, interpolated. @throws RangeError without values */
export function percentile(sorted: Float64Array, fraction: number): number {
  const position = (sorted.length - 1) * fraction;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new RangeError('nothing was measured');
  return below + (above - below) * (position - Math.floor(position));
}
