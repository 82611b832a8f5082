// What a socket has not taken yet, and how long it may leave us waiting for it: shared by all subscriptions of the socket.

import type { WebSocket } from 'ws';
import type { UnsentBytes } from './writer.js';

/** Close code of a socket that does not take what it asked for. graphql-ws clients connect again; the cursor says from where. */
export const tooSlow = { code: 4413, reason: 'TOO_SLOW: connect again, and resume after your last cursor' } as const;

export interface OutletOptions {
  /** Bytes that may wait in a socket's buffer before it gets no more; 256 KiB by default. */
  maxBufferedBytes?: number;
  /** How long these may take to leave, in milliseconds; 10,000 by default. */
  stallMs?: number;
  /** Where what is sent is counted as its user's. */
  unsent?: Pick<UnsentBytes, 'add'>;
  /** Told of each socket that is closed because it takes too long. */
  onTooSlow?: () => void;
}

export class SocketOutlet {
  private draining: Promise<boolean> | undefined;
  private readonly maxBufferedBytes: number;
  private readonly stallMs: number;
  private readonly onTooSlow: (() => void) | undefined;
  private readonly unsent: OutletOptions['unsent'];

  constructor(
    private readonly socket: WebSocket,
    { maxBufferedBytes = 256 * 1024, stallMs = 10_000, onTooSlow, unsent }: OutletOptions = {},
  ) {
    this.maxBufferedBytes = maxBufferedBytes;
    this.stallMs = stallMs;
    this.onTooSlow = onTooSlow;
    this.unsent = unsent;
  }

  get isFull(): boolean {
    return this.socket.bufferedAmount > this.maxBufferedBytes;
  }

  /** Sends text; a socket that is closing takes everything and keeps nothing. */
  send(text: Buffer): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(text, { binary: false });
    this.unsent?.add(this.socket, text.length);
  }

  /** Resolves once what waits has left; false where the socket is closed, or is being closed because it takes too long. */
  whenDrained(): Promise<boolean> {
    if (this.socket.readyState !== this.socket.OPEN) return Promise.resolve(false);
    if (!this.isFull) return Promise.resolve(true);
    this.draining ??= this.drain();
    return this.draining;
  }

  // A ping waits in line behind all that is buffered: once it has left, so has the rest.
  private drain(): Promise<boolean> {
    const { socket } = this;
    return new Promise((resolve) => {
      const settle = (drained: boolean) => {
        clearTimeout(timer);
        this.draining = undefined;
        resolve(drained && socket.readyState === socket.OPEN);
      };
      const close = () => {
        if (this.draining === undefined) return;
        socket.close(tooSlow.code, tooSlow.reason);
        this.onTooSlow?.();
        settle(false);
      };
      // After a busy spell the timers run before the sockets are looked at: what leaves in this turn has not stalled.
      const timer = setTimeout(() => setImmediate(close), this.stallMs);
      socket.ping('', false, (error?: Error | null) => settle(error == null));
    });
  }
}
