// Imports leads from a CSV file: stores the file, checks it, then imports it by batches. A batch and its progress share a transaction. A
// tenant has one import at a time.

import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { csvOf } from '../../../platform/input/csv.js';
import type { Database } from '../../../platform/database/database.js';
import { inDryRun } from '../../../platform/database/dry-run.js';
import { AppError, notFound } from '../../../platform/errors.js';
import { isUuid, parseInput } from '../../../platform/input/input.js';
import type { Logger } from '../../../platform/observability/logger.js';
import { outsideOfOperations } from '../../../platform/database/operation.js';
import { readPage, type Page, type PageArgs } from '../../../platform/database/page.js';
import { requireUser, type Principal, type UserPrincipal } from '../../../platform/principal.js';
import { newRecordId } from '../../../platform/database/record-id.js';
import type { Transaction, Transactor } from '../../../platform/database/transaction.js';
import { UploadedFile } from '../../../platform/http/uploaded-file.js';
import type { Country } from '../../../platform/phone-numbers/country.js';
import type { TenantService } from '../../tenants/tenant.service.js';
import type { LeadIntakeService } from '../lead.service.js';
import { batchesOf, lookThrough, withRefused, type Batch, type ImportedFile } from './lead-import-batch.js';
import { importQuerySchema, maxImportBytes, maxImportErrors, type ImportedLead } from './lead-import.schema.js';
import { headQuerySchema, readHead, receiveHead, type ImportHead } from './lead-import-preview.js';
import { refusedColumns, type ImportColumns } from './lead-import-columns.js';
import { updateKnownLeads, type KnownRow } from './lead-import-update.js';
import {
  advanceImport,
  endAbandonedImports,
  finishImport,
  insertImport,
  insertRefusedRows,
  selectImport,
  selectImportHeaders,
  selectImports,
  selectRefusedRows,
  type ImportUpdate,
  type LeadImportRecord,
  type RefusedRow,
} from './lead-import.sql.js';

export type { LeadImportRecord } from './lead-import.sql.js';

export interface LeadImportOptions {
  database: Database;
  transactor: Transactor;
  intake: LeadIntakeService;
  tenants: Pick<TenantService, 'findDefaultCountry'>;
  log: Logger;
}

/** The source of an imported lead, unless its row names one. */
const importSource = 'import';
/** Files that this process keeps at once, of all tenants. */
const maxUploads = 8;
/** The longest wait of a caller for the end of an import. Afterwards the answer says that the import is running. */
const answerWithinMs = 10_000;

/** The settings of an import. */
interface ImportManner {
  isDryRun: boolean;
  country: Country | undefined;
  /** Says how known leads change; null: they stay as they are. */
  update: ImportUpdate | null;
  userId: string;
}

/** An import with its tenant's file. */
interface Work extends ImportManner, ImportedFile {
  tenantId: string;
  id: string;
}

type ImportOptions = Omit<ImportManner, 'userId'> &
  Pick<LeadImportRecord, 'fileName'> & { given: Readonly<Record<string, string | null>> };

/** A batch whose leads are found, created or changed. */
interface TakenBatch {
  /** The batch, with the rows that cannot change their known leads as refused rows. */
  batch: Batch;
  created: number;
  updated: number;
}

/** The import was ended by another process. */
class ImportEnded extends Error {}

export class LeadImportService {
  private readonly running = new Set<Promise<void>>();
  /** The tenants whose file this process holds: one file each, so that no tenant takes every place. */
  private readonly holders = new Set<string>();
  private stopping = false;

  constructor(private readonly options: LeadImportOptions) {}

  /**
   * Imports a file, or with `dryRun=true` only says what would become of it. Any user may. The same file again creates nothing twice.
   * @returns the import as it is after 10 s at most
   * @throws AppError VALIDATION_FAILED for a file that is no CSV, lacks the column `chat` or has too many rows; PAYLOAD_TOO_LARGE; CONFLICT
   * while another import of the tenant comes in or runs; UNAVAILABLE while too many files are being worked on
   */
  async start(principal: Principal | undefined, upload: Readable, query: unknown): Promise<LeadImportRecord> {
    const user = requireUser(principal);
    const {
      dryRun,
      fileName = null,
      country,
      update = null,
      columns: given = {},
    } = parseInput(importQuerySchema, query);
    const file = await this.receive(user.tenantId, upload);
    const begun = await this.begin(user, file, { fileName, isDryRun: dryRun === 'true', country, update, given }).catch(
      async (error: unknown) => {
        await this.release(user.tenantId, file);
        throw error;
      },
    );
    await Promise.race([begun.done, delay(answerWithinMs, undefined, { ref: false })]);
    return this.get(user, begun.id);
  }

  /**
   * Returns the columns and the first rows of a file as an import would read them. Any user may. Nothing is stored, and the rest of the
   * file is not read.
   * @throws AppError VALIDATION_FAILED for a file that is no CSV or has no header, and for `columns` that name none of its headers
   */
  async readHead(principal: Principal | undefined, upload: Readable, query: unknown): Promise<ImportHead> {
    const { tenantId } = requireUser(principal);
    const { columns: given = {}, country: named } = parseInput(headQuerySchema, query);
    const country = named ?? (await this.options.tenants.findDefaultCountry(tenantId));
    return readHead(await receiveHead(upload), { given, country });
  }

  /** An import of the tenant; null for an id that names none. */
  async find(principal: Principal | undefined, id: string): Promise<LeadImportRecord | null> {
    const { tenantId } = requireUser(principal);
    if (!isUuid(id)) return null;
    const [found] = await this.options.database.query<LeadImportRecord>(selectImport, [tenantId, id]);
    return found ?? null;
  }

  /** The tenant's imports, the newest first. */
  async list(principal: Principal | undefined, args: PageArgs): Promise<Page<LeadImportRecord>> {
    const { tenantId } = requireUser(principal);
    const { database } = this.options;
    return readPage(args, {
      list: 'lead-imports',
      keyOf: ({ id }: LeadImportRecord) => id,
      read: (range) => {
        const values = [tenantId, range.from ?? null, range.limit];
        return database.query<LeadImportRecord>(selectImports(range), values);
      },
      count: () => database.prisma.leadImport.count({ where: { tenantId } }),
    });
  }

  /** Ends running imports after their batch, as interrupted. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running);
  }

  private async get(user: UserPrincipal, id: string): Promise<LeadImportRecord> {
    const record = await this.find(user, id);
    if (record === null) throw new Error('an import that was just written cannot be read');
    return record;
  }

  private async receive(tenantId: string, upload: Readable): Promise<UploadedFile> {
    if (this.holders.has(tenantId)) throw anotherIsRunning();
    if (this.stopping || this.holders.size >= maxUploads)
      throw new AppError('UNAVAILABLE', 'Too many files are being imported', { retryAfterSeconds: 10 });
    this.holders.add(tenantId);
    try {
      return await UploadedFile.receive(upload, maxImportBytes);
    } catch (error) {
      this.holders.delete(tenantId);
      throw error;
    }
  }

  private async release(tenantId: string, file: UploadedFile): Promise<void> {
    this.holders.delete(tenantId);
    await file
      .close()
      .catch((error: unknown) => this.options.log.warn({ err: error }, 'an uploaded file was not closed'));
  }

  private async begin(
    user: UserPrincipal,
    file: UploadedFile,
    { fileName, isDryRun, country: named, update, given }: ImportOptions,
  ): Promise<{ id: string; done: Promise<void> }> {
    const { totalRows, columns, headerLine } = await lookThrough(file, given);
    const { tenantId, userId } = user;
    const country = named ?? (await this.options.tenants.findDefaultCountry(tenantId));
    const id = await this.register(user, { fileName, isDryRun, totalRows, update }, columns);
    // The import goes on after its caller has the answer.
    const done = outsideOfOperations(async () => {
      await this.run({ tenantId, id, file, columns, headerLine, isDryRun, country, update, userId });
      await this.release(tenantId, file);
    });
    this.running.add(done);
    return { id, done: done.finally(() => void this.running.delete(done)) };
  }

  private async register(
    { tenantId, userId }: UserPrincipal,
    { fileName, isDryRun, totalRows, update }: Pick<LeadImportRecord, 'fileName' | 'isDryRun' | 'totalRows' | 'update'>,
    { readAs, notes, headers }: ImportColumns,
  ): Promise<string> {
    const { database } = this.options;
    const id = newRecordId();
    await database.query(endAbandonedImports, [tenantId]);
    const described = [update, JSON.stringify(readAs), JSON.stringify(notes), storableJson(headers)];
    const values = [tenantId, id, userId, fileName, isDryRun, totalRows, ...described];
    const inserted = await database.query(insertImport, values);
    if (inserted.length === 0) throw anotherIsRunning();
    return id;
  }

  /** Never rejects. */
  private async run(work: Work): Promise<void> {
    const { tenantId, id } = work;
    const finish = (status: string, problem: string | null) =>
      this.options.database.query(finishImport, [tenantId, id, status, problem]);
    try {
      for await (const batch of batchesOf(work)) {
        if (this.stopping) return void (await finish('INTERRUPTED', 'The service was stopped'));
        await this.write(work, batch);
      }
      await finish('COMPLETED', null);
    } catch (error) {
      if (error instanceof ImportEnded) return;
      this.options.log.warn({ err: error, importId: id }, 'an import of leads was interrupted');
      await finish('INTERRUPTED', 'The service could not go on').catch(() => undefined);
    }
  }

  /** Takes a batch in and reports it. A dry run rolls the leads back, and keeps its report alone. */
  private async write(work: Work, batch: Batch): Promise<void> {
    const { database, transactor } = this.options;
    const { tenantId, isDryRun } = work;
    if (isDryRun)
      return advance(database, work, await inDryRun(database, tenantId, (tx) => this.take(tx, work, batch)));
    await transactor.run(tenantId, async (tx) => advance(tx, work, await this.take(tx, work, batch)));
  }

  private async take(tx: Transaction, { update, userId }: Work, batch: Batch): Promise<TakenBatch> {
    const postings = batch.leads.map(({ lead }) => postingOf(lead));
    const found = await this.options.intake.receive(tx, postings, importSource);
    const created = found.filter((lead) => lead.created).length;
    if (update === null) return { batch, created, updated: 0 };
    const known = found.flatMap(({ lead, created: isNew }, index): KnownRow[] => {
      const given = batch.leads[index]?.lead;
      return isNew || given === undefined ? [] : [{ leadId: lead.id, given }];
    });
    const { updated, refused } = await updateKnownLeads(tx, known, { update, userId });
    const problems = new Map(refused.map(({ row, ...problem }) => [row.given, problem]));
    return { batch: withRefused(batch, problems), created, updated };
  }

  /**
   * Exports the rows that an import refused, with the columns of its file, the line and the reason. The first 10,000 are kept, for 7 days.
   * Corrected, the file can be imported as it is.
   * @throws AppError NOT_FOUND for an import that the tenant does not have
   */
  async exportRefused(principal: Principal | undefined, id: string): Promise<AsyncGenerator<string>> {
    const { tenantId } = requireUser(principal);
    const { database } = this.options;
    const values = [tenantId, id];
    const [found] = isUuid(id) ? await database.query<{ headers: string[] }>(selectImportHeaders, values) : [];
    if (found === undefined) throw notFound('import');
    const { headers } = found;
    const source = {
      keyOf: ({ line }: RefusedRow) => String(line),
      read: ({ from, limit }: { from?: string | undefined; limit: number }) =>
        database.query<RefusedRow>(selectRefusedRows, [tenantId, id, Number(from ?? 0), limit]),
    };
    return csvOf(source, [...headers, ...refusedColumns], (rows) =>
      rows.map(({ line, cells, reason }) => [...headers.map((_header, index) => cells[index] ?? null), line, reason]),
    );
  }
}

function postingOf({ source, metadata, tags, customFields, ...given }: ImportedLead) {
  const values = Object.entries(customFields ?? {}).flatMap(([key, value]) =>
    value === null ? [] : [[key, value] as const],
  );
  return {
    ...given,
    source: source ?? importSource,
    ...(metadata != null && { metadata }),
    ...((tags?.length ?? 0) > 0 && tags != null && { tags }),
    ...(values.length > 0 && { customFields: Object.fromEntries(values) }),
  };
}

// PostgreSQL keeps no zero byte.
function storableJson(texts: readonly string[]): string {
  return JSON.stringify(texts.map((text) => text.replaceAll('\0', '\uFFFD')));
}

function anotherIsRunning(): AppError {
  return new AppError('CONFLICT', 'Another import of this tenant is running');
}

async function advance(
  sql: Pick<Database, 'query'>,
  { tenantId, id }: Pick<Work, 'tenantId' | 'id'>,
  { batch, created, updated }: TakenBatch,
): Promise<void> {
  const { rows, leads, duplicates, refused, errors, refusedRows } = batch;
  const counts = [rows, created, leads.length - created, duplicates, refused];
  const values = [tenantId, id, ...counts, JSON.stringify(errors), maxImportErrors, updated];
  if ((await sql.query(advanceImport, values)).length === 0) throw new ImportEnded();
  if (refusedRows.length === 0) return;
  await sql.query(insertRefusedRows, [
    tenantId,
    id,
    refusedRows.map(({ line }) => line),
    refusedRows.map(({ cells }) => storableJson(cells)),
    refusedRows.map(({ reason }) => reason.replaceAll('\0', '\uFFFD')),
    refusedRows.map(({ matchKey }) => matchKey ?? null),
  ]);
}
