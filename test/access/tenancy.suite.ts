// Tenants do not leak: users and keys of one tenant call every operation, subscription and REST route with the ids of another. Nothing is
// found, nothing changed and nothing heard.

import { setAssistants } from '../features/assistants/assistant-harness.js';
import { sharedApp } from '../support/shared-app.js';
import { checksumsOf, expectUnchanged, type NamedCall } from '../support/table-checksums.js';
import { withKey, withToken, type TestApp, type TestTenant, type TestUser } from '../support/test-app.js';
import { createRecords, operationCases, routeCases, subscriptionCases, type Records } from './operation-cases.js';
import { listen } from './socket-answers.js';
import { digestTenant } from './tenant-rows.js';

export function describeTenancy(): void {
  // roles.suite.ts shows that each operation and route has a case.

  let app: TestApp;
  let tenant: TestTenant;
  let victim: TestTenant;
  let records: Records;

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api' });
    tenant = await app.createTenant();
    victim = await app.createTenant();
    for (const one of [tenant, victim]) await setAssistants(app, one, 'SEND');
    records = await createRecords(app, victim);
  });

  const roles = ['ADMIN', 'OPERATOR'] as const;
  const userOf = (role: (typeof roles)[number]): TestUser => (role === 'ADMIN' ? tenant.admin : tenant.operator);

  /** Every id and secret of the victim, except those that the caller has sent. */
  async function secretsOf(sent: string): Promise<string[]> {
    const rows = await app.sql<{ value: string }>(
      `SELECT id::text AS value FROM users WHERE tenant_id = $1 UNION SELECT email FROM users WHERE tenant_id = $1
     UNION SELECT idp_sub FROM users WHERE tenant_id = $1 UNION SELECT id::text FROM accounts WHERE tenant_id = $1
     UNION SELECT id::text FROM leads WHERE tenant_id = $1 UNION SELECT chat FROM leads WHERE tenant_id = $1
     UNION SELECT id::text FROM messages WHERE tenant_id = $1 UNION SELECT id::text FROM chat_instances WHERE tenant_id = $1
     UNION SELECT instance_name FROM chat_instances WHERE tenant_id = $1 UNION SELECT id::text FROM audit_entries WHERE tenant_id = $1
     UNION SELECT id::text FROM templates WHERE tenant_id = $1 UNION SELECT name FROM templates WHERE tenant_id = $1
     UNION SELECT id::text FROM bulk_sends WHERE tenant_id = $1
     UNION SELECT id::text FROM bulk_actions WHERE tenant_id = $1
     UNION SELECT id::text FROM channel_templates WHERE tenant_id = $1
     UNION SELECT id::text FROM lead_notes WHERE tenant_id = $1 UNION SELECT body FROM lead_notes WHERE tenant_id = $1
     UNION SELECT id::text FROM lead_imports WHERE tenant_id = $1 UNION SELECT file_name FROM lead_imports WHERE tenant_id = $1
     UNION SELECT id::text FROM dashboards WHERE tenant_id = $1
     UNION SELECT id::text FROM webhook_endpoints WHERE tenant_id = $1 UNION SELECT url FROM webhook_endpoints WHERE tenant_id = $1
     UNION SELECT id::text FROM endpoint_deliveries WHERE tenant_id = $1
     UNION SELECT id::text FROM lead_sources WHERE tenant_id = $1 UNION SELECT name FROM lead_sources WHERE tenant_id = $1
     UNION SELECT slug FROM tenants WHERE id = $1 UNION SELECT $1::text`,
      [victim.id],
    );
    return [victim.apiKey, ...rows.map(({ value }) => value)].filter((value) => !sent.includes(value));
  }

  let unsent: Promise<string[]> | undefined;
  /** Reads the victim's secrets once, because its rows stay as they are in these cases. */
  const lastingSecrets = async (sent: string) =>
    (await (unsent ??= secretsOf(''))).filter((value) => !sent.includes(value));

  function expectNothingLeaked(answer: string, secrets: readonly string[]): void {
    expect(secrets.length).toBeGreaterThan(8);
    for (const secret of secrets) expect(answer).not.toContain(secret);
  }

  const operations = Object.keys(operationCases).flatMap((name) => roles.map((role) => [name, role] as const));
  const isForbidden = ([name, role]: (typeof operations)[number]) => {
    const { rule } = operationCases[name]!;
    return rule === 'platform' || (rule === 'admin' && role === 'OPERATOR');
  };
  const isRefused = (one: (typeof operations)[number]) =>
    isForbidden(one) || operationCases[one[0]]!.foreign === 'NOT_FOUND';
  const refused = operations.filter(isRefused);
  const bodyOf = (name: string) => {
    const { document, variables } = operationCases[name]!;
    return { query: document, variables: variables(records) };
  };
  const callOperation = (body: unknown, role: (typeof roles)[number]): Promise<Response> =>
    app.post('/graphql', body, withToken(userOf(role)));
  const namedOperation = ([name, role]: (typeof operations)[number]): NamedCall => ({
    name: `${name} as ${role}`,
    call: () => callOperation(bodyOf(name), role),
  });

  let before: Record<string, string>;
  let rowsBefore: Record<string, string | null>;
  beforeAll(async () => {
    before = await checksumsOf(app);
    rowsBefore = await digestTenant(app, victim.id);
  });

  async function expectNothingOfTheirs(name: string, role: (typeof roles)[number]): Promise<void> {
    const { foreign } = operationCases[name]!;
    const body = bodyOf(name);
    const text = await (await callOperation(body, role)).text();
    expectNothingLeaked(text, await lastingSecrets(JSON.stringify(body)));
    const { data, errors } = JSON.parse(text) as {
      data?: Record<string, unknown> | null;
      errors?: { extensions: { code: string } }[];
    };
    const forbidden = isForbidden([name, role]);
    if (forbidden) expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    else if (foreign === 'NOT_FOUND') expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    else expect(errors).toBeUndefined();
    const [value] = Object.values(data ?? {});
    if (!forbidden && foreign === 'null') expect(value).toBeNull();
    if (!forbidden && foreign === 'empty') expect(value).toEqual(Array.isArray(value) ? [] : { edges: [] });
  }

  test.each(refused)('%s as %s of another tenant', expectNothingOfTheirs);
  test('none that is refused changes a row of any table', async () => {
    await expectUnchanged(() => checksumsOf(app), before, refused.map(namedOperation));
  });
  test.each(operations.filter((one) => !isRefused(one)))('%s as %s of another tenant', expectNothingOfTheirs);

  const routes = Object.entries(routeCases).filter(([, { rule }]) => rule !== 'open');
  const callRoute = (name: string, body: unknown): Promise<Response> => {
    const { path, contentType, rule } = routeCases[name]!;
    const headers = rule === 'key' ? withKey(tenant) : withToken(tenant.admin);
    if (name.startsWith('GET')) return app.get(path(records), headers);
    return app.post(path(records), body ?? {}, { ...headers, ...(contentType && { 'content-type': contentType }) });
  };

  test.each(routes)('%s with credentials of another tenant', async (name, { path, body, foreign }) => {
    const sent = { path: path(records), body: body?.(records) };
    const answer = await callRoute(name, sent.body);
    const text = await answer.text();
    expectNothingLeaked(text, await lastingSecrets(JSON.stringify(sent)));
    if (foreign === 'own') expect(answer.ok).toBe(true);
    else
      expect({ status: answer.status, code: (JSON.parse(text) as { code?: string }).code }).toEqual({
        code: undefined,
        ...foreign,
      });
  });

  test('none of these operations and routes changes a row of the other tenant', async () => {
    const calls = routes.map(([name, { body }]) => ({ name, call: () => callRoute(name, body?.(records)) }));
    await expectUnchanged(() => digestTenant(app, victim.id), rowsBefore, [
      ...operations.map(namedOperation),
      ...calls,
    ]);
  });

  // The subscriptions come after the cases that compare the victim's rows: their triggers change rows for another second.
  const subscriptions = Object.keys(subscriptionCases).flatMap((name) => roles.map((role) => [name, role] as const));
  test.each(subscriptions)('%s as %s of another tenant: by id not found, without an id silent', async (name, role) => {
    const { document, variables, open, trigger } = subscriptionCases[name]!;
    const authorization = withToken(userOf(role))['authorization'];
    const named = await listen(app, authorization, document, variables(records), tenant);
    if (Object.keys(variables(records)).length > 0)
      expect(await named.ended).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
    await named.close();

    const ear = await listen(app, authorization, document, open, tenant);
    const witness = await listen(app, withToken(victim.operator)['authorization'], document, open, victim);
    await trigger(app, records);
    await witness.next();
    // The tenant's own event comes after the victim's, and has to be the first one that the subscription hears.
    const own = await createRecords(app, tenant);
    await trigger(app, own);
    await ear.next();
    expectNothingLeaked(JSON.stringify(ear.heard), await secretsOf(''));
    await Promise.all([ear.close(), witness.close()]);
  });
}
