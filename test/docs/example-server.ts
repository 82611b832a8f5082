// Reads the documents' examples, and runs them in a shell against a development server: each in the order of its page, and after the tour's
// commands that it needs.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answering, ScriptedGateway } from '../providers/scripted-gateway.js';
import { WebhookReceiver } from '../features/outgoing-webhooks/webhook-receiver.js';
import { EvolutionServer } from '../support/evolution-server.js';
import { DevelopmentServer, repository } from './development-server.js';
import { readPages } from './pages.js';
import { runEnvironment } from '../support/run-environment.js';

interface Block {
  code: string;
  /** The reason why the block is not run. */
  reason: string | undefined;
}

export const pages = await readPages();

export const textOf = (path: string) => pages.find((page) => page.path === path)?.text ?? '';

export function blocksOf(path: string, language: string): Block[] {
  const pattern = new RegExp(`(?:<!-- not run: ([^>]+) -->\\n)?\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g');
  return [...textOf(path).matchAll(pattern)].map(([, reason, code = '']) => ({ code, reason }));
}

export const shellOf = (path: string) => blocksOf(path, 'sh').filter(({ reason }) => reason === undefined);

/** The commands of the README's tour. */
export const tour = shellOf('README.md').map(({ code }) => code);

const isInstalled = ['bash', 'curl', 'openssl'].every((name) => spawnSync(name, ['--version']).error === undefined);
/** Skipped where the programs of the examples are missing. */
export const whenInstalled = isInstalled ? describe : describe.skip;

const endOfBlock = '=== end of block';

export const expectNoError = (output: string) => expect(output).not.toMatch(/"extensions":\{|"requestId":|Error:/);

/** A development server, and the servers that stand for those outside. */
export class ExampleServer {
  private constructor(
    readonly server: DevelopmentServer,
    private readonly evolution: EvolutionServer,
    private readonly waha: ScriptedGateway,
    private readonly receiver: WebhookReceiver,
    private readonly folder: string,
  ) {}

  static async start(): Promise<ExampleServer> {
    const started = await Promise.all([
      DevelopmentServer.start(),
      EvolutionServer.start(),
      ScriptedGateway.start(answering(201, { name: 'store', status: 'STARTING' })),
      WebhookReceiver.start(),
      mkdtemp(join(tmpdir(), 'leadwire-examples-')),
    ]);
    started[1].script = ({ path }) => (path.startsWith('/webhook/set/') ? answering(201, {}) : undefined);
    return new ExampleServer(...started);
  }

  async stop(): Promise<void> {
    await Promise.all([
      this.server.stop(),
      this.evolution.close(),
      this.waha.close(),
      this.receiver.close(),
      rm(this.folder, { recursive: true }),
    ]);
  }

  /** Returns the code with the addresses of this test. */
  adapted(code: string): string {
    return (
      code
        .replaceAll('localhost:4000', `localhost:${this.server.port}`)
        .replaceAll('https://evolution.example', this.evolution.url)
        .replaceAll('https://waha.example', this.waha.url)
        .replaceAll('its-global-apikey', EvolutionServer.globalKey)
        .replaceAll('https://example.com/hooks', `${this.receiver.url}/hooks`)
        // Programs run in the repository's folder to find their packages, so files get a path elsewhere.
        .replaceAll(/\b(\w+)\.csv$/gm, `${this.folder}/$1.csv`)
    );
  }

  /** Runs the blocks in one shell. @returns the output of each block */
  async runShell(blocks: readonly string[]): Promise<string[]> {
    const script = this.adapted(blocks.map((code) => `${code}\necho; echo '${endOfBlock}'`).join('\n'));
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: repository,
      env: runEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    return output.split(endOfBlock).slice(0, blocks.length);
  }
}
