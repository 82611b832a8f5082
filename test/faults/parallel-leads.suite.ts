// The same number is posted hundreds of times at the same moment, in all its spellings, through both endpoints. Two applications on one
// database serve two tenants: each tenant has one lead with the number, and every answer names it.

import { withKey, withTwoApps, type TestApp, type TestTenant } from '../support/test-app.js';

const endpoints = ['/public/leads', '/webhooks/leads'];
/** Spellings of the same Brazilian mobile number, with its ninth digit and without. */
const writings: (string | number)[] = [
  '5511988887777',
  '551188887777',
  '+55 (11) 98888-7777',
  '+55 11 8888 7777',
  '005511988887777',
  'tel:+55-11-8888-7777',
  '＋５５１１９８８８８７７７７',
  551_188_887_777,
  5_511_988_887_777,
];

interface LeadAnswer {
  id: string;
  chat: string;
  name: string;
  created: boolean;
}

interface Posted {
  status: number;
  lead: LeadAnswer;
}

/** @param postCount 36 are every spelling through every endpoint of each application */
export function describeParallelLeads(postCount = 108): void {
  let apps: [TestApp, TestApp];

  withTwoApps((started) => (apps = started));

  // The lists have different lengths, so that every spelling comes through every endpoint of every application.
  async function postLead(tenant: TestTenant, nr: number): Promise<Posted> {
    const app = apps[nr % 2 === 0 ? 0 : 1];
    const body = { chat: writings[nr % writings.length], nr };
    const response = await app.post(endpoints[Math.floor(nr / 2) % 2] ?? '', body, withKey(tenant));
    return { status: response.status, lead: (await response.json()) as LeadAnswer };
  }

  async function postMessage(tenant: TestTenant, nr: number): Promise<{ status: number; leadId: string | undefined }> {
    const body = { messageId: `message-${nr}`, from: writings[nr % writings.length], text: `${nr}` };
    const response = await apps[nr % 2 === 0 ? 0 : 1].post('/webhooks/chat/gateway/inbound', body, withKey(tenant));
    const { results } = (await response.json()) as { results: { leadId: string }[] };
    return { status: response.status, leadId: results[0]?.leadId };
  }

  /** Reads every record of the tenant's only lead. */
  async function readStored({ id: tenantId }: TestTenant) {
    const [row] = await apps[0].sql(
      `SELECT (SELECT array_agg(id) FROM leads WHERE tenant_id = $1) AS leads,
       (SELECT array_agg(lead_id) FROM lead_identities WHERE tenant_id = $1) AS identities,
       (SELECT array_agg(lead_id) FROM events WHERE tenant_id = $1 AND type = 'LEAD_CREATED') AS told,
       (SELECT array_agg((metadata->>'nr')::int ORDER BY (metadata->>'nr')::int) FROM lead_touches
        WHERE tenant_id = $1) AS touches,
       (SELECT count(*)::int FROM webhook_deliveries WHERE tenant_id = $1 AND outcome = 'processed') AS deliveries`,
      [tenantId],
    );
    return row;
  }

  const counted = (count: number) => Array.from({ length: count }, (_, nr) => nr);

  test(`${postCount} at once to each of two tenants: one lead each, one 201, and one id in every answer`, async () => {
    const tenants = [await apps[0].createTenant(), await apps[0].createTenant()];
    const posts = tenants.map(() => [] as Promise<Posted>[]);
    for (const nr of counted(postCount))
      for (const [index, tenant] of tenants.entries()) posts[index]?.push(postLead(tenant, nr));
    const ids = new Set<string>();
    for (const [index, tenant] of tenants.entries()) {
      const answers = await Promise.all(posts[index] ?? []);
      expect(answers.filter(({ status }) => status !== 200).map(({ status }) => status)).toEqual([201]);
      expect(answers.filter(({ status, lead }) => lead.created !== (status === 201))).toEqual([]);
      const [first] = answers;
      const told = { ...first?.lead, created: expect.any(Boolean) };
      for (const { lead } of answers) expect(lead).toEqual(told);
      const id = first?.lead.id ?? '';
      expect(await readStored(tenant)).toEqual({
        leads: [id],
        identities: [id],
        told: [id],
        touches: counted(postCount),
        deliveries: postCount,
      });
      ids.add(id);
    }
    expect(ids.size).toBe(tenants.length);
  });

  test('leads and messages of one number at once: one lead, whichever was first', async () => {
    const tenant = await apps[0].createTenant();
    const count = 100;
    const [leads, messages] = await Promise.all([
      Promise.all(counted(count).map((nr) => postLead(tenant, nr))),
      Promise.all(counted(count).map((nr) => postMessage(tenant, nr))),
    ]);
    const ids = [...leads.map(({ lead }) => lead.id), ...messages.map(({ leadId }) => leadId)];
    expect(new Set(ids).size).toBe(1);
    expect(messages.map(({ status }) => status)).toEqual(messages.map(() => 200));
    expect(leads.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
    expect(leads.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    const [id] = ids;
    expect(await readStored(tenant)).toEqual({
      leads: [id],
      identities: [id],
      told: [id],
      touches: counted(count),
      deliveries: 2 * count,
    });
    const [lead] = await apps[0].sql('SELECT unread_count AS unread FROM leads WHERE id = $1', [id]);
    expect(lead).toEqual({ unread: count });
  });
}
