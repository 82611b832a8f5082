// Answers that have not left yet. In a process that stops, each answer ends its connection, so that no request goes into one that is
// being closed. Connections of callers who do not read are cut: their answers would stay in memory.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express, Request, Response } from 'express';
import { AppError } from '../../platform/errors.js';
import { Tally } from '../../platform/jobs/tally.js';
import { throttleSubjectOf } from './authenticate.js';
import { requestAddress } from './client-address.js';
import { subjectKey } from './throttle.js';

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

// The bytes of answers that wait are bounded: large answers count for their caller and its tenant until they have left.

export interface UnreadLimits {
  /** The limit of one user, tenant key or address. */
  bytesPerCaller: number;
  bytesPerTenant: number;
}

export const defaultUnreadLimits: UnreadLimits = {
  bytesPerCaller: 16 * 1024 * 1024,
  bytesPerTenant: 32 * 1024 * 1024,
};

// Smaller answers are bounded by the rate limit, and by the time that they may wait.
const countedFromBytes = 16 * 1024;
const retryAfterSeconds = 1;

export class UnreadAnswers {
  private readonly bytesByHolder = new Tally();

  /** @param onRefusal called for each answer that is not given */
  constructor(
    private readonly limits: UnreadLimits,
    private readonly onRefusal: () => void,
  ) {}

  /** Counts the application's answers from now on: a large one beyond the limits is replaced by RATE_LIMITED. */
  guard(app: Express): void {
    const { response } = app as Express & { response: Response };
    const send = response.send;
    const hold = (res: Response, body: unknown) => this.hold(res, body);
    response.send = function (this: Response, body?: unknown) {
      hold(this, body);
      return send.call(this, body);
    };
  }

  /** @throws AppError RATE_LIMITED; a caller that holds nothing yet is never refused for itself, whatever the answer's length */
  private hold(res: Response, body: unknown): void {
    if ((typeof body !== 'string' && !Buffer.isBuffer(body)) || body.length < countedFromBytes) return;
    const bytes = Buffer.byteLength(body);
    const { bytesPerCaller, bytesPerTenant } = this.limits;
    const { caller, tenant } = holdersOf(res.req);
    if (this.exceeds(caller, bytes, bytesPerCaller)) throw this.refusal('this caller', bytesPerCaller);
    if (tenant !== undefined && this.exceeds(tenant, bytes, bytesPerTenant))
      throw this.refusal("this tenant's callers", bytesPerTenant);
    const holders = tenant === undefined ? [caller] : [caller, tenant];
    for (const holder of holders) this.bytesByHolder.add(holder, bytes);
    res.on('close', () => {
      for (const holder of holders) this.bytesByHolder.add(holder, -bytes);
    });
  }

  private exceeds(holder: string, bytes: number, limit: number): boolean {
    const held = this.bytesByHolder.of(holder);
    return held > 0 && held + bytes > limit;
  }

  private refusal(holder: string, limit: number): AppError {
    this.onRefusal();
    const detail = `Answers of ${limit / (1_024 * 1_024)} MiB wait to be read by ${holder}: read them, then ask again`;
    return new AppError('RATE_LIMITED', detail, { retryAfterSeconds });
  }
}

function holdersOf(req: Request): { caller: string; tenant: string | undefined } {
  const { tenantId } = req.tenantKey ?? req.user ?? {};
  const subject = throttleSubjectOf(req);
  return {
    // Webhook calls are counted by their items, and hold answers by their key.
    caller: subject === undefined ? `key:${tenantId}` : subjectKey(subject, requestAddress(req)),
    tenant: tenantId === undefined ? undefined : `tenant:${tenantId}`,
  };
}
