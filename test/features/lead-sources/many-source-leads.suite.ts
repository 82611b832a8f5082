// Many leads of each kind of source, with repetitions, out of order and side by side: each lead once, one event and one touch for each.
// SOURCE_LEADS sets the number of each kind.

import { newChat, newLeadgenId, googleLead, SourceStage, until } from './source-harness.js';

const count = Number(process.env['SOURCE_LEADS'] ?? 60);
const callsAtOnce = 16;

export function describeManySourceLeads(): void {
  let stage: SourceStage;

  beforeAll(async () => {
    stage = await SourceStage.start();
  });
  afterAll(() => stage.stop());

  // The order is the same in every run.
  function shuffled<Item>(items: readonly Item[]): Item[] {
    const mixed = [...items];
    let state = 7;
    for (let index = mixed.length - 1; index > 0; index -= 1) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      const other = state % (index + 1);
      [mixed[index], mixed[other]] = [mixed[other]!, mixed[index]!];
    }
    return mixed;
  }

  async function atOnce(tasks: (() => Promise<Response>)[]): Promise<void> {
    const waiting = [...tasks];
    const work = async () => {
      for (let task = waiting.pop(); task !== undefined; task = waiting.pop()) {
        const answer = await task();
        const text = await answer.text();
        if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
      }
    };
    await Promise.all(Array.from({ length: callsAtOnce }, work));
  }

  test(`${count} leads of each kind, three times each`, async () => {
    const tenant = await stage.app.createTenant();
    const [meta, google, form] = [
      await stage.createMeta(tenant),
      await stage.createGoogle(tenant),
      await stage.createForm(tenant, { mapping: { '/id': 'externalId' } }),
    ];
    const chats = new Set<string>();
    while (chats.size < 3 * count) chats.add(newChat());
    const all = [...chats];
    const numbered = Array.from({ length: count }, (_, index) => index);
    const notices = numbered.map((index) => {
      const id = newLeadgenId();
      stage.graph.add(id, { full_name: 'Ana', phone_number: `+${all[index]!}` });
      return id;
    });
    const leads = numbered.map((index) => googleLead(all[count + index]!));
    const forms = numbered.map((index) => ({ id: `entry-${index}`, phone: `+${all[2 * count + index]!}` }));
    const once = [
      ...notices.map((id) => () => stage.postNotices(meta, [id])),
      ...leads.map((lead) => () => stage.postGoogle(google, lead)),
      ...forms.map((fields) => () => stage.app.post(form.path, fields)),
    ];
    const startedAtMs = performance.now();
    await atOnce(shuffled([...once, ...once, ...once]));
    const postedMs = performance.now() - startedAtMs;
    const read = async () => {
      const [row] = await stage.app.sql<{ leads: number }>(
        'SELECT count(*)::int AS leads FROM leads WHERE tenant_id = $1',
        [tenant.id],
      );
      return row!.leads;
    };
    await until(read, (found) => found >= 3 * count);
    const takenMs = performance.now() - startedAtMs;
    await until(
      () => stage.read(tenant, meta.id),
      ({ pendingLeads }) => pendingLeads === 0,
    );
    const rows = await stage.app.sql<{ chat: string }>('SELECT chat FROM leads WHERE tenant_id = $1', [tenant.id]);
    expect(rows.map(({ chat }) => chat).sort()).toEqual(all.toSorted());
    expect([await stage.countEvents(tenant, 'LEAD_CREATED'), await stage.countTouches(tenant)]).toEqual([
      3 * count,
      3 * count,
    ]);
    if (process.env['SOURCE_LEADS'] !== undefined)
      process.stdout.write(
        `${9 * count} calls in ${Math.round(postedMs)} ms, ${3 * count} leads after ${Math.round(takenMs)} ms\n`,
      );
  }, 600_000);
}
