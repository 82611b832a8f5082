// Bodies of every shape to every kind of source: each is taken in or answered as a caller's fault, never as the service's, and the service
// goes on.

import { createHmac } from 'node:crypto';
import type { TestTenant } from '../../support/test-app.js';
import {
  appSecret,
  googleKey,
  googleLead,
  newChat,
  noticeOf,
  SourceStage,
  type SourceFields,
} from './source-harness.js';

/** The number of bodies to each source. The long run takes 150. */
const rounds = Number(process.env['FUZZ_ROUNDS'] ?? 40);
/** The number of rounds with forms. The long run takes 10,000. */
const formRounds = Number(process.env['FORM_FUZZ_ROUNDS'] ?? 200);

export function describeFuzzedSources(): void {
  let stage: SourceStage;
  let tenant: TestTenant;
  let sources: SourceFields[];

  beforeAll(async () => {
    stage = await SourceStage.start({ WEBHOOK_REFUSED_PER_MINUTE: '10' });
    tenant = await stage.app.createTenant();
    sources = [
      await stage.createMeta(tenant),
      await stage.createGoogle(tenant),
      await stage.createForm(tenant, { mapping: { '/a/b/0': 'name', '/id': 'externalId', '/t': 'consent.t' } }),
    ];
  });
  afterAll(() => stage.stop());

  let state = 20_261_124;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;

  const odd = (): unknown =>
    pick<() => unknown>([
      () => null,
      () => random(2) === 0,
      () => '',
      () => '\u0000',
      () => '\ud800',
      () => 'a'.repeat(random(70_000)),
      () => '__proto__',
      () => 1e308,
      () => -0,
      () => 2 ** 60,
      () => [],
      () => [[[[[[odd()]]]]]],
      () => ({}),
      () => ({ toString: 1, constructor: { prototype: 1 }, __proto__: 2, length: -1 }),
      () => `+${newChat()}`,
    ])();

  /** The value with a part of it replaced, removed or doubled. */
  function mutate(value: unknown): unknown {
    if (random(6) === 0) return odd();
    if (Array.isArray(value)) return value.flatMap((item) => pick([[mutate(item)], [item, item], [item], []]));
    if (typeof value !== 'object' || value === null) return random(3) === 0 ? odd() : value;
    const entries = Object.entries(value).flatMap(([name, item]): [string, unknown][] =>
      pick<[string, unknown][]>([[[name, mutate(item)]], [[name, item]], [], [[JSON.stringify(odd()) ?? '', item]]]),
    );
    return Object.fromEntries(entries);
  }

  const lead = () => ({ id: '7', field_data: [{ name: 'phone_number', values: [`+${newChat()}`] }], form_id: '555' });
  const valid = [
    () => noticeOf(String(random(1e9)), String(random(1e9))),
    () => googleLead(newChat()),
    () => ({ phone: `+${newChat()}`, a: { b: ['x'] }, id: random(1e9), t: 1 }),
  ];

  test(`${rounds} bodies to each`, async () => {
    stage.graph.script = () => (_request, response) => {
      response.writeHead(pick([200, 200, 200, 400, 500]), { 'content-type': 'application/json' });
      response.end(random(5) === 0 ? 'no JSON' : JSON.stringify(mutate(lead())));
    };
    const statuses = new Map<number, number>();
    for (let round = 0; round < rounds; round += 1)
      for (const [index, source] of sources.entries()) {
        const value = mutate(valid[index]!());
        const keyed =
          source.kind === 'GOOGLE' && typeof value === 'object' ? { ...value, google_key: googleKey } : value;
        const text = JSON.stringify(keyed) ?? 'null';
        const body = random(10) === 0 ? text.slice(0, random(text.length + 1)) : text;
        const type = pick(['application/json', 'application/json', 'application/x-www-form-urlencoded', 'text/plain']);
        const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
        const headers = { 'x-hub-signature-256': signature, 'content-type': type };
        const answer = await fetch(`${stage.app.url}${source.path}`, { method: 'POST', headers, body });
        await answer.text();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        expect([200, 400, 401, 413, 415, 422]).toContain(answer.status);
      }
    expect(statuses.get(200)).toBeGreaterThan(0);
    expect(statuses.get(422)).toBeGreaterThan(0);
    // Dry runs get payloads of the same shapes.
    for (const [index, source] of sources.entries())
      for (let round = 0; round < 20; round += 1) {
        const value = mutate(valid[index]!());
        if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
        await stage.tryOut(tenant, source.id, JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
      }
    stage.graph.script = undefined;
    const chat = newChat();
    expect((await stage.postGoogle(sources[1]!, googleLead(chat))).status).toBe(200);
    expect(await stage.leadOf(tenant, chat)).toBeDefined();
    const [row] = await stage.app.sql<{ count: number }>(
      "SELECT count(*)::int AS count FROM lead_source_leads WHERE tenant_id = $1 AND state = 'TAKEN' AND lead_id IS NULL",
      [tenant.id],
    );
    expect(row?.count).toBe(0);
  }, 300_000);

  test(`${formRounds} bodies of forms, in every encoding`, async () => {
    const source = await stage.createForm(tenant, {
      mapping: {
        '/raw/phone/full': 'chat',
        '/answers/[field.ref=phone]/value': 'chat',
        '/fields/phone/value': 'chat',
        '/labels': 'tags',
        '/raw/plan': 'customFields.plan',
        '/t': 'consent.t',
      },
    });
    const submission = (): Record<string, unknown> => ({
      raw: JSON.stringify(mutate({ phone: { full: `+${newChat()}` }, plan: 'Pro' })) ?? 'null',
      answers: [{ field: { ref: 'phone' }, value: `+${newChat()}` }],
      'fields[phone][value]': `+${newChat()}`,
      labels: ['a', 'b; c'],
      email: pick(['ana@example.com', '', 'none']),
      t: 'on',
    });
    const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
    const statuses = new Map<number, number>();
    for (let round = 0; round < formRounds; round += 1) {
      const value = mutate(submission());
      const pairs = typeof value === 'object' && value !== null ? Object.entries(value) : [['x', value] as const];
      const written: [body: string, type: string] = pick<() => [string, string]>([
        () => [JSON.stringify(value) ?? '', 'application/json'],
        () => [JSON.stringify(Array.from({ length: random(4) }, () => mutate(submission()))), 'application/json'],
        () => [
          new URLSearchParams(
            pairs.map(([name, item]): [string, string] => [name, textOf(item).toWellFormed()]),
          ).toString(),
          'application/x-www-form-urlencoded',
        ],
        () => [
          `${pairs.map(([name, item]) => `--b\r\ncontent-disposition: form-data; name="${name}"${pick(['', '; filename="x.pdf"'])}\r\n\r\n${textOf(item)}\r\n`).join('')}--b--\r\n`,
          pick([
            'multipart/form-data; boundary=b',
            'multipart/form-data; boundary=b',
            'multipart/form-data',
            'multipart/form-data; boundary=c',
          ]),
        ],
      ])();
      const [text, type] = written;
      const body = random(10) === 0 ? text.slice(0, random(text.length + 1)) : text;
      const answer = await fetch(`${stage.app.url}${source.path}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      await answer.text();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      expect([200, 400, 413, 415, 422]).toContain(answer.status);
    }
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 422]));
  }, 1_800_000);
}
