// Intake over several processes at once, from all tenants of a product.

import { inboundRequests } from './inbound-call.js';
import type { HttpLoad, LoadRequest } from './load.js';
import type { Product } from './product.js';
import type { RoundFigures } from './side-by-side.js';

export class SpreadLoad {
  constructor(private readonly loads: readonly HttpLoad[]) {}

  get answeredCount(): number {
    return this.loads.reduce((sum, load) => sum + load.answeredCount, 0);
  }

  get generatorShare(): number {
    return Math.max(...this.loads.map((load) => load.generatorShare));
  }

  /** The calls a second of the last turn, of all processes. */
  get pace(): number {
    return this.loads.reduce((sum, load) => sum + load.pace, 0);
  }

  async warmUp(durationMs: number): Promise<void> {
    await Promise.all(this.loads.map((load) => load.warmUp(durationMs)));
  }

  async measure(durationMs: number): Promise<RoundFigures> {
    const figures = await Promise.all(this.loads.map((load) => load.measure(durationMs)));
    return {
      perSecond: figures.reduce((sum, { perSecond }) => sum + perSecond, 0),
      p50Ms: Math.max(...figures.map(({ p50Ms }) => p50Ms)),
      p99Ms: Math.max(...figures.map(({ p99Ms }) => p99Ms)),
    };
  }
}

/** Makes a call for each tenant in turn. */
export function requestsOfAll(
  { tenant, otherTenants, webhookSecret: secret }: Product,
  messagePrefix: string,
): () => LoadRequest {
  const makers = [tenant, ...otherTenants].map(({ apiKey, instanceName }) =>
    inboundRequests({ messagePrefix, instanceName, apiKey, secret }),
  );
  let count = 0;
  return () => {
    const make = makers[(count += 1) % makers.length];
    if (make === undefined) throw new Error('there is no tenant');
    return make();
  };
}
