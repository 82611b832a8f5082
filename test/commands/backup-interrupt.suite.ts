// A drill of a backup that is interrupted, or cannot tell its result, with a program in the place of pgBackRest that restores for long.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDatabaseUser } from '../../src/commands/doctor/backup/database-user.js';
import { examine } from '../../src/commands/doctor/examination.js';
import { secretMask } from '../../src/commands/doctor/secret-mask.js';
import { until } from '../features/messages/sending-harness.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const backup = {
  label: '20261127-000000F',
  type: 'full',
  error: false,
  archive: { start: '000000010000000000000001', stop: '000000010000000000000001' },
  database: { id: 1, 'repo-key': 1 },
  timestamp: { start: 1, stop: 2 },
  info: { size: 1 },
};
const stanza = {
  name: 'leadwire',
  status: { code: 0, message: 'ok' },
  backup: [backup],
  db: [{ id: 1, 'repo-key': 1, version: '15' }],
};

/** Restores until it is told to end; then it still finishes the files that it is at. */
const imitation = `#!/bin/sh
finish() { for n in 1 2 3 4 5 6 7 8 9; do sleep 0.1; echo late > "$data/last-$n"; done; exit 63; }
for option in "$@"; do
  case "$option" in
    --pg1-path=*) data="\${option#--pg1-path=}" ;;
    info) echo '${JSON.stringify([stanza])}' ;;
    repo-ls) echo '{}' ;;
    restore)
      trap finish TERM INT
      mkdir "$data"
      n=0
      while [ $n -lt 400 ]; do n=$((n + 1)); echo rows > "$data/$n"; done
      echo $$ > "$data/pid"
      while true; do sleep 0.1; done ;;
  esac
done
`;

export function describeInterruptedDrill(): void {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwire-interrupt-test-'));
    await chmod(folder, 0o755);
    await mkdir(join(folder, 'scratch'));
    await writeFile(join(folder, 'pgbackrest'), imitation, { mode: 0o755 });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const scratch = async () => (await readdir(join(folder, 'scratch'))).filter((name) => !name.startsWith('node-'));

  async function restoring(): Promise<number> {
    const [name = ''] = await scratch();
    return Number(await readFile(join(folder, 'scratch', name, 'data/pid'), 'utf8').catch(() => '0'));
  }

  const isRunning = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  test('nothing of the restored rows stays, nothing goes on, and no result is told, however often it is interrupted', async () => {
    if (!(await hasUser())) return;
    const metrics = join(folder, 'metrics.prom');
    const options = ['dist/commands/doctor.js', '--backup', '--postgres', folder, '--metrics', metrics];
    const env = { PATH: `${folder}:${process.env['PATH']}`, TMPDIR: join(folder, 'scratch'), NODE_ENV: 'production' };
    const drill = spawn(process.execPath, options, { cwd: root, env, stdio: 'ignore' });
    const ended = once(drill, 'exit');
    try {
      const pid = await until(restoring, (found) => found > 0);
      // A terminal sends it to the whole group, and npm once more to the drill.
      process.kill(pid, 'SIGINT');
      drill.kill('SIGINT');
      await until(scratch, (names) => names.length === 0 || drill.kill('SIGINT'));
      expect(await ended).toEqual([130, null]);
      expect(await scratch()).toEqual([]);
      expect(isRunning(pid)).toBe(false);
      expect(await readdir(folder)).not.toContain('metrics.prom');
    } finally {
      drill.kill('SIGKILL');
    }
  });

  test('metrics that cannot be written are a finding of the drill, and leave no draft', async () => {
    const metrics = join(folder, 'metrics.prom');
    await mkdir(join(metrics, 'no-file'), { recursive: true });
    const options = ['--json', '--backup', '--postgres', join(folder, 'no-postgres'), '--metrics', metrics];
    let printed = '';
    const { PATH: path } = process.env;
    process.env['PATH'] = `${folder}:${path}`;
    try {
      const environment = { NODE_ENV: 'production' };
      expect(await examine(options, environment, (text) => void (printed += text))).toBe(1);
    } finally {
      process.env['PATH'] = path;
    }
    const { findings } = JSON.parse(printed) as { findings: { check: string; status: string; found: string }[] };
    expect(findings.at(-1)).toMatchObject({
      check: 'backup-metrics',
      status: 'failed',
      found: expect.stringMatching(/^The metrics cannot be written: .*(?:EISDIR|ENOTEMPTY)/) as string,
    });
    expect(findings.map(({ check }) => check)).toContain('backup');
    expect(await readdir(folder)).toEqual(['metrics.prom', 'pgbackrest', 'scratch']);
  });

  test('the secrets of pgBackRest are not printed', () => {
    const mask = secretMask({
      PGBACKREST_REPO1_S3_KEY: 'AKIAEXAMPLE',
      PGBACKREST_REPO2_CIPHER_PASS: 'a long passphrase',
      PGBACKREST_REPO1_PATH: '/repository',
    });
    expect(mask('AKIAEXAMPLE may not read /repository with "a long passphrase"')).toBe(
      '[redacted] may not read /repository with "[redacted]"',
    );
  });
}

/** Root needs the user postgres for a drill. */
const hasUser = () =>
  findDatabaseUser().then(
    () => true,
    () => false,
  );
