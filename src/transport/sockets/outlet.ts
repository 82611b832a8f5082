// The bytes in the buffer of one socket are bounded, and so is the time that they may wait. All subscriptions of the socket share it.

import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { within } from '../../platform/jobs/deadline.js';
import type { UnsentBytes } from './unsent-bytes.js';

/** The close code of a socket that does not take what it asked for. graphql-ws clients connect again; the cursor says from where. */
export const tooSlow = { code: 4413, reason: 'TOO_SLOW: connect again, and resume after your last cursor' } as const;

export interface OutletOptions {
  /** Bytes that may wait in a socket's buffer before it gets no more; 256 KiB by default. */
  maxBufferedBytes?: number;
  /** The time that these may take to leave, in milliseconds; 10,000 by default. */
  stallMs?: number | undefined;
  /** Counts the bytes that are sent, for the socket's user. */
  unsent?: Pick<UnsentBytes, 'add'>;
  /** Called for each socket that is closed because it takes too long. */
  onTooSlow?: () => void;
}

/** The connection that a WebSocket writes to. */
export type Corkable = Pick<Duplex, 'cork' | 'uncork'>;

export class SocketOutlet {
  private draining: Promise<boolean> | undefined;
  private isCollecting = false;
  private readonly maxBufferedBytes: number;
  private readonly stallMs: number;
  private readonly onTooSlow: (() => void) | undefined;
  private readonly unsent: OutletOptions['unsent'];

  constructor(
    private readonly socket: WebSocket,
    private readonly connection: Corkable,
    { maxBufferedBytes = 256 * 1024, stallMs = 10_000, onTooSlow, unsent }: OutletOptions = {},
  ) {
    this.maxBufferedBytes = maxBufferedBytes;
    this.stallMs = stallMs;
    this.onTooSlow = onTooSlow;
    this.unsent = unsent;
  }

  /** Runs `work`, whose texts leave together: one call of the system for a page of events. */
  together<Result>(work: () => Result): Result {
    this.connection.cork();
    this.isCollecting = true;
    try {
      return work();
    } finally {
      this.isCollecting = false;
      this.connection.uncork();
    }
  }

  /** Returns whether there is room for more. Where there is none, the texts that `together` has collected leave first. */
  makeRoom(): boolean {
    if (!this.isFull || !this.isCollecting) return !this.isFull;
    this.connection.uncork();
    this.connection.cork();
    return !this.isFull;
  }

  /** Sends text; a socket that is closing takes everything and keeps nothing. */
  send(text: Buffer): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(text, { binary: false });
    this.unsent?.add(this.socket, text.length);
  }

  /** Resolves once the waiting bytes have left; false where the socket is closed, or is being closed because it takes too long. */
  whenDrained(): Promise<boolean> {
    if (this.socket.readyState !== this.socket.OPEN) return Promise.resolve(false);
    if (!this.isFull) return Promise.resolve(true);
    this.draining ??= this.drain();
    return this.draining;
  }

  private get isFull(): boolean {
    return this.socket.bufferedAmount > this.maxBufferedBytes;
  }

  // A ping waits behind all that is buffered: once it has left, so has the rest.
  private async drain(): Promise<boolean> {
    const { socket } = this;
    const left = new Promise<boolean>((resolve) =>
      socket.ping('', false, (error?: Error | null) => resolve(error == null)),
    );
    const isDrained = await within(this.stallMs, left, () => {
      socket.close(tooSlow.code, tooSlow.reason);
      this.onTooSlow?.();
      return false;
    });
    this.draining = undefined;
    return isDrained && socket.readyState === socket.OPEN;
  }
}
