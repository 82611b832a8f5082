// A few at a time: whoever comes later waits for a turn. An operation's statements wait so, wherever in its call chain they begin.

import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from './errors.js';

interface Waiting {
  begin: () => void;
  giveUp: (error: AppError) => void;
}

export class Turns {
  private running = 0;
  private isOver = false;
  private readonly waiting: Waiting[] = [];

  constructor(private readonly maxAtOnce: number) {}

  /** @throws AppError UNAVAILABLE where it was over before the turn came */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    // What goes on behind an operation (a worker that it woke) works for others.
    if (this.isOver) return work();
    if (this.running < this.maxAtOnce) this.running += 1;
    else await new Promise<void>((begin, giveUp) => this.waiting.push({ begin, giveUp }));
    try {
      return await work();
    } finally {
      // Handed on, or free.
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next.begin();
    }
  }

  /** Nobody waits for the results any more: what still waits for its turn is given up. */
  end(): void {
    this.isOver = true;
    for (const { giveUp } of this.waiting.splice(0))
      giveUp(new AppError('UNAVAILABLE', 'Nobody waits for it any more'));
  }
}

const ofOperation = new AsyncLocalStorage<Turns>();

/** Runs `work`: its statements outside of transactions wait for these turns. */
export function inTurns<Result>(turns: Turns, work: () => Result): Result {
  return ofOperation.run(turns, work);
}

/** Those of the operation in whose call chain this is asked. */
export function currentTurns(): Turns | undefined {
  return ofOperation.getStore();
}
