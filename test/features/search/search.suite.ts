// A search over everything of a tenant: people and messages, as people type what they look for, and never what is erased. It finds the same
// before a worker has brought the words in, and after.

import { randomUUID } from 'node:crypto';
import { execute, failureOf, query } from '../../support/graphql-client.js';
import {
  AddLeadNoteDocument,
  CloseConversationDocument,
  DeleteLeadDocument,
  DeleteLeadNoteDocument,
  MergeLeadsDocument,
  MessagesAroundDocument,
  SearchDocument,
  UpdateLeadDocument,
  UpdateLeadNoteDocument,
} from '../../support/operations.js';
import { withTenantEach } from '../../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { createLead, plainNumber, send } from '../messages/sending-harness.js';

/** @param isIndexed whether the words are brought in before each search */
export function describeSearch(isIndexed: boolean): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made), { PROCESS_ROLE: 'api' });

  const search = async (text: string, first?: number, as = tenant) => {
    if (isIndexed) await app.app.services.wordIndex.catchUp(as.id);
    return (await query(app, as.operator, SearchDocument, { text, first })).search;
  };
  const refusal = async (text: string, first?: number) =>
    failureOf(await execute(app, tenant.operator, SearchDocument, { text, first }));
  const namesFor = async (text: string) => (await search(text)).leads.map(({ name }) => name);
  const bodiesFor = async (text: string) => (await search(text)).messages.map(({ message }) => message.body);

  async function post(lead: { chat?: string; name: string; [field: string]: unknown }): Promise<string> {
    const answer = await app.post('/public/leads', { chat: plainNumber(), ...lead }, withKey(tenant));
    return ((await answer.json()) as { id: string }).id;
  }

  const inbound = (item: object) =>
    app.post('/webhooks/chat/gateway/inbound', { instance: tenant.instance.name, ...item }, withKey(tenant));

  async function hear(text: string | null, further: object = {}, from = plainNumber()): Promise<string> {
    const answer = await inbound({ messageId: randomUUID(), from, ...(text !== null && { text }), ...further });
    const { results } = (await answer.json()) as { results: { messageId: string }[] };
    return results[0]?.messageId ?? '';
  }

  test.each([
    ['ação'],
    ['ACAO'],
    ['aca'],
    ['boa acao'],
    ['acao boa'],
    ['(11) 99988-7766'],
    ['11999887766'],
    ['+55 11 99988 7766'],
    ['ana@example.com'],
    ['sao paulo'],
    ['São PAULO'],
    ['nandu'],
    ['ÑANDÚ'],
    ['n.º 4711'],
  ])('a message is found by %s', async (text) => {
    const body =
      'Uma boa ação: ligue (11) 99988-7766 ou escreva a ana@example.com, pedido 4711, n.º 3, São Paulo, ñandú';
    const id = await hear(body);
    await hear('Outra coisa');
    expect((await search(text)).messages.map((hit) => hit.id)).toEqual([id]);
  });

  test.each([['2ª via'], ['2a via'], ['nº 5'], ['50 m²'], ['1º andar'], ['Mª José'], ['maria² h2o'], ['H₂O']])(
    'a message with short forms of letters and digits is found by %s',
    async (text) => {
      const id = await hear('2ª via do nº 5, 50 m², 1º andar: Mª José e Maria², com H₂O');
      expect((await search(text)).messages.map((hit) => hit.id)).toEqual([id]);
    },
  );

  test.each([['cao'], ['boa noite'], ['99988776'], ['zzz'], ['%'], ["' | 'a"], ['😀'], ['& ! ( :*']])(
    'a message is not found by %s',
    async (text) => {
      await hear('Uma boa ação: ligue (11) 99988-7766');
      expect((await search(text)).messages).toEqual([]);
    },
  );

  test('the newest message comes first, of either side, with its lead and the found word', async () => {
    const leadId = await post({ name: 'Bia' });
    const older = await send(app, tenant, { leadId, body: 'A proposta segue amanhã' });
    const newer = await hear('Recebi a PROPOSTA');
    const { messages } = await search('proposta');
    expect(messages.map(({ id }) => id)).toEqual([newer, older]);
    expect(messages[1]).toMatchObject({ snippet: 'A proposta segue amanhã', lead: { id: leadId, name: 'Bia' } });
    expect(
      messages.map(({ snippet, matches: [match] }) => snippet.substring(match!.start, match!.start + match!.length)),
    ).toEqual(['PROPOSTA', 'proposta']);
    expect((await search('proposta', 1)).messages.map(({ id }) => id)).toEqual([newer]);
    expect(await search('proposta', 0)).toEqual({ leads: [], messages: [], notes: [] });
  });

  test('the place of a hit in its conversation is the page around it', async () => {
    const leadId = await createLead(app, tenant);
    const ids: string[] = [];
    for (const body of ['um', 'dois', 'agulha', 'quatro', 'cinco']) ids.push(await send(app, tenant, { leadId, body }));
    const [hit] = (await search('agulha')).messages;
    const around = { leadId: hit!.lead.id, around: hit!.id, first: 3 };
    const { edges } = (await query(app, tenant.operator, MessagesAroundDocument, around)).messages;
    expect(edges.map(({ node }) => node.id)).toEqual(ids.slice(1, 4));
  });

  test('captions and names of files count; a message without content is not found until it has some', async () => {
    const media = { url: 'https://files.example/1', fileName: 'contrato-final.pdf', caption: 'Assine aqui' };
    const id = await hear(null, { type: 'document', media });
    for (const text of ['contrato', 'final', 'assine'])
      expect((await search(text)).messages.map((hit) => hit.id)).toEqual([id]);
    const messageId = randomUUID();
    const from = plainNumber();
    await hear(null, { messageId, type: 'unknown' }, from);
    expect((await search('unknown')).messages).toEqual([]);
    await hear('enfim chegou', { messageId }, from);
    expect(await bodiesFor('enfim')).toEqual(['enfim chegou']);
  });

  test('people are found in every state of their conversation, by name and number', async () => {
    const leadId = await post({ chat: '5511988887777', name: 'Ana Clara de Souza' });
    await post({ name: 'Bruno Lima' });
    await hear('Oi', {}, '5511988887777');
    await query(app, tenant.operator, CloseConversationDocument, { leadId });
    for (const text of [
      'ana',
      'CLARA',
      'souza ana',
      'ana de so',
      'ána',
      '(11) 98888-7777',
      '+55 11 98888 7777',
      '8888',
      'ana 7777',
      // People dial it with a zero, and paste it out of addresses and in other scripts.
      '011 98888-7777',
      '(011) 98888-7777',
      '+55 (011) 98888-7777',
      '0055 11 98888-7777',
      '+55 11 8888-7777',
      'https://wa.me/5511988887777',
      'tel:+55-11-98888-7777',
      '5511988887777@s.whatsapp.net',
      '٥٥١١٩٨٨٨٨٧٧٧٧',
    ])
      expect({ text, names: await namesFor(text) }).toEqual({ text, names: ['Ana Clara de Souza'] });
    for (const text of ['ana lima', 'x@example.com', '%', '000', 'wa.me/', 'tel:', 'https://wa.me/5521999999999'])
      expect({ text, names: await namesFor(text) }).toEqual({ text, names: [] });
  });

  test('people are found by the beginning of their e-mail address, in whichever field a form has it', async () => {
    const forms = [
      { name: 'Ana', email: 'Ana.Lee@Example.com' },
      { name: 'Bea', 'E-Mail-Adresse': 'ana.lee@example.com' },
      { name: 'Caio', customer: { name: 'Caio', contact: 'ana.lee@example.com' } },
      { name: 'Davi', note: 'ask ana.lee@example.com', link: 'https://ana.lee@example.com' },
      { name: 'Eva', email: 'ana_lee@example.com', seller: 'ana.lee@example.com' },
    ];
    for (const form of forms) await post(form);
    for (const text of [
      'ana.lee@example.com',
      'ANA.LEE@',
      'ana.lee',
      ' ana.lee@exam ',
      'Ana Lee <ana.lee@example.com>',
      'mailto:ana.lee@example.com',
    ])
      expect({ text, names: (await namesFor(text)).toSorted() }).toEqual({ text, names: ['Ana', 'Bea', 'Caio'] });
    expect(await namesFor('ana_lee@')).toEqual(['Eva']);
    for (const text of ['lee@example.com', '@example.com', 'ana%lee', 'an.lee@example.com'])
      expect({ text, names: await namesFor(text) }).toEqual({ text, names: [] });
    expect((await search('ana.lee@example.com', 10, await app.createTenant())).leads).toEqual([]);
  });

  test('people are found by a whole tag, in any letter case and spacing', async () => {
    const id = await post({ name: 'Ana' });
    await query(app, tenant.operator, UpdateLeadDocument, { id, input: { tags: ['Two rooms', 'Surf'] } });
    await post({ name: 'Surfista Bia' });
    for (const text of ['Two  Rooms', 'TWO ROOMS'])
      expect({ text, names: await namesFor(text) }).toEqual({ text, names: ['Ana'] });
    expect(await namesFor('surf')).toEqual(['Surfista Bia', 'Ana']);
    for (const text of ['two', 'rooms', 'two rooms,'])
      expect({ text, names: await namesFor(text) }).toEqual({ text, names: [] });
    expect((await search('two rooms', 10, await app.createTenant())).leads).toEqual([]);
  });

  test('whose name begins with the text comes first, then whom a message was exchanged with last', async () => {
    await post({ name: 'Mariana' });
    const [first, second] = [plainNumber(), plainNumber()];
    await post({ chat: first, name: 'Ana B' });
    await post({ chat: second, name: 'Ana A' });
    await hear('Oi', {}, second);
    await hear('Oi', {}, first);
    expect(await namesFor('ana')).toEqual(['Ana B', 'Ana A', 'Mariana']);
  });

  test('what was erased is not found, nor what another tenant has', async () => {
    const chat = plainNumber();
    const leadId = await post({ chat, name: 'Zulmira Paz' });
    await hear('segredo guardado', {}, chat);
    await query(app, tenant.operator, AddLeadNoteDocument, { leadId, body: 'Um segredo da casa' });
    const stranger = await app.createTenant();
    expect(await search('segredo', undefined, stranger)).toEqual({ leads: [], messages: [], notes: [] });
    expect(await search('zulmira', undefined, stranger)).toEqual({ leads: [], messages: [], notes: [] });
    const { messages, notes } = await search('segredo');
    expect([messages, notes]).toEqual([[expect.anything()], [expect.anything()]]);
    await query(app, tenant.admin, DeleteLeadDocument, { id: leadId });
    for (const text of ['segredo', 'zulmira'])
      expect(await search(text)).toEqual({ leads: [], messages: [], notes: [] });
  });

  test('a message that its writer edited is found by its new text, and not at all once it was deleted', async () => {
    const [from, messageId] = [plainNumber(), randomUUID()];
    await hear('primeiro texto', { messageId }, from);
    expect(await bodiesFor('primeiro')).toEqual(['primeiro texto']);
    await inbound({ from, type: 'edit', edit: { messageId, text: 'segundo texto' } });
    expect([await bodiesFor('primeiro'), await bodiesFor('segundo')]).toEqual([[], ['segundo texto']]);
    await inbound({ from, type: 'deletion', deletion: { messageId } });
    expect(await bodiesFor('texto')).toEqual([]);
  });

  test('a note is found by its words of now, with whom it is about, also after a merge', async () => {
    const [leadId, intoId] = [await post({ name: 'Ana' }), await post({ name: 'Bia' })];
    const body = 'Prefere ligações\nà tarde, (11) 99988-7766';
    const { addLeadNote } = await query(app, tenant.operator, AddLeadNoteDocument, { leadId, body });
    await query(app, tenant.operator, AddLeadNoteDocument, { leadId: intoId, body: 'Prefere e-mail' });
    const notesFor = async (text: string) => (await search(text)).notes.map(({ lead, note }) => [lead.name, note.body]);
    expect((await search('a tarde ligacoes')).notes).toEqual([
      {
        id: addLeadNote.id,
        note: { body },
        lead: { id: leadId, name: 'Ana' },
        snippet: 'Prefere ligações à tarde, (11) 99988-7766',
        matches: [
          { start: 8, length: 8 },
          { start: 17, length: 1 },
          { start: 19, length: 5 },
        ],
      },
    ]);
    expect(await notesFor('11999887766')).toEqual([['Ana', body]]);
    expect(await notesFor('prefere')).toEqual([
      ['Bia', 'Prefere e-mail'],
      ['Ana', body],
    ]);
    expect((await search('prefere', 1)).notes).toHaveLength(1);
    await query(app, tenant.operator, MergeLeadsDocument, { leadId, intoId });
    expect(await notesFor('tarde')).toEqual([['Bia', body]]);
    await query(app, tenant.operator, UpdateLeadNoteDocument, { id: addLeadNote.id, body: 'Só de manhã' });
    expect([await notesFor('tarde'), await notesFor('manha')]).toEqual([[], [['Bia', 'Só de manhã']]]);
    await query(app, tenant.operator, DeleteLeadNoteDocument, { id: addLeadNote.id });
    expect(await notesFor('manha')).toEqual([]);
  });

  test.each([
    ['', 5, 'text'],
    [' ', 5, 'text'],
    ['x'.repeat(101), 5, 'text'],
    ['a\u0000', 5, 'text'],
    ['oi', 51, 'first'],
    ['oi', -1, 'first'],
  ] as const)('%j, %i of it, is refused', async (text, first, path) => {
    expect(await refusal(text, first)).toMatchObject({ code: 'VALIDATION_FAILED', paths: [path] });
  });

  test('any text can be stored and searched for', async () => {
    const texts = [
      'x'.repeat(65_536),
      '１２３'.repeat(5_000),
      'ﷺ'.repeat(20_000),
      `${'\u0301'.repeat(3_000)}a`,
      '12 34-'.repeat(10_000),
      "'\\:*&|!()<->",
      '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
      'ﬁn ǅ ẞ İ ı',
    ];
    for (const text of texts) {
      expect(await hear(text)).not.toBe('');
      await search(Array.from(text).slice(0, 100).join('').replaceAll(/^\s+$/g, 'x'));
    }
    expect((await search('ǆ')).messages).toHaveLength(1);
  });
}
