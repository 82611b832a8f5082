// The faults of a cluster's machines, which strike a stage under load. After each, the cluster is whole again before the next.

import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../features/messages/sending-harness.js';
import type { FaultCase } from './fault-cases.js';
import type { FaultStage } from './fault-stage.js';
import type { PostgresCluster } from './postgres-cluster.js';
import { askReadiness } from './steady-caller.js';

/** Longer than Patroni lets a primary go on without etcd. */
const etcdLostMs = 15_000;
/** Longer than commits wait until Patroni gives a dead standby up. */
const standbyLostMs = 10_000;

const behindMs = 2_000;
const redisLostMs = 3_000;
/** `POST /auth/token` takes 10 in a minute from an address. */
const signInLimit = { max: 10, triedCount: 15 };
const diskFullMs = 15_000;

/** Each is repaired before the load of the next begins. */
const prepare = ({ postgres }: FaultStage<PostgresCluster>) => postgres.untilWhole();

/** A cluster whose members have machines of their own. */
export const machineCases: readonly FaultCase<PostgresCluster>[] = [
  {
    name: 'primary-partitioned',
    title: 'the primary’s machine loses its network, and gets it back when the standby has taken over',
    prepare,
    strike: ({ postgres }) => postgres.partitionPrimary(),
  },
  {
    name: 'disk-full-primary',
    title: 'the primary’s disk is full for 15 s',
    prepare,
    strike: ({ postgres }) => postgres.fillPrimaryDisk(diskFullMs),
  },
];

/** A cluster whose commits wait for no standby. */
export const asynchronousCases: readonly FaultCase<PostgresCluster>[] = [
  {
    name: 'async-primary-lost',
    title: 'the primary’s machine dies for good, and its asynchronous standby, which is 2 s behind, takes over',
    prepare,
    strike: ({ postgres }, load) => postgres.losePrimary(behindMs, () => load.cutReader()),
  },
];

export const clusterCases: readonly FaultCase<PostgresCluster>[] = [
  {
    name: 'switchover',
    title: 'the primary gives its role to the standby',
    prepare,
    strike: ({ postgres }) => postgres.switchOver(),
  },
  {
    name: 'primary-killed',
    title: 'the primary’s machine dies, and its synchronous standby takes over',
    prepare,
    strike: ({ postgres }) => postgres.killPrimary(),
  },
  {
    name: 'primary-paused',
    title: 'the primary’s machine stands still until the standby has taken over, and comes back as a zombie',
    prepare,
    strike: ({ postgres }) => postgres.pausePrimary(),
  },
  {
    name: 'standby-lost',
    title: 'the synchronous standby’s machine dies',
    prepare,
    strike: async ({ postgres }) => {
      await postgres.killStandby();
      await delay(standbyLostMs);
    },
  },
  {
    name: 'etcd-lost',
    title: 'etcd is away for 15 s, so that no member may be primary',
    prepare,
    strike: ({ postgres }) => postgres.withoutEtcd(() => delay(etcdLostMs)),
  },
  {
    name: 'redis-failover',
    title: 'Redis dies; its replica takes over after 3 s, behind the same address',
    prepare: async (stage) => {
      await prepare(stage);
      await stage.useRedisPair();
    },
    strike: failOverRedis,
  },
];

/** While Redis is away, the process for callers counts for itself. Afterwards the counts of before go on. */
async function failOverRedis({ url, redisPair }: FaultStage<PostgresCluster>): Promise<number> {
  if (redisPair === undefined) throw new Error('the stage has no second Redis');
  const { max, triedCount } = signInLimit;
  const tries = { before: await passSignIns(url, triedCount), meanwhile: 0, after: 0 };
  const endedAtMs = await redisPair.failOver(async () => {
    await delay(redisLostMs);
    tries.meanwhile = await passSignIns(url, triedCount);
  });
  await until(
    () => askReadiness(url),
    ({ isAcknowledged }) => isAcknowledged,
  );
  tries.after = await passSignIns(url, triedCount);
  if (tries.before > max || tries.meanwhile > max || tries.after > 0)
    throw new Error(`a limit of ${max} let through ${JSON.stringify(tries)}`);
  return endedAtMs;
}

/** @returns the number of sign-ins from one address that its limit let through */
async function passSignIns(url: string, count: number): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '10.255.0.1' };
  let passed = 0;
  for (let number = 0; number < count; number += 1) {
    const response = await fetch(`${url}/auth/token`, { method: 'POST', headers, body: '{}' });
    await response.arrayBuffer();
    if (response.status !== 429) passed += 1;
  }
  return passed;
}
