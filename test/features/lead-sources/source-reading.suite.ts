// A mapping's reading of a submission, without an application: pointers, both ways to write them, numbers as they were written.

import { parseExactJson, withoutField } from '../../../src/features/lead-sources/reading/exact-json.js';
import { parseFormBody } from '../../../src/features/lead-sources/reading/form-body.js';
import { readMapping, mappingOf } from '../../../src/features/lead-sources/reading/mapping.js';
import { DocumentReader } from '../../../src/features/lead-sources/reading/pointer.js';
import { readPosting } from '../../../src/features/lead-sources/reading/submission.js';

export function describeSourceReading(): void {
  const json = 'application/json';
  const submission = { externalId: null, formId: null, disclaimers: [], isTest: false };

  function leadOf(document: Record<string, unknown>, written: Record<string, unknown> | null = null) {
    const source = { sourceId: 'x', name: 'A form', mapping: mappingOf('FORM', written), country: undefined };
    const read = readPosting({ ...submission, document }, source, 'whole');
    if (!('posting' in read)) throw new Error(JSON.stringify(read));
    return read.posting;
  }

  test.each([
    ['/a/b', 1],
    ['/a~1b', 2],
    ['/m~0n', 3],
    ['/list/1', 5],
    ['/list/-1', undefined],
    ['/list/length', undefined],
    ['/constructor', undefined],
    ['/__proto__', undefined],
    ['/a/b/c', undefined],
    ['/', 6],
  ])('the pointer %s leads to %s', (pointer, expected) => {
    const document = { a: { b: 1 }, 'a/b': 2, 'm~n': 3, list: [4, 5], '': 6 };
    expect(new DocumentReader(document).valueAt(pointer)).toBe(expected);
  });

  test.each<[Record<string, unknown>]>([
    [{ '/tel': 'chat', '/who': 'name' }],
    [{ chat: '/tel', name: '/who' }],
    [{ tel: 'chat', who: 'name' }],
    [{ chat: 'tel', name: 'who' }],
  ])('%j names the number and the name', (mapping) => {
    expect(readMapping('FORM', mapping).problems).toEqual([]);
    expect(leadOf({ tel: '+5511988887777', who: 'Ana' }, mapping).lead).toMatchObject({
      chat: '5511988887777',
      name: 'Ana',
    });
  });

  test('names without a slash are answers of Meta and of Google', () => {
    for (const kind of ['META', 'GOOGLE'] as const)
      expect(mappingOf(kind, { tel: 'chat' }).fields.get('chat')).toEqual(['/answers/tel']);
  });

  test('what several pointers lead to: the first that has something', () => {
    const mapping = { '/a': 'chat', '/b': 'chat' };
    expect(leadOf({ a: ' ', b: ['+5511988887777'] }, mapping).lead.chat).toBe('5511988887777');
  });

  test.each([
    ['BR', '(11) 98888-7777'],
    ['Brasil', '(11) 98888-7777'],
    ['Brésil', '(11) 98888-7777'],
    ['+55', '(11) 98888-7777'],
    ['BRA', '(11) 98888-7777'],
    ['Бразилия', '(11) 98888-7777'],
    ['Narnia', '+55 11 98888-7777'],
  ])('a person may write the country %s', (country, phone) => {
    expect(leadOf({ phone, country }).lead.chat).toBe('5511988887777');
  });

  test('the id of a form and an e-mail address can be stored, and odd ids of answers name nothing', () => {
    const source = { sourceId: 'x', name: 'A form', mapping: mappingOf('FORM', null), country: undefined };
    const read = (document: Record<string, unknown>) =>
      readPosting({ ...submission, formId: 'a\u0000', document }, source, 'whole');
    expect(read({ email: 'a@example.com' })).toMatchObject({ held: { formId: 'a\uFFFD' } });
    expect(read({ email: 'a\u0000@example.com' })).toMatchObject({ errors: [{ path: 'chat' }] });
    const id = { toString: 1 };
    const answers = [
      { id, questionId: id, answer: 'x' },
      { type: 'text', text: 'x', field: { id } },
    ];
    expect(read({ answers })).toMatchObject({ errors: [{ path: 'chat' }] });
  });

  test('a country that nobody knows stays in the metadata, and reads no national number', () => {
    expect(leadOf({ phone: '+5511988887777', country: 'Narnia' }).lead.metadata).toEqual({ country: 'Narnia' });
    expect(leadOf({ phone: '+5511988887777', country: 'Brasil' }).lead.metadata).toBeUndefined();
    const source = { sourceId: 'x', name: 'A form', mapping: mappingOf('FORM', null), country: 'BR' as const };
    for (const phone of ['(11) 98888-7777', '11988887777']) {
      const document = { phone, country: 'Narnia', email: 'ana@example.com' };
      const { email, ...withoutEmail } = document;
      expect(readPosting({ ...submission, document }, source, 'whole')).toMatchObject({
        held: { email, country: null },
      });
      expect(readPosting({ ...submission, document: withoutEmail }, source, 'whole')).toMatchObject({
        errors: [{ path: 'country' }],
      });
    }
  });

  test('a name that looks empty is none, and marks that turn its direction are taken out', () => {
    expect(leadOf({ phone: '+5511988887777', name: '\u2800.' }).lead.name).toBeUndefined();
    expect(leadOf({ phone: '+5511988887777', name: 'Ana\u202Evli' }).lead.name).toBe('Anavli');
  });

  describe('metadata above 16 KiB', () => {
    const keptOf = (fields: Record<string, unknown>) => leadOf({ phone: '+5511988887777', ...fields }).lead.metadata!;
    const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

    test('long texts are cut first', () => {
      const kept = keptOf({ story: 'é'.repeat(9_000), city: 'Olinda' });
      expect(kept).toEqual({ story: 'é'.repeat(1_000), city: 'Olinda' });
    });

    test('then the largest fields are left out, and named', () => {
      const list = (count: number) => Array.from({ length: count }, () => 'x'.repeat(90));
      const kept = keptOf({ small: list(10), largest: list(300), large: list(180), city: 'Olinda' });
      expect(kept).toEqual({ small: list(10), city: 'Olinda', leftOut: ['largest', 'large'] });
      expect(bytesOf(keptOf({ a: list(85), b: list(84) }))).toBeLessThanOrEqual(16_384);
    });

    test('as many fields as fit are kept, and at most 20 are named', () => {
      const fields = Object.fromEntries(
        Array.from({ length: 2_000 }, (_, index) => [`field ${index}`, 'é'.repeat(10)]),
      );
      const kept = keptOf(fields);
      expect(bytesOf(kept)).toBeLessThanOrEqual(16_384);
      expect(bytesOf(kept)).toBeGreaterThan(15_000);
      expect(kept.leftOut).toHaveLength(20);
    });
  });

  test('the same submission has the same key, another id another one', () => {
    const mapping = { '/id': 'externalId' };
    const chat = '+5511988887777';
    const keys = [7, '7', 8].map((id) => leadOf({ chat, id }, mapping).key);
    expect([keys[0] === keys[1], keys[0] === keys[2]]).toEqual([true, false]);
  });

  describe('fields in the encoding of an old page', () => {
    const read = async (body: string, type: string) => (await parseFormBody(Buffer.from(body, 'latin1'), type)).value;
    const urlencoded = 'application/x-www-form-urlencoded';
    const multipart = 'multipart/form-data; boundary=x';
    const part = (value: string, headers = '') =>
      `--x\r\nContent-Disposition: form-data; name="nome"\r\n${headers}\r\n${value}\r\n--x--\r\n`;
    const utf8 = (text: string) => Buffer.from(text).toString('latin1');

    test.each([
      ['nome=Jos%E9+da+Silva', 'José da Silva'],
      ['nome=Jos%e9', 'José'],
      ['nome=Jos\xE9', 'José'],
      ['nome=Jos%C3%A9', 'José'],
      [`nome=${utf8('José')}`, 'José'],
      ['nome=%80', '€'],
      ['nome=100%', '100%'],
      ['nome=%zz%4', '%zz%4'],
      ['nome=a=b', 'a=b'],
      ['nome', ''],
      ['&&nome=%F0%9F%99%82&', '🙂'],
    ])('%j', async (body, nome) => {
      expect(await read(body, urlencoded)).toEqual({ nome });
    });

    test.each([
      ['{"nome":"Ana & Bia","telefone":"+5511988887777"}', { nome: 'Ana & Bia', telefone: '+5511988887777' }],
      [' [{"nome":"Ana"}]', [{ nome: 'Ana' }]],
      ['{nome}=Ana', { '{nome}': 'Ana' }],
      ['%7B%22nome%22:1%7D=', { '{"nome":1}': '' }],
    ])('JSON that is called form fields is JSON: %j', async (body, value) => {
      expect(await read(body, urlencoded)).toEqual(value);
    });

    test('broken JSON that is called form fields is said to be broken JSON', async () => {
      await expect(read('{"nome":"Ana"', urlencoded)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    });

    test.each([
      ['nome=%C0%ED%ED%E0', `${urlencoded}; charset=windows-1251`, 'Анна'],
      ['_charset_=windows-1251&nome=%C0%ED%ED%E0', urlencoded, 'Анна'],
      ['nome=%8ER%93c', `${urlencoded}; charset=Shift_JIS`, '山田'],
      [part('\xC0\xED\xED\xE0'), `${multipart}; charset=windows-1251`, 'Анна'],
      ['nome=Jos%C3%A9', `${urlencoded}; charset=windows-1251`, 'José'],
      ['nome=Jos%E9', `${urlencoded}; charset=x-own`, 'José'],
      ['nome=Jos%E9', `${urlencoded}; charset=utf-8`, 'José'],
      ['{"nome":"Jos\xE9"}', json, 'José'],
      ['{"nome":"\xC0\xED\xED\xE0"}', `${json}; charset=windows-1251`, 'Анна'],
      [JSON.stringify('{"nome":"Jos\\u00e9"}'), json, 'José'],
    ])('an encoding that is named is that of the fields: %j as %s', async (body, type, nome) => {
      expect(await read(body, type)).toMatchObject({ nome });
    });

    test('each field is judged by itself, and so is its name', async () => {
      expect(await read('a=%E9&b=%C3%A9&endere%E7o=x', urlencoded)).toEqual({ a: 'é', b: 'é', endereço: 'x' });
    });

    test.each([
      [part('Jos\xE9'), 'José'],
      [part(utf8('José 🙂')), 'José 🙂'],
      [part(utf8('José 🙂'), 'Content-Type: text/plain; charset=UTF-8\r\n'), 'José 🙂'],
      [part(utf8('José'), 'Content-Type: text/plain; charset=UTF-8\r\n'), 'José'],
      [part('Jos\xE9', 'Content-Type: text/plain; charset=ISO-8859-1\r\n'), 'José'],
    ])('multipart/form-data %j', async (body, nome) => {
      expect(await read(body, multipart)).toEqual({ nome });
    });

    test('multipart/form-data with the field in which a browser names the encoding', async () => {
      const named = part('windows-1251').replace('"nome"', '"_charset_"').replace('--x--\r\n', '');
      expect(await read(named + part('\xC8\xE2\xE0\xED'), multipart)).toMatchObject({ nome: 'Иван' });
    });
  });

  describe('a body whose type says nothing is read by its content', () => {
    const read = async (body: string, type: string | undefined) => (await parseFormBody(Buffer.from(body), type)).value;
    const vague = [undefined, '', 'text/plain', 'text/plain; charset=utf-8', 'text/html', 'application/octet-stream'];

    test.each([
      ['{"nome":"José","telefone":"+5511988887777"}', { nome: 'José', telefone: '+5511988887777' }],
      ['\uFEFF [{"a":9223372036854775807}]', [{ a: '9223372036854775807' }]],
      ['nome=Jos%C3%A9+Silva&telefone=%2B5511\r\n', { nome: 'José Silva', telefone: '+5511' }],
      ['mensagem=uma linha\noutra&nome=Ana', { mensagem: 'uma linha\noutra', nome: 'Ana' }],
      [
        'nome=Tom & Co\r\ntelefone=+55 11\r\nmensagem=a\r\nb\r\n',
        { nome: 'Tom & Co', telefone: '+55 11', mensagem: 'a\nb' },
      ],
    ])('%j', async (body, value) => {
      for (const type of vague) expect(await read(body, type)).toEqual(value);
    });

    test.each(['', 'Ana, +55 11 98888-7777', '<lead phone="1"/>', '--x\r\nContent-Disposition: form-data; name="a"'])(
      'neither JSON nor form fields: %j',
      async (body) => {
        for (const type of vague)
          await expect(read(body, type)).rejects.toMatchObject({
            code: 'UNSUPPORTED_MEDIA_TYPE',
            message: expect.stringContaining('neither JSON nor form fields'),
          });
      },
    );

    test('a list of the fields of one form is one submission, a list of people is not', async () => {
      const parsed = async (value: unknown) => (await parseFormBody(Buffer.from(JSON.stringify(value)), json)).value;
      const fields = [
        { name: 'nome', value: 'Ana' },
        { name: 'telefone', value: '+5511988887777' },
      ];
      expect(leadOf((await parsed(fields)) as Record<string, unknown>).lead).toMatchObject({
        chat: '5511988887777',
        name: 'Ana',
      });
      for (const people of [[], [{ name: 'Ana', phone: '1' }], [...fields, { name: 'Ana', phone: '1', value: '2' }]])
        expect(await parsed(people)).toEqual(people);
    });

    test('broken JSON is said to be broken JSON, and fields are as many as elsewhere', async () => {
      await expect(read('{"nome":"Ana"', 'text/plain')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      for (const between of ['&', '\n']) {
        const many = Array.from({ length: 501 }, (_, index) => `f${index}=1`).join(between);
        await expect(read(many, 'text/plain')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      }
    });
  });

  test('a mark before JSON does not matter', () => {
    const body = Buffer.from('\uFEFF{"id":9223372036854775807,"google_key":"x"}');
    expect(parseExactJson(body, json)).toEqual({ id: '9223372036854775807', google_key: 'x' });
    expect(withoutField(body, 'google_key').toString()).toBe('{"id":9223372036854775807}');
  });

  test('numbers that JavaScript would change are text, others stay numbers', () => {
    const body = Buffer.from('{"a":9223372036854775807,"b":-9007199254740993,"c":1e400,"d":12,"e":[1.5,1e3]}');
    expect(parseExactJson(body, json)).toEqual({
      a: '9223372036854775807',
      b: '-9007199254740993',
      c: '1e400',
      d: 12,
      e: [1.5, 1_000],
    });
  });

  test('a field is taken out at every depth, and nothing else changes', () => {
    const body = Buffer.from('{"key":"x","a":9223372036854775807,"b":{"key":1,"c":[{"key":2},1.50]},"key":"y"}');
    expect(withoutField(body, 'key').toString()).toBe('{"a":9223372036854775807,"b":{"c":[{},1.50]}}');
  });
}
