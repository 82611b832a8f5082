// The reads that one replica adds to the inbox. Each PostgreSQL is held to a share of a core, so that it bounds the reads; the api
// processes get the rest of theirs.

import { canHoldToShare, holdToShare } from './cpu-share.js';
import { listPages, loadedWith, serverOf, startFilled } from './inbox.bench.js';
import { measureLoaded, settle } from './loaded-server.js';
import { pidOn, serverPids } from './postgres-processes.js';
import { timingOf, type Bench, type BenchContext, type Comparison, type Timing } from './side-by-side.js';

const messageCount = 200_000;
/** A tenth of a core is the least share that Linux holds to. */
const databaseShare = 0.1;
const apiShare = 0.9;
const timing: Timing = { rounds: 5, roundMs: 4_000, warmUpMs: 1_000 };
/** The time until the code of both processes is optimised, which takes minutes once they are held. */
const freeWarmUpMs = 10_000;

export const replicasBench: Bench = { name: 'replicas', run: runReplicas };

async function runReplicas(context: BenchContext): Promise<Comparison[]> {
  const { resources, postgres, signal, isBrief } = context;
  const pids: number[] = [];
  const product = await startFilled(
    context,
    { databaseName: 'product', onSpawn: (pid) => pids.push(pid) },
    messageCount,
  );
  const replica = await postgres.startReplica(resources);
  const environment = { DATABASE_REPLICA_URL: replica.databaseUrl('product') };
  const url = await product.startAnother('api', environment);
  await settle([product.databaseUrl]);
  const servers = [serverOf('one replica', { ...product, url }, signal), serverOf('none', product, signal)];
  const sides = await Promise.all(servers.map(async (server) => loadedWith(server, await listPages(server))));
  for (const { load } of sides) await load.warmUp(isBrief === true ? 100 : freeWarmUpMs);
  if (canHoldToShare()) {
    for (const server of [product.databaseUrl, replica.databaseUrl('product')])
      resources.defer(await holdToShare(await serverPids(await pidOn(server)), databaseShare));
    for (const pid of pids) resources.defer(await holdToShare([pid], apiShare));
  }
  const share = canHoldToShare() ? `each PostgreSQL held to ${databaseShare * 100} % of a core` : 'no bounds';
  return [
    {
      title: `Inbox with one read replica against none, ${share}: pages in turn`,
      sides: await measureLoaded(sides, { ...context, ...timingOf(context, timing) }),
      ratioTitle: 'one replica ÷ none',
      notes: [
        `One api process on each side, held to ${apiShare * 100} % of a core; both on one primary, in turn. ${timing.rounds} rounds of about ` +
          `${timing.roundMs / 1_000} s a side. Nothing is written meanwhile but what a process writes by itself.`,
      ],
    },
  ];
}
