// The current span of a call chain. Without tracing nothing is ever in scope, and each place that could be traced costs a look-up. The
// start and the delivery of traces belong to tracing.ts.

import { AsyncLocalStorage } from 'node:async_hooks';
import {
  SpanStatusCode,
  type Attributes,
  type Span,
  type SpanContext,
  type SpanKind,
  type SpanOptions,
} from '@opentelemetry/api';

export interface SpanSource {
  /** @param parent undefined begins a trace */
  startSpan(name: string, options: SpanOptions, parent: SpanContext | undefined): Span;
  /** Starts or continues the trace of a record whose id is a UUID: all spans with this id belong to one trace. */
  startJourney(name: string, options: SpanOptions, recordId: string, place: 'origin' | 'later'): Span;
}

export interface TraceScope {
  readonly source: SpanSource;
  readonly span: Span;
}

const scope = new AsyncLocalStorage<TraceScope | undefined>();

/** Undefined where nothing is traced. */
export function currentTrace(): TraceScope | undefined {
  const current = scope.getStore();
  return current?.span.isRecording() === true ? current : undefined;
}

/** Runs `work`, and everything it starts, as part of this span. */
export function runInTrace<Result>(current: TraceScope | undefined, work: () => Result): Result {
  return scope.run(current, work);
}

/** Runs `work` as a span of the current trace; without one, just runs it. */
export function inSpan<Result>(
  name: string,
  options: { kind: SpanKind; attributes?: Attributes },
  work: (span?: Span) => Promise<Result>,
): Promise<Result> {
  const current = currentTrace();
  if (current === undefined) return work();
  const { source } = current;
  return settleSpan({ source, span: source.startSpan(name, options, current.span.spanContext()) }, work);
}

/** Runs `work` on behalf of all origins: as a span below the first, linked with each of them. Without an origin, just runs it. */
export function inSpanOfAll<Result>(
  name: string,
  attributes: Attributes,
  origins: readonly (TraceScope | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> {
  const first = origins.find((origin) => origin !== undefined);
  if (first === undefined) return work();
  const spans = origins.flatMap((origin) => (origin === undefined ? [] : [origin.span]));
  const links = spans.map((span) => ({ context: span.spanContext() }));
  const span = first.source.startSpan(name, { attributes, links }, first.span.spanContext());
  for (const other of spans) if (other !== first.span) other.addLink({ context: span.spanContext() });
  return settleSpan({ source: first.source, span }, work);
}

/** Notes in the current trace, and in the record's own trace, that the one led to the other. */
export function beginJourney(
  name: string,
  recordId: string,
  options: { kind: SpanKind; attributes: Attributes },
): void {
  const current = currentTrace();
  if (current === undefined) return;
  const links = [{ context: current.span.spanContext() }];
  const span = current.source.startJourney(name, { ...options, links }, recordId, 'origin');
  current.span.addLink({ context: span.spanContext() });
  span.end();
}

/** Runs `work` within its span, and ends the span when the work ends. */
export async function settleSpan<Result>(current: TraceScope, work: (span: Span) => Promise<Result>): Promise<Result> {
  const { span } = current;
  try {
    return await scope.run(current, () => work(span));
  } catch (error) {
    // The error's message is left out, because it may quote what people wrote.
    span.setAttribute('error.type', kindOf(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** Names the current span for another service (W3C Trace Context). Empty where nothing is traced. */
export function traceHeaders(): Record<string, string> {
  const current = currentTrace();
  if (current === undefined) return {};
  const { traceId, spanId, traceFlags } = current.span.spanContext();
  return { traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}` };
}

/** Fields for lines of the log; empty where nothing is traced. */
export function traceFields(): { traceId?: string } {
  const current = currentTrace();
  return current === undefined ? {} : { traceId: current.span.spanContext().traceId };
}

function kindOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return [code, name].find((kind) => typeof kind === 'string') ?? 'unknown';
}
