// Remembers erased people, so that no history, replay or late call brings them back. Remembers their opt-outs too, so that an opt-out holds
// for a lead that comes again. Keeps an HMAC of each identity, which cannot be turned into a number without the service's key.

import { createHmac, randomBytes } from 'node:crypto';
import { newRecordId } from '../../../platform/database/record-id.js';
import { ExpiringCache } from '../../../platform/expiring-cache.js';
import type { SealedColumn, SecretBox } from '../../../platform/secret-box.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { NamedStatement, SqlRunner } from '../../../platform/database/database.js';
import type { ConsentOfLead, SuppressedLead } from '../lead-content.js';
import { nameOfIdentity } from './lead-identity.js';
import type { LeadIdentity } from '../../../providers/reported.js';

export interface ErasedIdentityOptions {
  encryptionKey: Buffer;
  /** The previous key, while the key is being replaced. */
  encryptionKeyPrevious: Buffer | undefined;
  secretBox: SecretBox;
  consent: Pick<ConsentOfLead, 'isOptedOut' | 'suppress'>;
}

/** An identity that a lead has got just now. */
export interface NewIdentity {
  leadId: string;
  /** True where the lead is as new as the identity. */
  isNew: boolean;
  kind: LeadIdentity['kind'];
  matchKey: string;
}

/** A message or a posting of a person. */
export interface PastContact {
  identities: readonly LeadIdentity[];
  /** Undefined where the time is unknown: the contact then counts as written before any erasure. */
  writtenAt: Date | undefined;
}

/** People of a tenant for whom the journal is searched in one walk, from the newest call to the oldest. */
export interface JournalSearch {
  tenantId: string;
  /** Hexadecimal digests, each with the time at which the person was erased. */
  people: ReadonlyMap<string, Date>;
  /** Only calls with a lower id are still to be searched. */
  place: string;
}

// A tenant's key changes only where a database has lost the first one. An entry takes about 250 bytes.
const maxRememberedKeys = 10_000;
const rememberedMs = 60_000;

export class ErasedIdentityService {
  /** The keys of tenants for which `suppress` has looked for opt-outs. */
  private readonly keysInUse = new ExpiringCache<Buffer>({ max: maxRememberedKeys, ttl: rememberedMs });

  constructor(private readonly options: ErasedIdentityOptions) {}

  /** Call it first in the transaction of an erasure: readers of histories take this lock before those of the tenant and of leads. */
  async hold(tx: Transaction): Promise<void> {
    await tx.query(lockErasures, [tx.tenantId]);
  }

  /** Call it in the transaction of an erasure, after `hold`, before the leads are deleted. */
  async note(tx: Transaction, leadIds: readonly string[]): Promise<void> {
    const statement = selectIdentities(this.options.consent.isOptedOut);
    const rows = await tx.query<StoredIdentity>(statement, [tx.tenantId, leadIds]);
    const digests = rows.map((row) => digestOf(tx.tenantId, nameOfStored(row), this.options.encryptionKey));
    if (digests.length > 0) await tx.query(insertErased, [tx.tenantId, digests]);
    await this.keepOptOuts(tx, rows);
  }

  // The last choice counts: an opt-in since the last erasure ends the opt-out that it had kept.
  private async keepOptOuts(tx: Transaction, rows: readonly StoredIdentity[]): Promise<void> {
    const key =
      (await this.findKey(tx)) ?? (rows.some(({ optedOut }) => optedOut) ? await this.createKey(tx) : undefined);
    if (key === undefined) return;
    const digests = rows.map((row) => digestOf(tx.tenantId, nameOfStored(row), key));
    await tx.query(deleteSuppressed, [tx.tenantId, digests]);
    const kept = digests.filter((_, index) => rows[index]?.optedOut === true);
    if (kept.length > 0) await tx.query(insertSuppressed, [tx.tenantId, kept]);
  }

  /**
   * Opts out leads that have got an identity of an erased person who had opted out. Call it in the transaction that gives the identities,
   * under the tenant lock if one of the leads was known before.
   */
  async suppress(tx: Transaction, identities: readonly NewIdentity[]): Promise<void> {
    const key = identities.length === 0 ? undefined : await this.findKey(tx);
    if (key === undefined) return;
    this.keysInUse.set(tx.tenantId, key);
    const leadOf = new Map(
      identities.map((identity) => [digestOf(tx.tenantId, nameOfStored(identity), key).toString('hex'), identity]),
    );
    const digests = [...leadOf.keys()].map((digest) => Buffer.from(digest, 'hex'));
    const rows = await tx.query<{ digest: Buffer; erasedAt: Date }>(selectOptedOut, [tx.tenantId, digests]);
    const leads = new Map<string, SuppressedLead>();
    for (const { digest, erasedAt } of rows) {
      const identity = leadOf.get(digest.toString('hex'));
      if (identity !== undefined) leads.set(identity.leadId, { ...identity, erasedAt });
    }
    if (leads.size > 0) await this.options.consent.suppress(tx, [...leads.values()]);
  }

  /**
   * Returns the digest under which an opt-out of this person is kept, for `mayBeSuppressed`. Null until `suppress` has read the tenant's
   * key, and a minute after it has: the general path then reads it again. So tenants without such people need no read.
   */
  digestOfOptOut(tenantId: string, identity: LeadIdentity): string | null {
    const key = this.keysInUse.get(tenantId);
    return key === undefined ? null : digestOf(tenantId, nameOfIdentity(identity), key).toString('hex');
  }

  /**
   * Returns the indexes of contacts who were erased after they wrote. Waits for an erasure that is under way, and none begins before the
   * transaction ends. Call it before the transaction takes other locks.
   */
  async findErased(tx: Transaction, contacts: readonly PastContact[]): Promise<Set<number>> {
    if (contacts.length === 0) return new Set();
    await tx.query(shareErasures, [tx.tenantId]);
    const owners = new Map<string, number[]>();
    for (const [index, { identities }] of contacts.entries())
      for (const digest of identities.flatMap((identity) =>
        this.keys.map((key) => digestOf(tx.tenantId, nameOfIdentity(identity), key)),
      )) {
        const key = digest.toString('hex');
        owners.set(key, [...(owners.get(key) ?? []), index]);
      }
    const digests = [...owners.keys()].map((key) => Buffer.from(key, 'hex'));
    const erased = await tx.query<{ digest: Buffer; erasedAt: Date }>(selectErased, [tx.tenantId, digests]);
    return new Set(
      erased.flatMap(({ digest, erasedAt }) =>
        (owners.get(digest.toString('hex')) ?? []).filter((index) => {
          const writtenAt = contacts[index]?.writtenAt;
          return writtenAt === undefined || isBefore(writtenAt, erasedAt);
        }),
      ),
    );
  }

  /**
   * Lists, for every tenant, people whose calls may still be in the journal: those of an unfinished walk first.
   * @param minAgeMs leaves out younger erasures, because calls from before them may still be under way
   */
  async listJournalSearches(sql: SqlRunner, minAgeMs: number): Promise<JournalSearch[]> {
    const tenants = await sql.query<{ tenantId: string }>(selectTenantsToSearch, [minAgeMs]);
    const searches: JournalSearch[] = [];
    for (const { tenantId } of tenants) {
      const rows = await sql.query<{ digest: Buffer; erasedAt: Date; place: string | null }>(selectPeopleToSearch, [
        tenantId,
        minAgeMs,
        maxPeopleOfSearch,
      ]);
      const place = rows[0]?.place ?? null;
      const people = rows.filter((row) => (row.place === null) === (place === null));
      if (people.length > 0)
        searches.push({
          tenantId,
          people: new Map(people.map(({ digest, erasedAt }) => [digest.toString('hex'), erasedAt])),
          place: people.reduce(
            (highest, row) => (row.place !== null && row.place > highest ? row.place : highest),
            place ?? lastId,
          ),
        });
    }
    return searches;
  }

  /** Returns when a person of a search was erased; undefined for other people. @param name as `nameOfIdentity` writes it */
  findInSearch({ tenantId, people }: JournalSearch, name: string): Date | undefined {
    const digests = this.keys.map((key) => digestOf(tenantId, name, key).toString('hex'));
    return digests.map((digest) => people.get(digest)).find((erasedAt) => erasedAt !== undefined);
  }

  /** @param place the lowest id that was searched; null where every call was searched */
  async keepPlace(sql: SqlRunner, { tenantId, people }: JournalSearch, place: string | null): Promise<void> {
    const digests = [...people.keys()].map((digest) => Buffer.from(digest, 'hex'));
    await sql.query(updateJournalPlace, [tenantId, digests, [...people.values()], place]);
  }

  private async findKey(tx: Transaction): Promise<Buffer | undefined> {
    const [row] = await tx.query<{ id: string; box: Buffer }>(selectErasureKey, [tx.tenantId]);
    return row === undefined ? undefined : Buffer.from(this.options.secretBox.open(row.box, row.id), 'hex');
  }

  private async createKey(tx: Transaction): Promise<Buffer | undefined> {
    const id = newRecordId();
    const box = this.options.secretBox.seal(randomBytes(32).toString('hex'), id);
    await tx.query(insertErasureKey, [tx.tenantId, id, box]);
    return this.findKey(tx);
  }

  private get keys(): Buffer[] {
    const { encryptionKey, encryptionKeyPrevious } = this.options;
    return encryptionKeyPrevious === undefined ? [encryptionKey] : [encryptionKey, encryptionKeyPrevious];
  }
}

function digestOf(tenantId: string, name: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(`erased identity ${tenantId} ${name}`).digest();
}

/** A time in whole seconds within the erasure's own second counts as after the erasure, so that nothing new is lost. */
function isBefore(writtenAt: Date, erasedAt: Date): boolean {
  const [written, erased] = [writtenAt.getTime(), erasedAt.getTime()];
  return written <= erased && (written % 1_000 !== 0 || written < Math.floor(erased / 1_000) * 1_000);
}

function nameOfStored({ kind, matchKey }: Pick<StoredIdentity, 'kind' | 'matchKey'>): string {
  return `${kind} ${matchKey}`;
}

interface StoredIdentity {
  kind: LeadIdentity['kind'];
  matchKey: string;
  optedOut: boolean;
}

const erasureLock = `hashtextextended('leadwire erasures ' || $1::uuid, 0)`;

/** $1 tenant: holds the lock until the transaction ends. */
const lockErasures: NamedStatement = { name: 'lock-erasures', text: `SELECT pg_advisory_xact_lock(${erasureLock})` };

/** $1 tenant: takes the lock of `lockErasures`, and shares it with other readers. */
const shareErasures: NamedStatement = {
  name: 'share-erasures',
  text: `SELECT pg_advisory_xact_lock_shared(${erasureLock})`,
};

/** $1 tenant, $2 leads. */
const selectIdentities = (isOptedOut: string): NamedStatement => ({
  name: 'select-identities-to-erase',
  text: `SELECT i.kind, i.match_key AS "matchKey", ${isOptedOut} AS "optedOut"
    FROM lead_identities i JOIN leads l ON l.tenant_id = i.tenant_id AND l.id = i.lead_id
    WHERE i.tenant_id = $1 AND i.lead_id = ANY($2::uuid[]) ORDER BY i.kind, i.match_key`,
});

/** $1 tenant, $2 digests. */
const insertErased: NamedStatement = {
  name: 'insert-erased-identities',
  text: `INSERT INTO erased_identities (tenant_id, digest, erased_at) SELECT $1, unnest($2::bytea[]), clock_timestamp()
    ON CONFLICT (tenant_id, digest) DO UPDATE SET erased_at = excluded.erased_at, left_journal = false, journal_place = NULL`,
};

/** The most people of one walk, whose digests are held in memory. */
const maxPeopleOfSearch = 5_000;
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** $1 least age in milliseconds → tenants with people whose calls the journal may have. */
const selectTenantsToSearch: NamedStatement = {
  name: 'select-tenants-to-search-for-erased',
  text: `SELECT DISTINCT tenant_id AS "tenantId" FROM erased_identities
    WHERE NOT left_journal AND NOT opted_out AND erased_at <= now() - $1 * interval '1 millisecond'`,
};

/** $1 tenant, $2 least age in milliseconds, $3 limit → those of an unfinished walk first. */
const selectPeopleToSearch: NamedStatement = {
  name: 'select-erased-to-search',
  text: `SELECT digest, erased_at AS "erasedAt", journal_place AS place FROM erased_identities
    WHERE tenant_id = $1 AND NOT left_journal AND NOT opted_out AND erased_at <= now() - $2 * interval '1 millisecond'
    ORDER BY journal_place IS NULL, erased_at LIMIT $3`,
};

/**
 * $1 tenant, $2 digests, $3 when they were erased, $4 place, null at the end. A person who was erased again meanwhile is left for the next
 * walk.
 */
const updateJournalPlace: NamedStatement = {
  name: 'keep-place-in-journal',
  text: `UPDATE erased_identities e SET journal_place = $4::uuid, left_journal = $4::uuid IS NULL
    FROM unnest($2::bytea[], $3::timestamptz[]) AS p (digest, erased_at)
    WHERE e.tenant_id = $1 AND e.digest = p.digest AND e.erased_at = p.erased_at`,
};

/** $1 tenant, $2 digests under the tenant's own key. */
const insertSuppressed: NamedStatement = {
  name: 'insert-suppressed-identities',
  text: 'INSERT INTO erased_identities (tenant_id, digest, opted_out) SELECT $1, unnest($2::bytea[]), true',
};

/** $1 tenant, $2 digests under the tenant's own key. */
const deleteSuppressed: NamedStatement = {
  name: 'delete-suppressed-identities',
  text: 'DELETE FROM erased_identities WHERE tenant_id = $1 AND digest = ANY($2::bytea[]) AND opted_out',
};

// Meta keeps leads for 90 days, and its forms may be read back so far.
const leastKnownDays = 90;

/** Returns for how many days an erasure is known. @param journalDays the days that histories are read back, and calls are kept */
export function daysOfErasure(journalDays: number): number {
  return Math.max(journalDays, leastKnownDays) + 1;
}

/** $1 days → until when the newest erasure is known, and the key of its time is needed. No row if no erasure is known. */
export const selectErasedUntil: NamedStatement = {
  name: 'select-erased-until',
  text: `SELECT max(erased_at) + make_interval(days => $1::int) AS until FROM erased_identities WHERE NOT opted_out
    HAVING max(erased_at) > now() - make_interval(days => $1::int)`,
};

export const erasureKeys: SealedColumn = { table: 'erasure_keys', column: 'ciphertext', ownerOf: (id) => id };

/** $1 tenant → the box of its key, and the id for which it was sealed. */
const selectErasureKey: NamedStatement = {
  name: 'select-erasure-key',
  text: 'SELECT id, ciphertext AS box FROM erasure_keys WHERE tenant_id = $1',
};

/** $1 tenant, $2 id, $3 the box: the tenant's first key stays. */
const insertErasureKey: NamedStatement = {
  name: 'insert-erasure-key',
  text: 'INSERT INTO erasure_keys (tenant_id, id, ciphertext) VALUES ($1, $2, $3) ON CONFLICT (tenant_id) DO NOTHING',
};

/** A condition: the tenant $1 has erased a person who had opted out. */
export const hasSuppressed =
  '(SELECT count(*) > 0 FROM (SELECT FROM erased_identities WHERE tenant_id = $1 AND opted_out LIMIT 1) e)';

/**
 * A condition: tenant $1 has erased a person who had opted out, and who may be this one.
 * @param digest of `digestOfOptOut`, in SQL; NULL may be anybody's
 */
export const mayBeSuppressed = (digest: string) =>
  `CASE WHEN ${digest} IS NULL THEN ${hasSuppressed} ELSE EXISTS (
        SELECT FROM erased_identities e WHERE e.tenant_id = $1 AND e.digest = decode(${digest}, 'hex') AND e.opted_out) END`;

/** The time of the last erasure of tenant $1. Messages that were written later need no further look. */
export const lastErasure = `(SELECT coalesce(max(erased_at), '-infinity') FROM erased_identities WHERE tenant_id = $1)`;

/** $1 tenant, $2 digests → those of people who had opted out. */
const selectOptedOut: NamedStatement = {
  name: 'select-suppressed-identities',
  text: `SELECT digest, erased_at AS "erasedAt" FROM erased_identities
    WHERE tenant_id = $1 AND digest = ANY($2::bytea[]) AND opted_out`,
};

/** $1 tenant, $2 digests → those that were erased. */
const selectErased: NamedStatement = {
  name: 'select-erased-identities',
  text: `SELECT digest, erased_at AS "erasedAt" FROM erased_identities WHERE tenant_id = $1 AND digest = ANY($2::bytea[])`,
};

/** $1 days, $2 limit → how many were pruned. Neither histories nor forms are read back further. An opt-out stays for good. */
export const pruneErasedIdentities: NamedStatement = {
  name: 'prune-erased-identities',
  text: `WITH gone AS (
      DELETE FROM erased_identities WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM erased_identities WHERE NOT opted_out AND erased_at < now() - make_interval(days => $1::int)
        ORDER BY erased_at LIMIT $2 FOR UPDATE SKIP LOCKED
      )) RETURNING 1
    ) SELECT count(*)::int AS count FROM gone`,
};
