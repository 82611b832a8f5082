// The primary of a cluster dies, or stands still and comes back, under load: its standby takes over, nothing acknowledged is lost, nothing
// is sent twice, and every process goes on by itself.

import { redisServerInstalled } from '../support/redis-server.js';
import { clusterCases } from './cluster-cases.js';
import { FaultStage } from './fault-stage.js';
import { clusterInstalled } from './cluster-settings.js';
import { PostgresCluster } from './postgres-cluster.js';
import { StageLoad } from './stage-load.js';

const whenInstalled = redisServerInstalled() && clusterInstalled() ? describe : describe.skip;
const callsBefore = 50;
/** Each kind of call ends in one of these ways, also while no member is the primary. */
const endings = new Set(['200', '201', '503', 'OK', 'UNAVAILABLE']);

whenInstalled('a cluster of Patroni, etcd and HAProxy', () => {
  const resources = new AsyncDisposableStack();
  let stage: FaultStage<PostgresCluster>;

  beforeAll(async () => {
    const cluster = await PostgresCluster.start();
    resources.defer(() => cluster.stop());
    stage = await FaultStage.start(cluster, resources);
  }, 240_000);
  afterAll(() => resources.disposeAsync());

  const cases = clusterCases.filter(({ name }) => name === 'primary-killed' || name === 'primary-paused');

  test.each(cases)(
    '$name: $title',
    async ({ name, prepare, strike }) => {
      await prepare?.(stage);
      const load = new StageLoad(stage, name);
      try {
        await load.watch();
        await load.intake.untilAcknowledged(callsBefore);
        const ended = (await strike(stage, load)) ?? performance.now();
        await load.untilAllGoesOn(typeof ended === 'number' ? ended : ended.endedAtMs);
        await load.finish();
        await stage.untilNothingWaits();
      } catch (error) {
        load.stopReaders();
        throw error;
      } finally {
        load.stop();
      }
      expect(await load.readToll()).toEqual({ lost: [], gone: [], doubled: [], disordered: [] });
      expect(load.resyncCount).toBe(0);
      const outcomes = Object.values(load.logs).flatMap((log) => [...log.outcomes().keys()]);
      expect(outcomes.filter((outcome) => !endings.has(outcome))).toEqual([]);
      for (const { crash, faults } of [stage.api, stage.worker])
        expect({ crash, faults }).toEqual({ crash: '', faults: [] });
    },
    400_000,
  );
});
