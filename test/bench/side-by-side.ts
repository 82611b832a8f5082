// Compares sides within one run: the sides take turns, so that what slows the machine slows them all, and medians are
// quoted. What a side does in its turn belongs to the benches.

import type { BenchPostgres } from './postgres.js';

/** One thing that is measured against baselines. */
export interface Bench {
  /** As given on the command line. */
  readonly name: string;
  run(context: BenchContext): Promise<Comparison>;
}

export interface BenchContext {
  postgres: BenchPostgres;
  /** Takes whatever has to be stopped or removed at the end; the last one taken goes first. */
  resources: AsyncDisposableStack;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Says on standard error how far the bench is. */
  progress(line: string): void;
}

export interface Comparison {
  /** What was done, as the table's caption. */
  title: string;
  /** The product first. */
  sides: SideResult[];
  /** Conditions that a reader needs to judge the figures. */
  notes: string[];
}

/** One turn of one side. */
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
  /** The product's throughput divided by this side's, round by round; undefined for the product itself. */
  productRatio: { median: number; lowest: number; highest: number } | undefined;
}

export interface SideBySideOptions {
  rounds: number;
  signal: AbortSignal;
  progress: (line: string) => void;
}

/** Gives each side its turn in every round: A B C, A B C, … The product's side is the first. */
export async function measureSideBySide(
  sides: readonly [Side, ...Side[]],
  { rounds, signal, progress }: SideBySideOptions,
): Promise<SideResult[]> {
  const figures = sides.map((): RoundFigures[] => []);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, side] of sides.entries()) {
      signal.throwIfAborted();
      await side.warmUp();
      const measured = await side.measure();
      figures[index]?.push(measured);
      progress(`round ${round} of ${rounds}, ${side.name}: ${measured.perSecond.toFixed(0)}/s`);
    }
  }
  const product = figures[0] ?? [];
  return sides.map((side, index) => summarise(side.name, figures[index] ?? [], index === 0 ? undefined : product));
}

function summarise(name: string, rounds: RoundFigures[], product: RoundFigures[] | undefined): SideResult {
  const ratios = product?.map(({ perSecond }, round) => perSecond / (rounds[round]?.perSecond ?? Number.NaN));
  return {
    name,
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    productRatio: ratios && { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) },
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
