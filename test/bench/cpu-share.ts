// Holds processes to a share of one core by a control group of Linux (version 1 or 2), so that a machine with few cores can show what
// more processes would do with more of them.

import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = '/sys/fs/cgroup';
const periodUs = 10_000;
let groupCount = 0;

/** Ends the hold, whether the processes have ended or not. */
export type Release = () => Promise<void>;

/** Whether control groups are there to be made: on Linux, as root. */
export function canHoldToShare(): boolean {
  return process.getuid?.() === 0 && (existsSync(join(root, 'cpu')) || existsSync(join(root, 'cgroup.controllers')));
}

/** @param pids held together @param share of one core, 0 to 1 @throws Error when this machine has no control groups that may be made */
export async function holdToShare(pids: readonly number[], share: number): Promise<Release> {
  groupCount += 1;
  const isFirstVersion = existsSync(join(root, 'cpu'));
  const parent = join(root, isFirstVersion ? 'cpu' : '');
  const group = join(parent, `leadwire-bench-${process.pid}-${groupCount}`);
  await mkdir(group);
  const quotaUs = Math.round(share * periodUs);
  if (isFirstVersion) {
    await writeFile(join(group, 'cpu.cfs_period_us'), String(periodUs));
    await writeFile(join(group, 'cpu.cfs_quota_us'), String(quotaUs));
  } else {
    await writeFile(join(group, 'cpu.max'), `${quotaUs} ${periodUs}`);
  }
  for (const pid of pids) await writeFile(join(group, 'cgroup.procs'), String(pid));
  return async () => {
    // What has ended already need not leave. What the processes have started is held too.
    const held = (await readFile(join(group, 'cgroup.procs'), 'utf8')).split('\n').filter(Boolean);
    for (const pid of held) await writeFile(join(parent, 'cgroup.procs'), pid).catch(() => undefined);
    await rmdir(group);
  };
}
