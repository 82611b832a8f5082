// What the webhooks ask of the rate limits. Counting belongs to the transport; whom an item counts for to intake-limits.ts.

/**
 * - `lead`: leads of a tenant key.
 * - `inbound`: messages of one sender.
 * - `status`: reports on one message of ours.
 * - `state`: all other events of one instance, and calls that cannot be read.
 * - `gateway`: gateway calls of a tenant key, whatever they say.
 */
export const limitKinds = ['lead', 'inbound', 'status', 'state', 'gateway'] as const;
export type LimitKind = (typeof limitKinds)[number];

/** Items of one call that count in one bucket. */
export interface LimitedSubject {
  kind: LimitKind;
  /** Unique among all buckets of the kind, those of other tenants included. */
  key: string;
  hits: number;
}

export interface LimitVerdict {
  /** How many of the hits are within the limit. */
  passed: number;
  /** Hits left in this window. */
  remaining: number;
  /** Whole seconds until the window resets, at least 1. */
  resetSeconds: number;
  /** `RateLimit` and `RateLimit-Policy`, and `Retry-After` where not all hits passed. */
  headers: () => Record<string, string>;
}

export interface ItemLimiter {
  /** Whether the kind `gateway` has a limit. */
  capsGateways: boolean;
  /** Counts the subjects of one call of a tenant. Never rejects; each call counts. @returns a verdict for each, in their order */
  count(tenantId: string, subjects: readonly LimitedSubject[]): Promise<LimitVerdict[]>;
}

/** Lets everything pass, for services that take no calls. */
export const unlimited: ItemLimiter = {
  capsGateways: false,
  count: (_, subjects) =>
    Promise.resolve(
      subjects.map(({ hits }) => ({ passed: hits, remaining: Infinity, resetSeconds: 1, headers: () => ({}) })),
    ),
};
