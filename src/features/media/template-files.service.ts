// Uploads as files of templates: checked when a template takes them, kept for as long as it has them, and listed with their addresses.

import type { Database } from '../../platform/database/database.js';
import { validationFailed } from '../../platform/input/input.js';
import type { Principal } from '../../platform/principal.js';
import { requireRoomFor } from '../../platform/database/record-bound.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { MediaAddresses } from './media-address.js';
import {
  holdUploads,
  measureTemplateFiles,
  selectUploads,
  selectUploadsOfTemplates,
  type UploadRow,
} from './media.sql.js';

/** The MiB of a tenant's templates from which on they take no further files. */
const maxTemplateMebibytes = 1_024;

/** An upload with its address. */
export interface UploadedMediaRecord extends UploadRow {
  url: string;
}

/** An upload of a template. */
export type TemplateFileRecord = UploadedMediaRecord & { templateId: string };

/**
 * Locks uploads, so that they are not pruned before the template refers to them. Safe to repeat.
 * @throws AppError VALIDATION_FAILED on `fileIds.<index>` for what is no upload of the tenant, or not kept any more; CONFLICT if the
 * tenant's templates have `maxTemplateMebibytes`
 */
export async function holdTemplateFiles(tx: Transaction, fileIds: readonly string[]): Promise<void> {
  const bound = { kind: 'MiB of files of templates', max: maxTemplateMebibytes, count: measureTemplateFiles };
  await requireRoomFor(tx, tx.tenantId, bound);
  const held = await tx.query<{ id: string; isUpload: boolean }>(holdUploads, [tx.tenantId, fileIds]);
  const isUpload = new Map(held.map((file) => [file.id, file.isUpload]));
  const problems = fileIds.flatMap((id, index) => {
    if (isUpload.get(id) === true) return [];
    const message = isUpload.has(id)
      ? 'is the file of a message: upload it for the template'
      : 'is no upload of this tenant, or one that is not kept any more: upload the file again';
    return [{ path: `fileIds.${index}`, message }];
  });
  if (problems.length > 0) throw validationFailed(problems);
}

export class TemplateFileService {
  constructor(
    private readonly database: Database,
    private readonly addresses: MediaAddresses,
  ) {}

  /** Returns the files of templates, in the order of sending, in one statement. */
  async listOfTemplates({ tenantId }: Principal, templateIds: readonly string[]): Promise<TemplateFileRecord[]> {
    const values = [tenantId, templateIds];
    const rows = await this.database.query<UploadRow & { templateId: string }>(selectUploadsOfTemplates, values);
    return rows.map((row) => ({ ...row, url: this.addresses.of(tenantId, row.id) }));
  }

  /** Returns uploads, in the order of their ids in `ids`; those that are not kept any more are left out. */
  async listByIds({ tenantId }: Principal, ids: readonly string[]): Promise<UploadedMediaRecord[]> {
    const rows = await this.database.query<UploadRow>(selectUploads, [tenantId, ids]);
    return rows.map((row) => ({ ...row, url: this.addresses.of(tenantId, row.id) }));
  }
}
