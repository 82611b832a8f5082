// The time that callers wait at half of a server's maximum.

import { confirmStored, type CountedServer, type LoadedOptions } from './loaded-server.js';
import type { PacedLoad } from './paced-load.js';
import { measureSideBySide, type RoundFigures, type Side, type SideResult } from './side-by-side.js';

export interface PacedServer extends CountedServer {
  load: PacedLoad;
  /** The maximum, as it was measured before. */
  maximumPerSecond: number;
}

/**
 * Measures the product at half of its own maximum, and the baseline at half of its own. The product also runs at the baseline's rate, so
 * that both carry the same load. The ratio is the p99 of the product's sides divided by the baseline's.
 */
export async function measureAtHalf(
  product: PacedServer,
  baseline: PacedServer,
  { warmUpMs, roundMs, ...options }: LoadedOptions,
): Promise<SideResult[]> {
  const sideOf = ({ name, load }: PacedServer, other: PacedServer): Side => {
    const perSecond = Math.max(1, Math.floor(other.maximumPerSecond / 2));
    return {
      name: `${name}, at half of ${name === other.name ? 'its own maximum' : `the maximum of ${other.name}`}`,
      warmUp: async () => void (await load.measure(perSecond, warmUpMs)),
      measure: () => load.measure(perSecond, roundMs),
    };
  };
  const sides = [sideOf(product, product), sideOf(product, baseline), sideOf(baseline, baseline)] as const;
  return confirmStored([product, baseline], () => measureSideBySide(sides, { ...options, ratio: p99ToLast }));
}

function p99ToLast(round: readonly RoundFigures[], sideIndex: number): number | undefined {
  const [side, last] = [round[sideIndex], round.at(-1)];
  return side === undefined || last === undefined || side === last ? undefined : side.p99Ms / last.p99Ms;
}
