// Imports leads from a CSV file: stores the file, checks it, then takes it in by batches. A batch and its progress share a transaction.
// A tenant has one import at a time.

import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { readCsv } from '../../../platform/csv-reader.js';
import type { CsvRow } from '../../../platform/csv-reader.js';
import type { Database } from '../../../platform/database.js';
import { AppError, invalidField } from '../../../platform/errors.js';
import { isUuid, parseInput } from '../../../platform/input.js';
import type { Logger } from '../../../platform/logger.js';
import { outsideOfOperations } from '../../../platform/operation.js';
import { readPage } from '../../../platform/page.js';
import type { Page, PageArgs } from '../../../platform/page.js';
import { requireUser } from '../../../platform/principal.js';
import type { Principal, UserPrincipal } from '../../../platform/principal.js';
import { newRecordId } from '../../../platform/record-id.js';
import type { Transaction, Transactor } from '../../../platform/transaction.js';
import { UploadedFile } from '../../../platform/uploaded-file.js';
import type { Country } from '../../tenants/country.js';
import type { TenantService } from '../../tenants/tenant.service.js';
import { matchKeyOfNumber } from '../identity/lead-identity.js';
import type { LeadIntakeService } from '../lead.service.js';
import {
  importQuerySchema,
  maxImportBytes,
  maxImportErrors,
  maxImportRows,
  readColumns,
  readRow,
} from './lead-import.schema.js';
import type { ImportColumns, ImportedLead } from './lead-import.schema.js';
import {
  advanceImport,
  endAbandonedImports,
  finishImport,
  insertImport,
  labelNewLeads,
  selectImport,
  selectImports,
} from './lead-import.sql.js';
import type { ImportError, LeadImportRecord } from './lead-import.sql.js';
import { selectLeadsByIdentity } from '../identity/find-or-create.sql.js';

export type { LeadImportRecord } from './lead-import.sql.js';

export interface LeadImportOptions {
  database: Database;
  transactor: Transactor;
  intake: LeadIntakeService;
  tenants: Pick<TenantService, 'findDefaultCountry'>;
  log: Logger;
}

/** Where an imported lead comes from, unless its row says otherwise. */
const importSource = 'import';
const rowsPerBatch = 500;
/** A batch ends sooner where its rows are long: it goes to PostgreSQL in one piece. */
const charactersPerBatch = 512 * 1024;
/** Files that this process keeps at once, of all tenants. */
const maxUploads = 8;
/** A caller hears of the end where it comes this soon, else that it is under way. */
const answerWithinMs = 10_000;

/** How the rows are taken in. */
interface ImportManner {
  isDryRun: boolean;
  /** Whose numbers national writings are where the row names no country. */
  country: Country | undefined;
}

type ImportOptions = ImportManner & Pick<LeadImportRecord, 'fileName'>;

interface Batch {
  rows: number;
  characters: number;
  leads: ImportedLead[];
  duplicates: number;
  refused: number;
  errors: ImportError[];
}

/** The import was given up by somebody else. */
class ImportEnded extends Error {}

export class LeadImportService {
  private readonly running = new Set<Promise<void>>();
  /** Tenants whose file is here: one each, so that none takes every place. */
  private readonly holders = new Set<string>();
  private stopping = false;

  constructor(private readonly options: LeadImportOptions) {}

  /**
   * Takes a file in, or with `dryRun=true` only says what would become of it. Any user may. The same file again creates nothing twice.
   * @returns the import as it is after 10 s at most
   * @throws AppError VALIDATION_FAILED for what is no CSV, lacks the column `chat` or has too many rows; PAYLOAD_TOO_LARGE;
   * CONFLICT while another import of the tenant comes in or runs; UNAVAILABLE while too many files are being worked on
   */
  async start(principal: Principal | undefined, upload: Readable, query: unknown): Promise<LeadImportRecord> {
    const user = requireUser(principal);
    const { dryRun, fileName = null, country } = parseInput(importQuerySchema, query);
    const file = await this.receive(user.tenantId, upload);
    const begun = await this.begin(user, file, { fileName, isDryRun: dryRun === 'true', country }).catch(
      async (error: unknown) => {
        await this.release(user.tenantId, file);
        throw error;
      },
    );
    await Promise.race([begun.done, delay(answerWithinMs, undefined, { ref: false })]);
    return this.get(user, begun.id);
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

  /** Ends what runs after its batch, as interrupted. */
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
    { fileName, isDryRun, country: named }: ImportOptions,
  ): Promise<{ id: string; done: Promise<void> }> {
    const totalRows = await countRows(file);
    const country = named ?? (await this.options.tenants.findDefaultCountry(user.tenantId));
    const id = await this.register(user, { fileName, isDryRun, totalRows });
    // It goes on when its caller has its answer.
    const done = outsideOfOperations(() => this.work(user.tenantId, id, file, { isDryRun, country }));
    this.running.add(done);
    return { id, done: done.finally(() => void this.running.delete(done)) };
  }

  private async work(tenantId: string, id: string, file: UploadedFile, manner: ImportManner): Promise<void> {
    await this.run(tenantId, id, file, manner);
    await this.release(tenantId, file);
  }

  private async register(
    { tenantId, userId }: UserPrincipal,
    { fileName, isDryRun, totalRows }: Pick<LeadImportRecord, 'fileName' | 'isDryRun' | 'totalRows'>,
  ): Promise<string> {
    const { database } = this.options;
    const id = newRecordId();
    await database.query(endAbandonedImports, [tenantId]);
    const inserted = await database.query(insertImport, [tenantId, id, userId, fileName, isDryRun, totalRows]);
    if (inserted.length === 0) throw anotherIsRunning();
    return id;
  }

  /** Never rejects. */
  private async run(
    tenantId: string,
    id: string,
    file: UploadedFile,
    { isDryRun, country }: ImportManner,
  ): Promise<void> {
    const finish = (status: string, problem: string | null) =>
      this.options.database.query(finishImport, [tenantId, id, status, problem]);
    try {
      for await (const batch of batchesOf(file, country)) {
        if (this.stopping) return void (await finish('INTERRUPTED', 'The service was stopped'));
        if (isDryRun) await this.preview(tenantId, id, batch);
        else await this.options.transactor.run(tenantId, (tx) => this.write(tx, id, batch));
      }
      await finish('COMPLETED', null);
    } catch (error) {
      if (error instanceof ImportEnded) return;
      this.options.log.warn({ err: error, importId: id }, 'an import of leads was interrupted');
      await finish('INTERRUPTED', 'The service could not go on').catch(() => undefined);
    }
  }

  private async write(tx: Transaction, id: string, batch: Batch): Promise<void> {
    const { leads } = batch;
    const postings = leads.map(({ chat, name, source }) => ({ chat, name, source: source ?? importSource }));
    const found = await this.options.intake.receive(tx, postings, importSource);
    const labelled = found.flatMap(({ lead, created }, index) => {
      const { tags, customFields } = leads[index] ?? {};
      const isLabelled = (tags?.length ?? 0) > 0 || Object.keys(customFields ?? {}).length > 0;
      return created && isLabelled ? [{ id: lead.id, tags: tags ?? [], customFields: customFields ?? {} }] : [];
    });
    if (labelled.length > 0)
      await tx.query(labelNewLeads, [
        tx.tenantId,
        labelled.map((lead) => lead.id),
        labelled.map(({ tags }) => JSON.stringify(tags)),
        labelled.map(({ customFields }) => JSON.stringify(customFields)),
      ]);
    const created = found.filter((lead) => lead.created).length;
    await advance(tx, tx.tenantId, id, batch, created);
  }

  private async preview(tenantId: string, id: string, batch: Batch): Promise<void> {
    const { database } = this.options;
    const keys = batch.leads.map(({ chat }) => matchKeyOfNumber(chat));
    const known = await database.query(selectLeadsByIdentity, [tenantId, keys.map(() => 'PHONE'), keys]);
    await advance(database, tenantId, id, batch, batch.leads.length - known.length);
  }
}

function anotherIsRunning(): AppError {
  return new AppError('CONFLICT', 'Another import of this tenant is running');
}

async function advance(
  sql: Pick<Database, 'query'>,
  tenantId: string,
  id: string,
  { rows, leads, duplicates, refused, errors }: Batch,
  created: number,
): Promise<void> {
  const counts = [rows, created, leads.length - created, duplicates, refused];
  const values = [tenantId, id, ...counts, JSON.stringify(errors), maxImportErrors];
  if ((await sql.query(advanceImport, values)).length === 0) throw new ImportEnded();
}

/** Looks the whole file through before any of it counts. */
async function countRows(file: UploadedFile): Promise<number> {
  let count = 0;
  for await (const _row of rowsOf(file)) {
    count += 1;
    if (count > maxImportRows) throw invalidField('rows', `must not be more than ${maxImportRows}`);
  }
  return count;
}

/** The rows behind the first, each with the file's columns. */
async function* rowsOf(file: UploadedFile): AsyncGenerator<CsvRow & { columns: ImportColumns }> {
  let columns: ImportColumns | undefined;
  for await (const row of readCsv(file.read())) {
    if (columns === undefined) columns = columnsOf(row.cells);
    else yield { ...row, columns };
  }
  if (columns === undefined) throw invalidField('header', 'is missing: the file is empty');
}

function columnsOf(headers: readonly string[]): ImportColumns {
  const columns = readColumns(headers);
  if ('problem' in columns) throw invalidField('header', columns.problem);
  return columns;
}

async function* batchesOf(file: UploadedFile, country: Country | undefined): AsyncGenerator<Batch> {
  const seen = new Map<string, number>();
  let batch = emptyBatch();
  for await (const row of rowsOf(file)) {
    addRow(batch, row, { seen, country });
    if (batch.rows < rowsPerBatch && batch.characters < charactersPerBatch) continue;
    yield batch;
    batch = emptyBatch();
  }
  if (batch.rows > 0) yield batch;
}

function emptyBatch(): Batch {
  return { rows: 0, characters: 0, leads: [], duplicates: 0, refused: 0, errors: [] };
}

/** @param seen the people of the rows before, with the line of the first row of each: that one counts */
function addRow(
  batch: Batch,
  { line, cells, columns }: CsvRow & { columns: ImportColumns },
  { seen, country }: { seen: Map<string, number>; country: Country | undefined },
): void {
  batch.rows += 1;
  for (const cell of cells) batch.characters += cell.length;
  const read = readRow(columns, cells, country);
  if ('problems' in read) {
    batch.refused += 1;
    const untold = maxImportErrors - batch.errors.length;
    batch.errors.push(...read.problems.slice(0, untold).map((problem) => ({ line, ...problem })));
    return;
  }
  const key = matchKeyOfNumber(read.lead.chat);
  const firstLine = seen.get(key);
  if (firstLine === undefined) {
    seen.set(key, line);
    batch.leads.push(read.lead);
    return;
  }
  batch.duplicates += 1;
  batch.errors.push({ line, field: 'chat', message: `is the number of line ${firstLine}, which counts` });
}
