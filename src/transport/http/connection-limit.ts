// Bounds the connections and sockets of an address that have shown no valid credential. client-address.ts finds the address behind proxies.

import { AppError } from '../../platform/errors.js';
import { Tally } from '../../platform/jobs/tally.js';

/** The most TCP connections of an address. A proxy that is trusted holds as many as it likes. */
export const maxConnectionsPerAddress = 1_000;
/** The most WebSockets of an address before their `connection_init`. */
export const maxSocketsPerAddress = 200;

const retryAfterSeconds = 3;

export class ConnectionLimit<Connection extends object> {
  private readonly countByAddress = new Tally();
  private readonly addresses = new WeakMap<Connection, string>();

  /** @param onRefusal called for each connection that is one too many */
  constructor(
    private readonly maxPerAddress: number,
    private readonly onRefusal: () => void,
  ) {}

  /**
   * Counts a connection until it leaves. @param address as `subjectKey` writes it
   * @returns the reason why it may not stay; it is not counted then
   */
  enter(connection: Connection, address: string): AppError | undefined {
    const count = this.countByAddress.of(address);
    if (count >= this.maxPerAddress) {
      this.onRefusal();
      const detail = `This address has ${count} connections open that have not signed in: close some, or sign in`;
      return new AppError('RATE_LIMITED', detail, { retryAfterSeconds });
    }
    this.countByAddress.add(address, 1);
    this.addresses.set(connection, address);
    return undefined;
  }

  /** Ends the count of a connection that has closed, or shown a valid credential. Safe to repeat. */
  leave(connection: Connection): void {
    const address = this.addresses.get(connection);
    if (address === undefined) return;
    this.addresses.delete(connection);
    this.countByAddress.add(address, -1);
  }
}
