// A gateway that stops answering, and comes back: its instance and the messages that wait for it say so.

import { GatewayReachService } from '../../../src/features/outbox/gateway-reach.service.js';
import type { SendOutcome } from '../../../src/features/outbox/send-result.service.js';
import { Transactor } from '../../../src/platform/database/transaction.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { startGatewaySimulator, type GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { steadyPort } from '../../support/redis-server.js';
import { serviceOperator, type TestApp, type TestTenant } from '../../support/test-app.js';
import {
  createLead,
  gatewayToken,
  readMessage,
  send,
  startSender,
  until,
  untilRetried,
  waitForStatus,
} from './sending-harness.js';

interface Health {
  code: string | null;
  reason: string | null;
}

export function describeGatewayReach(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;
  let port: number;

  beforeAll(async () => {
    port = await steadyPort();
    simulator = await startGatewaySimulator({ token: gatewayToken, seed: 1, port });
    app = await startSender(simulator);
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
  });
  afterAll(async () => {
    await app.stop();
    await simulator.close();
  });

  async function healthOf(instanceId = tenant.instance.id): Promise<Health> {
    const [health] = await app.sql<Health>(
      'SELECT health_code AS code, health_reason AS reason FROM chat_instances WHERE id = $1',
      [instanceId],
    );
    return health ?? { code: null, reason: null };
  }

  /** The changes of the instance as subscribers and the audit log got them, in order. */
  async function toldOf(): Promise<{ events: number; actions: string[] }> {
    const [events] = await app.sql<{ count: number }>(
      "SELECT count(*)::int AS count FROM events WHERE tenant_id = $1 AND type = 'CHAT_INSTANCE_STATUS_CHANGED'",
      [tenant.id],
    );
    const actions = await app.sql<{ action: string }>(
      "SELECT action FROM audit_entries WHERE tenant_id = $1 AND action LIKE 'CHAT_INSTANCE_%ED' AND target_id = $2 ORDER BY id",
      [tenant.id, tenant.instance.id],
    );
    const isHealth = ({ action }: { action: string }) => /DEGRADED|RESTORED/.test(action);
    return { events: events?.count ?? 0, actions: actions.filter(isHealth).map(({ action }) => action) };
  }

  test('a gateway that is gone: instance and message say that it does not answer, until it takes the message', async () => {
    const leadId = await createLead(app, tenant);
    await waitForStatus(app, await send(app, tenant, { leadId, body: 'Before' }), 'SENT');
    expect(await healthOf()).toEqual({ code: null, reason: null });
    await simulator.close();
    const id = await send(app, tenant, { leadId, body: 'Meanwhile' });
    await until(
      () => readMessage(app, tenant, id),
      ({ waitingReason }) => waitingReason === 'GATEWAY_UNREACHABLE',
    );
    const { code, reason } = await untilRetried(
      app,
      tenant,
      () => healthOf(),
      (health) => health.code !== null,
    );
    expect(code).toBe('UNREACHABLE');
    expect(reason).toContain('could not be reached');
    const waiting = await until(
      () => readMessage(app, tenant, id),
      ({ waitingDetail }) => waitingDetail !== null,
    );
    expect(waiting.waitingDetail).toMatch(
      new RegExp(`^The gateway of ${tenant.instance.name} does not answer \\(.*\\)\\. It is tried again at`),
    );
    expect(await toldOf()).toEqual({ events: 1, actions: ['CHAT_INSTANCE_DEGRADED'] });
    simulator = await startGatewaySimulator({ token: gatewayToken, seed: 2, port });
    await untilRetried(
      app,
      tenant,
      () => healthOf(),
      (health) => health.code === null,
    );
    await waitForStatus(app, id, 'SENT');
    expect(await toldOf()).toEqual({ events: 2, actions: ['CHAT_INSTANCE_DEGRADED', 'CHAT_INSTANCE_RESTORED'] });
  });

  describe('what counts as silence', () => {
    let now: number;
    let reach: GatewayReachService;
    let told: { msg: string; detail?: string }[];
    const gone: SendOutcome = {
      outcome: 'temporary',
      code: 'GATEWAY_UNREACHABLE',
      detail: 'gateway could not be reached',
    };
    const accepted: SendOutcome = { outcome: 'accepted', externalId: '1' };

    beforeEach(() => {
      now = 1_000;
      const { database, notifier, instanceHealth: health } = app.app.services;
      const transactor = new Transactor(database, notifier);
      told = [];
      const destination = {
        write: (line: string) => {
          const { msg, detail } = JSON.parse(line) as { msg: string; detail?: string };
          told.push({ msg, ...(detail !== undefined && { detail }) });
        },
      };
      reach = new GatewayReachService({
        transactor,
        health,
        now: () => now,
        log: createLogger('info', { destination }),
      });
    });

    const note = async (outcome: SendOutcome, afterMs = 0, isUnreachable = false) => {
      now += afterMs;
      const { id: instanceId, name: instanceName } = tenant.instance;
      await reach.note(tenant.id, { instanceId, instanceName, isUnreachable }, outcome);
      return (await healthOf()).code;
    };

    test('two seconds without any answer', async () => {
      expect(await note(gone)).toBeNull();
      expect(await note(gone, 1_999)).toBeNull();
      expect(await note(gone, 1)).toBe('UNREACHABLE');
    });

    test.each(['HTTP_502', 'HTTP_503', 'HTTP_504'])('a proxy before it that answers %s', async (code) => {
      const outcome: SendOutcome = { outcome: 'temporary', code, detail: 'gateway answered' };
      await note(outcome);
      expect(await note(outcome, 2_000)).toBe('UNREACHABLE');
    });

    test('not an answer in between, be it an acceptance or a refusal of its own', async () => {
      for (const answer of [accepted, { outcome: 'temporary', code: 'busy', detail: 'gateway says: busy' }] as const) {
        await note(gone);
        await note(answer, 1_000);
        expect(await note(gone, 1_000)).toBeNull();
        await note(accepted);
      }
    });

    test('not a refusal of our own, which says nothing about the gateway', async () => {
      await note(gone);
      await note({ outcome: 'permanent', code: 'LEAD_WITHOUT_NUMBER', detail: 'no number' }, 1_000);
      expect(await note(gone, 1_000)).toBe('UNREACHABLE');
    });

    test('a gateway that answers and takes nothing is named in the log after a minute, once, and when it takes sends again', async () => {
      const busy: SendOutcome = { outcome: 'temporary', code: 'HTTP_500', detail: 'gateway says: 500' };
      await note(busy);
      await note(busy, 59_999);
      expect(told).toEqual([]);
      for (let attempt = 0; attempt < 3; attempt += 1) await note(busy, 60_000);
      await note(accepted);
      await note(busy);
      await note(accepted, 60_000);
      expect(told).toEqual([
        { msg: 'a gateway has taken no send for a minute: they are tried again', detail: busy.detail },
        { msg: 'a gateway takes sends again' },
      ]);
      expect((await healthOf()).code).toBeNull();
    });

    test('weightier evidence stays, and is not ended by an acceptance', async () => {
      const { database, notifier, instanceHealth } = app.app.services;
      const transactor = new Transactor(database, notifier);
      const evidence = { instanceId: tenant.instance.id, code: 'SENDS_LOST', reason: 'lost' } as const;
      await transactor.run(tenant.id, (tx) => instanceHealth.degrade(tx, evidence));
      await note(gone);
      expect(await note(gone, 2_000)).toBe('SENDS_LOST');
      expect(await note(accepted, 0, true)).toBe('SENDS_LOST');
    });

    test('an instance that was never asked to connect counts too', async () => {
      const { accountId } = tenant.admin;
      const place = { tenantId: tenant.id, status: 'CONNECTING' } as const;
      const other = await app.app.services.chatInstances.create(
        serviceOperator,
        { accountId, instanceName: 'new' },
        place,
      );
      const sent = { instanceId: other.id, instanceName: 'new', isUnreachable: false };
      await reach.note(tenant.id, sent, gone);
      now += 2_000;
      await reach.note(tenant.id, sent, gone);
      expect((await healthOf(other.id)).code).toBe('UNREACHABLE');
    });
  });
}
