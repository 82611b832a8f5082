// Runs the proxy of docker-compose.yml, with its own Caddyfile, in front of processes on this machine.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filledIn, type Composition } from './composition.js';
import { runEnvironment } from './run-environment.js';

export function caddyInstalled(): boolean {
  return spawnSync('caddy', ['version']).status === 0;
}

export interface CaddyOptions {
  composition: Composition;
  service: 'proxy' | 'proxy-tls';
  /** The address that the proxy listens on: `https://localhost:8443`. */
  address: string;
  /** The ports of the api processes on 127.0.0.1: the names of Compose's network do not exist on this machine. */
  ports: readonly number[];
  resources: AsyncDisposableStack;
}

/**
 * Starts the proxy, which may take a moment until it listens. @returns the folder with the certificate of its own authority, and its
 * process id
 */
export async function startCaddy(options: CaddyOptions): Promise<{ folder: string; pid: number }> {
  const { composition, service, address, ports, resources } = options;
  const folder = await mkdtemp(join(tmpdir(), 'leadwire-test-proxy-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const content = composition.configs['caddyfile']!.content.replaceAll('$$', '$');
  const named = content.replace(/dynamic a api 4000 \{[^}]*\}/, ports.map((port) => `to 127.0.0.1:${port}`).join('\n'));
  if (named === content) throw new Error('the Caddyfile of docker-compose.yml names its api processes differently');
  const globally = '{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n}\n';
  await writeFile(join(folder, 'Caddyfile'), globally + named);
  const { TRUSTED_PROXIES } = filledIn(composition.services[service]!.environment);
  const env = {
    ...runEnvironment,
    HOME: folder,
    XDG_DATA_HOME: folder,
    SITE_ADDRESS: address,
    TRUSTED_PROXIES,
  };
  const caddy = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile')], { env, stdio: 'ignore' });
  resources.defer(async () => {
    caddy.kill();
    if (caddy.exitCode === null) await once(caddy, 'exit');
  });
  await once(caddy, 'spawn');
  return { folder, pid: caddy.pid! };
}
