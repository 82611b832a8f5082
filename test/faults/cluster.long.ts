// The primary of a cluster dies, or stands still and comes back, under load: its standby takes over, nothing acknowledged is lost, nothing
// is sent twice, and every process goes on by itself. An asynchronous standby lacks what it did not get, and nothing else.

import { redisServerInstalled } from '../support/redis-server.js';
import { asynchronousCases, clusterCases } from './cluster-cases.js';
import type { FaultCase } from './fault-cases.js';
import { FaultStage } from './fault-stage.js';
import { clusterInstalled } from './cluster-settings.js';
import { PostgresCluster, type ClusterOptions } from './postgres-cluster.js';
import { StageLoad } from './stage-load.js';
import type { LossWindow } from './toll.js';

const whenInstalled = redisServerInstalled() && clusterInstalled() ? describe : describe.skip;
const callsBefore = 50;
/** Each kind of call ends in one of these ways, also while no member is the primary. */
const endings = new Set(['200', '201', '503', 'OK', 'UNAVAILABLE']);
const limitMs = 400_000;

whenInstalled('a cluster of Patroni, etcd and HAProxy', () => {
  const stageNow = stageOn({});
  const cases = clusterCases.filter(({ name }) => name === 'primary-killed' || name === 'primary-paused');

  test.each(cases)(
    '$name: $title',
    async (fault) => {
      const { load } = await strikeUnderLoad(stageNow(), fault);
      expect(await load.readToll()).toEqual({ lost: [], gone: [], doubled: [], disordered: [] });
      expect(load.resyncCount).toBe(0);
      expectGoodEndings(stageNow(), load);
    },
    limitMs,
  );
});

whenInstalled('a cluster whose standby is asynchronous', () => {
  const stageNow = stageOn({ isSynchronous: false });

  test.each(asynchronousCases)(
    '$name: $title',
    async (fault) => {
      const { load, window } = await strikeUnderLoad(stageNow(), fault);
      const { gone, ...toll } = await load.readToll(window);
      expect(toll).toEqual({ lost: [], doubled: [], disordered: [] });
      expect(gone.length).toBeGreaterThan(0);
      // The first client stayed connected, and the second one came back.
      expect(load.resyncCount).toBe(2);
      expectGoodEndings(stageNow(), load);
    },
    limitMs,
  );
});

/** Starts a stage on a cluster before the tests of a block, and removes it after them. */
function stageOn(options: ClusterOptions): () => FaultStage<PostgresCluster> {
  const resources = new AsyncDisposableStack();
  let stage: FaultStage<PostgresCluster>;
  beforeAll(async () => {
    const cluster = await PostgresCluster.start(options);
    resources.defer(() => cluster.stop());
    stage = await FaultStage.start(cluster, resources);
  }, 240_000);
  afterAll(() => resources.disposeAsync());
  return () => stage;
}

/** Resolves when everything goes on, and no message waits any more. */
async function strikeUnderLoad(
  stage: FaultStage<PostgresCluster>,
  { name, prepare, strike }: FaultCase<PostgresCluster>,
): Promise<{ load: StageLoad; window: LossWindow | undefined }> {
  await prepare?.(stage);
  const load = new StageLoad(stage, name);
  try {
    await load.watch();
    await load.intake.untilAcknowledged(callsBefore);
    const ended = (await strike(stage, load)) ?? performance.now();
    const { endedAtMs, window } = typeof ended === 'number' ? { endedAtMs: ended, window: undefined } : ended;
    await load.untilAllGoesOn(endedAtMs);
    await load.finish();
    await stage.untilNothingWaits();
    return { load, window };
  } catch (error) {
    load.stopReaders();
    throw error;
  } finally {
    load.stop();
  }
}

function expectGoodEndings(stage: FaultStage<PostgresCluster>, load: StageLoad): void {
  const outcomes = Object.values(load.logs).flatMap((log) => [...log.outcomes().keys()]);
  expect(outcomes.filter((outcome) => !endings.has(outcome))).toEqual([]);
  for (const { crash, faults } of [stage.api, stage.worker])
    expect({ crash, faults }).toEqual({ crash: '', faults: [] });
}
