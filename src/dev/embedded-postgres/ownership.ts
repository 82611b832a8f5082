// The ownership of a running embedded server. Its owner holds an advisory lock for as long as it lives. A server without a lock holder
// was left behind by a process that died.

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { superuser } from './data-folder.js';

// Any two numbers do, as long as every version of Leadwire uses the same.
const lockKeys = [0x1ead, 0x01e5] as const;
const pollMs = 50;
// A starter takes its lock within milliseconds of its server being ready, and takes a dropped one again as fast.
const abandonedAfterMs = 1_000;
const reacquireMs = 100;
const connectionTimeoutMs = 3_000;

/** The port of an embedded server on 127.0.0.1, and its superuser's password. */
export interface ServerAddress {
  readonly port: number;
  readonly password: string;
}

/** Opens one connection to the maintenance database. A connection that breaks later does not end the process. */
export async function connectTo({ port, password }: ServerAddress): Promise<pg.Client> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: superuser,
    password,
    database: 'postgres',
    application_name: 'leadwire owner',
    connectionTimeoutMillis: connectionTimeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS held', [...lockKeys]);
  return rows[0]?.held === true;
}

/**
 * Decides whether the server behind `client` was left behind. If so, it takes the lock on that connection, so that only
 * one start deals with it. Takes a second when it was.
 */
export async function claimAbandoned(client: pg.Client): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < abandonedAfterMs; waitedMs += pollMs) {
    const { rowCount } = await client.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = $1 AND objid = $2 AND objsubid = 2`,
      [...lockKeys],
    );
    if (rowCount !== 0) return false;
    await delay(pollMs);
  }
  return tryLock(client);
}

/**
 * Takes the owner's lock on `client`. When its connection breaks, the lock is taken again on another one, until `isOver`.
 * @returns false when another process holds it
 */
export async function own(client: pg.Client, address: ServerAddress, isOver: () => boolean): Promise<boolean> {
  if (!(await tryLock(client))) return false;
  client.once('end', () => void ownAgain(address, isOver));
  return true;
}

async function ownAgain(address: ServerAddress, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const client = await connectTo(address).catch(() => undefined);
    if (client && !isOver() && (await own(client, address, isOver).catch(() => false))) return;
    await client?.end().catch(() => undefined);
    await delay(reacquireMs);
  }
}
