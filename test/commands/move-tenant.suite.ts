// `npm run tenant -- move-out` and `move-in`: a tenant goes from one database to another with everything it has, and nothing else moves.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { runTenantCommand } from '../../src/commands/tenant-command.js';
import { SecretBox } from '../../src/platform/secret-box.js';
import { createRecords } from '../access/operation-cases.js';
import { digestTenant } from '../access/tenant-rows.js';
import { send, until } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import { AuditLogDocument, CreateLeadSourceDocument, UpdateTenantDocument } from '../support/operations.js';
import { TestApp, encryptionKey, jwtSecret, withKey, withToken, type TestTenant } from '../support/test-app.js';
import { runEnvironment } from '../support/run-environment.js';

const refusal = { code: 1, stdout: '' };

export function describeMoveTenant(): void {
  let [first, second]: TestApp[] = [];
  let platforms: [TestTenant, TestTenant];
  let tenant: TestTenant;
  let neighbour: TestTenant;
  let folder: string;

  // Without workers, only the tests change rows.
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwire-test-move-'));
    [first, second] = [await TestApp.start({ PROCESS_ROLE: 'api' }), await TestApp.start({ PROCESS_ROLE: 'api' })];
    platforms = [await first.createTenant(), await second.createTenant()];
    [tenant, neighbour] = [await first.createTenant(), await first.createTenant()];
    for (const one of [tenant, neighbour]) {
      await createRecords(first, one);
      await createQuickReply(first, one);
      await takeFormLead(first, one);
    }
  });
  afterAll(async () => {
    await Promise.all([first!.stop(), second!.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  /** Creates a personal template with a shortcut and a file, and a signature. */
  async function createQuickReply(app: TestApp, { id, operator }: TestTenant): Promise<void> {
    await app.sql("UPDATE tenants SET signature = 'BEFORE', signature_format = 'x' WHERE id = $1", [id]);
    await app.sql("UPDATE users SET display_name = 'Ana' WHERE tenant_id = $1", [id]);
    await app.sql(
      `WITH file AS (
         INSERT INTO media_files (tenant_id, id, state, object_id, mime_type, size, sha256, stored_at)
         VALUES ($1, gen_random_uuid(), 'STORED', gen_random_uuid(), 'image/png', 1, 'x', now()) RETURNING id
       ), template AS (
         INSERT INTO templates (tenant_id, id, name, body, shortcut, visibility, author_id, updated_at)
         VALUES ($1, gen_random_uuid(), 'Map', 'Oi', 'map', 'PERSONAL', $2, now()) RETURNING id
       )
       INSERT INTO template_files (tenant_id, template_id, file_id, position) SELECT $1, t.id, f.id, 0 FROM template t, file f`,
      [id, operator.id],
    );
  }

  /** Has a form without ids bring a lead: the record of it goes with the lead. */
  async function takeFormLead(app: TestApp, { id, admin }: TestTenant): Promise<void> {
    await app.sql('UPDATE lead_sources SET deleted_at = now() WHERE tenant_id = $1', [id]);
    const input = { kind: 'FORM', name: 'Landing page' } as const;
    const { path } = (await query(app, admin, CreateLeadSourceDocument, { input })).createLeadSource;
    expect((await app.post(path, { name: 'Ana', phone: '+5511988887777' })).status).toBe(200);
    const taken = 'SELECT FROM lead_source_leads WHERE tenant_id = $1 AND external_id IS NULL AND lead_id IS NOT NULL';
    expect(await app.sql(taken, [id])).toHaveLength(1);
  }

  const pathOf = (name: string) => join(folder, name);

  async function run(app: TestApp, args: string[], key = encryptionKey, DATABASE_URL = app.database.url) {
    const environment = { DATABASE_URL, JWT_SECRET: jwtSecret, ENCRYPTION_KEY: key, TRUST_PROXY: 'false' };
    const said = { stdout: '', stderr: '' };
    const code = await runTenantCommand(args, {
      environment,
      print: (text) => void (said.stdout += text),
      complain: (text) => void (said.stderr += text),
    });
    return { code, ...said };
  }

  const moveOut = ({ slug }: { slug: string }, name: string) =>
    run(first!, ['move-out', '--tenant', slug, '--file', pathOf(name)]);
  const moveIn = (name: string, key?: string) => run(second!, ['move-in', '--file', pathOf(name)], key);

  const turn = (app: TestApp, platform: TestTenant, { id }: TestTenant, isActive: boolean) =>
    query(app, platform.admin, UpdateTenantDocument, { id, input: { isActive } });

  const leadsOf = async (app: TestApp, { admin }: TestTenant) => {
    const response = await app.post('/graphql', { query: '{ leads(first: 100) { totalCount } }' }, withToken(admin));
    const { data } = (await response.json()) as { data?: { leads: { totalCount: number } } };
    return { status: response.status, count: data?.leads.totalCount };
  };

  const logOf = async (app: TestApp, { admin }: TestTenant, targetId?: string) => {
    const { auditLog } = await query(app, admin, AuditLogDocument, { first: 200, filter: { targetId } });
    return auditLog.edges.map(({ node }) => node);
  };

  test('an active tenant, the platform tenant and an unknown one stay, and there is no file', async () => {
    const sentences = await Promise.all(
      [tenant, platforms[0], { slug: 'nobody' }].map((one, index) => moveOut(one, `refused-${index}`)),
    );
    expect(sentences).toEqual([
      { ...refusal, stderr: '--tenant: is active: deactivate it first\n' },
      { ...refusal, stderr: '--tenant: is the platform tenant, which stays\n' },
      { ...refusal, stderr: '--tenant: there is none of this slug\n' },
    ]);
    await expect(stat(pathOf('refused-0'))).rejects.toThrow('ENOENT');
  });

  test('a tenant whose messages are under way stays until they have arrived', async () => {
    await turn(first!, platforms[0], neighbour, false);
    const lease = (end: string) =>
      first!.sql(`UPDATE outbox_entries SET lease_until = ${end} WHERE tenant_id = $1 RETURNING 1`, [neighbour.id]);
    const { length } = await lease(`now() + interval '1 min'`);
    expect(length).toBeGreaterThan(0);
    const stderr = `--tenant: ${length} of its messages are being sent: try again in a minute\n`;
    expect(await moveOut(neighbour, 'sending')).toEqual({ ...refusal, stderr });
    await lease('NULL');
    await turn(first!, platforms[0], neighbour, true);
  });

  test('options that are missing are named', async () => {
    expect(await run(first!, ['move-out', '--file', pathOf('x')])).toEqual({
      ...refusal,
      stderr: '--tenant: is required\n',
    });
    expect(await run(second!, ['move-in'])).toEqual({ ...refusal, stderr: '--file: is required\n' });
  });

  test('a user of the database who may not do it is told what is missing', async () => {
    const role = `mover_${first!.database.url.slice(-8)}`;
    await first!.sql(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
    await first!.sql(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
    const url = new URL(first!.database.url);
    [url.username, url.password] = [role, role];
    const outcome = await run(
      first!,
      ['move-out', '--tenant', tenant.slug, '--file', pathOf('user')],
      undefined,
      url.href,
    );
    await first!.sql(`DROP OWNED BY ${role}`);
    await first!.sql(`DROP ROLE ${role}`);
    const stderr = expect.stringContaining('GRANT SET ON PARAMETER session_replication_role TO');
    expect(outcome).toEqual({ ...refusal, stderr });
    await expect(stat(pathOf('user'))).rejects.toThrow('ENOENT');
  });

  test('a file that exists is not written over', async () => {
    await writeFile(pathOf('precious'), 'precious');
    expect(await moveOut(tenant, 'precious')).toEqual({ ...refusal, stderr: '--file: exists already\n' });
    expect(await readFile(pathOf('precious'), 'utf8')).toBe('precious');
  });

  test('everything of the tenant moves, the rows of a transaction included that was under way; others notice nothing', async () => {
    const leadCount = (await leadsOf(first!, tenant)).count;
    expect(leadCount).toBeGreaterThan(0);
    const logBefore = await logOf(first!, tenant);
    await turn(first!, platforms[0], tenant, false);
    // The platform tenant's audit log is left out, because it records the move.
    const others = () =>
      Promise.all([digestTenant(first!, neighbour.id), digestTenant(first!, platforms[0].id, ['audit_entries'])]);
    const othersBefore = await others();
    const late = new pg.Client({ connectionString: first!.database.url, options: '-c TimeZone=UTC' });
    await late.connect();
    await late.query('BEGIN');
    await late.query(
      `INSERT INTO dashboards (tenant_id, id, name, widgets, updated_at) VALUES ($1, gen_random_uuid(), $2, '[]', now())`,
      [tenant.id, 'late \u2028 "quoted", (bracketed) \\ and\nbroken'],
    );
    const moving = moveOut(tenant, 'tenant');
    await until(
      () => first!.sql("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"),
      (waiting) => waiting.length > 0,
    );
    // The transaction itself reads the digest, so its own row is included.
    const before = await digestTenant(
      { sql: async (text, values) => (await late.query(text, values)).rows },
      tenant.id,
      ['audit_entries'],
    );
    await late.query('COMMIT');
    await late.end();
    const { code, stdout, stderr } = await moving;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`tenant: ${tenant.id}\nslug: ${tenant.slug}\nrows: `);
    expect((await stat(pathOf('tenant'))).mode & 0o777).toBe(0o600);
    expect(Object.values(await digestTenant(first!, tenant.id)).filter(Boolean)).toEqual([]);
    expect(await others()).toEqual(othersBefore);

    expect(await moveIn('tenant')).toEqual({ code: 0, stdout, stderr: '' });
    expect(before['template_files']).not.toBeNull();
    expect(await digestTenant(second!, tenant.id, ['audit_entries'])).toEqual(before);
    expect((await leadsOf(second!, tenant)).status).toBe(401);
    await turn(second!, platforms[1], tenant, true);
    // A process remembers for seconds which callers it admits.
    const { count } = await until(
      () => leadsOf(second!, tenant),
      ({ status }) => status === 200,
    );
    expect(count).toBe(leadCount);

    const log = await logOf(second!, tenant);
    const actions = log.slice(0, 4).map(({ action }) => action);
    expect(actions).toEqual(['TENANT_UPDATED', 'TENANT_MOVED_IN', 'TENANT_MOVED_OUT', 'TENANT_UPDATED']);
    expect(log.slice(4)).toEqual(logBefore);
    const entry = { actorKind: 'COMMAND', actorId: null, targetKind: 'TENANT', targetId: tenant.id };
    const changed = { before: null, after: { slug: tenant.slug } };
    for (const moved of log.slice(1, 3)) expect(moved).toMatchObject({ ...entry, ...changed });
    // The platform tenants' log entries about the move, without the tenant's deactivation and activation.
    const told = [first!, second!].map((app, index) => logOf(app, platforms[index]!, tenant.id));
    const moves = (await Promise.all(told)).map((entries) =>
      entries.filter(({ actorKind }) => actorKind === 'COMMAND'),
    );
    expect(moves).toEqual([
      [expect.objectContaining({ ...entry, ...changed, action: 'TENANT_MOVED_OUT' })],
      [expect.objectContaining({ ...entry, ...changed, action: 'TENANT_MOVED_IN' })],
    ]);
  });

  test('its key and its tokens count where it is now, and nowhere else', async () => {
    const lead = { name: 'Ana', chat: '5511987000001', source: 'site' };
    const statuses = [first!, second!].map(
      async (app) => (await app.post('/webhooks/leads', lead, withKey(tenant))).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 201]);
    await until(
      () => leadsOf(first!, tenant),
      ({ status }) => status === 401,
    );
    expect((await leadsOf(second!, neighbour)).status).toBe(401);
  });

  test('new messages queue behind those that moved', async () => {
    const [row] = await second!.sql<{ leadId: string }>(
      `SELECT id AS "leadId" FROM leads WHERE tenant_id = $1 AND merged_into_id IS NULL AND chat IS NOT NULL LIMIT 1`,
      [tenant.id],
    );
    const id = await send(second!, tenant, { leadId: row!.leadId, body: 'Olá' });
    const positions = await second!.sql<{ messageId: string }>(
      'SELECT message_id AS "messageId" FROM outbox_entries WHERE tenant_id = $1 ORDER BY position',
      [tenant.id],
    );
    expect(positions.length).toBeGreaterThan(1);
    expect(positions.at(-1)).toEqual({ messageId: id });
  });

  test('a tenant that is there already does not come twice', async () => {
    const before = await digestTenant(second!, tenant.id);
    const stderr = '--file: its tenant is in this database already\n';
    expect(await moveIn('tenant')).toEqual({ ...refusal, stderr });
    expect(await digestTenant(second!, tenant.id)).toEqual(before);
  });

  test('what cannot be moved in whole leaves nothing behind, and can be tried again', async () => {
    await turn(first!, platforms[0], neighbour, false);
    expect((await moveOut(neighbour, 'neighbour')).code).toBe(0);
    const lines = (await readFile(pathOf('neighbour'), 'utf8')).split('\n');
    await writeFile(pathOf('half'), lines.slice(0, lines.length / 2).join('\n'));
    await writeFile(pathOf('broken'), lines.join('\n').slice(0, 5_000));
    await writeFile(
      pathOf('older'),
      lines.join('\n').replace(/"migration":"\w+"/, '"migration":"20250101000000_before"'),
    );
    await writeFile(pathOf('other'), 'name,chat\n');
    await writeFile(pathOf('mixed'), lines.join('\n').replace(`"(${neighbour.id},`, `"(${tenant.id},`));
    const refused = [];
    for (const name of ['half', 'broken', 'mixed', 'older', 'other']) refused.push(await moveIn(name));
    refused.push(await moveIn('neighbour', 'ef'.repeat(32)));
    expect(refused.map(({ code, stderr }) => [code, stderr])).toEqual([
      [1, '--file: is not a whole file of move-out\n'],
      [1, '--file: is not a whole file of move-out\n'],
      [1, '--file: is not a whole file of move-out\n'],
      [1, expect.stringContaining('--file: is of another version: 20250101000000_before, and the database of ')],
      [1, '--file: is not a whole file of move-out\n'],
      [1, 'A stored secret cannot be decrypted: ENCRYPTION_KEY is not the one it was stored with.\n'],
    ]);
    expect(Object.values(await digestTenant(second!, neighbour.id)).filter(Boolean)).toEqual([]);
    expect((await moveIn('neighbour')).code).toBe(0);
  });

  test('a file is refused where one of its secrets has another key, as in the middle of a replacement', async () => {
    const one = await first!.createTenant();
    const token = new SecretBox(Buffer.alloc(32, 9)).seal('a token', one.instance.id);
    await first!.sql('UPDATE chat_instances SET token_ciphertext = $2 WHERE id = $1', [one.instance.id, token]);
    await turn(first!, platforms[0], one, false);
    expect((await moveOut(one, 'mixed-keys')).code).toBe(0);
    expect(await moveIn('mixed-keys')).toMatchObject({
      code: 1,
      stderr: 'A stored secret cannot be decrypted: ENCRYPTION_KEY is not the one it was stored with.\n',
    });
    expect(Object.values(await digestTenant(second!, one.id)).filter(Boolean)).toEqual([]);
  });

  test('interrupted, however often, it leaves the tenant where it is, and no part of a file', async () => {
    const one = await first!.createTenant();
    await first!.post('/public/leads', { chat: '4915112340001' }, withKey(one));
    await turn(first!, platforms[0], one, false);
    const holder = new pg.Client({ connectionString: first!.database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM leads WHERE tenant_id = $1 FOR UPDATE', [one.id]);
    const path = pathOf('interrupted');
    const options = ['dist/commands/tenant.js', 'move-out', '--tenant', one.slug, '--file', path];
    const { url: DATABASE_URL } = first!.database;
    const env = {
      ...runEnvironment,
      DATABASE_URL,
      JWT_SECRET: jwtSecret,
      ENCRYPTION_KEY: encryptionKey,
      TRUST_PROXY: 'false',
    };
    const command = spawn(process.execPath, options, { env, stdio: 'ignore' });
    const ended = once(command, 'exit');
    try {
      const isWaiting = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'FETCH%'`;
      await until(
        () => first!.sql(isWaiting),
        (waiting) => waiting.length > 0,
      );
      expect(await readFile(path, 'utf8')).toContain(one.slug);
      command.kill('SIGINT');
      command.kill('SIGINT');
      expect(await ended).toEqual([1, null]);
      await expect(stat(path)).rejects.toThrow('ENOENT');
      expect(await first!.sql('SELECT FROM tenants WHERE id = $1', [one.id])).toHaveLength(1);
    } finally {
      command.kill('SIGKILL');
      await holder.end();
    }
  });

  test('a slug or a subject that is taken is named', async () => {
    const [slugTwin, subjectTwin] = [await first!.createTenant(), await first!.createTenant()];
    await second!.createTenant({ slug: slugTwin.slug });
    const { id } = await second!.createTenant();
    await second!.createUser(id, { email: 'twin@test.example', role: 'OPERATOR', idpSub: subjectTwin.admin.idpSub });
    for (const twin of [slugTwin, subjectTwin]) {
      await turn(first!, platforms[0], twin, false);
      expect((await moveOut(twin, twin.slug)).code).toBe(0);
    }
    const sentences = [(await moveIn(slugTwin.slug)).stderr, (await moveIn(subjectTwin.slug)).stderr];
    expect(sentences).toEqual([
      '--file: another tenant has its slug here\n',
      '--file: a user of another tenant has a subject of the identity provider that one of its users has\n',
    ]);
  });
}
