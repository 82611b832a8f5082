// A waiting line in which owners take turns: the owner that is served goes behind the others, so an owner with many entries delays
// nobody else. Entries of one owner keep their order.

export class FairLine<Owner, Entry> {
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
