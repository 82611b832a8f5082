// A DNS server that answers nothing for `silent.example`, and a way to run a process that asks it: Linux as root, where a file may be
// mounted for one process alone.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const address = '127.86.0.53';
const port = 53;
const silentSuffix = 'silent.example';
const unknownName = 0x8183;

/** @returns the command that runs another with this server; undefined where that is not possible */
export async function startSilentDns(folder: string, resources: AsyncDisposableStack): Promise<string[] | undefined> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/unshare')) return undefined;
  const server = createSocket('udp4');
  server.on('message', (query, { port: asker, address: from }) => {
    if (nameIn(query).endsWith(silentSuffix)) return;
    const answer = Buffer.from(query);
    answer.writeUInt16BE(unknownName, 2);
    server.send(answer, asker, from);
  });
  try {
    server.bind(port, address);
    await once(server, 'listening');
  } catch {
    server.close();
    return undefined;
  }
  resources.defer(() => void server.close());
  const file = join(folder, 'resolv.conf');
  await writeFile(file, `nameserver ${address}\n`, { mode: 0o644 });
  const mount = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
  return ['/usr/bin/unshare', '--mount', 'sh', '-c', mount, file];
}

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return labels.join('.').toLowerCase();
}
