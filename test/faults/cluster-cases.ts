// The faults of a cluster's machines, which strike a stage under load. After each, the cluster is whole again before the next.

import { setTimeout as delay } from 'node:timers/promises';
import type { FaultCase } from './fault-cases.js';
import type { PostgresCluster } from './postgres-cluster.js';

/** Longer than Patroni lets a primary go on without etcd. */
const etcdLostMs = 15_000;
/** Longer than commits wait until Patroni gives a dead standby up. */
const standbyLostMs = 10_000;

/** Each is repaired before the load of the next begins. */
const prepare: FaultCase<PostgresCluster>['prepare'] = ({ postgres }) => postgres.untilWhole();

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
];
