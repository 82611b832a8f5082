// The doctor's check of standbys, against a real primary and its streaming replica.

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { checkStandbys } from '../../src/commands/doctor/standby-check.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/dev/embedded-postgres/embedded-postgres.js';
import { until } from '../features/messages/sending-harness.js';
import { PostgresReplica } from '../support/postgres-replica.js';
import { steadyPort } from '../support/redis-server.js';

const silentLog = { info: () => undefined, warn: () => undefined };

export function describeStandbyCheck(): void {
  let folder: string;
  let primary: EmbeddedPostgres;
  let replica: PostgresReplica | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwire-standbys-'));
    await chmod(folder, 0o755);
    primary = await startEmbeddedPostgres({ dataDir: join(folder, 'primary'), log: silentLog, preferredPort: 0 });
  }, 60_000);

  afterAll(async () => {
    await replica?.remove();
    await primary.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function withClient<Result>(
    work: (client: pg.Client) => Promise<Result>,
    change: (url: URL) => void = () => undefined,
  ): Promise<Result> {
    const url = new URL(primary.databaseUrl('postgres'));
    change(url);
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  const run = (text: string) => withClient((client) => client.query(text));
  const check = async (change?: (url: URL) => void) =>
    (await withClient(checkStandbys, change)).map(({ status, found }) => `${status}: ${found}`);
  /** Sets a parameter of the server, and waits until new connections have it. */
  async function setParameter(name: string, value: string): Promise<void> {
    await run(`ALTER SYSTEM SET ${name} = '${value}'`);
    await run('SELECT pg_reload_conf()');
    await until(
      async () => (await run(`SELECT current_setting('${name}') AS value`)).rows as { value: string }[],
      (rows) => rows[0]?.value === value,
    );
  }

  test('a primary alone says where it is, and that it is alone', async () => {
    expect(await check()).toEqual([
      expect.stringMatching(/^ok: The primary is 127\.0\.0\.1:\d+\.$/),
      expect.stringMatching(/^ok: .* survives a crash\. There is no standby/),
    ]);
  });

  test('an asynchronous standby is shown with what it lacks, and that commits may be lost', async () => {
    replica = await PostgresReplica.of(primary, join(folder, 'replica'), await steadyPort());
    // The standby has to catch up first, and lacks megabytes until then.
    const caughtUp = /^ok: The standby walreceiver \(127\.0\.0\.1\) is asynchronous and lacks (?:nothing|.* KB)/;
    const findings = await until(check, (lines) => lines.some((line) => caughtUp.test(line)));
    expect(findings).toEqual([
      expect.stringContaining('The primary is'),
      expect.stringMatching(caughtUp),
      'warning: An acknowledged commit may be lost with the primary: no standby is synchronous.',
    ]);
  });

  test('a user without the right to see standbys is told how to get it', async () => {
    await run(`CREATE ROLE watcher LOGIN PASSWORD 'watcher'`);
    const findings = await check((url) => Object.assign(url, { username: 'watcher', password: 'watcher' }));
    expect(findings).toContain('warning: 1 standby is connected, and the user watcher may not read how far they are.');
  });

  test('a commit is safe once it waits for a standby, unless it does not wait', async () => {
    await setParameter('synchronous_standby_names', '*');
    const last = async () => (await check()).at(-1) ?? '';
    expect(await until(last, (line) => line.startsWith('ok'))).toMatch(/survives the loss of the primary/);
    await setParameter('synchronous_commit', 'local');
    expect(await last()).toMatch(/^warning: An acknowledged commit may be lost .* synchronous_commit is local\.$/);
    await setParameter('synchronous_commit', 'off');
    expect(await last()).toMatch(/^warning: .* does not survive a crash of the primary: synchronous_commit is off\.$/);
    await setParameter('synchronous_commit', 'on');
  });

  test('a standby that is gone while commits wait for it is a failure', async () => {
    await replica?.kill();
    const findings = await until(check, (lines) => !lines.some((line) => line.includes('walreceiver')));
    expect(findings.at(-1)).toMatch(
      /^failed: Commits wait for a synchronous standby, and none is connected .*= \*\)\.$/,
    );
  });
}
