// Queries that read messages with their leads while people are erased between the statements: their pages leave out the erased people.

import { query } from '../../support/graphql-client.js';
import { DeleteLeadDocument } from '../../support/operations.js';
import { withTenantEach } from '../../support/shared-app.js';
import { withToken, type TestApp, type TestTenant } from '../../support/test-app.js';
import { write } from '../consent/consent-harness.js';
import { plainNumber } from './sending-harness.js';

interface Answer {
  errors?: unknown;
  data: Record<string, { edges: { node: { lead: { id: string } } }[]; pageInfo: { endCursor: string | null } }> | null;
}

export function describeErasedMeanwhile(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let leadIds: string[];

  withTenantEach((made) => ({ app, tenant } = made));
  beforeEach(async () => {
    leadIds = [];
    await addLeads(8);
  });

  async function addLeads(count: number): Promise<void> {
    for (let added = 0; added < count; added += 1)
      leadIds.push((await write(app, tenant, plainNumber(), { text: 'Oi' })).leadId);
  }

  /** Asks while a lead is erased before each reading of the messages' leads. @returns the answer, and the leads that are left */
  async function readWhileErasing(document: string): Promise<{ answer: Answer; left: string[] }> {
    const { leads } = app.app.services;
    const listByIds = leads.listByIds.bind(leads);
    const left = [...leadIds];
    leads.listByIds = async (...args) => {
      // Four leads stay.
      const id = left.length > 4 ? left.pop() : undefined;
      if (id !== undefined) await query(app, tenant.operator, DeleteLeadDocument, { id });
      return listByIds(...args);
    };
    try {
      const response = await app.post('/graphql', { query: document }, withToken(tenant.operator));
      return { answer: (await response.json()) as Answer, left };
    } finally {
      leads.listByIds = listByIds;
    }
  }

  test('six pages of all messages come without those whose leads are gone, and can be continued', async () => {
    // Each page of each of the three readings erases somebody.
    await addLeads(14);
    const pages = Array.from(
      { length: 6 },
      (_, index) => `p${index}: allMessages { edges { node { lead { id } } } pageInfo { endCursor } }`,
    );
    const { answer, left } = await readWhileErasing(`{ ${pages.join(' ')} }`);
    expect(answer.errors).toBeUndefined();
    for (const { edges, pageInfo } of Object.values(answer.data ?? {})) {
      expect(edges.map(({ node }) => node.lead.id)).toEqual(expect.arrayContaining(left));
      expect(pageInfo.endCursor).not.toBeNull();
    }
    expect(left.length).toBeLessThan(leadIds.length);
  });

  test('so do the messages of a lead, also below the lead', async () => {
    const [leadId = ''] = leadIds.slice(-1);
    const page = '(first: 1) { edges { node { lead { id } } } pageInfo { endCursor } }';
    const document = `{ p: messages(leadId: "${leadId}", first: 1) { edges { node { lead { id } } } pageInfo { endCursor } }
      leads { edges { node { messages${page} } } } }`;
    const { answer } = await readWhileErasing(document);
    // A query for an erased lead is answered with NOT_FOUND, and names no relation that broke.
    if (answer.errors === undefined) expect(answer.data).not.toBeNull();
    else expect(answer.errors).toMatchObject([{ path: ['p'], extensions: { code: 'NOT_FOUND' } }]);
  });

  test('a reading without a gap shows everybody', async () => {
    const response = await app.post(
      '/graphql',
      { query: '{ p: allMessages { edges { node { lead { id } } } pageInfo { endCursor } } }' },
      withToken(tenant.operator),
    );
    const { data } = (await response.json()) as Answer;
    expect(data?.['p']?.edges).toHaveLength(leadIds.length);
  });
}
