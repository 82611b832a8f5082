// Work that takes a part of one whole at a time: much that is small runs side by side, what is large by itself. In the order in which it
// came, so that nothing large is overtaken for ever.

interface Waiting {
  readonly part: number;
  readonly begin: () => void;
}

export class Shares {
  private taken = 0;
  private running = 0;
  private readonly waiting: Waiting[] = [];

  /** @param part of the whole, above 0 and at most 1 */
  async run<Result>(part: number, work: () => Promise<Result>): Promise<Result> {
    if (this.waiting.length === 0 && this.hasRoomFor(part)) this.take(part);
    else await new Promise<void>((begin) => this.waiting.push({ part, begin }));
    try {
      return await work();
    } finally {
      this.giveBack(part);
    }
  }

  private hasRoomFor(part: number): boolean {
    return this.running === 0 || this.taken + part <= 1;
  }

  private take(part: number): void {
    this.running += 1;
    this.taken += part;
  }

  private giveBack(part: number): void {
    this.running -= 1;
    // Sums of fractions drift.
    this.taken = this.running === 0 ? 0 : this.taken - part;
    for (let next = this.waiting[0]; next !== undefined && this.hasRoomFor(next.part); next = this.waiting[0]) {
      this.waiting.shift();
      this.take(next.part);
      next.begin();
    }
  }
}
