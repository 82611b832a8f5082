// What both baselines of the inbox read with: one statement written by hand for just this page, on the product's own tables. The
// tenant is given, as nobody signs in.

import pg from 'pg';
import { requireDatabaseUrl } from './intake-store.js';

export interface InboxArguments {
  first: number;
  after?: string | null;
}

interface InboxRow {
  id: string;
  name: string;
  chat: string | null;
  source: string;
  unread_count: number;
  updated_at: Date;
  message_id: string;
  direction: string;
  type: string;
  status: string | null;
  body: string | null;
  message_at: Date;
  user_id: string | null;
  email: string;
  user_name: string | null;
}

const columns = `l.id, l.name, l.chat, l.source, l.unread_count, l.updated_at,
  m.id AS message_id, m.direction, m.type, m.status, m.body, m.created_at AS message_at,
  u.id AS user_id, u.email, u.name AS user_name`;

const pageBeyond = (condition: string) => `SELECT ${columns} FROM leads l
  JOIN messages m ON m.tenant_id = l.tenant_id AND m.id = l.last_message_id
  LEFT JOIN users u ON u.tenant_id = l.tenant_id AND u.id = l.assignee_id
  WHERE l.tenant_id = $1 AND l.merged_into_id IS NULL AND ${condition}
  ORDER BY l.last_message_id DESC LIMIT $2`;

const selectFirst = { name: 'select-first', text: pageBeyond('l.last_message_id IS NOT NULL') };
const selectAfter = { name: 'select-after', text: pageBeyond('l.last_message_id < $3') };

export class InboxStore {
  private readonly pool = new pg.Pool({ connectionString: requireDatabaseUrl(), max: 10, options: '-c TimeZone=UTC' });

  constructor(private readonly tenantId = process.env['TENANT_ID'] ?? '') {}

  /** A page as the product's `inbox` gives it. */
  async read({ first, after }: InboxArguments) {
    const values = [this.tenantId, first + 1];
    const { rows } = await this.pool.query<InboxRow>(
      after == null ? { ...selectFirst, values } : { ...selectAfter, values: [...values, messageIdOf(after)] },
    );
    const edges = rows.slice(0, first).map(toEdge);
    return { edges, pageInfo: { endCursor: edges.at(-1)?.cursor ?? null, hasNextPage: rows.length > first } };
  }
}

function messageIdOf(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString().slice('inbox:'.length);
}

function toEdge(row: InboxRow) {
  return {
    cursor: Buffer.from(`inbox:${row.message_id}`).toString('base64url'),
    node: {
      id: row.id,
      name: row.name,
      chat: row.chat,
      source: row.source,
      unreadCount: row.unread_count,
      updatedAt: row.updated_at.toISOString(),
      lastMessage: {
        id: row.message_id,
        direction: row.direction,
        type: row.type,
        status: row.status,
        body: row.body,
        createdAt: row.message_at.toISOString(),
      },
      assignee: row.user_id === null ? null : { id: row.user_id, name: row.user_name, email: row.email },
    },
  };
}
