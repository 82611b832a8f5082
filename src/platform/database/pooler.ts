// The settings of a pooler that hands out servers by transaction, like pgbouncer with pool_mode=transaction. The pool goes through it;
// parts that need sessions (migrations, the job queue, LISTEN) have a direct address.

import pg from 'pg';
import { reasonOf } from '../observability/fault.js';
import { selectIdentity } from './read-replica.js';

/** The settings that Leadwire makes in sessions of its own. Behind a pooler, the pooler has to make them: `connect_query` of pgbouncer. */
const wanted: Readonly<Record<string, RegExp>> = {
  TimeZone: /^(?:Etc\/)?UTC$/,
  lock_timeout: /^10s$/,
  statement_timeout: /^30s$/,
  idle_in_transaction_session_timeout: /^30s$/,
  enable_seqscan: /^off$/,
};

/** @throws Error in a sentence where DATABASE_URL leads elsewhere than DATABASE_DIRECT_URL, or to sessions with other settings */
export async function requirePooler(url: string, directUrl: string): Promise<void> {
  const direct = await readFrom(directUrl, 'DATABASE_DIRECT_URL');
  const pooled = await readFrom(url, 'DATABASE_URL');
  if (direct.identity !== pooled.identity)
    throw new Error('DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.');
  const wrong = Object.entries(wanted).filter(([name, value]) => !value.test(pooled.settings[name] ?? ''));
  if (wrong.length === 0) return;
  const found = wrong.map(([name]) => `${name} is ${pooled.settings[name]}`).join(', ');
  throw new Error(
    `Sessions of the pooler of DATABASE_URL are not set as they have to be (${found}): give it the connect_query of the guide on growth.`,
  );
}

interface Found {
  identity: string;
  settings: Record<string, string>;
}

async function readFrom(connectionString: string, variable: string): Promise<Found> {
  const client = new pg.Client({
    connectionString,
    application_name: 'leadwire start',
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const identity = await client.query<{ identity: string }>(selectIdentity.text);
    const settings = await client.query<Found>(
      'SELECT jsonb_object_agg(name, current_setting(name)) AS settings FROM unnest($1::text[]) AS name',
      [Object.keys(wanted)],
    );
    return { identity: identity.rows[0]?.identity ?? '', settings: settings.rows[0]?.settings ?? {} };
  } catch (cause) {
    throw new Error(`The database of ${variable} cannot be used: ${reasonOf(cause)}`, { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}
