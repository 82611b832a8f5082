// The behavior that POST /public/leads and POST /webhooks/leads share, which is everything except the default source. The test file of each
// endpoint runs this suite.

import { randomInt } from 'node:crypto';
import { TestApp, withKey, withToken, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';

export interface LeadAnswer {
  id: string;
  name: string;
  chat: string;
  numberValidity: string;
  source: string;
  metadata: Record<string, unknown> | null;
  createdAt: string;
  updatedAt: string;
  created: boolean;
}

export interface LeadEndpoint {
  path: string;
  /** The source of a lead that names none, in a tenant without a `webhookSourceLabel`. */
  defaultSource: string;
}

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const isoUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A Brazilian mobile number that no other test uses. */
export function someNumber(): string {
  return `55119${randomInt(60_000_000, 99_999_999)}`;
}

const sameNumber: [string, unknown, unknown][] = [
  ['a plus sign', '5511988887777', '+5511988887777'],
  ['the international prefix 00', '5511988887777', '005511988887777'],
  ['blanks and hyphens', '5511988887777', ' 55 11 98888-7777 '],
  ['brackets', '+55 (11) 98888-7777', '+55 [11] 98888.7777'],
  ['slashes', '5511988887777', '+55/11/98888/7777'],
  ['no-break blanks and hyphens', '5511988887777', '+55\u00A011\u00A098888\u20117777'],
  ['invisible marks of direction', '5511988887777', '\u202A+55 11 98888-7777\u202C'],
  ['a tel: URI', '5511988887777', 'tel:+55-11-98888-7777'],
  ['a TEL: URI', '5511988887777', 'TEL:+5511988887777'],
  ['full-width digits', '5511988887777', '＋５５１１９８８８８７７７７'],
  ['a JSON number', '+5511988887777', 5_511_988_887_777],
  ["Brazil's ninth digit, learned later", '551188887777', '5511988887777'],
  ["Brazil's ninth digit, known first", '5511988887777', '551188887777'],
  ["Brazil's ninth digit before 6", '5521967778888', '552167778888'],
  ["Mexico's 1", '5215512345678', '525512345678'],
  ["Mexico's 1, learned later", '525512345678', '5215512345678'],
  ["Argentina's 9", '5491123456789', '541123456789'],
  ["Argentina's 9, learned later", '541123456789', '5491123456789'],
];

const differentNumbers: [string, string, string][] = [
  ['a Brazilian landline and what a 9 would make of it', '551133334444', '5511933334444'],
  ['a Brazilian landline that starts with 5', '551155554444', '5511955554444'],
  ['two Brazilian area codes', '5511988887777', '5521988887777'],
  ['a 9 outside of Brazil', '351912345678', '35112345678'],
  ["a 1 after a country code that is not Mexico's", '5315512345678', '535512345678'],
  ['numbers that differ in one digit', '14155550100', '14155550101'],
  ['a number and its beginning', '14155550100', '1415555010'],
];

const wrongFields: [string, object, string[]][] = [
  ['no chat', {}, ['chat']],
  ['chat null', { chat: null }, ['chat']],
  ['chat empty', { chat: '' }, ['chat']],
  ['chat blank', { chat: '   ' }, ['chat']],
  ['chat in letters', { chat: 'call me' }, ['chat']],
  ['chat with letters between digits', { chat: '5511x988887777' }, ['chat']],
  ['chat of 6 digits', { chat: '551198' }, ['chat']],
  ['chat of 16 digits', { chat: '5511988887777123' }, ['chat']],
  ['chat without a country code', { chat: '011988887777' }, ['chat']],
  ['chat with a plus sign between digits', { chat: '55+11988887777' }, ['chat']],
  ['chat as an e-mail address', { chat: 'ana@example.com' }, ['chat']],
  ['chat a boolean', { chat: true }, ['chat']],
  ['chat a list', { chat: ['5511988887777'] }, ['chat']],
  ['chat an object', { chat: { number: '5511988887777' } }, ['chat']],
  ['chat negative', { chat: -5_511_988_887_777 }, ['chat']],
  ['chat with a fraction', { chat: 5_511_988_887.5 }, ['chat']],
  ['chat of 257 characters', { chat: `5511988887777${' '.repeat(244)}` }, ['chat']],
  ['name a boolean', { chat: '5511988887777', name: true }, ['name']],
  ['country an object', { chat: '5511988887777', country: { code: 'BR' } }, ['country']],
  ['source a list', { chat: '5511988887777', source: ['ads'] }, ['source']],
  ['every field wrong', { chat: 'x', name: true, source: [5] }, ['chat', 'name', 'source']],
];

type ToldByName = [string, { defaultCountry?: string }, object, { path: string; message: string }[]];

const toldByName: ToldByName[] = [
  ['a national writing', {}, { chat: '(41) 99911-2233' }, [{ path: 'chat', message: 'needs a country code' }]],
  ['a leading zero', {}, { chat: '041 99911-2233' }, [{ path: 'chat', message: 'needs a country code' }]],
  [
    'a national writing that its country has no room for',
    { defaultCountry: 'US' },
    { chat: '(41) 99911-2233' },
    [{ path: 'chat', message: 'needs a country code' }],
  ],
  ...['Narnia', 'B', 'ZZ', 'AQ', '001', 'constructor'].map((country): ToldByName => [
    `the country ${JSON.stringify(country)}`,
    { defaultCountry: 'BR' },
    { chat: '(41) 99911-2233', country },
    [{ path: 'country', message: 'has to be a country of ISO 3166-1 in two letters, such as BR' }],
  ]),
  [
    'number, country and name wrong',
    {},
    { chat: 'x', country: true, name: false },
    [
      { path: 'chat', message: 'has to be a phone number: digits with country code' },
      { path: 'country', message: 'has to be text' },
      { path: 'name', message: 'has to be text' },
    ],
  ],
];

export function describeLeadEndpoint({ path, defaultSource }: LeadEndpoint): void {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  const post = (tenant: TestTenant, body: unknown) => app.post(path, body, withKey(tenant));
  const accepted = async (tenant: TestTenant, body: unknown) => {
    const response = await post(tenant, body);
    const answer = (await response.json()) as LeadAnswer;
    expect({ status: response.status, answer }).toEqual({ status: answer.created ? 201 : 200, answer });
    return answer;
  };
  const leadCount = async (tenant: TestTenant) => {
    const [row] = await app.sql<{ count: number }>('SELECT count(*)::int AS count FROM leads WHERE tenant_id = $1', [
      tenant.id,
    ]);
    return row?.count;
  };

  describe('201', () => {
    test('answers the new lead with what was posted', async () => {
      const tenant = await app.createTenant();
      const response = await post(tenant, { chat: '+55 11 98888-7777', name: '  Ana  ', source: 'spring fair' });
      expect(response.status).toBe(201);
      expect(response.headers.get('content-type')).toMatch('application/json');
      expect(await response.json()).toEqual({
        id: expect.stringMatching(uuidV7),
        name: 'Ana',
        chat: '5511988887777',
        numberValidity: 'VALID',
        source: 'spring fair',
        metadata: null,
        createdAt: expect.stringMatching(isoUtc),
        updatedAt: expect.stringMatching(isoUtc),
        created: true,
      });
    });

    test.each([
      ['absent', {}],
      ['null', { name: null, source: null }],
      ['empty', { name: '', source: '', country: '' }],
      ['of blanks', { name: ' \t ', source: '\u00A0', country: '  ' }],
      ['left out by a program', { name: 'undefined undefined', source: 'null' }],
      ['left out by a template or a spreadsheet', { name: '{{contact.name}}', source: '#N/A' }],
      ['of characters that nobody sees', { name: '\u200B\u2800', source: '\u3164', country: '\uFEFF' }],
    ])('a name that is %s is the number', async (_, fields) => {
      const tenant = await app.createTenant();
      expect(await accepted(tenant, { chat: '+1 415 555 0100', ...fields })).toMatchObject({
        name: '14155550100',
        source: defaultSource,
      });
    });

    test.each([
      ['letters', 'a'],
      ['characters of two units', '\u{1F642}'],
    ])(
      'a name and a source that are too long are cut at a whole character, and kept whole: %s',
      async (_, character) => {
        const tenant = await app.createTenant();
        const [name, source] = [character.repeat(201), character.repeat(101)];
        const lead = await accepted(tenant, { chat: someNumber(), name, source, plan: 'gold' });
        expect(lead).toMatchObject({
          name: character.repeat(200),
          source: character.repeat(100),
          metadata: { plan: 'gold', fullName: name, fullSource: source },
        });
      },
    );

    test('what is cut takes the place of no field of the caller, and nothing that fits is kept twice', async () => {
      const tenant = await app.createTenant();
      const name = `${'a'.repeat(199)} b`;
      const taken = await accepted(tenant, { chat: someNumber(), name, fullName: 'mine' });
      expect(taken).toMatchObject({ name: 'a'.repeat(199), metadata: { fullName: 'mine', name } });
      expect((await accepted(tenant, { chat: someNumber(), name: ` ${'a'.repeat(200)} ` })).metadata).toBeNull();
    });

    test('a name of a whole page makes a lead', async () => {
      const lead = await accepted(await app.createTenant(), { chat: someNumber(), name: 'a'.repeat(30_000) });
      expect(lead).toMatchObject({ name: 'a'.repeat(200), metadata: { fullName: 'a'.repeat(4_000) } });
    });

    test('what cannot be stored in a name is replaced', async () => {
      const lead = await accepted(await app.createTenant(), { chat: someNumber(), name: 'A\u0000n\uD800a' });
      expect(lead.name).toBe('A\uFFFDn\uFFFDa');
    });

    test.each(['\u202E\u2066', ' \u2060 '])('a name of marks that nobody sees is the number: %j', async (name) => {
      const lead = await accepted(await app.createTenant(), { chat: '+1 415 555 0100', name });
      expect(lead.name).toBe('14155550100');
    });

    test('marks that turn the direction of a name are taken out', async () => {
      const lead = await accepted(await app.createTenant(), { chat: someNumber(), name: 'Ana\u202Eavli\u2066S\u200F' });
      expect(lead.name).toBe('AnaavliS');
    });

    test('a name and a source that are numbers are their digits', async () => {
      const lead = await accepted(await app.createTenant(), { chat: someNumber(), name: 47, source: 12.5 });
      expect(lead).toMatchObject({ name: '47', source: '12.5' });
    });

    test.each([
      ['the body', { source: 'fair' }, 'label', 'fair'],
      ["the tenant's webhookSourceLabel", {}, 'label', 'label'],
      ['the endpoint', {}, undefined, defaultSource],
    ])('the source comes from %s', async (_, fields, webhookSourceLabel, source) => {
      const tenant = await app.createTenant(webhookSourceLabel === undefined ? {} : { webhookSourceLabel });
      expect(await accepted(tenant, { chat: someNumber(), ...fields })).toMatchObject({ source });
    });

    test.each([
      ['7 digits', '1234567'],
      ['15 digits', '123456789012345'],
    ])('a number of %s is accepted', async (_, chat) => {
      const tenant = await app.createTenant();
      expect(await accepted(tenant, { chat })).toMatchObject({ chat, created: true });
    });

    test.each([
      ['its default country', { defaultCountry: 'BR' }, { chat: '(41) 99911-2233' }, '5541999112233'],
      ['its default country, for bare digits', { defaultCountry: 'BR' }, { chat: '41999112233' }, '5541999112233'],
      ['the country of the call', {}, { chat: '(41) 99911-2233', country: 'BR' }, '5541999112233'],
      ['the country of the call, in small letters', {}, { chat: '07911 123456', country: ' gb ' }, '447911123456'],
      [
        'the country of the call rather',
        { defaultCountry: 'BR' },
        { chat: '06 12345678', country: 'IT' },
        '390612345678',
      ],
      ...[
        'Brasil',
        'BRÉSIL',
        'brasilien',
        '+55',
        55,
        'Brasil (+55)',
        'Brazil (BR)',
        'BRA',
        'Brasile',
        '巴西',
        'ब्राज़ील',
        '\u{1F1E7}\u{1F1F7} +55',
      ].map((country): [string, object, object, string] => [
        `the country ${country}`,
        { defaultCountry: 'US' },
        { chat: '(41) 99911-2233', country },
        '5541999112233',
      ]),
      ['the country UK', {}, { chat: '07911 123456', country: 'UK' }, '447911123456'],
      ['the country USA', {}, { chat: '(415) 555-2671', country: 'USA' }, '14155552671'],
      ['the country NGA, a name of Russia too', {}, { chat: '0803 123 4567', country: 'NGA' }, '2348031234567'],
      ['the country RU, which is a name in Spanish too', {}, { chat: '8 912 345 67 89', country: 'RU' }, '79123456789'],
      ['no country, as null', { defaultCountry: 'BR' }, { chat: '(41) 99911-2233', country: null }, '5541999112233'],
      ['whatever country, with +', { defaultCountry: 'DE' }, { chat: '+55 (0)41 99911-2233' }, '5541999112233'],
    ])('a number is read with %s', async (_, input, body, chat) => {
      const tenant = await app.createTenant(input);
      const lead = await accepted(tenant, body);
      expect(lead).toMatchObject({ chat, name: chat, numberValidity: 'VALID', metadata: null, created: true });
      expect(await accepted(tenant, { chat: `+${chat}` })).toEqual({ ...lead, created: false });
    });

    test.each([
      ['valid nowhere', '1234567'],
      ['of a country, but not given out there', '+55 11 1234-5678'],
    ])('a number that is %s is kept, and said to be invalid', async (_, chat) => {
      const tenant = await app.createTenant();
      const digits = chat.replaceAll(/\D/g, '');
      expect(await accepted(tenant, { chat })).toMatchObject({
        chat: digits,
        numberValidity: 'INVALID',
        created: true,
      });
      expect(await accepted(tenant, { chat })).toMatchObject({ numberValidity: 'INVALID', created: false });
    });

    test('fields that are not known are kept in metadata, as they came', async () => {
      const tenant = await app.createTenant();
      const unknown = {
        campaign: 'spring',
        score: 0.5,
        optIn: false,
        referrer: null,
        tags: ['a', { b: [] }],
        utm: { source: 'x', nested: { deep: '🙂' } },
        metadata: { own: 1 },
        id: 'not ours',
        created: 'not ours either',
        toString: 'a field like any other',
      };
      const lead = await accepted(tenant, { chat: someNumber(), ...unknown });
      expect(lead.metadata).toEqual(unknown);
      expect(lead.id).toMatch(uuidV7);
      expect(lead.created).toBe(true);
      const rows = await app.sql('SELECT metadata FROM leads WHERE tenant_id = $1', [tenant.id]);
      expect(rows).toEqual([{ metadata: unknown }]);
    });

    test.each([
      'phone',
      'Phone',
      'PHONE_NUMBER',
      'phone-number',
      'telefone',
      'Tel\u00E9fono',
      'celular',
      'WhatsApp',
      'number',
      'mobile',
      'tel',
      'msisdn',
      'Cell No',
      'Chat',
      'wa_id',
      'No. HP / WA',
      'Best number to call you',
      'Ваш телефон',
    ])('without chat, the error names the field %s', async (field) => {
      const tenant = await app.createTenant();
      for (const chat of [undefined, null, ' ']) {
        const answer = await post(tenant, { [field]: '+5511988887777', name: 'Ana', chat });
        const { errors } = await expectProblem(answer, 'VALIDATION_FAILED');
        expect(errors).toEqual([{ path: 'chat', message: `is required; the body has \`${field}\`` }]);
      }
    });

    test.each([
      'notes',
      'address',
      'hotel',
      'cancelled',
      'contactnotes',
      'numberOfRooms',
      'Number of guests',
      'Contact',
      `phone${'x'.repeat(60)}`,
    ])('without chat, the error does not name the field %s', async (field) => {
      const answer = await post(await app.createTenant(), { [field]: '5' });
      const { errors } = await expectProblem(answer, 'VALIDATION_FAILED');
      expect(errors).toEqual([{ path: 'chat', message: 'is required' }]);
    });

    test('a field of another type is told from one that is missing', async () => {
      const { errors } = await expectProblem(await post(await app.createTenant(), { name: [5] }), 'VALIDATION_FAILED');
      expect(errors).toEqual([
        { path: 'chat', message: 'is required' },
        { path: 'name', message: 'has to be text' },
      ]);
    });

    test.each([
      ['letters', 'a'],
      ['characters of 4 bytes', '🙂'],
    ])('metadata of exactly 16 KiB is kept: %s', async (_, character) => {
      const tenant = await app.createTenant();
      const note = fill(character, 16_384 - Buffer.byteLength('{"note":""}'));
      expect((await accepted(tenant, { chat: someNumber(), note })).metadata).toEqual({ note });
    });

    test('the same number in two tenants is two leads', async () => {
      const [one, other] = [await app.createTenant(), await app.createTenant()];
      const first = await accepted(one, { chat: '5511988887777', name: 'One' });
      const second = await accepted(other, { chat: '5511988887777', name: 'Other' });
      expect(second).toMatchObject({ created: true, name: 'Other' });
      expect(second.id).not.toBe(first.id);
    });

    test.each(differentNumbers)('two leads: %s', async (_, first, second) => {
      const tenant = await app.createTenant();
      const one = await accepted(tenant, { chat: first });
      const other = await accepted(tenant, { chat: second });
      expect(other).toMatchObject({ chat: second, created: true });
      expect(other.id).not.toBe(one.id);
    });
  });

  describe('200', () => {
    test.each(sameNumber)('one lead in two writings: %s', async (_, first, second) => {
      const tenant = await app.createTenant();
      const created = await accepted(tenant, { chat: first, name: 'Ana' });
      expect(created.created).toBe(true);
      expect(await accepted(tenant, { chat: second })).toEqual({ ...created, created: false });
    });

    test('the existing lead comes back unchanged, and each touch is recorded beside it', async () => {
      const tenant = await app.createTenant();
      const chat = someNumber();
      const created = await accepted(tenant, { chat, name: 'Ana', source: 'fair', campaign: 'spring' });
      const again = await accepted(tenant, { chat, name: 'Someone else', source: 'ads', campaign: 'summer', page: 2 });
      const third = await accepted(tenant, { chat });
      expect(again).toEqual({ ...created, created: false });
      expect(third).toEqual({ ...created, created: false });
      const touches = await app.sql(
        'SELECT lead_id, source, metadata, created_at IS NOT NULL AS timed FROM lead_touches WHERE tenant_id = $1 ORDER BY id',
        [tenant.id],
      );
      expect(touches).toEqual([
        { lead_id: created.id, source: 'fair', metadata: { campaign: 'spring' }, timed: true },
        { lead_id: created.id, source: 'ads', metadata: { campaign: 'summer', page: 2 }, timed: true },
        { lead_id: created.id, source: defaultSource, metadata: null, timed: true },
      ]);
    });

    test('50 simultaneous posts of one number: one 201, 49 times 200, one lead', async () => {
      const tenant = await app.createTenant();
      const writings = ['5511988887777', '+55 11 98888-7777', '005511988887777', '551188887777', 5_511_988_887_777];
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, i) => post(tenant, { chat: writings[i % 5], nr: i })),
      );
      const answers = (await Promise.all(responses.map((response) => response.json()))) as LeadAnswer[];
      expect(responses.map((response) => response.status).filter((status) => status !== 200)).toEqual([201]);
      expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
      expect(answers.filter((answer) => answer.created)).toHaveLength(1);
      expect(await leadCount(tenant)).toBe(1);
      const touches = await app.sql<{ nr: number }>(
        `SELECT (metadata->>'nr')::int AS nr FROM lead_touches WHERE tenant_id = $1 ORDER BY 1`,
        [tenant.id],
      );
      expect(touches.map(({ nr }) => nr)).toEqual(Array.from({ length: 50 }, (_, i) => i));
    });
  });

  describe('400', () => {
    test('a body that is not JSON', async () => {
      await expectProblem(await post(await app.createTenant(), '{"chat":'), 'BAD_REQUEST');
    });
  });

  describe('401', () => {
    test('without x-tenant-key', async () => {
      await expectProblem(await app.post(path, { chat: someNumber() }), 'UNAUTHENTICATED');
    });

    test.each([
      ['empty', () => ''],
      ['of another form', () => 'secret'],
      ['well-formed but unknown', () => `lw_${'A'.repeat(43)}`],
      [
        'a key in other letter case',
        (key: string) => (key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase()),
      ],
      ['a key cut short', (key: string) => key.slice(0, -1)],
      ['a key with a letter more', (key: string) => `${key}A`],
      ['two keys in one header', (key: string) => `${key}, ${key}`],
    ])('with an x-tenant-key that is %s', async (_, keyFrom) => {
      const tenant = await app.createTenant();
      await expectProblem(
        await app.post(path, { chat: someNumber() }, { 'x-tenant-key': keyFrom(tenant.apiKey) }),
        'UNAUTHENTICATED',
      );
      expect(await leadCount(tenant)).toBe(0);
    });

    test("with a tenant's key that has expired", async () => {
      const tenant = await app.createTenant();
      await app.sql(`UPDATE tenant_api_keys SET expires_at = now() - interval '1 second' WHERE tenant_id = $1`, [
        tenant.id,
      ]);
      await expectProblem(await post(tenant, { chat: someNumber() }), 'UNAUTHENTICATED');
    });

    test("with a user's token instead of a key", async () => {
      const tenant = await app.createTenant();
      await expectProblem(await app.post(path, { chat: someNumber() }, withToken(tenant.admin)), 'UNAUTHENTICATED');
    });

    test('with the key as a Bearer token', async () => {
      const tenant = await app.createTenant();
      const headers = { authorization: `Bearer ${tenant.apiKey}` };
      await expectProblem(await app.post(path, { chat: someNumber() }, headers), 'UNAUTHENTICATED');
    });
  });

  describe('413', () => {
    test('a body over 256 KiB', async () => {
      const body = { chat: someNumber(), note: 'a'.repeat(256 * 1024) };
      await expectProblem(await post(await app.createTenant(), body), 'PAYLOAD_TOO_LARGE');
    });
  });

  describe('415', () => {
    test('a body that is not declared as JSON', async () => {
      const tenant = await app.createTenant();
      const headers = { ...withKey(tenant), 'content-type': 'text/plain' };
      await expectProblem(await app.post(path, { chat: someNumber() }, headers), 'UNSUPPORTED_MEDIA_TYPE');
    });
  });

  describe('422', () => {
    test.each(wrongFields)('%s', async (_, body, paths) => {
      const tenant = await app.createTenant();
      await expectProblem(await post(tenant, body), 'VALIDATION_FAILED', paths);
      expect(await leadCount(tenant)).toBe(0);
    });

    test.each(toldByName)('%s is told by name', async (_, input, body, problems) => {
      const tenant = await app.createTenant(input);
      const { errors } = await expectProblem(await post(tenant, body), 'VALIDATION_FAILED');
      expect(errors).toEqual(problems);
      expect(await leadCount(tenant)).toBe(0);
    });

    test.each([
      ['letters', 'a'],
      ['characters of 4 bytes', '🙂'],
    ])('metadata over 16 KiB: %s', async (_, character) => {
      const note = fill(character, 16_384 - Buffer.byteLength('{"note":""}') + 1);
      await expectProblem(await post(await app.createTenant(), { chat: someNumber(), note }), 'VALIDATION_FAILED', [
        'metadata',
      ]);
    });

    test('metadata over 16 KiB for a lead that exists records no touch', async () => {
      const tenant = await app.createTenant();
      const chat = someNumber();
      await accepted(tenant, { chat });
      await expectProblem(await post(tenant, { chat, note: 'a'.repeat(16_384) }), 'VALIDATION_FAILED', ['metadata']);
      expect(await app.sql('SELECT id FROM lead_touches WHERE tenant_id = $1', [tenant.id])).toHaveLength(1);
    });
  });

  describe('the journal', () => {
    test('keeps each call as it arrived with what became of it, and never the key', async () => {
      const tenant = await app.createTenant();
      const body = '{ "chat": "5511988887777",  "name": "\\u0041na" }';
      const lead = (await (await post(tenant, body)).json()) as LeadAnswer;
      await post(tenant, '{"chat":"x"}');
      await post(tenant, '{"chat":');
      const deliveries = await app.sql<{ headers: object; body: Buffer; result: object | null }>(
        'SELECT route, headers, body, outcome, split_part(reason, $2, 1) AS code, result FROM webhook_deliveries WHERE tenant_id = $1 ORDER BY id',
        [tenant.id, ':'],
      );
      const common = { route: path, headers: expect.objectContaining({ 'content-type': 'application/json' }) };
      expect(deliveries.map((delivery) => ({ ...delivery, body: delivery.body.toString('utf8') }))).toEqual([
        { ...common, body, outcome: 'processed', code: null, result: lead },
        { ...common, body: '{"chat":"x"}', outcome: 'refused', code: 'VALIDATION_FAILED', result: null },
        { ...common, body: '{"chat":', outcome: 'refused', code: 'BAD_REQUEST', result: null },
      ]);
      expect(JSON.stringify(deliveries)).not.toContain(tenant.apiKey);
    });

    test('knows nothing of a call without a valid key', async () => {
      const tenant = await app.createTenant();
      await app.post(path, { chat: someNumber() }, { 'x-tenant-key': `lw_${'B'.repeat(43)}` });
      expect(await app.sql('SELECT id FROM webhook_deliveries WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    });
  });
}

/** A text of exactly so many bytes in UTF-8, made of one character and, for the remainder, of letters. */
function fill(character: string, bytes: number): string {
  const size = Buffer.byteLength(character);
  return character.repeat(Math.floor(bytes / size)) + 'a'.repeat(bytes % size);
}
