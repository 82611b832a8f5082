// Work of many owners (tenants) that shares something scarce: so much of it at a time, and whose turn it is goes round. An owner may
// have as much under way as it leaves free, so that one alone, however much it waits for locks, leaves half to the others.

export class FairSemaphore {
  private readonly running = new Map<string, number>();
  // Owners in the order in which they are next.
  private readonly waiting = new Map<string, (() => void)[]>();
  private total = 0;

  constructor(private readonly maxAtOnce: number) {}

  /** Begins `work` at once where the owner may, else when its turn comes; an owner's own in the order of the calls. */
  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    if (this.mayBegin(owner) && !this.waiting.has(owner)) this.note(owner, 1);
    else await this.turnOf(owner);
    try {
      return await work();
    } finally {
      this.note(owner, -1);
      this.beginNext();
    }
  }

  private turnOf(owner: string): Promise<void> {
    return new Promise((begin) => {
      const queue = this.waiting.get(owner);
      if (queue === undefined) this.waiting.set(owner, [begin]);
      else queue.push(begin);
    });
  }

  private mayBegin(owner: string): boolean {
    return (this.running.get(owner) ?? 0) < this.maxAtOnce - this.total;
  }

  // At most as many owners are passed over as have work under way.
  private beginNext(): void {
    for (const [owner, queue] of this.waiting) {
      if (this.total === this.maxAtOnce) return;
      if (!this.mayBegin(owner)) continue;
      const begin = queue.shift();
      this.waiting.delete(owner);
      if (queue.length > 0) this.waiting.set(owner, queue);
      if (begin === undefined) continue;
      this.note(owner, 1);
      begin();
    }
  }

  private note(owner: string, change: 1 | -1): void {
    this.total += change;
    const running = (this.running.get(owner) ?? 0) + change;
    if (running === 0) this.running.delete(owner);
    else this.running.set(owner, running);
  }
}

export class FairQueue<Owner, Entry> {
  private readonly entries = new Map<Owner, Set<Entry>>();

  /** How many owners wait. */
  get ownerCount(): number {
    return this.entries.size;
  }

  has(owner: Owner, entry?: Entry): boolean {
    return entry === undefined ? this.entries.has(owner) : (this.entries.get(owner)?.has(entry) ?? false);
  }

  /** An entry that waits already keeps its place. */
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

  /** Takes the first entry of the owner whose turn it is, of those that are ready; undefined where there is none. */
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
