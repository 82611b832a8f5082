// Submissions whose number or name stands in an odd place: in pieces, beside an order, under an id, or under words that are in no list.

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
  ])('the name of %j is %s', (fields, name) => {
    expect(readLead({ phone, ...fields }).name).toBe(name);
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
  ])('a number in pieces: %j is %s', (Phone, chat) => {
    expect(readLead({ Phone }, { country: 'US' }).chat).toBe(chat);
  });

  test.each([
    { Phone: ['212', '555'] },
    { Phone: ['212', 'no', '5550123'] },
    { Phone: { areaCode: '212', line: 'two' } },
    { Phone: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'] },
  ])('these pieces make none: %j', (fields) => {
    expect(readSubmission(fields, { country: 'US' })).toMatchObject({ errors: [{ path: 'chat' }] });
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
  });
}
