// Leads that are likely the same person: who is found and why, and who is not.

import { newRecordId } from '../../../src/platform/database/record-id.js';
import { execute, query } from '../../support/graphql-client.js';
import {
  DeleteLeadDocument,
  LikelyDuplicatesDocument,
  MergeLeadsDocument,
  UndoLeadMergeDocument,
} from '../../support/operations.js';
import { withTenantEach } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';

interface Person {
  name: string;
  chat?: string | null;
  source?: string;
  customFields?: object;
  metadata?: object | null;
  daysAgo?: number;
}

export function describeLikelyDuplicates(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  async function add(person: Person, owner = tenant): Promise<string> {
    const { name, chat = null, source = 'form', customFields = {}, metadata = null, daysAgo = 0 } = person;
    const id = newRecordId();
    await app.sql(
      `INSERT INTO leads (tenant_id, id, name, chat, source, custom_fields, metadata, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now() - $8::int * interval '1 day', now())`,
      [owner.id, id, name, chat, source, JSON.stringify(customFields), metadata && JSON.stringify(metadata), daysAgo],
    );
    return id;
  }

  const found = async (leadId: string) =>
    (await query(app, tenant.operator, LikelyDuplicatesDocument, { leadId })).likelyDuplicates.map(
      ({ reason, lead }) => [reason, lead.id],
    );

  test('the same e-mail address, in any letter case and in the fields or what came with the lead', async () => {
    const one = await add({ name: 'Ana', chat: '5541999112233', customFields: { email: 'Ana@Example.com' } });
    const two = await add({ name: 'A. Souza', chat: '5541988887777', metadata: { email: 'ana@example.com' } });
    await add({ name: 'Bia', chat: '5541977776666', customFields: { email: 'bia@example.com' } });
    expect(await found(one)).toEqual([['SAME_EMAIL', two]]);
    expect(await found(two)).toEqual([['SAME_EMAIL', one]]);
  });

  test('what is no address joins nobody', async () => {
    const one = await add({ name: 'Ana', chat: '5541999112233', customFields: { email: 'none' } });
    await add({ name: 'Bia', chat: '5541988887777', customFields: { email: 'none' } });
    expect(await found(one)).toEqual([]);
  });

  test('a number that was written without its country, and not one that only ends alike', async () => {
    const whole = await add({ name: 'Ana', chat: '5541999112233' });
    const short = await add({ name: 'Ana S.', chat: '41999112233' });
    await add({ name: 'Bia', chat: '5511999112233' });
    expect(await found(whole)).toEqual([['SAME_NUMBER', short]]);
    expect(await found(short)).toEqual([['SAME_NUMBER', whole]]);
  });

  test('the same name and a hidden number, whenever they came', async () => {
    const hidden = await add({ name: 'Ána Souza', source: 'whatsapp', daysAgo: 200 });
    const known = await add({ name: 'ana souza', chat: '5541999112233' });
    expect(await found(hidden)).toEqual([['HIDDEN_NUMBER', known]]);
    expect(await found(known)).toEqual([['HIDDEN_NUMBER', hidden]]);
  });

  test('the same name and source within a week, and not later, elsewhere or by one word', async () => {
    const one = await add({ name: 'Ana Souza', chat: '5541999112233', daysAgo: 10 });
    const near = await add({ name: 'Ana Souza', chat: '5541988887777', daysAgo: 4 });
    await add({ name: 'Ana Souza', chat: '5541977776666', daysAgo: 1 });
    await add({ name: 'Ana Souza', chat: '5541966665555', daysAgo: 10, source: 'ad' });
    expect(await found(one)).toEqual([['SAME_NAME', near]]);
    const short = await add({ name: 'Ana', chat: '5541955554444' });
    await add({ name: 'Ana', chat: '5541944443333' });
    await add({ name: 'Ana' });
    expect(await found(short)).toEqual([]);
  });

  test('a number in place of a name is no name', async () => {
    const one = await add({ name: '55 41 9991', chat: '5541999112233' });
    await add({ name: '55 41 9991', chat: '5541988887777' });
    expect(await found(one)).toEqual([]);
  });

  test('each is listed once, with its strongest reason, five at most', async () => {
    const customFields = { email: 'ana@example.com' };
    const one = await add({ name: 'Ana Souza', chat: '5541999112233', customFields });
    const both = await add({ name: 'Ana Souza', chat: '5541988887777', customFields });
    for (let index = 0; index < 6; index += 1) await add({ name: 'Ana Souza', chat: `554197777${1_000 + index}` });
    const list = await found(one);
    expect(list).toHaveLength(5);
    expect(list[0]).toEqual(['SAME_EMAIL', both]);
    expect(list.slice(1).every(([reason]) => reason === 'SAME_NAME')).toBe(true);
  });

  test('merged, erased and separated ones are left out, and so is another tenant', async () => {
    const customFields = { email: 'ana@example.com' };
    const one = await add({ name: 'Ana', chat: '5541999112233', customFields });
    const two = await add({ name: 'Ana S.', chat: '5541988887777', customFields });
    const stranger = await app.createTenant();
    const foreign = await add({ name: 'Ana', chat: '5541977776666', customFields }, stranger);
    const gone = await add({ name: 'Ana', chat: '5541966665555', customFields });
    expect(new Set((await found(one)).map(([, id]) => id))).toEqual(new Set([two, gone]));
    await query(app, tenant.admin, DeleteLeadDocument, { id: gone });
    expect(await found(one)).toEqual([['SAME_EMAIL', two]]);
    const merged = await query(app, tenant.operator, MergeLeadsDocument, { leadId: two, intoId: one });
    expect(await found(one)).toEqual([]);
    const mergeId = merged.mergeLeads.merges[0]?.id ?? '';
    await query(app, tenant.operator, UndoLeadMergeDocument, { mergeId });
    expect(await found(one)).toEqual([]);
    expect(await found(two)).toEqual([]);
    const { errors } = await execute(app, tenant.operator, LikelyDuplicatesDocument, { leadId: foreign });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('of a lead that was merged they are those of its survivor', async () => {
    const customFields = { email: 'ana@example.com' };
    const one = await add({ name: 'Ana', chat: '5541999112233', customFields });
    const merged = await add({ name: 'Ana S.', chat: '5541988887777', customFields });
    const other = await add({ name: 'Ana', chat: '5541977776666', customFields });
    await query(app, tenant.operator, MergeLeadsDocument, { leadId: merged, intoId: one });
    expect(await found(merged)).toEqual([['SAME_EMAIL', other]]);
  });

  test('each reason reads an index', async () => {
    const rows = await app.sql<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM leads e WHERE tenant_id = '${tenant.id}'
         AND email_of_lead(e.custom_fields, e.metadata) = 'ana@example.com'`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join(' ')).toContain('leads_any_email_idx');
  });
}
