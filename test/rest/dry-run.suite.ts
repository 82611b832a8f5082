// `dryRun=true` on the endpoints for leads: the answer of a real call, and nothing kept.

import { randomInt } from 'node:crypto';
import { sharedApp } from '../support/shared-app.js';
import { changingNothing, checksumsOf } from '../support/table-checksums.js';
import { TestApp, withKey, withToken, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';

interface LeadAnswer {
  id: string | null;
  name: string;
  chat: string;
  source: string;
  metadata: object | null;
  created: boolean;
}

export function describeDryRun(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api' });
  });
  beforeEach(async () => {
    tenant = await app.createTenant({ defaultCountry: 'BR' });
  });

  const someNumber = () => `55419${randomInt(10_000_000, 100_000_000)}`;

  describe.each(['/public/leads', '/webhooks/leads'])('POST %s', (path) => {
    const post = (query: string, body: unknown) => app.post(`${path}${query}`, body, withKey(tenant));
    const dryRun = (body: unknown) => changingNothing(app, () => post('?dryRun=true', body));
    const answerOf = async (response: Response) => (await response.json()) as LeadAnswer;

    test('a new lead is shown as it would be, without an id', async () => {
      const body = { chat: '(41) 99911-2233', name: ' Ana ', campaign: 'spring' };
      const response = await dryRun(body);
      expect(response.status).toBe(200);
      const shown = await answerOf(response);
      expect(shown).toMatchObject({ id: null, created: true, name: 'Ana', chat: '5541999112233' });
      expect(shown).toMatchObject({ reading: { rule: 'NATIONAL', country: 'BR' } });
      // The same body is as new as before, because the dry run kept nothing.
      expect(await answerOf(await dryRun(body))).toMatchObject({ id: null, created: true });
      const kept = await post('', body);
      expect(kept.status).toBe(201);
      const { id, createdAt, updatedAt, ...lead } = (await kept.json()) as LeadAnswer & Record<string, unknown>;
      expect(id).not.toBeNull();
      expect([createdAt, updatedAt]).toEqual([expect.any(String), expect.any(String)]);
      expect(shown).toMatchObject(lead);
    });

    test('a lead that is there comes back with its id, as it is', async () => {
      const chat = someNumber();
      const { id, ...lead } = await answerOf(await post('', { chat, name: 'Ana', source: 'fair' }));
      const response = await dryRun({ chat: `+${chat}`, name: 'Someone else', source: 'ads', page: 2 });
      expect(response.status).toBe(200);
      expect(await answerOf(response)).toEqual({ ...lead, id, created: false, reading: expect.anything() });
    });

    test('the checksums would show a call that is kept', async () => {
      const before = await checksumsOf(app);
      await post('?dryRun=false', { chat: someNumber() });
      const after = await checksumsOf(app);
      const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
      expect(changed).toEqual(
        expect.arrayContaining([
          'public.events',
          'public.lead_identities',
          'public.lead_touches',
          'public.leads',
          'public.webhook_deliveries',
        ]),
      );
    });

    test.each([
      ['a wrong field', { chat: '12', name: [5] }, 'VALIDATION_FAILED', ['chat', 'name']],
      ['a body that is no JSON', '{"chat":', 'BAD_REQUEST', undefined],
    ] as const)('%s is refused as without it, and not journalled', async (_, body, code, paths) => {
      const refused = await dryRun(body);
      const dry = await expectProblem(refused, code, paths === undefined ? undefined : [...paths]);
      const real = await expectProblem(await post('', body), code);
      expect({ ...dry, requestId: '' }).toEqual({ ...real, requestId: '' });
    });

    test.each([
      ['?dryRun=yes', 'dryRun'],
      ['?dryRun=', 'dryRun'],
      ['?dryRun=true&dryRun=false', 'dryRun'],
      ['?dryrun=true', 'dryrun'],
      ['?dry_run=true', 'dry_run'],
      ['?dryRun=true&dry-run=false', 'dryRun'],
    ])('%s is no lead by mistake', async (query, field) => {
      const response = await changingNothing(app, () => post(query, { chat: someNumber() }));
      await expectProblem(response, 'VALIDATION_FAILED', [field]);
    });

    test('needs the key', async () => {
      const answer = await changingNothing(app, () => app.post(`${path}?dryRun=true`, { chat: someNumber() }));
      await expectProblem(answer, 'UNAUTHENTICATED');
      const signedIn = await app.post(`${path}?dryRun=true`, { chat: someNumber() }, withToken(tenant.admin));
      await expectProblem(signedIn, 'UNAUTHENTICATED');
    });

    test('another tenant’s lead is none', async () => {
      const other = await app.createTenant();
      const chat = someNumber();
      await app.post(path, { chat, name: 'Theirs' }, withKey(other));
      expect(await answerOf(await dryRun({ chat }))).toMatchObject({ id: null, created: true, name: chat });
    });

    test('many at once leave no lock behind, and a real call between them is kept', async () => {
      const chat = someNumber();
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => post(index % 10 === 5 ? '' : '?dryRun=true', { chat, index })),
      );
      const leads = await Promise.all(answers.map(answerOf));
      const ids = new Set(leads.flatMap(({ id }) => id ?? []));
      expect(ids.size).toBe(1);
      expect(leads.filter(({ created, id }) => created && id !== null)).toHaveLength(1);
      const touches = await app.sql('SELECT id FROM lead_touches WHERE tenant_id = $1', [tenant.id]);
      expect(touches).toHaveLength(3);
    });
  });

  describe('limits', () => {
    let limited: TestApp;

    beforeAll(async () => {
      limited = await TestApp.start({ PROCESS_ROLE: 'api', THROTTLE_LIMIT: '3' });
    });
    afterAll(() => limited.stop());

    test('count a dry run as a lead, also one that is not clear; what is refused is not journalled', async () => {
      const owner = await limited.createTenant();
      const post = (query: string) => limited.post(`/public/leads${query}`, { chat: someNumber() }, withKey(owner));
      await changingNothing(limited, async () => {
        expect([(await post('?dryRun=true')).status, (await post('?dryRun=maybe')).status]).toEqual([200, 422]);
        expect((await post('?dryRun=true')).headers.get('ratelimit')).toMatch(/r=0/);
        const refused = await post('?dryRun=true');
        expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
        await expectProblem(refused, 'RATE_LIMITED');
      });
      expect((await post('')).status).toBe(429);
    });
  });

  test.each(['inbound', 'status', 'messages-upsert'])(
    'the path %s of a gateway has none: a call that asks for one is refused, not kept',
    async (event) => {
      const path = `/webhooks/chat/gateway/${event}`;
      const body = { messageId: 'tried', from: someNumber(), text: 'Oi', status: 'READ' };
      const post = (query: string, headers = withKey(tenant)) => app.post(`${path}${query}`, body, headers);
      for (const query of ['?dryRun=true', '?dryrun=true', '?dry-run=1', '?dryRun='])
        await expectProblem(await changingNothing(app, () => post(query)), 'VALIDATION_FAILED', ['dryRun']);
      await expectProblem(await post('?dryRun=true', {}), 'UNAUTHENTICATED');
      for (const query of ['?dryRun=false', '?source=gateway'])
        expect([query, (await post(query)).status]).toEqual([query, event === 'messages-upsert' ? 422 : 200]);
    },
  );

  test('an import’s dry run keeps its own report, and nothing else', async () => {
    const before = await checksumsOf(app);
    const headers = { ...withToken(tenant.operator), 'content-type': 'text/csv' };
    const answer = await app.post('/leads/import?dryRun=true', `chat,name\n${someNumber()},Ana\n`, headers);
    expect([answer.status, await answer.json()]).toMatchObject([200, { isDryRun: true, createdRows: 1 }]);
    const after = await checksumsOf(app);
    expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual(['public.lead_imports']);
  });
}
