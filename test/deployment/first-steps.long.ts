// The first steps of operate.md, pasted block by block into one shell. They lead from a database server to a signed-in ADMIN and a first
// lead behind TLS. The steps that install packages are left out. The administrator's commands are played: they work on the tests' server
// and on a proxy of the test's own.

import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { caddyInstalled } from '../support/caddy.js';
import { until } from '../features/messages/sending-harness.js';
import { freePort } from '../support/redis-server.js';
import { runOnServer } from '../support/test-database.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const isInstalled = ['bash', 'curl', 'openssl'].every((name) => spawnSync(name, ['--version']).error === undefined);
const whenInstalled = isInstalled && caddyInstalled() ? describe : describe.skip;

const endOfBlock = '=== end of block';
const patienceMs = 90_000;

/** A shell that blocks are pasted into. It ends with the first command that fails. */
class Shell {
  private output = '';

  private constructor(private readonly child: ChildProcessByStdio<Writable, Readable, null>) {
    child.stdout.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  /** @param errors the file for standard error; a file, because programs open it once more by its name */
  static async start(folder: string, env: Record<string, string>, errors: string): Promise<Shell> {
    const child = spawn('bash', ['-euo', 'pipefail'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.write(`exec 2>> '${errors}'; trap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT\n`);
    await once(child, 'spawn');
    return new Shell(child);
  }

  /** @returns the block's standard output */
  async paste(code: string): Promise<string> {
    const from = this.output.length;
    this.child.stdin.write(`${code}\necho '${endOfBlock}'\n`);
    const isOver = () => this.output.slice(from).includes(endOfBlock) || this.child.exitCode !== null;
    await until(isOver, Boolean, patienceMs);
    const printed = this.output.slice(from);
    if (!printed.includes(endOfBlock)) throw new Error(`the shell ended: ${printed}`);
    return printed.replace(endOfBlock, '');
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null) return;
    this.child.stdin.end();
    await once(this.child, 'exit');
  }
}

whenInstalled('operate.md', () => {
  const resources = new AsyncDisposableStack();
  const name = `first_steps_${randomBytes(4).toString('hex')}`;
  let shell: Shell;
  let errors: string;
  let blocks: string[];

  beforeAll(async () => {
    const serverUrl = process.env['LEADWIRE_TEST_SERVER_URL'] ?? '';
    resources.defer(() =>
      runOnServer(serverUrl, [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, `DROP ROLE IF EXISTS ${name}`]),
    );
    const folder = await mkdtemp(join(tmpdir(), 'leadwire-test-first-steps-'));
    resources.defer(() => rm(folder, { recursive: true, force: true }));
    for (const part of ['package.json', 'dist', 'node_modules', 'prisma'])
      await symlink(join(repository, part), join(folder, part));
    const [port, sitePort] = [await freePort(), await freePort()];
    const caddyfile = join(folder, 'Caddyfile');
    await addCommands(join(folder, 'bin'), {
      sudo: '#!/bin/sh\n[ "$1" = -u ] && shift 2\nexec "$@"\n',
      psql: `#!${process.execPath}
import pg from ${JSON.stringify(join(repository, 'node_modules/pg/lib/index.js'))};
const client = new pg.Client(${JSON.stringify(serverUrl)});
await client.connect();
for (const text of process.argv.slice(2)) if (text !== '-c') await client.query(text);
await client.end();
`,
      systemctl: `#!/bin/sh
printf '{\\n admin off\\n auto_https disable_redirects\\n skip_install_trust\\n}\\n' | cat - ${caddyfile} > ${caddyfile}.whole
caddy run --adapter caddyfile --config ${caddyfile}.whole > ${caddyfile}.log 2>&1 &
echo $! > ${caddyfile}.pid
`,
    });
    resources.defer(async () => {
      const pid = Number(await readFile(`${caddyfile}.pid`, 'utf8').catch(() => '0'));
      if (pid > 0) process.kill(pid);
    });
    errors = join(folder, 'errors');
    const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
    const env = {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      HOME: folder,
      XDG_DATA_HOME: folder,
      CURL_CA_BUNDLE: authority,
      NODE_EXTRA_CA_CERTS: authority,
    };
    shell = await Shell.start(folder, env, errors);
    resources.defer(() => shell.end());
    const { host } = new URL(serverUrl);
    const text = await readFile(join(repository, 'src/docs/operate.md'), 'utf8');
    const steps = text.slice(text.indexOf('### Make the database'), text.indexOf('### As a service'));
    blocks = [...steps.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code = '']) =>
      code
        .replace('SITE=leads.example', `SITE=localhost:${sitePort}`)
        .replace('ROLE leadwire', `ROLE ${name}`)
        .replace('DATABASE leadwire OWNER leadwire', `DATABASE ${name} OWNER ${name}`)
        .replace(/leadwire:(\$PASSWORD)@localhost\/leadwire/, `${name}:$1@${host}/${name}`)
        .replace('DATA_DIR=/var/lib/leadwire', `DATA_DIR=${join(folder, 'data')}`)
        .replace('METRICS_PORT=9464', `METRICS_PORT=0\nPORT=${port}\nSHUTDOWN_DELAY_MS=0`)
        .replace('127.0.0.1:4000', `127.0.0.1:${port}`)
        .replace('/etc/caddy/Caddyfile', caddyfile),
    );
  }, patienceMs);

  afterAll(() => resources.disposeAsync());

  async function addCommands(folder: string, scripts: Readonly<Record<string, string>>): Promise<void> {
    await mkdir(folder);
    for (const [command, script] of Object.entries(scripts)) {
      await writeFile(join(folder, command), script);
      await chmod(join(folder, command), 0o755);
    }
  }

  test(
    'from nothing to a signed-in ADMIN over TLS with a first lead',
    async () => {
      expect(blocks).toHaveLength(6);
      const printed: string[] = [];
      for (const block of blocks)
        printed.push(
          await shell.paste(block).catch(async (error: Error) => {
            throw new Error(`${error.message}\n${block}\n${await readFile(errors, 'utf8')}`, { cause: error });
          }),
        );
      expect(printed[4]?.trim()).toBe('{"status":"ok"}');
      const [, token = ''] = /^link: \S+#(\S+)$/m.exec(printed[5] ?? '') ?? [];
      expect(printed[5]).toMatch(/ 0 failed$/m);
      expect(printed[5]).toContain('"created":true');
      const signIn = `curl -s "https://$SITE/auth/link" -H 'content-type: application/json' -d '{"token":"${token}"}'`;
      expect(JSON.parse(await shell.paste(signIn))).toMatchObject({
        user: { email: 'ana@acme.example', role: 'ADMIN' },
      });
      expect(await shell.paste('curl -s "https://$SITE/" | head -c 15')).toMatch(/^<!doctype html>/i);
    },
    patienceMs,
  );
});
