// Submissions whose mapping leads to no number or no name: the fields are found by the names that people give to them.

import { readLead, readSubmission } from './reading-harness.js';

const phone = '+5511988887777';

export function describeUsualNames(): void {
  test.each([
    'Phone',
    'PHONE NUMBER',
    'mobile',
    'telephone',
    'your-phone',
    'tel-123',
    'phone_1',
    'q3_phoneNumber',
    'phone[]',
    'telefone',
    'Telefone *',
    'Celular/WhatsApp',
    'Nº de telefone',
    'teléfono',
    'móvil',
    'número_de_telefone',
    'Téléphone',
    'Téléphone portable',
    'numéro_de_téléphone',
    'Telefonnummer',
    'Handynummer',
    'Mobilnummer',
    'fields[phone][value]',
    'form_fields[telefone]',
    'contact[phone]',
    'Qual é o seu WhatsApp?',
    'Ihre Telefonnummer',
    'Celular (com DDD)',
    'Seu WhatsApp (opcional): *',
    'N° de portable',
    'N.º de telemóvel',
    'Fono',
    'Wpp',
    'Моб.',
    'Номер',
    'नंबर',
  ])('the number of a form may be called %s', (field) => {
    expect(readLead({ [field]: phone, city: 'Olinda' })).toEqual({
      chat: '5511988887777',
      name: undefined,
      metadata: { city: 'Olinda' },
    });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ Name: 'Ana Silva' }, 'Ana Silva'],
    [{ nome: 'Ana Silva' }, 'Ana Silva'],
    [{ 'Nombre y apellidos': 'Ana Silva' }, 'Ana Silva'],
    [{ 'your-name': 'Ana Silva' }, 'Ana Silva'],
    [{ nom: 'Silva', prénom: 'Ana' }, 'Ana Silva'],
    [{ nom: 'Ana Silva' }, 'Ana Silva'],
    [{ Vorname: 'Ana', Nachname: 'Silva' }, 'Ana Silva'],
    [{ name: 'Silva', vorname: 'Ana' }, 'Ana Silva'],
    [{ name: 'Ana', surname: 'Silva' }, 'Ana Silva'],
    [{ name: 'Ana Silva', surname: 'Silva' }, 'Ana Silva'],
    [{ nome: 'Ana', sobrenome: 'Silva' }, 'Ana Silva'],
    [{ nombre: 'Ana', apellidos: 'Silva' }, 'Ana Silva'],
    [{ first_name: 'Ana', last_name: 'Silva' }, 'Ana Silva'],
    [{ name: { first: 'Ana', last: 'Silva' } }, 'Ana Silva'],
    [{ 'Nome (como no RG)': 'Ana Silva' }, 'Ana Silva'],
    [{ 'Name (optional)': 'Ana', 'Surname (optional)': 'Silva' }, 'Ana Silva'],
    [{ fullname: { prefix: 'Dr', first: 'Ana', middle: 'B', last: 'Silva' } }, 'Ana B Silva'],
  ])('the name of %j is %s', (fields, name) => {
    expect(readLead({ phone, ...fields }).name).toBe(name);
  });

  test.each([
    "What's your name?",
    'What is your full name?',
    'Please enter your name',
    'Your Name *',
    'Qual é o seu nome?',
    'Qual_é_o_seu_nome_completo?',
    'Digite seu nome',
    '¿Cuál es tu nombre?',
    'Wie ist Ihr Name?',
    'Quel est votre nom ?',
    'Como você se chama?',
    '¿Cómo te llamas?',
  ])('the question %j asks for the name', (question) => {
    expect(readLead({ phone, [question]: 'Ana Silva' }).name).toBe('Ana Silva');
  });

  test.each(['What is the name of your company?', "Your child's name", 'Qual é o nome da sua empresa?', 'Your', 'a o'])(
    'the question %j does not',
    (question) => {
      expect(readLead({ phone, [question]: 'Acme' }).name).toBeUndefined();
    },
  );

  test('words of a contact, a company or an agent are no name of the lead', () => {
    const fields = { contact: 'by e-mail', cliente: 'yes', company: { name: 'Acme' }, agent: { name: 'Bo' } };
    expect(readLead({ phone, ...fields })).toEqual({ chat: '5511988887777', name: undefined, metadata: fields });
  });

  test.each<[unknown, string]>([
    [{ full: phone }, '5511988887777'],
    [{ area: '11', phone: '98888-7777' }, '5511988887777'],
    [{ country_code: '+351', number: '912345678' }, '351912345678'],
    [{ country: '351', number: phone }, '5511988887777'],
    [{ id: 'phone', type: 'tel', value: phone }, '5511988887777'],
    [['', { full: phone }], '5511988887777'],
    [{ numero: '11 98888-7777' }, '5511988887777'],
  ])('a number in parts: %j is %s', (value, chat) => {
    expect(readLead({ telefone: value }).chat).toBe(chat);
    expect(readLead({ tel: value }, { mapping: { '/tel': 'chat' } }).chat).toBe(chat);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ ddd: '11', telefone: '98888-7777' }, '5511988887777'],
    [{ DDD: '(011)', Celular: '988887777' }, '5511988887777'],
    [{ telefone_ddd: 11, telefone: '988887777' }, '5511988887777'],
    [{ ddd_celular: '11', celular: '988887777' }, '5511988887777'],
    [{ ddi: '+55', ddd: '11', telefone: '988887777' }, '5511988887777'],
    [{ ddd: '21', telefone: '11 98888-7777' }, '5511988887777'],
    [{ ddd: '21', telefone: phone }, '5511988887777'],
    [{ ddd: 'no', telefone: '11 98888-7777' }, '5511988887777'],
    [{ ddi: '351', telefone: '912345678' }, '351912345678'],
    [{ ddi: 351, telefone: phone }, '5511988887777'],
    [{ prefijo: '+34', movil: '612345678' }, '34612345678'],
    [{ prefijo: '34', movil: '612345678' }, '34612345678'],
    [{ prefixo: '11', celular: '988887777' }, '5511988887777'],
    [{ phone_prefix: '351', phone: '912345678' }, '351912345678'],
    [{ international_dialing_code: '351', phone: '912345678' }, '351912345678'],
    [{ vorwahl: '+49', mobil: '15112345678' }, '4915112345678'],
    [{ phone_country_code: 'PT', phone: '912345678' }, '351912345678'],
    [{ checkout_phone_code: '351', checkout_phone: '912345678' }, '351912345678'],
    [{ billing: { country: 'PT', phone: '912345678' } }, '351912345678'],
    [{ pais: 'Portugal', telefone: '(11) 98888-7777' }, '5511988887777'],
    [{ country: 'BR', ddi: '351', phone: '11988887777' }, '5511988887777'],
    [{ phone: { dialCode: '351', countryCode: 'PT', number: '912345678' } }, '351912345678'],
    [{ phone: { countryCode: 'PT', number: '912345678' } }, '351912345678'],
    [{ phone: { countryCode: 'DE', number: '0151 12345678' } }, '4915112345678'],
    [{ phone: { countryCode: 'BR', number: '011 98888-7777' } }, '5511988887777'],
    [{ country: 'unknown', ddi: '351', phone: '912345678' }, '351912345678'],
    [{ area: '120', rooms: '3', phone: '11988887777' }, '5511988887777'],
    [{ code: '351', phone: '11988887777' }, '5511988887777'],
  ])('parts of a number stand in fields of their own: %j is %s', (fields, chat) => {
    expect(readLead(fields).chat).toBe(chat);
  });

  test('parts of another number, and parts beside a number that a mapping names', () => {
    expect(readLead({ telefone: '11988887777', office: { ddi: '351', fax: '1' } }).chat).toBe('5511988887777');
    expect(readLead({ ddd: '11', who: '988887777' }, { mapping: { '/who': 'chat' } }).chat).toBe('5511988887777');
    expect(readLead({ ddi: '351', tel: '912345678', land: 'DE' }, { mapping: { '/land': 'country' } })).toMatchObject({
      chat: '49912345678',
    });
    expect(readLead({ ddd: '11', telefone: '988887777', nome: 'Ana' })).toMatchObject({
      name: 'Ana',
      metadata: { ddd: '11' },
    });
    const answers = { país: 'Portugal', ddi: '+351' };
    expect(readLead({ telefone: '912345678', ...answers })).toMatchObject({ chat: '351912345678', metadata: answers });
  });

  test('a number is found in an object or in JSON that is text, and the name beside it counts', () => {
    const person = { telefone: phone, nome: 'Ana' };
    for (const data of [person, { form: { fields: person } }, JSON.stringify(person)])
      expect(readLead({ name: 'Form of the spring', data })).toMatchObject({ chat: '5511988887777', name: 'Ana' });
    expect(readLead({ phone, name: 'Bia', data: person })).toMatchObject({ name: 'Bia' });
  });

  test.each<[string, Record<string, unknown>]>([
    [
      'Tally',
      {
        data: {
          formName: 'Form of the spring',
          fields: [
            { key: 'question_3', label: 'Seu nome', type: 'INPUT_TEXT', value: null },
            { key: 'question_1', label: 'Nome completo', type: 'INPUT_TEXT', value: 'Ana Silva' },
            { key: 'question_2', label: 'Telefone', type: 'INPUT_PHONE_NUMBER', value: phone },
          ],
        },
      },
    ],
    [
      'Fillout',
      {
        formName: 'Form of the spring',
        submission: {
          questions: [
            { id: 'a', name: 'First name', type: 'ShortAnswer', value: 'Ana' },
            { id: 'b', name: 'Last name', type: 'ShortAnswer', value: 'Silva' },
            { id: 'c', name: 'What is your phone number?', type: 'PhoneNumber', value: phone },
          ],
        },
      },
    ],
    [
      'Paperform',
      {
        data: [
          { title: 'Name', type: 'text', key: '4b', value: 'Ana Silva' },
          { title: 'WhatsApp', type: 'phone', key: '5a', value: phone },
        ],
      },
    ],
    [
      'texts in a list',
      {
        fields: [
          { name: 'nome', values: ['Ana Silva'] },
          { name: 'celular', values: [phone] },
        ],
      },
    ],
    [
      'names under key',
      {
        fields: [
          { key: 'phone_number', value: phone },
          { key: 'name', value: 'Ana Silva' },
        ],
      },
    ],
    [
      'an object by ids',
      {
        fields: {
          1: { name: 'Name', value: 'Ana Silva', id: 1, type: 'name' },
          2: { name: 'Phone', value: phone, id: 2, type: 'phone' },
        },
      },
    ],
    [
      'titles of form fields beside',
      {
        'form[id]': '9b2',
        'fields[name][title]': 'Nome',
        'fields[name][value]': 'Ana Silva',
        'fields[a1][id]': 'a1',
        'fields[a1][title]': 'WhatsApp',
        'fields[a1][value]': phone,
      },
    ],
    [
      'names behind a mark',
      {
        data: {
          'field:first_name': 'Ana',
          'field:last_name': 'Silva',
          'field:phone': phone,
          submissions: [{ label: 'Phone', value: phone }],
        },
      },
    ],
    [
      'names in capitals with places',
      { NAME: 'Ana', LAST_NAME: 'Silva', 'PHONE[0][VALUE]': phone, 'PHONE[0][VALUE_TYPE]': 'WORK' },
    ],
    [
      'lists by their questions',
      { namedValues: { 'Nome completo': ['Ana Silva'], 'Telefone com DDD': ['(11) 98888-7777'] } },
    ],
    [
      'names under field',
      {
        formValues: [
          { field: 'Phone', value: phone },
          { field: 'Name', value: 'Ana Silva' },
        ],
      },
    ],
    [
      'questions by their types',
      {
        data: {
          answers: [
            { question_type: 'FULL_NAME', answers: ['Ana Silva'] },
            { question_type: 'PHONE_NUMBER', answers: [phone] },
          ],
        },
      },
    ],
    [
      'columns of Google',
      {
        user_column_data: [
          { column_id: 'FULL_NAME', column_name: 'Full Name', string_value: 'Ana Silva' },
          { column_id: 'PHONE_NUMBER', column_name: 'User Phone', string_value: phone },
        ],
      },
    ],
    [
      'headings with texts',
      {
        questions: [
          { heading: 'Nome', answers: [{ text: 'Ana Silva' }] },
          { heading: 'Telefone', answers: [{ text: phone }] },
        ],
      },
    ],
    ['flattened answers', { 'data__full name': 'Ana Silva', 'data.phone number': phone, 'data__company.name': 'Acme' }],
    ['remarks that tell the part', { 'Name (First)': 'Ana', 'Name (Last)': 'Silva', Phone: phone }],
    ['parts under names', { names: { first_name: 'Ana', last_name: 'Silva' }, phone }],
    [
      'parts under value',
      { Name: { value: { first: 'Ana', last: 'Silva' }, type: 'name' }, Phone: { value: phone, type: 'phone' } },
    ],
    [
      'a list of questions within a person',
      {
        event: 'created',
        payload: {
          name: 'Ana Silva',
          email: 'ana@a.example',
          answers: [
            { question: 'Phone', answer: phone },
            { question: 'Size', answer: 'L' },
          ],
        },
      },
    ],
    [
      'in Portuguese',
      {
        respostas: [
          { pergunta: 'Qual o seu WhatsApp?', resposta: phone },
          { pergunta: 'Qual é o seu nome?', resposta: 'Ana Silva' },
        ],
      },
    ],
    ['a call', { tracking_phone_number: '+5511977776666', caller_number: phone, caller_name: 'Ana Silva' }],
    ['RD Station', { leads: [{ id: '1', email: 'ana@example.com', name: 'Ana Silva', mobile_phone: phone }] }],
  ])('answers are found by their questions: %s', (_, document) => {
    expect(readLead(document)).toMatchObject({ chat: '5511988887777', name: 'Ana Silva' });
  });

  test.each<[string, Record<string, unknown>]>([
    ['Arabic', { الاسم: 'Ana Silva', 'رقم الهاتف': phone }],
    ['Arabic, in parts', { 'الاسم الأول': 'Ana', 'اسم العائلة': 'Silva', 'رقم التليفون': phone }],
    ['Bengali', { নাম: 'Ana Silva', 'মোবাইল নম্বর': phone }],
    ['Bulgarian', { Име: 'Ana', Фамилия: 'Silva', Телефон: phone }],
    ['Catalan', { Nom: 'Ana', Cognoms: 'Silva', Telèfon: phone }],
    ['Chinese', { 姓名: 'Ana Silva', 手机号: phone }],
    ['Chinese, asking', { 您的姓名: 'Ana Silva', 联系方式: phone }],
    ['Croatian', { Ime: 'Ana', Prezime: 'Silva', Mobitel: phone }],
    ['Czech', { Jméno: 'Ana', Příjmení: 'Silva', 'Telefonní číslo': phone }],
    ['Danish', { Fornavn: 'Ana', Efternavn: 'Silva', 'Tlf.': phone }],
    ['Dutch', { Voornaam: 'Ana', Achternaam: 'Silva', Telefoonnummer: phone }],
    ['Estonian', { Eesnimi: 'Ana', Perekonnanimi: 'Silva', Telefon: phone }],
    ['Finnish', { Etunimi: 'Ana', Sukunimi: 'Silva', Puhelinnumero: phone }],
    ['Georgian', { სახელი: 'Ana', გვარი: 'Silva', ტელეფონი: phone }],
    ['Greek', { Όνομα: 'Ana', Επώνυμο: 'Silva', 'Κινητό τηλέφωνο': phone }],
    ['Hebrew', { 'שם מלא': 'Ana Silva', טלפון: phone }],
    ['Hindi', { नाम: 'Ana Silva', 'मोबाइल नंबर': phone }],
    ['Hungarian', { 'Teljes név': 'Ana Silva', Telefonszám: phone }],
    ['Indonesian', { 'Nama Depan': 'Ana', 'Nama Belakang': 'Silva', 'No. WA': phone }],
    ['Italian', { Nome: 'Ana', Cognome: 'Silva', Cellulare: phone }],
    ['Japanese', { 'お名前（必須）': 'Ana Silva', ご連絡先: phone }],
    ['Korean', { 성함: 'Ana Silva', 연락처: phone }],
    ['Latvian', { Vārds: 'Ana', Uzvārds: 'Silva', Tālrunis: phone }],
    ['Lithuanian', { Vardas: 'Ana', Pavardė: 'Silva', 'Telefono numeris': phone }],
    ['Persian', { نام: 'Ana', 'نام خانوادگی': 'Silva', 'شماره تماس': phone }],
    ['Polish', { Imię: 'Ana', Nazwisko: 'Silva', 'Telefon komórkowy': phone }],
    ['Romanian', { Nume: 'Silva', Prenume: 'Ana', Telefon: phone }],
    ['Russian', { Имя: 'Ana', Фамилия: 'Silva', 'Контактный номер': phone }],
    ['Russian, whole', { 'Ваше имя': 'x', 'Имя и фамилия': 'Ana Silva', Телефон: phone }],
    ['Slovak', { Meno: 'Ana', Priezvisko: 'Silva', Mobil: phone }],
    ['Slovene', { Ime: 'Ana', Priimek: 'Silva', 'Telefonska številka': phone }],
    ['Swahili', { Jina: 'Ana Silva', Simu: phone }],
    ['Swedish', { Förnamn: 'Ana', Efternamn: 'Silva', Mobilnummer: phone }],
    ['Thai', { ชื่อ: 'Ana', นามสกุล: 'Silva', เบอร์โทร: phone }],
    ['Turkish', { Ad: 'Ana', Soyad: 'Silva', Telefon: phone }],
    ['Turkish, asking', { Adınız: 'Ana', Soyadınız: 'Silva', Telefonunuz: phone }],
    ['Ukrainian', { 'Ім’я': 'Ana', Прізвище: 'Silva', 'Номер телефону': phone }],
    ['Vietnamese', { 'Họ và tên': 'Ana Silva', 'Số điện thoại': phone }],
  ])('the commonest names of further languages: %s', (_language, answers) => {
    expect(readLead(answers)).toMatchObject({ chat: '5511988887777', name: 'Ana Silva' });
  });

  test.each<Record<string, unknown>>([
    { 姓: '山田', 名: '太郎', セイ: 'ヤマダ', メイ: 'タロウ' },
    { 'お名前（姓）': '山田', 'お名前（名）': '太郎', フリガナ: 'ヤマダタロウ' },
    { Keresztnév: '太郎', Vezetéknév: '山田' },
    { Tên: '太郎', Họ: '山田' },
    { 이름: '太郎', 성: '山田' },
  ])('the family name stands first where its language puts it: %j', (names) => {
    expect(readLead({ phone, ...names }).name).toBe('山田 太郎');
  });

  test.each<[Record<string, unknown>, string | undefined]>([
    [{ ad: 'Spring sale', campaign: 'x' }, undefined],
    [{ ad: 'Spring sale', name: 'Ana' }, 'Ana'],
    [{ 'First contact': 'May', 'Last contact': 'June' }, undefined],
    [{ Voornaam: 'Ana', Tussenvoegsel: 'da', Achternaam: 'Silva' }, 'Ana da Silva'],
    [{ Nombre: 'Ana', 'Apellido paterno': 'Silva', 'Apellido materno': 'Ruiz' }, 'Ana Silva Ruiz'],
    [{ 'Name (First)': 'Ana', 'Name (Middle)': 'B', 'Name (Last)': 'Silva' }, 'Ana B Silva'],
  ])('words with two meanings, and further parts of a name: %j', (fields, name) => {
    expect(readLead({ phone, ...fields }).name).toBe(name);
  });

  test('the name of a form around a list of answers is none of a person', () => {
    const answers = [
      { question: 'Phone', answer: phone },
      { question: 'Size', answer: 'L' },
    ];
    expect(readLead({ payload: { name: 'Spring form', answers } }).name).toBeUndefined();
  });

  test('an answer of Typeform is named by its type and by the title of its field', () => {
    const answers = [
      { type: 'text', text: 'Ana', field: { id: 'a', ref: 'x', type: 'short_text' } },
      { type: 'phone_number', phone_number: phone, field: { id: 'b', ref: 'y', type: 'phone_number' } },
    ];
    const fieldsOf = (title: string) => [
      { id: 'b', title: 'How can we reach you?' },
      { id: 'a', title },
    ];
    const leadOfForm = (title: string) =>
      readLead({ form_response: { token: 't', definition: { fields: fieldsOf(title) }, answers } });
    expect(leadOfForm('First name')).toMatchObject({ chat: '5511988887777', name: 'Ana' });
    expect(leadOfForm("What's your name?")).toMatchObject({ chat: '5511988887777', name: 'Ana' });
    expect(leadOfForm('Your company')).toMatchObject({ chat: '5511988887777', name: undefined });
    expect(readLead({ form_response: { token: 't', answers } }).chat).toBe('5511988887777');
    const [said, reached] = answers;
    const named = (ref: string) => [{ ...said, field: { id: 'a', ref, type: 'short_text' } }, reached];
    expect(readLead({ form_response: { answers: named('full_name') } }).name).toBe('Ana');
    expect(
      readLead({ form_response: { definition: { fields: fieldsOf(' ') }, answers: named('full_name') } }).name,
    ).toBe('Ana');
    expect(readLead({ form_response: { answers: named('agent_name') } }).name).toBeUndefined();
  });

  test.each([
    { seller: { name: 'Bob', phone: '+5511977776666' }, customer: { name: 'Ana', phone } },
    { agent_phone: '+5511977776666', lead: { name: 'Ana', phone } },
    { agentPhone: '+5511977776666', vendedorNome: 'Bob', celular: phone, nome: 'Ana' },
    { data: { produtor: { nome: 'Bob', telefone: '+5511977776666' }, comprador: { nome: 'Ana', telefone: phone } } },
    {
      fields: [
        { label: 'Agent phone', value: '+5511977776666' },
        { label: 'Phone', value: phone },
        { label: 'Name', value: 'Ana' },
      ],
    },
  ])('the number of a seller, an agent or a producer is never that of the lead: %j', (document) => {
    expect(readLead(document)).toMatchObject({ chat: '5511988887777', name: 'Ana' });
  });

  const stranger = '+5511977776666';

  test.each(
    'agency dealer imobiliaria anunciante company organizer assignee sellers'
      .split(' ')
      .map((role): [string, Record<string, unknown>] => [role, { [role]: { name: 'Bob', phone: stranger } }]),
  )('an object called %s is that of somebody else', (_, document) => {
    expect(readSubmission(document)).toMatchObject({ errors: [{ path: 'chat' }] });
    expect(readLead({ ...document, contact: { name: 'Ana', phone } })).toMatchObject({
      chat: '5511988887777',
      name: 'Ana',
    });
  });

  test.each<Record<string, unknown>>([
    {
      document: {
        contacts: [{ name: 'Ana', emails: [{ email: 'ana@a.example' }] }],
        user: { name: 'Bob', phone: stranger },
      },
    },
    { name: 'Ana', email: 'ana@a.example', doutor: { nome: 'Bob', telefone: stranger } },
    { name: 'Ana', email: 'ana@a.example', account: { name: 'ACME', phone: stranger } },
    { billing: { first_name: 'Ana', email: 'ana@a.example' }, shipping: { first_name: 'Bob', phone: stranger } },
    { nome: 'Ana', email: 'ana@a.example', 'Telefone do amigo': stranger },
    { nome: 'Ana', email: 'ana@a.example', company_phone: stranger, closer_phone: stranger },
    { nome: 'Ana', email: 'ana@a.example', 'Telefone do vendedor da sua empresa': stranger },
    { nome: 'Ana', email: 'ana@a.example', nosso_whatsapp: stranger, to_phone: stranger },
    { nome: 'Ana', email: 'ana@a.example', 'Telefone (do seu corretor)': stranger },
    { nome: 'Ana', email: 'ana@a.example', tracking_phone_number: stranger, collector: { phone: stranger } },
    { nome: 'Ana', email: 'ana@a.example', connectedPhone: stranger, display_phone_number: stranger },
    { nome: 'Ana', email: 'ana@a.example', created_by: { phone: stranger }, assignedBy: { phone: stranger } },
  ])('beside a person who is known, the number of another one is not taken: %j', (document) => {
    expect(readSubmission(document)).toMatchObject({
      held: { email: 'ana@a.example', problem: expect.stringContaining('names somebody else'), lead: { name: 'Ana' } },
    });
  });

  test.each(
    [
      'Телефон менеджера, Numer telefonu sprzedawcy, Telefono del venditore, Telefoonnummer makelaar, Satıcı telefonu',
      'رقم هاتف البائع, טלפון של הסוכן, Telepon penjual, Τηλέφωνο πωλητή, Telefon prodejce, Telefonnummer till säljaren',
      'Myyjän puhelinnumero, Telefon vânzător, Eladó telefonszáma, Telefon firmy, 緊急連絡先電話番号, 推荐人电话',
      '추천인 전화번호, Số điện thoại người giới thiệu, เบอร์โทรเจ้าหน้าที่',
      'Sponsor phone, Next of kin phone, Assistant phone, Telefone do advogado, Telefone do motorista, Teléfono del jefe',
      "Téléphone d'urgence, Téléphone du gérant, Telefon des Vertreters, Telefono del titolare, Telefon ředitele, müdür telefonu",
      'Телефон директора, Номер телефона водителя, Телефон керівника, Τηλέφωνο διευθυντή, Telefon kierownika, Telefonszám ügynök',
      'رقم هاتف المسؤول, טלפון מנהל, 经理电话, 电话（客服）, 店舗電話番号, 판매자 전화번호, Số điện thoại quản lý, เบอร์โทรผู้จัดการ',
    ].flatMap((line) => line.split(', ')),
  )('nor is that of somebody else in a further language: %s', (field) => {
    expect(readSubmission({ Name: 'Ana', email: 'ana@a.example', [field]: stranger })).toMatchObject({
      held: { problem: expect.stringContaining('names somebody else') },
    });
    expect(readLead({ Name: 'Ana', [field]: stranger, phone }).chat).toBe('5511988887777');
  });

  test('a number within an object of the line is not that of the customer', () => {
    const message = { customer: { number: phone, name: 'Ana' }, phoneNumber: { number: stranger, name: 'Line' } };
    expect(readLead({ message })).toMatchObject({ chat: '5511988887777', name: 'Ana' });
    const metadata = { display_phone_number: stranger, phone_number_id: '1' };
    expect(readLead({ metadata, contacts: [{ profile: { name: 'Ana' }, wa_id: '5511988887777' }] }).chat).toBe(
      '5511988887777',
    );
  });

  test.each<Record<string, unknown>>([
    { event: 'signup', user: { name: 'Ana', phone } },
    { reservation: { guest_name: 'Ana', guest_phone: phone }, restaurant: { phone: stranger } },
    { 'Оставьте ваш телефон, менеджер перезвонит': phone, Имя: 'Ana' },
    { 'Telefone para agendamento': phone, nome: 'Ana' },
    { 'Другой телефон': phone, Имя: 'Ana' },
    { email: 'ana@a.example', dados: { nome: 'Ana', telefone: phone } },
    { name: 'Ana Silva', email: 'ana@a.example', whatsapp: { name: 'Ana', number: phone } },
    { 'Deixe seu WhatsApp para nosso consultor entrar em contato': phone, nome: 'Ana' },
    { 'Phone number for our sales team': phone, name: 'Ana' },
    { 'WhatsApp (nunca enviado a empresas parceiras)': phone, nome: 'Ana' },
    { 'Qual o WhatsApp da sua empresa?': phone, 'Qual o nome da sua empresa?': 'ACME', nome: 'Ana' },
    { "Your company's phone": phone, Name: 'Ana' },
    { 'Teléfono de tu empresa': phone, Nombre: 'Ana' },
    { 'Telefon Ihres Unternehmens': phone, Name: 'Ana', 'Telefon des Beraters': stranger },
    { phone, name: '#9999', customer: { first_name: 'Ana' } },
    { telefone: phone, nome: 'undefined', contact: { name: 'Ana' } },
    { person: { nickname: 'Ana', phone } },
    { 'data[json]': JSON.stringify({ name: 'Ana', phone }) },
    { event: { payload: JSON.stringify({ customer: { name: 'Ana', phone }, seller: { phone: '+5511977776666' } }) } },
  ])('a number is that of the person, where no other one is known: %j', (document) => {
    expect(readLead(document)).toMatchObject({ chat: '5511988887777', name: expect.stringContaining('Ana') });
  });

  test.each<Record<string, unknown>>([
    { NomeCliente: 'Ana', TelefoneCliente: phone, TelefoneLoja: stranger },
    { cus_name: 'Ana', cus_tel: stranger, cus_cel: phone, cus_number: '11977776666' },
    { 'Nome do comprador': 'Ana', 'Telefone do comprador': phone },
    { 'Billing first name': 'Ana', 'Billing phone': phone, 'Shipping phone': stranger },
  ])('a word for the lead in the name of a field says nothing more: %j', (document) => {
    expect(readLead(document)).toMatchObject({ chat: '5511988887777', name: 'Ana' });
  });

  test.each<[string, Record<string, unknown>]>([
    [
      'Kommo',
      {
        'account[subdomain]': 'demo',
        'contacts[add][0][name]': 'Ana',
        'contacts[add][0][custom_fields][0][name]': 'Звоните сюда',
        'contacts[add][0][custom_fields][0][code]': 'PHONE',
        'contacts[add][0][custom_fields][0][values][0][value]': phone,
        'contacts[add][0][custom_fields][1][name]': 'Email',
        'contacts[add][0][custom_fields][1][values][0][value]': 'ana@a.example',
      },
    ],
    ['Mailchimp', { type: 'subscribe', 'data[merges][FNAME]': 'Ana', 'data[merges][PHONE]': phone }],
    [
      'Elementor',
      {
        'form[name]': 'New Form',
        'fields[name][title]': 'Nome',
        'fields[name][value]': 'Ana',
        'fields[a1][type]': 'tel',
        'fields[a1][title]': '',
        'fields[a1][value]': phone,
      },
    ],
    ['Jotform', { 'q3_name[first]': 'Ana', 'q4_phone[area]': '11', 'q4_phone[phone]': '98888-7777' }],
    [
      'Monetizze',
      {
        'produto[nome]': 'Curso',
        'produtor[telefone]': stranger,
        'comprador[nome]': 'Ana',
        'comprador[telefone]': phone,
      },
    ],
    ['Formstack', { Name: 'first = Ana\nlast = ', Phone: phone }],
  ])('the bracketed fields of %s are put together', (_, fields) => {
    expect(readLead(fields)).toMatchObject({ chat: '5511988887777', name: 'Ana' });
    expect(JSON.stringify(readLead(fields).metadata ?? {})).not.toMatch(/98888-?7777/);
  });

  test('of several people in bracketed fields none is taken, and fields that contradict each other stay as they are', () => {
    const two = { 'contacts[0][phone]': phone, 'contacts[1][phone]': stranger };
    expect(readSubmission(two)).toMatchObject({ errors: [{ path: 'chat' }] });
    const odd = { 'a[b]': '1', 'a[b][c]': '2', a: '3', '__proto__[x]': '4', 'Phone [mobile]': phone };
    expect(readLead(odd)).toEqual({
      chat: '5511988887777',
      name: undefined,
      metadata: { 'a[b]': '1', 'a[b][c]': '2', a: '3', '__proto__[x]': '4' },
    });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ phone: { phoneCountryCode: '1', phoneNumber: '4155552671' } }, '14155552671'],
    [{ phone: { countryCode: 'us', nationalNumber: '(415) 555-2671' } }, '14155552671'],
    [{ phone: { nationalNumber: '(415) 555-2671', e164: '+14155552671' } }, '14155552671'],
    [{ telefone: '(415) 555-2671', pais: { code: 'US', name: 'United States' } }, '14155552671'],
    [{ cellulare: '347 123 4567', paese: 'Italia' }, '393471234567'],
    [{ buyer: { checkout_phone: '988887777', checkout_phone_code: '11' } }, '5511988887777'],
    [{ phone_local_code: '11', phone_number: '988887777' }, '5511988887777'],
    [{ attributes: { SMS: '5511988887777' } }, '5511988887777'],
    [{ payload: { text_reminder_number: phone } }, '5511988887777'],
  ])('a number in parts, or of another country: %j', (document, chat) => {
    expect(readLead(document).chat).toBe(chat);
  });

  test.each([
    'undefined',
    'null null',
    'N/A',
    'Unknown',
    '(not set)',
    'Not provided',
    '[object Object]',
    '{{contact.name}}',
    '{{ a.b }} {{ a.c }}',
    '{% name %}',
    '${nome}',
    '[your-name]',
    '[field id="name"]',
    '%NAME%',
    '%%FirstName%%',
    '<<name>>',
    '*|FNAME|*',
  ])('an answer that a template has left out is none: %s', (answer) => {
    expect(readLead({ whatsapp: answer, telefone: phone, nome: answer, country: answer })).toMatchObject({
      chat: '5511988887777',
      name: undefined,
    });
  });

  test('an id is no number, and the number of an order is none where a phone is found within', () => {
    expect(readSubmission({ whatsapp_group_id: '5511977776666', mobile_ad_id: '5511977776666' })).toMatchObject({
      errors: [{ message: 'is required (/chat, /phone)' }],
    });
    expect(readLead({ whatsapp_id: '5511988887777' }).chat).toBe('5511988887777');
    expect(readLead({ number: '5511977776666', billing: { first_name: 'Ana', phone } })).toMatchObject({
      chat: '5511988887777',
      name: 'Ana',
    });
    expect(readLead({ number: '5511988887777', nome: 'Ana' }).chat).toBe('5511988887777');
  });

  test('without another number, such a one makes no lead, and is named', () => {
    const hintOn = (pointer: string) =>
      `is required (/chat, /phone); ${pointer} names somebody else: map it if it is the person who writes`;
    const errorsOf = (pointer: string) => ({ errors: [{ path: 'chat', message: hintOn(pointer) }] });
    expect(readSubmission({ agent_phone: phone })).toMatchObject(errorsOf('/agent_phone'));
    expect(readSubmission({ nome: 'Ana', loja: { telefone: phone } })).toMatchObject(errorsOf('/loja/telefone'));
    expect(readSubmission({ nome: 'Ana', phones: { wife: phone } })).toMatchObject(errorsOf('/phones/wife'));
    expect(readSubmission({ owner: 'Ana', agent_phone: 'none' })).toMatchObject({
      errors: [{ message: 'is required (/chat, /phone)' }],
    });
    expect(readSubmission({ email: 'ana@a.example', seller: { phone } })).toMatchObject({
      held: { writtenNumber: null },
    });
  });

  test('of a list of people none is taken, because the others would be lost', () => {
    const leads = [
      { name: 'Ana', phone },
      { name: 'Bia', phone: '+5511977776666' },
    ];
    expect(readSubmission({ leads })).toMatchObject({ errors: [{ path: 'chat' }] });
    expect(readLead({ leads: leads.slice(0, 1) })).toMatchObject({ name: 'Ana' });
  });

  test('products of a cart are no answers', () => {
    const cart = [
      { name: 'Phone case', value: '25', sku: '5511977776666' },
      { title: 'Phone', quantity: 1 },
      'phone',
      null,
    ];
    expect(readLead({ cart, person: { celular: phone } }).chat).toBe('5511988887777');
    expect(readSubmission({ cart: [{ title: 'Case', value: phone }] })).toMatchObject({ errors: [{ path: 'chat' }] });
  });

  test('the field that holds a number counts; without any, the best-named one is said to be wrong', () => {
    expect(readLead({ numero: '12', phone_model: '5', telefone: '', celular: phone }).chat).toBe('5511988887777');
    expect(readLead({ whatsapp: 'yes', telefone: phone }).chat).toBe('5511988887777');
    expect(readSubmission({ 'Telefone com DDD': '98888-7777' })).toMatchObject({
      errors: [{ path: 'chat', message: expect.stringContaining('/Telefone com DDD') }],
    });
    const message = 'has to be a phone number: digits with country code (/chat, /phone, /telefone)';
    expect(readSubmission({ telefone: 'none' })).toEqual({ errors: [{ path: 'chat', message }] });
    expect(readSubmission({ telefone: 'none', email: 'ana@example.com' })).toMatchObject({
      held: { writtenNumber: 'none' },
    });
    const unlike = { notes: phone, phone_number_id: '106540352242922', phones_sold: '12', ['x'.repeat(200)]: phone };
    expect(readSubmission(unlike)).toMatchObject({ errors: [{ message: 'is required (/chat, /phone)' }] });
  });

  test('what a mapping names is not looked for', () => {
    expect(readSubmission({ telefone: phone }, { mapping: { '/tel': 'chat' } })).toMatchObject({
      errors: [{ message: 'is required (/tel)' }],
    });
    expect(readLead({ telefone: phone, nome: 'Ana' }, { mapping: { '/who': 'name' } }).name).toBeUndefined();
    expect(readLead({ tel: phone, nome: 'Ana' }, { mapping: { '/tel': 'chat' } }).name).toBe('Ana');
  });

  test.each([
    [{ nome_completo: 'Ana Silva', número_de_telefone: phone }],
    [{ nombre_completo: 'Ana Silva', teléfono: phone }],
    [{ nom_complet: 'Ana Silva', numéro_de_téléphone: phone }],
    [{ vollständiger_name: 'Ana Silva', telefonnummer: phone }],
    [{ vorname: 'Ana', nachname: 'Silva', telefonnummer: phone }],
    [{ full_name: 'Ana Silva', 'qual_é_o_seu_whatsapp?': phone }],
    [{ first_name: 'Ana', sobrenome: 'x', last_name: 'Silva', phone_number: phone }],
  ])("Meta names the answers in the form's language: %j", (answers) => {
    expect(readLead({ id: '1', answers }, { kind: 'META' })).toMatchObject({
      chat: '5511988887777',
      name: 'Ana Silva',
    });
  });

  test('a question of Google that is no usual one may be the number', () => {
    const answers = { FULL_NAME: 'Ana', 'Seu WhatsApp': phone };
    expect(readLead({ answers }, { kind: 'GOOGLE' })).toMatchObject({ chat: '5511988887777', name: 'Ana' });
  });

  describe('LinkedIn gives answers by the ids of their questions', () => {
    const answers = ['Kim', 'Lee', 'kim@a.example', phone].map((answer, index) => ({
      questionId: 10 + index,
      answerDetails: { textQuestionAnswer: { answer } },
    }));
    const choice = { questionId: 20, answerDetails: { multipleChoiceAnswer: { options: [1] } } };
    const response = {
      id: 'a9a29e52-4',
      testLead: false,
      versionedLeadGenFormUrn: 'urn:li:versionedLeadGenForm:(urn:li:leadGenForm:3162,1)',
      formResponse: { answers: [...answers, choice], consentResponses: [{ accepted: true, consentId: 1 }] },
    };
    const fields = ['FIRST_NAME', 'LAST_NAME', 'EMAIL', 'PHONE_NUMBER'];

    test.each<[string, (index: number) => object]>([
      [
        'its own names',
        (index) => ({ predefinedField: fields[index], question: { localized: { fr_FR: 'Question' } } }),
      ],
      [
        "the author's words",
        (index) => ({ question: { localized: { es_ES: ['Nombre', 'Apellidos', 'Correo', 'Móvil'][index] } } }),
      ],
    ])('the form beside them has %s', (_case, questionOf) => {
      const questions = fields.map((_field, index) => ({ questionId: 10 + index, ...questionOf(index) }));
      const lead = { ...response, form: { id: 3162, content: { questions } } };
      for (const document of [lead, { elements: [lead] }, { lead: JSON.stringify(lead) }])
        expect(readLead(document)).toMatchObject({ chat: '5511988887777', name: 'Kim Lee' });
    });

    test('without the form, a number with its country is found, and no name is guessed', () => {
      expect(readLead(response)).toMatchObject({ chat: '5511988887777', name: undefined });
      expect(
        readLead({
          questionResponses: answers.map(({ questionId, answerDetails }) => ({
            questionId,
            response: answerDetails.textQuestionAnswer.answer,
          })),
        }),
      ).toMatchObject({ chat: '5511988887777' });
    });

    test('a number that could be anything is not: it is said which answers a mapping may name', () => {
      const local = {
        formResponse: {
          answers: [
            ...answers.slice(0, 2),
            { questionId: 13, answerDetails: { textQuestionAnswer: { answer: '11 98888-7777' } } },
          ],
        },
      };
      const pointer = '/formResponse/answers/[questionId=13]/answerDetails/textQuestionAnswer/answer';
      expect(readSubmission(local)).toMatchObject({
        errors: [{ path: 'chat', message: expect.stringContaining(pointer) }],
      });
      const mapping = {
        [pointer]: 'chat',
        '/formResponse/answers/[questionId=10]/answerDetails/textQuestionAnswer/answer': 'name',
      };
      expect(readLead(local, { mapping })).toMatchObject({ chat: '5511988887777', name: 'Kim' });
      expect(readSubmission(response, { mapping: { '/nothing': 'chat' } })).toMatchObject({
        held: { email: 'kim@a.example' },
      });
    });
  });
}
