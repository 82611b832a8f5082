// Bytes sent to the sockets of one user and of one tenant that they have not taken. Beyond the limits, the socket with most bytes waiting
// is ended.

import type { WebSocket } from 'ws';
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
        const key = keys[index]?.[0] ?? '';
        // A socket that opened since has another owner: this one was empty before its last socket had closed.
        if (owner.sockets.size === 0 && this.owners.get(key) === owner) this.owners.delete(key);
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
