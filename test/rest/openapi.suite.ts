// GET /openapi.json says what the running routes are and do: each route is in it and no other, and each example is answered as it says.

import { createHmac, randomUUID } from 'node:crypto';
import type { Router } from 'express';
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { UserPrincipal } from '../../src/platform/principal.js';
import { setAssistants } from '../features/assistants/assistant-harness.js';
import { OidcServer } from '../support/oidc-server.js';
import { serviceOperator, TestApp, type TestTenant } from '../support/test-app.js';

interface Media {
  schema: AnySchemaObject;
  example?: unknown;
  examples?: Record<string, { value: unknown; 'x-status': number }>;
}

interface Parameter {
  name: string;
  in: 'path' | 'query';
  schema?: AnySchemaObject;
  example?: string;
  content?: Record<string, Media>;
}

interface Operation {
  method: string;
  path: string;
  operationId: string;
  security: Record<string, []>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { headers: Record<string, unknown>; content: Record<string, Media> }>;
}

interface Document {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
  components: { schemas: Record<string, AnySchemaObject>; securitySchemes: object; headers: object };
}

interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const webhookSecret = 'a webhook secret of tests';
const appSecret = '0123456789abcdef0123456789abcdef';

export function describeOpenapi(): void {
  let provider: OidcServer;
  let app: TestApp;
  let tenant: TestTenant;
  let document: Document;
  /** The signed address of a file, without the host. */
  let filePath: string;
  let metaInstance: { id: string; verifyToken: string };
  /** The ids of lead sources, by the last name of their path. */
  let leadSources: Record<string, string>;
  let importId: string;

  beforeAll(async () => {
    provider = await OidcServer.start();
    app = await TestApp.start({ ...provider.environment, CHAT_WEBHOOK_SECRET: webhookSecret });
    tenant = await app.createTenant();
    await setAssistants(app, tenant, 'SEND');
    metaInstance = await createMetaInstance();
    leadSources = await createLeadSources();
    await app.createUser(tenant.id, { email: 'demo@test.example', role: 'ADMIN', idpSub: 'demo-admin' });
    document = (await (await app.get('/openapi.json')).json()) as Document;
    filePath = await uploadFile();
    importId = await importFile();
  });
  afterAll(async () => {
    await app.stop();
    await provider.close();
  });

  async function createMetaInstance() {
    const { chatInstances, metaWebhooks } = app.app.services;
    const input = { accountId: tenant.admin.accountId, instanceName: 'sales', webhookSecret: appSecret };
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    const { id } = await chatInstances.create(serviceOperator, input, place);
    return { id, verifyToken: metaWebhooks.verifyTokenOf(id) };
  }

  async function createLeadSources() {
    const { leadSources: sources } = app.app.services;
    const principal = { kind: 'user', tenantId: tenant.id, userId: tenant.admin.id, role: 'ADMIN' } as UserPrincipal;
    const meta = await sources.create(principal, { kind: 'META', name: 'meta', appSecret, accessToken: 'token' });
    const google = await sources.create(principal, { kind: 'GOOGLE', name: 'google', key: 'a-key-of-your-own' });
    const form = await sources.create(principal, { kind: 'FORM', name: 'form' });
    return { meta: meta.id, google: google.id, form: form.id };
  }

  async function importFile(): Promise<string> {
    const headers = { 'content-type': 'text/csv', authorization: `Bearer ${tenant.admin.token}` };
    const answer = await app.post('/leads/import', 'chat,name\nnothing,Ana\n', headers);
    return ((await answer.json()) as { id: string }).id;
  }

  async function uploadFile(): Promise<string> {
    const headers = { 'content-type': 'application/octet-stream', authorization: `Bearer ${tenant.admin.token}` };
    const answer = await fetch(`${app.url}/media`, { method: 'POST', headers, body: 'some bytes' });
    const { id } = (await answer.json()) as { id: string };
    const { pathname, search } = new URL(app.app.services.mediaAddresses.of(tenant.id, id));
    return `${pathname}${search}`;
  }

  /**
   * The routes that the Express application would serve, as `get /tenants/{id}`. GraphQL is left out, because it has a schema of its own.
   */
  function runningRoutes(): string[] {
    const [express] = app.app['server'].listeners('request') as unknown as [{ router: Router }];
    const routesIn = ({ stack }: Pick<Router, 'stack'>): string[] =>
      stack.flatMap(({ route, handle }) => {
        if (route === undefined) return 'stack' in handle ? routesIn(handle as Router) : [];
        return route.stack.flatMap(({ method }) => [route.path].flat().map((path) => `${method} ${documented(path)}`));
      });
    return [...new Set(routesIn(express.router))].sort();
  }

  const documented = (path: string) => path.replace(/:(\w+)/g, '{$1}');

  function operations(): Operation[] {
    return Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
    );
  }

  // Closes the schemas that the document leaves open for later, so that a field which is answered and not described is found.
  function closed(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(closed);
    if (typeof schema !== 'object' || schema === null) return schema;
    const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
    const isRecord = 'type' in schema && schema.type === 'object' && 'properties' in schema;
    return isRecord ? { additionalProperties: false, ...inner } : inner;
  }

  const formats = {
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
    uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
    uri: URL.canParse,
  };
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
  const validators = new Map<string, ValidateFunction>();

  function problemsOf(schema: unknown, value: unknown): unknown {
    const key = JSON.stringify(schema);
    // References lead into the document's components.
    const validate = validators.get(key) ?? ajv.compile({ ...(schema as object), components: document.components });
    validators.set(key, validate);
    return validate(value) ? [] : validate.errors;
  }

  async function expectAsDocumented(operation: Operation, call: Call): Promise<Response> {
    const { method, path, headers, body = null } = call;
    const response = await fetch(`${app.url}${path}`, { method: method.toUpperCase(), headers, body });
    const text = await response.text();
    const about = `${method} ${path} ${body ?? ''} → ${response.status} ${text}`;
    const answer = operation.responses[response.status];
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const media = answer?.content[type];
    expect({ about, known: media !== undefined }).toEqual({ about, known: true });
    const value: unknown = type.endsWith('json') ? JSON.parse(text) : text;
    const schema = type === 'application/json' ? closed(media?.schema) : media?.schema;
    expect({ about, problems: problemsOf(schema, value) }).toEqual({ about, problems: [] });
    // A refusal may come before anything is counted, so only the request's id is certain.
    const promised = response.ok ? Object.keys(answer?.headers ?? {}) : ['x-request-id'];
    expect({ about, promised: promised.filter((name) => !response.headers.has(name)) }).toEqual({
      about,
      promised: [],
    });
    return response;
  }

  const sign = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

  const hmac = (body: string) => createHmac('sha512', appSecret).update(body).digest('hex');

  function credentialsFor({ security: [needed = {}] }: Operation, body: string): Record<string, string> {
    return {
      ...('tenantKey' in needed ? { 'x-tenant-key': tenant.apiKey } : {}),
      ...('bearer' in needed ? { authorization: `Bearer ${tenant.admin.token}` } : {}),
      ...('signature' in needed ? { 'x-signature': sign(webhookSecret, body), 'X-Webhook-Hmac': hmac(body) } : {}),
      ...('networkSignature' in needed ? { 'X-Hub-Signature-256': sign(appSecret, body) } : {}),
    };
  }

  /** The path with the examples of its parameters. Values that only this database knows stand in for the rest. */
  function pathOf({ path, parameters = [] }: Operation): string {
    if (path === '/media/{id}') return filePath;
    const own: Record<string, string> = {
      id: path.startsWith('/leads/import/') ? importId : tenant.id,
      instanceId: metaInstance.id,
      accountId: tenant.admin.accountId,
      'hub.mode': 'subscribe',
      'hub.verify_token': metaInstance.verifyToken,
    };
    const [, kind = ''] = /^\/webhooks\/leads\/(\w+)\//.exec(path) ?? [];
    const sourceId = leadSources[kind];
    if (sourceId !== undefined) {
      own['sourceId'] = sourceId;
      own['hub.verify_token'] = app.app.services.leadSourceCallers.verifyTokenOf(sourceId);
    }
    const valueOf = ({ name, example, content }: Parameter) => {
      const json = content?.['application/json']?.example;
      return json === undefined ? (example ?? own[name] ?? '') : JSON.stringify(json);
    };
    const [inPath, inQuery] = (['path', 'query'] as const).map((place) =>
      parameters.filter((each) => each.in === place),
    );
    const filled = inPath!.reduce((so, each) => so.replace(`{${each.name}}`, valueOf(each)), path);
    const query = new URLSearchParams(inQuery!.map((each): [string, string] => [each.name, valueOf(each)]));
    return query.size === 0 ? filled : `${filled}?${query.toString()}`;
  }

  interface Example {
    name: string;
    type: string;
    schema: AnySchemaObject;
    value: unknown;
    status: number;
  }

  /** Lists a case for each example of a body, and one case for a route without a body. */
  function examplesOf({ requestBody }: Operation): Example[] {
    if (requestBody === undefined) return [{ name: 'parameters', type: '', schema: {}, value: undefined, status: 200 }];
    return Object.entries(requestBody.content).flatMap(([type, { schema, examples = {} }]) =>
      Object.entries(examples).map(([name, { value, 'x-status': status }]) => ({ name, type, schema, value, status })),
    );
  }

  /** Writes the body as it is sent. Codes and refresh tokens hold once, and only where they were issued, so each call gets new ones. */
  async function writtenOut(value: unknown): Promise<string | undefined> {
    if (value === undefined || typeof value === 'string') return value;
    const { grantType } = value as { grantType?: string };
    if (grantType === undefined) return JSON.stringify(value);
    const code = await provider.authorize(tenant.admin.idpSub);
    if (grantType === 'authorization_code') return JSON.stringify({ ...(value as object), ...code });
    const { refreshToken } = (await (await app.post('/auth/token', code)).json()) as { refreshToken: string };
    return JSON.stringify({ ...(value as object), refreshToken });
  }

  /**
   * Lists wrong calls, each with and without credentials: a wrong body, a wrong type of body, wrong parameters, a record that is not there.
   */
  function wrongCallsTo(operation: Operation): Call[] {
    const { method, requestBody } = operation;
    const right = pathOf(operation);
    const nowhere = pathOf({ ...operation, path: operation.path.replace(/\{\w+\}/, randomUUID()) });
    const paths = [right, nowhere, `${right.split('?')[0]}?filter=x&accountId=x&dryRun=x`];
    const bodies = requestBody === undefined ? [undefined] : ['{}', '{', '[]'];
    return bodies.flatMap((body) =>
      paths.flatMap((path) =>
        [{}, credentialsFor(operation, body ?? '')].flatMap((credentials) =>
          ['application/json', 'text/csv'].map((type) => {
            return { method, path, headers: { 'content-type': type, ...credentials }, body };
          }),
        ),
      ),
    );
  }

  test('every route that runs is in the document, and no other', () => {
    const named = operations().map(({ method, path }) => `${method} ${path}`);
    expect(named.sort()).toEqual(runningRoutes());
  });

  test('the document is for everybody, under the version of the service, and each operation has a name of its own', async () => {
    const response = await app.get('/openapi.json', { origin: 'https://elsewhere.example' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch('application/json');
    expect(document).toMatchObject({
      openapi: '3.1.1',
      info: { version: expect.stringMatching(/^\d+\.\d+\.\d+(?:-dev\.\d+)?$/) },
    });
    const names = operations().map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  test('every reference leads to something', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g);
    const found = [...references].map(([, kind = '', name = '']) => [kind, name]);
    expect(found.length).toBeGreaterThan(0);
    const components = document.components as unknown as Record<string, Record<string, unknown>>;
    for (const [kind = '', name = ''] of found) expect(components[kind]).toHaveProperty([name]);
    for (const { security } of operations())
      for (const scheme of security.flatMap((together) => Object.keys(together)))
        expect(components['securitySchemes']).toHaveProperty([scheme]);
  });

  test('every example is what the document asks for, and is answered as the document says', async () => {
    for (const operation of operations())
      for (const { name, type, schema, value, status } of examplesOf(operation)) {
        const about = `${operation.operationId} ${name}`;
        expect({ about, problems: problemsOf(schema, value) }).toEqual({ about, problems: [] });
        const body = await writtenOut(value);
        const headers = { 'content-type': type, ...credentialsFor(operation, body ?? '') };
        const call = { method: operation.method, path: pathOf(operation), headers, body };
        expect({ about, status: (await expectAsDocumented(operation, call)).status }).toEqual({ about, status });
      }
  });

  test('what is refused is refused as the document says', async () => {
    let refused = 0;
    for (const operation of operations())
      for (const call of wrongCallsTo(operation)) if (!(await expectAsDocumented(operation, call)).ok) refused += 1;
    expect(refused).toBeGreaterThan(operations().length);
  });

  test('in production nothing tells that tokens are issued without a provider elsewhere', async () => {
    const other = await TestApp.start({ NODE_ENV: 'production', PROCESS_ROLE: 'api' }, app.database);
    const text = await (await other.get('/openapi.json')).text();
    await other.stop({ keepDatabase: true });
    expect(text).toContain('"/auth/token"');
    expect(text).not.toContain('/auth/dev');
  });
}
