// A TCP proxy between an application and its database. A test can cut it and restore it.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { TestDatabase } from './test-database.js';

export class DatabaseProxy {
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

  static async to(far: TestDatabase): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(far);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** The same database, reached through this proxy. */
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

  restore(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }
}
