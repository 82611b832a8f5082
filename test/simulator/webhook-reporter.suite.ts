// The gateway's reports about a message: their content, time, order, signature, and the number of attempts.

import { createHmac } from 'node:crypto';
import { BehaviourBook } from '../../src/simulator/behaviour-book.js';
import { Customers } from '../../src/simulator/customers.js';
import { InstanceRegistry } from '../../src/simulator/instance-registry.js';
import { MediaFetch } from '../../src/simulator/media-fetch.js';
import { MessageHistory } from '../../src/simulator/message-history.js';
import { MessageIntake } from '../../src/simulator/message-intake.js';
import { SeededRandom } from '../../src/simulator/seeded-random.js';
import { Timers } from '../../src/simulator/simulator-clock.js';
import { silentLog, WebhookReporter } from '../../src/simulator/webhook-reporter.js';
import { ManualClock, PLAIN, startHarness, until, type Harness, type ReceivedCall } from './simulator-harness.js';

const NUMBER = '5511988887777';

export function describeWebhookReporter(): void {
  let harness: Harness;
  async function start(options: Parameters<typeof startHarness>[0] = {}): Promise<Harness> {
    harness = await startHarness(options);
    return harness;
  }
  afterEach(() => harness.close());

  describe('statuses', () => {
    test('SENT, DELIVERED and READ come at their times, in the neutral dialect', async () => {
      const clock = new ManualClock();
      const behaviour = { sentDelayMs: 100, deliveredDelayMs: 600, readDelayMs: 2_000 };
      const { send, simulator, receiver } = await start({ clock, behaviour });
      const acceptedAt = clock.now();
      const { messageId } = (await send(NUMBER)).body;
      clock.advance(99);
      expect(simulator.webhookCalls()).toEqual([]);
      for (const [index, stepMs] of [1, 500, 1_400].entries()) {
        clock.advance(stepMs);
        await until(() => simulator.webhookCalls().length === index + 1);
      }
      expect(simulator.webhookCalls().map(({ at }) => at - acceptedAt)).toEqual([100, 600, 2_000]);
      expect(receiver.calls.map(({ path }) => path)).toEqual(Array(3).fill('/webhooks/chat/gateway/status'));
      const seconds = Math.floor(acceptedAt / 1_000);
      expect(receiver.calls.map(({ body }) => body)).toEqual([
        { instance: 'acme', messageId, status: 'SENT', timestamp: seconds },
        { instance: 'acme', messageId, status: 'DELIVERED', timestamp: seconds },
        { instance: 'acme', messageId, status: 'READ', timestamp: seconds + 2 },
      ]);
    });

    test('timestamps can be ISO 8601', async () => {
      const clock = new ManualClock();
      const { send, receiver } = await start({ clock, behaviour: { timestampFormat: 'iso', readRate: 0 } });
      const at = new Date(clock.now()).toISOString();
      await send(NUMBER);
      await receiver.arrived(2);
      expect(receiver.calls.map(({ body }) => body.timestamp)).toEqual([at, at]);
    });

    test.each([
      ['deliveredRate 0 stays SENT', { deliveredRate: 0 }, ['SENT']],
      ['readRate 0 stays DELIVERED', { readRate: 0 }, ['SENT', 'DELIVERED']],
      ['failAfterAcceptRate 1 fails after SENT', { failAfterAcceptRate: 1 }, ['SENT', 'FAILED']],
      ['duplicateRate 1 says all twice', { duplicateRate: 1, readRate: 0 }, ['SENT', 'SENT', 'DELIVERED', 'DELIVERED']],
      ['reorderAs reverse', { reorderRate: 1, reorderAs: 'reverse' as const }, ['READ', 'DELIVERED', 'SENT']],
    ])('%s', async (_, behaviour, expected) => {
      const { send, simulator, receiver } = await start({ behaviour });
      await send(NUMBER);
      await simulator.idle();
      expect(receiver.statuses()).toEqual(expected);
    });

    test('a late failure carries its code, and no reply follows', async () => {
      const behaviour = { failAfterAcceptRate: 1, failAfterAcceptCode: '131049', replyRate: 1 };
      const { send, simulator, receiver } = await start({ behaviour });
      await send(NUMBER);
      await simulator.idle();
      expect(receiver.calls[1]?.body).toMatchObject({ error: { code: '131049', message: expect.any(String) } });
      expect(receiver.replies()).toEqual([]);
    });

    test('shuffled statuses are never in the true order, and take every other one', async () => {
      const { send, simulator, receiver } = await start({ behaviour: { reorderRate: 1 } });
      for (let sent = 0; sent < 40; sent += 1) await send(NUMBER);
      await simulator.idle();
      const orders = new Map<string, string[]>();
      for (const { body } of receiver.calls)
        orders.set(body.messageId, [...(orders.get(body.messageId) ?? []), body.status]);
      expect(orders.size).toBe(40);
      const seen = new Set([...orders.values()].map((order) => order.join(' ')));
      expect(seen).not.toContain('SENT DELIVERED READ');
      expect(seen.size).toBe(5);
    });

    test('reordered statuses are held until the last is due, and keep their true times', async () => {
      const clock = new ManualClock();
      const behaviour = {
        sentDelayMs: 1_000,
        deliveredDelayMs: 2_000,
        readDelayMs: 3_000,
        reorderRate: 1,
        reorderAs: 'reverse' as const,
      };
      const { send, simulator, receiver } = await start({ clock, behaviour });
      const seconds = Math.floor(clock.now() / 1_000);
      await send(NUMBER);
      clock.advance(2_999);
      expect(simulator.webhookCalls()).toEqual([]);
      clock.advance(1);
      await receiver.arrived(3);
      expect(receiver.calls.map(({ body }) => [body.status, body.timestamp - seconds])).toEqual([
        ['READ', 3],
        ['DELIVERED', 2],
        ['SENT', 1],
      ]);
    });

    test('shuffled statuses are held until the last is due, whichever comes first', async () => {
      const clock = new ManualClock();
      const behaviour = { sentDelayMs: 1_000, deliveredDelayMs: 2_000, readDelayMs: 3_000, reorderRate: 1 };
      const { send, call, simulator } = await start({ clock, behaviour });
      const acceptedAt = clock.now();
      for (let sent = 0; sent < 20; sent += 1) await send(NUMBER);
      clock.advance(2_999);
      // A round trip gives a report that was released too early the time to begin.
      await call('GET', '/simulator/webhooks');
      clock.advance(1);
      await simulator.idle();
      expect(new Set(simulator.webhookCalls().map(({ at }) => at - acceptedAt))).toEqual(new Set([3_000]));
    });

    test('early statuses arrive before the answer; READ keeps its time', async () => {
      const clock = new ManualClock();
      const behaviour = { earlyStatusRate: 1, sentDelayMs: 100, deliveredDelayMs: 600, readDelayMs: 2_000 };
      const { send, receiver } = await start({ clock, behaviour });
      const { messageId } = (await send(NUMBER)).body;
      expect(receiver.calls.map(({ body }) => [body.messageId, body.status])).toEqual([
        [messageId, 'SENT'],
        [messageId, 'DELIVERED'],
      ]);
      clock.advance(2_000);
      await receiver.arrived(3);
      expect(receiver.statuses()).toEqual(['SENT', 'DELIVERED', 'READ']);
    });
  });

  describe('replies', () => {
    test('the lead replies to what it was sent, as itself, when its time has come', async () => {
      const clock = new ManualClock();
      const behaviour = { replyRate: 1, replyDelayMs: 3_000, replyTexts: ['Sure'], deliveredRate: 0 };
      const { send, simulator, receiver } = await start({ clock, behaviour });
      const { messageId } = (await send(NUMBER)).body;
      await until(() => simulator.webhookCalls().length === 1);
      clock.advance(2_999);
      expect(simulator.webhookCalls()).toHaveLength(1);
      clock.advance(1);
      await receiver.arrived(2);
      expect(receiver.calls[1]?.path).toBe('/webhooks/chat/gateway/inbound');
      expect(receiver.replies()).toEqual([
        {
          instance: 'acme',
          messageId: expect.stringMatching(/^3EB0[0-9A-F]{20}$/),
          from: NUMBER,
          name: expect.any(String),
          type: 'text',
          text: 'Sure',
          timestamp: Math.floor(clock.now() / 1_000),
          replyTo: messageId,
        },
      ]);
      expect(receiver.replies()[0]?.messageId).not.toBe(messageId);
    });

    test('replyRate is a share, and a number always has the same name', async () => {
      const { send, simulator, receiver } = await start({ behaviour: { replyRate: 0.5 } });
      for (let sent = 0; sent < 100; sent += 1) await send(NUMBER);
      await simulator.idle();
      expect(receiver.replies().length).toBeGreaterThan(25);
      expect(receiver.replies().length).toBeLessThan(75);
      expect(new Set(receiver.replies().map(({ name }) => name)).size).toBe(1);
      expect(new Set(receiver.replies().map(({ text }) => text)).size).toBe(5);
    });

    test('a duplicated reply has one id', async () => {
      const { send, simulator, receiver } = await start({ behaviour: { replyRate: 1, duplicateRate: 1 } });
      await send(NUMBER);
      await simulator.idle();
      const [first, second, ...more] = receiver.replies();
      expect(second).toEqual(first);
      expect(more).toEqual([]);
      const inbound = simulator.webhookCalls().filter(({ kind }) => kind === 'inbound');
      expect(inbound.map(({ isDuplicate }) => isDuplicate)).toEqual([false, true]);
    });
  });

  describe('special numbers', () => {
    const sendTwice = async ({ send, simulator, receiver }: Harness, to: string, text = 'Hello') => {
      const statuses = [];
      const codes = [];
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const answer = await send(to, { text }, 'key-a').catch(() => undefined);
        statuses.push(answer?.status ?? null);
        codes.push(answer?.body.error?.code ?? null);
      }
      await simulator.idle();
      return { statuses, codes, reported: receiver.statuses(), replies: receiver.replies().length };
    };
    const all = ['SENT', 'DELIVERED', 'READ'];
    const cases: [string, string, Partial<Awaited<ReturnType<typeof sendTwice>>>][] = [
      ['0001', 'unknown-number', { statuses: [400, 400], codes: ['131026', '131026'], reported: [] }],
      ['0002', 'busy-once', { statuses: [503, 200], reported: all }],
      ['0003', 'rate-limited-once', { statuses: [429, 200], codes: ['130429', null], reported: all }],
      ['0004', 'sent-only', { statuses: [200, 200], reported: ['SENT'], replies: 0 }],
      ['0005', 'fails-later', { statuses: [200, 200], reported: ['SENT', 'FAILED'], replies: 0 }],
      ['0006', 'answer-lost', { statuses: [null, 200], reported: all }],
      ['0007', 'reversed-twice', { statuses: [200, 200], reported: all.toReversed().flatMap((s) => [s, s]) }],
      ['0010', 'early-status', { statuses: [200, 200], reported: all }],
      ['0011', 'always-busy', { statuses: [503, 503], reported: [] }],
      ['0012', 'never-read', { statuses: [200, 200], reported: ['SENT', 'DELIVERED'], replies: 0 }],
    ];

    test.each(cases)('…%s (%s)', async (suffix, _, expected) => {
      expect(await sendTwice(await start({ behaviour: { replyRate: 1 } }), `551198888${suffix}`)).toMatchObject(
        expected,
      );
    });
    test.each(cases)('…%s as #sim:%s in the text', async (_, name, expected) => {
      const outcome = await sendTwice(await start({ behaviour: { replyRate: 1 } }), NUMBER, `Hi #sim:${name} there`);
      expect(outcome).toMatchObject(expected);
    });

    test('…0003 says when to come back', async () => {
      const { send } = await start();
      expect((await send('5511988880003')).headers.get('retry-after')).toBe('2');
    });

    test('…0008 always replies', async () => {
      expect(await sendTwice(await start(), '5511988880008')).toMatchObject({ reported: all, replies: 1 });
    });

    test('…0009 never answers', async () => {
      const { send, simulator } = await start();
      const hung = expect(send('5511988880009')).rejects.toThrow('fetch failed');
      await until(() => simulator.attempts()[0]?.outcome === 'hung');
      await simulator.close();
      await hung;
    });

    test('…0010 reports before it answers', async () => {
      const { send, receiver } = await start({
        clock: new ManualClock(),
        behaviour: { sentDelayMs: 100, deliveredDelayMs: 600 },
      });
      await send('5511988880010');
      expect(receiver.statuses()).toEqual(['SENT', 'DELIVERED']);
    });

    test('an unknown word is plain text, and specialNumbers false turns them off', async () => {
      const { send, simulator } = await start();
      expect((await send(NUMBER, { text: '#sim:nothing' })).status).toBe(200);
      simulator.behave({ specialNumbers: false });
      expect((await send('5511988880001', { text: '#sim:always-busy' })).status).toBe(200);
    });
  });

  describe('delivery', () => {
    test('carries the tenant key, and no signature without a secret', async () => {
      const { send, receiver } = await start({ behaviour: { deliveredRate: 0 } });
      await send(NUMBER);
      await receiver.arrived(1);
      expect(receiver.calls[0]?.headers).toMatchObject({
        'x-tenant-key': 'tenant-key',
        'content-type': 'application/json',
      });
      expect(receiver.calls[0]?.headers).not.toHaveProperty('x-signature');
    });

    test('signs the raw body, whatever letters are in it', async () => {
      const { simulator, receiver } = await start({ webhookSecret: 'signing-secret' });
      await simulator.receiveFromLead({
        instance: 'acme',
        from: NUMBER,
        name: 'Júlia',
        text: 'Olá 👍 \u2028 "quoted" <b>',
      });
      const { raw, headers } = receiver.calls[0] as ReceivedCall;
      const hex = createHmac('sha256', 'signing-secret').update(raw, 'utf8').digest('hex');
      expect(headers['x-signature']).toBe(`sha256=${hex}`);
    });

    test.each([500, 503, 429])('%i is retried until it arrives', async (status) => {
      const answerTo = (_: ReceivedCall, index: number) => ({ status: index < 2 ? status : 200 });
      const { send, simulator, receiver } = await start({ answerTo, behaviour: { deliveredRate: 0 } });
      await send(NUMBER);
      await simulator.idle();
      expect(receiver.statuses()).toEqual(['SENT', 'SENT', 'SENT']);
      expect(simulator.webhookCalls()).toMatchObject([
        { attempt: 1, status, willRetry: true },
        { attempt: 2, status, willRetry: true },
        { attempt: 3, status: 200, willRetry: false },
      ]);
    });

    test.each([302, 400, 401, 404, 422])('%i is not retried', async (status) => {
      const answerTo = () => ({ status, headers: { location: '/elsewhere' }, body: '{"code":"NO"}' });
      const { send, simulator, receiver } = await start({ answerTo, behaviour: { deliveredRate: 0 } });
      await send(NUMBER);
      await simulator.idle();
      expect(receiver.calls).toHaveLength(1);
      expect(simulator.webhookCalls()).toMatchObject([{ status, answer: '{"code":"NO"}', willRetry: false }]);
    });

    test('a cut connection is retried', async () => {
      const answerTo = (_: ReceivedCall, index: number) => (index === 0 ? 'cut' : ({ status: 200 } as const));
      const { send, simulator, receiver } = await start({ answerTo, behaviour: { deliveredRate: 0 } });
      await send(NUMBER);
      await simulator.idle();
      expect(receiver.calls).toHaveLength(2);
      expect(simulator.webhookCalls()[0]).toMatchObject({ status: null, error: expect.any(String), willRetry: true });
    });

    test('a refused connection is tried webhookMaxAttempts times, then given up', async () => {
      const { send, simulator, receiver } = await start({ behaviour: { deliveredRate: 0, webhookMaxAttempts: 3 } });
      await receiver.close();
      await send(NUMBER);
      await simulator.idle();
      const tries = simulator.webhookCalls().map(({ attempt, willRetry, error }) => [attempt, willRetry, error]);
      expect(tries).toEqual([
        [1, true, expect.stringContaining('ECONNREFUSED')],
        [2, true, expect.stringContaining('ECONNREFUSED')],
        [3, false, expect.stringContaining('ECONNREFUSED')],
      ]);
      await simulator.close();
      harness = await startHarness();
    });

    test('silence is a time-out, and retried', async () => {
      const clock = new ManualClock();
      const answerTo = (_: ReceivedCall, index: number) => (index === 0 ? 'silent' : ({ status: 200 } as const));
      const behaviour = { deliveredRate: 0, webhookTimeoutMs: 10_000 };
      const { send, simulator, receiver } = await start({ clock, answerTo, behaviour });
      await send(NUMBER);
      await receiver.arrived(1);
      clock.advance(9_999);
      expect(simulator.webhookCalls()).toEqual([]);
      clock.advance(1);
      await until(() => simulator.webhookCalls().length === 1);
      clock.advance(0);
      await simulator.idle();
      expect(simulator.webhookCalls()).toMatchObject([
        { status: null, error: 'no answer within 10000 ms', durationMs: 10_000, willRetry: true },
        { status: 200 },
      ]);
    });

    test.each([
      ['doubles up to its bound', {}, [0, 500, 1_500, 2_500, 3_500]],
      ['is never below Retry-After, up to the bound', { 'retry-after': '60' }, [0, 1_000, 2_000, 3_000, 4_000]],
    ])('the backoff %s', async (_, headers: Record<string, string>, expected) => {
      const clock = new ManualClock();
      const behaviour = { deliveredRate: 0, webhookMaxAttempts: 5, webhookBackoffMs: 500, webhookBackoffMaxMs: 1_000 };
      const { send, simulator } = await start({ clock, behaviour, answerTo: () => ({ status: 429, headers }) });
      const startedAt = clock.now();
      await send(NUMBER);
      for (let call = 1; call < 5; call += 1) {
        await until(() => simulator.webhookCalls().length === call);
        while (clock.pendingTimers > 0) clock.advance(1);
      }
      await simulator.idle();
      expect(simulator.webhookCalls().map(({ at }) => at - startedAt)).toEqual(expected);
    });

    test('a report that failed is retried beside the next ones', async () => {
      const answerTo = (_: ReceivedCall, index: number) => ({ status: index === 0 ? 500 : 200 });
      const clock = new ManualClock();
      const { send, simulator, receiver } = await start({ clock, answerTo, behaviour: { webhookBackoffMs: 1_000 } });
      await send(NUMBER);
      await receiver.arrived(3);
      await until(() => clock.pendingTimers === 1);
      clock.advance(1_000);
      await simulator.idle();
      expect(receiver.statuses()).toEqual(['SENT', 'DELIVERED', 'READ', 'SENT']);
    });

    test('without an address nothing is called, and the record says so', async () => {
      const { send, simulator, receiver } = await start({ webhookBaseUrl: undefined, behaviour: { deliveredRate: 0 } });
      await send(NUMBER);
      await simulator.idle();
      expect(receiver.calls).toEqual([]);
      expect(simulator.webhookCalls()).toMatchObject([{ url: null, status: null, willRetry: false }]);
      expect(simulator.webhookCalls()[0]?.error).toContain('webhookBaseUrl');
    });

    test('no record and no log line holds a key, a secret or a text', async () => {
      const lines: unknown[] = [];
      const write = (fields: object, message: string) => lines.push([fields, message]);
      const log = { info: write, warn: write, error: write };
      const { send, simulator } = await start({
        log,
        webhookSecret: 'signing-secret',
        answerTo: () => ({ status: 401 }),
      });
      await send(NUMBER, { text: 'private words' });
      await simulator.idle();
      expect(lines).toHaveLength(4);
      expect(JSON.stringify([lines, simulator.webhookCalls()])).not.toMatch(
        /tenant-key|signing-secret|private|gateway-token/,
      );
    });

    test('many reports at once all arrive', async () => {
      const { send, simulator, receiver } = await start({ behaviour: { replyRate: 1 } });
      await Promise.all(Array.from({ length: 80 }, () => send(NUMBER)));
      await simulator.idle();
      expect(receiver.calls).toHaveLength(320);
      expect(simulator.webhookCalls().every(({ status }) => status === 200)).toBe(true);
    });

    test('64 calls are under way at a time, the others wait', async () => {
      const clock = new ManualClock();
      const behaviour = { deliveredRate: 0, webhookMaxAttempts: 1, webhookTimeoutMs: 1_000 };
      const { send, simulator, receiver } = await start({ clock, behaviour, answerTo: () => 'silent' });
      const startedAt = clock.now();
      for (let sent = 0; sent < 70; sent += 1) await send(NUMBER);
      await receiver.arrived(64);
      clock.advance(1_000);
      await receiver.arrived(70);
      clock.advance(1_000);
      await simulator.idle();
      const begun = simulator.webhookCalls().map(({ at }) => at - startedAt);
      expect(begun).toEqual([...Array(64).fill(0), ...Array(6).fill(1_000)]);
    });

    test('with 50,000 messages waiting for their reports, a further one is refused: 503 busy', async () => {
      harness = await startHarness();
      const timers = new Timers(new ManualClock());
      const random = SeededRandom.fromSeed('tests');
      const behaviours = new BehaviourBook(PLAIN, 10);
      const behaviourOf = () => behaviours.get();
      const history = new MessageHistory();
      const filesUrl = () => undefined;
      const reporter = new WebhookReporter({
        timers,
        log: silentLog,
        target: {},
        historySize: 1,
        maxInstances: 1,
        behaviourOf,
        history,
        serverUrl: filesUrl,
      });
      const instances = new InstanceRegistry(timers, random, 10);
      const write = () => Promise.resolve('');
      const idle = { perMinute: 0, mayWrite: () => false, playable: () => [] };
      const customers = new Customers({ timers, random, write, ...idle });
      const media = new MediaFetch();
      const parts = { timers, random, behaviours, instances, reporter, customers, history, media, filesUrl };
      const intake = new MessageIntake(parts);
      const about = { instance: 'acme', messageId: 'x', status: 'SENT', body: {} } as const;
      const report = { kind: 'status', ...about, copies: 1, isWithheld: false, dueAt: timers.now() + 1 } as const;
      for (let waiting = 0; waiting < 49_999; waiting += 1) void reporter.follow([report]);
      const message = { instance: 'acme', to: NUMBER, type: 'text', text: 'Hello' };
      behaviours.change({ sentDelayMs: 1 });
      expect(await intake.receive({ key: 'a' }, message)).toMatchObject({ outcome: 'accepted' });
      await expect(intake.receive({ key: 'b' }, message)).rejects.toMatchObject({ status: 503, code: 'busy' });
      expect(await intake.receive({ key: 'a' }, message)).toMatchObject({ outcome: 'repeated' });
      timers.close();
      reporter.close();
    });
  });

  describe('seed', () => {
    const behaviour = { failRate: 0.3, readRate: 0.5, replyRate: 0.5, failAfterAcceptRate: 0.2, reorderRate: 0.3 };
    async function run(seed: string) {
      const { send, simulator, receiver, close } = await startHarness({ seed, behaviour, clock: new ManualClock() });
      const answers = [];
      for (let sent = 0; sent < 30; sent += 1) {
        answers.push(await send(NUMBER));
        await simulator.idle();
      }
      const outcome = { answers: answers.map(({ status, body }) => [status, body]), statuses: receiver.statuses() };
      const replies = receiver.replies();
      await close();
      return { ...outcome, replies };
    }

    test('the same seed gives the same run, another one another', async () => {
      harness = await startHarness();
      const first = await run('one');
      expect(await run('one')).toEqual(first);
      expect(await run('two')).not.toEqual(first);
      expect(new Set(first.answers.map(([status]) => status))).toEqual(new Set([200, 503]));
    });

    test('a simulator started without one tells its seed', async () => {
      const { simulator } = await start({ seed: undefined });
      const other = await startHarness({ seed: undefined });
      expect(simulator.seed).not.toBe(other.simulator.seed);
      await other.close();
    });
  });
}
