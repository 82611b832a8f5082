// Bounds the work that many owners (tenants) do at the same time. Owners take turns. A single owner gets half of the places: as many as it
// leaves free.

import { Tally } from './tally.js';

export class FairSemaphore {
  private readonly running = new Tally();
  private readonly waiting = new FairQueue<string, () => void>();

  constructor(private readonly maxAtOnce: number) {}

  /** Starts `work` at once or in the owner's turn. Work of one owner starts in the order of the calls. */
  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const start = () => this.running.add(owner, 1);
    if (this.mayStart(owner) && !this.waiting.has(owner)) start();
    else await new Promise((resolve) => this.waiting.add(owner, () => resolve(start())));
    try {
      return await work();
    } finally {
      this.running.add(owner, -1);
      this.startNext();
    }
  }

  private mayStart(owner: string): boolean {
    return this.running.of(owner) < this.maxAtOnce - this.running.total;
  }

  private startNext(): void {
    while (this.running.total < this.maxAtOnce) {
      const startNext = this.waiting.take((owner) => this.mayStart(owner));
      if (startNext === undefined) return;
      startNext();
    }
  }
}

/** Entries of many owners, who take turns. */
export class FairQueue<Owner, Entry> {
  private readonly entries = new Map<Owner, Set<Entry>>();

  /** The number of owners that wait. */
  get ownerCount(): number {
    return this.entries.size;
  }

  has(owner: Owner, entry?: Entry): boolean {
    return entry === undefined ? this.entries.has(owner) : (this.entries.get(owner)?.has(entry) ?? false);
  }

  /** Adds an entry. An entry that waits already keeps its place. */
  add(owner: Owner, entry: Entry): void {
    const own = this.entries.get(owner);
    if (own === undefined) this.entries.set(owner, new Set([entry]));
    else own.add(entry);
  }

  /** Safe to repeat. */
  delete(owner: Owner, entry: Entry): void {
    const own = this.entries.get(owner);
    if (own?.delete(entry) === true && own.size === 0) this.entries.delete(owner);
  }

  /** Takes the first entry of the owner whose turn it is, among the ready owners; undefined where there is none. */
  take(isReady: (owner: Owner) => boolean = () => true): Entry | undefined {
    for (const [owner, own] of this.entries) {
      const [entry] = own;
      if (entry === undefined || !isReady(owner)) continue;
      this.entries.delete(owner);
      own.delete(entry);
      if (own.size > 0) this.entries.set(owner, own);
      return entry;
    }
    return undefined;
  }
}
