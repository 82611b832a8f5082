// What of the environment says where traces go, under the names that OpenTelemetry gave these settings.

import { z } from 'zod';
import { headerList, httpUrl } from './value-formats.js';

export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: httpUrl.optional(),
    default: '–',
    meaning: 'receiver of traces (OTLP over HTTP, protobuf; `/v1/traces` below it). Unset: nothing is traced',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: headerList.default({}),
    default: '–',
    meaning: 'sent along to that receiver: `name=value` pairs, separated by commas, values percent-encoded',
  },
  OTEL_SERVICE_NAME: {
    schema: z.string().min(1).max(100).default('leadwire'),
    default: '`leadwire`',
    meaning: 'by which the receiver knows us',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z.coerce.number().min(0).max(1).default(1),
    default: '`1`',
    meaning: 'share of the traces that is kept, 0 to 1',
  },
} as const;

type Parsed = { [Name in keyof typeof tracingVariables]: z.output<(typeof tracingVariables)[Name]['schema']> };

export interface TracingConfig {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Of the traces, 0 to 1. */
  readonly ratio: number;
}

/** Undefined where nothing is to be traced. */
export function tracingOf(values: Parsed): TracingConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  if (endpoint === undefined) return undefined;
  const { OTEL_SERVICE_NAME: serviceName, OTEL_TRACES_SAMPLER_ARG: ratio } = values;
  return Object.freeze({ endpoint, headers: Object.freeze(headers), serviceName, ratio });
}
