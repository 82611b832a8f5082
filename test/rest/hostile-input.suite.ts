// Every POST route against every input that is made to break a server: each is answered with a documented 4xx or with success, never with
// 5xx. A refused call changes nothing.

import { randomUUID } from 'node:crypto';
import { gzipSync, brotliCompressSync, deflateSync } from 'node:zlib';
import { sharedApp } from '../support/shared-app.js';
import { TestApp, withKey, withToken, type TestTenant } from '../support/test-app.js';
import { someNumber } from './lead-endpoint.js';
import { expectProblem, type ProblemCode } from './problem.js';
import { rawRequest, type RawRequest } from './raw-request.js';

export function describeHostileInput(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let leadId: string;

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
    const response = await app.post('/public/leads', { chat: someNumber() }, withKey(tenant));
    leadId = ((await response.json()) as { id: string }).id;
  });

  const json = { 'content-type': 'application/json' };
  const depth = 10_000;
  const deepList = '['.repeat(depth) + ']'.repeat(depth);
  const deepObject = '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
  const tenMegabytes = Buffer.alloc(10 * 1024 * 1024, ' ');
  const invalidUtf8 = Buffer.from([0xc3, 0x28, 0xff]);

  interface Route {
    path: string;
    headers: () => Record<string, string>;
    /** A body that succeeds. */
    valid: () => Record<string, unknown>;
    status: number;
    /** The paths of fields that take text, in dots. */
    texts: string[];
    /** The fields whose text is repaired where nothing can store it, and cut or left out where it is too long. */
    repaired: string[];
    /** The valid content of objects around such fields that no valid body contains. */
    extra?: Record<string, Record<string, unknown>>;
  }

  const lead: Omit<Route, 'path'> = {
    headers: () => withKey(tenant),
    valid: () => ({ chat: someNumber() }),
    status: 201,
    texts: ['chat', 'name', 'source'],
    repaired: ['name', 'source'],
  };

  const routes: Route[] = [
    { ...lead, path: '/public/leads' },
    { ...lead, path: '/webhooks/leads' },
    {
      path: '/webhooks/chat/gateway/inbound',
      headers: () => withKey(tenant),
      valid: () => ({ messageId: randomUUID(), from: '5511988887777', text: 'Oi' }),
      status: 200,
      texts: [
        'instance',
        'messageId',
        'from',
        'name',
        'type',
        'text',
        'replyTo',
        'timestamp',
        'media.url',
        'media.mimeType',
        'media.fileName',
        'media.caption',
      ],
      extra: { media: { url: 'https://files.example/a.png' } },
      repaired: ['name', 'text', 'type', 'replyTo', 'media.fileName', 'media.caption', 'media.mimeType'],
    },
    {
      path: '/webhooks/chat/gateway/status',
      headers: () => withKey(tenant),
      valid: () => ({ messageId: randomUUID(), status: 'SENT' }),
      status: 200,
      texts: ['instance', 'messageId', 'status', 'timestamp', 'error.code', 'error.message'],
      extra: { error: { code: '1' } },
      repaired: ['error.code', 'error.message'],
    },
    {
      path: '/auth/dev/token',
      headers: () => ({}),
      valid: () => ({ idpSub: tenant.operator.idpSub }),
      status: 200,
      texts: ['idpSub'],
      repaired: [],
    },
  ];

  /** A valid body with one field replaced. */
  function bodyWith(route: Route, field: string, value: unknown): Record<string, unknown> {
    const [outer = '', inner] = field.split('.');
    return { ...route.valid(), [outer]: inner === undefined ? value : { ...route.extra?.[outer], [inner]: value } };
  }

  /** A valid body in JSON with another member, written as it stands. */
  function jsonWith(route: Route, member: string): string {
    return `${JSON.stringify(route.valid()).slice(0, -1)},${member}}`;
  }

  async function send(route: Route, request: Omit<RawRequest, 'path'>) {
    return rawRequest(app, {
      path: route.path,
      ...request,
      headers: { ...route.headers(), ...(request.headers ?? json) },
    });
  }

  type TableRow = [string, (route: Route) => Omit<RawRequest, 'path'>, ProblemCode, string[]?];
  type FullRow = [string, (route: Route) => Omit<RawRequest, 'path'>, ProblemCode, string[] | undefined];

  const bodyCases = withPaths([
    ['an empty body', () => ({ body: '' }), 'BAD_REQUEST'],
    ['no body at all', () => ({}), 'BAD_REQUEST'],
    ['blanks', () => ({ body: ' \n' }), 'BAD_REQUEST'],
    ['truncated JSON', (route) => ({ body: JSON.stringify(route.valid()).slice(0, -1) }), 'BAD_REQUEST'],
    ['JSON with a tail', (route) => ({ body: `${JSON.stringify(route.valid())}}` }), 'BAD_REQUEST'],
    [
      'JSON with a comma too many',
      (route) => ({ body: JSON.stringify(route.valid()).replace(/\}$/, ',}') }),
      'BAD_REQUEST',
    ],
    ['JSON in single quotes', () => ({ body: "{'a':'b'}" }), 'BAD_REQUEST'],
    ['NaN', () => ({ body: '{"chat":NaN}' }), 'BAD_REQUEST'],
    ['a NUL byte', () => ({ body: Buffer.from([0]) }), 'BAD_REQUEST'],
    ['a raw NUL byte in a string', (route) => ({ body: jsonWith(route, '"x":"\u0000"') }), 'BAD_REQUEST'],
    ['invalid UTF-8', () => ({ body: invalidUtf8 }), 'BAD_REQUEST'],
    [
      'invalid UTF-8 in a string',
      (route) => ({
        body: Buffer.concat([Buffer.from(jsonWith(route, '"x":"').slice(0, -1)), invalidUtf8, Buffer.from('"}')]),
      }),
      'BAD_REQUEST',
    ],
    ['UTF-16', (route) => ({ body: Buffer.from(JSON.stringify(route.valid()), 'utf16le') }), 'BAD_REQUEST'],
    ['lists nested 10,000 deep', () => ({ body: deepList }), 'BAD_REQUEST'],
    ['objects nested 10,000 deep', () => ({ body: deepObject }), 'BAD_REQUEST'],
    ['lists that never end', () => ({ body: '['.repeat(200_000) }), 'BAD_REQUEST'],
    ['objects that never end', () => ({ body: '{"a":'.repeat(50_000) }), 'BAD_REQUEST'],
    [
      'lists nested 10,000 deep in an unknown field',
      (route) => ({ body: jsonWith(route, `"x":${deepList}`) }),
      'BAD_REQUEST',
    ],
    [
      'objects nested 10,000 deep in an unknown field',
      (route) => ({ body: jsonWith(route, `"x":${deepObject}`) }),
      'BAD_REQUEST',
    ],
    ['a list', () => ({ body: '[]' }), 'VALIDATION_FAILED', ['']],
    ['a list of a valid body', (route) => ({ body: JSON.stringify([route.valid()]) }), 'VALIDATION_FAILED', ['']],
    ['a number', () => ({ body: '7' }), 'VALIDATION_FAILED', ['']],
    ['a number beyond all numbers', () => ({ body: '1e400' }), 'VALIDATION_FAILED', ['']],
    ['text', () => ({ body: '"{}"' }), 'VALIDATION_FAILED', ['']],
    ['null', () => ({ body: 'null' }), 'VALIDATION_FAILED', ['']],
    ['true', () => ({ body: 'true' }), 'VALIDATION_FAILED', ['']],
    ['10 MB', () => ({ body: tenMegabytes }), 'PAYLOAD_TOO_LARGE'],
    ['10 MB in chunks', () => ({ body: tenMegabytes, chunked: true }), 'PAYLOAD_TOO_LARGE'],
    ['a byte over 256 KiB', () => ({ body: Buffer.alloc(256 * 1024 + 1, ' ') }), 'PAYLOAD_TOO_LARGE'],
    [
      'a gzip bomb',
      () => ({ body: gzipSync(tenMegabytes), headers: { ...json, 'content-encoding': 'gzip' } }),
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'a deflate bomb',
      () => ({ body: deflateSync(tenMegabytes), headers: { ...json, 'content-encoding': 'deflate' } }),
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'a Brotli bomb',
      () => ({ body: brotliCompressSync(tenMegabytes), headers: { ...json, 'content-encoding': 'br' } }),
      'PAYLOAD_TOO_LARGE',
    ],
    ['gzip that is none', () => ({ body: '{}', headers: { ...json, 'content-encoding': 'gzip' } }), 'BAD_REQUEST'],
    [
      'gzip cut short',
      (route) => ({
        body: gzipSync(JSON.stringify(route.valid())).subarray(0, -9),
        headers: { ...json, 'content-encoding': 'gzip' },
      }),
      'BAD_REQUEST',
    ],
    [
      'an unknown Content-Encoding',
      (route) => ({ body: JSON.stringify(route.valid()), headers: { ...json, 'content-encoding': 'rot13' } }),
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'two Content-Encodings',
      (route) => ({
        body: gzipSync(gzipSync(JSON.stringify(route.valid()))),
        headers: { ...json, 'content-encoding': 'gzip, gzip' },
      }),
      'UNSUPPORTED_MEDIA_TYPE',
    ],
  ]);

  // Jest takes a missing last column for a `done` callback.
  function withPaths(rows: TableRow[]): FullRow[] {
    return rows.map(([name, requestOf, code, paths]) => [name, requestOf, code, paths]);
  }

  const contentTypes: [string, Record<string, string>][] = [
    ['text/plain', { 'content-type': 'text/plain' }],
    ['application/x-www-form-urlencoded', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['multipart/form-data', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['application/xml', { 'content-type': 'application/xml' }],
    ['application/jsonp', { 'content-type': 'application/jsonp' }],
    ['text/json', { 'content-type': 'text/json' }],
    ['application/octet-stream', { 'content-type': 'application/octet-stream' }],
    ['a parameter that says JSON', { 'content-type': 'text/plain; charset=application/json' }],
    ['nonsense', { 'content-type': 'json' }],
    ['none', {}],
  ];

  /** The values that no text field may take as they are. */
  const textCases: [string, unknown][] = [
    ['NUL', 'a\u0000b'],
    ['only NUL', '\u0000'],
    ['a lone high surrogate', 'a\uD83D'],
    ['a lone low surrogate', '\uDE00b'],
    ['200,000 characters', 'a'.repeat(200_000)],
    ['a list', ['a']],
    ['an object', { a: 1 }],
    ['a boolean', true],
  ];

  // The routes below would take these values, so that only the spoilt character can be refused.
  const base: Record<string, string> = {
    chat: '5511988887777',
    from: '5511988887777',
    status: 'SENT',
    timestamp: '2026-03-09T03:35:45Z',
    'media.url': 'https://files.example/',
  };

  function spoilt(field: string, value: unknown): unknown {
    return typeof value === 'string' ? (base[field] ?? '') + value : value;
  }

  describe.each(routes.filter(({ path }) => path !== '/auth/dev/token').map((route) => [route.path, route] as const))(
    'POST %s',
    (_, route) => {
      test('takes a valid body', async () => {
        expect((await send(route, { body: JSON.stringify(route.valid()) })).status).toBe(route.status);
      });

      test.each(bodyCases)('%s', async (__, requestOf, code, paths) => {
        await expectProblem(await send(route, requestOf(route)), code, paths);
      });

      test.each(contentTypes)('Content-Type %s', async (__, headers) => {
        const body = JSON.stringify(route.valid());
        await expectProblem(await send(route, { body, headers }), 'UNSUPPORTED_MEDIA_TYPE');
      });

      test.each([
        'application/json',
        'application/json; charset=utf-8',
        'APPLICATION/JSON',
        'application/problem+json',
      ])('Content-Type %s is JSON', async (type) => {
        const answer = await send(route, { body: JSON.stringify(route.valid()), headers: { 'content-type': type } });
        expect(answer.status).toBe(route.status);
      });

      test.each(['gzip', 'deflate', 'br'])('a valid body in Content-Encoding %s is taken', async (encoding) => {
        const compress = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[encoding]!;
        const answer = await send(route, {
          body: compress(JSON.stringify(route.valid())),
          headers: { ...json, 'content-encoding': encoding },
        });
        expect(answer.status).toBe(route.status);
      });

      describe.each(route.texts)('%s', (field) => {
        test.each(textCases)('%s', async (__, value) => {
          const answer = await send(route, { body: JSON.stringify(bodyWith(route, field, spoilt(field, value))) });
          if (route.repaired.includes(field) && typeof value === 'string') expect(answer.status).toBe(route.status);
          else await expectProblem(answer, 'VALIDATION_FAILED', [field]);
        });

        test('a number beyond all numbers', async () => {
          const body = JSON.stringify(bodyWith(route, field, '@')).replace('"@"', '1e400');
          await expectProblem(await send(route, { body }), 'VALIDATION_FAILED', [field]);
        });
      });

      test.each(['chat', 'from', 'timestamp'].filter((field) => route.texts.includes(field)))(
        '%s a huge number',
        async (field) => {
          for (const number of [
            '1e300',
            '-1e300',
            '123456789012345678901234567890',
            '9007199254740993',
            '1e-300',
            '-0',
          ]) {
            const body = JSON.stringify(bodyWith(route, field, '@')).replace('"@"', number);
            await expectProblem(await send(route, { body }), 'VALIDATION_FAILED', [field]);
          }
        },
      );

      test('of a key that stands twice the last one counts', async () => {
        const [field = ''] = Object.keys(route.valid());
        const body = jsonWith(route, `"${field}":[]`);
        await expectProblem(await send(route, { body }), 'VALIDATION_FAILED', [field]);
        const corrected = `{"${field}":[],${JSON.stringify(route.valid()).slice(1)}`;
        expect((await send(route, { body: corrected })).status).toBe(route.status);
      });

      test.each([
        ['__proto__', '"__proto__":{"polluted":true,"chat":"5511988887777","isAdmin":true}'],
        ['constructor', '"constructor":{"prototype":{"polluted":true}}'],
        ['prototype', '"prototype":{"polluted":true}'],
        ['hasOwnProperty', '"hasOwnProperty":1,"toString":2,"toJSON":3,"then":4,"valueOf":5'],
      ])('a field %s pollutes nothing', async (__, member) => {
        expect((await send(route, { body: jsonWith(route, member) })).status).toBe(route.status);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
        expect(Object.keys(Object.prototype)).toEqual([]);
      });

      test('what is required does not come from __proto__', async () => {
        const answer = await send(route, { body: `{"__proto__":${JSON.stringify(route.valid())}}` });
        const required = Object.keys(route.valid()).filter((field) => field !== 'text');
        await expectProblem(answer, 'VALIDATION_FAILED', required);
      });
    },
  );

  /** 10,000 members that no route knows. */
  const manyFields = Array.from({ length: 10_000 }, (_, i) => `"field${i}":${i}`).join();

  test.each(['/webhooks/chat/gateway/inbound', '/webhooks/chat/gateway/status'])(
    'POST %s ignores 10,000 unknown fields',
    async (path) => {
      const route = routes.find((candidate) => candidate.path === path)!;
      expect((await send(route, { body: jsonWith(route, manyFields) })).status).toBe(200);
    },
  );

  describe.each(['/public/leads', '/webhooks/leads'])("POST %s, a lead's unknown fields", (path) => {
    const post = (member: string) =>
      rawRequest(app, { path, headers: { ...withKey(tenant), ...json }, body: `{"chat":"${someNumber()}",${member}}` });

    test.each([
      ['NUL in a value', '"note":"a\\u0000b"', ['metadata.note']],
      ['NUL in a nested value', '"note":{"list":[1,{"deep":"\\u0000"}]}', ['metadata.note.list.1.deep']],
      ['NUL in a key', '"a\\u0000b":1', ['metadata.a\uFFFDb']],
      ['a lone surrogate in a value', '"note":"\\ud83d"', ['metadata.note']],
      ['a lone surrogate in a key', '"\\ud83d":1', ['metadata.\uFFFD']],
    ])('%s', async (_, member, paths) => {
      await expectProblem(await post(member), 'VALIDATION_FAILED', paths);
    });

    test.each([
      ['NUL', '\\u0000'],
      ['a lone surrogate', '\\ud83d'],
    ])('%s beside a second number, which would be kept as it is written', async (_, unstorable) => {
      const member = `"chat":"4915100000001 / 4915100000002 ${unstorable}"`;
      await expectProblem(await post(member), 'VALIDATION_FAILED', ['chat']);
    });

    test('10,000 of them exceed 16 KiB', async () => {
      await expectProblem(await post(manyFields), 'VALIDATION_FAILED', ['metadata']);
    });

    test('a number beyond all numbers is refused, as JSON cannot give it back', async () => {
      await expectProblem(await post('"score":1e400'), 'VALIDATION_FAILED', ['metadata.score']);
    });

    test.each(['__proto__', 'constructor', 'prototype', 'toString', 'toJSON', '$1', '%s', '$ne', ''])(
      'a field named "%s" is kept as it came',
      async (name) => {
        const answer = await post(`${JSON.stringify(name)}:{"polluted":true}`);
        expect(answer.status).toBe(201);
        const { metadata } = JSON.parse(await answer.text()) as { metadata: object };
        expect(Object.entries(metadata)).toEqual([[name, { polluted: true }]]);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      },
    );

    test('text that looks like SQL, HTML or a format is only text', async () => {
      const texts = [
        "'; DROP TABLE leads; --",
        '<script>alert(1)</script>',
        '%s%n${7*7}{{7*7}}',
        '\\',
        'a\u2028\u202Eb',
        '🏳️‍🌈',
      ];
      for (const note of texts) {
        const answer = await rawRequest(app, {
          path,
          headers: { ...withKey(tenant), ...json },
          body: JSON.stringify({ chat: someNumber(), name: note, note }),
        });
        expect(JSON.parse(await answer.text())).toMatchObject({
          name: note.replace('\u202E', ''),
          metadata: { note },
          created: true,
        });
      }
    });
  });

  describe('POST a list of many', () => {
    test.each([
      ['/webhooks/chat/gateway/inbound', 'messages', 200],
      ['/webhooks/chat/gateway/status', 'statuses', 200],
    ])('%s', async (path, name, status) => {
      const post = (body: string) => rawRequest(app, { path, headers: { ...withKey(tenant), ...json }, body });
      await expectProblem(await post(`{"${name}":[${Array(501).fill('{}').join()}]}`), 'VALIDATION_FAILED', [name]);
      await expectProblem(await post(`{"${name}":[${Array(100_000).fill('1').join()}]}`), 'VALIDATION_FAILED', [name]);
      for (const wrong of ['{}', '"a"', '1', '1e400', 'true', 'null', '{"length":1,"0":{}}']) {
        await expectProblem(await post(`{"${name}":${wrong}}`), 'VALIDATION_FAILED', [name]);
      }
      expect((await post(`{"${name}":[]}`)).status).toBe(status);
      const items = ['null', '1', '"a"', '[]', 'true', '{}', '{"__proto__":{}}', '{"messageId":"\\u0000"}', '1e400'];
      const answer = await post(`{"${name}":[${items.join()}]}`);
      expect(answer.status).toBe(status);
      expect(JSON.parse(await answer.text())).toMatchObject({
        accepted: 0,
        results: items.map(() => ({ outcome: 'refused' })),
      });
    });
  });

  // The route takes 30 calls a minute from one address, so every 25 cases get an application of their own.
  describe('POST /auth/dev/token', () => {
    const route = routes.find(({ path }) => path === '/auth/dev/token')!;
    const cases = withPaths([
      ...bodyCases,
      ...contentTypes.map(([name, headers]): TableRow => [
        `Content-Type ${name}`,
        () => ({ body: JSON.stringify(route.valid()), headers }),
        'UNSUPPORTED_MEDIA_TYPE',
      ]),
      ...textCases.map(([name, value]): TableRow => [
        `idpSub ${name}`,
        () => ({ body: JSON.stringify({ idpSub: value }) }),
        'VALIDATION_FAILED',
        ['idpSub'],
      ]),
      ['idpSub a number beyond all numbers', () => ({ body: '{"idpSub":1e400}' }), 'VALIDATION_FAILED', ['idpSub']],
      ['idpSub twice', () => ({ body: jsonWith(route, '"idpSub":1') }), 'VALIDATION_FAILED', ['idpSub']],
      ['idpSub in __proto__', () => ({ body: `{"__proto__":${JSON.stringify(route.valid())}}` }), 'VALIDATION_FAILED'],
      ['an unknown field', () => ({ body: jsonWith(route, '"role":"ADMIN"') }), 'VALIDATION_FAILED'],
      ['a field __proto__', () => ({ body: jsonWith(route, '"__proto__":{"polluted":true}') }), 'VALIDATION_FAILED'],
      [
        'a field constructor',
        () => ({ body: jsonWith(route, '"constructor":{"prototype":{"polluted":true}}') }),
        'VALIDATION_FAILED',
      ],
    ]);
    const groups = Array.from({ length: Math.ceil(cases.length / 25) }, (_, i) => cases.slice(i * 25, (i + 1) * 25));

    describe.each(groups.map((group, i) => [`group ${i + 1}`, group] as const))('%s', (_, group) => {
      let tokenApp: TestApp;

      beforeAll(async () => {
        tokenApp = await TestApp.start();
      });
      afterAll(() => tokenApp.stop());

      test.each(group)('%s', async (__, requestOf, code, paths) => {
        const request = requestOf(route);
        const answer = await rawRequest(tokenApp, { path: route.path, ...request, headers: request.headers ?? json });
        const unread = refusalUnread(request);
        await (unread === undefined ? expectProblem(answer, code, paths) : expectProblem(answer, unread));
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      });
    });
  });

  /** The refusal of a body that arrives without a credential: it is not inflated, and has 32 KiB at most. */
  function refusalUnread({ headers, body = '' }: Omit<RawRequest, 'path'>): ProblemCode | undefined {
    if (headers?.['content-encoding'] !== undefined) return 'UNSUPPORTED_MEDIA_TYPE';
    return Buffer.byteLength(body) > 32 * 1024 ? 'PAYLOAD_TOO_LARGE' : undefined;
  }

  describe('POST /graphql', () => {
    const sendMutation = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { id } }';
    const graphql = (request: Omit<RawRequest, 'path'>) =>
      rawRequest(app, {
        path: '/graphql',
        ...request,
        headers: { ...withToken(tenant.operator), ...(request.headers ?? json) },
      });
    const operation = (query: string, variables: object = {}) =>
      graphql({ body: JSON.stringify({ query, variables }) });

    type Answer = Awaited<ReturnType<typeof graphql>>;
    interface GraphqlError {
      message: string;
      extensions: { code: string; errors?: { path: string }[] };
    }

    /** Fails unless the answer is 4xx, or 200 with a refused operation, and its one error carries this code. */
    async function expectError(answer: Answer, code: ProblemCode): Promise<GraphqlError> {
      const text = await answer.text();
      expect({ isFault: answer.status >= 500, text }).toEqual({ isFault: false, text });
      expect(answer.headers.get('content-type')).toMatch(/json/);
      const { errors = [] } = JSON.parse(text) as { errors?: GraphqlError[] };
      expect(errors.length).toBeGreaterThan(0);
      expect(errors.map(({ extensions }) => extensions.code)).toEqual(errors.map(() => code));
      expect(text).not.toMatch(/node_modules|stacktrace|SELECT |INSERT |prisma|postgres/i);
      return errors[0]!;
    }

    /** Fails unless the request is refused before anything is executed: its HTTP status says so too. */
    async function expectRefusal(answer: Answer, code: ProblemCode, httpStatus: number): Promise<void> {
      await expectError(answer, code);
      expect(answer.status).toBe(httpStatus);
    }

    const graphqlRoute: Route = {
      path: '/graphql',
      headers: () => withToken(tenant.operator),
      valid: () => ({ query: '{ me { id } }' }),
      status: 200,
      texts: [],
      repaired: [],
    };

    test('takes a valid operation', async () => {
      const answer = await operation('{ me { id } }');
      expect(JSON.parse(await answer.text())).toEqual({ data: { me: { id: tenant.operator.id } } });
    });

    test.each(bodyCases)('%s', async (_, requestOf, code) => {
      const expected = code === 'VALIDATION_FAILED' ? 'BAD_REQUEST' : code;
      const status = expected === 'PAYLOAD_TOO_LARGE' ? 413 : expected === 'UNSUPPORTED_MEDIA_TYPE' ? 415 : 400;
      await expectRefusal(await graphql(requestOf(graphqlRoute)), expected, status);
    });

    test.each(contentTypes)('Content-Type %s', async (_, headers) => {
      await expectRefusal(
        await graphql({ body: JSON.stringify(graphqlRoute.valid()), headers }),
        'UNSUPPORTED_MEDIA_TYPE',
        415,
      );
    });

    test.each([
      ['no query', '{}'],
      ['a query that is a number', '{"query":5}'],
      ['a query that is a list', '{"query":["{ me { id } }"]}'],
      ['a query that is null', '{"query":null}'],
      ['an empty query', '{"query":""}'],
      ['a query of blanks', '{"query":"  "}'],
      ['a query with NUL', '{"query":"{ me { id } }\\u0000"}'],
      ['a query with a lone surrogate', '{"query":"{ me { id } } \\ud83d"}'],
      ['a query that ends too early', '{"query":"{ me { id }"}'],
      ['a query nested 10,000 deep', JSON.stringify({ query: '{ a '.repeat(depth) + '}'.repeat(depth) })],
      [
        'a query value nested 10,000 deep',
        JSON.stringify({ query: `{ lead(id: ${'['.repeat(depth)}${']'.repeat(depth)}) { id } }` }),
      ],
      [
        'a query of 10,000 aliases',
        JSON.stringify({ query: `{${Array.from({ length: 10_000 }, (_, i) => `a${i}:me{id}`).join(' ')}}` }),
      ],
      ['variables that are text', '{"query":"{ me { id } }","variables":"x"}'],
      ['variables that are a number', '{"query":"{ me { id } }","variables":5}'],
      ['an operationName that is a number', '{"query":"{ me { id } }","operationName":5}'],
      ['an operationName that names nothing', '{"query":"{ me { id } }","operationName":"Other"}'],
      ['two operations and no name', '{"query":"query A { me { id } } query B { me { id } }"}'],
      ['extensions that are text', '{"query":"{ me { id } }","extensions":"x"}'],
      ['a batch', '[{"query":"{ me { id } }"},{"query":"{ me { id } }"}]'],
      ['a query in __proto__', '{"__proto__":{"query":"{ me { id } }"}}'],
    ])('%s', async (_, body) => {
      await expectRefusal(await graphql({ body }), 'BAD_REQUEST', 400);
    });

    test.each([
      ['an unknown field', '{ nothing }'],
      ['__proto__', '{ __proto__ }'],
      ['constructor', '{ constructor { name } }'],
      ['an unknown argument', '{ me(id: 1) { id } }'],
      ['a variable that is not declared', '{ lead(id: $id) { id } }'],
      ['a fragment of itself', '{ me { ...F } } fragment F on Viewer { ...F }'],
      ['a number for text', '{ leads(after: 5) { edges { cursor } } }'],
      ['a number beyond Int', '{ leads(first: 99999999999) { edges { cursor } } }'],
      ['a number beyond all numbers', '{ leads(first: 1e400) { edges { cursor } } }'],
    ])('%s is VALIDATION_FAILED', async (_, query) => {
      await expectError(await operation(query), 'VALIDATION_FAILED');
    });

    test.each<[string, unknown]>([
      ['absent', undefined],
      ['null', null],
      ['text', 'x'],
      ['a list', []],
      ['a number', 5],
      ['with an unknown field', { leadId: randomUUID(), body: 'Oi', tenantId: 'x' }],
      ['without what is required', {}],
    ])('an input that is %s is VALIDATION_FAILED', async (_, input) => {
      await expectError(await operation(sendMutation, { input }), 'VALIDATION_FAILED');
    });

    test.each([
      'leadId',
      'instanceId',
      'body',
      'idempotencyKey',
      'media.url',
      'media.mimeType',
      'media.fileName',
      'media.caption',
    ])('sendMessage, %s with what cannot be stored, or too long, names the field', async (field) => {
      const [outer = '', inner] = field.split('.');
      for (const value of ['a\u0000b', 'a\uD83D', '\uDE00', 'a'.repeat(100_000)]) {
        const text = (base[field] ?? '') + value;
        const media = { url: 'https://files.example/a', ...(inner === undefined ? {} : { [inner]: text }) };
        const input = { leadId, body: 'Oi', ...(outer === 'media' ? { media } : { [outer]: text }) };
        const error = await expectError(await operation(sendMutation, { input }), 'VALIDATION_FAILED');
        expect(error.extensions.errors?.map(({ path }) => path)).toContain(field);
      }
    });

    test.each(['leads', 'inbox'])('a cursor of %s that is not ours is VALIDATION_FAILED on after', async (list) => {
      for (const after of [
        '',
        'x',
        '\u0000',
        '\uD83D',
        'a'.repeat(100_000),
        Buffer.from(`${list}:x`).toString('base64url'),
      ]) {
        const query = `query ($after: String) { ${list}(after: $after) { edges { cursor } } }`;
        const error = await expectError(await operation(query, { after }), 'VALIDATION_FAILED');
        expect(error.extensions.errors).toMatchObject([{ path: 'after' }]);
      }
    });

    test.each(['lead', 'message'])('%s by an id that is no UUID is null', async (field) => {
      for (const id of ['', 'x', '\u0000', '\uD83D', "' OR 1=1 --", 'a'.repeat(100_000), 5]) {
        const answer = await operation(`query ($id: ID!) { ${field}(id: $id) { id } }`, { id });
        expect(JSON.parse(await answer.text())).toEqual({ data: { [field]: null } });
      }
    });

    test('chatInstances by an accountId that is no UUID is VALIDATION_FAILED on it, as over REST', async () => {
      for (const accountId of ['', 'x', '\u0000', '\uD83D']) {
        const query = 'query ($accountId: ID) { chatInstances(accountId: $accountId) { id } }';
        const error = await expectError(await operation(query, { accountId }), 'VALIDATION_FAILED');
        expect(error.extensions.errors).toMatchObject([{ path: 'accountId' }]);
      }
    });

    test('__proto__ among the variables pollutes nothing', async () => {
      const body =
        '{"query":"{ me { id } }","variables":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}';
      expect((await graphql({ body })).status).toBe(200);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });

    test('a mutation by GET is refused', async () => {
      const query = encodeURIComponent(`mutation { sendMessage(input: { leadId: "${leadId}", body: "Oi" }) { id } }`);
      const answer = await rawRequest(app, {
        method: 'GET',
        path: `/graphql?query=${query}`,
        headers: { ...withToken(tenant.operator), 'apollo-require-preflight': '1' },
      });
      await expectRefusal(answer, 'BAD_REQUEST', 405);
    });

    test('a simple GET, as any page could send, is refused', async () => {
      const answer = await rawRequest(app, {
        method: 'GET',
        path: '/graphql?query=%7Bme%7Bid%7D%7D',
        headers: { 'sec-fetch-site': 'cross-site' },
      });
      await expectRefusal(answer, 'UNAUTHENTICATED', 401);
    });

    test('nothing of all this was sent', async () => {
      expect(
        await app.sql("SELECT body FROM messages WHERE tenant_id = $1 AND direction = 'OUTBOUND'", [tenant.id]),
      ).toEqual([]);
    });
  });

  test('after all of this the application serves on', async () => {
    expect((await app.get('/health/ready')).status).toBe(200);
    expect((await app.post('/public/leads', { chat: someNumber() }, withKey(tenant))).status).toBe(201);
  });
}
