// Cases of the pace, generated from a seed: a tenant's messages, its limit, and the gateway's faults before it accepts.

import fc from 'fast-check';

/** A limit of at most `max` sends in any `durationMs`. */
export interface Limit {
  max: number;
  durationMs: number;
}

/** The gateway's fault at one arrival: it answers 429 or 503, never answers, or resets the connection after it accepted the message. */
export type Fault = 'tooMany' | 'unavailable' | 'hang' | 'reset';

export interface PlannedMessage {
  /** A text that is unique in the whole run. */
  text: string;
  /** The faults of its first arrivals, in turn. */
  faults: Fault[];
  /** The result after its faults: refused for good, or accepted. */
  isRefused: boolean;
  /** The pause between the answer to the message before it and its own request. */
  pauseMs: number;
  /** Requested a second time under its idempotency key. */
  isRepeated: boolean;
}

export interface PacedCase {
  /** Null: no limit. */
  limit: Limit | null;
  change: { afterMs: number; limit: Limit | null } | null;
  /** Messages of each lead, in their order. */
  leads: PlannedMessage[][];
}

/** The longest window of a case. */
export const maxDurationMs = 500;

const limit = fc.record({
  max: fc.integer({ min: 1, max: 5 }),
  durationMs: fc.integer({ min: 100, max: maxDurationMs }),
});
const limitOrNone = fc.option(limit, { freq: 6 });

const faults = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Fault[]>([]) },
  {
    weight: 3,
    arbitrary: fc.array(fc.constantFrom<Fault>('tooMany', 'unavailable', 'reset'), { minLength: 1, maxLength: 2 }),
  },
);

const message = fc.record({
  faults,
  isRefused: fc.oneof({ weight: 7, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  // Most messages come in a burst.
  pauseMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(400) }),
  isRepeated: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

const paced = fc.record({
  limit: limitOrNone,
  change: fc.option(fc.record({ afterMs: fc.integer({ min: 50, max: 2_000 }), limit: limitOrNone }), { freq: 2 }),
  leads: fc.array(fc.array(message, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  // A hang takes as long as a call to a gateway may, and keeps its place under the limit that long.
  hangs: fc.oneof({ weight: 14, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

/** The same seed gives the same cases. @param prefix keeps the texts of two rounds apart */
export function pacedCases(prefix: string, seed: number, count: number): PacedCase[] {
  return fc.sample(paced, { numRuns: count, seed }).map(({ leads, hangs, ...rest }, caseIndex) => ({
    ...rest,
    leads: leads.map((messages, leadIndex) =>
      messages.map((planned, index) => {
        const isHung = hangs && leadIndex === 0 && index === 0;
        const text = `${prefix}, case ${caseIndex}, lead ${leadIndex}, message ${index}`;
        return { ...planned, text, ...(isHung ? { faults: ['hang'] } : {}) };
      }),
    ),
  }));
}
