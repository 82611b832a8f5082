// Bodies that grow once they are read: the service refuses thousands of them, and the memory of the process stays where it was. Unpacked or
// kept, they would take many times the memory that the process may grow by.

import { Agent, request } from 'node:http';
import { TestApp, type TestTenant } from '../support/test-app.js';
import { growingBodies as attacks, growingEndpoints as endpoints } from './growing-bodies.js';
import { ServiceProcess } from './service-process.js';

const megabyte = 1024 * 1024;
const connections = 32;
const callsOfAKind = 200;
const growthLimitBytes = 256 * megabyte;

// The process reports its memory in lines like those of its log.
const reporter = `setInterval(() => console.log(JSON.stringify({ msg: 'memory', rss: process.memoryUsage.rss() })), 50).unref()`;
const memoryReporting = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(reporter)}` };

let api: TestApp;
let tenant: TestTenant;
let service: ServiceProcess;
const agent = new Agent({ keepAlive: true, maxSockets: connections });

beforeAll(async () => {
  api = await TestApp.start({ PROCESS_ROLE: 'api' });
  tenant = await api.createTenant();
  service = await ServiceProcess.start(api.database, { ...memoryReporting, PROCESS_ROLE: 'api' });
});

afterAll(async () => {
  agent.destroy();
  await service.end('SIGKILL');
  await api.stop();
});

/** @returns the HTTP status; 0 if the connection was closed, as may happen when a call is refused before its whole body was read */
function post(path: string, body: Buffer, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const sent = { 'content-type': 'application/json', 'x-tenant-key': tenant.apiKey, ...headers };
    const call = request(new URL(path, service.url), { method: 'POST', agent, headers: sent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    call.on('error', () => resolve(0)).end(body);
  });
}

async function attack(count: number): Promise<Map<string, Set<number>>> {
  const statuses = new Map(attacks.map(([name]) => [name, new Set<number>()]));
  const calls = Array.from({ length: count * attacks.length }, (_, index) => index).values();
  const callOneByOne = async () => {
    for (const index of calls) {
      const [name, body, headers] = attacks[index % attacks.length]!;
      statuses.get(name)?.add(await post(endpoints[index % endpoints.length] ?? '', body, headers));
    }
  };
  await Promise.all(Array.from({ length: connections }, callOneByOne));
  return statuses;
}

/** Returns every memory size that the process has reported so far. */
function memorySizes(): number[] {
  const lines = service.log.split('\n').filter((line) => line.startsWith('{"msg":"memory"'));
  return lines.map((line) => (JSON.parse(line) as { rss: number }).rss);
}

test('each is refused for what it is, and thousands of them leave the memory as it was', async () => {
  // The first wave sets the measure: the second wave is three times as long, and must not take more memory.
  await attack(Math.ceil(callsOfAKind / 3));
  const before = memorySizes();
  const statuses = await attack(callsOfAKind);
  const sizes = memorySizes().slice(before.length);
  expect(sizes.length).toBeGreaterThan(0);
  expect(Math.max(...sizes) - Math.max(...before)).toBeLessThan(growthLimitBytes);
  for (const [name, , , status] of attacks) {
    const seen = [...(statuses.get(name) ?? [])].filter((one) => one !== 0);
    expect({ name, seen }).toEqual({ name, seen: [status] });
  }
  expect({ isRunning: service.isRunning, crash: service.faults }).toEqual({ isRunning: true, crash: [] });
  const messages = await api.sql('SELECT id FROM messages UNION ALL SELECT id FROM leads');
  expect(messages).toEqual([]);
}, 240_000);
