// A Redis with a replica behind one address: HAProxy leads all connections to the primary of the two.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../features/messages/sending-harness.js';
import { RedisServer, steadyPort } from '../support/redis-server.js';
import { programs } from './cluster-settings.js';

export class RedisPair {
  private constructor(
    private readonly primary: RedisServer,
    private readonly replica: RedisServer,
    readonly url: string,
  ) {}

  static async start(resources: AsyncDisposableStack): Promise<RedisPair> {
    const servers = [new RedisServer(await steadyPort()), new RedisServer(await steadyPort())] as const;
    for (const server of servers) {
      await server.start();
      resources.defer(() => server.stop());
    }
    const [primary, replica] = servers;
    await replica.command('REPLICAOF', '127.0.0.1', String(primary.port));
    await until(
      () => replica.command('INFO', 'replication'),
      (info) => String(info).includes('master_link_status:up'),
    );
    const port = await steadyPort();
    const file = join(tmpdir(), `leadwire-redis-pair-${process.pid}.cfg`);
    await writeFile(file, configOf(port, servers));
    const proxy = spawn(programs.haproxy, ['-db', '-f', file], { stdio: 'ignore' });
    resources.defer(async () => {
      const ended = once(proxy, 'exit');
      proxy.kill('SIGKILL');
      await ended;
      await rm(file, { force: true });
    });
    return new RedisPair(primary, replica, `redis://127.0.0.1:${port}`);
  }

  /** Kills the primary, and makes the replica the primary after `work`. @returns that moment */
  async failOver(work: () => Promise<void>): Promise<number> {
    await this.primary.stop();
    await work();
    await this.replica.command('REPLICAOF', 'NO', 'ONE');
    return performance.now();
  }
}

function configOf(port: number, servers: readonly RedisServer[]): string {
  return [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    '  timeout check 1s',
    'listen redis',
    `  bind 127.0.0.1:${port}`,
    '  option tcp-check',
    String.raw`  tcp-check send "info replication\r\n"`,
    '  tcp-check expect string role:master',
    '  default-server inter 300ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...servers.map((server) => `  server at-${server.port} 127.0.0.1:${server.port} check`),
    '',
  ].join('\n');
}
