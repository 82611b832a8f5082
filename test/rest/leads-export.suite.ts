// GET /leads/export.csv: the lists as files, by the same filters and orders.

import { leadOf, phone, write } from '../features/leads/lead-harness.js';
import { query } from '../support/graphql-client.js';
import { AssignLeadDocument, CreateLeadDocument } from '../support/operations.js';
import { withSharedApp } from '../support/shared-app.js';
import { withToken, type TestApp, type TestTenant } from '../support/test-app.js';
import { describeExportRefusals } from './export-refusals.js';

const path = '/leads/export.csv';

export function describeLeadsExport(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;

  withSharedApp((made) => ({ app, tenant, other } = made), { PROCESS_ROLE: 'api' });
  beforeAll(async () => {
    const people = [
      {
        chat: '5511988887777',
        name: 'Ana "A", São Paulo',
        tags: ['vip', 'sp'],
        customFields: { city: 'Rio', age: -3 },
        metadata: { a: 1 },
      },
      {
        chat: '4915100000001',
        name: '=HYPERLINK("http://x")',
        source: '+fair',
        customFields: { city: '@home', ok: true },
      },
    ];
    for (const input of people) await query(app, tenant.operator, CreateLeadDocument, { input });
    const id = await leadOf(app, tenant, phone('5511988887777'));
    await query(app, tenant.operator, AssignLeadDocument, { id, userId: tenant.admin.id });
    await write(app, tenant, [phone('5511988887777')]);
    await query(app, other.operator, CreateLeadDocument, { input: { chat: '4915100000002', name: 'Elsewhere' } });
  });

  const get = (parameters: Record<string, unknown> = {}, of = tenant) => {
    const written = Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)] as const);
    const search = new URLSearchParams(Object.fromEntries(written));
    return app.get(`${path}?${search.toString()}`, withToken(of.operator));
  };

  async function lines(parameters: Record<string, unknown> = {}): Promise<string[]> {
    const response = await get(parameters);
    expect(response.status).toBe(200);
    return (await response.text()).split('\r\n').slice(0, -1);
  }

  const header =
    '\uFEFFid,name,chat,source,tags,assignee,unreadCount,createdAt,lastMessageAt,metadata,numberValidity,optedOutAt,optOutSource,referralKind,referralSourceId,referralHeadline,referralClickId,field:age,field:city,field:ok';
  const uuid = '[0-9a-f-]{36}';
  const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

  describe('200', () => {
    test('every lead with all its fields; what a spreadsheet would run is defused, and numbers stay as they are', async () => {
      const response = await get();
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(response.headers.get('content-disposition')).toBe('attachment; filename=leads.csv');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(
        Buffer.from(await response.arrayBuffer())
          .toString('utf8')
          .split('\r\n'),
      ).toEqual([
        header,
        expect.stringMatching(
          new RegExp(
            `^${uuid},"'=HYPERLINK\\(""http://x""\\)",4915100000001,'\\+fair,,,0,${time},,,VALID,,,,,,,,'@home,true$`,
          ),
        ),
        expect.stringMatching(
          new RegExp(
            `^${uuid},"Ana ""A"", São Paulo",5511988887777,manual,"vip, sp",${tenant.slug}-admin@test.example,1,${time},${time},"{""a"":1}",VALID,,,,,,,-3,Rio,$`,
          ),
        ),
        '',
      ]);
    });

    test('by the filter and the order of the lists', async () => {
      expect(await lines({ filter: { search: 'ana', since: '2020-01-01T00:00:00Z' } })).toHaveLength(2);
      expect(await lines({ filter: { tagsAny: ['none'] } })).toHaveLength(1);
      const [, first] = await lines({ orderBy: { field: 'CREATED_AT', direction: 'ASC' } });
      expect(first).toContain('Ana');
    });

    test('what was exported can be imported elsewhere', async () => {
      const file = Buffer.from(await (await get()).arrayBuffer()).toString('utf8');
      const answer = await app.post('/leads/import', file, {
        ...withToken(other.operator),
        'content-type': 'text/csv',
      });
      expect(await answer.json()).toMatchObject({ createdRows: 2, refusedRows: 0 });
      const rows = await app.sql(
        `SELECT name, chat, source, tags, custom_fields AS fields FROM leads WHERE tenant_id = $1 AND name <> 'Elsewhere' ORDER BY chat`,
        [other.id],
      );
      expect(rows).toEqual([
        {
          name: '=HYPERLINK("http://x")',
          chat: '4915100000001',
          source: '+fair',
          tags: [],
          fields: { city: '@home', ok: 'true' },
        },
        {
          name: 'Ana "A", São Paulo',
          chat: '5511988887777',
          source: 'manual',
          tags: ['vip', 'sp'],
          fields: { city: 'Rio', age: '-3' },
        },
      ]);
    });

    test('every text comes back as it was, also where a spreadsheet would split it', async () => {
      const [from, to] = [await app.createTenant(), await app.createTenant()];
      const texts = ["'=x", "''+x", 'oi;=1+1', 'oi\t@x', 'oi\n-1', "oi;'=1", '"=1', "O'Neil", ';;;;"";\t\t,', '-', "'"];
      // The names of columns have many separators; the file's own one is recognized all the same.
      const names = ['a;b;c;d;e;f;g;h;i;j;k;l;m;n', "x;'=1", 'two\nlines', '__proto__', 'chat', 'field:x', '=1'];
      const people = texts.map((text, index) => ({
        chat: `49151000002${String(index).padStart(2, '0')}`,
        name: text,
        source: text,
        tags: /[,;|]/.test(text) ? [] : [text.toLowerCase().replaceAll(/\s/g, ' ')],
        customFields: Object.fromEntries(names.map((name) => [name, text])),
      }));
      for (const input of people) await query(app, from.operator, CreateLeadDocument, { input });
      const file = Buffer.from(await (await get({}, from)).arrayBuffer()).toString('utf8');
      expect(file.split(/[;\t\r\n]/).filter((cell) => /^[\s"]*[-=+@]/.test(cell))).toEqual([]);
      const answer = await app.post('/leads/import', file, { ...withToken(to.operator), 'content-type': 'text/csv' });
      expect(await answer.json()).toMatchObject({ createdRows: texts.length, refusedRows: 0 });
      const rows = await app.sql(
        `SELECT chat, name, source, tags, custom_fields AS "customFields" FROM leads WHERE tenant_id = $1 ORDER BY chat`,
        [to.id],
      );
      expect(rows).toEqual(people);
    });

    test('a long list comes whole, each lead once, also while others come in', async () => {
      const many = await app.createTenant();
      await app.sql(
        `INSERT INTO leads (tenant_id, id, name, source, updated_at)
       SELECT $1, ('01980000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Lead ' || n, 'x', now() FROM generate_series(1, 1700) n`,
        [many.id],
      );
      const response = await get({ orderBy: { field: 'NAME' } }, many);
      await query(app, many.operator, CreateLeadDocument, { input: { chat: '4915100000003', name: 'Aaron' } });
      const names = (await response.text())
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[1]);
      expect(new Set(names.filter((name) => name !== 'Aaron')).size).toBe(1_700);
      expect(names).toEqual([...names].sort((one, two) => (one!.toLowerCase() < two!.toLowerCase() ? -1 : 1)));
    });

    test('a caller who goes away in the middle harms nobody', async () => {
      const abort = new AbortController();
      const response = await fetch(`${app.url}${path}`, { headers: withToken(tenant.operator), signal: abort.signal });
      abort.abort();
      await response.text().catch(() => undefined);
      expect(await lines()).toHaveLength(3);
    });
  });

  describeExportRefusals(path, () => ({ app, tenant }), [
    ['a filter that is no JSON', 'filter=x', 'filter'],
    ['a filter twice', 'filter={}&filter={}', 'filter'],
    ['a filter that is no object', 'filter=1', 'filter'],
    ['a condition that is none', 'filter={"sources":[]}', 'filter.sources'],
    ['a time that is none', 'filter={"since":"today"}', 'filter.since'],
    ['an order that is none', 'orderBy={"field":"x"}', 'orderBy.field'],
  ]);
}
