// Answers that have not left yet. In a process that stops, each answer ends its connection, so that no request goes into one that is
// being closed. Connections of callers who do not read are cut: their answers would stay in memory.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface StallLimit {
  /** The time between looks at the answers. */
  intervalMs: number;
  /**
   * The number of looks in a row at which the caller had taken no byte more; then the connection is cut. Looks are counted, as a process
   * may be asleep for a while.
   */
  looks: number;
}

/** A caller may take nothing of an answer for 30 s, and for one interval more at most. */
const defaultStallLimit: StallLimit = { intervalMs: 2_000, looks: 15 };

interface OpenAnswer {
  readonly answer: ServerResponse;
  /** The place in the list of all. */
  index: number;
  /** The bytes that were taken; comparable with the number before only. */
  taken: number;
  looksWithout: number;
}

export class OpenAnswers {
  // In this list, the last answer takes the place of one that goes. A Map in which entries come and go replaces its table all the time, and
  // each old table holds the next. Requests lived until V8 collected old memory, and collecting young memory took twice as long.
  private readonly open: OpenAnswer[] = [];
  private areLast = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limit: StallLimit = defaultStallLimit) {}

  /** Call it before anything of the answer is sent. */
  follow(answer: ServerResponse): void {
    if (this.areLast) answer.setHeader('connection', 'close');
    const entry = { answer, index: this.open.length, taken: -1, looksWithout: 0 };
    this.open.push(entry);
    answer.once('close', () => this.remove(entry));
  }

  private remove({ index }: OpenAnswer): void {
    const last = this.open.pop();
    if (last === undefined || last.index === index) return;
    last.index = index;
    this.open[index] = last;
  }

  /** Makes answers from now on carry `Connection: close`. Requests under way do so too where their head has not left. Safe to repeat. */
  endConnections(): void {
    this.areLast = true;
    for (const { answer } of this.open) if (!answer.headersSent) answer.setHeader('connection', 'close');
  }

  /** From now on, connections are cut if their callers do not take what they asked for. */
  startLooking(): void {
    this.timer = setInterval(() => this.look(), this.limit.intervalMs);
    this.timer.unref();
  }

  /** Safe to repeat. */
  stopLooking(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    for (const entry of this.open) {
      const { socket } = entry.answer;
      const taken = socket === null || socket.writableLength === 0 ? -1 : takenOf(socket);
      if (taken === -1 || taken !== entry.taken) {
        entry.taken = taken;
        entry.looksWithout = 0;
        continue;
      }
      entry.looksWithout += 1;
      if (entry.looksWithout >= this.limit.looks) socket?.destroy();
    }
  }
}

// A large answer is one write. Only the handle shows how much of it the kernel has taken so far, as Node's own socket time-outs know.
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } | null };
  return socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0);
}
