// A dry run says what the real run then does, and changes no row: leads, calls of the gateway, calls of lead sources and files, in any
// order, so that what is new, known, repeated or wrong is met by each.

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { execute, query } from '../../support/graphql-client.js';
import {
  PreviewMessageDocument,
  SendMessageDocument,
  TestLeadSourceBodyDocument,
  TryWebhookDocument,
  type TryWebhookQuery,
  type TryWebhookQueryVariables,
} from '../../support/operations.js';
import { changingNothing, checksumsOf } from '../../support/table-checksums.js';
import { withKey, withToken, type TestTenant } from '../../support/test-app.js';
import { newChat, SourceStage, type SourceFields } from './source-harness.js';

type Verdict = TryWebhookQuery['tryWebhook'];
type Fields = Record<string, unknown>;

const secret = 'a-secret-of-the-form';
const runs = Number(process.env.DRY_RUNS ?? 12);
const inbound = '/webhooks/chat/gateway/inbound';
const statusPath = '/webhooks/chat/gateway/status';

/** An action with its records as numbers, which name the same person or message again. */
type Action =
  | { kind: 'lead'; body: unknown }
  | { kind: 'call'; route: string; body: unknown }
  | { kind: 'source'; body: unknown }
  | { kind: 'file'; rows: string[]; update: '' | 'FILL' | 'OVERWRITE' }
  | { kind: 'message'; person: number; body: string; key: number };

export function describeDryRunOutcomes(): void {
  let stage: SourceStage;
  let tenant: TestTenant;
  let source: SourceFields;
  let chats: string[];
  let leadIds: Map<string, string>;
  let met: Set<string>;

  beforeAll(async () => {
    stage = await SourceStage.start({ PROCESS_ROLE: 'api' });
    met = new Set();
  });
  afterAll(() => stage.stop());

  async function startAnew(): Promise<void> {
    tenant = await stage.app.createTenant({ defaultCountry: 'BR' });
    source = await stage.createForm(tenant, {
      mapping: { '/phone': 'chat', '/who': 'name', '/nr': 'externalId', '/terms': 'consent.terms' },
      hmac: { header: 'X-Form-Sign', secret, algorithm: 'sha256', encoding: 'hex' },
    });
    chats = Array.from({ length: 3 }, newChat);
    leadIds = new Map();
  }

  const person = fc.integer({ min: 0, max: 2 });
  const name = fc.constantFrom('Ana', 'Bia Lima', '', undefined);
  const chat = fc.oneof({ weight: 5, arbitrary: person }, { weight: 1, arbitrary: fc.constantFrom('12', '', null) });
  const messageId = fc.integer({ min: 0, max: 3 }).map((number) => `message-${number}`);
  const message = fc.record({
    messageId: fc.oneof({ weight: 6, arbitrary: messageId }, fc.constant('')),
    from: chat,
    text: fc.constantFrom('Oi', 'STOP', 'Quero saber mais'),
    instance: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, fc.constant('nowhere')),
  });
  const report = fc.record({ messageId, status: fc.constantFrom('DELIVERED', 'READ', 'gone') });
  const submission = fc.record({
    phone: chat,
    who: name,
    nr: fc.constantFrom('one', 'two', undefined),
    email: fc.constantFrom('ana@example.com', undefined),
    terms: fc.constantFrom('on', ''),
  });
  const row = fc
    .tuple(chat, fc.constantFrom('Ana', '', 'Caio'), fc.constantFrom('vip', ''))
    .map((cells) => cells.join());
  const action: fc.Arbitrary<Action> = fc.oneof(
    fc.record({ chat, name, campaign: fc.constantFrom('spring', 7) }).map((body) => ({ kind: 'lead', body }) as const),
    fc
      .oneof(
        message,
        fc.array(message, { minLength: 1, maxLength: 4 }).map((messages) => ({ messages })),
      )
      .map((body) => ({ kind: 'call', route: inbound, body }) as const),
    fc
      .array(report, { minLength: 1, maxLength: 3 })
      .map((statuses) => ({ kind: 'call', route: statusPath, body: { statuses } }) as const),
    fc.oneof(submission, fc.array(submission, { maxLength: 4 })).map((body) => ({ kind: 'source', body }) as const),
    fc.record({
      kind: fc.constant('file' as const),
      rows: fc.array(row, { minLength: 1, maxLength: 5 }),
      update: fc.constantFrom('' as const, 'FILL' as const, 'OVERWRITE' as const),
    }),
    fc.record({
      kind: fc.constant('message' as const),
      person,
      body: fc.constantFrom('Oi', ''),
      key: fc.integer({ min: 0, max: 2 }),
    }),
  );

  /** Meets each outcome, whatever the random sequences meet. */
  const everyOutcome: Action[] = [
    { kind: 'lead', body: { chat: 0, name: 'Ana' } },
    { kind: 'lead', body: { chat: 0, name: 'Bia' } },
    { kind: 'call', route: inbound, body: { messageId: 'first', from: 0, text: 'Oi' } },
    {
      kind: 'call',
      route: inbound,
      body: {
        messages: [
          { messageId: 'first', from: 0, text: 'Oi' },
          { messageId: 'second', from: 1, text: 'Oi' },
          { messageId: 'second', from: 1, text: 'Oi' },
          { messageId: 'third', from: '12', text: 'Oi' },
        ],
      },
    },
    { kind: 'call', route: statusPath, body: { statuses: [{ messageId: 'unknown', status: 'READ' }] } },
    {
      kind: 'source',
      body: [
        { phone: 2, who: 'Caio', nr: 'one', terms: 'on' },
        { phone: 2, who: 'Caio', nr: 'one' },
        { phone: 0, nr: 'two' },
        { phone: '', email: 'ana@example.com', nr: 'three' },
        { phone: '12', nr: 'four' },
      ],
    },
    { kind: 'source', body: { phone: '', email: 'ana@example.com', nr: 'three' } },
    { kind: 'file', rows: ['0,Ana,vip', '0,Ana,', '12,Bia,vip', '1,,vip'], update: 'OVERWRITE' },
    { kind: 'message', person: 0, body: 'Oi', key: 0 },
    { kind: 'message', person: 0, body: 'Oi', key: 0 },
    { kind: 'message', person: 0, body: 'Tchau', key: 0 },
  ];

  /** The body with each person as a number of this round. */
  const written = (body: unknown) =>
    JSON.stringify(body, (field, value: unknown) =>
      typeof value === 'number' && ['chat', 'from', 'phone'].includes(field) ? chats[value] : value,
    );
  const dry = <Result>(work: () => Promise<Result>) => changingNothing(stage.app, work);

  async function judge(route: string, body: string, headers: object = {}): Promise<Verdict> {
    const variables = { route, body, headers } as TryWebhookQueryVariables;
    const { tryWebhook } = await dry(() => query(stage.app, tenant.admin, TryWebhookDocument, variables));
    for (const { kind, outcome } of tryWebhook.items) met.add(`${kind} ${outcome}`);
    return tryWebhook;
  }

  async function answerOf(response: Response): Promise<[status: number, body: Fields]> {
    return [response.status, (await response.json()) as Fields];
  }

  async function takeLead(body: unknown): Promise<void> {
    const text = written(body);
    const post = (search: string) => stage.app.post(`/public/leads${search}`, text, withKey(tenant)).then(answerOf);
    const verdict = await judge('/public/leads', text);
    const [drySays, shown] = await dry(() => post('?dryRun=true'));
    const [status, real] = await post('');
    expect([verdict.status, verdict.code, verdict.detail]).toEqual([status, real.code ?? null, real.detail ?? null]);
    if (status >= 400) {
      expect({ ...shown, requestId: '' }).toEqual({ ...real, requestId: '' });
      expect(verdict.errors.map(({ path }) => path)).toEqual((real.errors as Fields[]).map(({ path }) => path));
      return;
    }
    leadIds.set(String(real.chat), String(real.id));
    const { id, ...lead } = without(real, ['createdAt', 'updatedAt']);
    expect([drySays, shown]).toMatchObject([200, { ...lead, id: real.created === true ? null : id }]);
    expect(verdict.items).toMatchObject([
      {
        outcome: real.created === true ? 'CREATED' : 'EXISTING',
        from: real.chat,
        name: real.name,
        source: real.source,
      },
    ]);
  }

  async function takeCall(route: string, body: unknown): Promise<void> {
    const text = written(body);
    const before = await storedIds();
    const verdict = await judge(route, text);
    const [status, real] = await answerOf(await stage.app.post(route, text, withKey(tenant)));
    expect([verdict.status, verdict.code, verdict.detail]).toEqual([status, real.code ?? null, real.detail ?? null]);
    if (status >= 400) {
      expect(verdict.errors).toEqual(real.errors);
      return;
    }
    const results = (real.results as Fields[]).map((result) => ({
      outcome: outcomeOf(result),
      ...(result.errors === undefined ? {} : { errors: result.errors }),
      leadId: onlyOf(before, result.leadId),
      messageId: onlyOf(before, result.messageId),
    }));
    expect(verdict.items).toMatchObject(results);
  }

  const without = (fields: Fields, names: readonly string[]): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => !names.includes(field)));
  const outcomeOf = ({ duplicate, outcome }: Fields) =>
    duplicate === undefined ? String(outcome).toUpperCase() : duplicate === true ? 'DUPLICATE' : 'CREATED';
  const onlyOf = (known: ReadonlySet<unknown>, id: unknown) => (known.has(id) ? id : null);

  async function storedIds(): Promise<Set<unknown>> {
    const rows = await stage.app.sql<{ id: string }>(
      'SELECT id FROM leads WHERE tenant_id = $1 UNION ALL SELECT id FROM messages WHERE tenant_id = $1',
      [tenant.id],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async function takeSource(body: unknown): Promise<void> {
    const text = written(body);
    const headers = { 'x-form-sign': createHmac('sha256', secret).update(text).digest('hex') };
    const before = await storedIds();
    const verdict = await judge(source.path, text, headers);
    const post = (search: string) => stage.app.post(`${source.path}${search}`, text, headers).then(answerOf);
    const [drySays, shown] = await dry(() => post('?dryRun=true'));
    const tested = await dry(() =>
      query(stage.app, tenant.admin, TestLeadSourceBodyDocument, { id: source.id, body: text }),
    );
    const [status, real] = await post('');
    expect([verdict.status, verdict.code, verdict.detail]).toEqual([status, real.code ?? null, real.detail ?? null]);
    expect(drySays).toBe(status);
    const { submissions } = tested.testLeadSource;
    const shownAlone = Array.isArray(body) ? submissions : [tested.testLeadSource];
    if (status >= 400) {
      expect({ ...shown, requestId: '' }).toEqual({ ...real, requestId: '' });
      expect(shownAlone.every(({ lead }) => lead === null)).toBe(true);
      return;
    }
    const results = real.results as Fields[];
    expect(shown.accepted).toBe(real.accepted);
    expect(shown.results).toMatchObject(
      results.map((result) => ('leadId' in result ? { ...result, leadId: onlyOf(before, result.leadId) } : result)),
    );
    expect(verdict.items.map(({ outcome }) => outcome)).toEqual(results.map(outcomeOfSource));
    expect(verdict.items.map(({ leadId }) => leadId)).toEqual(results.map(({ leadId }) => onlyOf(before, leadId)));
    expect(
      shownAlone.map(({ created, duplicate, held, lead }) => ({ created, duplicate, held, leadId: lead?.id ?? null })),
    ).toEqual(
      results.map(({ created = false, duplicate = false, outcome, leadId }) => ({
        created,
        duplicate,
        held: outcome === 'held',
        leadId: onlyOf(before, leadId),
      })),
    );
  }

  const outcomeOfSource = ({ created, duplicate, outcome }: Fields) =>
    duplicate === true
      ? 'DUPLICATE'
      : outcome === undefined
        ? created === true
          ? 'CREATED'
          : 'EXISTING'
        : outcomeOf({ outcome });

  async function takeFile(rows: readonly string[], update: string): Promise<void> {
    const file = `chat,name,tags\n${rows.map((line) => line.replace(/^[0-2](?=,)/, (number) => chats[Number(number)] ?? '')).join('\n')}\n`;
    const search = update === '' ? '' : `update=${update}`;
    const headers = { ...withToken(tenant.operator), 'content-type': 'text/csv' };
    const post = (more: string) => stage.app.post(`/leads/import?${search}${more}`, file, headers).then(answerOf);
    const before = await checksumsOf(stage.app);
    const [drySays, shown] = await post('&dryRun=true');
    const after = await checksumsOf(stage.app);
    const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
    expect(changed.filter((table) => !table.startsWith('public.lead_import'))).toEqual([]);
    const [status, real] = await post('');
    const own = ['id', 'isDryRun', 'createdAt', 'updatedAt', 'finishedAt'];
    expect([drySays, without(shown, own)]).toEqual([status, without(real, own)]);
  }

  async function takeMessage(who: number, body: string, key: number): Promise<void> {
    const leadId = leadIds.get(chats[who] ?? '');
    if (leadId === undefined) return;
    const input = { leadId, body, idempotencyKey: `key-${key}` };
    const shown = await dry(() => execute(stage.app, tenant.operator, PreviewMessageDocument, { input }));
    const sent = await execute(stage.app, tenant.operator, SendMessageDocument, { input });
    const errorsOf = ({ errors = [] }: { errors?: readonly { message: string }[] | undefined }) =>
      errors.map(({ message: text }) => text);
    expect(errorsOf(shown)).toEqual(errorsOf(sent));
    const { body: text, repeated, instance } = shown.data?.previewMessage ?? {};
    const real = sent.data?.sendMessage;
    expect([text, instance?.id]).toEqual([real?.body, real?.instance.id]);
    if (repeated != null) expect(repeated.id).toBe(real?.id);
  }

  const take = (one: Action): Promise<void> => {
    if (one.kind === 'lead') return takeLead(one.body);
    if (one.kind === 'call') return takeCall(one.route, one.body);
    if (one.kind === 'source') return takeSource(one.body);
    if (one.kind === 'file') return takeFile(one.rows, one.update);
    return takeMessage(one.person, one.body, one.key);
  };

  test(`${runs} sequences of leads, calls, submissions, files and messages`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 8 }), async (actions) => {
        await startAnew();
        for (const one of actions) await take(one);
      }),
      { numRuns: runs, endOnFailure: true, examples: [[everyOutcome]] },
    );
    const outcomes = ['LEAD CREATED', 'LEAD EXISTING', 'LEAD DUPLICATE', 'LEAD HELD', 'STATUS PARKED'];
    const others = ['MESSAGE CREATED', 'MESSAGE DUPLICATE', 'UNREADABLE REFUSED'];
    expect([...met]).toEqual(expect.arrayContaining([...outcomes, ...others]));
  }, 600_000);
}
