// The guide's configuration of Patroni, etcd and HAProxy, with the addresses and folders of a cluster under test.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { productFolder } from '../../src/config/product.js';
import type { Composition } from '../support/composition.js';

export const programs = { patroni: '/usr/bin/patroni', etcd: '/usr/bin/etcd', haproxy: '/usr/sbin/haproxy' };
const binariesOf = (version: number) => `/usr/lib/postgresql/${version}/bin`;
const versions = [18, 17, 16, 15];
const password = 'cluster';

export const clusterInstalled = (): boolean =>
  Object.values(programs).every((path) => existsSync(path)) && findBinaries() !== undefined;

const findBinaries = () => versions.map(binariesOf).find((folder) => existsSync(join(folder, 'postgres')));

/** The folder and the addresses of a member. */
export interface MemberPlace {
  name: string;
  folder: string;
  host: string;
  port: number;
  apiPort: number;
}

export const urlAt = (host: string, port: number) => `postgresql://postgres:${password}@${host}:${port}/postgres`;

/** The parts of the guide's configuration that a test changes. */
interface DocumentedSettings {
  bootstrap: { dcs: object };
  postgresql: object;
}

export async function patroniSettings(
  { name, folder, host, port, apiPort }: MemberPlace,
  { etcd, isSynchronous }: { etcd: string; isSynchronous: boolean },
): Promise<object> {
  const address = (at: number) => ({ listen: `${host}:${at}`, connect_address: `${host}:${at}` });
  const documented = parse(await readExample('yaml', 'scope: leadwire')) as DocumentedSettings;
  const { bootstrap, postgresql } = documented;
  return {
    ...documented,
    name,
    restapi: address(apiPort),
    etcd: { hosts: [etcd] },
    bootstrap: {
      ...bootstrap,
      dcs: {
        ...bootstrap.dcs,
        synchronous_mode: isSynchronous,
        // Tests wait for each round of Patroni's.
        loop_wait: 1,
        // An asynchronous standby is promoted however far it is behind.
        ...(!isSynchronous && { maximum_lag_on_failover: 1_073_741_824 }),
      },
    },
    postgresql: {
      ...postgresql,
      ...address(port),
      data_dir: join(folder, 'data'),
      bin_dir: findBinaries(),
      pgpass: join(folder, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
      },
      parameters: { unix_socket_directories: folder },
      pg_hba: ['local all all trust', 'host all all samenet trust', 'host replication all samenet trust'],
    },
  };
}

export async function proxySettings(members: readonly MemberPlace[], proxyPort: number): Promise<string> {
  const servers = members.map(
    ({ name, host, port, apiPort }) => `  server ${name} ${host}:${port} check port ${apiPort}\n`,
  );
  const documented = await readExample('haproxy', 'listen primary');
  return documented
    .replace(/^ {2}bind .*$/m, `  bind 127.0.0.1:${proxyPort}`)
    .replace(/^ {2}server [^]*$/m, servers.join(''));
}

/** The variables of a single etcd. @param client, peer its addresses */
export async function etcdSettings({ client, peer, folder }: { client: string; peer: string; folder: string }) {
  const { services } = parse(await readExample('yaml', '  etcd:')) as Composition;
  return {
    ...services['etcd']?.environment,
    ETCD_DATA_DIR: folder,
    ETCD_LISTEN_CLIENT_URLS: client,
    ETCD_ADVERTISE_CLIENT_URLS: client,
    ETCD_LISTEN_PEER_URLS: peer,
    ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
    ETCD_INITIAL_CLUSTER: `one=${peer}`,
  };
}

/** Returns the example of a language in the guide of clusters that has this line. */
export async function readExample(language: 'dockerfile' | 'haproxy' | 'yaml', line: string): Promise<string> {
  const guide = await readFile(join(productFolder, 'src/docs/operate-cluster.md'), 'utf8');
  const examples = [...guide.matchAll(new RegExp(`\n\`\`\`${language}\n([^]*?)\`\`\`\n`, 'g'))];
  const example = examples.map(([, text = '']) => text).find((text) => text.split('\n').includes(line));
  if (example === undefined) throw new Error(`the guide has no example of ${language} with ${line}`);
  return example;
}
