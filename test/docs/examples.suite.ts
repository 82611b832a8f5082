// The documents' examples work unchanged: every shell block runs against a development server. It runs in the order of its page and in the
// shell of the tour. JavaScript runs as a program. A comment above a block that cannot run here gives the reason.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { WebhookReceiver } from '../features/outgoing-webhooks/webhook-receiver.js';
import { answering, ScriptedGateway } from '../clients/scripted-gateway.js';
import { EvolutionServer } from '../support/evolution-server.js';
import { DevelopmentServer, repository } from './development-server.js';
import { hasInteractiveShell, InteractiveShell } from './interactive-shell.js';
import { readPages } from './pages.js';

interface Block {
  code: string;
  /** The reason why the block is not run. */
  reason: string | undefined;
}

const pages = await readPages();

const textOf = (path: string) => pages.find((page) => page.path === path)?.text ?? '';

function blocksOf(path: string, language: string): Block[] {
  const pattern = new RegExp(`(?:<!-- not run: ([^>]+) -->\\n)?\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g');
  return [...textOf(path).matchAll(pattern)].map(([, reason, code = '']) => ({ code, reason }));
}

const shellOf = (path: string) => blocksOf(path, 'sh').filter(({ reason }) => reason === undefined);

function scriptOf(path: string, name: string): string {
  const code = blocksOf(path, 'js').find(({ code: text }) => text.startsWith(`// ${name}`))?.code;
  if (code === undefined) throw new Error(`${path} has no script ${name}`);
  return code;
}

/** The simulator's examples need its token, and have a test of their own. */
const guides = pages
  .map(({ path }) => path)
  .filter((path) => path !== 'README.md' && !path.startsWith('src/docs/simulator') && shellOf(path).length > 0);
const isInstalled = ['bash', 'curl', 'openssl'].every((name) => spawnSync(name, ['--version']).error === undefined);
/** Skipped where there is no bash, or no `script` of util-linux, which gives it a terminal. */
const whenInteractive = hasInteractiveShell ? test : test.skip;
const whenInstalled = isInstalled ? describe : describe.skip;

const endOfBlock = '=== end of block';
/** The commands of the tour that later blocks need, without the program that sends its message. */
const tour = shellOf('README.md').map(({ code }) => code);
const prelude = tour.filter((code) => !code.includes('--input-type=module'));

/** Complaints of an interactive bash about a line that it cannot take. */
const shellProblem = /event not found|syntax error|unexpected EOF|command not found|unbound variable/;

export function describeExamples(): void {
  whenInteractive('every shell block can be pasted into an interactive bash', async () => {
    const shell = InteractiveShell.start();
    try {
      // Within a function, bash reads a block and expands it as at the prompt, but does not run it.
      expect(await shell.paste('read_only() {\necho "(ID!) there"\n:\n}')).toMatch(shellProblem);
      for (const { path } of pages)
        for (const { code } of blocksOf(path, 'sh')) {
          const shown = await shell.paste(`read_only() {\n${code}\n:\n}`);
          expect({ path, code, problem: shellProblem.exec(shown)?.[0] }).toEqual({ path, code, problem: undefined });
        }
    } finally {
      await shell.close();
    }
  });

  whenInstalled('against a development server', () => {
    let server: DevelopmentServer;
    let evolution: EvolutionServer;
    let waha: ScriptedGateway;
    let receiver: WebhookReceiver;
    let folder: string;

    beforeAll(async () => {
      [server, evolution, waha, receiver, folder] = await Promise.all([
        DevelopmentServer.start(),
        EvolutionServer.start(),
        ScriptedGateway.start(answering(201, { name: 'store', status: 'STARTING' })),
        WebhookReceiver.start(),
        mkdtemp(join(tmpdir(), 'leadwire-examples-')),
      ]);
      evolution.script = ({ path }) => (path.startsWith('/webhook/set/') ? answering(201, {}) : undefined);
    });

    afterAll(async () => {
      await Promise.all([
        server.stop(),
        evolution.close(),
        waha.close(),
        receiver.close(),
        rm(folder, { recursive: true }),
      ]);
    });

    /** Returns the code with the addresses of this test. */
    const adapted = (code: string) =>
      code
        .replaceAll('localhost:4000', `localhost:${server.port}`)
        .replaceAll('https://evolution.example', evolution.url)
        .replaceAll('https://waha.example', waha.url)
        .replaceAll('its-global-apikey', EvolutionServer.globalKey)
        .replaceAll('https://example.com/hooks', `${receiver.url}/hooks`)
        // Programs run in the repository's folder to find their packages, so files get a path elsewhere.
        .replaceAll(/\b(\w+)\.csv$/gm, `${folder}/$1.csv`);

    /** Runs the blocks in one shell. @returns the output of each block */
    async function runShell(blocks: readonly string[]): Promise<string[]> {
      const script = adapted(blocks.map((code) => `${code}\necho; echo '${endOfBlock}'`).join('\n'));
      const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
        cwd: repository,
        env: { PATH: process.env['PATH'] },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
      return output.split(endOfBlock).slice(0, blocks.length);
    }

    const expectNoError = (output: string) => expect(output).not.toMatch(/"extensions":\{|"requestId":|Error:/);

    test('the tour', async () => {
      const outputs = await runShell(tour);
      for (const output of outputs) expectNoError(output);
      const [, , leads = '', inbound = '', inbox = '', reply = ''] = outputs;
      expect(leads.match(/"created":\w+/g)).toEqual(['"created":true', '"created":false']);
      expect(inbound.match(/"duplicate":\w+/g)).toEqual(['"duplicate":false', '"duplicate":true']);
      expect(inbox).toContain('"name":"Ana"');
      for (const status of ['QUEUED', 'SENT', 'DELIVERED', 'READ']) expect(reply).toContain(`status: '${status}'`);
      expect(reply).toContain('"toStatus":"READ"');
    });

    whenInteractive('the tour, pasted into an interactive bash', async () => {
      const shell = InteractiveShell.start();
      try {
        const shown: string[] = [];
        for (const code of tour) shown.push(await shell.paste(adapted(code)));
        for (const output of shown) {
          expect(output).not.toMatch(shellProblem);
          expectNoError(output);
        }
        expect(shown[2]?.match(/"created":\w+/g)).toHaveLength(2);
        expect(shown[5]).toContain('"status":"QUEUED"');
        expect(shown[5]).toContain('"toStatus":"READ"');
      } finally {
        await shell.close();
      }
    });

    test.each(guides)('%s', async (path) => {
      const blocks = shellOf(path).map(({ code }) => code);
      const outputs = await runShell([...prelude, ...blocks]);
      for (const output of outputs) expectNoError(output);
    });

    test('integrate.md lists every endpoint of /openapi.json', async () => {
      const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: Record<string, object> };
      const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
      );
      const rows = textOf('src/docs/integrate.md')
        .split('\n')
        .filter((line) => line.startsWith('| `'));
      const isListed = (endpoint: string) => {
        const [method = '', path = ''] = endpoint.split(' ');
        return rows.some((row) => row.includes(`\`${method}`) && new RegExp(`${path}[\`?]`).test(row));
      };
      expect(endpoints.length).toBeGreaterThan(10);
      expect(endpoints.filter((endpoint) => !isListed(endpoint))).toEqual([]);
    });

    test('signature.mjs signs as the shell does, and verifies what it signed alone', async () => {
      const script = `${scriptOf('src/docs/integrate.md', 'signature.mjs')}
      const bytes = Buffer.from(process.env.BODY);
      console.log(sign('the-webhook-secret', bytes), verify('the-webhook-secret', bytes, sign('the-webhook-secret', bytes)),
        verify('the-webhook-secret', Buffer.from('{}'), sign('the-webhook-secret', bytes)), verify('the-webhook-secret', bytes));`;
      const signing = shellOf('src/docs/integrate.md').find(({ code }) => code.includes('SIGNING_SECRET'))?.code ?? '';
      const [printed = ''] = await runShell([`${signing}\nexport BODY; node --input-type=module -e ${quoted(script)}`]);
      const [, byShell, byScript, ...verdicts] = /x-signature: (\S+)\s+(\S+) (\w+) (\w+) (\w+)/.exec(printed) ?? [];
      expect(byScript).toMatch(/^sha256=[0-9a-f]{64}$/);
      expect(byScript).toBe(byShell);
      expect(verdicts).toEqual(['true', 'false', 'false']);
    });

    test('inbox.mjs shows the inbox and every event, also what happened before it connected again', async () => {
      const post = (id: string) =>
        runShell([
          ...prelude.slice(0, 2),
          `curl -s $U/webhooks/chat/gateway/inbound -H "x-tenant-key: $KEY" -H "$J" -d '{"messageId":"${id}","from":"5511988887777","name":"Ana","text":"${id}"}'; echo; echo "token $TOKEN"`,
        ]);
      const token = /token (\S+)/.exec((await post('before')).join(''))?.[1] ?? '';
      const env = { PATH: process.env['PATH'], LEADWIRE_URL: server.url, TOKEN: token };
      const script = scriptOf('src/docs/build-a-client.md', 'inbox.mjs');
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: repository, env });
      const lines: string[] = [];
      for (const stream of [child.stdout, child.stderr])
        createInterface({ input: stream }).on('line', (line) => lines.push(line));
      const untilShown = async (text: string) => {
        const deadline = performance.now() + 60_000;
        while (!lines.some((line) => line.includes(text))) {
          if (child.exitCode !== null || performance.now() > deadline)
            throw new Error(`it does not show "${text}":\n${lines.join('\n')}`);
          await delay(50);
        }
      };
      try {
        await untilShown('Ana');
        await post('while-it-runs');
        await untilShown('MESSAGE_RECEIVED Ana  while-it-runs');
        // The program continues only after the server's restart and after an event that it would have missed.
        child.kill('SIGSTOP');
        await server.restart();
        await post('while-it-was-away');
        child.kill('SIGCONT');
        await untilShown('MESSAGE_RECEIVED Ana  while-it-was-away');
        expect(lines.filter((line) => line.includes('while-it-runs'))).toHaveLength(1);
      } finally {
        child.kill('SIGKILL');
      }
    });
  });

  function quoted(text: string): string {
    return `'${text.replaceAll("'", `'\\''`)}'`;
  }
}
