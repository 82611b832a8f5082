// The inbox client of the documents, unchanged, in front of a real application. The tests read its output, also after a lost connection,
// after a gap that the log no longer covers, and after refusals.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { FileServer } from '../features/media/file-server.js';
import { png } from '../features/media/sample-files.js';
import { waitForSubscribers } from '../features/live/live-harness.js';
import {
  createLead,
  plainNumber,
  renewInstance,
  startSender,
  startSimulator,
  until,
} from '../features/messages/sending-harness.js';
import { SilentProxy } from '../support/silent-proxy.js';
import { slow } from '../support/slow.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { repository } from './development-server.js';
import { readPages } from './pages.js';
import { runEnvironment } from '../support/run-environment.js';

/** Runs the program as a reader does. */
class ClientProgram {
  output = '';
  private readonly child: ChildProcessWithoutNullStreams;
  readonly exit: Promise<unknown>;

  constructor(script: string, environment: Record<string, string>) {
    const env = { ...runEnvironment, ...environment };
    this.child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: repository, env });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.exit = once(this.child, 'close');
  }

  get lines(): string[] {
    return this.output.split('\n').slice(0, -1);
  }

  /** Lines of messages, without those of the inbox. */
  messages(text: string): string[] {
    return this.lines.filter((line) => line.startsWith('  ') && line.includes(text));
  }

  write(line: string): void {
    this.child.stdin.write(`${line}\n`);
  }

  async shows(text: string): Promise<void> {
    await until(
      () => this.output.includes(text) || this.child.exitCode !== null,
      (seen) => seen,
    ).catch(() => undefined);
    if (!this.output.includes(text)) throw new Error(`it does not show "${text}":\n${this.output}`);
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
  }
}

export function describeClientExample(): void {
  let app: TestApp;
  let simulator: GatewaySimulator;
  let files: FileServer;
  let script: string;
  let tenant: TestTenant;
  let proxy: SilentProxy;
  let program: ClientProgram;
  let chat: string;

  beforeAll(async () => {
    [simulator, files] = await Promise.all([startSimulator(), FileServer.start()]);
    app = await startSender(simulator);
    const page = (await readPages()).find(({ path }) => path === 'src/docs/client-example.md')?.text ?? '';
    script = /```js\n(\/\/ inbox-client\.mjs\n.*?)```/s.exec(page)?.[1] ?? '';
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([simulator.close(), files.close()]);
  });

  beforeEach(async () => {
    tenant = await app.createTenant();
    await renewInstance(app, tenant);
    simulator.reportTo({ webhookBaseUrl: app.url, tenantKey: tenant.apiKey }, tenant.instance.name);
    chat = plainNumber();
    await createLead(app, tenant, chat);
    await receive({ text: 'first' });
    proxy = new SilentProxy(new URL(app.url));
    const url = (await proxy.open()).replace(/\/$/, '');
    program = new ClientProgram(script, { LEADWIRE_URL: url, TOKEN: await app.signIn(tenant.operator.idpSub) });
    await program.shows('first');
    await waitForSubscribers(app, tenant, 1);
  });
  afterEach(async () => {
    await program.stop();
    await proxy.close();
  });

  const receive = (content: Partial<Parameters<GatewaySimulator['receiveFromLead']>[0]>, from = chat) =>
    simulator.receiveFromLead({ instance: tenant.instance.name, from, ...content });

  async function openConversation(): Promise<void> {
    program.write('open 1');
    await program.shows('  LEAD: first');
  }

  test('has at most 150 lines', () => {
    expect(script.split('\n').length - 1).toBeLessThanOrEqual(150);
  });

  test('shows state, quotes, files and reactions, and sends a reply', async () => {
    expect(program.lines[0]).toMatch(/^1\. \S+ \[OPEN, waiting since \d{4}-\S+Z, 1 unread\] first$/);
    await openConversation();
    program.write('Our reply');
    await program.shows('USER READ: Our reply');
    const [reply] = simulator.attempts().filter(({ text }) => text === 'Our reply');
    await receive({ text: 'quoting', replyTo: reply?.messageId ?? '' });
    await program.shows('LEAD: quoting (quotes "Our reply")');
    await receive({ reaction: { messageId: reply?.messageId ?? '', emoji: '👍' } });
    await program.shows('USER READ: Our reply 👍 theirs');
    const bytes = png();
    await receive({ media: { url: files.give('/photo', bytes, 'image/png'), fileName: 'photo.png' } });
    await program.shows('[photo.png STORED] http');
    const [, address = ''] = /STORED\] (http\S+)/.exec(program.output) ?? [];
    expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(bytes);
    const replies = simulator.attempts().filter(({ text }) => text === 'Our reply');
    expect(replies).toHaveLength(1);
    expect(program.messages('quoting')).toHaveLength(1);
  });

  test('shows what came while its connection was lost, each once and in order, and what comes then', async () => {
    await openConversation();
    const texts = Array.from({ length: 12 }, (_, index) => `message ${index + 1}.`);
    program.write('Our reply');
    await program.shows('USER READ: Our reply');
    for (const text of texts.slice(0, 4)) await receive({ text });
    await program.shows('  LEAD: message 4.');
    proxy.cut();
    await program.shows('connecting again');
    for (const text of texts.slice(4, 8)) await receive({ text });
    proxy.restore();
    await program.shows('  LEAD: message 8.');
    // After a second cut, the client has to continue from a later position.
    proxy.cut();
    for (const text of texts.slice(8, 10)) await receive({ text });
    proxy.restore();
    await program.shows('  LEAD: message 10.');
    for (const text of texts.slice(10)) await receive({ text });
    await program.shows('  LEAD: message 12.');
    expect(program.messages('message ')).toEqual(texts.map((text) => `  LEAD: ${text}`));
    // A repeated event would show the reply's first states again.
    const states = program.messages('Our reply');
    expect(states).toEqual([...new Set(states)]);
  });

  slow('reads again where the log does not reach back', async () => {
    await openConversation();
    proxy.cut();
    await program.shows('connecting again');
    await receive({ text: 'lost event' });
    await app.sql('DELETE FROM events WHERE tenant_id = $1', [tenant.id]);
    await receive({ text: 'kept event' });
    proxy.restore();
    await program.shows('  LEAD: kept event');
    await program.shows('  LEAD: lost event');
    await receive({ text: 'afterwards' });
    await program.shows('  LEAD: afterwards');
    for (const text of ['lost event', 'kept event', 'afterwards']) expect(program.messages(text)).toHaveLength(1);
  });

  slow('sends a reply once the connection is back, and not past a message that it did not show', async () => {
    await openConversation();
    proxy.cut();
    await program.shows('connecting again');
    program.write('too early');
    await receive({ text: 'in between' });
    proxy.restore();
    await program.shows('not sent: 1 new; read and send again');
    await program.shows('  LEAD: in between');
    program.write('now it is sent');
    program.write('and one more');
    await program.shows('USER READ: now it is sent');
    await program.shows('USER READ: and one more');
    const sent = simulator.attempts().filter(({ instance }) => instance === tenant.instance.name);
    expect(sent.map(({ text }) => text)).toEqual(['now it is sent', 'and one more']);
  });

  test('ends with the reason where its token is refused', async () => {
    const refused = new ClientProgram(script, { LEADWIRE_URL: app.url, TOKEN: 'none' });
    expect(await refused.exit).toEqual([1, null]);
    expect(refused.output).toMatch(/token/i);
  });
}
