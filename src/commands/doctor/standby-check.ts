// The check of the primary and its standbys: which machine is the primary, how far each standby is, and whether an acknowledged commit
// would survive the loss of the primary.

import type pg from 'pg';
import { failed, ok, warning, type Finding } from './check.js';

/** A standby that lacks more than this is reported as behind. PostgreSQL's default for the size of a WAL file is as much. */
const mostMissingBytes = 16 * 1_024 * 1_024;
const mostLagSeconds = 10;

interface Primary {
  /** Null for a connection through a Unix socket. */
  host: string | null;
  port: number | null;
  fsync: boolean;
  synchronousCommit: 'off' | 'local' | 'remote_write' | 'on' | 'remote_apply';
  synchronousNames: string;
  user: string;
}

interface Standby {
  name: string;
  address: string | null;
  /** Null where the user may not read it. */
  state: string | null;
  syncState: 'async' | 'potential' | 'sync' | 'quorum' | null;
  missingBytes: number | null;
  lagSeconds: number | null;
}

const selectPrimary = `SELECT host(inet_server_addr()) AS host, inet_server_port() AS port, current_setting('fsync')::bool AS fsync,
    current_setting('synchronous_commit') AS "synchronousCommit",
    current_setting('synchronous_standby_names') AS "synchronousNames",
    current_user AS "user"`;

// `flush_lag` says how long the last commits waited: it is null, and without meaning, where nothing was written for a while.
const selectStandbys = `SELECT application_name AS name, host(client_addr) AS address, state, sync_state AS "syncState",
    pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)::float8 AS "missingBytes",
    extract(epoch FROM flush_lag)::float8 AS "lagSeconds"
  FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup' ORDER BY application_name, client_addr, pid`;

/** Examines the server of a connection that leads to the primary. Changes nothing. */
export async function checkStandbys(client: pg.Client): Promise<Finding[]> {
  const [primary] = (await client.query<Primary>(selectPrimary)).rows;
  if (primary === undefined) throw new Error('the server said nothing about itself');
  const { rows: standbys } = await client.query<Standby>(selectStandbys);
  const isReadable = standbys.every(({ state }) => state !== null);
  const findings = isReadable ? standbys.map(standbyFinding) : [unreadable(primary, standbys.length)];
  return [ok(`The primary is ${placeOf(primary)}.`), ...findings, survivalFinding(primary, standbys, isReadable)];
}

function placeOf({ host, port }: Primary): string {
  return host === null ? 'this machine, through a socket' : `${host}:${port}`;
}

function standbyFinding({ name, address, state, syncState, missingBytes, lagSeconds }: Standby): Finding {
  const who = `The standby ${name} (${address ?? 'this machine'})`;
  if (state !== 'streaming')
    return warning(`${who} is not streaming yet: ${state}.`, 'Wait until it has caught up, and look at its log.');
  const how = syncState === 'async' ? 'asynchronous' : `synchronous (${syncState})`;
  const missing = missingBytes ?? 0;
  const lag = lagSeconds === null ? '' : `, ${lagSeconds.toFixed(1)} s`;
  const found = `${who} is ${how} and lacks ${formatBytes(missing)}${lag}.`;
  if (missing > mostMissingBytes || (lagSeconds ?? 0) > mostLagSeconds)
    return warning(found, 'Look at its disk, its network and its load.');
  return ok(found);
}

function unreadable({ user }: Primary, count: number): Finding {
  return warning(
    `${count === 1 ? '1 standby is' : `${count} standbys are`} connected, and the user ${user} may not read how far they are.`,
    `Let a superuser run \`GRANT pg_read_all_stats TO ${user}\`.`,
  );
}

function survivalFinding(primary: Primary, standbys: readonly Standby[], isReadable: boolean): Finding {
  const { fsync, synchronousCommit, synchronousNames } = primary;
  if (!fsync || synchronousCommit === 'off')
    return warning(
      'An acknowledged commit does not survive a crash of the primary: ' +
        `${fsync ? 'synchronous_commit' : 'fsync'} is off.`,
      'Set fsync and synchronous_commit to on.',
    );
  if (synchronousNames === '') {
    if (standbys.length === 0)
      return ok('An acknowledged commit survives a crash. There is no standby: a lost disk loses what no backup has.');
    return warning(
      'An acknowledged commit may be lost with the primary: no standby is synchronous.',
      'Set synchronous_standby_names, or synchronous_mode with Patroni, if nothing may be lost.',
    );
  }
  const waitsFor = standbys.filter(({ syncState }) => syncState === 'sync' || syncState === 'quorum');
  if (isReadable && waitsFor.length === 0)
    return failed(
      `Commits wait for a synchronous standby, and none is connected (synchronous_standby_names = ${synchronousNames}).`,
      'Start the standby, or take its name out of synchronous_standby_names.',
    );
  if (synchronousCommit === 'local' || synchronousCommit === 'remote_write')
    return warning(
      `An acknowledged commit may be lost with the primary: synchronous_commit is ${synchronousCommit}.`,
      'Set synchronous_commit to on.',
    );
  return ok('An acknowledged commit survives the loss of the primary: it is on a synchronous standby too.');
}

function formatBytes(bytes: number): string {
  if (bytes <= 0) return 'nothing';
  return bytes < 1_024 * 1_024 ? `${Math.ceil(bytes / 1_024)} KB` : `${(bytes / 1_024 / 1_024).toFixed(1)} MB`;
}
