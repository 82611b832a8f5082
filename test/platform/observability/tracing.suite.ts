// Traces at a receiver: of a call and its batch, and of a message from an operator to the gateway. The tests also check the service while
// the receiver is slow or away.

import { randomBytes, randomUUID } from 'node:crypto';
import { SpanKind, type Span } from '@opentelemetry/api';
import { MicroBatcher } from '../../../src/platform/jobs/micro-batcher.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { newRecordId } from '../../../src/platform/database/record-id.js';
import { outsideOfRequests, withRequestId } from '../../../src/platform/observability/request-scope.js';
import { currentTrace, inSpan, runInTrace, traceHeaders } from '../../../src/platform/observability/trace-scope.js';
import { Tracing, parentOf } from '../../../src/platform/observability/tracing.js';
import { answering, ScriptedGateway } from '../../providers/scripted-gateway.js';
import {
  gatewayToken,
  plainNumber,
  send,
  startSender,
  until,
  waitForStatus,
} from '../../features/messages/sending-harness.js';
import { freePort } from '../../support/redis-server.js';
import { slow } from '../../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { TraceReceiver, type ReceivedSpan } from '../../support/trace-receiver.js';

const inbound = '/webhooks/chat/gateway/inbound';
const [server, client, producer, consumer] = [2, 3, 4, 5];

export function describeTracing(): void {
  let receiver: TraceReceiver;

  beforeEach(async () => {
    receiver = await TraceReceiver.start();
  });
  afterEach(() => receiver.close());

  const contextOf = ({ traceId, spanId }: ReceivedSpan) => ({ traceId, spanId });

  function spanNamed(name: string, where: (span: ReceivedSpan) => boolean = () => true): ReceivedSpan {
    const found = receiver.spans.filter((span) => span.name === name && where(span));
    expect([name, found.length]).toEqual([name, 1]);
    return found[0]!;
  }

  async function startTracing(options: Partial<ConstructorParameters<typeof Tracing>[0]> = {}): Promise<Tracing> {
    const given = {
      endpoint: receiver.url,
      headers: {},
      serviceName: 'x',
      ratio: 1,
      role: 'all',
      log: createLogger('silent'),
    };
    const tracing = new Tracing({ ...given, ...options });
    await tracing.start();
    return tracing;
  }

  describe('of a service', () => {
    const words = `Oi ${randomBytes(8).toString('hex')}`;
    const number = plainNumber();
    const caller = { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') };
    const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;
    let gateway: ScriptedGateway;
    let api: TestApp;
    let worker: TestApp;
    let tenant: TestTenant;

    const post = (headers: Record<string, string> = {}) =>
      api.post(
        inbound,
        { messageId: randomUUID(), from: number, name: `Ana ${words}`, text: words },
        { ...withKey(tenant), ...headers },
      );

    test('a call, its batch and the statement; a message from the operator through another process to the gateway; nothing of a person', async () => {
      gateway = await ScriptedGateway.start(answering(200, { messageId: 'provider-1' }));
      const environment = {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-receiver-key=a%20secret%20of%20ours',
        OTEL_SERVICE_NAME: 'traced leads',
      };
      api = await startSender(gateway, { ...environment, PROCESS_ROLE: 'api' });
      worker = await startSender(gateway, { ...environment, PROCESS_ROLE: 'worker' }, api.database);
      tenant = await api.createTenant();
      // A person's first call takes the general path.
      const { results } = (await (await post()).json()) as { results: { leadId: string }[] };
      expect((await post({ traceparent })).status).toBe(200);
      expect((await api.post(inbound, {}, { ...withKey(tenant), traceparent: 'none' })).status).toBe(422);
      const id = await send(api, tenant, { leadId: results[0]!.leadId, body: words });
      await waitForStatus(api, id, 'SENT');
      await worker.stop({ keepDatabase: true });
      await api.stop();
      await gateway.close();

      const call = spanNamed(`POST ${inbound}`, ({ traceId }) => traceId === caller.traceId);
      expect(call).toMatchObject({ kind: server, parentSpanId: caller.spanId, status: 0 });
      expect(call.attributes).toEqual({
        'http.request.method': 'POST',
        'http.route': inbound,
        'http.response.status_code': 200,
        'leadwire.tenant.id': tenant.id,
      });
      expect(call.resource).toMatchObject({ 'service.name': 'traced leads', 'leadwire.process.role': 'api' });
      const batch = spanNamed('batch of messages', ({ traceId }) => traceId === caller.traceId);
      expect(batch).toMatchObject({
        parentSpanId: call.spanId,
        links: [contextOf(call)],
        attributes: { 'leadwire.batch.size': 1 },
      });
      const statements = receiver.spans.filter(({ parentSpanId }) => parentSpanId === batch.spanId);
      expect(statements.map(({ kind, attributes }) => [kind, attributes])).toContainEqual([
        client,
        { 'db.system.name': 'postgresql' },
      ]);
      const refused = spanNamed(`POST ${inbound}`, ({ attributes }) => attributes['http.response.status_code'] === 422);
      expect(refused).toMatchObject({ parentSpanId: '', status: 0 });

      const traceId = id.replaceAll('-', '');
      const queued = spanNamed('queue message');
      const mutation = spanNamed('POST /graphql', ({ links }) => links.some((link) => link.spanId === queued.spanId));
      expect(queued).toMatchObject({ traceId, kind: producer, parentSpanId: '', links: [contextOf(mutation)] });
      const sent = spanNamed('send message');
      expect(sent).toMatchObject({
        traceId,
        kind: consumer,
        links: [contextOf(queued)],
        resource: { 'leadwire.process.role': 'worker' },
      });
      expect(sent.attributes).toEqual({
        'leadwire.tenant.id': tenant.id,
        'leadwire.message.id': id,
        'leadwire.message.attempt': 1,
        'leadwire.gateway.provider': 'gateway',
        'leadwire.message.outcome': 'accepted',
      });
      const called = spanNamed('POST gateway');
      expect(called).toMatchObject({ traceId, kind: client, parentSpanId: sent.spanId });
      expect(gateway.requests.map(({ headers }) => headers['traceparent'])).toEqual([
        `00-${traceId}-${called.spanId}-01`,
      ]);

      expect(receiver.headers.every((headers) => headers['x-receiver-key'] === 'a secret of ours')).toBe(true);
      const told = Buffer.concat(receiver.bytes).toString('latin1');
      expect(told).toContain(tenant.id);
      for (const kept of [words, number, tenant.apiKey, tenant.slug, tenant.operator.token, gatewayToken, gateway.url])
        expect(told).not.toContain(kept);
    });

    slow('where nobody receives them it works as without, and ends in time', async () => {
      gateway = await ScriptedGateway.start(answering(200, { messageId: 'provider-1' }));
      const endpoint = `http://127.0.0.1:${await freePort()}`;
      api = await startSender(gateway, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
      tenant = await api.createTenant();
      const { results } = (await (await post()).json()) as { results: { leadId: string }[] };
      const id = await send(api, tenant, { leadId: results[0]!.leadId, body: words });
      await waitForStatus(api, id, 'SENT');
      expect((await post()).status).toBe(200);
      await api.stop();
      await gateway.close();
    });
  });

  describe('kept', () => {
    test('of what a slow receiver lets wait no more than 2,560 spans', async () => {
      const tracing = await startTracing();
      const gate = Promise.withResolvers<void>();
      receiver.gate = gate.promise;
      for (let count = 0; count < 10_000; count += 1) tracing.startSpan('one of many', {}, undefined).end();
      const stopped = tracing.stop();
      await until(
        () => receiver.headers.length,
        (count) => count > 0,
      );
      gate.resolve();
      await stopped;
      expect(receiver.spans.length).toBeGreaterThanOrEqual(512);
      expect(receiver.spans.length).toBeLessThanOrEqual(2_560);
    });

    test('not what a receiver refuses, which is logged once', async () => {
      receiver.status = 400;
      const lines: string[] = [];
      const key = randomBytes(16).toString('hex');
      const tracing = await startTracing({
        headers: { 'x-receiver-key': key },
        log: createLogger('info', { destination: { write: (line) => lines.push(line) } }),
      });
      for (let count = 0; count < 1_500; count += 1) tracing.startSpan('refused', {}, undefined).end();
      await tracing.stop();
      expect(receiver.headers.length).toBeGreaterThan(1);
      expect(receiver.headers[0]).toMatchObject({ 'x-receiver-key': key });
      expect(lines).toEqual([expect.stringContaining('traces could not be delivered')]);
      expect(lines[0]).not.toContain(key);
    });

    test('by share of the ids: all processes alike, and whatever a caller wants', async () => {
      const tracings = [await startTracing({ ratio: 0.5 }), await startTracing({ ratio: 0.5 })];
      const ids = Array.from({ length: 200 }, () => newRecordId());
      const [first, second] = tracings.map((tracing) =>
        ids.map((id) =>
          (['origin', 'later'] as const).map((place) => tracing.startJourney('x', {}, id, place).isRecording()),
        ),
      );
      expect(second).toEqual(first);
      expect(first!.every(([origin, later]) => origin === later)).toBe(true);
      const kept = first!.filter(([origin]) => origin).length;
      expect(kept).toBeGreaterThan(50);
      expect(kept).toBeLessThan(150);
      const none = await startTracing({ ratio: 0 });
      const wanted = parentOf(`00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`);
      expect(none.startSpan('x', {}, wanted).isRecording()).toBe(false);
      const unwanted = parentOf(`00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-00`);
      const all = await startTracing();
      expect(all.startSpan('x', {}, wanted).spanContext().traceId).toBe('ab'.repeat(16));
      expect(all.startSpan('x', {}, unwanted).isRecording()).toBe(false);
      await Promise.all([...tracings, none, all].map((tracing) => tracing.stop()));
    });
  });

  test('a batch is below the first call that is traced, linked with all, and each of these with it', async () => {
    const tracing = await startTracing();
    const insides: string[] = [];
    const microBatcher = new MicroBatcher<number, number>({
      write: async (_, items) => {
        insides.push(await inSpan('write', { kind: SpanKind.CLIENT }, async () => traceHeaders()['traceparent'] ?? ''));
        return items;
      },
      weightOf: () => 1,
      name: 'numbers',
      maxBatchSize: 10,
      maxBatchWeight: 10,
      maxInFlight: 1,
      maxWaiting: 10,
      maxWaitingWeight: 10,
    });
    const submitAs = (span: Span | undefined, item: number) =>
      runInTrace(span === undefined ? undefined : { source: tracing, span }, () => microBatcher.submit('lane', item));
    const spans = ['one', 'two'].map((name) => tracing.startSpan(name, {}, undefined));
    await Promise.all([undefined, ...spans].map(submitAs));
    for (const span of spans) span.end();
    // A call without a trace leaves no span.
    await submitAs(undefined, 4);
    await tracing.stop();

    const [one, two, batch, write] = ['one', 'two', 'batch of numbers', 'write'].map((name) => spanNamed(name));
    expect(batch).toMatchObject({ parentSpanId: one!.spanId, links: [one!, two!].map(contextOf) });
    expect(batch!.attributes).toEqual({ 'leadwire.batch.size': 3 });
    expect(two!.links).toEqual([contextOf(batch!)]);
    expect(write).toMatchObject({ traceId: one!.traceId, parentSpanId: batch!.spanId });
    expect(insides).toEqual([`00-${write!.traceId}-${write!.spanId}-01`, '']);
  });

  test('what fails says what kind of failure it was, and not its words', async () => {
    const tracing = await startTracing();
    const span = tracing.startSpan('outer', {}, undefined);
    const failing = (error: unknown) =>
      inSpan('inner', { kind: SpanKind.CLIENT }, async () => {
        throw error;
      });
    await runInTrace({ source: tracing, span }, async () => {
      for (const error of [new TypeError('of Ana'), Object.assign(new Error('of Ana'), { code: '23505' }), 'of Ana'])
        await expect(failing(error)).rejects.toBe(error);
    });
    span.end();
    await tracing.stop();
    const failed = receiver.spans.filter(({ name }) => name === 'inner');
    expect(failed.map(({ status, attributes }) => [status, attributes])).toEqual(
      ['TypeError', '23505', 'unknown'].map((kind) => [2, { 'error.type': kind }]),
    );
    expect(Buffer.concat(receiver.bytes).toString('latin1')).not.toContain('Ana');
  });

  test('lines of the log carry the trace; what belongs to no request is in none', async () => {
    const tracing = await startTracing();
    const lines: string[] = [];
    const log = createLogger('info', { destination: { write: (line) => lines.push(line) } });
    const span = tracing.startSpan('request', {}, undefined);
    withRequestId('r', () =>
      runInTrace({ source: tracing, span }, () => {
        log.info('within');
        outsideOfRequests(() => log.info(`outside: ${currentTrace() === undefined}`));
      }),
    );
    span.end();
    await tracing.stop();
    const { traceId } = span.spanContext();
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ msg: 'within', requestId: 'r', traceId }),
      expect.not.objectContaining({ traceId }),
    ]);
    expect(lines[1]).toContain('outside: true');
  });

  test.each([
    undefined,
    '',
    'none',
    `00-${'0'.repeat(32)}-${'cd'.repeat(8)}-01`,
    `00-${'ab'.repeat(16)}-${'0'.repeat(16)}-01`,
    `00-${'AB'.repeat(16)}-${'cd'.repeat(8)}-01`,
    `ff-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`,
    `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}`,
  ])('a traceparent that cannot be read begins a trace: %s', (traceparent) => {
    expect(parentOf(traceparent)).toBeUndefined();
  });
}
