// POST /leads/import/columns: how the columns and the first rows of a file would be read, by its head alone.

import { readRows } from '../features/leads/lead-harness.js';
import { withTenant } from '../support/shared-app.js';
import { withToken, type TestApp, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';

interface Head {
  columns: { header: string; field: string | null; note: string | null; examples: string[] }[];
  problem: string | null;
  note: string | null;
  rows: { line: number; written: string; chat: string | null; reading: unknown; problems: { field: string }[] }[];
}

export function describeLeadColumns(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made), { PROCESS_ROLE: 'api' });

  const post = (body: string, parameters: Record<string, string> = {}, type = 'text/csv') =>
    app.post(`/leads/import/columns?${new URLSearchParams(parameters).toString()}`, body, {
      ...withToken(tenant.operator),
      'content-type': type,
    });

  async function read(body: string, parameters: Record<string, string> = {}): Promise<Head> {
    const answer = await post(body, parameters);
    expect(answer.status).toBe(200);
    return (await answer.json()) as Head;
  }

  test('columns with an area code or the code of a country complete numbers that lack it, and are kept', async () => {
    const file = [
      'nome;ddd;telefone;ddi',
      'Ana;11;98888-7777;55',
      'Bia;011;988887778;',
      'Cris;21;(11) 98888-7779;55',
      'Davi;21;+55 11 98888-7780;351',
      'Eva;;912345678;351',
    ];
    const { columns, rows } = await read(file.join('\n'), { country: 'BR' });
    expect(columns.map(({ header, field, note }) => [header, field, note])).toEqual([
      ['nome', 'name', null],
      ['ddd', 'customFields.ddd', 'completes numbers that lack it'],
      ['telefone', 'chat', null],
      ['ddi', 'customFields.ddi', 'completes numbers that lack it'],
    ]);
    expect(rows.map(({ chat }) => chat)).toEqual([
      '5511988887777',
      '5511988887778',
      '5511988887779',
      '5511988887780',
      '351912345678',
    ]);
    const given = JSON.stringify({ ddd: 'customFields.area', ddi: null });
    const [first, ...others] = (await read(file.join('\n'), { country: 'BR', columns: given })).rows;
    expect(first).toMatchObject({ chat: '5511988887777', written: '98888-7777' });
    expect(others.at(-1)).toMatchObject({ chat: null, problems: [{ field: 'chat' }] });
  });

  test('titles above the header are left out, and said', async () => {
    const table = 'Nome,Telefone\nAna,(11) 98888-7777';
    const { columns, note, rows } = await read(`Leads de novembro\n\n${table}`, { country: 'BR' });
    expect(columns.map(({ header, field }) => [header, field])).toEqual([
      ['Nome', 'name'],
      ['Telefone', 'chat'],
    ]);
    expect(note).toBe('Line 3 names the columns: what stands above it is left out');
    expect(rows).toMatchObject([{ line: 4, chat: '5511988887777' }]);
    expect((await read(table, { country: 'BR' })).note).toBeNull();
  });

  test('remarks behind the names of columns do not matter', async () => {
    const file = 'Contato principal;Nome (contato);Celular (contato);Cidade (contato)\nx;Ana;(11) 98888-7777;Olinda';
    const { columns, rows } = await read(file, { country: 'BR' });
    expect(columns.map(({ field }) => field)).toEqual([
      'customFields.Contato principal',
      'name',
      'chat',
      'customFields.Cidade (contato)',
    ]);
    expect(rows.map(({ chat }) => chat)).toEqual(['5511988887777']);
  });

  test('columns come in the order of the file, with examples and notes; rows with how their numbers are read', async () => {
    const before = await readRows(app, tenant);
    const file = [
      'Telefone;Celular;2026;;Nome',
      '11 3333-4444;(11) 98888-7777;a;x;Ana',
      ';+55 11 98888-7778;a;;"Bo; Ek"',
      ';abc;b;;',
    ];
    expect(await read(file.join('\r\n'), { country: 'BR' })).toEqual({
      columns: [
        {
          header: 'Telefone',
          field: 'customFields.Telefone',
          note: 'could be chat as well, which "Celular" is, and is in rows where that is empty',
          examples: ['11 3333-4444'],
        },
        {
          header: 'Celular',
          field: 'chat',
          note: null,
          examples: ['(11) 98888-7777', '+55 11 98888-7778', 'abc'],
        },
        { header: '2026', field: 'customFields.2026', note: null, examples: ['a', 'b'] },
        { header: '', field: null, note: null, examples: ['x'] },
        { header: 'Nome', field: 'name', note: null, examples: ['Ana', 'Bo; Ek'] },
      ],
      problem: null,
      note: null,
      rows: [
        {
          line: 2,
          written: '(11) 98888-7777',
          chat: '5511988887777',
          reading: { rule: 'NATIONAL', country: 'BR' },
          problems: [],
        },
        {
          line: 3,
          written: '+55 11 98888-7778',
          chat: '5511988887778',
          reading: { rule: 'INTERNATIONAL', country: null },
          problems: [],
        },
        {
          line: 4,
          written: 'abc',
          chat: null,
          reading: null,
          problems: [{ field: 'chat', message: expect.any(String) }],
        },
      ],
    });
    expect(await readRows(app, tenant)).toEqual(before);
  });

  test('without a column of numbers the others are told all the same, and so is what the file lacks', async () => {
    const { columns, problem, rows } = await read('Wer,Nome\n4915100000001,Ana\n');
    expect(columns.map(({ field }) => field)).toEqual(['customFields.Wer', 'name']);
    expect(problem).toMatch(/^has no column named chat/);
    expect(rows).toEqual([]);
    const chosen = await read('Wer,Nome\n4915100000001,Ana\n', { columns: '{"Wer":"chat","Nome":null}' });
    expect(chosen.columns.map(({ field }) => field)).toEqual(['chat', null]);
    expect(chosen).toMatchObject({ problem: null, rows: [{ chat: '4915100000001' }] });
  });

  test.each([
    ['Téléphone', 'Nom', 'Ana'],
    ['Téléphone portable', 'Nom complet', 'Ana'],
    ['Telefonnummer', 'Vollständiger Name', 'Ana'],
    ['Handy', 'Kunde', 'Ana'],
    ['Celular/WhatsApp', 'Nome do cliente', 'Ana'],
    ['Nº de telefone', 'Nome', 'Ana'],
    ['Téléphone', 'Nom,Prénom', 'Silva,Ana'],
    ['Telefon', 'Vorname,Name', 'Ana,Silva'],
    ['Telefon', 'Vorname,Nachname', 'Ana,Silva'],
    ['Telefon', 'Ad,Soyad', 'Ana,Silva'],
    ['SĐT', 'Họ,Tên', 'Silva,Ana'],
    ['Celular', 'Nombre,Apellido paterno,Apellido materno', 'Ana,Silva,Ruiz'],
    ['Phone', 'First,Last', 'Ana,Silva'],
  ])('the headers %s and %s are the number and the name', async (number, names, cells) => {
    const { columns, problem, rows } = await read(`${number},${names}\n+5511988887777,${cells}\n`);
    expect(columns.map(({ field }) => field)).toEqual(['chat', ...names.split(',').map(() => 'name')]);
    expect([problem, rows[0]?.chat]).toEqual([null, '5511988887777']);
  });

  test.each<[string, string, Record<string, string>]>([
    [
      'questions',
      'Carimbo de data/hora,Qual é o seu nome?,Qual é o seu WhatsApp?',
      { 'Qual é o seu nome?': 'name', 'Qual é o seu WhatsApp?': 'chat' },
    ],
    [
      'words that are no names',
      'Ad,Last contact,Phone',
      { Ad: 'customFields.Ad', 'Last contact': 'customFields.Last contact' },
    ],
    ['a label', 'Nome completo,Telefone (WhatsApp) com DDD', { 'Telefone (WhatsApp) com DDD': 'chat' }],
    [
      'words for the lead',
      'Nome Cliente,Telefone Cliente,Vendedor,Telefone Vendedor',
      { 'Nome Cliente': 'name', 'Telefone Cliente': 'chat', 'Telefone Vendedor': 'customFields.Telefone Vendedor' },
    ],
    [
      'a seller in a remark',
      'Nome,Celular (corretor),Telefone',
      { 'Celular (corretor)': 'customFields.Celular (corretor)', Telefone: 'chat' },
    ],
    [
      'who pays and who gets it',
      'First Name (Billing),Last Name (Billing),Phone (Billing),First Name (Shipping)',
      { 'First Name (Billing)': 'name', 'First Name (Shipping)': 'customFields.First Name (Shipping)' },
    ],
    ['a deal', 'Lead Name,First Name,Last Name,Mobile', { 'Lead Name': 'customFields.Lead Name', 'Last Name': 'name' }],
    ['a nickname', 'First Name,Nickname,Phone 1 - Value', { Nickname: 'customFields.Nickname' }],
    ['Brevo', 'EMAIL,NOME,SOBRENOME,SMS', { SMS: 'chat' }],
    ['an order', 'Name,Email,Billing Name,Phone', { Name: 'customFields.Name', 'Billing Name': 'name', Phone: 'chat' }],
    ['a contact beside a phone', 'Nome;Contacto;Telefone', { Contacto: 'customFields.Contacto', Telefone: 'chat' }],
    ['Indonesian', 'Nama Anda,No. HP / WA Aktif,NIK', { 'Nama Anda': 'name', 'No. HP / WA Aktif': 'chat' }],
    ['a long question', 'Nome,Qual o melhor número para contato (com DDD)?', { Nome: 'name' }],
    ['IndiaMART', 'SENDER_NAME,SENDER_MOBILE,RECEIVER_MOBILE', { SENDER_NAME: 'name', SENDER_MOBILE: 'chat' }],
    ['Mexican names', 'Nombre(s),Apellido paterno,Celular', { 'Nombre(s)': 'name', 'Apellido paterno': 'name' }],
    ['Argentinian names', 'Apellido y Nombre;DNI;Cel.', { 'Apellido y Nombre': 'name', 'Cel.': 'chat' }],
    ['two numbers', 'Nome;Tel. Celular;Tel. Fixo', { 'Tel. Celular': 'chat', 'Tel. Fixo': 'customFields.Tel. Fixo' }],
  ])('the headers of a file: %s', async (_, header, expected) => {
    const { columns, problem } = await read(`${header}\n`);
    expect(Object.fromEntries(columns.map((column) => [column.header, column.field]))).toMatchObject(expected);
    expect(problem).toBeNull();
  });

  test('a column that only might be a number is none beside another such one, nor is the number of somebody else', async () => {
    for (const header of [
      'Nome,Telefone do responsável,Telefone para avisos',
      'Nome,Telefone do corretor',
      'Customer number',
    ])
      expect((await read(`${header}\n`)).problem).toMatch(/^has no column named chat/);
  });

  test('a number that a spreadsheet failed to fill in is taken from the next column', async () => {
    const { rows } = await read('Nome;WhatsApp;Telefone\n#N/A;#REF!;+5511988887777\n');
    expect(rows).toMatchObject([{ chat: '5511988887777', problems: [] }]);
  });

  test("Meta's file of leads, in the language of its form, has numbers with a mark in front", async () => {
    const file = 'id\tcreated_time\tvollständiger_name\ttelefonnummer\nl:1\t2026-11-01\tAna Silva\tp:+4915123456789\n';
    const { columns, rows } = await read(file);
    expect(columns.map(({ field }) => field)).toEqual([null, 'customFields.created_time', 'name', 'chat']);
    expect(rows).toMatchObject([{ written: 'p:+4915123456789', chat: '4915123456789', problems: [] }]);
  });

  test('two columns of one field are a problem, and none of the columns is lost', async () => {
    const { columns, problem } = await read('a,b\n1,2\n', { columns: '{"a":"chat","b":"chat"}' });
    expect(columns.map(({ field }) => field)).toEqual(['chat', 'chat']);
    expect(problem).toBe('has the column chat twice');
  });

  test('of a long file the head counts, without the row that it cuts', async () => {
    // The 256 KiB end inside of the last row's text: between the bytes of a letter, with open quotation marks.
    const rows = Array.from({ length: 40 }, (_, index) => `49151000000${10 + index},"${'ção\n'.repeat(2_000)}"`);
    const { columns, rows: shown } = await read(`chat,text\n${rows.join('\n')}\n`);
    expect(columns.map(({ field }) => field)).toEqual(['chat', 'customFields.text']);
    expect(shown.map(({ line }) => line)).toEqual([2, 2_003, 4_004, 6_005, 8_006]);
  });

  test('a cut row of a file without line feeds, and one of many short rows', async () => {
    const rows = Array.from({ length: 30_000 }, (_, index) => `4915${String(10_000_000 + index)}`);
    for (const end of ['\r', '\r\n', '\n']) {
      const head = await read(['chat', ...rows].join(end));
      expect(head.rows.map(({ chat }) => chat)).toEqual(rows.slice(0, 5));
    }
  });

  test('a file that ends without a line feed is read to its end', async () => {
    expect((await read('chat\n4915100000001')).rows).toHaveLength(1);
  });

  test.each<[string, string, Record<string, string>, string]>([
    ['an empty file', '', {}, 'header'],
    ['a quotation mark that is not closed', 'chat,name\n4915100000001,"Ana\n', {}, ''],
    ['a header that the file lacks', 'chat\n4915100000001\n', { columns: '{"Fon":"chat"}' }, 'columns'],
    ['a field that is none', 'x\n4915100000001\n', { columns: '{"x":"phone"}' }, 'columns'],
    ['another parameter', 'chat\n4915100000001\n', { dryRun: 'true' }, ''],
    ['a country that is none', 'chat\n4915100000001\n', { country: 'XX' }, 'country'],
  ])('422: %s', async (_case, body, parameters, field) => {
    await expectProblem(await post(body, parameters), 'VALIDATION_FAILED', [field]);
  });

  test('400: what is no CSV; 415: another type', async () => {
    await expectProblem(await post('%PDF-1.7'), 'BAD_REQUEST');
    await expectProblem(await post('{}', {}, 'application/json'), 'UNSUPPORTED_MEDIA_TYPE');
  });
}
