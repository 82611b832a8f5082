// The GraphQL endpoint itself, over HTTP and over sockets alike: refusals before anything is executed, and the limit that they name. Also
// persisted queries, foreign pages, the time limit, and the page for browsers.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { buildSchema, getIntrospectionQuery, parse } from 'graphql';
import { createClient } from 'graphql-ws';
import pg from 'pg';
import WebSocket from 'ws';
import { DocumentStore } from '../../src/transport/graphql/document-store.js';
import { until } from '../features/messages/sending-harness.js';
import { sharedApp } from '../support/shared-app.js';
import { TestApp, withKey, withToken, type TestTenant } from '../support/test-app.js';

export function describeEndpoint(): void {
  let app: TestApp;
  let closed: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp({ NODE_ENV: 'development' });
    closed = await TestApp.start({ GRAPHQL_INTROSPECTION: 'false', GRAPHQL_TIMEOUT_MS: '2000' }, app.database);
    tenant = await app.createTenant();
  });
  afterAll(async () => {
    await closed.stop({ keepDatabase: true });
  });

  interface Answer {
    data?: any;
    errors?: {
      message: string;
      extensions: { code: string; limit?: object; requestId?: string; errors?: { path: string; message: string }[] };
    }[];
  }

  interface Request {
    query?: string;
    variables?: Record<string, unknown>;
    operationName?: string;
  }

  async function overHttp(request: Request, at = app, user = tenant.admin): Promise<Answer> {
    return (await at.post('/graphql', request, withToken(user))).json() as Promise<Answer>;
  }

  async function overSocket({ query = '', ...rest }: Request, at = app, user = tenant.admin): Promise<Answer> {
    const connectionParams = { authorization: `Bearer ${user.token}` };
    const client = createClient({ url: at.socketUrl, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
    try {
      return await new Promise<Answer>((resolve, reject) => {
        const error = (errors: unknown) => (Array.isArray(errors) ? resolve({ errors }) : reject(errors));
        client.subscribe(
          { query, ...rest },
          { next: (answer) => resolve(answer as Answer), error, complete: () => {} },
        );
      });
    } finally {
      await client.dispose();
    }
  }

  const repeat = (count: number, text: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => text(index)).join(' ');

  const nested = (levels: number) =>
    `{ leads { edges { node { ${'lastMessage { lead { '.repeat(levels)}id${' } }'.repeat(levels)} } } } }`;

  /** Each fragment spreads the next one twice. */
  const doubling = (depth: number) =>
    `{ leads { edges { node { ...F0 } } } } ${repeat(depth, (level) => {
      const next = level === depth - 1 ? 'id' : `...F${level + 1}`;
      return `fragment F${level} on Lead { ${next} ${next} }`;
    })}`;

  const refused: [name: string, query: string, found: number, allowed: number, code?: string][] = [
    ['tokens', `{ ${repeat(1_000, () => 'me { id }')} }`, 2_001, 2_000, 'BAD_REQUEST'],
    ['operations', repeat(11, (index) => `query Q${index} { me { id } }`), 11, 10],
    ['fragments', `{ me { id } } ${repeat(101, (index) => `fragment F${index} on Viewer { id }`)}`, 101, 100],
    ['depth', nested(7), 18, 16],
    ['selections', `{ ${repeat(300, () => 'me { id role email }')} }`, 1_200, 1_000],
    ['selections', doubling(60), 1_000_000, 1_000],
    ['aliases', `{ ${repeat(51, (index) => `a${index}: me { id }`)} }`, 51, 50],
    ['directives', `{ me { id ${repeat(51, () => '@skip(if: false)')} } }`, 51, 50],
    ['mutations', `mutation { ${repeat(21, (index) => `m${index}: deleteTemplate(id: "x")`)} }`, 21, 20],
    [
      'mutations',
      `mutation { ...F ...F } fragment F on Mutation { ${repeat(15, () => 'deleteTemplate(id: "x")')} }`,
      30,
      20,
    ],
    ['repetitions', `{ ${repeat(101, () => 'me { id }')} }`, 101, 100],
    [
      'cost',
      '{ leads(first: 200) { edges { node { messages(last: 100) { edges { node { id } } } } } } }',
      40_602,
      20_000,
    ],
  ];

  describe.each(refused)('%s', (name, query, found, allowed, code = 'VALIDATION_FAILED') => {
    test.each([
      ['HTTP', overHttp],
      ['a socket', overSocket],
    ])('over %s', async (_endpoint, ask) => {
      const { data, errors } = await ask({ query });
      expect(data).toBeUndefined();
      expect(errors).toMatchObject([{ extensions: { code, limit: { name, found, allowed } } }]);
    });
  });

  describe('cost', () => {
    const pages =
      'query ($first: Int = 200, $last: Int) { leads(first: $first) { edges { node { messages(last: $last) { edges { node { id } } } } } } }';

    test.each<[string, Record<string, unknown>, number]>([
      ['by default values', { last: 100 }, 40_602],
      ['by variables', { first: 100, last: 200 }, 40_302],
      ['by the default page', { first: 200 }, 20_602],
      ['at most by the largest page', { first: 1_000_000, last: 1_000_000 }, 80_602],
    ])('counts %s', async (_case, variables, found) => {
      for (const ask of [overHttp, overSocket]) {
        const { errors } = await ask({ query: pages, variables });
        expect(errors).toMatchObject([{ extensions: { limit: { name: 'cost', found } } }]);
      }
    });

    test('counts the points of series, which are many', async () => {
      const query =
        '{ dashboards(first: 20) { edges { node { widgets { ... on SeriesWidget { data { points { value } } } } } } } }';
      const { errors } = await overHttp({ query });
      expect(errors).toMatchObject([{ extensions: { limit: { name: 'cost', found: 20_442 } } }]);
    });

    test('pages that are small enough are answered', async () => {
      for (const ask of [overHttp, overSocket]) {
        const { data, errors } = await ask({ query: pages, variables: { first: 20, last: 20 } });
        expect({ data, errors }).toEqual({ data: { leads: { edges: [] } }, errors: undefined });
      }
    });

    test('a page that is too large by itself is named by its argument', async () => {
      const { errors } = await overHttp({ query: '{ leads(first: 201) { edges { cursor } } }' });
      expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', errors: [{ path: 'first' }] } }]);
    });

    test('the introspection of tools passes, and wide introspection does not', async () => {
      expect((await overHttp({ query: getIntrospectionQuery() })).errors).toBeUndefined();
      const leaves = repeat(120, () => 'name description');
      const query = `{ __schema { types { fields { type { fields { args { ${leaves} } } } } } } }`;
      expect((await overHttp({ query })).errors).toMatchObject([{ extensions: { limit: { name: 'cost' } } }]);
    });

    test.each([
      ['whose name is empty', { operationName: '', variables: { first: 200, last: 200 } }],
      ['of another name', { operationName: 'None', variables: { first: 200, last: 200 } }],
    ])('an operation %s is not executed, though it was asked for before', async (_case, unknown) => {
      for (let time = 1; time <= 3; time += 1)
        expect((await overHttp({ query: pages, variables: { first: 1, last: 1 } })).errors).toBeUndefined();
      const { data, errors } = await overHttp({ query: pages, ...unknown });
      expect(data).toBeUndefined();
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
    });

    test('a variable with the name of what every object has counts by its default value', async () => {
      const query = pages.replaceAll('$first', '$constructor');
      for (const constructor of ['many', undefined]) {
        const { data, errors } = await overHttp({ query, variables: { constructor, last: 100 } });
        expect(data).toBeUndefined();
        const shown = constructor === undefined ? { limit: { name: 'cost', found: 40_602 } } : {};
        expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', ...shown } }]);
      }
    });

    test('an operation is counted alone, by its name', async () => {
      const query = `query Small { me { id } } query Large { leads(first: 200) { edges { node { messages(last: 200) { edges { node { id } } } } } } }`;
      expect((await overHttp({ query, operationName: 'Small' })).data).toEqual({ me: { id: tenant.admin.id } });
      expect((await overHttp({ query, operationName: 'Large' })).errors).toMatchObject([
        { extensions: { limit: { name: 'cost' } } },
      ]);
    });
  });

  test('fragments that lead in a circle are refused by name', async () => {
    const query = '{ leads { edges { node { ...A } } } } fragment A on Lead { ...B } fragment B on Lead { id ...A }';
    for (const ask of [overHttp, overSocket])
      expect((await ask({ query })).errors).toMatchObject([
        { message: expect.stringContaining('"A"'), extensions: { code: 'VALIDATION_FAILED' } },
      ]);
  });

  test('a list of operations is refused, and says that one is allowed', async () => {
    const operations = [{ query: '{ me { id } }' }, { query: '{ me { id } }' }];
    const answer = await app.post('/graphql', operations, withToken(tenant.operator));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      errors: [{ extensions: { code: 'BAD_REQUEST', limit: { name: 'batch', found: 2, allowed: 1 } } }],
    });
  });

  test('wrong names, of fields and in variables, suggest no others where introspection is off', async () => {
    const wrong: Request[] = [
      { query: '{ auditLg { edges { cursor } } }' },
      { query: '{ users(filter: { rol: ADMIN }) { edges { cursor } } }' },
      {
        query: 'query ($filter: UserFilter) { users(filter: $filter) { edges { cursor } } }',
        variables: { filter: { rol: 'ADMIN' } },
      },
      {
        query: 'query ($filter: UserFilter) { users(filter: $filter) { edges { cursor } } }',
        variables: { filter: { role: 'ADMN' } },
      },
      { query: '{ __schema { types { name } } }' },
      { query: '{ __type(name: "Tenant") { fields { name } } }' },
    ];
    for (const request of wrong)
      for (const ask of [overHttp, overSocket]) {
        const { errors } = await ask(request, closed);
        expect(errors?.[0]).toMatchObject({ extensions: { code: 'VALIDATION_FAILED' } });
        expect(JSON.stringify(errors)).not.toMatch(/did you mean|auditLog|"role"|"ADMIN"|apiKey/i);
      }
  });

  test('a document is parsed once, and remembered within bounds', () => {
    const store = new DocumentStore({
      schema: buildSchema('type Query { a: Int }'),
      introspection: true,
    });
    const first = store.prepare('{ a }');
    expect(store.prepare('{ a }')).toBe(first);
    expect(store.find(createHash('sha256').update('{ a }').digest('hex'))).toBe(first.document);
    const padding = ' '.repeat(200_000);
    for (let index = 0; index < 200; index += 1) store.prepare(`{ a }${padding}#${index}`);
    expect(store.find(createHash('sha256').update('{ a }').digest('hex'))).toBeUndefined();
    expect(store.prepare('{ b }').refusals).toHaveLength(1);
  });

  test('an operation leaves a place in its share of the connections to others of its tenant', async () => {
    const holder = new pg.Client({ connectionString: app.database.url });
    await holder.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE lead_search_keys IN ACCESS EXCLUSIVE MODE');
      const waiting = () =>
        app.sql(`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'leadwire' AND wait_event_type = 'Lock'`);
      const searches = repeat(20, (index) => `s${index}: leads(filter: {search: "ana"}) { edges { node { id } } }`);
      const searched = overHttp({ query: `{ ${searches} }` });
      // The tenant reads with 2 of the 8 connections.
      await until(waiting, ({ length }) => length >= 1);
      expect(
        (await overHttp({ query: '{ tenant(id: "x") { id } leads { edges { node { id } } } }' })).errors,
      ).toBeUndefined();
      expect(await waiting()).toHaveLength(1);
      await holder.query('ROLLBACK');
      expect((await searched).errors).toBeUndefined();
    } finally {
      await holder.end();
    }
  });

  test('an answer is 8 Mi characters long at most, as it is written out, also where it shows the same again and again', async () => {
    const answer = await app.post('/public/leads', { chat: '4915112345678' }, withKey(tenant));
    const { id: leadId } = (await answer.json()) as { id: string };
    await app.sql(
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body)
     SELECT $1, uuidv7(), $2, $3, 'INBOUND', 'text', repeat('x', 65536) FROM generate_series(1, 50)`,
      [tenant.id, leadId, tenant.instance.id],
    );
    const page = (index: number) => `p${index}: lead(id: "${leadId}") { messages { edges { node { body } } } }`;
    for (const ask of [overHttp, overSocket]) {
      expect((await ask({ query: `{ ${repeat(2, page)} }` })).errors).toBeUndefined();
      const { errors } = await ask({ query: `{ ${repeat(3, page)} }` });
      const limit = { name: 'characters', allowed: 8 * 1024 * 1024 };
      expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', limit } }]);
    }
    // A character that JSON escapes takes six characters.
    await app.sql("UPDATE messages SET body = repeat(E'\\x01', 65536) WHERE lead_id = $1", [leadId]);
    for (const ask of [overHttp, overSocket]) {
      const { errors } = await ask({ query: `{ ${page(0)} }` });
      expect(errors).toMatchObject([{ extensions: { limit: { name: 'characters' } } }]);
    }
  });

  describe('persisted queries', () => {
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
    const extensionsOf = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });
    const post = async (body: object) => {
      const answer = await app.post('/graphql', body, withToken(tenant.operator));
      return (await answer.json()) as Answer;
    };
    const get = (text: string, headers: Record<string, string> = {}) =>
      app.get(`/graphql?extensions=${encodeURIComponent(JSON.stringify(extensionsOf(hashOf(text))))}`, headers);

    test('an unknown hash is asked for, registered with its text, and then enough, by GET too', async () => {
      const query = '{ me { id role } }';
      const unknown = await post({ extensions: extensionsOf(hashOf(query)) });
      expect(unknown.errors).toMatchObject([
        { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } },
      ]);
      const me = { id: tenant.operator.id, role: 'OPERATOR' };
      expect(await post({ query, extensions: extensionsOf(hashOf(query)) })).toEqual({ data: { me } });
      expect(await post({ extensions: extensionsOf(hashOf(query)) })).toEqual({ data: { me } });
      expect(await (await get(query, withToken(tenant.operator))).json()).toEqual({ data: { me } });
    });

    test('a text under another hash is refused and not remembered', async () => {
      const wanted = hashOf('{ me { email } }');
      const { errors } = await post({ query: '{ me { id } }', extensions: extensionsOf(wanted) });
      expect(errors).toMatchObject([
        { message: 'provided sha does not match query', extensions: { code: 'BAD_REQUEST' } },
      ]);
      const { errors: still } = await post({ extensions: extensionsOf(wanted) });
      expect(still).toMatchObject([{ message: 'PersistedQueryNotFound' }]);
    });

    test('what is refused is not remembered', async () => {
      const query = '{ nothing }';
      expect((await post({ query, extensions: extensionsOf(hashOf(query)) })).errors).toMatchObject([
        { extensions: { code: 'VALIDATION_FAILED' } },
      ]);
      expect((await post({ extensions: extensionsOf(hashOf(query)) })).errors).toMatchObject([
        { message: 'PersistedQueryNotFound' },
      ]);
    });

    test("the built console's operations are known by their hash from the start, and each is within the limits", async () => {
      const manifest = JSON.parse(await readFile('dist/console/operations.json', 'utf8')) as Record<string, string>;
      const texts = Object.values(manifest);
      expect(texts.length).toBeGreaterThan(100);
      expect(Object.keys(manifest)).toEqual(texts.map(hashOf));
      const me = texts.find((text) => text.trim().startsWith('query Me {')) ?? '';
      expect(await post({ extensions: extensionsOf(hashOf(me)) })).toMatchObject({
        data: { me: { role: 'OPERATOR' } },
      });
      const schema = buildSchema(await readFile('schema.graphql', 'utf8'));
      const documents = new DocumentStore({ schema, introspection: false });
      documents.trust(texts);
      expect(documents.readTrusted()).toBe(0);
      documents.trust(['{ nothing }']);
      expect(documents.readTrusted()).toBe(1);
    });

    test('a mutation by GET is refused, by hash too', async () => {
      const query = 'mutation { markLeadRead: deleteTemplate(id: "x") }';
      await post({ query, extensions: extensionsOf(hashOf(query)) });
      expect((await get(query, withToken(tenant.operator))).status).toBe(405);
    });
  });

  describe('without a Bearer token', () => {
    const url = `/graphql?query=${encodeURIComponent('{ me { id } }')}`;

    test.each([
      ['a page of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
      ['a page, with its origin', { origin: 'https://evil.example' }],
      ['a page that was let in by a preflight', { origin: 'https://app.example', 'apollo-require-preflight': '1' }],
      ['a wrong token', { authorization: 'Bearer x' }],
      ['no browser', {}],
    ])('%s gets 401 and nothing is read', async (_case, headers) => {
      const answer = await app.get(url, headers);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    });

    test.each([
      ['a document that is wrong', { query: '{' }],
      ['introspection', { query: getIntrospectionQuery() }],
      ['the probe with another field', { query: '{ __typename me { id } }' }],
      ['the probe as a persisted query', { query: '{ __typename }', extensions: { persistedQuery: { version: 1 } } }],
      ['no JSON', 'rubbish'],
    ])('%s: 401', async (_case, body) => {
      const answer = await app.post('/graphql', body);
      expect(answer.status).toBe(401);
      expect((await answer.text()).length).toBeLessThan(1_000);
    });

    test('{ __typename } is answered, for monitors', async () => {
      const byPost = await app.post('/graphql', { query: 'query { __typename }' });
      const byGet = await app.get(`/graphql?query=${encodeURIComponent('{__typename}')}`);
      for (const answer of [byPost, byGet]) {
        expect(answer.status).toBe(200);
        expect(await answer.json()).toEqual({ data: { __typename: 'Query' } });
      }
    });
  });

  describe('a GET with a Bearer token', () => {
    const url = `/graphql?query=${encodeURIComponent('{ me { id } }')}`;

    test.each([
      ['of a page that was let in by a preflight', { origin: 'https://app.example' }],
      ['of our own page', { 'sec-fetch-site': 'same-origin' }],
      ['of no browser', {}],
    ])('%s is answered', async (_case, headers) => {
      expect((await app.get(url, { ...headers, ...withToken(tenant.operator) })).status).toBe(200);
    });

    test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
      'as a form of %s is refused',
      async (type) => {
        const headers = { 'content-type': type, ...withToken(tenant.operator) };
        expect((await app.get(url, headers)).status).toBe(415);
      },
    );
  });

  describe('a query that is asked again and again', () => {
    const query = 'query Me { me { id email role } again: me { id } } query Other { __typename }';
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    const persisted = { persistedQuery: { version: 1, sha256Hash: hash(query) } };
    // The headers that differ from answer to answer.
    const own = ['x-request-id', 'date', 'ratelimit'];

    test.each<[string, object, accept?: string]>([
      ['an operation of several', { operationName: 'Me' }],
      ['the other one', { operationName: 'Other' }, 'application/json'],
      ['by the newer media type', { operationName: 'Me' }, 'application/graphql-response+json'],
      ['by several', { operationName: 'Me' }, 'application/graphql-response+json, application/json;q=0.9'],
      ['by a media type that there is not', { operationName: 'Me' }, 'text/html'],
      ['no operation of that name', { operationName: 'None' }],
      ['no name', {}],
      ['a name that is none', { operationName: 7 }],
      ['variables', { operationName: 'Me', variables: { id: 1 } }],
      ['variables as a text', { operationName: 'Me', variables: '{}' }],
      ['variables as a list', { operationName: 'Me', variables: [] }],
      ['what its client is', { operationName: 'Me', extensions: { clientLibrary: { name: 'x' } } }],
      ['its hash beside it', { operationName: 'Me', extensions: persisted }],
      ['its hash alone', { operationName: 'Me', extensions: persisted, query: undefined }],
      ['a hash of another version', { extensions: { persistedQuery: { version: 2, sha256Hash: hash(query) } } }],
      ['a wrong hash', { extensions: { persistedQuery: { version: 1, sha256Hash: hash('') } } }],
    ])('is answered alike each time: %s', async (_case, rest, accept = '*/*') => {
      const answers: object[] = [];
      for (let time = 1; time <= 4; time += 1) {
        const answer = await app.post('/graphql', { query, ...rest }, { ...withToken(tenant.admin), accept });
        const headers = [...answer.headers].filter(([name]) => !own.includes(name));
        answers.push({ status: answer.status, headers, text: await answer.text() });
      }
      const [byApollo] = answers;
      expect(byApollo).toMatchObject({ headers: expect.arrayContaining([['content-length', expect.any(String)]]) });
      expect(answers).toEqual(answers.map(() => byApollo));
    });

    test('a text that is none is refused each time, though its hash is known', async () => {
      const ask = async (body: object) => (await app.post('/graphql', body, withToken(tenant.admin))).status;
      const known = { operationName: 'Me', extensions: persisted };
      for (let time = 1; time <= 3; time += 1) expect(await ask({ ...known, query })).toBe(200);
      expect([await ask(known), await ask({ ...known, query: 7 })]).toEqual([200, 400]);
    });
  });

  describe('errors of an answer', () => {
    const query = 'mutation ($input: CreateLeadInput!) { createLead(input: $input) { created } }';
    const wrong = {
      chat: '5511988887777',
      ...Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`key${i}`, i])),
    };

    test.each([
      ['HTTP', overHttp],
      ['a socket', overSocket],
    ])('of variables quote little of them, over %s', async (_endpoint, ask) => {
      const { errors = [] } = await ask({ query, variables: { input: wrong } });
      expect(errors).toMatchObject([
        { message: expect.stringContaining('"key0" is not defined'), extensions: { code: 'VALIDATION_FAILED' } },
        { message: expect.stringContaining('Correct this one first'), extensions: { code: 'VALIDATION_FAILED' } },
      ]);
      for (const { message } of errors) expect(message.length).toBeLessThanOrEqual(500);
    });

    test.each([
      ['HTTP', overHttp],
      ['a socket', overSocket],
    ])('are 20 at most, and one says how many more there are, over %s', async (_endpoint, ask) => {
      const aliases = repeat(40, (index) => `a${index}: idpSub`);
      const ofUser = `{ user(id: "${tenant.operator.id}") { ${aliases} } }`;
      const { errors = [] } = await ask({ query: ofUser }, app, tenant.operator);
      expect(errors).toHaveLength(21);
      expect(errors.at(-1)).toMatchObject({
        message: '20 more errors are not listed',
        extensions: { code: 'FORBIDDEN' },
      });
    });

    test('name 100 wrong fields at most, each cut, and how many more there are', async () => {
      const long = 'x'.repeat(1_000);
      const customFields = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${long}${index}`, []]));
      const variables = { input: { chat: '5511988887777', customFields } };
      const { errors } = await overHttp({ query, variables });
      const fields = errors?.[0]?.extensions.errors ?? [];
      expect(fields).toHaveLength(101);
      expect(fields.at(-1)?.message).toMatch(/more fields are wrong/);
      expect(JSON.stringify(errors).length).toBeLessThan(64 * 1024);
      expect(errors?.[0]?.message.length).toBeLessThanOrEqual(1_000);
    });
  });

  describe('an operation that takes longer than GRAPHQL_TIMEOUT_MS', () => {
    const late = { data: undefined, code: 'UNAVAILABLE', limit: { name: 'timeMs', found: 2_000, allowed: 2_000 } };
    const outcome = ({ data, errors }: Answer) => ({
      data: data ?? undefined,
      code: errors?.[0]?.extensions.code,
      limit: errors?.[0]?.extensions.limit,
    });
    let blocker: pg.Client;

    beforeAll(async () => {
      blocker = new pg.Client({ connectionString: app.database.url });
      await blocker.connect();
      await blocker.query('BEGIN');
      await blocker.query('LOCK TABLE templates IN ACCESS EXCLUSIVE MODE');
    });

    // Ends the transaction, which lets go of the statements that wait for it.
    afterAll(() => blocker.end());

    const query = '{ templates { edges { node { id } } } }';

    test('is answered over HTTP with 503, and over a socket', async () => {
      const answer = await closed.post('/graphql', { query }, withToken(tenant.operator));
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      expect(outcome((await answer.json()) as Answer)).toEqual(late);
      expect(outcome(await overSocket({ query }, closed))).toEqual(late);
    });

    test('others are answered meanwhile', async () => {
      expect((await overHttp({ query: '{ me { id } }' }, closed)).data).toEqual({ me: { id: tenant.admin.id } });
    });
  });

  describe('the page for browsers', () => {
    const asBrowser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
    const read = async () => (await app.get('/graphql', asBrowser)).text();

    test('lists every operation, and takes nothing from elsewhere', async () => {
      const answer = await app.get('/graphql', asBrowser);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'nonce-[^']+'; /);
      const page = await answer.text();
      for (const name of ['inbox', 'sendMessage', 'messageReceived']) expect(page).toContain(`>${name}</button>`);
      expect(page).not.toMatch(/(?:src|href)=|https:\/\//);
    });

    test('every example is a valid operation', async () => {
      const examples = [...(await read()).matchAll(/data-example="([^"]*)"/g)].map(([, text = '']) =>
        text.replaceAll('&quot;', '"'),
      );
      expect(examples.length).toBeGreaterThan(40);
      for (const example of examples) {
        expect(() => parse(example)).not.toThrow();
        // Variables are missing, and subscriptions belong to sockets. The document itself has nothing wrong with it.
        const { errors = [] } = await overHttp({ query: example });
        for (const { message } of errors)
          expect(message).not.toMatch(/Cannot query field|must have a selection|Unknown|Syntax/);
      }
    });

    test('its script signs in and runs operations', async () => {
      const [, script = ''] = /<script nonce="[^"]+">([\s\S]*)<\/script>/.exec(await read()) ?? [];
      const [, operation = ''] = /<textarea id="operation"[^>]*>([\s\S]*?)<\/textarea>/.exec(await read()) ?? [];
      const elements = new Map<string, any>();
      const getElementById = (id: string) => {
        const element = elements.get(id) ?? {
          value: '',
          textContent: '',
          addEventListener: (_: string, run: () => unknown) => (element.click = run),
        };
        elements.set(id, element);
        return element;
      };
      const document = { getElementById, querySelectorAll: () => [], addEventListener: () => undefined };
      const ownFetch = (path: string, init: RequestInit) => fetch(new URL(path, app.url), init);
      runInNewContext(script, {
        document,
        fetch: ownFetch,
        location: new URL('/graphql', app.url),
        JSON,
        Object,
        String,
      });
      getElementById('subject').value = tenant.operator.idpSub;
      await getElementById('sign-in').click();
      expect(getElementById('answer').textContent).toContain('OPERATOR');
      getElementById('operation').value = operation;
      await getElementById('run').click();
      expect(JSON.parse(getElementById('answer').textContent)).toMatchObject({
        data: { me: { id: tenant.operator.id } },
      });
    });

    test('is for browsers alone, and not where introspection is off', async () => {
      expect((await app.get('/graphql', { accept: 'application/json' })).headers.get('content-type')).toMatch(/json/);
      expect((await closed.get('/graphql', asBrowser)).status).toBe(401);
    });
  });
}
