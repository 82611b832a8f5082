// Holds processes to a share of one core by a control group of Linux (version 1 or 2). A machine with few cores can then show what more
// processes would do on more cores.

import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = '/sys/fs/cgroup';
const periodUs = 10_000;
let groupCount = 0;

/** Ends the hold, whether the processes have ended or not. */
export type Release = () => Promise<void>;

/** True when control groups can be made: on Linux, as root. */
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
    // Processes that the held ones have started are held too. A process that has ended need not leave.
    const held = (await readFile(join(group, 'cgroup.procs'), 'utf8')).split('\n').filter(Boolean);
    for (const pid of held) await writeFile(join(parent, 'cgroup.procs'), pid).catch(() => undefined);
    await rmdir(group);
  };
}
