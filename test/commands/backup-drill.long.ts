// `npm run doctor -- --backup` against a real repository of pgBackRest: a backup that is one, and others that are none.

import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examine } from '../../src/commands/doctor/examination.js';
import { BackedUpPostgres, backupsInstalled } from '../support/backed-up-postgres.js';
import { TestApp, withKey, type TestTenant } from '../support/test-app.js';

const whenInstalled = backupsInstalled() ? describe : describe.skip;

interface Report {
  ok: boolean;
  findings: { check: string; status: string; found: string; advice?: string }[];
}

whenInstalled('a drill of the newest backup', () => {
  let postgres: BackedUpPostgres;
  let app: TestApp | undefined;
  let tenant: TestTenant;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwire-drill-test-'));
    postgres = await BackedUpPostgres.start();
    const started = await TestApp.start({}, postgres.database);
    app = started;
    tenant = await started.createTenant();
    for (const chat of ['4915112340001', '4915112340002'])
      await started.post('/public/leads', { chat }, withKey(tenant));
  }, 240_000);
  afterAll(async () => {
    await app?.stop({ keepDatabase: true });
    await postgres.remove();
    await rm(folder, { recursive: true, force: true });
  });

  async function drill(
    changes: Record<string, string> = {},
    configFile = postgres.configFile,
  ): Promise<{ code: number; report: Report; said: Record<string, string[]> }> {
    let text = '';
    const metrics = join(folder, 'metrics.prom');
    const environment = {
      NODE_ENV: 'production',
      DATABASE_URL: postgres.database.url,
      DATA_DIR: folder,
      JWT_SECRET: 'a secret of the drill’s tests, long enough',
      ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
      TRUST_PROXY: 'false',
      ...changes,
    };
    const options = ['--json', '--backup', '--pgbackrest-config', configFile, '--metrics', metrics];
    const code = await examine(options, environment, (part) => void (text += part));
    const report = JSON.parse(text) as Report;
    const byCheck = Object.groupBy(report.findings, ({ check }) => check);
    const said = Object.fromEntries(
      Object.entries(byCheck).map(([check, findings = []]) => [
        check,
        findings.map(({ status, found }) => `${status}: ${found}`),
      ]),
    );
    return { code, report, said };
  }

  const leftOver = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('leadwire-backup-'));

  test('one that is whole: what came after it comes back from the archive, and nothing of it stays', async () => {
    // Changes of the last minute are not compared.
    await postgres.query(`UPDATE events SET occurred_at = occurred_at - interval '1 hour'`);
    await postgres.switchWal();
    const { code, said, report } = await drill();
    expect(said).toEqual({
      configuration: expect.anything() as string[],
      backup: [expect.stringMatching(/^ok: The backup \d{8}-\d{6}F_\S+I \(incr, \d+ MB\) of \S+ can be restored\.$/)],
      'backup-wal': [expect.stringMatching(/^ok: The archive has every WAL file from [0-9A-F]{24} on\.$/)],
      'backup-recovery': [expect.stringMatching(/^ok: The newest restorable minute is \S+Z, \d minutes ago\.$/)],
      'backup-tables': [expect.stringMatching(/^ok: All \d+ tables can be read/)],
      'backup-records': [expect.stringMatching(/^ok: \d tenants have 2 leads and 0 messages/)],
      'backup-tenants': [expect.stringMatching(/^ok: All changes of \d tenants from before/)],
      'backup-key': ['ok: ENCRYPTION_KEY decrypts what is restored.'],
      'backup-files': ['ok: There is no file of a message.'],
    });
    expect({ code, ok: report.ok }).toEqual({ code: 0, ok: true });
    expect(await readFile(join(folder, 'metrics.prom'), 'utf8')).toMatch(
      /^leadwire_backup_restorable_timestamp_seconds \d{10}$[^]*^leadwire_backup_drill_failed 0$/m,
    );
    expect(await leftOver()).toEqual([]);
  }, 240_000);

  test('a missing WAL file, lost changes, another key and a file that the store lacks are named', async () => {
    await postgres.query(`INSERT INTO media_files (tenant_id, id, state, object_id, created_at, stored_at)
      VALUES ('${tenant.id}', '${randomUUID()}', 'STORED', '${randomUUID()}', now(), now())`);
    await postgres.switchWal();
    const lost = await postgres.switchWal();
    await postgres.switchWal();
    await postgres.loseWal(lost);
    await app?.post('/public/leads', { chat: '4915112340003' }, withKey(tenant));
    await postgres.query(`UPDATE events SET occurred_at = least(occurred_at, now() - interval '1 hour')`);
    const { code, said } = await drill({ ENCRYPTION_KEY: 'f'.repeat(64) });
    expect(code).toBe(1);
    expect(said['backup-wal']).toEqual([
      `failed: The archive lacks the WAL file ${lost}: nothing after it can be restored.`,
    ]);
    expect(said['backup-tenants']).toEqual([
      expect.stringMatching(`^failed: The tenant ${tenant.slug} lacks changes from before that minute: [1-9]`),
    ]);
    expect(said['backup-key']).toEqual([expect.stringMatching(/^failed: ENCRYPTION_KEY does not decrypt/)]);
    expect(said['backup-files']).toEqual([expect.stringMatching(/^failed: MEDIA_STORE lacks 1 of 1 files/)]);
    expect(await readFile(join(folder, 'metrics.prom'), 'utf8')).toMatch(/^leadwire_backup_drill_failed 1$/m);
    expect(await leftOver()).toEqual([]);
  }, 240_000);

  test('a lost key of the repository is named, and no check goes on without it', async () => {
    const settings = await readFile(postgres.configFile, 'utf8');
    const configFile = join(folder, 'pgbackrest.conf');
    await writeFile(configFile, settings.replace(/^repo1-cipher-pass=.*$/m, 'repo1-cipher-pass=another'));
    await chmod(folder, 0o755);
    const { code, said } = await drill({}, configFile);
    expect(code).toBe(1);
    expect(said['backup']).toEqual([
      expect.stringMatching(/^failed: .* unable to load info file .*backup\.info.*cipher-pass is another one\.$/),
    ]);
    expect(said['backup-tables']).toEqual(['warning: It was not checked.']);
    expect(await readFile(join(folder, 'metrics.prom'), 'utf8')).not.toContain('restorable');
    expect(await leftOver()).toEqual([]);
  }, 240_000);

  test('a truncated table is named', async () => {
    await postgres.query('VACUUM ANALYZE leads');
    await app?.stop({ keepDatabase: true });
    app = undefined;
    await postgres.truncateTable('leads');
    await postgres.backUp('full');
    const { code, said } = await drill();
    expect(code).toBe(1);
    expect(said['backup-tables']).toContain('failed: leads is truncated: it has 0 of 1 pages.');
  }, 240_000);
});
