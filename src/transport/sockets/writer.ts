// Bytes sent to the sockets of one user and of one tenant that they have not taken. Beyond the limits, the socket with most bytes waiting
// is ended.

import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { within } from '../../platform/jobs/deadline.js';
import type { UserPrincipal } from '../../platform/principal.js';

export interface UnsentLimits {
  /** Bytes that may wait for all sockets of one user; 32 MiB by default. */
  userBytes?: number;
  /** Bytes that may wait for all sockets of one tenant; 64 MiB by default. */
  tenantBytes?: number;
  /** Called for each socket that is ended. */
  onEnded?: () => void;
}

export class UnsentBytes {
  private readonly owners = new Map<string, Owner>();
  private readonly ownersOf = new WeakMap<WebSocket, readonly Owner[]>();

  constructor(private readonly limits: UnsentLimits = {}) {}

  /** Counts the bytes that wait for a socket as its user's, until it closes. */
  hold(socket: WebSocket, { tenantId, userId }: Pick<UserPrincipal, 'tenantId' | 'userId'>): void {
    const { userBytes = 32 * 1024 * 1024, tenantBytes = 64 * 1024 * 1024 } = this.limits;
    const keys = [
      [`user ${userId}`, userBytes],
      [`tenant ${tenantId}`, tenantBytes],
    ] as const;
    const owners = keys.map(([key, limit]) => this.ownerOf(key, limit));
    for (const owner of owners) owner.sockets.add(socket);
    this.ownersOf.set(socket, owners);
    socket.once('close', () => {
      for (const [index, owner] of owners.entries()) {
        owner.sockets.delete(socket);
        if (owner.sockets.size === 0) this.owners.delete(keys[index]?.[0] ?? '');
      }
    });
  }

  /** Adds the bytes that were sent to a socket just now. */
  add(socket: WebSocket, bytes: number): void {
    for (const owner of this.ownersOf.get(socket) ?? []) owner.add(bytes);
  }

  private ownerOf(key: string, limit: number): Owner {
    const owner = this.owners.get(key) ?? new Owner(limit, this.limits.onEnded);
    this.owners.set(key, owner);
    return owner;
  }
}

class Owner {
  readonly sockets = new Set<WebSocket>();
  /** The most bytes that can wait: those that waited at the last look, and those that were sent since. */
  private mostBytes = 0;

  constructor(
    private readonly limit: number,
    private readonly onEnded: (() => void) | undefined,
  ) {}

  add(bytes: number): void {
    this.mostBytes += bytes;
    if (this.mostBytes <= this.limit) return;
    this.mostBytes = this.count();
    while (this.mostBytes > this.limit) this.endSlowest();
  }

  private count(): number {
    let sum = 0;
    for (const socket of this.sockets) sum += waitingFor(socket);
    return sum;
  }

  // The socket is cut, because a closing handshake would wait behind all that is buffered.
  private endSlowest(): void {
    const [first, ...others] = this.sockets;
    if (first === undefined) return void (this.mostBytes = 0);
    const slowest = others.reduce((most, socket) => (waitingFor(socket) > waitingFor(most) ? socket : most), first);
    this.mostBytes -= waitingFor(slowest);
    this.sockets.delete(slowest);
    slowest.terminate();
    this.onEnded?.();
  }
}

function waitingFor(socket: WebSocket): number {
  return socket.readyState === socket.CLOSED ? 0 : socket.bufferedAmount;
}

// The bytes in the buffer of one socket are bounded, and so is the time that they may wait. All subscriptions of the socket share it.

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
