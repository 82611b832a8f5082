// The effect on other callers while one tenant, or a stranger, attacks the process that they share, at the default limits.

import { attacks } from './attacks/all-attacks.js';
import { kinds, p99Of } from './attacks/bystanders.js';
import { startSilentDns } from './attacks/silent-dns.js';
import { Stage, messageCount, type Ordeal } from './attacks/stage.js';
import { ProductVersion } from './product-version.js';
import type { Bench, BenchContext, Listing } from './side-by-side.js';

const defaultSeconds = 20;
const bytesPerMegabyte = 1_000_000;

export const attacksBench: Bench = { name: 'attacks', run: runAttacks };

async function runAttacks(context: BenchContext): Promise<Listing[]> {
  const { before, progress, attackSeconds: seconds = defaultSeconds, attackNames = '' } = context;
  const silentDns = await startSilentDns(context.postgres.folder, context.resources);
  const stages = [
    ...(before === undefined ? [] : [await Stage.prepare(context, before, 'attacked_before')]),
    await Stage.prepare(context, ProductVersion.current, 'attacked'),
  ];
  const rows: string[][] = [];
  for (const attack of [undefined, ...attacks.filter(({ name }) => new RegExp(attackNames).test(name))]) {
    const name = attack?.name ?? 'nobody attacks';
    const needsDns = attack?.needsSilentDns === true;
    if (needsDns && silentDns === undefined) {
      rows.push([name, ...columns.slice(1).map(() => 'not possible here')]);
      continue;
    }
    const ordeals: Ordeal[] = [];
    for (const stage of stages) {
      context.signal.throwIfAborted();
      const ordeal = await stage.face(attack, seconds, needsDns ? (silentDns ?? []) : []);
      ordeals.push(ordeal);
      progress(`${name}: ${cellsOf(ordeal).join(', ')}; the attacker: ${JSON.stringify(ordeal.outcomes)}`);
    }
    const cells = ordeals.map(cellsOf);
    rows.push([name, ...columns.slice(1).map((_, index) => cells.map((each) => each[index]).join(' → '))]);
  }
  return [
    {
      title: `Under attack for ${seconds} s: what other tenants notice${before === undefined ? '' : ', before → now'}`,
      columns,
      rows,
      notes: [
        'All limits have their defaults. 12 other tenants bring 10 messages in, 10 leads and 10 statuses a second, open 10 inboxes ' +
          'and send 2 messages; times count from when a call was due, of `send` to its arrival at the gateway. A call without an answer ' +
          'within 15 s failed. The process is new for each attack, and warm.',
        `The attacker's tenant has 5 users and ${messageCount.toLocaleString('en')} messages; strangers come from up to 100 addresses. ` +
          'Memory is the most that the process grew by.',
      ],
    },
  ];
}

const columns = ['attack', ...kinds.map((kind) => `${kind}, p99`), 'failed', 'not ready', 'memory'];

function cellsOf({ timesMs, failures, readiness, grownBytes, hasEnded }: Ordeal): string[] {
  const calls = kinds.reduce((sum, kind) => sum + timesMs[kind].length, 0);
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  const how = failed === 0 ? '' : ` (${[...failures].map(([outcome, count]) => `${outcome} × ${count}`).join(', ')})`;
  const grown = grownBytes === undefined ? '–' : `${(grownBytes / bytesPerMegabyte).toFixed(0)} MB`;
  return [
    ...kinds.map((kind) => `${p99Of(timesMs[kind]).toFixed(0)} ms`),
    failed === 0 ? '0' : `${failed} of ${calls}${how}`,
    readiness.notReady === 0 ? '0' : `${readiness.notReady} of ${readiness.asked}`,
    hasEnded ? `${grown}, then it died` : grown,
  ];
}
