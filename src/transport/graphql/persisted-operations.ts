// Automatic persisted queries: clients send an operation's SHA-256 in place of its text once a process knows it. Apollo checks the
// hash and asks for the text where it is not known (any more); this remembers.

import { LRUCache } from 'lru-cache';

const maxRememberedBytes = 8 * 1024 * 1024;

/** Operations by their hash, the latest 8 MiB of them; only those that were valid and affordable once are kept. */
export class PersistedOperations {
  private readonly texts = new LRUCache<string, string>({
    maxSize: maxRememberedBytes,
    sizeCalculation: (text) => 2 * text.length + 200,
  });

  find(hash: string): string | undefined {
    return this.texts.get(hash);
  }

  /** As Apollo asks for it. */
  get(hash: string): Promise<string | undefined> {
    return Promise.resolve(this.texts.get(hash));
  }

  set(hash: string, text: string): Promise<void> {
    this.texts.set(hash, text);
    return Promise.resolve();
  }

  delete(hash: string): Promise<boolean> {
    return Promise.resolve(this.texts.delete(hash));
  }
}
