// Numbers by key and their sum, for counting what callers hold at the moment.

/** A key whose number falls to 0 is forgotten. */
export class Tally {
  private readonly numbers = new Map<string, number>();
  private sum = 0;

  /** The sum of all keys. */
  get total(): number {
    return this.sum;
  }

  /** The number of keys that have a number. */
  get size(): number {
    return this.numbers.size;
  }

  of(key: string): number {
    return this.numbers.get(key) ?? 0;
  }

  /** @returns the key's new number */
  add(key: string, change: number): number {
    const number = this.of(key) + change;
    this.sum += change;
    if (number === 0) this.numbers.delete(key);
    else this.numbers.set(key, number);
    return number;
  }

  clear(): void {
    this.numbers.clear();
    this.sum = 0;
  }
}
