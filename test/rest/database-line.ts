// The line between an application and its database, which a test can cut and mend.

import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TestDatabase } from '../support/test-database.js';

export class DatabaseLine {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private isCut = false;

  private constructor(private readonly far: TestDatabase) {
    const { hostname, port } = new URL(far.url);
    this.server = createServer((near) => {
      if (this.isCut) {
        near.destroy();
        return;
      }
      const onward = connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
      for (const [socket, peer] of [
        [near, onward],
        [onward, near],
      ] as const) {
        this.sockets.add(socket);
        socket
          .on('error', () => undefined)
          .on('close', () => {
            this.sockets.delete(socket);
            peer.destroy();
          });
        socket.pipe(peer);
      }
    });
  }

  static async to(far: TestDatabase): Promise<DatabaseLine> {
    const line = new DatabaseLine(far);
    line.server.listen(0, '127.0.0.1');
    await once(line.server, 'listening');
    return line;
  }

  /** The same database, reached through this line. */
  get database(): TestDatabase {
    const url = new URL(this.far.url);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return { url: url.href, drop: () => this.far.drop() };
  }

  /** Ends every connection, and refuses new ones. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }
}
