// support/log-search.ts searches the logs of the whole suite for secrets at its end. These tests check that the search finds secrets, and
// that the applications' log lines reach it.

import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { createLogger } from '../../src/platform/observability/logger.js';
import { describeLeaks, findLeaks } from '../support/log-search.js';
import { TestApp, jwtSecret, withKey, withToken } from '../support/test-app.js';
import { logFileName, logFolderVariable, secretsFileName } from '../support/test-log.js';

export function describeLoggedSecrets(): void {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwire-planted-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const random = randomBytes(24).toString('base64url');
  const quoted = `a "quoted" ${random}`;
  const used = [random, quoted];
  const token = jwt.sign({ sub: 'ana' }, 'x'.repeat(32));
  const privateKey = '-----BEGIN PRIVATE KEY-----';

  /** Writes a line like a logger without redaction. */
  const asLine = (fields: object) => JSON.stringify({ level: 50, ...fields });

  const planted: [what: string, line: string, kind: string][] = [
    ['a secret of the suite', asLine({ msg: `it was ${random}!` }), 'a secret that the suite used'],
    ['one with quotes, in JSON', asLine({ msg: quoted }), 'a secret that the suite used'],
    ['an API key', asLine({ msg: `lw_${random}` }), 'an API key'],
    ['a token', asLine({ err: { message: `jwt malformed: ${token}` } }), 'a JSON Web Token'],
    ['a header', asLine({ msg: `Bearer ${random.slice(1)}` }), 'the credentials of an Authorization header'],
    ['a signature', asLine({ msg: `sha256=${createHmac('sha256', random).digest('hex')}` }), 'a signature'],
    ['a URL', asLine({ err: { stack: 'at postgresql://ana:hunter2@db/leadwire' } }), 'a password in a URL'],
    ['a private key', asLine({ msg: privateKey }), 'a private key'],
    ['a field', asLine({ headers: { 'x-tenant-key': 'short' } }), 'a field of a secret name'],
    ['a field in JSON in JSON', asLine({ msg: JSON.stringify({ refreshToken: 'short' }) }), 'a field of a secret name'],
    ['what is no JSON', `Error: ${random}`, 'a secret that the suite used'],
  ];

  test.each(planted)('finds %s, says where, and does not repeat it', async (_, line, kind) => {
    await writeFile(join(folder, secretsFileName), used.map((secret) => `${JSON.stringify(secret)}\n`).join(''));
    await writeFile(join(folder, 'a.test.ts.log'), `${asLine({ msg: 'nothing' })}\n`);
    await writeFile(join(folder, 'b.test.ts.log'), `${asLine({ msg: 'nothing' })}\n${line}\n`);
    const leaks = await findLeaks(folder, secretsFileName);
    expect(leaks).toContainEqual({ place: join(folder, 'b.test.ts.log:2'), kind });
    expect(new Set(leaks.map(({ place }) => place)).size).toBe(1);
    const sentence = describeLeaks(leaks);
    expect(sentence).toContain('b.test.ts.log:2');
    for (const secret of [...used, token, 'hunter2', 'short']) expect(sentence).not.toContain(secret);
  });

  test('finds nothing in what the logger writes of the same', async () => {
    const lines: string[] = [];
    const log = createLogger('info', { destination: { write: (line) => lines.push(line) } });
    log.info({ headers: { authorization: `Bearer ${random}`, 'x-tenant-key': 'short' } }, `lw_${random} and ${token}`);
    log.error({ err: new Error(`Bearer ${random} is unknown`) }, 'A Bearer token is required');
    await writeFile(join(folder, secretsFileName), `${JSON.stringify(random)}\n`);
    await writeFile(join(folder, 'a.test.ts.log'), lines.join(''));
    expect(lines).toHaveLength(2);
    expect(await findLeaks(folder, secretsFileName)).toEqual([]);
  });

  test('of many places the first are listed', () => {
    const leaks = Array.from({ length: 25 }, (_, index) => ({ place: `a.log:${index}`, kind: 'a signature' }));
    expect(describeLeaks(leaks).split('\n').slice(-2)).toEqual(['a.log:19: a signature', 'and 5 more']);
  });

  test('what an application logs, and the secrets that it was given, are in the folder that is searched', async () => {
    const ownSecret = randomBytes(24).toString('hex');
    const app = await TestApp.start({ CHAT_WEBHOOK_SECRET: ownSecret });
    const tenant = await app.createTenant();
    await app.sql('ALTER TABLE templates RENAME TO gone');
    const query = 'mutation { createTemplate(input: { name: "x", body: "x" }) { id } }';
    const requestId = randomBytes(8).toString('hex');
    const headers = { ...withKey(tenant), ...withToken(tenant.admin), 'x-request-id': requestId };
    expect(await (await app.post('/graphql', { query }, headers)).json()).toMatchObject({
      errors: [{ extensions: { code: 'INTERNAL' } }],
    });
    await app.stop();
    const searched = process.env[logFolderVariable] ?? '';
    const log = await readFile(join(searched, logFileName()), 'utf8');
    expect(log.split('\n').filter((line) => line.includes(requestId))).not.toEqual([]);
    const secrets = (await readFile(join(searched, secretsFileName), 'utf8')).split('\n');
    for (const secret of [ownSecret, jwtSecret]) expect(secrets).toContain(JSON.stringify(secret));
  });
}
