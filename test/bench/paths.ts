// The one table of results: each path of the product against others', measured in one sitting (`npm run bench -- paths`).

import type { Comparison, Listing, SideResult } from './side-by-side.js';

const columns = ['path', 'side', 'per second', 'p50', 'p99', 'CPU of a call', 'Leadwire ÷ side'];

/** @param tables what the benches of the paths printed; those that name their path become rows */
export function describePaths(tables: readonly (Comparison | Listing)[]): Listing {
  const comparisons = tables.flatMap((table) => ('sides' in table && table.path !== undefined ? [table] : []));
  return {
    title: 'Results by path',
    columns,
    rows: comparisons.flatMap(({ path = '', sides }) =>
      sides.map((side, index) => rowOf(index === 0 ? path : '', side)),
    ),
    notes: [
      'CPU is that of the server and PostgreSQL together. A ratio is of calls a second, or of p99 at half load: the median of the rounds, with ' +
        'the lowest and the highest.',
    ],
  };
}

function rowOf(path: string, { name, perSecond, p50Ms, p99Ms, cpuUs, ratio }: SideResult): string[] {
  const percent = (value: number) => (value * 100).toFixed(0);
  return [
    path,
    name,
    perSecond.toFixed(0),
    `${p50Ms.toFixed(1)} ms`,
    `${p99Ms.toFixed(1)} ms`,
    cpuUs === undefined ? '–' : `${cpuUs.toFixed(0)} µs`,
    ratio === undefined ? '–' : `${percent(ratio.median)} % (${percent(ratio.lowest)}–${percent(ratio.highest)})`,
  ];
}
