// The matrix of roles: every operation, every field with a rule and every REST route, as each kind of caller.

import { ScriptedGateway, answering } from '../providers/scripted-gateway.js';
import { setAssistants } from '../features/assistants/assistant-harness.js';
import { platformOf, sharedApp } from '../support/shared-app.js';
import { checksumsOf, expectUnchanged } from '../support/table-checksums.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';
import {
  createRecords,
  operationCases,
  routeCases,
  subscriptionCases,
  type Records,
  type RouteCase,
  type Rule,
} from './operation-cases.js';
import { enumerateRoutes } from './rest-routes.js';
import { adminFields, descriptionOf, operationsOf, reachableTypes } from './schema-fields.js';
import { listen } from './socket-answers.js';

// No worker sends messages or runs jobs, so only the call itself changes a table.
const withoutWorkers = { PROCESS_ROLE: 'api' };

export function describeRoles(): void {
  let app: TestApp;
  let platform: TestTenant;
  let tenant: TestTenant;
  let gateway: ScriptedGateway;
  /** The records of each home tenant, shared by the cases that change nothing. */
  const lasting = new Map<TestTenant, Records>();

  beforeAll(async () => {
    gateway = await ScriptedGateway.start(answering(200, { status: 'CONNECTED', data: [], messages: { records: [] } }));
    app = await sharedApp(withoutWorkers);
    platform = await platformOf(app);
    tenant = await app.createTenant();
    for (const home of [platform, tenant]) {
      await setAssistants(app, home, 'SEND');
      lasting.set(home, await createRecords(app, home, gateway.url));
    }
  });
  afterAll(async () => {
    await gateway.close();
  });

  const callers = ['nobody', 'key', 'OPERATOR', 'ADMIN', 'platform OPERATOR', 'platform ADMIN'] as const;
  type Caller = (typeof callers)[number];

  // Each caller works on its own tenant's records.
  function homeOf(caller: Caller): TestTenant {
    return caller.startsWith('platform') ? platform : tenant;
  }

  function recordsOf(home: TestTenant): Records {
    const records = lasting.get(home);
    if (records === undefined) throw new Error('this tenant has no records');
    return records;
  }

  function headersOf(caller: Caller): Record<string, string> {
    if (caller === 'nobody') return {};
    if (caller === 'key') return withKey(tenant);
    return withToken(caller.endsWith('ADMIN') ? homeOf(caller).admin : homeOf(caller).operator);
  }

  function expectedCode(caller: Caller, rule: Rule): string | undefined {
    if (caller === 'nobody' || caller === 'key') return 'UNAUTHENTICATED';
    if (rule === 'user') return undefined;
    if (!caller.endsWith('ADMIN')) return 'FORBIDDEN';
    return rule === 'platform' && caller !== 'platform ADMIN' ? 'FORBIDDEN' : undefined;
  }

  interface Answer {
    data?: Record<string, unknown> | null;
    errors?: { extensions: { code: string } }[];
  }

  async function ask(caller: Caller, query: string, variables: Record<string, unknown>): Promise<Answer> {
    return (await (await app.post('/graphql', { query, variables }, headersOf(caller))).json()) as Answer;
  }

  describe('REST routes', () => {
    test('each has a case, and no case is left over', () => {
      expect(Object.keys(routeCases).sort()).toEqual(enumerateRoutes(app).sort());
    });

    const statusOf = (caller: Caller, rule: RouteCase['rule']): (number | undefined)[] => {
      if (rule === 'open') return [];
      if (rule === 'key') return caller === 'key' ? [200, 201] : [401];
      if (caller === 'nobody' || caller === 'key') return [401];
      return rule === 'admin' && !caller.endsWith('ADMIN') ? [403] : [200, 201];
    };
    const closed = Object.entries(routeCases).filter(([, { rule }]) => rule !== 'open');
    const cases = closed.flatMap(([name]) => callers.map((caller) => [name, caller] as const));
    const isRefused = ([name, caller]: (typeof cases)[number]) => statusOf(caller, routeCases[name]!.rule)[0]! >= 400;
    const refused = cases.filter(isRefused);

    const call = (name: string, caller: Caller): Promise<Response> => {
      const { path, body, contentType } = routeCases[name]!;
      const records = recordsOf(homeOf(caller));
      const headers = headersOf(caller);
      if (name.startsWith('GET')) return app.get(path(records), headers);
      const typed = { ...headers, ...(contentType && { 'content-type': contentType }) };
      return app.post(path(records), body?.(records) ?? {}, typed);
    };
    const expectStatus = async (name: string, caller: Caller) => {
      expect(statusOf(caller, routeCases[name]!.rule)).toContain((await call(name, caller)).status);
    };

    let before: Record<string, string>;
    beforeAll(async () => {
      before = await checksumsOf(app);
    });
    test.each(refused)('%s as %s', expectStatus);
    test('none that is refused changes a row of any table', async () => {
      const calls = refused.map(([name, caller]) => ({ name: `${name} as ${caller}`, call: () => call(name, caller) }));
      await expectUnchanged(() => checksumsOf(app), before, calls);
    });
    test.each(cases.filter((one) => !isRefused(one)))('%s as %s', expectStatus);
  });

  describe('queries and mutations', () => {
    const operations = [...operationsOf('Query'), ...operationsOf('Mutation')];

    test('each has a case, and no case is left over', () => {
      expect(Object.keys(operationCases).sort()).toEqual(operations.sort());
    });

    const cases = Object.keys(operationCases).flatMap((name) => callers.map((caller) => [name, caller] as const));
    const codeOf = ([name, caller]: (typeof cases)[number]) => expectedCode(caller, operationCases[name]!.rule);
    const refused = cases.filter((one) => codeOf(one) !== undefined);
    const callRefused = (name: string, caller: Caller): Promise<Answer> => {
      const { document, variables } = operationCases[name]!;
      return ask(caller, document, variables(recordsOf(homeOf(caller))));
    };

    let before: Record<string, string>;
    beforeAll(async () => {
      before = await checksumsOf(app);
    });
    test.each(refused)('%s as %s', async (name, caller) => {
      const { errors } = await callRefused(name, caller);
      expect(errors).toMatchObject([{ extensions: { code: codeOf([name, caller]) } }]);
    });
    test('none that is refused changes a row of any table', async () => {
      const calls = refused.map(([name, caller]) => ({
        name: `${name} as ${caller}`,
        call: () => callRefused(name, caller),
      }));
      await expectUnchanged(() => checksumsOf(app), before, calls);
    });

    test.each(cases.filter((one) => codeOf(one) === undefined))('%s as %s', async (name, caller) => {
      const { document, variables, usesUp } = operationCases[name]!;
      const home = homeOf(caller);
      const records = usesUp === true ? await createRecords(app, home, gateway.url) : recordsOf(home);
      const answer = await ask(caller, document, variables(records));
      expect(answer.errors).toBeUndefined();
      expect(Object.values(answer.data ?? {})).toEqual([expect.anything()]);
    });

    test('a call that changes something is named, with its tables', async () => {
      const made = await checksumsOf(app);
      const calls = ['Query.me', 'Mutation.createTemplate', 'Query.leads'].map((name) => ({
        name,
        call: () => callRefused(name, 'ADMIN'),
      }));
      await calls[1]!.call();
      await expect(expectUnchanged(() => checksumsOf(app), made, calls)).rejects.toThrow(
        /^Changed: .*public\.templates.*\. Mutation\.createTemplate changes [^;]*public\.templates[^;]*$/,
      );
    });

    test('what asks for more than a role says so in its description', () => {
      for (const [name, { rule }] of Object.entries(operationCases)) {
        const start = { user: /^(?!ADMIN)/, admin: /^ADMIN: /, platform: /^ADMINs of the platform tenant: / }[rule];
        expect([name, descriptionOf(name)]).toEqual([name, expect.stringMatching(start)]);
      }
    });
  });

  describe('fields with a rule', () => {
    // Each query comes as near to its field as the schema lets an OPERATOR.
    const paths: Record<string, string> = {
      'User.idpSub': '{ users { edges { node { idpSub } } } }',
      'User.isActive': '{ users { edges { node { isActive } } } }',
      'User.createdAt': '{ users { edges { node { createdAt } } } }',
      'User.updatedAt': '{ users { edges { node { updatedAt } } } }',
      'User.account': '{ users { edges { node { account { id } } } } }',
      'User.tenant': '{ users { edges { node { tenant { id } } } } }',
      'Tenant.apiKey': '{ users { edges { node { tenant { apiKey } } } } }',
      'ChatInstance.baseUrl': '{ chatInstances { baseUrl } }',
      'ChatInstance.hasToken': '{ chatInstances { hasToken } }',
      'ChatInstance.webhookVerifyToken': '{ chatInstances { webhookVerifyToken } }',
    };

    test('each has a case, and no case is left over', () => {
      expect(Object.keys(paths).sort()).toEqual([...new Set(adminFields())].sort());
    });

    test.each(Object.entries(paths))('%s', async (field, document) => {
      const refused = await ask('OPERATOR', document, {});
      expect(refused.errors?.map((error) => error.extensions.code)).toEqual(expect.arrayContaining(['FORBIDDEN']));
      const [, name = ''] = field.split('.');
      expect(JSON.stringify(refused.data ?? null)).not.toMatch(new RegExp(`"${name}":(?!null)`));
      expect((await ask('ADMIN', document, {})).errors).toBeUndefined();
      expect(descriptionOf(field)).toMatch(/^ADMIN: /);
    });

    test('types that belong to ADMINs are reached through their fields and operations only', () => {
      const open = Object.entries(operationCases)
        .filter(([, { rule }]) => rule === 'user')
        .map(([name]) => name);
      const reached = reachableTypes([...open, ...Object.keys(subscriptionCases)], adminFields());
      for (const type of [
        'Tenant',
        'TenantConnection',
        'AuditEntry',
        'AuditEntryConnection',
        'WebhookDelivery',
        'WebhookTrial',
        'WebhookEndpoint',
        'EndpointDelivery',
        'LeadSource',
        'LeadSourceTrial',
        'HeldSubmission',
      ])
        expect([type, reached.has(type)]).toEqual([type, false]);
      expect([...reached]).toEqual(expect.arrayContaining(['Lead', 'Message', 'User', 'ChatInstance']));
    });
  });

  describe('subscriptions', () => {
    test('each has a case, and no case is left over', () => {
      expect(Object.keys(subscriptionCases).sort()).toEqual(operationsOf('Subscription').sort());
    });

    const table = Object.keys(subscriptionCases).flatMap((name) => callers.map((caller) => [name, caller] as const));
    test.each(table)('%s as %s', async (name, caller) => {
      const { document, variables, trigger, rule } = subscriptionCases[name]!;
      const records = recordsOf(homeOf(caller));
      const headers = headersOf(caller);
      const ear = await listen(app, headers['authorization'], document, variables(records), homeOf(caller));
      const code = expectedCode(caller, rule);
      if (code === 'UNAUTHENTICATED') expect(await ear.ended).toEqual({ closed: 4401 });
      else if (code !== undefined) expect(await ear.ended).toMatchObject({ errors: [{ extensions: { code } }] });
      else {
        await trigger(app, records);
        expect((await ear.next()).errors).toBeUndefined();
      }
      await ear.close();
    });
  });
}
