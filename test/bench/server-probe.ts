// Reads what cpu-probe.ts reports about a server under measurement.

import { fileURLToPath } from 'node:url';
import { freePort } from '../support/redis-server.js';

const script = fileURLToPath(new URL('cpu-probe.ts', import.meta.url));

export class ServerProbe {
  private constructor(private readonly port: number) {}

  static async prepare(): Promise<ServerProbe> {
    return new ServerProbe(await freePort());
  }

  /** The options that the server is started with. */
  get options(): { environment: { CPU_PROBE_PORT: string }; nodeArguments: string[] } {
    return { environment: { CPU_PROBE_PORT: String(this.port) }, nodeArguments: ['--import', script] };
  }

  /** The CPU time that the process has used. */
  readCpuMs(): Promise<number> {
    return this.read('/');
  }

  /** The longest time that its event loop stood still since the last reading. */
  readBlockedMs(): Promise<number> {
    return this.read('/blocked');
  }

  private async read(path: string): Promise<number> {
    return Number(await (await fetch(`http://127.0.0.1:${this.port}${path}`)).text());
  }
}
