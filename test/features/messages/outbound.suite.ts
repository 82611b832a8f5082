// Messages on their way out: retries under one key, failures for good, and the order of a lead's messages.

import { v7 as uuidv7 } from 'uuid';
import { ReservedIdService } from '../../../src/features/messages/reserved-ids.service.js';
import { maxAttempts, SendResultService } from '../../../src/features/outbox/send-result.service.js';
import { OutboundDispatcher, type DispatcherOptions } from '../../../src/features/outbox/dispatcher.js';
import { RateLimitedClaimService, type Claim } from '../../../src/features/outbox/rate-limited-claim.service.js';
import { AppError } from '../../../src/platform/errors.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { Transactor } from '../../../src/platform/database/transaction.js';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import {
  createLead,
  createLeads,
  hurryRetries,
  readMessage,
  renewInstance,
  send,
  startSender,
  stateOf,
  until,
  waitForEmptyOutbox,
  waitForStatus,
  withSender,
} from './sending-harness.js';

export function describeOutbound(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;

  withSender((sender) => ({ simulator, app, tenant } = sender));
  beforeEach(() => renewInstance(app, tenant));

  function attemptsOf(messageId: string) {
    return simulator.attempts().filter((attempt) => attempt.idempotencyKey === messageId);
  }

  interface Grant {
    number: number;
    outcome: string | null;
    detail: string | null;
  }

  function grantsOf(messageId: string): Promise<Grant[]> {
    return app.sql<Grant>('SELECT number, outcome, detail FROM send_attempts WHERE message_id = $1 ORDER BY number', [
      messageId,
    ]);
  }

  describe('a temporary failure', () => {
    test.each([408, 425, 429, 500, 502, 503, 504])(
      '%d is retried under the same key until it is SENT',
      async (status) => {
        simulator.behave({ failFirstAttempts: 2, failStatus: status, retryAfterSeconds: 1 }, tenant.instance.name);
        const id = await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi' });
        await waitForEmptyOutbox(app, () => hurryRetries(app, tenant));
        expect(await stateOf(app, id)).toMatchObject({ status: 'SENT', errorCode: null });
        expect(attemptsOf(id).map((attempt) => attempt.status)).toEqual([status, status, 200]);
        expect((await grantsOf(id)).map((grant) => grant.outcome)).toEqual(['temporary', 'temporary', 'accepted']);
      },
    );

    test('an answer that was lost is asked for again, and the lead gets the message once', async () => {
      simulator.behave({ dropAnswerRate: 1 }, tenant.instance.name);
      const id = await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi' });
      await waitForEmptyOutbox(app, () => hurryRetries(app, tenant));
      const [first, second] = attemptsOf(id);
      expect([first?.outcome, second?.outcome]).toEqual(['dropped', 'repeated']);
      expect(await stateOf(app, id)).toMatchObject({ status: 'SENT', externalId: first?.messageId });
    });

    test('while it waits for its retry it stays SENDING and says when it leaves', async () => {
      simulator.behave({ failFirstAttempts: 1, failStatus: 429, retryAfterSeconds: 600 }, tenant.instance.name);
      const id = await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi' });
      await until(
        () => grantsOf(id),
        (grants) => grants[0]?.outcome === 'temporary',
      );
      const message = await readMessage(app, tenant, id);
      expect(message).toMatchObject({ status: 'SENDING', error: null });
      const [grant] = await app.sql<{ at: Date }>('SELECT granted_at AS at FROM send_attempts WHERE message_id = $1', [
        id,
      ]);
      const waitMs = Date.parse(message.estimatedSendAt ?? '') - (grant?.at.getTime() ?? 0);
      expect(waitMs).toBeGreaterThanOrEqual(600_000);
      await hurryRetries(app, tenant);
      await waitForStatus(app, id, 'SENT');
      expect((await readMessage(app, tenant, id)).estimatedSendAt).toBeNull();
    });

    test('the waits grow, and after the last attempt the message is FAILED with the provider’s reason', async () => {
      simulator.behave({ failRate: 1, failStatus: 503, failCode: 'busy' }, tenant.instance.name);
      const id = await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi' });
      const waitsMs: number[] = [];
      for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
        const isAnswered = async () => {
          const [row] = await app.sql<{ waitMs: number }>(
            `SELECT extract(epoch FROM o.due_at - a.granted_at)::float * 1000 AS "waitMs"
           FROM outbox_entries o JOIN send_attempts a USING (tenant_id, message_id)
           WHERE o.message_id = $1 AND a.number = $2 AND a.outcome = 'temporary' AND o.lease_until IS NULL`,
            [id, attempt],
          );
          return row?.waitMs;
        };
        waitsMs.push((await until(isAnswered, (waitMs) => waitMs !== undefined)) ?? 0);
        await hurryRetries(app, tenant);
      }
      const leastMs = waitsMs.map((_, index) => Math.min(150_000, 500 * 2 ** index));
      expect(waitsMs.map((waitMs, index) => waitMs >= (leastMs[index] ?? 0))).toEqual(leastMs.map(() => true));
      await waitForStatus(app, id, 'FAILED');
      expect(await readMessage(app, tenant, id)).toMatchObject({ error: { code: 'busy' }, estimatedSendAt: null });
      expect(attemptsOf(id)).toHaveLength(maxAttempts);
      expect(await app.sql('SELECT 1 FROM outbox_entries WHERE message_id = $1', [id])).toEqual([]);
    });
  });

  describe('a permanent failure', () => {
    test.each([400, 401, 403, 404, 409, 422])('%d is FAILED at once with the provider’s code', async (status) => {
      simulator.behave({ failRate: 1, failStatus: status, failCode: '131026' }, tenant.instance.name);
      const id = await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi' });
      const { errorCode, errorMessage } = await waitForStatus(app, id, 'FAILED');
      expect(errorCode).toBe('131026');
      expect(errorMessage).toContain(
        `The gateway of the instance "${tenant.instance.name}" (the service's own) says: `,
      );
      expect(attemptsOf(id)).toHaveLength(1);
      const { timeline } = await readMessage(app, tenant, id);
      expect(timeline.map(({ toStatus, providerCode }) => [toStatus, providerCode])).toEqual([
        ['QUEUED', null],
        ['SENDING', null],
        ['FAILED', '131026'],
      ]);
    });

    test('without a gateway a message is FAILED with a sentence that says so', async () => {
      const bare = await startSender(simulator, { GATEWAY_URL: undefined, GATEWAY_TOKEN: undefined });
      try {
        const owner = await bare.createTenant();
        const id = await send(bare, owner, { leadId: await createLead(bare, owner), body: 'Oi' });
        const { errorCode, errorMessage } = await waitForStatus(bare, id, 'FAILED');
        expect(errorCode).toBe('GATEWAY_NOT_CONFIGURED');
        expect(errorMessage).toMatch(/gateway/);
      } finally {
        await bare.stop();
      }
    });

    test('an instance of an unknown provider fails its own messages only', async () => {
      await app.sql("UPDATE chat_instances SET provider = 'pigeon' WHERE id = $1", [tenant.instance.id]);
      const id = await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi' });
      const { errorMessage } = await waitForStatus(app, id, 'FAILED');
      expect(errorMessage).toMatch(/pigeon/);
    });
  });

  describe('the configured token', () => {
    test('does not go to an address that a tenant entered', async () => {
      await app.sql('UPDATE chat_instances SET base_url = $2 WHERE id = $1', [tenant.instance.id, simulator.url]);
      const id = await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi' });
      await waitForStatus(app, id, 'FAILED');
      expect(attemptsOf(id)).toMatchObject([{ status: 401 }]);
    });
  });

  describe('the order of a lead’s messages', () => {
    test('holds through retries, and one that failed for good does not block the rest', async () => {
      const leadId = await createLead(app, tenant);
      const marks: Record<number, string> = { 2: ' #sim:busy-once', 5: ' #sim:unknown-number', 9: ' #sim:answer-lost' };
      const ids: string[] = [];
      for (let number = 0; number < 20; number += 1) {
        ids.push(await send(app, tenant, { leadId, body: `${number}${marks[number] ?? ''}` }));
      }
      await waitForEmptyOutbox(app, () => hurryRetries(app, tenant));
      const arrived = simulator.attempts().filter((attempt) => ids.includes(attempt.idempotencyKey ?? ''));
      const order = arrived.map((attempt) => ids.indexOf(attempt.idempotencyKey ?? ''));
      expect(order.filter((number, index) => number !== order[index - 1])).toEqual(ids.map((_, number) => number));
      const statuses = await Promise.all(ids.map(async (id) => (await stateOf(app, id)).status));
      expect(statuses).toEqual(ids.map((_, number) => (number === 5 ? 'FAILED' : 'SENT')));
    });

    test('holds with 20 messages accepted one after the other by two applications', async () => {
      const second = await startSender(simulator, {}, app.database);
      try {
        const leadId = await createLead(app, tenant);
        const ids: string[] = [];
        for (let number = 0; number < 20; number += 1) {
          ids.push(await send(number % 2 === 0 ? app : second, tenant, { leadId, body: `${number}` }));
        }
        await waitForEmptyOutbox(app);
        const arrived = simulator.attempts().filter((attempt) => ids.includes(attempt.idempotencyKey ?? ''));
        expect(arrived.map((attempt) => attempt.idempotencyKey)).toEqual(ids);
      } finally {
        await second.stop({ keepDatabase: true });
      }
    });

    test('one lead’s retry holds up no other lead', async () => {
      const [slow = '', quick = ''] = await createLeads(app, tenant, 2);
      const first = await send(app, tenant, { leadId: slow, body: '#sim:always-busy' });
      await until(
        () => grantsOf(first),
        (grants) => grants[0]?.outcome === 'temporary',
      );
      const behind = await send(app, tenant, { leadId: slow, body: 'behind it' });
      await waitForStatus(app, await send(app, tenant, { leadId: quick, body: 'Oi' }), 'SENT');
      expect((await stateOf(app, behind)).status).toBe('QUEUED');
      await app.sql('DELETE FROM outbox_entries WHERE lead_id = $1', [slow]);
    });
  });

  // A worker that stood still past its lease wakes up with an answer that another worker has overtaken.
  describe('an answer that comes after its lease ended', () => {
    let api: TestApp;
    let owner: TestTenant;
    let claims: RateLimitedClaimService;
    let results: SendResultService;
    const one = {
      limit: 1,
      limitPerInstance: 1,
      underWay: new Map<string, number>(),
      probes: new Map<string, number>(),
    };

    beforeAll(async () => {
      api = await startSender(simulator, { PROCESS_ROLE: 'api' });
      owner = await api.createTenant();
      const { database, notifier, statuses, reportedMessages, optedOut } = api.app.services;
      const transactor = new Transactor(database, notifier);
      claims = new RateLimitedClaimService({ database, transactor, leaseMs: 60_000, optedOut });
      results = new SendResultService({ database, transactor, statuses, reportedMessages, metrics: new Metrics() });
    });

    afterAll(() => api.stop());

    test('a lease that ended at an instance that is out asks nobody to claim at once', async () => {
      const alone = await api.createTenant();
      const id = await send(api, alone, { leadId: await createLead(api, alone), body: 'Oi' });
      expect((await claims.claim(alone.id, one)).messages).toHaveLength(1);
      await api.sql("UPDATE outbox_entries SET lease_until = now() - interval '1 s' WHERE message_id = $1", [id]);
      await api.sql("UPDATE chat_instances SET status = 'DISCONNECTED' WHERE id = $1", [alone.instance.id]);
      expect(await claims.claim(alone.id, one)).toEqual({ messages: [], nextInMs: undefined });
      const pause =
        "UPDATE chat_instances SET status = 'CONNECTED', outbound_paused_until = now() + interval '1 h' WHERE id = $1";
      await api.sql(pause, [alone.instance.id]);
      expect((await claims.claim(alone.id, one)).nextInMs).toBeGreaterThan(3_000_000);
      await api.sql('UPDATE chat_instances SET outbound_paused_until = NULL WHERE id = $1', [alone.instance.id]);
      expect((await claims.claim(alone.id, one)).messages).toMatchObject([{ id, attempt: 2 }]);
    });

    test('of an instance that is deleted by now, an attempt with a lost answer is a doubt', async () => {
      const alone = await api.createTenant();
      const id = await send(api, alone, { leadId: await createLead(api, alone), body: 'Oi' });
      await claims.claim(alone.id, one);
      const claimAgain = async () => {
        await api.sql("UPDATE send_attempts SET outcome = 'unknown' WHERE message_id = $1", [id]);
        await api.sql('UPDATE outbox_entries SET lease_until = now() WHERE message_id = $1', [id]);
        return (await claims.claim(alone.id, one)).messages[0];
      };
      expect(await claimAgain()).toMatchObject({ id, unconfirmedSince: null });
      await api.sql('UPDATE chat_instances SET deleted_at = now() WHERE id = $1', [alone.instance.id]);
      expect(await claimAgain()).toMatchObject({ id, unconfirmedSince: expect.any(Date) });
    });

    async function claimTwice() {
      const id = await send(api, owner, { leadId: await createLead(api, owner), body: 'Oi' });
      const first = (await claims.claim(owner.id, one)).messages[0];
      expect((await claims.claim(owner.id, one)).messages).toEqual([]);
      await api.sql('UPDATE outbox_entries SET lease_until = now() WHERE message_id = $1', [id]);
      const second = (await claims.claim(owner.id, one)).messages[0];
      if (first === undefined || second === undefined) throw new Error('the message was not handed out twice');
      expect([first.id, first.attempt, second.id, second.attempt]).toEqual([id, 1, id, 2]);
      return { id, first, second };
    }

    function createDispatcher(differences: Partial<DispatcherOptions>): OutboundDispatcher {
      return new OutboundDispatcher({
        claims,
        results,
        reach: { note: () => Promise.resolve() },
        endpoints: api.app.services.endpoints,
        numbers: api.app.services.channelNumbers,
        sentFiles: { arePublic: false, addressOf: () => undefined, find: () => Promise.resolve(undefined) },
        reservedIds: new ReservedIdService(api.app.services.database, new Metrics()),
        promotions: { findPromotion: () => Promise.resolve(undefined) },
        log: createLogger('silent'),
        metrics: new Metrics(),
        startWithinMs: 35_000,
        startWithConsentWithinMs: 5_000,
        leaseMs: 60_000,
        concurrency: 4,
        concurrencyPerInstance: 4,
        sweepIntervalMs: 60_000,
        ...differences,
      });
    }

    test('a worker that wakes up with a claim that is too old gives it back, and claims it again', async () => {
      const { database, notifier, optedOut } = api.app.services;
      const transactor = new Transactor(database, notifier);
      class LateAtFirst extends RateLimitedClaimService {
        private isLate = true;
        override async claim(...request: Parameters<RateLimitedClaimService['claim']>): Promise<Claim> {
          const { messages, nextInMs } = await super.claim(...request);
          const ageMs = this.isLate ? 35_001 : 0;
          this.isLate &&= messages.length === 0;
          return {
            messages: messages.map((message) => ({ ...message, claimedAtMs: message.claimedAtMs - ageMs })),
            nextInMs,
          };
        }
      }
      const lateAtFirst = new LateAtFirst({ database, transactor, leaseMs: 60_000, optedOut });
      const dispatcher = createDispatcher({ claims: lateAtFirst });
      const id = await send(api, owner, { leadId: await createLead(api, owner), body: 'Oi' });
      dispatcher.wake(owner.id);
      await waitForStatus(api, id, 'SENT');
      await dispatcher.stop(1_000);
      const grants = await api.sql('SELECT outcome, detail FROM send_attempts WHERE message_id = $1 ORDER BY number', [
        id,
      ]);
      expect(grants).toEqual([
        { outcome: 'retried', detail: expect.stringMatching(/^not sent: it was too late/) },
        expect.objectContaining({ outcome: 'accepted' }),
      ]);
      expect(attemptsOf(id)).toHaveLength(1);
    });

    test('an answer is stored once the database is back, whatever became of the tries before; nothing is sent again', async () => {
      const { database, notifier, statuses, reportedMessages } = api.app.services;
      const transactor = new Transactor(database, notifier);
      let tries = 0;
      class AwayAtFirst extends SendResultService {
        override async settle(...answer: Parameters<SendResultService['settle']>): Promise<void> {
          tries += 1;
          // The second answer is stored, but its caller only sees a failure.
          if (tries === 2) await super.settle(...answer);
          if (tries <= 2) throw new AppError('UNAVAILABLE', 'The database is away');
          await super.settle(...answer);
        }
      }
      const away = new AwayAtFirst({ database, transactor, statuses, reportedMessages, metrics: new Metrics() });
      const dispatcher = createDispatcher({ results: away });
      const id = await send(api, owner, { leadId: await createLead(api, owner), body: 'Oi' });
      dispatcher.wake(owner.id);
      await until(
        () => tries,
        (count) => count === 3,
      );
      await dispatcher.stop(10_000);
      const { status, timeline } = await readMessage(api, owner, id);
      expect({ status, steps: timeline.map(({ toStatus }) => toStatus) }).toEqual({
        status: 'SENT',
        steps: ['QUEUED', 'SENDING', 'SENT'],
      });
      expect(attemptsOf(id)).toHaveLength(1);
    });

    const externalId = () => uuidv7();
    const refused = {
      outcome: 'permanent' as const,
      code: '409',
      detail: 'Another request with this key is under way',
    };
    const busy = { outcome: 'temporary' as const, code: '503', detail: 'Busy' };

    test('a refusal does not turn a message into FAILED that the later attempt got SENT', async () => {
      const { id, first, second } = await claimTwice();
      await results.settle(owner.id, second, { outcome: 'accepted', externalId: externalId() });
      await results.settle(owner.id, first, refused);
      expect(await stateOf(api, id)).toMatchObject({ status: 'SENT', errorCode: null });
    });

    test('a refusal does not take the message out of the hands of the worker that is sending it', async () => {
      const { id, first, second } = await claimTwice();
      await results.settle(owner.id, first, refused);
      await results.settle(owner.id, second, { outcome: 'accepted', externalId: externalId() });
      expect(await stateOf(api, id)).toMatchObject({ status: 'SENT', errorCode: null });
    });

    test('a temporary failure leaves the later attempt’s lease alone', async () => {
      const { id, first, second } = await claimTwice();
      await results.settle(owner.id, first, busy);
      const [entry] = await api.sql<{ leased: boolean }>(
        'SELECT lease_until > now() AS leased FROM outbox_entries WHERE message_id = $1',
        [id],
      );
      expect(entry).toEqual({ leased: true });
      await results.settle(owner.id, second, { outcome: 'accepted', externalId: externalId() });
      expect((await stateOf(api, id)).status).toBe('SENT');
    });

    test('an acceptance counts, though the lease had ended', async () => {
      const { id, first, second } = await claimTwice();
      const accepted = { outcome: 'accepted' as const, externalId: externalId() };
      await results.settle(owner.id, first, accepted);
      await results.settle(owner.id, second, accepted);
      expect(await stateOf(api, id)).toMatchObject({ status: 'SENT', externalId: accepted.externalId });
      expect((await readMessage(api, owner, id)).timeline.map(({ toStatus }) => toStatus)).toEqual([
        'QUEUED',
        'SENDING',
        'SENT',
      ]);
    });
  });
}
