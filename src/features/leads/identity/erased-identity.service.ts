// Who was erased: so that no history of a gateway brings the person back. What is kept is an HMAC of each identity under a key of the
// service, which nobody can turn into a number without that key, and when.

import { createHmac } from 'node:crypto';
import type { Transaction } from '../../../platform/transaction.js';
import type { NamedStatement } from '../../../platform/database.js';
import { matchKeyOf } from './lead-identity.js';
import type { LeadIdentity } from './lead-identity.js';

export interface ErasedIdentityOptions {
  encryptionKey: Buffer;
  /** While the key is being replaced. */
  encryptionKeyPrevious: Buffer | undefined;
}

/** A message of a person, as a history has it. */
export interface PastContact {
  identities: readonly LeadIdentity[];
  /** Undefined where the history gives no time: then it counts as written before any erasure. */
  writtenAt: Date | undefined;
}

export class ErasedIdentityService {
  constructor(private readonly options: ErasedIdentityOptions) {}

  /** Call it first in the transaction of an erasure: readers of histories take this lock before those of the tenant and of leads. */
  async hold(tx: Transaction): Promise<void> {
    await tx.query(lockErasures, [tx.tenantId]);
  }

  /** Call it in the transaction of an erasure, after `hold`, before the leads are deleted. */
  async note(tx: Transaction, leadIds: readonly string[]): Promise<void> {
    const rows = await tx.query<StoredIdentity>(selectIdentities, [tx.tenantId, leadIds]);
    const digests = rows.map(({ kind, matchKey }) =>
      this.digest(tx.tenantId, kind, matchKey, this.options.encryptionKey),
    );
    if (digests.length > 0) await tx.query(insertErased, [tx.tenantId, digests]);
  }

  /**
   * Which contacts, by their index, were erased after they wrote. Waits for an erasure that is under way, and none begins before the
   * transaction ends. Call it before the transaction takes other locks.
   */
  async findErased(tx: Transaction, contacts: readonly PastContact[]): Promise<Set<number>> {
    if (contacts.length === 0) return new Set();
    await tx.query(shareErasures, [tx.tenantId]);
    const owners = new Map<string, number[]>();
    for (const [index, { identities }] of contacts.entries())
      for (const digest of identities.flatMap((identity) => this.digestsOf(tx.tenantId, identity))) {
        const key = digest.toString('hex');
        owners.set(key, [...(owners.get(key) ?? []), index]);
      }
    const digests = [...owners.keys()].map((key) => Buffer.from(key, 'hex'));
    const erased = await tx.query<{ digest: Buffer; erasedAt: Date }>(selectErased, [tx.tenantId, digests]);
    return new Set(
      erased.flatMap(({ digest, erasedAt }) =>
        (owners.get(digest.toString('hex')) ?? []).filter((index) => {
          const writtenAt = contacts[index]?.writtenAt;
          return writtenAt === undefined || writtenAt <= erasedAt;
        }),
      ),
    );
  }

  private digestsOf(tenantId: string, identity: LeadIdentity): Buffer[] {
    const { encryptionKey, encryptionKeyPrevious } = this.options;
    const keys = encryptionKeyPrevious === undefined ? [encryptionKey] : [encryptionKey, encryptionKeyPrevious];
    return keys.map((key) => this.digest(tenantId, identity.kind, matchKeyOf(identity), key));
  }

  private digest(tenantId: string, kind: string, matchKey: string, key: Buffer): Buffer {
    return createHmac('sha256', key).update(`erased identity ${tenantId} ${kind} ${matchKey}`).digest();
  }
}

interface StoredIdentity {
  kind: LeadIdentity['kind'];
  matchKey: string;
}

const erasureLock = `hashtextextended('leadwire erasures ' || $1::uuid, 0)`;

/** $1 tenant. Until the transaction ends. */
const lockErasures: NamedStatement = { name: 'lock-erasures', text: `SELECT pg_advisory_xact_lock(${erasureLock})` };

/** As `lockErasures`, beside others of its kind. */
const shareErasures: NamedStatement = {
  name: 'share-erasures',
  text: `SELECT pg_advisory_xact_lock_shared(${erasureLock})`,
};

/** $1 tenant, $2 leads. */
const selectIdentities: NamedStatement = {
  name: 'select-identities-to-erase',
  text: `SELECT kind, match_key AS "matchKey" FROM lead_identities WHERE tenant_id = $1 AND lead_id = ANY($2::uuid[])
    ORDER BY kind, match_key`,
};

/** $1 tenant, $2 digests. */
const insertErased: NamedStatement = {
  name: 'insert-erased-identities',
  text: `INSERT INTO erased_identities (tenant_id, digest) SELECT $1, unnest($2::bytea[])
    ON CONFLICT (tenant_id, digest) DO UPDATE SET erased_at = excluded.erased_at`,
};

/** $1 tenant, $2 digests → those that were erased. */
const selectErased: NamedStatement = {
  name: 'select-erased-identities',
  text: `SELECT digest, erased_at AS "erasedAt" FROM erased_identities WHERE tenant_id = $1 AND digest = ANY($2::bytea[])`,
};

/** $1 days, $2 limit → how many went. No history is read back further. */
export const pruneErasedIdentities: NamedStatement = {
  name: 'prune-erased-identities',
  text: `WITH gone AS (
      DELETE FROM erased_identities WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM erased_identities WHERE erased_at < now() - make_interval(days => $1::int)
        ORDER BY erased_at LIMIT $2 FOR UPDATE SKIP LOCKED
      )) RETURNING 1
    ) SELECT count(*)::int AS count FROM gone`,
};
