// A bash as a person uses it: on a terminal, with history expansion, fed by pasting.

import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { repository } from './development-server.js';
import { runEnvironment } from '../support/run-environment.js';

/** Tells if this machine has a bash, and `script`, which gives it a terminal. */
export const hasInteractiveShell = ['bash', 'script'].every(
  (name) => spawnSync(name, ['--version']).error === undefined,
);

const longestMs = 90_000;

export class InteractiveShell {
  private output = '';
  private pasted = 0;

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString().replaceAll('\r', '')));
  }

  static start(): InteractiveShell {
    const shell = 'bash --norc --noprofile -i';
    const env = { ...runEnvironment, TERM: 'dumb', PS1: '> ', PS2: '+ ', HISTFILE: '/dev/null' };
    return new InteractiveShell(
      spawn('script', ['--quiet', '--command', shell, '/dev/null'], { cwd: repository, env }),
    );
  }

  /** @returns the terminal's output from the first pasted line to the end of the last command */
  async paste(code: string): Promise<string> {
    const from = this.output.length;
    this.pasted += 1;
    const end = `\nend-of-paste-${this.pasted}\n`;
    this.child.stdin.write(`${code}\necho; echo end-of-paste"-"${this.pasted}\n`);
    const deadline = performance.now() + longestMs;
    while (!this.output.includes(end, from)) {
      if (this.child.exitCode !== null || performance.now() > deadline)
        throw new Error(`the shell does not come to its end:\n${this.output.slice(from)}`);
      await delay(20);
    }
    return this.output.slice(from);
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.stdin.write('exit 0\n');
    await Promise.race([ended, delay(2_000)]);
    this.child.kill('SIGKILL');
  }
}
