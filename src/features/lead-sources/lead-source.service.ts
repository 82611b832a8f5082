// Lead sources for ADMINs: the forms elsewhere that post leads here, and the secrets that prove their calls. calls/ takes in the calls, and
// fetching/ fetches the leads that Meta names.

import type { Database, SqlRunner } from '../../platform/database/database.js';
import { AppError, conflictingField, invalidField, notFound } from '../../platform/errors.js';
import { isUuid, parseInput, validationFailed, withoutUndefined } from '../../platform/input/input.js';
import { requireAdmin, type Principal, type UserPrincipal } from '../../platform/principal.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { SecretBox } from '../../platform/secret-box.js';
import { changedFields, type AuditService } from '../audit/audit.service.js';
import {
  leadSourceSchemas,
  maxLeadSources,
  sourceProblems,
  type CreateLeadSourceInput,
  type HmacInput,
  type UpdateLeadSourceInput,
} from './lead-source.schema.js';
import {
  configureForms,
  countSources,
  deleteSource,
  fetchAgain,
  insertSource,
  lockSource,
  lockSources,
  readFormsNow,
  selectActivities,
  selectForms,
  selectSource,
  selectSources,
  sourceRow,
  updateSource,
  type LeadSourceRecord,
  type SourceActivity,
  type SourceFormRecord,
  type SourceHmac,
  type WrittenSource,
} from './lead-source.sql.js';
import { sealSecret, type SealedSecrets } from './lead-source-secrets.js';

export interface LeadSourceOptions {
  database: Database;
  audit: AuditService;
  secretBox: SecretBox;
  /** Returns the reason why a URL must not be called; undefined if it may. */
  checkUrl: (url: string) => string | undefined;
  /** Runs after the commit, because the next call has to find the changed source, and work of its tenant may be due. */
  onChange: (tenantId: string, sourceId: string) => void;
}

/** `formIds`: the forms that an ADMIN has configured. */
type LockedSource = LeadSourceRecord & SealedSecrets & { formIds: readonly string[] };

interface GivenSecrets {
  key?: string | null | undefined;
  appSecret?: string | null | undefined;
  accessToken?: string | null | undefined;
  hmac?: HmacInput | null | undefined;
}

interface SourceChange {
  written: WrittenSource & { formIds: readonly string[] };
  secrets: GivenSecrets;
  readSince: Date | null | undefined;
}

const deletedError = 'The lead source was deleted.';

export class LeadSourceService {
  private readonly schemas: ReturnType<typeof leadSourceSchemas>;

  constructor(private readonly options: LeadSourceOptions) {
    this.schemas = leadSourceSchemas(options.checkUrl);
  }

  /** Returns the tenant's sources, the oldest first: `maxLeadSources` at most. ADMIN only. */
  async list(principal: Principal | undefined): Promise<LeadSourceRecord[]> {
    const { tenantId } = requireAdmin(principal);
    return this.options.database.query<LeadSourceRecord>(selectSources, [tenantId]);
  }

  /** Returns a source of the caller's tenant; null if there is none with this id, or it was deleted. ADMIN only. */
  async find(principal: Principal | undefined, id: string): Promise<LeadSourceRecord | null> {
    const { tenantId } = requireAdmin(principal);
    if (!isUuid(id)) return null;
    const [source] = await this.options.database.query<LeadSourceRecord>(selectSource, [tenantId, id]);
    return source ?? null;
  }

  /** Returns the activity of sources, in one statement. A source of another tenant shows none. ADMIN only. */
  async listActivities(principal: Principal | undefined, ids: readonly string[]): Promise<SourceActivity[]> {
    const { tenantId } = requireAdmin(principal);
    return this.options.database.query<SourceActivity>(selectActivities, [tenantId, ids]);
  }

  /** Returns the forms of sources, in one statement. ADMIN only. */
  async listForms(principal: Principal | undefined, ids: readonly string[]): Promise<SourceFormRecord[]> {
    const { tenantId } = requireAdmin(principal);
    return this.options.database.query<SourceFormRecord>(selectForms, [tenantId, ids]);
  }

  /**
   * Creates a source. ADMIN only; audited.
   * @throws AppError VALIDATION_FAILED, also on fields that its kind lacks or needs; CONFLICT if there are `maxLeadSources` already
   */
  async create(principal: Principal | undefined, input: CreateLeadSourceInput): Promise<LeadSourceRecord> {
    const admin = requireAdmin(principal);
    const { kind, name, baseUrl, mapping, formIds, ...secrets } = parseInput(this.schemas.create, input);
    const problems = sourceProblems(kind, { baseUrl, mapping, formIds, ...secrets }, true);
    if (problems.length > 0) throw validationFailed(problems);
    const id = newRecordId();
    const plain = { id, kind, name, baseUrl: baseUrl ?? null, mapping: mapping ?? null };
    const written = { ...plain, ...this.sealed(id, secrets, noSecrets) };
    return this.change(admin, id, async (sql) => {
      // The lock comes first, so that the count is still right when this transaction has its turn.
      await sql.query(lockSources, [admin.tenantId]);
      const [held] = await sql.query<{ count: number }>(countSources, [admin.tenantId]);
      if ((held?.count ?? 0) >= maxLeadSources)
        throw new AppError('CONFLICT', `A tenant has at most ${maxLeadSources} lead sources: delete one first`);
      const created = one(
        await sql.query<LeadSourceRecord>(insertSource, [admin.tenantId, ...sourceRow.valuesOf(written)]),
      );
      if (formIds != null) await sql.query(configureForms, [admin.tenantId, id, formIds]);
      const after = auditedFields({ ...created, formIds: (formIds ?? []).toSorted() });
      const entry = { ...about(admin, id), action: 'LEAD_SOURCE_CREATED', after } as const;
      await this.options.audit.record(sql, admin, [entry]);
      return created;
    });
  }

  /**
   * Changes a source. A given secret replaces the one before. The mapping and the secrets count from the next call on, within 3 s in every
   * process. Leads that could not be taken in are retried. `readSince` makes its forms be read again from that time on. ADMIN only;
   * audited; safe to repeat without `expectedVersion`.
   * @throws AppError NOT_FOUND; VALIDATION_FAILED, also if another `baseUrl` comes without the token; CONFLICT when `expectedVersion` is
   * not its version any more
   */
  async update(principal: Principal | undefined, id: string, input: UpdateLeadSourceInput): Promise<LeadSourceRecord> {
    const admin = requireAdmin(principal);
    const { expectedVersion, readSince, formIds, ...given } = parseInput(this.schemas.update, input);
    return this.change(admin, id, async (sql) => {
      const before = await getLocked(sql, admin, id);
      if (expectedVersion != null && expectedVersion !== before.version)
        throw conflictingField('expectedVersion', `the lead source has version ${before.version} by now`);
      const problems = sourceProblems(before.kind, { ...given, formIds, readSince }, false);
      if (problems.length > 0) throw validationFailed(problems);
      const { name, baseUrl, mapping, ...secrets } = given;
      const plain = { ...pick(before), ...withoutUndefined({ name, baseUrl, mapping }) };
      // Without this check, an ADMIN who does not know the token could have it sent to an address of the ADMIN's own.
      if (plain.baseUrl !== before.baseUrl && secrets.accessToken == null)
        throw invalidField('accessToken', 'has to be entered again with another baseUrl');
      const forms = formIds === undefined ? before.formIds : (formIds ?? []).toSorted();
      const written = { ...plain, formIds: forms, ...this.sealed(before.id, secrets, before) };
      const after = await this.write(sql, admin, before, { written, secrets, readSince });
      if (formIds !== undefined) await sql.query(configureForms, [admin.tenantId, before.id, formIds ?? []]);
      if (after.version !== before.version) await sql.query(fetchAgain, [admin.tenantId, before.id]);
      if (after.version !== before.version)
        await sql.query(readFormsNow, [admin.tenantId, before.id, readSince ?? null]);
      return after;
    });
  }

  /**
   * Deletes a source with its secrets; its address is unknown from then on, within 3 s in every process. Its leads stay. ADMIN only;
   * audited.
   * @returns the source's id
   * @throws AppError NOT_FOUND, also when it is deleted already
   */
  async delete(principal: Principal | undefined, id: string): Promise<string> {
    const admin = requireAdmin(principal);
    return this.change(admin, id, async (sql) => {
      const before = await getLocked(sql, admin, id);
      await sql.query(deleteSource, [admin.tenantId, before.id, deletedError]);
      const deleted = { action: 'LEAD_SOURCE_DELETED', before: auditedFields(before) } as const;
      await this.options.audit.record(sql, admin, [{ ...about(admin, before.id), ...deleted }]);
      return before.id;
    });
  }

  private async write(
    sql: SqlRunner,
    admin: UserPrincipal,
    before: LockedSource,
    { written, secrets, readSince }: SourceChange,
  ): Promise<LeadSourceRecord> {
    const fields = changedFields(auditedFields(before), auditedFields({ ...before, ...written }));
    const replaced = Object.entries(secrets).flatMap(([name, secret]) => (secret == null ? [] : [name]));
    const removed = Object.entries(secrets).flatMap(([name, secret]) => (secret === null ? [name] : []));
    if (fields === undefined && replaced.length === 0 && removed.length === 0 && readSince == null) return before;
    const values = [admin.tenantId, ...sourceRow.valuesOf(written)];
    const after = one(await sql.query<LeadSourceRecord>(updateSource, values));
    const secretChange = { ...(replaced.length > 0 && { replaced }), ...(removed.length > 0 && { removed }) };
    const readAgain = readSince == null ? {} : { readSince: readSince.toISOString() };
    const changed = { before: fields?.before ?? {}, after: { ...fields?.after, ...secretChange, ...readAgain } };
    const entry = { ...about(admin, before.id), action: 'LEAD_SOURCE_UPDATED', ...changed } as const;
    await this.options.audit.record(sql, admin, [entry]);
    return after;
  }

  /** Returns the values of the secrets' columns: given secrets are sealed, and the others stay. */
  private sealed(id: string, { key, appSecret, accessToken, hmac }: GivenSecrets, before: SealedSecrets & SourceHmac) {
    const { secretBox } = this.options;
    const seal = (
      name: Parameters<typeof sealSecret>[2],
      secret: string | null | undefined,
      kept: Uint8Array | null,
    ) => {
      if (secret === undefined) return kept;
      return secret === null ? null : sealSecret(secretBox, id, name, secret);
    };
    return {
      keyCiphertext: seal('key', key, before.keyCiphertext),
      appSecretCiphertext: seal('appSecret', appSecret, before.appSecretCiphertext),
      accessTokenCiphertext: seal('accessToken', accessToken, before.accessTokenCiphertext),
      hmacSecretCiphertext: seal(
        'hmacSecret',
        hmac === undefined ? undefined : (hmac?.secret ?? null),
        before.hmacSecretCiphertext,
      ),
      ...(hmac === undefined ? hmacOf(before) : hmacOf(writtenHmac(hmac))),
    };
  }

  private async change<Result>(
    { tenantId }: UserPrincipal,
    sourceId: string,
    work: (sql: SqlRunner) => Promise<Result>,
  ): Promise<Result> {
    const result = await this.options.database.transaction(work);
    this.options.onChange(tenantId, sourceId);
    return result;
  }
}

const unsigned: SourceHmac = {
  hmacHeader: null,
  hmacAlgorithm: null,
  hmacEncoding: null,
  hmacScheme: null,
  hmacTimestampHeader: null,
  hmacToleranceSeconds: null,
};

const noSecrets = {
  keyCiphertext: null,
  appSecretCiphertext: null,
  accessTokenCiphertext: null,
  hmacSecretCiphertext: null,
  ...unsigned,
};

function writtenHmac(hmac: HmacInput | null): SourceHmac {
  if (hmac === null) return unsigned;
  const { header, algorithm, encoding, scheme, timestampHeader, toleranceSeconds } = hmac;
  return {
    hmacHeader: header,
    hmacAlgorithm: algorithm,
    hmacEncoding: encoding,
    hmacScheme: scheme ?? 'BODY',
    hmacTimestampHeader: timestampHeader ?? null,
    hmacToleranceSeconds: toleranceSeconds ?? null,
  };
}

function hmacOf(source: SourceHmac): SourceHmac {
  const { hmacHeader, hmacAlgorithm, hmacEncoding, hmacScheme, hmacTimestampHeader, hmacToleranceSeconds } = source;
  return { hmacHeader, hmacAlgorithm, hmacEncoding, hmacScheme, hmacTimestampHeader, hmacToleranceSeconds };
}

/** Returns the source, locked until `sql`'s transaction ends. @throws AppError NOT_FOUND */
async function getLocked(sql: SqlRunner, { tenantId }: UserPrincipal, id: string): Promise<LockedSource> {
  const [source] = isUuid(id) ? await sql.query<LeadSourceRecord & SealedSecrets>(lockSource, [tenantId, id]) : [];
  if (source === undefined) throw notFound('lead source');
  const forms = await sql.query<SourceFormRecord>(selectForms, [tenantId, [source.id]]);
  const formIds = forms.flatMap((form) => (form.isConfigured ? form.id : [])).toSorted();
  return { ...source, formIds };
}

function one(rows: readonly LeadSourceRecord[]): LeadSourceRecord {
  const [source] = rows;
  if (source === undefined) throw notFound('lead source');
  return source;
}

function pick({ id, kind, name, baseUrl, mapping }: LeadSourceRecord) {
  return { id, kind, name, baseUrl, mapping };
}

function auditedFields(source: Omit<WrittenSource, keyof SealedSecrets> & { formIds: readonly string[] }) {
  const { kind, name, baseUrl, mapping, formIds } = source;
  return { kind, name, baseUrl, mapping, formIds, ...hmacOf(source) };
}

function about({ tenantId }: UserPrincipal, targetId: string) {
  return { tenantId, targetKind: 'LEAD_SOURCE', targetId } as const;
}
