// Owns the simulator's randomness: one seed decides every draw, so that a run can be repeated.
// Not for secrets: the seed gives every value away.

import { createHash } from 'node:crypto';

/** A small fast generator (sfc32, 128 bits of state). Two made from one seed give the same draws in the same order. */
export class SeededRandom {
  readonly #state: Uint32Array;

  private constructor(state: Uint32Array) {
    this.#state = state;
    // sfc32 needs a few rounds before states that differ in one bit give unrelated draws.
    for (let round = 0; round < 12; round += 1) this.uint32();
  }

  /** Any string is a good seed: it is hashed first. */
  static fromSeed(seed: string): SeededRandom {
    const digest = createHash('sha256').update(seed).digest();
    return new SeededRandom(Uint32Array.from([0, 4, 8, 12], (offset) => digest.readUInt32LE(offset)));
  }

  /**
   * A generator of its own that costs this one four draws, however many are then taken from the child.
   * With a fork for each request, overlapping requests do not take each other's draws.
   */
  fork(): SeededRandom {
    return new SeededRandom(Uint32Array.from([this.uint32(), this.uint32(), this.uint32(), this.uint32()]));
  }

  /** A whole number from 0 to 2³² − 1. */
  uint32(): number {
    const [a = 0, b = 0, c = 0, counter = 0] = this.#state;
    const drawn = (a + b + counter) | 0;
    this.#state[0] = b ^ (b >>> 9);
    this.#state[1] = (c + (c << 3)) | 0;
    this.#state[2] = (((c << 21) | (c >>> 11)) + drawn) | 0;
    this.#state[3] = (counter + 1) | 0;
    return drawn >>> 0;
  }

  /** True for a share `rate` of the draws: never at 0, always at 1. */
  chance(rate: number): boolean {
    return this.uint32() / 2 ** 32 < rate;
  }

  /** A whole number from 0 to `max`, both included. */
  upTo(max: number): number {
    return Math.floor((this.uint32() / 2 ** 32) * (max + 1));
  }

  /** A random item of a list that is not empty. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.upTo(items.length - 1)];
    if (item === undefined) throw new RangeError('pick needs a list that is not empty');
    return item;
  }

  /** The items in a random order; the list itself is left as it is. */
  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const other = this.upTo(last);
      const moved = shuffled[last] as T;
      shuffled[last] = shuffled[other] as T;
      shuffled[other] = moved;
    }
    return shuffled;
  }

  /** `length` characters, each taken from `alphabet`. */
  text(length: number, alphabet: string): string {
    return Array.from({ length }, () => alphabet.charAt(this.upTo(alphabet.length - 1))).join('');
  }
}
