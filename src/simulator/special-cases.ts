// Owns the special cases: numbers, or words in the text, that change the behaviour for one message, as test cards do.
// Each is nothing but a change of knobs; behaviour.schema.ts says what the knobs mean.

import type { SimulatorBehaviour } from './behaviour.schema.js';

export interface SpecialCase {
  /** The number written to ends in these digits. */
  readonly suffix: string;
  /** `#sim:<name>` anywhere in the text has the same effect, for any number. */
  readonly name: string;
  /** The effect, in the words of src/docs/simulator.md. */
  readonly meaning: string;
  readonly change: Partial<SimulatorBehaviour>;
}

export const SPECIAL_CASES: readonly SpecialCase[] = [
  {
    suffix: '0001',
    name: 'unknown-number',
    meaning: 'Not on the network: 400 with code 131026, a permanent error.',
    change: { failRate: 1, failStatus: 400, failCode: '131026' },
  },
  {
    suffix: '0002',
    name: 'busy-once',
    meaning: '503 at the first attempt, then accepted.',
    change: { failFirstAttempts: 1, failStatus: 503, failCode: 'temporarily_unavailable' },
  },
  {
    suffix: '0003',
    name: 'rate-limited-once',
    meaning: '429 with `Retry-After: 2` at the first attempt, then accepted.',
    change: { failFirstAttempts: 1, failStatus: 429, failCode: '130429', retryAfterSeconds: 2 },
  },
  {
    suffix: '0004',
    name: 'sent-only',
    meaning: 'Reported SENT, then nothing more.',
    change: { deliveredRate: 0, failAfterAcceptRate: 0, replyRate: 0 },
  },
  {
    suffix: '0005',
    name: 'fails-later',
    meaning: 'Accepted, reported SENT and then FAILED.',
    change: { failAfterAcceptRate: 1 },
  },
  {
    suffix: '0006',
    name: 'answer-lost',
    meaning: 'Accepted, but the connection is cut before the answer; a retry under the same key is answered.',
    change: { dropAnswerRate: 1 },
  },
  {
    suffix: '0007',
    name: 'reversed-twice',
    meaning: 'READ, DELIVERED and SENT arrive in this order, each of them twice.',
    change: {
      reorderRate: 1,
      reorderAs: 'reverse',
      duplicateRate: 1,
      earlyStatusRate: 0,
      failAfterAcceptRate: 0,
      deliveredRate: 1,
      readRate: 1,
    },
  },
  {
    suffix: '0008',
    name: 'always-replies',
    meaning: 'The lead always replies.',
    change: { replyRate: 1, failAfterAcceptRate: 0 },
  },
  {
    suffix: '0009',
    name: 'never-answers',
    meaning: 'Not accepted and never answered: your time-out decides.',
    change: { hangRate: 1 },
  },
  {
    suffix: '0010',
    name: 'early-status',
    meaning: 'SENT and DELIVERED are reported before the request is answered.',
    change: { earlyStatusRate: 1, failAfterAcceptRate: 0, deliveredRate: 1 },
  },
  {
    suffix: '0011',
    name: 'always-busy',
    meaning: '503 at every attempt.',
    change: { failRate: 1, failStatus: 503, failCode: 'temporarily_unavailable' },
  },
  {
    suffix: '0012',
    name: 'never-read',
    meaning: 'Delivered, but never read or replied to.',
    change: { readRate: 0, replyRate: 0, failAfterAcceptRate: 0, deliveredRate: 1 },
  },
];

const BY_SUFFIX = new Map(SPECIAL_CASES.map((special) => [special.suffix, special]));
const BY_NAME = new Map(SPECIAL_CASES.map((special) => [special.name, special]));
const SUFFIX_DIGITS = 4;
const TEXT_MARK = /#sim:([a-z-]+)/;

/** The special case of a message, or undefined. A word in the text wins over the number; an unknown word is plain text. */
export function findSpecialCase(to: string, text: string | undefined): SpecialCase | undefined {
  const word = TEXT_MARK.exec(text ?? '')?.[1];
  return BY_NAME.get(word ?? '') ?? BY_SUFFIX.get(to.slice(-SUFFIX_DIGITS));
}
