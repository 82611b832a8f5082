// Submissions whose number or name stands in an odd place: in pieces, beside an order, under an id, or under words that are in no list.

import type { Country } from '../../../src/platform/phone-numbers/country.js';
import { readLead, readSubmission } from './reading-harness.js';

const phone = '+5511988887777';
const stranger = '+5511977776666';

export function describeOddFields(): void {
  test.each([
    'No. HP / WA Aktif',
    'no telp',
    'Nomor WA',
    'Ваш телефон',
    'Номер телефона для связи',
    'आपका मोबाइल नंबर',
    'رقم هاتف للتواصل',
    'Il tuo numero di cellulare',
    'tel_portable',
    'Rückrufnummer',
    'Contact No.',
    'contactNo',
    'Ph no',
    'Zalo',
    'wpcf7-tel',
    'Best number to reach you',
    'Numéro pour vous contacter',
    'Qual o melhor número para contato (com DDD)?',
    'À quel numéro peut-on vous joindre ?',
    'Unter welcher Nummer erreichen wir Sie?',
    '¿A qué número te podemos llamar?',
    'İletişim Numarası',
    'Numer kontaktowy',
    'رقم التواصل',
    'et_pb_contact_phone_0',
    'Recapito',
    'Contacto',
    'responses/Telefone',
    'Tel/Fax',
    'fax_or_phone',
    'Mobile number for OTP',
    'WhatsApp para contato imobiliário',
    'guest_phone',
    '电话（我们的销售会联系您）',
    'Телефон (менеджер вам перезвонит)',
    'caller',
    'From',
  ])('the number of a form may be called %s', (field) => {
    expect(readLead({ [field]: phone, city: 'Olinda' })).toEqual({
      chat: '5511988887777',
      name: undefined,
      metadata: { city: 'Olinda' },
    });
  });

  test.each([
    { pedido_numero: '11988887777' },
    { 'Order number': '11988887777' },
    { fax: phone },
    { fax_phone: phone },
    { Telefax: phone },
    { phone_verified_at: '20261130111500' },
    { whatsapp_timestamp: '1764500000' },
    { microphone: '11988887777' },
    { 'Ordinateur portable': phone },
    { 'N° de commande': phone },
    { 'Tipo de imóvel': phone },
    { automóvil: '11988887777' },
    { fax_phone_1: '11', fax_phone_2: '98888', fax_phone_3: '7777' },
    { phones: [{ label: 'Emergency', number: phone }] },
    { contato: 'por e-mail' },
    { from: '2026-01-10', to: '2026-01-12' },
    { from: 'Ana', contact: 'yes' },
    { 'Best time to call you': '11988887777' },
    { from: 1795300000123, to: 1795400000123 },
    { contact: '1234567890123' },
    { 'Number of contacts': '11988887777' },
    { nome: '11988887777', cpf: '12345678909' },
  ])('none of these is a number: %j', (fields) => {
    expect(readSubmission(fields)).toMatchObject({
      errors: [{ path: 'chat', message: expect.stringContaining('is required') }],
    });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ 'Il tuo nome': 'Ana' }, 'Ana'],
    [{ name: '&nbsp;', full_name: 'Ana' }, 'Ana'],
    [{ Nombres: 'Ana', 'Apellido paterno': 'Silva' }, 'Ana Silva'],
    [{ nom: 'Silva', prénoms: 'Ana' }, 'Ana Silva'],
    [{ guest_name: 'Ana' }, 'Ana'],
    [{ guest_name: 'Bob', nome: 'Ana' }, 'Ana'],
    [{ 'आपका नाम': 'Ana' }, 'Ana'],
    [{ 'Ваше имя': 'Ana' }, 'Ana'],
    [{ 'Nama Anda': 'Ana' }, 'Ana'],
    [{ Adınız: 'Ana', Soyadınız: 'Silva' }, 'Ana Silva'],
    [{ İsim: 'Ana Silva' }, 'Ana Silva'],
    [{ 'Как вас зовут?': 'Ana' }, 'Ana'],
    [{ et_pb_contact_name_0: 'Ana' }, 'Ana'],
    [{ 'Vor- und Zuname': 'Ana Silva' }, 'Ana Silva'],
    [{ 'Contact Information Name': 'Ana Silva' }, 'Ana Silva'],
    [{ 'Candidate Name': 'Ana Silva' }, 'Ana Silva'],
    [{ name: { given_name: 'Ana', surname: 'Silva' } }, 'Ana Silva'],
    [{ name: { displayName: 'Ana Silva' } }, 'Ana Silva'],
    [{ First: 'Ana', Last: 'Silva' }, 'Ana Silva'],
    [{ name_full: 'Ana Silva', first: 'yes' }, 'Ana Silva'],
    [
      {
        fields: [
          { slug: 'first_name', value: 'Ana' },
          { slug: 'sms_number', value: phone },
        ],
      },
      'Ana',
    ],
  ])('the name of %j is %s', (fields, name) => {
    expect(readLead('fields' in fields ? fields : { phone, ...fields }).name).toBe(name);
  });

  test.each<[unknown, string]>([
    [['', '212', '555', '0123'], '12125550123'],
    [['1', '212', '555', '0123'], '12125550123'],
    [['+44', '7400', '123456'], '447400123456'],
    [['212', '555-0123'], '12125550123'],
    [[212, 555, 2368], '12125552368'],
    [{ country: '', areaCode: '212', prefix: '555', line: '0123' }, '12125550123'],
    [{ areaCode: '212', prefix: '351', line: '0123' }, '12123510123'],
    [{ area: '212', line: '5550123' }, '12125550123'],
    [
      [
        { label: 'work', value: '+49 30 901820', primary: false },
        { value: '+4915123456789', primary: true },
      ],
      '4915123456789',
    ],
    [['(212) 555-0123', '(212) 555-0199'], '12125550123'],
    [
      [
        { type: 'fax', number: '+1 212 555 0190' },
        { type: 'home', number: '+1 212 555 0199' },
        { type: 'mobile', number: '+1 212 555 0123' },
      ],
      '12125550123',
    ],
    [{ home: '+1 212 555 0123', id: '2125550199', verified_at: '20261130111500' }, '12125550123'],
    [{ work: '+1 212 555 0199', mobile: '+1 212 555 0123' }, '12125550123'],
    [{ emergency: '+1 212 555 0199', trabalho: '+1 212 555 0123' }, '12125550123'],
  ])('a number in pieces: %j is %s', (Phone, chat) => {
    expect(readLead({ Phone }, { country: 'US' }).chat).toBe(chat);
  });

  test.each([
    { Phone: ['212', '555'] },
    { Phone: ['212', 'no', '5550123'] },
    { Phone: { areaCode: '212', line: 'two' } },
    { Phone: [{ type: 'fax', number: '+1 212 555 0190' }] },
    { Phone: { fax: '+1 212 555 0190', emergency: '+1 212 555 0191', wife: '+1 212 555 0192' } },
    { microphone: { main: '+1 212 555 0190' } },
    { Phone: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'] },
  ])('these pieces make none: %j', (fields) => {
    expect(readSubmission(fields, { country: 'US' })).toMatchObject({ errors: [{ path: 'chat' }] });
  });

  test.each<[Record<string, unknown>, Country, string]>([
    [{ 'phone-1': '212', 'phone-2': '555', 'phone-3': '0123' }, 'US', '12125550123'],
    [{ phone1: '212', phone2: '555', phone3: '0123', cpf: '1' }, 'US', '12125550123'],
    [{ 'tel-3': '5678', 'tel-1': '090', 'tel-2': '1234' }, 'JP', '819012345678'],
    [{ 電話番号1: '090', 電話番号2: '1234', 電話番号3: '5678' }, 'JP', '819012345678'],
    [{ hp1: '010', hp2: '1234', hp3: '5678' }, 'KR', '821012345678'],
    [{ telefone_1: '55', telefone_2: '11', telefone_3: '988887777' }, 'BR', '5511988887777'],
    [{ phone_area: '212', phone_prefix: '555', phone_line: '0123' }, 'US', '12125550123'],
    [{ phone_prefix: '212', phone_line: '5550123' }, 'US', '12125550123'],
    [{ phone_country: '1', phone_area: '212', phone_exchange: '555', phone_suffix: '0123' }, 'BR', '12125550123'],
    [{ 'Phone (Area Code)': '212', 'Phone (Number)': '555-0123' }, 'US', '12125550123'],
    [{ phonecc: '351', phone: '912345678' }, 'BR', '351912345678'],
    [{ isd_code: '91', mobile: '9876543210' }, 'BR', '919876543210'],
    [{ phone_country_iso2: 'pt', phone: '912345678' }, 'BR', '351912345678'],
    [{ countryData: { dialCode: '351', iso2: 'pt', name: 'Portugal' }, phone: '912345678' }, 'BR', '351912345678'],
    [{ std_code: '011', phone: '23456789' }, 'IN', '911123456789'],
    [{ 'phone-1': '212', 'phone-2': '555', 'phone-3': '0123', mobile: phone }, 'US', '5511988887777'],
    [{ 'phone-1': '11988887777', 'phone-2': '11977776666' }, 'BR', '5511988887777'],
  ])('the pieces of a number stand in fields of their own: %j in %s', (fields, country, chat) => {
    expect(readLead({ ...fields, nome: 'Ana' }, { country })).toMatchObject({ chat, name: 'Ana' });
  });

  test.each<[Record<string, unknown>]>([
    [{ 'phone-1': '212' }],
    [{ 'phone-1': '212', 'phone-2': '555', 'phone-3': '' }],
    [{ 'phone-1': '5550123', 'phone-2': '5550199' }],
    [{ phone_line: '5550123' }],
    [{ agent_phone_1: '212', agent_phone_2: '555', agent_phone_3: '0123' }],
    [{ room1: '212', room2: '555', room3: '0123' }],
  ])('%j are no pieces of one', (fields) => {
    expect(readSubmission(fields, { country: 'US' })).toMatchObject({ errors: [{ path: 'chat' }] });
  });

  test.each<[unknown, string | undefined]>([
    [['Ann', 'Lee'], 'Ann Lee'],
    [['Ann', 'Maria', 'Lee'], 'Ann Maria Lee'],
    [['Ann', 'Lee Smith'], 'Ann Lee Smith'],
    [['', 'Ann'], 'Ann'],
    [['Ann Lee', 'Bob Ray'], 'Ann Lee'],
    [['Ann', 'Ann Lee'], 'Ann'],
    [['Ann Lee', 'Ann Lee'], 'Ann Lee'],
    [['Ann', 'option 2'], 'Ann'],
  ])('a name in a list: %j is %s', (name, read) => {
    expect(readLead({ name, phone }).name).toBe(read);
    expect(readLead({ 'Your name': name, phone }).name).toBe(read);
    expect(readLead({ who: name, phone }, { mapping: { '/who': 'name' } }).name).toBe(read);
  });

  test('what is no number under the usual pointer does not hide the one of another field', () => {
    for (const nothing of ['none', '-', '0', '+55', '(__) _____-____', 'ana@a.example', 0, false])
      expect(readLead({ phone: nothing, celular: '11 98888-7777' }).chat).toBe('5511988887777');
    expect(readSubmission({ phone: 'none', celular: 'no' })).toMatchObject({
      errors: [{ message: 'has to be a phone number: digits with country code (/chat, /phone)' }],
    });
    expect(readSubmission({ tel: 'none', celular: phone }, { mapping: { '/tel': 'chat' } })).toMatchObject({
      errors: [{ path: 'chat' }],
    });
  });

  test.each<[Record<string, unknown>]>([
    [{ 'name-1-first-name': 'Ana', 'name-1-last-name': 'Silva', 'phone-1': phone }],
    [{ 'mf-first-name': 'Ana', 'mf-last-name': 'Silva', 'mf-telephone': phone }],
    [{ inf_field_FirstName: 'Ana', inf_field_LastName: 'Silva', inf_field_Phone1: phone }],
    [{ txtNome: 'Ana Silva', txtTelefone: phone }],
    [{ raw__full_name: 'Ana Silva', raw__phone_number: phone }],
  ])('marks of products and programmers before a name say nothing: %j', (fields) => {
    expect(readLead(fields)).toMatchObject({ chat: '5511988887777', name: 'Ana Silva' });
  });

  test('texts that a form wrote as HTML', () => {
    const fields = { name: 'Jo&atilde;o &amp; O&#039;Brien &#x1F600; &Ccedil;', phone: '&#43;55&nbsp;11 98888-7777' };
    expect(readLead(fields)).toMatchObject({ chat: '5511988887777', name: "João & O'Brien 😀 Ç" });
    expect(readLead({ name: 'A&B &sum; &#0; &#55296; &amp;lt;', phone }).name).toBe('A&B &sum; &#0; &#55296; &lt;');
  });

  test('of a list with several numbers, the metadata keep them all', () => {
    const telefone = ['11988887777', '1133334444'];
    expect(readLead({ telefone })).toEqual({ chat: '5511988887777', name: undefined, metadata: { telefone } });
    expect(readLead({ telefone: ['11988887777', ''] }).metadata).toBeUndefined();
  });

  test('a number that comes once more with its country is that one', () => {
    const short = '600 12 34 56';
    expect(readLead({ phone: short, phone_full: '+34600123456' }).chat).toBe('34600123456');
    expect(readLead({ telefone: short, telefone_e164: '+34 600 123 456' }).chat).toBe('34600123456');
    expect(readLead({ phone: '11988887777', phone_office: '+34600123456' }).chat).toBe('5511988887777');
    expect(readLead({ phone: '11988887777', agent_phone: '+351911988887777' }).chat).toBe('5511988887777');
  });

  test.each<[Record<string, unknown>]>([
    [{ guest_phone: stranger, telefone: phone }],
    [
      {
        phones: [
          { label: 'Emergency', number: stranger },
          { label: 'Home', number: phone },
        ],
      },
    ],
    [
      {
        phones: [
          { phone_type: 'FAX', number: stranger },
          { phone_type: 'Home', number: phone },
        ],
      },
    ],
    [
      {
        telefones: [
          { tipo: 'Comercial', numero: stranger },
          { tipo: 'Celular', numero: phone },
        ],
      },
    ],
    [{ category: 'Fax machines', telefone: phone }],
    [{ phone: { label: 'Tel/Fax', number: phone } }],
  ])('the kind of a number says whether it is the one of the lead: %j', (document) => {
    expect(readLead(document).chat).toBe('5511988887777');
  });

  test('numbers that are counted are no pieces of one', () => {
    const problem = readSubmission({ number1: '11', number2: '98888', number3: '7777' });
    expect(problem).toMatchObject({ errors: [{ path: 'chat' }] });
  });

  test('lists and texts of any length are read in a moment', () => {
    const words = Array.from({ length: 20_000 }, (_word, index) => `w${String.fromCodePoint(0x4e_00 + index)}`);
    const begin = performance.now();
    expect(readLead({ name: words, telefone: phone, x: 'for '.repeat(60_000) }).chat).toBe('5511988887777');
    expect(performance.now() - begin).toBeLessThan(2_000);
  });

  test('the properties of Notion have their values under the names of their types', () => {
    const properties = {
      Nome: { type: 'title', title: [{ plain_text: 'Ana ' }, { plain_text: 'Silva' }] },
      Celular: { type: 'rich_text', rich_text: [{ plain_text: '11 98888-7777' }] },
      Origem: { type: 'select', select: { name: 'Instagram' } },
    };
    expect(readLead({ data: { properties } })).toEqual({
      chat: '5511988887777',
      name: 'Ana Silva',
      metadata: { data: { properties: { Origem: properties.Origem } } },
    });
    const empty = { Celular: { type: 'phone_number', phone_number: null }, Nome: properties.Nome };
    expect(readSubmission({ properties: empty })).toMatchObject({ errors: [{ path: 'chat' }] });
  });

  test('an answer under the name of its type is named by its question, which may ask for somebody else', () => {
    const field = (key: string, value: string) => ({ key, label: { custom: key }, type: 'text', text: { value } });
    expect(readLead({ custom_fields: [field('company', 'ACME'), field('whatsapp', phone)] }).chat).toBe(
      '5511988887777',
    );
    const ofAgent = { key: 'agent phone', type: 'phone_number', phone_number: stranger };
    expect(readSubmission({ answers: [ofAgent] })).toMatchObject({ errors: [{ path: 'chat' }] });
    const listed = { label: 'Telefone', values: [{ answer: '11988887777' }] };
    expect(readLead({ fields: [listed] }).chat).toBe('5511988887777');
  });

  test("answers of Google's forms name their questions by ids", () => {
    const answerOf = (questionId: string, value: string) => ({ questionId, textAnswers: { answers: [{ value }] } });
    const answersWith = (number: string) => ({
      '1a2b3c4d': answerOf('1a2b3c4d', 'Ana Silva'),
      '5e6f7a8b': answerOf('5e6f7a8b', number),
    });
    const itemOf = (questionId: string, title: string) => ({
      itemId: '1',
      title,
      questionItem: { question: { questionId } },
    });
    const form = { items: [itemOf('1a2b3c4d', 'Nome'), itemOf('5e6f7a8b', 'WhatsApp')] };
    const response = { responseId: 'x', answers: answersWith('11 98888-7777') };
    expect(readLead({ form, ...response })).toMatchObject({ chat: '5511988887777', name: 'Ana Silva' });
    expect(readLead({ form, responses: [response] })).toMatchObject({ chat: '5511988887777', name: 'Ana Silva' });
    expect(readLead({ answers: answersWith(phone) })).toMatchObject({ chat: '5511988887777', name: undefined });
    const message = expect.stringContaining('/answers/5e6f7a8b/textAnswers/answers/0/value');
    expect(readSubmission(response)).toMatchObject({ errors: [{ path: 'chat', message }] });
  });

  test('fields under ids are named by the structure of the form beside them', () => {
    const Fields = [
      { Title: 'Name', ID: 'Field1' },
      { Title: 'Phone', ID: 'Field5' },
    ];
    const entry = { Field1: 'Ana', Field5: '11988887777', FieldStructure: JSON.stringify({ Fields }) };
    expect(readLead(entry)).toMatchObject({ chat: '5511988887777', name: 'Ana' });
    const shown = [{ gid: '1', name: 'Phone', display_value: phone }];
    expect(readLead({ data: { custom_fields: shown } }).chat).toBe('5511988887777');
  });

  test('answers under ids: a number with its country is found, others are listed', () => {
    const ids = { '1.3': 'Ana', input_5: 'ACME 11 98888-7777', r5f0c1d2e3a4b: '01310-100' };
    expect(readLead({ ...ids, 2: '(11) 98888-7777' }).chat).toBe('5511988887777');
    expect(readLead({ ...ids, 2: phone })).toMatchObject({ chat: '5511988887777', name: undefined, metadata: ids });
    const message = expect.stringContaining('map that of the number, one of /2, /1.3, /input_5, /r5f0c1d2e3a4b');
    expect(readSubmission({ ...ids, 2: '11 98888-7777' })).toMatchObject({ errors: [{ path: 'chat', message }] });
    expect(readSubmission({ notes: phone })).toMatchObject({ errors: [{ message: 'is required (/chat, /phone)' }] });
  });

  test.each(['#1001', 'ACME1001', '1001-BR'])('an order called %s is no person', (name) => {
    const order = { name, order_number: 1001 };
    expect(readLead({ ...order, phone, customer: { first_name: 'Ana', last_name: 'Silva' } }).name).toBe('Ana Silva');
    expect(readLead({ ...order, billing_address: { name: 'Ana Silva', phone } })).toMatchObject({ name: 'Ana Silva' });
  });

  test('who buys may have a name beside the number of the order', () => {
    expect(readLead({ name: 'Ana Silva', order_number: 1001, phone }).name).toBe('Ana Silva');
  });

  test('the e-mail address of a held submission is that of the person, unless only another is known', () => {
    const organizer = { email: 'bob@a.example' };
    const attendees = [{ name: 'Ana', email: 'ana@a.example' }];
    expect(readSubmission({ organizer, attendees })).toMatchObject({ held: { email: 'ana@a.example' } });
    expect(readSubmission({ organizer, notes: 'x' })).toMatchObject({ held: { email: 'bob@a.example' } });
    expect(readSubmission({ from: '5511988887777-1600000000@g.us' })).toMatchObject({ errors: [{ path: 'chat' }] });
  });
}
