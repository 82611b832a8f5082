// Leads of whom WAHA shows only an id: the service asks WAHA for the number outside of the webhook call, and both belong to the same
// person.

import { randomUUID } from 'node:crypto';
import { answering, ScriptedGateway, type Script } from '../../providers/scripted-gateway.js';
import { TestApp, withKey, withToken, type TestTenant } from '../../support/test-app.js';
import { createLead, until } from '../messages/sending-harness.js';

interface Place {
  tenant: TestTenant;
  session: string;
}

export function describeHiddenNumbers(): void {
  let app: TestApp;
  let waha: ScriptedGateway;
  /** WAHA's answers to `GET /api/{session}/lids/{lid}`, by the id. */
  const answers = new Map<string, Script>();

  beforeAll(async () => {
    waha = await ScriptedGateway.start((request, response) => {
      const hiddenId = /\/lids\/(\d+)%40lid$/.exec(request.path)?.[1] ?? '';
      const answer = answers.get(hiddenId) ?? answering(200, { lid: `${hiddenId}@lid`, pn: null });
      answer(request, response);
    });
    app = await TestApp.start({}, undefined, { numberSweepMs: 200 });
  });
  afterAll(async () => {
    await app.stop();
    await waha.close();
  });

  async function createPlace(provider = 'waha'): Promise<Place> {
    const tenant = await app.createTenant();
    const session = `session-${randomUUID()}`;
    const query = 'mutation ($input: CreateChatInstanceInput!) { createChatInstance(input: $input) { id } }';
    const access = { provider, baseUrl: waha.url, token: 'waha-key' };
    const input = { accountId: tenant.admin.accountId, instanceName: session, ...access };
    const answer = await app.post('/graphql', { query, variables: { input } }, withToken(tenant.admin));
    expect(((await answer.json()) as { errors?: unknown }).errors).toBeUndefined();
    return { tenant, session };
  }

  const newHiddenId = () => `10${String(Math.floor(Math.random() * 1e13)).padStart(13, '0')}`;

  async function writes({ tenant, session }: Place, chat: string): Promise<string> {
    const id = `false_${chat}_3EB0${randomUUID().replaceAll('-', '').toUpperCase()}`;
    const call = { event: 'message.any', session, payload: { id, from: chat, fromMe: false, body: 'Oi' } };
    const answer = await app.post('/webhooks/chat/gateway/inbound', call, withKey(tenant));
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { results: { leadId: string }[] }).results[0]?.leadId ?? '';
  }

  const leadsOf = ({ tenant }: Place) =>
    app.sql<{ id: string; chat: string | null; name: string; merged: string | null }>(
      'SELECT id, chat, name, merged_into_id AS merged FROM leads WHERE tenant_id = $1 ORDER BY id',
      [tenant.id],
    );
  const waitingOf = ({ tenant }: Place) =>
    app.sql<{ attempts: number; wait: number }>(
      `SELECT attempt_count AS attempts, extract(epoch FROM due_at - now())::float AS wait FROM hidden_numbers
       WHERE tenant_id = $1`,
      [tenant.id],
    );
  const asked = (hiddenId: string) => waha.requests.filter(({ path }) => path.includes(hiddenId));
  const eventsOf = ({ tenant }: Place, type: string) =>
    app.sql('SELECT 1 FROM events WHERE tenant_id = $1 AND type = $2', [tenant.id, type]);

  test('the number is asked for with the key, and the lead gains it', async () => {
    const at = await createPlace();
    const hiddenId = newHiddenId();
    answers.set(hiddenId, answering(200, { lid: `${hiddenId}@lid`, pn: '5511988810001@c.us' }));
    const leadId = await writes(at, `${hiddenId}@lid`);
    const [lead] = await until(
      () => leadsOf(at),
      ([first]) => first?.chat !== null,
    );
    expect(lead).toMatchObject({ id: leadId, chat: '5511988810001', name: '5511988810001' });
    expect(asked(hiddenId)).toMatchObject([
      { method: 'GET', path: `/api/${at.session}/lids/${hiddenId}%40lid`, headers: { 'x-api-key': 'waha-key' } },
    ]);
    expect(await waitingOf(at)).toEqual([]);
    expect(await eventsOf(at, 'LEAD_UPDATED')).toHaveLength(1);
    // The message under the number is the same person's.
    expect(await writes(at, '5511988810001@c.us')).toBe(leadId);
  });

  test('a lead with that number becomes one with the hidden one, and keeps its name', async () => {
    const at = await createPlace();
    const leadId = await createLead(app, at.tenant, '5511988810002');
    const hiddenId = newHiddenId();
    answers.set(hiddenId, answering(200, { pn: '5511988810002@s.whatsapp.net' }));
    const hiddenLeadId = await writes(at, `${hiddenId}@lid`);
    expect(hiddenLeadId).not.toBe(leadId);
    const leads = await until(
      () => leadsOf(at),
      (rows) => rows.some(({ merged }) => merged !== null),
    );
    expect(leads.find(({ id }) => id === hiddenLeadId)).toMatchObject({ merged: leadId });
    expect(await writes(at, `${hiddenId}@lid`)).toBe(leadId);
  });

  test('where WAHA cannot tell, whatever it answers, the lead stays hidden, and is asked for again', async () => {
    const at = await createPlace();
    const scripts: Script[] = [
      answering(200, { pn: null }),
      answering(200, { pn: '103000000000999@lid' }),
      answering(200, ['5511988810003@c.us']),
      answering(401, {}),
      answering(404, {}),
      answering(422, {}),
      answering(500, {}),
      (_request, response) => response.socket?.destroy(),
    ];
    const hiddenIds = scripts.map((script) => {
      const hiddenId = newHiddenId();
      answers.set(hiddenId, script);
      return hiddenId;
    });
    for (const hiddenId of hiddenIds) await writes(at, `${hiddenId}@lid`);
    const waiting = await until(
      () => waitingOf(at),
      // A claimed row is due in a minute, a postponed one in ten seconds. The first number may be asked for again before the last has been.
      (rows) => rows.every(({ attempts, wait }) => attempts > 1 || (attempts === 1 && wait < 20)),
    );
    expect(waiting).toHaveLength(scripts.length);
    expect((await leadsOf(at)).map(({ chat }) => chat)).toEqual(scripts.map(() => null));
    const [hiddenId = ''] = hiddenIds;
    answers.set(hiddenId, answering(200, { pn: '5511988810003@c.us' }));
    await app.sql('UPDATE hidden_numbers SET due_at = now() WHERE tenant_id = $1', [at.tenant.id]);
    await until(
      () => leadsOf(at),
      ([first]) => first?.chat === '5511988810003',
    );
  });

  test('after the last attempt it is asked no more', async () => {
    const at = await createPlace();
    const hiddenId = newHiddenId();
    await writes(at, `${hiddenId}@lid`);
    await until(
      () => waitingOf(at),
      ([first]) => first?.attempts === 1 && first.wait < 20,
    );
    await app.sql('UPDATE hidden_numbers SET due_at = now(), attempt_count = 6 WHERE tenant_id = $1', [at.tenant.id]);
    await until(
      () => waitingOf(at),
      (rows) => rows.length === 0,
    );
    expect(await leadsOf(at)).toMatchObject([{ chat: null }]);
  });

  test('a lead that was deleted meanwhile does not come back', async () => {
    const at = await createPlace();
    const hiddenId = newHiddenId();
    let answer: (() => void) | undefined;
    answers.set(hiddenId, (request, response) => {
      answer = () => answering(200, { pn: '5511988810004@c.us' })(request, response);
    });
    const leadId = await writes(at, `${hiddenId}@lid`);
    await until(
      () => answer,
      (ready) => ready !== undefined,
    );
    const query = 'mutation ($id: ID!) { deleteLead(id: $id) }';
    const deleted = await app.post('/graphql', { query, variables: { id: leadId } }, withToken(at.tenant.admin));
    expect(((await deleted.json()) as { errors?: unknown }).errors).toBeUndefined();
    expect(await waitingOf(at)).toEqual([]);
    answer?.();
    // A second number is settled after the first one, so the first has been handled by then.
    const second = newHiddenId();
    answers.set(second, answering(200, { pn: '5511988810005@c.us' }));
    await writes(at, `${second}@lid`);
    await until(
      () => leadsOf(at),
      (rows) => rows.some(({ chat }) => chat === '5511988810005'),
    );
    expect(await leadsOf(at)).toHaveLength(1);
  });

  test('nobody is asked for a number that came along, nor for a known lead, nor at other gateways', async () => {
    const at = await createPlace();
    const hiddenId = newHiddenId();
    await writes(at, '5511988810006@c.us');
    expect(await waitingOf(at)).toEqual([]);
    await writes(at, `${hiddenId}@lid`);
    await until(
      () => asked(hiddenId).length,
      (count) => count === 1,
    );
    await app.sql('DELETE FROM hidden_numbers WHERE tenant_id = $1', [at.tenant.id]);
    await writes(at, `${hiddenId}@lid`);
    expect(await waitingOf(at)).toEqual([]);
    const other = await createPlace('evolution');
    await writes(other, `${newHiddenId()}@lid`);
    expect(await waitingOf(other)).toEqual([]);
    expect(await leadsOf(other)).toMatchObject([{ chat: null }]);
  });
}
