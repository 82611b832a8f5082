// Starts an attacker and tells it when to begin.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Attack, Target } from './attack.js';

const script = fileURLToPath(new URL('attacker.ts', import.meta.url));
const loader = new URL('../../support/typescript-loader.ts', import.meta.url).href;
const prepareLimitMs = 60_000;
const endLimitMs = 3_000;

export class AttackProcess {
  private constructor(private readonly child: ReturnType<typeof fork>) {}

  /** Resolves once the attacker is ready. @throws Error when it could not be prepared */
  static async start({ name }: Attack, target: Target, resources: AsyncDisposableStack): Promise<AttackProcess> {
    const child = fork(script, {
      execArgv: ['--disable-warning=ExperimentalWarning', '--import', loader],
      env: { PATH: process.env['PATH'], ATTACK: name, TARGET: JSON.stringify(target) },
    });
    resources.defer(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    });
    const failed = new Promise<never>((_, reject) =>
      child.once('exit', () => reject(new Error(`"${name}" ended before it began.`))),
    );
    failed.catch(() => undefined);
    await Promise.race([once(child, 'message', { signal: AbortSignal.timeout(prepareLimitMs) }), failed]);
    return new AttackProcess(child);
  }

  begin(): void {
    this.child.send('begin');
  }

  /** Ends the attack. @returns the count of each outcome of its own calls */
  async end(): Promise<Record<string, number>> {
    const told = once(this.child, 'message', { signal: AbortSignal.timeout(endLimitMs) });
    this.child.send('end');
    const [outcomes] = (await told.catch(() => [{ 'did not tell': 1 }])) as [Record<string, number>];
    return outcomes;
  }
}
