// The cost of authentication: one GraphQL request that needs no database, with and without a Bearer token.

import { setTimeout as delay } from 'node:timers/promises';
import { HttpLoad } from './load.js';
import { withClient } from './postgres.js';
import { startProduct } from './product.js';
import { measureSideBySide, type Bench, type BenchContext, type Comparison, type Side } from './side-by-side.js';

const path = '/graphql';
const connections = 64;
const rounds = 5;
const roundMs = 3_000;
const warmUpMs = 700;
// PostgreSQL's processes report their counts when they have been idle for 10 s.
const countsSettleMs = 11_000;

export const authenticationBench: Bench = { name: 'authentication', run: runAuthentication };

async function runAuthentication(context: BenchContext): Promise<Comparison[]> {
  const { signal, progress } = context;
  const { url, databaseUrl, tenant } = await startProduct(context);
  const body = JSON.stringify({ query: '{ __typename }' });
  const json = { 'content-type': 'application/json' };
  const loadOf = (headers: Record<string, string>) => {
    const nextRequest = () => ({ body, headers: { ...json, ...headers } });
    return new HttpLoad({ url, path, method: 'POST', connections, nextRequest, expected: '"Query"', signal });
  };
  const loads = { 'with a Bearer token': loadOf({ authorization: `Bearer ${tenant.token}` }), without: loadOf({}) };
  const transactions = new Map<string, number>();
  const [first, ...others] = Object.entries(loads).map(([name, load]): Side => ({
    name,
    warmUp: () => load.warmUp(warmUpMs),
    measure: async () => {
      // Counting waits for PostgreSQL, so it is done in the first round only.
      if (transactions.has(name)) return load.measure(roundMs);
      const before = await countTransactions(databaseUrl, signal);
      const answered = load.answeredCount;
      const figures = await load.measure(roundMs);
      const after = await countTransactions(databaseUrl, signal);
      const share = (after - before) / (load.answeredCount - answered);
      transactions.set(name, share);
      return figures;
    },
  }));
  if (first === undefined) throw new Error('there is no side to measure');
  const sides = await measureSideBySide([first, ...others], { rounds, signal, progress });
  const comparison = {
    title: `Authentication: \`POST ${path}\` \`{ __typename }\``,
    sides,
    notes: [
      `${connections} connections, ${rounds} rounds of about ${roundMs / 1_000} s a side in turn, one process.`,
      `Database transactions for each request, the process's own timers included, in the first round: ${describe(transactions)}.`,
    ],
  };
  return [comparison];
}

async function countTransactions(databaseUrl: string, signal: AbortSignal): Promise<number> {
  await delay(countsSettleMs, undefined, { signal });
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      'SELECT xact_commit AS count FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0]?.count);
  });
}

function describe(transactions: ReadonlyMap<string, number>): string {
  return [...transactions].map(([name, share]) => `${share.toFixed(4)} (${name})`).join(', ');
}
