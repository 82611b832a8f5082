// Traces (OpenTelemetry): where they start, which of them are kept, and their delivery (OTLP over HTTP) to a receiver, which may be slow or
// away. The current span belongs to trace-scope.ts. A span holds nothing of a request but its route, and nothing of a person.

import {
  ROOT_CONTEXT,
  TraceFlags,
  defaultTextMapGetter,
  trace,
  type Attributes,
  type Span,
  type SpanContext,
  type SpanKind,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from './logger.js';
import { settleSpan, type SpanSource } from './trace-scope.js';

export interface TracingOptions {
  /** The receiver's address; `/v1/traces` is below it. */
  endpoint: string;
  /** Sent along with every delivery. */
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  /** The share of the traces that is kept, 0 to 1; decided by the trace's id, so that all processes decide alike. */
  ratio: number;
  /** `all`, `api` or `worker`. */
  role: string;
  log: Logger;
}

// The spans that wait to be delivered; beyond this number spans are dropped. A span takes about 2 KiB.
const maxWaitingSpans = 2_048;
const spansPerDelivery = 512;
const deliveryIntervalMs = 5_000;
const deliveryTimeoutMs = 5_000;
const warningIntervalMs = 60_000;
const maxValueLength = 256;

const w3c = new W3CTraceContextPropagator();

interface NextIds {
  traceId?: string | undefined;
  spanId?: string | undefined;
}

export class Tracing implements SpanSource {
  private tracer: Tracer | undefined;
  private provider: TracerProvider | undefined;
  private next: NextIds = {};
  private readonly deliveries = new Set<Promise<void>>();
  private warnedAtMs = -Infinity;

  constructor(private readonly options: TracingOptions) {}

  /** Loads the packages that traces need: a process without traces does not wait for them. */
  async start(): Promise<void> {
    const [sdk, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
    ]);
    const { endpoint, headers, serviceName, role, ratio } = this.options;
    const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
    const exporter = this.watched(
      new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: deliveryTimeoutMs }),
    );
    const byTraceId = new sdk.TraceIdRatioBasedSampler(ratio);
    const random = new sdk.RandomIdGenerator();
    this.provider = new sdk.TracerProvider({
      resource: resourceFromAttributes({ 'service.name': serviceName, 'leadwire.process.role': role }),
      // Callers cannot have more traces kept than is configured.
      sampler: new sdk.ParentBasedSampler({ root: byTraceId, remoteParentSampled: byTraceId }),
      spanLimits: { attributeValueLengthLimit: maxValueLength },
      idGenerator: {
        generateTraceId: () => this.next.traceId ?? random.generateTraceId(),
        generateSpanId: () => this.next.spanId ?? random.generateSpanId(),
      },
      spanProcessors: [
        new sdk.BatchSpanProcessor({
          exporter,
          maxQueueSize: maxWaitingSpans,
          maxExportBatchSize: spansPerDelivery,
          scheduledDelayMillis: deliveryIntervalMs,
          exportTimeoutMillis: deliveryTimeoutMs,
        }),
      ],
    });
    this.tracer = this.provider.getTracer('leadwire');
  }

  /** Delivers the waiting spans, in about 5 s at most. Safe to repeat. */
  async stop(): Promise<void> {
    this.tracer = undefined;
    // A failed delivery has been logged.
    await this.provider?.shutdown().catch(() => undefined);
    // Deliveries that had begun before are not waited for otherwise.
    await Promise.all(this.deliveries);
  }

  startSpan(name: string, options: SpanOptions, parent: SpanContext | undefined): Span {
    if (this.tracer === undefined) return noSpan;
    return this.tracer.startSpan(
      name,
      options,
      parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    );
  }

  startJourney(name: string, options: SpanOptions, recordId: string, place: 'origin' | 'later'): Span {
    const { traceId, spanId } = journeyOf(recordId);
    const links = place === 'origin' ? (options.links ?? []) : [{ context: originOf(recordId) }];
    // Ids are asked for while the span is made, and at no other time.
    this.next = { traceId, ...(place === 'origin' ? { spanId } : {}) };
    try {
      return this.startSpan(name, { ...options, links }, undefined);
    } finally {
      this.next = {};
    }
  }

  /** Continues the trace of a record, in whatever process. */
  inJourney<Result>(
    name: string,
    recordId: string,
    options: { kind: SpanKind; attributes: Attributes },
    work: (span: Span) => Promise<Result>,
  ): Promise<Result> {
    return settleSpan({ source: this, span: this.startJourney(name, options, recordId, 'later') }, work);
  }

  /** Wraps the exporter so that its failures are logged, once a minute at most. */
  private watched(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans, done) => {
        const delivery = Promise.withResolvers<void>();
        this.deliveries.add(delivery.promise);
        exporter.export(spans, (result) => {
          this.deliveries.delete(delivery.promise);
          delivery.resolve();
          if (result.error !== undefined) this.warn(result.error);
          done(result);
        });
      },
      shutdown: () => exporter.shutdown(),
    };
  }

  private warn(error: Error): void {
    const now = performance.now();
    if (now - this.warnedAtMs < warningIntervalMs) return;
    this.warnedAtMs = now;
    this.options.log.warn({ err: error }, 'traces could not be delivered; what does not fit is dropped');
  }
}

/** Reads the span that another service names in its `traceparent`; undefined where it names none, or none that can be read. */
export function parentOf(traceparent: string | undefined): SpanContext | undefined {
  return trace.getSpanContext(w3c.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter));
}

const noSpan = trace.wrapSpanContext({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: TraceFlags.NONE });

/** The trace of a record has the record's id, without hyphens: every process knows it from the record. */
function journeyOf(recordId: string): { traceId: string; spanId: string } {
  const traceId = recordId.replaceAll('-', '').toLowerCase();
  return { traceId, spanId: traceId.slice(16) };
}

function originOf(recordId: string): SpanContext {
  return { ...journeyOf(recordId), traceFlags: TraceFlags.SAMPLED, isRemote: true };
}
