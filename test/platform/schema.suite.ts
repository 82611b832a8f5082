// The database itself: schema and migrations agree, and a reference across tenants is refused.

import { fileURLToPath } from 'node:url';
import { schemaDrift } from '../support/schema-drift.js';
import { withSharedApp } from '../support/shared-app.js';
import type { TestApp, TestTenant } from '../support/test-app.js';

const schemaPath = fileURLToPath(new URL('../../prisma/schema.prisma', import.meta.url));

export function describeSchema(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;

  withSharedApp((made) => ({ app, tenant, other } = made));

  test('prisma/schema.prisma says what the migrations make', async () => {
    expect(await schemaDrift(app.database.url, schemaPath)).toBe('');
  });

  test("every foreign key of a tenant-owned table carries the tenant's id", async () => {
    const keys = await app.sql<{ name: string; columns: string[] }>(
      `SELECT conname AS name, array_agg(a.attname::text) AS columns
     FROM pg_constraint c CROSS JOIN unnest(c.conkey) AS k (attnum)
     JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum
     WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace GROUP BY conname`,
    );
    expect(keys.length).toBeGreaterThan(20);
    for (const { name, columns } of keys)
      expect([name, columns]).toEqual([name, expect.arrayContaining(['tenant_id'])]);
  });

  test("every unique key carries the tenant's id, but for what is looked for before the tenant is known", async () => {
    const keys = await app.sql<{ name: string }>(
      `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace AND NOT EXISTS (
       SELECT FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey) AND a.attname = 'tenant_id')
     ORDER BY 1`,
    );
    expect(keys.map(({ name }) => name)).toEqual([
      '_prisma_migrations_pkey',
      'push_devices_endpoint_key',
      'sign_in_links_hash_key',
      'tenant_api_keys_hash_key',
      'tenants_pkey',
      'tenants_platform_key',
      'tenants_slug_key',
      'users_idp_sub_key',
    ]);
  });

  test('no index of messages names what a status changes: it is changed in its page', async () => {
    const indexes = await app.sql<{ definition: string }>(
      "SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'public' AND tablename = 'messages'",
    );
    expect(indexes.length).toBeGreaterThan(3);
    const changing = /\b(status|error_code|error_message|delivered_at|read_at)\b/;
    expect(indexes.filter(({ definition }) => changing.test(definition))).toEqual([]);
  });

  interface ForeignKey {
    name: string;
    child: string;
    parent: string;
    /** Pairs of the child's column and the parent's, without tenant_id. */
    columns: [string, string][];
  }

  async function foreignKeys(): Promise<ForeignKey[]> {
    return app.sql<ForeignKey>(
      `SELECT conname AS name, conrelid::regclass::text AS child, confrelid::regclass::text AS parent,
       array_agg(ARRAY[a.attname::text, b.attname::text]) AS columns
     FROM pg_constraint c CROSS JOIN unnest(c.conkey, c.confkey) AS k (own, other)
     JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.own
     JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = k.other
     WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace AND a.attname <> 'tenant_id' GROUP BY 1, 2, 3`,
    );
  }

  test('no row can point at a row of another tenant, by whatever key', async () => {
    for (const owner of [tenant, other]) await fillTables(owner);
    for (const { name, child, parent, columns } of await foreignKeys()) {
      const assignments = columns.map(([own, theirs]) => `${own} = p.${theirs}`).join(', ');
      const mix = `UPDATE ${child} c SET ${assignments} FROM (SELECT * FROM ${parent} WHERE tenant_id = $2 LIMIT 1) p
      WHERE c.ctid = (SELECT ctid FROM ${child} WHERE tenant_id = $1 LIMIT 1)`;
      const rows = await app.sql(
        `SELECT (SELECT count(*) FROM ${child} WHERE tenant_id = $1) AS own, (SELECT count(*) FROM ${parent} WHERE tenant_id = $2) AS theirs`,
        [tenant.id, other.id],
      );
      expect([name, rows]).not.toEqual([name, [expect.objectContaining({ own: '0' })]]);
      expect([name, rows]).not.toEqual([name, [expect.objectContaining({ theirs: '0' })]]);
      const refused = await app.sql(mix, [tenant.id, other.id]).then(
        () => undefined,
        (error: { code?: string }) => error.code,
      );
      expect([name, refused]).toEqual([name, '23503']);
    }
  });

  /** Inserts at least one row into every table that references another. */
  async function fillTables(owner: TestTenant): Promise<void> {
    const id = `gen_random_uuid()`;
    const message = '(SELECT id FROM messages WHERE tenant_id = $1)';
    const lead = '(SELECT id FROM leads WHERE tenant_id = $1)';
    const instance = '(SELECT id FROM chat_instances WHERE tenant_id = $1)';
    const statements = [
      `INSERT INTO leads (tenant_id, id, name, source, updated_at) VALUES ($1, ${id}, 'x', 'x', now())`,
      `INSERT INTO lead_identities (tenant_id, kind, match_key, value, lead_id) VALUES ($1, 'PHONE', 'x', 'x', ${lead})`,
      `INSERT INTO lead_touches (tenant_id, id, lead_id, source) VALUES ($1, ${id}, ${lead}, 'x')`,
      `INSERT INTO channel_numbers (tenant_id, lead_id, number, is_on_channel) VALUES ($1, ${lead}, 'x', true)`,
      `INSERT INTO lead_imports (tenant_id, id, user_id, is_dry_run, total_rows)
       SELECT $1, ${id}, id, false, 1 FROM users WHERE tenant_id = $1 LIMIT 1`,
      `INSERT INTO lead_import_refused_rows (tenant_id, import_id, line, cells, reason)
       SELECT $1, id, 2, '[]', 'x' FROM lead_imports WHERE tenant_id = $1 LIMIT 1`,
      `INSERT INTO lead_notes (tenant_id, id, lead_id, author_id, body)
       SELECT $1, ${id}, ${lead}, id, 'x' FROM users WHERE tenant_id = $1 LIMIT 1`,
      `INSERT INTO lead_merges (tenant_id, id, survivor_id, merged_id, reason, before) VALUES ($1, ${id}, ${lead}, ${lead}, 'user', '{}')`,
      `INSERT INTO lead_presences (tenant_id, lead_id, user_id, intent, expires_at)
       SELECT $1, ${lead}, (SELECT id FROM users WHERE tenant_id = $1 LIMIT 1), 'VIEWING', 'infinity'`,
      `INSERT INTO lead_assignments (tenant_id, id, lead_id, assignee_id, user_id)
       SELECT $1, ${id}, ${lead}, id, id FROM users WHERE tenant_id = $1 LIMIT 1`,
      `INSERT INTO inbox_views (tenant_id, user_id, id, name, filter, order_by)
       SELECT $1, id, ${id}, 'x', '{}', 'NEWEST_MESSAGE' FROM users WHERE tenant_id = $1 LIMIT 1`,
      `INSERT INTO lead_views (tenant_id, user_id, id, name, filter, order_by, columns)
       SELECT $1, id, ${id}, 'x', '{}', '{"field": "NAME"}', '{}' FROM users WHERE tenant_id = $1 LIMIT 1`,
      `INSERT INTO push_devices
         (tenant_id, user_id, id, endpoint, public_key, secret, name, language, notifies_mine, notifies_unassigned, expires_at)
       SELECT $1, id, ${id}, id::text, 'x', 'x', 'x', 'en', true, true, now() FROM users WHERE tenant_id = $1 LIMIT 1`,
      `INSERT INTO push_progress (tenant_id, last_seq) VALUES ($1, 0)`,
      `INSERT INTO hidden_numbers (tenant_id, lead_id, instance_id, hidden_id, due_at)
       VALUES ($1, ${lead}, ${instance}, 'x', now() + interval '1 day')`,
      `INSERT INTO erased_identities (tenant_id, digest) VALUES ($1, 'x')`,
      `INSERT INTO instance_recoveries (tenant_id, instance_id) VALUES ($1, ${instance})`,
      `INSERT INTO instance_audits (tenant_id, id, instance_id, cause, user_id, read_from, read_to, is_complete, at_gateway, here, recovered, unexplained, reasons)
       SELECT $1, ${id}, ${instance}, 'MANUAL', (SELECT id FROM users WHERE tenant_id = $1 LIMIT 1), now(), now(), true, 0, 0, 0, 0, '{}'`,
      `INSERT INTO sign_in_links (tenant_id, user_id, hash, expires_at)
       SELECT $1, id, sha256(id::text::bytea), now() FROM users WHERE tenant_id = $1 LIMIT 1`,
      `INSERT INTO templates (tenant_id, id, name, body, author_id, updated_at)
       SELECT $1, ${id}, 'x', 'x', id, now() FROM users WHERE tenant_id = $1 LIMIT 1`,
      `INSERT INTO template_versions (tenant_id, template_id, version, body) VALUES ($1, (SELECT id FROM templates WHERE tenant_id = $1), 1, 'x')`,
      `INSERT INTO channel_templates (tenant_id, id, instance_id, name, language, status, components, status_reported_at)
       VALUES ($1, ${id}, ${instance}, 'x', 'x', 'x', '[]', now())`,
      `INSERT INTO bulk_sends (tenant_id, id, template_id, template_version, instance_id, author_id, idempotency_key, content_hash, total)
       SELECT $1, ${id}, t.id, 1, ${instance}, (SELECT id FROM users WHERE tenant_id = $1 LIMIT 1), 'x', 'x', 1 FROM templates t WHERE t.tenant_id = $1`,
      `INSERT INTO bulk_actions (tenant_id, id, author_id, undone_by_id, change, content_hash, status, total, undo_until, finished_at)
       SELECT $1, ${id}, id, id, '{}', 'x', 'UNDONE', 1, now(), now() FROM users WHERE tenant_id = $1 LIMIT 1`,
      `INSERT INTO bulk_action_leads (tenant_id, bulk_action_id, position, lead_id)
       SELECT $1, id, 0, ${lead} FROM bulk_actions WHERE tenant_id = $1`,
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type) VALUES ($1, ${id}, ${lead}, ${instance}, 'INBOUND', 'text')`,
      `INSERT INTO message_words (tenant_id, message_id, words) VALUES ($1, ${message}, 'x') ON CONFLICT DO NOTHING`,
      `INSERT INTO message_word_progress (tenant_id, last_seq) VALUES ($1, 0) ON CONFLICT DO NOTHING`,
      `INSERT INTO message_status_transitions (tenant_id, id, message_id, to_status, source, occurred_at) VALUES ($1, ${id}, ${message}, 'SENT', 'x', now())`,
      `INSERT INTO parked_statuses (tenant_id, id, instance_id, external_id, status, occurred_at) VALUES ($1, ${id}, ${instance}, 'x', 'SENT', now())`,
      `INSERT INTO message_reactions (tenant_id, message_id, from_lead, user_id, reacted_at)
       SELECT $1, ${message}, true, id, now() FROM users WHERE tenant_id = $1 LIMIT 1`,
      `INSERT INTO message_changes (tenant_id, id, message_id, kind, occurred_at) VALUES ($1, ${id}, ${message}, 'EDIT', now())`,
      `INSERT INTO parked_changes (tenant_id, id, instance_id, external_id, change, side, occurred_at) VALUES ($1, ${id}, ${instance}, 'x', 'EDIT', 'US', now())`,
      `INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id, due_at) VALUES ($1, ${message}, ${lead}, ${instance}, 'infinity')`,
      `INSERT INTO send_attempts (tenant_id, message_id, number, granted_at) VALUES ($1, ${message}, 1, now())`,
      `INSERT INTO media_files (tenant_id, id, message_id, uploaded_by, state)
       SELECT $1, ${message}, ${message}, id, 'FAILED' FROM users WHERE tenant_id = $1 LIMIT 1`,
      `INSERT INTO template_files (tenant_id, template_id, file_id, position)
       SELECT $1, t.id, ${message}, 0 FROM templates t WHERE t.tenant_id = $1`,
      `INSERT INTO consent_entries (tenant_id, id, lead_id, original_lead_id, action, source, is_superseded, occurred_at)
       SELECT $1, ${id}, id, id, 'OPT_OUT', 'USER', false, now() FROM leads WHERE tenant_id = $1`,
      `INSERT INTO opt_outs (tenant_id, lead_id, entry_id, opted_out_at, source)
       SELECT $1, lead_id, id, now(), 'USER' FROM consent_entries WHERE tenant_id = $1`,
      `INSERT INTO webhook_endpoints (tenant_id, id, url, is_enabled, disabled_reason, position_seq) VALUES ($1, ${id}, 'x', false, 'ADMIN', 0)`,
      `INSERT INTO endpoint_deliveries (tenant_id, id, endpoint_id, type, occurred_at)
       SELECT $1, ${id}, id, 'PING', now() FROM webhook_endpoints WHERE tenant_id = $1`,
      `INSERT INTO lead_sources (tenant_id, id, kind, name) VALUES ($1, ${id}, 'META', 'x')`,
      `INSERT INTO lead_source_leads (tenant_id, source_id, key, state) SELECT $1, id, 'x', 'TAKEN' FROM lead_sources WHERE tenant_id = $1`,
      `INSERT INTO lead_source_forms (tenant_id, source_id, form_id, is_configured, read_until, due_at)
       SELECT $1, id, 'x', true, now(), 'infinity' FROM lead_sources WHERE tenant_id = $1`,
      `INSERT INTO held_submissions (tenant_id, id, source_id, key, email, problem, lead, disclaimers)
       SELECT $1, ${id}, id, 'x', 'x', 'x', '{}', '[]' FROM lead_sources WHERE tenant_id = $1`,
      `INSERT INTO erasure_keys (tenant_id, id, ciphertext) VALUES ($1, ${id}, 'x')`,
    ];
    for (const statement of statements) await app.sql(statement, [owner.id]);
  }

  test('only one tenant is the platform', async () => {
    await expect(app.sql('UPDATE tenants SET is_platform = true')).rejects.toMatchObject({ code: '23505' });
  });

  const ranks = ['QUEUED', 'SENDING', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELED'];
  test.each([
    ['QUEUED', ['SENDING', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELED']],
    ['SENDING', ['SENT', 'DELIVERED', 'READ', 'FAILED']],
    ['SENT', ['DELIVERED', 'READ', 'FAILED']],
    ['DELIVERED', ['READ']],
    ['READ', []],
    ['FAILED', ['DELIVERED', 'READ']],
    ['CANCELED', []],
  ])('from %s a status rises to %j only', async (from, to) => {
    const rows = await app.sql<{ status: string }>(
      'SELECT s AS status FROM unnest($2::text[]) s WHERE message_status_rises($1::message_status, s::message_status)',
      [from, ranks],
    );
    expect(rows.map((row) => row.status)).toEqual(to);
  });
}
