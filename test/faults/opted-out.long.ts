// STOP while 10,000 bulk messages leave and workers are killed: after its 2xx no message arrives at that number. STOP_RUNS sets the number
// of runs.

import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { storeLeads } from '../bench/waiting-messages.js';
import { ScriptedGateway } from '../providers/scripted-gateway.js';
import { createTemplate, operatorOf, recipientsOf } from '../features/bulk-sends/bulk-harness.js';
import { gatewayToken, startSender, until } from '../features/messages/sending-harness.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { WorkerGroup } from './worker-group.js';

const runs = Number(process.env['STOP_RUNS'] ?? 2);
const leadCount = 10_000;
/** The messages outlast the STOPs, on a slow machine too. */
const chatRateLimit = { max: 300, durationMs: 1_000 };
const stopCount = 60;
const stopsAtOnce = 6;
const killCount = 4;
const betweenKillsMs = 700;
const workerCount = 2;
/** The lead that writes STOP is at most so far ahead of the latest arrival: its message waits, is claimed, or is on its way. */
const reach = 150;
/** The pause before a refused call is sent again. */
const redeliveredAfterMs = 500;
/** A STOP that is still refused after this time fails the test: the lease of a killed worker's message has ended long before. */
const refusedForMs = 120_000;
/** The time limit of one run, on a slow machine. */
const runLimitMs = 180_000;

interface Stop {
  number: string;
  acknowledgedAt: number;
  /** The time of the acknowledged call and of the refused calls before it. */
  tookMs: number;
  refusals: number;
}

class SlowGateway {
  /** Arrival times of messages, in milliseconds since 1970, by number. */
  readonly arrivals = new Map<string, number[]>();
  count = 0;
  private server: ScriptedGateway | undefined;

  static async start(): Promise<SlowGateway> {
    const gateway = new SlowGateway();
    gateway.server = await ScriptedGateway.start(async ({ headers, body }, response) => {
      const { to } = body as { to: string };
      gateway.count += 1;
      gateway.arrivals.set(to, [...(gateway.arrivals.get(to) ?? []), Date.now()]);
      await delay(randomInt(5, 150));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ messageId: `provider-${String(headers['idempotency-key'])}` }));
    });
    return gateway;
  }

  get url(): string {
    return this.server?.url ?? '';
  }

  async close(): Promise<void> {
    await this.server?.close();
  }
}

test(
  `${runs} runs with ${leadCount} messages: none arrives after the 2xx of its lead’s STOP`,
  async () => {
    await using resources = new AsyncDisposableStack();
    const gateway = await SlowGateway.start();
    resources.defer(() => gateway.close());
    const api = await startSender(gateway, { PROCESS_ROLE: 'api' });
    resources.defer(() => api.stop());
    const environment = { GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gatewayToken };
    const workers = new WorkerGroup({ api, environment, holdMs: 60_000, liveKeys: () => [] });
    resources.defer(() => workers.stop());
    await Promise.all(Array.from({ length: workerCount }, () => workers.add()));

    const stops: Stop[] = [];
    for (let run = 0; run < runs; run += 1) stops.push(...(await play(run, api, gateway, workers)));

    // A killed worker's messages come back when its lease ends, and must not leave then either.
    await until(
      () => api.sql('SELECT FROM outbox_entries o JOIN opt_outs x USING (tenant_id, lead_id) LIMIT 1'),
      (rows) => rows.length === 0,
      90_000,
    );
    await delay(1_000);
    const late = stops.filter(({ number, acknowledgedAt }) =>
      (gateway.arrivals.get(number) ?? []).some((at) => at > acknowledgedAt),
    );
    const tookMs = stops.map((stop) => stop.tookMs).toSorted((one, other) => one - other);
    const at = (share: number) => Math.round(tookMs[Math.floor(share * (tookMs.length - 1))] ?? 0);
    const spared = stops.filter(({ number }) => !gateway.arrivals.has(number)).length;
    const refused = stops.filter(({ refusals }) => refusals > 0).length;
    process.stderr.write(
      `opted out: ${stops.length} STOPs, ${spared} before their message left, ${late.length} overtaken, ${gateway.count} arrivals, ` +
        `${runs * killCount} kills; answered in ${at(0.5)} ms (median), ${at(0.99)} ms (p99), ${at(1)} ms (most); ${refused} refused first\n`,
    );
    expect(late).toEqual([]);
    // The runs prove something: some STOPs were in time, and others met messages that had left.
    expect(spared).toBeGreaterThan(stops.length / 10);
    expect(stops).toHaveLength(runs * stopCount);
  },
  (runs + 1) * runLimitMs,
);

async function play(run: number, api: TestApp, gateway: SlowGateway, workers: WorkerGroup): Promise<Stop[]> {
  const tenant = await api.createTenant({ chatRateLimit });
  const numbers = Array.from({ length: leadCount }, (_, index) => `49${170 + run}${String(index).padStart(5, '0')}66`);
  await storeLeads((text, values) => api.sql(text, values), tenant.id, numbers);
  const leads = await api.sql<{ id: string }>('SELECT id FROM leads WHERE tenant_id = $1 ORDER BY chat', [tenant.id]);
  const { bulkSends } = api.app.services;
  const before = gateway.count;
  const { id } = await bulkSends.send(operatorOf(tenant), {
    templateId: await createTemplate(api, tenant),
    recipients: recipientsOf(leads.map((lead) => lead.id)),
    idempotencyKey: randomUUID(),
  });
  await until(
    () => gateway.count - before,
    (count) => count > 50,
  );
  const killing = killInTurn(workers);
  const stopped = new Set<string>();
  const stops: Stop[] = [];
  const stopInTurn = async () => {
    while (stopped.size < stopCount) {
      // If all messages have left, the last ones are chosen: the test ends on a slow machine too.
      const arrived = Math.min(numbers.length - reach, gateway.count - before);
      const near = numbers.slice(Math.max(0, arrived - 10), arrived + reach).filter((number) => !stopped.has(number));
      const number = near[randomInt(near.length)] ?? '';
      stopped.add(number);
      stops.push(await writeStop(api, tenant, number));
      await delay(randomInt(20, 120));
    }
  };
  await Promise.all(Array.from({ length: stopsAtOnce }, stopInTurn));
  await killing;
  const left = gateway.count - before;
  const canceledAt = performance.now();
  await bulkSends.cancel(operatorOf(tenant), id);
  const canceledMs = Math.round(performance.now() - canceledAt);
  process.stderr.write(
    `opted out, run ${run + 1}: ${left} messages had left; the others canceled in ${canceledMs} ms\n`,
  );
  return stops;
}

async function killInTurn(workers: WorkerGroup): Promise<void> {
  for (let kill = 0; kill < killCount; kill += 1) {
    await delay(randomInt(0, betweenKillsMs));
    await workers.replace(1);
  }
}

/** Repeats the call until it is acknowledged, as a gateway does. */
async function writeStop(api: TestApp, tenant: TestTenant, from: string): Promise<Stop> {
  const body = { instance: tenant.instance.name, messageId: randomUUID(), from, text: 'STOP' };
  const startedAt = performance.now();
  for (let refusals = 0; ; refusals += 1) {
    const { status } = await api.post('/webhooks/chat/gateway/inbound', body, withKey(tenant));
    if (status === 200)
      return { number: from, acknowledgedAt: Date.now(), tookMs: performance.now() - startedAt, refusals };
    if (status !== 503 || performance.now() - startedAt > refusedForMs) throw new Error(`STOP was answered ${status}`);
    await delay(redeliveredAfterMs);
  }
}
