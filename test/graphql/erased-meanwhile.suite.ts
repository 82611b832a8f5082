// A lead is erased between the statement that reads a message and the one that reads its lead. Pages, events and files leave out what is
// gone, and nothing else.

import { jest } from '../support/jest.js';
import { parse } from 'graphql';
import { waitForSubscribers, writeAs } from '../features/live/live-harness.js';
import { createLead } from '../features/messages/sending-harness.js';
import { Subscription, connect } from '../support/graphql-client.js';
import { withTenantEach } from '../support/shared-app.js';
import { withToken, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeErasedMeanwhile(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let numberCount = 0;

  withTenantEach((made) => ({ app, tenant } = made), { PROCESS_ROLE: 'api' });
  afterEach(() => jest.restoreAllMocks());

  const ask = async (query: string) => {
    const answer = await app.post('/graphql', { query }, withToken(tenant.admin));
    return (await answer.json()) as { data: any; errors?: object[] };
  };

  /** Creates a lead with one message. @returns its number and id */
  async function lead(text: string): Promise<{ number: string; id: string }> {
    numberCount += 1;
    const number = `49151000${String(numberCount).padStart(5, '0')}`;
    const id = await createLead(app, tenant, number);
    await writeAs(app, tenant, number, text);
    return { number, id };
  }

  /** Erases these leads, one just before each of the next times that leads are read. @returns those that are erased by now */
  function eraseBeforeLeadsAreRead(...gone: string[]): readonly string[] {
    const { leads } = app.app.services;
    const read = leads.listByIds.bind(leads);
    const spy = jest.spyOn(leads, 'listByIds');
    const erased: string[] = [];
    for (const id of gone)
      spy.mockImplementationOnce(async (principal, ids) => {
        expect(await ask(`mutation { deleteLead(id: "${id}") }`)).toEqual({ data: { deleteLead: id } });
        erased.push(id);
        return read(principal, ids);
      });
    return erased;
  }

  test('a page shows the others', async () => {
    const [gone, kept] = [await lead('gone'), await lead('kept')];
    eraseBeforeLeadsAreRead(gone.id);
    const answer = await ask('{ allMessages { edges { node { body lead { id } } } } }');
    expect(answer).toEqual({ data: { allMessages: { edges: [{ node: { body: 'kept', lead: { id: kept.id } } }] } } });
  });

  describe('while somebody is erased at each reading', () => {
    let ids: string[];
    let erased: readonly string[];

    /** Creates leads that are erased one by one: more than an operation has readings, each of which may read leads twice. */
    async function eraseAtEachReading(): Promise<void> {
      ids = [];
      for (let count = 0; count < 9; count += 1) ids.push((await lead(`nr ${count}`)).id);
      erased = eraseBeforeLeadsAreRead(...ids.slice(0, 8));
    }

    function expectOthers(edges: readonly { node: { lead: { id: string } } }[]): void {
      const shown = edges.map(({ node }) => node.lead.id);
      expect(erased.length).toBeGreaterThan(1);
      expect(shown.toSorted()).toEqual(ids.filter((id) => !erased.includes(id)).toSorted());
    }

    test('a page shows the others', async () => {
      await eraseAtEachReading();
      const { data, errors } = await ask('{ allMessages { edges { node { lead { id } } } } }');
      expect(errors).toBeUndefined();
      expectOthers(data.allMessages.edges);
    });

    test('so does a page over a socket', async () => {
      await eraseAtEachReading();
      const client = connect(app, tenant.operator);
      const query = parse('query { allMessages { edges { node { lead { id } } } } }');
      const seen = new Subscription<any>(client, query as never);
      const [answer] = await seen.until(({ length }, errors) => length > 0 || errors.length > 0);
      expect(seen.errors).toEqual([]);
      expectOthers(answer.allMessages.edges);
      await client.dispose();
    });

    test('so do the records behind a figure', async () => {
      const widget = '{ type: FIGURE, title: "In", metric: MESSAGES_RECEIVED }';
      const created = await ask(`mutation { createDashboard(input: { name: "All", widgets: [${widget}] }) { id } }`);
      await eraseAtEachReading();
      const rows = 'rows { edges { node { ... on Message { lead { id } } } } }';
      const { id } = created.data.createDashboard;
      const { data, errors } = await ask(
        `{ dashboard(id: "${id}") { widgets { ... on FigureWidget { data { ${rows} } } } } }`,
      );
      expect(errors).toBeUndefined();
      expectOthers(data.dashboard.widgets[0].data.rows.edges);
    });
  });

  test('a page over a socket shows the others', async () => {
    const [gone, kept] = [await lead('gone'), await lead('kept')];
    eraseBeforeLeadsAreRead(gone.id);
    const client = connect(app, tenant.operator);
    const query = parse('query { allMessages { edges { node { lead { id } } } } }');
    const seen = new Subscription<any>(client, query as never);
    const [answer] = await seen.until(({ length }) => length > 0);
    expect([answer, seen.errors]).toEqual([{ allMessages: { edges: [{ node: { lead: { id: kept.id } } }] } }, []]);
    await client.dispose();
  });

  test('the records behind a figure are the others', async () => {
    const [gone, kept] = [await lead('gone'), await lead('kept')];
    const widget = '{ type: FIGURE, title: "In", metric: MESSAGES_RECEIVED }';
    const created = await ask(`mutation { createDashboard(input: { name: "All", widgets: [${widget}] }) { id } }`);
    eraseBeforeLeadsAreRead(gone.id);
    const rows = 'rows { edges { node { ... on Message { lead { id } } } } }';
    const { id } = created.data.createDashboard;
    const answer = await ask(`{ dashboard(id: "${id}") { widgets { ... on FigureWidget { data { ${rows} } } } } }`);
    expect(answer.errors).toBeUndefined();
    expect(answer.data.dashboard.widgets[0].data.rows.edges).toEqual([{ node: { lead: { id: kept.id } } }]);
  });

  test('a mutation says that the lead is gone, not that something went wrong', async () => {
    const { id } = await lead('gone');
    const sent = await ask(`mutation { sendMessage(input: { leadId: "${id}", body: "Oi" }) { id } }`);
    eraseBeforeLeadsAreRead(id);
    const answer = await ask(`mutation { cancelMessage(id: "${sent.data.sendMessage.id}") { lead { id } } }`);
    expect(answer.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });

  test('an event shows what is left, and a view of messages leaves it out', async () => {
    const gone = await lead('before');
    const client = connect(app, tenant.operator);
    const events = new Subscription<any>(
      client,
      parse('subscription { events { type leadId message { body lead { id } } } }') as never,
    );
    const received = new Subscription<any>(
      client,
      parse('subscription { messageReceived { body lead { id } } }') as never,
    );
    await waitForSubscribers(app, tenant, 2);
    eraseBeforeLeadsAreRead(gone.id);
    await writeAs(app, tenant, gone.number, 'gone');
    await events.until((seen) => seen.some((one) => one.events.type === 'LEAD_DELETED'));
    const kept = await lead('kept');
    await received.until((seen) => seen.some((one) => one.messageReceived.body === 'kept'));
    expect([events.errors, received.errors]).toEqual([[], []]);
    expect(received.received.at(-1)).toEqual({ messageReceived: { body: 'kept', lead: { id: kept.id } } });
    await client.dispose();
  });

  test('a file leaves it out', async () => {
    const [gone] = [await lead('gone'), await lead('kept')];
    eraseBeforeLeadsAreRead(gone.id);
    const text = await (await app.get('/messages/export.csv', withToken(tenant.operator))).text();
    expect(text).toContain('kept');
    expect(text).not.toContain('gone');
  });
}
