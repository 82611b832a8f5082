// Machines of a cluster, as far as one machine can play them: a network whose cables can be pulled, and small disks that can be full. Needs
// root and network namespaces.

import { execFileSync, spawnSync } from 'node:child_process';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const fillIntervalMs = 200;
const blockBytes = 1024 * 1024;

/** Tells whether this process may mount file systems and make network namespaces. */
export function machinesAllowed(): boolean {
  return spawnSync('unshare', ['--net', '--mount', 'true'], { stdio: 'ignore' }).status === 0;
}

const ip = (...options: string[]) => execFileSync('ip', options, { stdio: ['ignore', 'ignore', 'pipe'] });

/** Each machine has a namespace of its own, and a cable to this process's side. */
export class MachineNetwork implements Disposable {
  private readonly subnet = `10.${200 + (process.pid % 50)}.${process.pid % 250}`;
  private readonly bridge = `lw${process.pid}`;
  private readonly names: string[] = [];

  constructor() {
    ip('link', 'add', this.bridge, 'type', 'bridge');
    ip('addr', 'add', `${this.host}/24`, 'dev', this.bridge);
    ip('link', 'set', this.bridge, 'up');
  }

  /** The address of this process's side. */
  get host(): string {
    return `${this.subnet}.1`;
  }

  /** @returns the machine's address */
  add(name: string): string {
    this.names.push(name);
    const [space, cable, host] = [this.spaceOf(name), this.cableOf(name), `${this.subnet}.${10 + this.names.length}`];
    ip('netns', 'add', space);
    ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    ip('link', 'set', cable, 'master', this.bridge, 'up');
    ip('-n', space, 'addr', 'add', `${host}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) ip('-n', space, 'link', 'set', device, 'up');
    return host;
  }

  /** A command that becomes the program on that machine, for this user. */
  commandOn(name: string, { uid, gid }: { uid: number; gid: number }, program: string): [string, ...string[]] {
    const asUser = ['setpriv', '--reuid', String(uid), '--regid', String(gid), '--clear-groups', '--'];
    return ['ip', 'netns', 'exec', this.spaceOf(name), ...asUser, program];
  }

  /** Pulls the machine's cable: what is sent to it is lost, and no connection is closed. */
  cut(name: string): void {
    ip('link', 'set', this.cableOf(name), 'down');
  }

  reconnect(name: string): void {
    ip('link', 'set', this.cableOf(name), 'up');
  }

  [Symbol.dispose](): void {
    for (const name of this.names) ip('netns', 'del', this.spaceOf(name));
    ip('link', 'del', this.bridge);
  }

  private spaceOf(name: string): string {
    return `${this.bridge}-${name}`;
  }

  // The names of devices have 15 letters at most.
  private cableOf(name: string): string {
    return `${this.bridge}${name}`.slice(0, 15);
  }
}

/** A small disk of its own in a folder. */
export class SmallDisk implements Disposable {
  private readonly ballast: string;

  constructor(
    private readonly folder: string,
    megabytes: number,
  ) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
    this.ballast = join(folder, 'ballast');
  }

  /** Takes all space while `work` runs, also what becomes free meanwhile. */
  async fill(work: () => Promise<void>): Promise<void> {
    await using file = await open(this.ballast, 'w');
    const ended = new AbortController();
    const filling = (async () => {
      while (!ended.signal.aborted) {
        await writeAll(file);
        await delay(fillIntervalMs);
      }
    })();
    try {
      await work();
    } finally {
      ended.abort();
      await filling;
      await rm(this.ballast);
    }
  }

  [Symbol.dispose](): void {
    execFileSync('umount', ['--lazy', this.folder]);
  }
}

/** Writes until the disk is full: whole blocks first, and then what is left of one. */
async function writeAll(file: FileHandle): Promise<void> {
  for (let bytes = blockBytes; bytes >= 1;)
    try {
      await file.write(Buffer.alloc(bytes));
    } catch {
      bytes = Math.floor(bytes / 2);
    }
}
