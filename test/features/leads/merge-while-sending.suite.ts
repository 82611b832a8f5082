// Merging leads while messages to them are on their way: each leaves once, none is left behind, and each is reported where it is.

import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { query } from '../../support/graphql-client.js';
import { MergeLeadsDocument, UndoLeadMergeDocument } from '../../support/operations.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import {
  createLead,
  plainNumber,
  readMessage,
  renewInstance,
  send,
  startSender,
  startSimulator,
  until,
  waitForEmptyOutbox,
  waitForStatus,
} from '../messages/sending-harness.js';
import { Rounds, findInconsistencies, leadOf, lid, messagesOf } from './lead-harness.js';

export function describeMergeWhileSending(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    simulator = await startSimulator({ latencyMs: 30 });
    app = await startSender(simulator);
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
    await renewInstance(app, tenant);
  });
  afterEach(async () => {
    expect(await findInconsistencies(app, tenant)).toEqual([]);
  });
  afterAll(async () => {
    await simulator.close();
    await app.stop();
  });

  const merge = (leadId: string, intoId: string) => query(app, tenant.operator, MergeLeadsDocument, { leadId, intoId });

  async function latestMerge(): Promise<string> {
    const [row] = await app.sql<{ id: string }>(
      'SELECT id FROM lead_merges WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
      [tenant.id],
    );
    return row?.id ?? '';
  }

  function attemptsOf(ids: readonly string[]) {
    return simulator.attempts().filter(({ idempotencyKey }) => ids.includes(idempotencyKey ?? ''));
  }

  async function sendMany(leadId: string, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push(await send(app, tenant, { leadId, body: `${index}` }));
    return ids;
  }

  test('a message that is being sent settles where its lead went, and those behind it follow in their order', async () => {
    const numbers = [plainNumber(), plainNumber()] as const;
    const [merged, survivor] = [await createLead(app, tenant, numbers[0]), await createLead(app, tenant, numbers[1])];
    simulator.behave({ latencyMs: 300 }, tenant.instance.name);
    const ids = await sendMany(merged, 5);
    await until(
      () => attemptsOf(ids).length,
      (count) => count > 0,
    );
    await merge(merged, survivor);
    const underWay = attemptsOf(ids).length;
    simulator.behave({ latencyMs: 0 }, tenant.instance.name);
    for (const id of ids) await waitForStatus(app, id, 'SENT');
    const attempts = attemptsOf(ids);
    expect(attempts.map(({ idempotencyKey }) => idempotencyKey)).toEqual(ids);
    // One more may have been claimed before the merge and have arrived after it.
    for (const { to } of attempts.slice(underWay + 1)) expect(to).toBe(numbers[1]);
    expect(await messagesOf(app, survivor)).toEqual(ids);
    for (const id of ids) expect((await readMessage(app, tenant, id)).lead.id).toBe(survivor);
  });

  test('a lead without a number sends once it has the other one’s', async () => {
    const number = plainNumber();
    const [numbered, hidden] = [await createLead(app, tenant, number), await leadOf(app, tenant, lid('x1234'))];
    const ids = await sendMany(numbered, 3);
    await merge(numbered, hidden);
    ids.push(await send(app, tenant, { leadId: hidden, body: 'to the hidden one' }));
    ids.push(await send(app, tenant, { leadId: numbered, body: 'to the id that was' }));
    for (const id of ids) await waitForStatus(app, id, 'SENT');
    expect(new Set(attemptsOf(ids).map(({ to }) => to))).toEqual(new Set([number]));
    expect((await messagesOf(app, hidden)).sort()).toEqual(ids.toSorted());
  });

  test('merged and separated again and again under way: each message leaves once, to one of the two numbers', async () => {
    const numbers = [plainNumber(), plainNumber()] as const;
    const leads = [await createLead(app, tenant, numbers[0]), await createLead(app, tenant, numbers[1])] as const;
    const merging = new Rounds(6, async (round) => {
      await merge(leads[round % 2]!, leads[1 - (round % 2)]!);
      await query(app, tenant.operator, UndoLeadMergeDocument, { mergeId: await latestMerge() });
    });
    const sent: string[] = [];
    while (merging.areUnderWay)
      sent.push(...(await Promise.all(leads.map((leadId) => send(app, tenant, { leadId, body: 'Oi' })))));
    await merging.done;
    await waitForEmptyOutbox(app);
    for (const id of sent) await waitForStatus(app, id, 'SENT');
    const keys = attemptsOf(sent).map(({ idempotencyKey }) => idempotencyKey ?? '');
    expect(keys.sort()).toEqual(sent.toSorted());
    for (const { to } of attemptsOf(sent)) expect(numbers).toContain(to);
    const found = [...(await messagesOf(app, leads[0])), ...(await messagesOf(app, leads[1]))];
    expect(found.sort()).toEqual(sent.toSorted());
  });
}
