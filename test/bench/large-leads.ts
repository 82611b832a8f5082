// Leads whose custom fields hold as much as they may, for large answers.

import { withClient } from './postgres.js';

const fieldCount = 50;
const fieldLength = 1_000;

/** The source by which callers can list these leads: `filter: {sources: ["large"]}`. */
const source = 'large';

const enlarge = `UPDATE leads SET source = $2, custom_fields = (
    SELECT jsonb_object_agg('field ' || number, repeat(substr(md5(number::text), 1, 1), $4::int))
    FROM generate_series(1, $3::int) AS number
  )
  WHERE id IN (SELECT id FROM leads WHERE tenant_id = $1 AND id <> ALL ($6::uuid[]) ORDER BY id LIMIT $5::int)
  RETURNING id`;

/** Makes leads of the tenant large, except `others`. @returns their ids */
export async function enlargeLeads(
  url: string,
  { tenantId, count, others = [] }: { tenantId: string; count: number; others?: readonly string[] },
): Promise<string[]> {
  const values = [tenantId, source, fieldCount, fieldLength, count, others];
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ id: string }>(enlarge, values);
    return rows.map(({ id }) => id);
  });
}
