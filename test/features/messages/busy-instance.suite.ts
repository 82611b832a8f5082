// An instance whose gateway asks it to slow down (429) rests exactly as long as it was asked to, whatever else is under way.

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { answering } from '../../providers/scripted-gateway.js';
import { EvolutionServer } from '../../support/evolution-server.js';
import { withTenantEach } from '../../support/shared-app.js';
import { serviceOperator, type TestApp, type TestTenant } from '../../support/test-app.js';
import { createLeads, send, stateOf, until, waitForStatus } from './sending-harness.js';

export function describeBusyInstance(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let server: EvolutionServer;
  let instanceId: string;
  /** Calls to the gateway that the test answers, by the message's text. */
  let held: Map<string, ServerResponse>;

  withTenantEach((made) => ({ app, tenant } = made));
  beforeEach(async () => {
    server = await EvolutionServer.start();
    held = new Map();
    server.script = ({ path, body }) =>
      path.startsWith('/message/') ? (_, response) => held.set((body as { text: string }).text, response) : undefined;
    const { accountId } = tenant.admin;
    const access = { baseUrl: server.url, token: EvolutionServer.globalKey };
    const instance = { accountId, instanceName: 'acme', provider: 'evolution', ...access };
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    instanceId = (await app.app.services.chatInstances.create(serviceOperator, instance, place)).id;
  });
  afterEach(() => server.close());

  /** Queues each text for a lead of its own, and waits until the gateway has all of them. @returns the messages' ids */
  async function handOver(...texts: string[]): Promise<string[]> {
    const leadIds = await createLeads(app, tenant, texts.length);
    const ids = [];
    for (const [index, body] of texts.entries())
      ids.push(await send(app, tenant, { leadId: leadIds[index] ?? '', instanceId, body }));
    for (const text of texts) await untilHeld(text);
    return ids;
  }

  const untilHeld = (text: string) => until(() => held.has(text), Boolean);

  function answer(text: string, ...script: Parameters<typeof answering>): void {
    const response = held.get(text);
    held.delete(text);
    if (response !== undefined) answering(...script)({ method: '', path: '', headers: {}, body: null }, response);
  }

  const accept = (text: string) => answer(text, 201, { key: { id: randomUUID() }, status: 'PENDING' });
  const slowDown = (text: string, seconds: number) =>
    answer(text, 429, { message: 'slow down' }, { 'retry-after': String(seconds) });

  async function pauseEnd(): Promise<number | undefined> {
    const text = 'SELECT outbound_paused_until AS until FROM chat_instances WHERE id = $1';
    return (await app.sql<{ until: Date | null }>(text, [instanceId]))[0]?.until?.getTime();
  }

  const untilPaused = () => until(pauseEnd, (time) => time !== undefined);
  const outcomeOf = async (id: string) =>
    (await app.sql<{ outcome: string | null }>('SELECT outcome FROM send_attempts WHERE message_id = $1', [id]))[0]
      ?.outcome;

  test('it is tried when its rest is over, while a send from before is still unanswered', async () => {
    const [early = '', turnedAway = ''] = await handOver('early', 'turned away');
    slowDown('turned away', 1);
    await untilHeld('turned away');
    accept('turned away');
    await waitForStatus(app, turnedAway, 'SENT');
    expect(await outcomeOf(early)).toBeNull();
    accept('early');
    await waitForStatus(app, early, 'SENT');
  });

  test('a later answer that asks for less does not cut its rest short', async () => {
    const [, second = ''] = await handOver('first', 'second');
    slowDown('first', 600);
    const restsUntil = await untilPaused();
    slowDown('second', 1);
    await until(
      () => outcomeOf(second),
      (outcome) => outcome === 'temporary',
    );
    expect(await pauseEnd()).toBe(restsUntil);
  });

  test('a probe that is accepted does not end the rest that a send from before was asked for meanwhile', async () => {
    const [, turnedAway = ''] = await handOver('early', 'turned away');
    slowDown('turned away', 1);
    await untilHeld('turned away');
    const triedUntil = (await pauseEnd()) ?? 0;
    slowDown('early', 600);
    await until(pauseEnd, (time) => (time ?? 0) > triedUntil);
    accept('turned away');
    await waitForStatus(app, turnedAway, 'SENT');
    expect(await pauseEnd()).toBeGreaterThan(triedUntil);
    expect((await stateOf(app, turnedAway)).status).toBe('SENT');
  });
}
