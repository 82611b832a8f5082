// The faults that strike a stage under load, one after the other, and the end of each.

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { until } from '../features/messages/sending-harness.js';
import type { DurablePostgres } from './durable-postgres.js';
import { jumpingClock, type FaultStage, type StagePostgres } from './fault-stage.js';
import { resetting, rubbish, slow, type GatewayFault } from './faulty-gateway.js';
import type { StageLoad } from './stage-load.js';
import type { LossWindow } from './toll.js';

/** The end of a fault that loses what was acknowledged last. */
export interface LossyEnd {
  endedAtMs: number;
  window: LossWindow;
}

export interface FaultCase<Postgres extends StagePostgres = DurablePostgres> {
  /** The name of the case on the command line. */
  name: string;
  /** A description of the fault, for the table. */
  title: string;
  /** Prepares the stage before the load begins. */
  prepare?: (stage: FaultStage<Postgres>) => Promise<void>;
  /** Resolves at the end of the fault. It resolves with that moment where the repair takes time that is part of the recovery. */
  strike: (stage: FaultStage<Postgres>, load: StageLoad) => Promise<number | LossyEnd | void>;
  /** A dead worker's messages wait for the end of its lease, a minute; the next fault need not wait for that. */
  leavesLeases?: boolean;
}

const faultMs = 5_000;
const longPauseMs = 30_000;
const shortPauseMs = 10_000;
const terminationIntervalMs = 200;
const lookIntervalMs = 50;
/** A call that begins in this time gets no answer for 15 s. */
const slowMs = 6_000;
const betweenJumpsMs = 3_000;
/** Sends whose answers the worker has not received when it is killed. */
const sendsUnderWay = 5;

export const faultCases: readonly FaultCase[] = [
  {
    name: 'postgres-killed',
    title: 'PostgreSQL killed (SIGKILL) and started again',
    strike: ({ postgres }) => postgres.kill(),
  },
  {
    name: 'postgres-paused-10s',
    title: 'PostgreSQL stands still (SIGSTOP) for 10 s',
    strike: ({ postgres }) => postgres.freeze(() => delay(shortPauseMs)),
  },
  {
    name: 'postgres-paused-30s',
    title: 'PostgreSQL stands still for 30 s',
    strike: ({ postgres }) => postgres.freeze(() => delay(longPauseMs)),
  },
  {
    name: 'connections-exhausted',
    title: 'no connection to PostgreSQL is left to the service for 5 s',
    strike: takeConnections,
  },
  {
    name: 'connections-terminated',
    title: `all connections ended (pg_terminate_backend) every ${terminationIntervalMs} ms for 5 s`,
    strike: terminateConnections,
  },
  {
    name: 'disk-full',
    title: 'PostgreSQL has no room to write for 5 s',
    strike: ({ postgres }) => postgres.fillDisk(() => delay(faultMs)),
  },
  {
    name: 'redis-killed',
    title: 'Redis killed, and started again (empty) after 5 s',
    strike: async ({ redis }) => {
      await redis.stop();
      await delay(faultMs);
      await redis.start();
    },
  },
  {
    name: 'redis-paused',
    title: 'Redis stands still for 5 s',
    strike: async ({ redis }) => {
      redis.pause();
      await delay(faultMs);
      redis.resume();
    },
  },
  {
    name: 'redis-absent',
    title: 'no Redis when both processes start, and for 5 s after',
    prepare: async (stage) => {
      await stage.redis.stop();
      await stage.restart();
    },
    strike: async ({ redis }) => {
      await delay(faultMs);
      await redis.start();
    },
  },
  {
    name: 'gateway-down',
    title: 'the gateway refuses connections for 5 s',
    strike: async ({ gateway }) => {
      await gateway.goDown();
      await delay(faultMs);
      await gateway.comeBack();
    },
  },
  {
    name: 'gateway-slow',
    title: 'the gateway accepts every other message and answers none for 6 s: each call is given up after 15 s',
    strike: (stage) => misbehave(stage, slow, slowMs),
  },
  {
    name: 'gateway-rubbish',
    title: 'the gateway answers HTML, no HTTP, half an answer, an id that is none for 5 s; it accepts some',
    strike: (stage) => misbehave(stage, rubbish, faultMs),
  },
  {
    name: 'gateway-resetting',
    title: 'the gateway resets or closes every connection for 5 s; it accepts every other message',
    strike: (stage) => misbehave(stage, resetting, faultMs),
  },
  {
    name: 'identity-provider-down',
    title: 'the identity provider refuses connections for 5 s',
    strike: async ({ provider }) => {
      await provider.close();
      await delay(faultMs);
      await provider.open();
    },
  },
  {
    name: 'api-killed',
    title: 'the process for callers killed, and started again at once',
    strike: async (stage) => {
      await stage.api.end('SIGKILL');
      const atMs = performance.now();
      await stage.startApi();
      return atMs;
    },
  },
  {
    name: 'worker-killed',
    title: 'the process that sends killed, and started again at once',
    strike: async (stage) => {
      await stage.worker.end('SIGKILL');
      const atMs = performance.now();
      await stage.startWorker();
      return atMs;
    },
    leavesLeases: true,
  },
  {
    name: 'worker-killed-unanswered',
    title: 'the same between the acceptance by the gateway and our record of it',
    strike: killUnanswered,
    leavesLeases: true,
  },
  {
    name: 'clock-jumps',
    title: 'the clock of both processes an hour ahead for 3 s, an hour behind for 3 s, right again',
    prepare: (stage) => stage.restart({ NODE_OPTIONS: `--import=${jumpingClock}` }),
    strike: async (stage) => {
      await jump(stage, 1);
      await delay(betweenJumpsMs);
      await jump(stage, 2);
      await delay(betweenJumpsMs);
      await jump(stage, 3);
    },
  },
];

async function takeConnections({ postgres }: FaultStage): Promise<void> {
  const taken: pg.Client[] = [];
  try {
    do await postgres.takeEveryConnection(taken);
    while ((await postgres.endConnections()) > 0);
    const end = performance.now() + faultMs;
    while (performance.now() < end) {
      await delay(lookIntervalMs);
      // A server process takes a moment to end, and the service may have taken its connection meanwhile.
      if ((await postgres.endConnections()) > 0) await postgres.takeEveryConnection(taken);
    }
  } finally {
    await Promise.all(taken.map((client) => client.end()));
  }
}

async function terminateConnections({ postgres }: FaultStage): Promise<void> {
  const end = performance.now() + faultMs;
  while (performance.now() < end) {
    await postgres.endConnections();
    await delay(terminationIntervalMs);
  }
}

async function misbehave({ gateway }: FaultStage, faults: readonly GatewayFault[], durationMs: number): Promise<void> {
  gateway.misbehave(faults);
  await delay(durationMs);
  gateway.misbehave([]);
}

async function killUnanswered(stage: FaultStage): Promise<number> {
  stage.gateway.holdAnswers();
  await until(
    () => stage.gateway.heldCount,
    (count) => count >= sendsUnderWay,
  );
  await stage.worker.end('SIGKILL');
  const atMs = performance.now();
  stage.gateway.releaseAnswers();
  await stage.startWorker();
  return atMs;
}

async function jump({ api, worker }: FaultStage, count: number): Promise<void> {
  for (const service of [api, worker]) service.signal('SIGUSR2');
  await Promise.all([api, worker].map((service) => service.untilLogged(`jumped ${count}`)));
}
