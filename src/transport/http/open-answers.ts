// The answers that are still owed. Callers leave a process that ends: each answer from then on ends its connection, so that nobody sends
// the next request into one that is being closed. And callers who do not read are left: their answers would stay in memory for ever.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface StallLimit {
  /** How often answers are looked at. */
  intervalMs: number;
  /** Looks in a row at which the caller had taken no byte more; then the connection is cut. Counted, as a process may be asleep for a while. */
  looks: number;
}

/** How long a caller may take nothing of an answer: 30 s, and an interval at most. */
export const defaultStallLimit: StallLimit = { intervalMs: 2_000, looks: 15 };

interface Progress {
  /** Comparable with the one before only. */
  taken: number;
  looksWithout: number;
}

export class OpenAnswers {
  private readonly answers = new Map<ServerResponse, Progress>();
  private areLast = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limit: StallLimit = defaultStallLimit) {}

  /** Call before anything of the answer is sent. */
  follow(answer: ServerResponse): void {
    if (this.areLast) answer.setHeader('connection', 'close');
    this.answers.set(answer, { taken: -1, looksWithout: 0 });
    answer.on('close', () => this.answers.delete(answer));
  }

  /** From now on answers carry `Connection: close`, those of requests under way too where their head has not left. Safe to repeat. */
  endConnections(): void {
    this.areLast = true;
    for (const answer of this.answers.keys()) if (!answer.headersSent) answer.setHeader('connection', 'close');
  }

  /** From now on connections are cut whose callers do not take what they asked for. */
  startLooking(): void {
    this.timer = setInterval(() => this.look(), this.limit.intervalMs);
    this.timer.unref();
  }

  /** Safe to repeat. */
  stopLooking(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    for (const [{ socket }, progress] of this.answers) {
      const taken = socket === null || socket.writableLength === 0 ? -1 : takenOf(socket);
      if (taken === -1 || taken !== progress.taken) {
        progress.taken = taken;
        progress.looksWithout = 0;
        continue;
      }
      progress.looksWithout += 1;
      if (progress.looksWithout >= this.limit.looks) socket?.destroy();
    }
  }
}

// A large answer is one write: what the kernel has taken of it so far shows in the handle alone, as Node's own time-outs of sockets know.
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } | null };
  return socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0);
}
