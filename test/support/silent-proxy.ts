// A proxy before a server that falls silent behind open connections, as when its machine or the network goes without a word. The proxy can
// also make the server unreachable for a while.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes everything on, until a test silences the connections that are open at that moment. */
export class SilentProxy {
  private readonly pairs: { near: Socket; far: Socket }[] = [];
  private isCut = false;
  private readonly server = createServer((near) => {
    if (this.isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(this.target.port), this.target.hostname);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far);
    far.pipe(near);
    this.pairs.push({ near, far });
  });

  constructor(private readonly target: URL) {}

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  silence(): void {
    for (const { near, far } of this.pairs) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  }

  /** Ends every connection, and refuses new ones. */
  cut(): void {
    this.isCut = true;
    for (const { near, far } of this.pairs.splice(0)) for (const socket of [near, far]) socket.destroy();
  }

  restore(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    await closed;
  }
}
