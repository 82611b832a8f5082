// The effect of an upgrade without a stop on callers: the previous version and this one on one database under load, against a quiet span of
// the same run.

import { RollingUpgrade } from '../faults/rolling-upgrade.js';
import { buildVersionBefore } from '../support/version-before.js';
import { percentile, type Bench } from './side-by-side.js';

const spanMs = 15_000;
const briefSpanMs = 1_000;

export const upgradeBench: Bench = {
  name: 'upgrade',
  async run({ postgres, resources, before, isBrief = false, progress }) {
    const version = before ?? (await buildVersionBefore(resources));
    if (typeof version === 'string') throw new Error(`There is no version before: ${version}.`);
    const database = { url: await postgres.createDatabase('upgrade'), drop: async () => undefined };
    progress('both versions under load');
    const result = await RollingUpgrade.play(
      { database, oldFolder: version.folder, spanMs: isBrief ? briefSpanMs : spanMs },
      resources,
    );
    const { toll, spans, migrations, faults } = result;
    const rows = Object.entries(result.logs).map(([name, log]) => {
      const [quiet, upgrade] = [spans.quiet, spans.upgrade].map(({ fromMs, toMs }) => log.tookMs(fromMs, toMs));
      const [p50s, p99s] = [0.5, 0.99].map((part) =>
        [quiet, upgrade].map((times = []) => percentile(Float64Array.from(times), part)),
      ) as [number[], number[]];
      const outcomes = [...log.outcomes()].map(([outcome, count]) => `${outcome} × ${count}`).join(', ');
      const pair = (figures: number[]) => figures.map((ms) => `${ms.toFixed(0)} ms`).join(' → ');
      return [name, outcomes, pair(p50s), pair(p99s), ((p99s[1] ?? 0) / (p99s[0] ?? 1)).toFixed(1)];
    });
    return [
      {
        title: 'An upgrade under load',
        columns: ['calls', 'how they ended', 'p50, quiet → upgrade', 'p99, quiet → upgrade', 'ratio'],
        rows,
        notes: [
          `Lost ${toll.lost.length}, doubled ${toll.doubled.length}, out of order ${toll.disordered.length}, faults in the logs ${faults.length}. Migrations under load: ${migrations.length}.`,
          `Quiet: ${(spanMs / 1_000).toFixed(0)} s of the version before. Upgrade: from the start of the new processes, one after the other, until the old ones have ended (${((spans.upgrade.toMs - spans.upgrade.fromMs) / 1_000).toFixed(0)} s). All share one machine.`,
        ],
      },
    ];
  },
};
