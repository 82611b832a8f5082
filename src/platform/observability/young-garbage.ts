// Frees short-lived memory early. V8 counts the bytes of buffers as old memory, which they are not. Where many pass and little else is
// allocated, V8 would mark the whole heap several times a second, for about 20 ms each time.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as NodeJS.GCFunction;
// Code that was compiled before is of use under the same flags only.
setFlagsFromString('--no-expose-gc');

export class YoungGarbage {
  private bytes = 0;

  /** @param everyBytes the bytes of buffers between two collections; a collection takes about a millisecond */
  constructor(private readonly everyBytes: number) {}

  /** Call it for each buffer that is soon garbage. */
  add(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes < this.everyBytes) return;
    this.bytes = 0;
    collect({ type: 'minor' });
  }
}

/**
 * Gives back the memory that loading the code has left behind, a third of the process's: without load V8 would keep it. It takes about 0.3
 * s, in which nothing else is done.
 */
export function collectStartGarbage(): void {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Has the main thread collect young garbage by itself. Otherwise it waits for V8's helper threads, which have little to copy. On two busy
 * cores they took up to a fifth of an inbound call's processor time, and a collection lasted 76 ms on average.
 */
export function collectYoungGarbageAlone(): void {
  setFlagsFromString('--no-parallel-scavenge');
}
