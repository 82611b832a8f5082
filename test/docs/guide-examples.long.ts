// Every shell block of the guides runs unchanged against a development server, in the order of its page and in the shell of the tour.
// JavaScript runs as a program. A comment above a block that cannot run here gives the reason.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { repository } from './development-server.js';
import { blocksOf, ExampleServer, expectNoError, pages, shellOf, tour, whenInstalled } from './example-server.js';
import { runEnvironment } from '../support/run-environment.js';

/** The simulator's examples need its token, and have a test of their own. */
const guides = pages
  .map(({ path }) => path)
  .filter((path) => path !== 'README.md' && !path.startsWith('src/docs/simulator') && shellOf(path).length > 0);

/** The commands of the tour that later blocks need, without the program that sends its message. */
const prelude = tour.filter((code) => !code.includes('--input-type=module'));

function scriptOf(path: string, name: string): string {
  const code = blocksOf(path, 'js').find(({ code: text }) => text.startsWith(`// ${name}`))?.code;
  if (code === undefined) throw new Error(`${path} has no script ${name}`);
  return code;
}

whenInstalled('examples of the guides', () => {
  let examples: ExampleServer;

  beforeAll(async () => {
    examples = await ExampleServer.start();
  });
  afterAll(() => examples.stop());

  test('the tour', async () => {
    const outputs = await examples.runShell(tour);
    for (const output of outputs) expectNoError(output);
    const [, , leads = '', inbound = '', inbox = '', reply = ''] = outputs;
    expect(leads.match(/"created":\w+/g)).toEqual(['"created":true', '"created":false']);
    expect(inbound.match(/"duplicate":\w+/g)).toEqual(['"duplicate":false', '"duplicate":true']);
    expect(inbox).toContain('"name":"Ana"');
    for (const status of ['QUEUED', 'SENT', 'DELIVERED', 'READ']) expect(reply).toContain(`status: '${status}'`);
    expect(reply).toContain('"toStatus":"READ"');
  });

  test.each(guides)('%s', async (path) => {
    const blocks = shellOf(path).map(({ code }) => code);
    const outputs = await examples.runShell([...prelude, ...blocks]);
    for (const output of outputs) expectNoError(output);
  });

  test('signature.mjs signs as the shell does, and verifies what it signed alone', async () => {
    const script = `${scriptOf('src/docs/integrate.md', 'signature.mjs')}
    const bytes = Buffer.from(process.env.BODY);
    console.log(sign('the-webhook-secret', bytes), verify('the-webhook-secret', bytes, sign('the-webhook-secret', bytes)),
      verify('the-webhook-secret', Buffer.from('{}'), sign('the-webhook-secret', bytes)), verify('the-webhook-secret', bytes));`;
    const signing = shellOf('src/docs/integrate.md').find(({ code }) => code.includes('SIGNING_SECRET'))?.code ?? '';
    const [printed = ''] = await examples.runShell([
      `${signing}\nexport BODY; node --input-type=module -e ${quoted(script)}`,
    ]);
    const [, byShell, byScript, ...verdicts] = /x-signature: (\S+)\s+(\S+) (\w+) (\w+) (\w+)/.exec(printed) ?? [];
    expect(byScript).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(byScript).toBe(byShell);
    expect(verdicts).toEqual(['true', 'false', 'false']);
  });

  test('inbox.mjs shows the inbox and every event, also what happened before it connected again', async () => {
    const post = (id: string) =>
      examples.runShell([
        ...prelude.slice(0, 2),
        `curl -s $U/webhooks/chat/gateway/inbound -H "x-tenant-key: $KEY" -H "$J" -d '{"messageId":"${id}","from":"5511988887777","name":"Ana","text":"${id}"}'; echo; echo "token $TOKEN"`,
      ]);
    const token = /token (\S+)/.exec((await post('before')).join(''))?.[1] ?? '';
    const env = { ...runEnvironment, LEADWIRE_URL: examples.server.url, TOKEN: token };
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
      await examples.server.restart();
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
