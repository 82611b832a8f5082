// How many connections an address may hold that have shown no valid credential yet: each costs memory, and most attacks begin with many.

import { AppError } from '../../platform/errors.js';

/** TCP connections. A proxy that is trusted holds as many as it likes. */
export const maxConnectionsPerAddress = 1_000;
/** WebSockets before their `connection_init`. */
export const maxSocketsPerAddress = 200;

const retryAfterSeconds = 3;

export class Strangers<Connection extends object> {
  private readonly countByAddress = new Map<string, number>();
  private readonly addresses = new WeakMap<Connection, string>();

  /** @param onRefusal told of each connection that is one too many */
  constructor(
    private readonly maxPerAddress: number,
    private readonly onRefusal: () => void,
  ) {}

  /**
   * Counts a connection until it leaves. @param address as `subjectKey` writes it
   * @returns why it may not stay; it is not counted then
   */
  enter(connection: Connection, address: string): AppError | undefined {
    const count = this.countByAddress.get(address) ?? 0;
    if (count >= this.maxPerAddress) {
      this.onRefusal();
      const detail = `This address has ${count} connections open that have not signed in: close some, or sign in`;
      return new AppError('RATE_LIMITED', detail, { retryAfterSeconds });
    }
    this.countByAddress.set(address, count + 1);
    this.addresses.set(connection, address);
    return undefined;
  }

  /** It has closed, or shown a valid credential. Safe to repeat. */
  leave(connection: Connection): void {
    const address = this.addresses.get(connection);
    if (address === undefined) return;
    this.addresses.delete(connection);
    const rest = (this.countByAddress.get(address) ?? 0) - 1;
    if (rest > 0) this.countByAddress.set(address, rest);
    else this.countByAddress.delete(address);
  }
}
