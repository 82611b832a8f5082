// Owns the two bounded memories of the simulator: the newest entries of a log, and the most recently used of a map.
// A simulator that runs for weeks must not grow.

/** Keeps the newest `capacity` entries, oldest first, and counts all that were added. */
export class BoundedHistory<T> {
  readonly #capacity: number;
  #entries: T[] = [];
  #added = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The number of entries added since the start or the last `clear`. */
  get added(): number {
    return this.#added;
  }

  add(entry: T): void {
    this.#entries.push(entry);
    this.#added += 1;
    // Trimming only at twice the capacity keeps adding cheap.
    if (this.#entries.length >= this.#capacity * 2) this.#entries = this.#entries.slice(-this.#capacity);
  }

  list(): T[] {
    return this.#entries.slice(-this.#capacity);
  }

  clear(): void {
    this.#entries = [];
    this.#added = 0;
  }
}

/** A map of at most `capacity` entries that forgets the one unused for longest. */
export class BoundedMap<Key, Value> {
  readonly #capacity: number;
  readonly #values = new Map<Key, Value>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#values.size;
  }

  /** The value, which then counts as just used. */
  get(key: Key): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  /** The value, made and kept first when there is none. */
  getOrCreate(key: Key, create: () => Value): Value {
    const value = this.get(key) ?? create();
    this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#capacity) return;
    const oldest = this.#values.keys().next();
    if (!oldest.done) this.#values.delete(oldest.value);
  }

  delete(key: Key): void {
    this.#values.delete(key);
  }
}
