// POST /leads/import: a block per status, and the outcome of good, wrong, doubled and interrupted files.

import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import fc from 'fast-check';
import { findInconsistencies, leadOf, phone, readRows } from '../features/leads/lead-harness.js';
import { until } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import {
  DeleteLeadDocument,
  LeadImportDocument,
  LeadImportsDocument,
  LeadRecordDocument,
  ListLeadsDocument,
} from '../support/operations.js';
import { withTenant } from '../support/shared-app.js';
import { TestApp, withKey, withToken, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';

const path = '/leads/import';
const csv = { 'content-type': 'text/csv' };

export function describeLeadsImport(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made), { PROCESS_ROLE: 'api' });
  afterEach(async () => {
    expect(await findInconsistencies(app, tenant)).toEqual([]);
    for (const table of ['leads', 'lead_imports'])
      await app.sql(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenant.id]);
  });

  const post = (body: string, parameters = '', headers: Record<string, string> = {}) =>
    app.post(path + parameters, body, { ...withToken(tenant.operator), ...csv, ...headers });

  interface Answer extends Record<string, unknown> {
    id: string;
    errors: { line: number; field: string; message: string }[];
  }

  async function send(body: string, parameters = ''): Promise<Answer> {
    const response = await post(body, parameters);
    expect(response.status).toBe(200);
    return (await response.json()) as Answer;
  }

  const leadIds = async () =>
    (
      await query(app, tenant.operator, ListLeadsDocument, { orderBy: { field: 'CREATED_AT', direction: 'ASC' } })
    ).leads.edges.map(({ node }) => node.id);
  const recordOf = async (id: string) => (await query(app, tenant.operator, LeadRecordDocument, { id })).lead!;

  describe('200', () => {
    test('new leads with their fields, tags and custom fields, each with a touch; the record says so', async () => {
      const body = [
        'Chat,name,SOURCE,tags,city,field:Plan,,id',
        '+55 11 98888-7777,Ana,fair,"VIP, sp",São Paulo,gold,ignored,x',
        '"4915112345678","Bo ""B"" Ek\nof Oslo",,,,,,',
      ].join('\r\n');
      const answer = await send(body, '?fileName=fair.csv');
      const counts = {
        totalRows: 2,
        processedRows: 2,
        createdRows: 2,
        existingRows: 0,
        duplicateRows: 0,
        refusedRows: 0,
      };
      const told = { fileName: 'fair.csv', isDryRun: false, status: 'COMPLETED', ...counts, errors: [], problem: null };
      expect(answer).toMatchObject(told);
      const { leadImport } = await query(app, tenant.operator, LeadImportDocument, { id: answer.id });
      expect(leadImport).toMatchObject({ ...told, user: { id: tenant.operator.id }, finishedAt: expect.any(String) });
      const [first, second] = await leadIds();
      expect(await recordOf(first!)).toMatchObject({
        name: 'Ana',
        chat: '5511988887777',
        source: 'fair',
        tags: ['vip', 'sp'],
        customFields: { city: 'São Paulo', Plan: 'gold' },
        touches: { edges: [{ node: { source: 'fair' } }] },
      });
      expect(await recordOf(second!)).toMatchObject({
        name: 'Bo "B" Ek\nof Oslo',
        source: 'import',
        tags: [],
        customFields: {},
        touches: { edges: [{ node: { source: 'import' } }] },
      });
    });

    test('wrong rows are told by line and column, and hold nobody up', async () => {
      const rows = [
        'chat;name;tags',
        '4915100000001;Ana;',
        ';Nobody;',
        '',
        '"x";"two\nlines";',
        `4915100000002;${'x'.repeat(201)};${'t'.repeat(51)}`,
        '4915100000003;Bo;;; ',
        '4915100000004;Silva;Ana;vip',
      ];
      const answer = await send(rows.join('\n'));
      expect(answer).toMatchObject({ totalRows: 6, createdRows: 2, refusedRows: 4, processedRows: 6 });
      expect(answer.errors.map(({ line, field }) => [line, field])).toEqual([
        [3, 'chat'],
        [5, 'chat'],
        [7, 'name'],
        [7, 'tags'],
        [9, ''],
      ]);
      expect(answer.errors[0]?.message).toBe('is required');
    });

    test('NUL beside several numbers refuses its row alone', async () => {
      const answer = await send('chat\n4915100000001 / 4915100000003 \0\n4915100000002\n');
      expect(answer).toMatchObject({ status: 'COMPLETED', createdRows: 1, refusedRows: 1 });
      expect(answer.errors).toMatchObject([{ line: 2, field: 'chat' }]);
    });

    test('of very many wrong rows the first 100 are told, and all are counted', async () => {
      const answer = await send(['chat', ...Array.from({ length: 1_200 }, () => 'x')].join('\n'));
      expect(answer).toMatchObject({ refusedRows: 1_200, processedRows: 1_200, createdRows: 0 });
      expect(answer.errors).toHaveLength(100);
      expect(answer.errors.at(-1)).toMatchObject({ line: 101, field: 'chat' });
    });

    test('long rows go in several batches, and all of them come', async () => {
      const fields = Array.from({ length: 50 }, (_, index) => `field ${index}`);
      const cells = fields.map(() => 'x'.repeat(1_000)).join();
      const numbers = Array.from({ length: 40 }, (_, index) => `49151000000${10 + index}`);
      const answer = await send([`chat,${fields.join()}`, ...numbers.map((number) => `${number},${cells}`)].join('\n'));
      expect(answer).toMatchObject({ createdRows: 40, processedRows: 40 });
      const rows = await app.sql<{ size: number }>(
        'SELECT sum(length(value))::int AS size FROM leads l, jsonb_each_text(custom_fields) WHERE l.tenant_id = $1 GROUP BY l.id',
        [tenant.id],
      );
      expect(rows).toEqual(numbers.map(() => ({ size: 50_000 })));
    });

    test('one number in several writings is one lead: the first row counts', async () => {
      const answer = await send('chat,name\n5511988887777,Ana\n+55 11 8888-7777,Other\n5511988887777,Third\n');
      expect(answer).toMatchObject({ createdRows: 1, duplicateRows: 2, existingRows: 0, refusedRows: 0 });
      expect(answer.errors).toEqual(
        [3, 4].map((line) => ({ line, field: 'chat', message: 'is the number of line 2, which counts' })),
      );
      expect((await recordOf((await leadIds())[0]!)).name).toBe('Ana');
    });

    test('a lead that is there stays as it is, with one more touch; the same file again creates nothing', async () => {
      const id = await leadOf(app, tenant, phone('5511988887777'));
      const file = 'chat,name,source,tags,city\n551188887777,Ana,fair,vip,Rio\n4915100000001,Bo,fair,vip,Rio\n';
      expect(await send(file)).toMatchObject({ createdRows: 1, existingRows: 1 });
      expect(await recordOf(id)).toMatchObject({
        name: '5511988887777',
        tags: [],
        customFields: {},
        touches: { totalCount: 1 },
      });
      expect(await send(file)).toMatchObject({ createdRows: 0, existingRows: 2 });
      expect(await leadIds()).toHaveLength(2);
    });

    test('a dry run says what would become of the file, and changes nothing', async () => {
      await leadOf(app, tenant, phone('5511988887777'));
      const before = await readRows(app, tenant);
      const answer = await send('chat\n5511988887777\n4915100000001\n4915100000001\nx\n', '?dryRun=true');
      const counts = { existingRows: 1, createdRows: 1, duplicateRows: 1, refusedRows: 1 };
      expect(answer).toMatchObject({ isDryRun: true, status: 'COMPLETED', ...counts });
      expect(await readRows(app, tenant)).toEqual(before);
    });

    test('tabs, a byte order mark, defused formulas and lines of old Macs are read', async () => {
      await send("\uFEFFchat\tname\tcity\r4915100000001\t'=1+1\t'quoted\r");
      expect(await recordOf((await leadIds())[0]!)).toMatchObject({ name: '=1+1', customFields: { city: "'quoted" } });
    });

    test('a file of many batches comes whole, in its order', async () => {
      const numbers = Array.from({ length: 1_750 }, (_, index) => `4915${String(10_000_000 + index)}`);
      expect(await send(['chat,tags', ...numbers.map((number) => `${number},bulk`)].join('\n'))).toMatchObject({
        createdRows: 1_750,
      });
      const rows = await app.sql<{ chat: string }>(
        "SELECT chat FROM leads WHERE tenant_id = $1 AND tags = '{bulk}' ORDER BY id",
        [tenant.id],
      );
      expect(rows.map(({ chat }) => chat)).toEqual(numbers);
    });

    test('imports are listed, the newest first', async () => {
      for (const name of ['a', 'b', 'c']) await send('chat\n4915100000001\n', `?fileName=${name}`);
      const page = async (after: string | null) =>
        (await query(app, tenant.admin, LeadImportsDocument, { first: 2, after })).leadImports;
      const first = await page(null);
      expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
      expect(first.edges.map(({ node }) => node.fileName)).toEqual(['c', 'b']);
      expect((await page(first.pageInfo.endCursor ?? null)).edges.map(({ node }) => node.fileName)).toEqual(['a']);
    });

    test('what a process left behind counts as interrupted, and does not keep the next one out', async () => {
      const abandoned = randomUUID();
      await app.sql(
        `INSERT INTO lead_imports (tenant_id, id, user_id, is_dry_run, total_rows, processed_rows, updated_at)
       VALUES ($1, $2, $3, false, 10, 5, now() - interval '2 minutes')`,
        [tenant.id, abandoned, tenant.operator.id],
      );
      const read = async () => (await query(app, tenant.operator, LeadImportDocument, { id: abandoned })).leadImport;
      expect(await read()).toMatchObject({ status: 'INTERRUPTED', processedRows: 5, finishedAt: expect.any(String) });
      expect(await send('chat\n4915100000001\n')).toMatchObject({ status: 'COMPLETED' });
      expect(await read()).toMatchObject({ status: 'INTERRUPTED' });
    });

    test('one that is stopped half-way says so and keeps what it has', async () => {
      const second = await TestApp.start({ PROCESS_ROLE: 'api' }, app.database);
      const rows = Array.from({ length: 20_000 }, (_, index) => `4915${String(10_000_000 + index)}`);
      const headers = { ...withToken(tenant.operator), ...csv };
      const answer = second.post(path, ['chat', ...rows].join('\n'), headers).catch(() => undefined);
      const progress = () =>
        app.sql<{ processed: number; status: string }>(
          'SELECT processed_rows AS processed, status FROM lead_imports WHERE tenant_id = $1',
          [tenant.id],
        );
      await until(progress, ([row]) => (row?.processed ?? 0) > 0);
      await second.stop({ keepDatabase: true });
      await answer;
      const [row] = await progress();
      expect(row?.status).toBe('INTERRUPTED');
      expect(await app.sql('SELECT FROM leads WHERE tenant_id = $1', [tenant.id])).toHaveLength(row!.processed);
      expect(row!.processed).toBeLessThan(rows.length);
    });
  });

  describe('columns', () => {
    const columnsOf = async (headers: string, parameters = '') =>
      (await send(`${headers}\n`, `?dryRun=true${parameters}`)) as Answer & {
        columns: Record<string, string | null>;
        columnNotes: { header: string; message: string }[];
      };

    test.each([
      ['Chatwoot', 'id,name,email,phone_number,company', { id: null, name: 'name', phone_number: 'chat' }],
      [
        'Google Contacts',
        'First Name,Middle Name,Last Name,Labels,Phone 1 - Label,Phone 1 - Value,Phone 2 - Value',
        {
          'First Name': 'name',
          'Last Name': 'name',
          Labels: 'tags',
          'Phone 1 - Value': 'chat',
          'Phone 2 - Value': 'customFields.Phone 2 - Value',
        },
      ],
      [
        'Outlook',
        'First Name,Last Name,Home Phone,Mobile Phone,Business Phone',
        { 'First Name': 'name', 'Mobile Phone': 'chat' },
      ],
      [
        'HubSpot',
        'Record ID,First Name,Last Name,Phone Number,Lead Source',
        { 'Phone Number': 'chat', 'Lead Source': 'source' },
      ],
      [
        'Pipedrive',
        'Person - Name,Person - Phone - Work,Person - Phone - Mobile',
        { 'Person - Name': 'name', 'Person - Phone - Mobile': 'chat' },
      ],
      [
        'Kommo',
        'ID,Full name,Work phone,Mobile phone,Tags',
        { 'Full name': 'name', 'Mobile phone': 'chat', Tags: 'tags' },
      ],
      [
        'Portuguese',
        'Nome,Sobrenome,Telefone,Origem,Etiquetas,País',
        { Nome: 'name', Sobrenome: 'name', Telefone: 'chat', Origem: 'source', País: 'country' },
      ],
      [
        'Spanish',
        'Nombre,Apellidos,Móvil,Ciudad',
        { Nombre: 'name', Apellidos: 'name', Móvil: 'chat', Ciudad: 'customFields.Ciudad' },
      ],
      ['marks that nobody sees', '\uFEFF\u200BWhats\u200BApp \u2060,Nome', { WhatsApp: 'chat', Nome: 'name' }],
      ['our own', 'chat,phone,name,Nome', { chat: 'chat', phone: 'customFields.phone', Nome: 'customFields.Nome' }],
    ])('of %s are known by their headers', async (_case, headers, columns) => {
      expect((await columnsOf(headers)).columns).toMatchObject(columns);
    });

    describe('below titles', () => {
      const importOf = async (lines: readonly string[], parameters = '') =>
        (await send(lines.join('\r\n'), `?country=BR${parameters}`)) as Answer & {
          columns: Record<string, string | null>;
          columnNotes: { header: string; message: string }[];
          errors: { line: number }[];
        };
      const rows = [
        'Nome;Telefone;Cidade',
        'Ana;(11) 98888-7701;Olinda',
        'Bia;x;Recife',
        'Eva;(11) 98888-7702;São Paulo, SP',
      ];
      const note = (line: number) => ({
        header: '',
        message: `Line ${line} names the columns: what stands above it is left out`,
      });

      test.each([
        ['one', ['Lista de clientes, novembro de 2026']],
        ['several', ['Relatório de leads;;', 'Gerado em;29/11/2026;', 'Clínica Sol, Tel. (11) 3333-4444;;']],
        ['with blank rows between', ['', 'Clientes;;', ';;', '']],
        ['of many cells with separators', ['"Clientes; de todas\r\nas lojas"']],
      ])('%s', async (_case, titles) => {
        const answer = await importOf([...titles, ...rows], '&dryRun=true');
        const header = [...titles, ''].join('\r\n').split('\r\n').length;
        expect(answer).toMatchObject({
          columns: { Nome: 'name', Telefone: 'chat', Cidade: 'customFields.Cidade' },
          totalRows: 3,
          createdRows: 2,
          refusedRows: 1,
          errors: [{ line: header + 2 }],
        });
        expect(answer.columnNotes).toEqual([note(header)]);
      });

      test('a header whose number the caller names is found as well', async () => {
        const columns = encodeURIComponent(JSON.stringify({ Contato: 'chat' }));
        const lines = ['Clientes', 'Quem;Contato;Cidade', 'Ana;(11) 98888-7701;Olinda'];
        const answer = await importOf(lines, `&dryRun=true&columns=${columns}`);
        expect(answer).toMatchObject({ columns: { Contato: 'chat' }, createdRows: 1, columnNotes: [note(2)] });
      });

      test('a header of one column is found below a title of one cell', async () => {
        const answer = await importOf(['Clientes', 'Telefone', '(11) 98888-7701'], '&dryRun=true');
        expect(answer).toMatchObject({ columns: { Telefone: 'chat' }, createdRows: 1 });
      });

      test.each([
        [['Ana;(11) 98888-7701', 'Nome;Telefone', 'Bia;(11) 98888-7702']],
        [['ana@example.com', 'Nome;Telefone', 'Bia;(11) 98888-7702']],
        [['(11) 98888-7701', 'Telefone', '(11) 98888-7702']],
        [['Contato;Nome;Tipo', ';Ana;WhatsApp', '(11) 98888-7701;Bia;Celular']],
        [[...Array.from({ length: 10 }, (_, index) => `Nota ${index}`), 'Nome;Telefone', 'Bia;(11) 98888-7702']],
      ])('a row of data is never taken for a title: %j', async (lines) => {
        const answer = await post(lines.join('\n'), '?dryRun=true&country=BR');
        await expectProblem(answer, 'VALIDATION_FAILED');
      });

      test('the refused rows keep their lines, and their file the columns', async () => {
        const answer = await importOf(['Clientes', '', ...rows]);
        const refused = await app.get(`/leads/import/${answer.id}/refused`, withToken(tenant.operator));
        expect((await refused.text()).replaceAll('\uFEFF', '').split('\r\n').slice(0, 2)).toEqual([
          'Nome,Telefone,Cidade,refusedLine,refusedReason',
          expect.stringMatching(/^Bia,x,Recife,5,/),
        ]);
      });
    });

    test('the best of several wins, and the others are told', async () => {
      const { columns, columnNotes } = await columnsOf('Telefone,WhatsApp,Celular');
      expect(columns).toEqual({ Telefone: 'customFields.Telefone', WhatsApp: 'chat', Celular: 'customFields.Celular' });
      const message = 'could be chat as well, which "WhatsApp" is, and is in rows where that is empty';
      expect(columnNotes).toEqual([
        { header: 'Celular', message },
        { header: 'Telefone', message },
      ]);
    });

    test('of another number is the number of a row that has none in the best one', async () => {
      const file = [
        'Nome,Telefone,WhatsApp,Celular',
        'Ana,+551133334444,+5511988887771,+5511988887772',
        'Bia,+551133334445,,+5511988887773',
        'Caio,+551133334446,,',
        'Davi,,,',
      ].join('\n');
      const answer = await send(file);
      expect(answer).toMatchObject({ createdRows: 3, errors: [{ line: 5, field: 'chat' }] });
      const rows = await app.sql<{ name: string; chat: string; fields: unknown }>(
        `SELECT name, chat, custom_fields AS fields FROM leads WHERE tenant_id = $1 AND name = ANY('{Ana,Bia,Caio}') ORDER BY name`,
        [tenant.id],
      );
      expect(rows).toEqual([
        { name: 'Ana', chat: '5511988887771', fields: { Telefone: '+551133334444', Celular: '+5511988887772' } },
        { name: 'Bia', chat: '5511988887773', fields: { Telefone: '+551133334445' } },
        { name: 'Caio', chat: '551133334446', fields: {} },
      ]);
    });

    test.each([
      ['the caller names', 'WhatsApp', { WhatsApp: 'chat' }],
      ['is called chat', 'chat', {}],
    ])('that %s is the only number', async (_case, header, given) => {
      const columns = encodeURIComponent(JSON.stringify(given));
      const answer = await send(`${header},Celular\n,+5511988887773\n`, `?columns=${columns}`);
      expect(answer).toMatchObject({ createdRows: 0, errors: [{ line: 2, field: 'chat' }] });
    });

    test('are what the caller says, before any guess', async () => {
      const given = {
        'Fone do cliente': 'chat',
        Vorname: 'name',
        Nachname: 'name',
        Telefone: 'metadata.landline',
        Plano: 'customFields.plan',
        Nota: null,
      };
      const body =
        "Fone do cliente,Vorname,Nachname,Telefone,Plano,Nota,Etiqueta\n'5511988887777,Ana,Braun,11 3333,gold,x,vip\n";
      const answer = await send(body, `?columns=${encodeURIComponent(JSON.stringify(given))}`);
      expect(answer).toMatchObject({ createdRows: 1, columns: { ...given, Etiqueta: 'tags' }, columnNotes: [] });
      expect(await recordOf((await leadIds())[0]!)).toMatchObject({
        name: 'Ana Braun',
        chat: '5511988887777',
        tags: ['vip'],
        customFields: { plan: 'gold' },
        metadata: { landline: '11 3333' },
      });
    });

    test.each([
      ['no JSON', '{', 'columns'],
      ['no object', '["chat"]', 'columns'],
      ['a header that is none', '{"Fon":"chat"}', 'columns'],
      ['a field that is none', '{"x":"phone"}', 'columns'],
      ['one field twice', '{"x":"chat","y":"chat"}', 'header'],
      ['a custom field without a name', '{"x":"customFields."}', 'header'],
    ])('422: %s', async (_case, columns, field) => {
      const answer = await post('x,y\n4915100000001,1\n', `?columns=${encodeURIComponent(columns)}`);
      await expectProblem(answer, 'VALIDATION_FAILED', [field]);
    });

    test('a country may be written by its name', async () => {
      expect(await send('Telefone,País\n11 98888-7777,Brasil\n151 00000001,Alemanha\n')).toMatchObject({
        createdRows: 2,
      });
    });

    test('of a hundred, those that are empty do not count', async () => {
      const empty = Array.from({ length: 99 }, (_, index) => `Field ${index}`);
      const answer = await send(`phone,${empty.join()}\n4915100000001,a${','.repeat(98)}\n`);
      expect(answer).toMatchObject({ createdRows: 1, columns: { 'Field 0': 'customFields.Field 0', 'Field 1': null } });
    });
  });

  describe('known leads', () => {
    const first = 'chat,name,source,tags,city\n5511988887777,Ana,fair,vip,Rio\n4915100000001,,fair,,\n';
    const second =
      'chat,name,source,tags,plan,city\n5511988887777,Ana B,web,sp,gold,Recife\n4915100000001,Bo,web,new,,Berlin\n4915100000002,Caio,,,,\n';
    const people = () =>
      app.sql('SELECT name, source, tags, custom_fields AS fields FROM leads WHERE tenant_id = $1 ORDER BY chat', [
        tenant.id,
      ]);
    const events = async () =>
      (
        await app.sql<{ data: { fields?: string[]; userId?: string } }>(
          `SELECT data FROM events WHERE tenant_id = $1 AND type = 'LEAD_UPDATED' AND data->>'userId' = $2 ORDER BY seq`,
          [tenant.id, tenant.operator.id],
        )
      ).map(({ data }) => data.fields?.toSorted());

    test('FILL fills what is empty; a dry run says so and changes nothing; once more changes nothing', async () => {
      await send(first);
      const before = await people();
      const told = { createdRows: 1, existingRows: 2, updatedRows: 2, update: 'FILL' };
      expect(await send(second, '?update=FILL&dryRun=true')).toMatchObject(told);
      expect(await people()).toEqual(before);
      const eventsBefore = (await events()).length;
      expect(await send(second, '?update=FILL')).toMatchObject(told);
      expect(await people()).toEqual([
        { name: 'Bo', source: 'fair', tags: ['new'], fields: { city: 'Berlin' } },
        { name: 'Caio', source: 'import', tags: [], fields: {} },
        { name: 'Ana', source: 'fair', tags: ['vip'], fields: { city: 'Rio', plan: 'gold' } },
      ]);
      expect((await events()).slice(eventsBefore)).toEqual([['customFields'], ['customFields', 'name', 'tags']]);
      expect(await send(second, '?update=FILL')).toMatchObject({ existingRows: 3, updatedRows: 0 });
      expect(await events()).toHaveLength(eventsBefore + 2);
    });

    test('OVERWRITE replaces what the row has, and leaves the rest', async () => {
      await send(first);
      expect(await send(second, '?update=OVERWRITE')).toMatchObject({ createdRows: 1, updatedRows: 2 });
      expect(await people()).toEqual([
        { name: 'Bo', source: 'web', tags: ['new'], fields: { city: 'Berlin' } },
        { name: 'Caio', source: 'import', tags: [], fields: {} },
        { name: 'Ana B', source: 'web', tags: ['sp'], fields: { city: 'Recife', plan: 'gold' } },
      ]);
      await send('chat,name,tags\n5511988887777,,\n', '?update=OVERWRITE');
      expect((await people()).at(-1)).toMatchObject({ name: 'Ana B', tags: ['sp'] });
    });

    test('one that would have too many custom fields is refused, and told', async () => {
      const names = (kind: string) => Array.from({ length: 30 }, (_, index) => `${kind}${index}`);
      const file = (kind: string) => `chat,${names(kind).join()}\n5511988887777,${names(kind).join()}\n`;
      await send(file('a'));
      for (const parameters of ['?update=FILL&dryRun=true', '?update=FILL']) {
        const answer = await send(file('b'), parameters);
        expect(answer).toMatchObject({ existingRows: 0, refusedRows: 1, updatedRows: 0, processedRows: 1 });
        expect(answer.errors).toEqual([
          { line: 2, field: 'customFields', message: 'a lead has at most 50 custom fields' },
        ]);
      }
    });

    test('422: another word', async () => {
      await expectProblem(await post('chat\n1\n', '?update=ALL'), 'VALIDATION_FAILED', ['update']);
    });
  });

  describe('refused rows', () => {
    const download = (id: string, user = tenant.operator) => app.get(`${path}/${id}/refused`, withToken(user));

    test('are a file with their columns and the reason, which can be corrected and imported', async () => {
      const { id } = await send(
        'Telefone;Nome;=x\n4915100000001;Ana;1\nabc;"Bo; Ek";=1+1\n;Caio;3\n',
        '?fileName=a.csv',
      );
      const text = await (await download(id)).text();
      const [header, ...rows] = text.split('\r\n');
      expect(header).toBe("Telefone,Nome,'=x,refusedLine,refusedReason");
      expect(rows).toEqual([
        expect.stringMatching(/^abc,"Bo; Ek",'=1\+1,3,"?chat: /),
        expect.stringMatching(/^,Caio,3,4,chat: is required$/),
        '',
      ]);
      const corrected = text.replace('abc,', '4915100000002,').replace('\r\n,Caio', '\r\n4915100000003,Caio');
      expect(await send(corrected)).toMatchObject({ createdRows: 2, refusedRows: 0, columns: { refusedReason: null } });
    });

    test('of another tenant, and of none, are 404', async () => {
      const { id } = await send('chat\nx\n');
      const other = await app.createTenant();
      await expectProblem(await download(id, other.operator), 'NOT_FOUND');
      await expectProblem(await download(randomUUID()), 'NOT_FOUND');
      await expectProblem(await download('x'), 'NOT_FOUND');
    });

    test('go with the person who is erased', async () => {
      const { id } = await send(`chat,name\n5511988887777,Ana\n5511988887777,${'x'.repeat(201)}\n`);
      expect((await (await download(id)).text()).split('\r\n')).toHaveLength(3);
      await query(app, tenant.operator, DeleteLeadDocument, { id: (await leadIds())[0]! });
      expect((await (await download(id)).text()).split('\r\n')).toHaveLength(2);
    });
  });

  test('an unnamed text of any form is answered, and every row is accounted for', async () => {
    const cell = fc.oneof(
      fc.constantFrom(
        'chat',
        'Telefone',
        'name',
        'tags',
        '4915100000001',
        '+55 11 98888-7777',
        '="1"',
        "'1",
        'sep=;',
        '\u200B',
        '\0',
        '\x1A',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    );
    const line = fc
      .array(cell, { maxLength: 5 })
      .chain((cells) => fc.constantFrom(',', ';', '\t', '|').map((mark) => cells.join(mark)));
    const file = fc.tuple(line, fc.array(line, { maxLength: 5 }), fc.constantFrom('\n', '\r\n', '\r'));
    const asked = fc.constantFrom('', '?dryRun=true', '?update=FILL', '?update=OVERWRITE');
    await fc.assert(
      fc.asyncProperty(file, asked, async ([header, lines, end], parameters) => {
        const answer = await post([`chat,${header}`, ...lines].join(end).toWellFormed(), parameters);
        expect([200, 400, 422]).toContain(answer.status);
        if (answer.status !== 200) return;
        const { status, totalRows, createdRows, existingRows, duplicateRows, refusedRows } =
          (await answer.json()) as Record<string, number>;
        expect(status).toBe('COMPLETED');
        expect(Number(createdRows) + Number(existingRows) + Number(duplicateRows) + Number(refusedRows)).toBe(
          totalRows,
        );
      }),
      { numRuns: Number(process.env.IMPORT_TEXTS ?? 100) },
    );
  }, 3_600_000);

  describe('401', () => {
    test.each([
      ['no credentials', () => ({})],
      ['an API key', () => withKey(tenant)],
      ['a token that is none', () => ({ authorization: 'Bearer x' })],
    ])('%s', async (_case, headers) => {
      await expectProblem(await app.post(path, 'chat\n4915100000001\n', { ...csv, ...headers() }), 'UNAUTHENTICATED');
      expect(await leadIds()).toEqual([]);
    });
  });

  test('409 while another import of the tenant runs', async () => {
    await app.sql(
      'INSERT INTO lead_imports (tenant_id, id, user_id, is_dry_run, total_rows) VALUES ($1, gen_random_uuid(), $2, false, 1)',
      [tenant.id, tenant.operator.id],
    );
    const answer = await post('chat\n4915100000001\n');
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([409, 'CONFLICT']);
  });

  /** Opens an upload that goes on until it is ended. */
  function openUpload() {
    const sending = request(app.url + path, { method: 'POST', headers: { ...withToken(tenant.operator), ...csv } });
    const answered = new Promise<number>((resolve, reject) => {
      sending.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject);
    });
    sending.write('chat\n');
    return { answered, end: (rest: string) => void sending.end(rest) };
  }

  async function allButOne(promises: readonly Promise<unknown>[]): Promise<void> {
    let left = promises.length - 1;
    await new Promise<void>((resolve, reject) => {
      for (const promise of promises) void promise.then(() => (left -= 1) === 0 && resolve(), reject);
    });
  }

  test('409 while another file of the tenant comes in; other tenants have places of their own', async () => {
    const slow = Array.from({ length: 8 }, openUpload);
    await allButOne(slow.map(({ answered }) => answered));
    const other = await app.createTenant();
    const theirs = await post('chat\n4915100000001\n', '', withToken(other.operator));
    for (const upload of slow) upload.end('4915100000002\n');
    const statuses = await Promise.all(slow.map(({ answered }) => answered));
    expect(statuses.filter((status) => status === 409)).toHaveLength(7);
    expect(statuses).toContain(200);
    expect(await theirs.json()).toMatchObject({ status: 'COMPLETED', createdRows: 1 });
    expect(await leadIds()).toHaveLength(1);
  });

  test('413 beyond 50 MiB, and the service goes on', async () => {
    const body = 'chat\n' + '4915100000001\n'.repeat(4_000_000);
    await expectProblem(await post(body), 'PAYLOAD_TOO_LARGE');
    expect(await send('chat\n4915100000001\n')).toMatchObject({ createdRows: 1 });
  });

  describe('415', () => {
    test.each([
      ['JSON', { 'content-type': 'application/json' }],
      ['another character set', { 'content-type': 'text/csv; charset=latin1' }],
      ['a compressed file', { 'content-encoding': 'gzip' }],
    ])('%s', async (_case, headers) => {
      await expectProblem(await post('chat\n4915100000001\n', '', headers), 'UNSUPPORTED_MEDIA_TYPE');
    });
  });

  describe('a file that cannot be read', () => {
    test('400 where it is not UTF-8', async () => {
      const headers = { ...withToken(tenant.operator), ...csv };
      const body = Buffer.from('chat,name\n4915100000001,Jo\xe3o\n', 'latin1');
      await expectProblem(await fetch(app.url + path, { method: 'POST', headers, body }), 'BAD_REQUEST');
    });

    test.each([
      ['nothing', '', ['header']],
      ['no column for the number', 'name\nAna\n', ['header']],
      ['a column twice', 'chat,name,NAME\n1,2,3\n', ['header']],
      ['too many custom fields', `chat,${Array.from({ length: 51 }, (_, index) => `c${index}`).join()}\n`, ['header']],
      ['a custom field with a long name', `chat,${'n'.repeat(65)}\n4915100000001,x\n`, ['header']],
      ['a custom field whose name cannot be kept', 'chat,a\u0000b\n4915100000001,x\n', ['header']],
      ['a quote that never ends', 'chat,name\n4915100000001,"Ana\n', ['']],
      ['a quote in the middle', 'chat,name\n4915100000001,"A"na\n', ['']],
      ['a line without end', `chat,name\n4915100000001,${'x'.repeat(70_000)}\n`, ['']],
      ['more than 100,000 rows', `chat\n${'1\n'.repeat(100_001)}`, ['rows']],
    ])('422: %s', async (_case, body, paths) => {
      await expectProblem(await post(body), 'VALIDATION_FAILED', paths);
      expect(await app.sql('SELECT FROM lead_imports WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    });

    test.each([
      ['is not closed', '3,Bo\n4,"Caio\n5,Dora\n', 'a quotation mark is opened in this row and not closed'],
      [
        'is not closed, and a later cell has one',
        '3,Bo\n4,"Caio\n5,"Dora"\n',
        'goes on after a closing quotation mark',
      ],
      ['is not closed in a large file', `3,Bo\n4,"Caio\n${'5,Dora\n'.repeat(20_000)}`, 'more than 64 KiB'],
      ['stands inside a cell', '3,Bo\n4,pipe 5" wide\n', 'stands inside a cell'],
    ])('a quotation mark that %s is named by the line on which its row begins', async (_case, rows, sentence) => {
      const { errors } = await expectProblem(await post(`chat,name\n1,"Ana\nMaria"\n\n${rows}`), 'VALIDATION_FAILED');
      expect(errors).toEqual([{ path: '', message: expect.stringContaining(sentence) }]);
      expect(errors?.[0]?.message).toMatch(/^line 6: /);
    });

    test.each([
      ['?dryRun=perhaps', 'dryRun'],
      ['?dryrun=true', ''],
    ])('422: a parameter that is none: %s', async (parameters, field) => {
      await expectProblem(await post('chat\n4915100000001\n', parameters), 'VALIDATION_FAILED', [field]);
      expect(await leadIds()).toEqual([]);
    });
  });
}
