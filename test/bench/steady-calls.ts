// Inbound messages at a steady pace for as long as other work goes on, and the time from each one's due moment to its answer. A process
// that falls behind pays for every call that it keeps waiting.

import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from './connection.js';
import { inboundPath, inboundRequests } from './inbound-call.js';
import type { Product } from './product.js';
import { percentile } from './side-by-side.js';

const perSecond = 40;
/** Each connection is used several times a second, so that the server never closes one as idle. */
const connectionCount = 16;

export const steadyCallsPerSecond = perSecond;

export interface SteadyFigures {
  p50Ms: number;
  p99Ms: number;
  seconds: number;
}

/** @throws Error for a call that is not answered 2xx, and the error of `work` */
export async function callSteadily(product: Product, work: () => Promise<unknown>): Promise<SteadyFigures> {
  const { tenant, webhookSecret: secret, url } = product;
  const next = inboundRequests({ messagePrefix: `steady-${Date.now()}`, ...tenant, secret });
  const open = await Promise.all(Array.from({ length: connectionCount }, () => Connection.open(url)));
  const timesMs: number[] = [];
  const end = new AbortController();
  const startedAtMs = performance.now();
  let count = 0;
  const callInTurn = async (connection: Connection) => {
    while (!end.signal.aborted) {
      const dueAtMs = startedAtMs + (count++ * 1_000) / perSecond;
      const waitMs = dueAtMs - performance.now();
      if (waitMs > 0) await delay(waitMs);
      const request = { method: 'POST', path: inboundPath, ...next() };
      const { status, body } = await connection.exchange(Connection.serialise(url, request));
      if (status !== 200) throw new Error(`A message was answered ${status}: ${body.slice(0, 500)}`);
      timesMs.push(performance.now() - dueAtMs);
    }
  };
  const calls = Promise.all(open.map(callInTurn));
  try {
    await Promise.race([work(), calls]);
  } finally {
    end.abort();
  }
  const seconds = (performance.now() - startedAtMs) / 1_000;
  await calls;
  for (const connection of open) connection.close();
  const sorted = Float64Array.from(timesMs).sort();
  return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99), seconds };
}
