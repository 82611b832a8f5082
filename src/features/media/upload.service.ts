// Takes files that users upload, to be sent later. The uploads at a time and the unsent bytes are bounded for each user and tenant.
// upload-body.ts reads the body.

import { FileTooLargeError } from '../../clients/object-store/staging-folder.js';
import type { Database } from '../../platform/database/database.js';
import { AppError, invalidField } from '../../platform/errors.js';
import { FairSemaphore } from '../../platform/jobs/fair-semaphore.js';
import { requireUser, type Principal, type UserPrincipal } from '../../platform/principal.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { Tally } from '../../platform/jobs/tally.js';
import { insertUpload, measureUploads } from './media.sql.js';
import type { MediaObjects } from './media-objects.js';
import { maxAnyFileBytes, maxFileBytes } from './file-size.js';
import { judgeType, kindOf } from './media-type.js';
import type { UploadBody } from './upload-body.js';

export interface UploadedFile {
  id: string;
  mimeType: string;
  size: number;
  /** The hash in hexadecimal. */
  sha256: string;
}

/** The most uploads at a time in one process, and the most unsent bytes. */
export interface UploadLimits {
  perUser: number;
  perTenant: number;
  inAll: number;
  /** The most bytes of a tenant's uploads that were not sent yet, in all processes. */
  unsentBytes: number;
}

const defaultUploadLimits: UploadLimits = {
  perUser: 4,
  perTenant: 16,
  inAll: 512,
  unsentBytes: 2 * 1024 * 1024 * 1024,
};

export interface UploadServiceOptions {
  database: Database;
  objects: MediaObjects;
  limits?: UploadLimits;
}

const mebibyte = 1024 * 1024;
/** The most bytes of a multipart body around its file. */
const maxFrameBytes = 64 * 1024;
/** The most uploads that begin at a time, so that hundreds at once do not take the database from other work. */
const maxBeginningsAtOnce = 4;
const retryAfterSeconds = 2;
const unsentRetryAfterSeconds = 60;

export class UploadService {
  private readonly underWay = new Tally();
  private readonly reserved = new Tally();
  private readonly beginnings = new FairSemaphore(maxBeginningsAtOnce);
  private readonly limits: UploadLimits;

  constructor(private readonly options: UploadServiceOptions) {
    this.limits = options.limits ?? defaultUploadLimits;
  }

  /**
   * Receives a file and keeps it for a day, or as long as messages have it. A broken upload leaves nothing.
   * @param length the declared length; undefined if the sender does not know it
   * @param open begins to read the body; it is not called if the upload is refused before
   * @throws AppError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE if the content contradicts the declared type, VALIDATION_FAILED on `file`,
   * BAD_REQUEST for a broken body, RATE_LIMITED beyond the user's and the tenant's share, UNAVAILABLE
   */
  async receive(
    principal: Principal | undefined,
    length: number | undefined,
    open: () => Promise<UploadBody>,
  ): Promise<UploadedFile> {
    const user = requireUser(principal);
    if ((length ?? 0) > maxAnyFileBytes + maxFrameBytes) throw tooLarge(maxAnyFileBytes);
    const bytes = Math.min(length ?? maxAnyFileBytes, maxAnyFileBytes);
    const leave = this.enter(user, bytes);
    try {
      await this.beginnings.run(user.tenantId, () => this.checkUnsent(user.tenantId));
      return await this.keep(user, await open());
    } catch (error) {
      throw error instanceof FileTooLargeError ? tooLarge(error.maxBytes) : error;
    } finally {
      leave();
    }
  }

  private async keep(user: UserPrincipal, upload: UploadBody): Promise<UploadedFile> {
    const { database, objects } = this.options;
    let mimeType = '';
    const staged = await objects.receive(user.tenantId, upload.bytes, async (head) => {
      if (head.length === 0) throw invalidField('file', 'must not be empty');
      const judged = await judgeType(head, upload.mimeType);
      if (judged === null) throw mismatch(upload.mimeType);
      mimeType = judged;
      return { maxBytes: maxFileBytes[kindOf(judged)].sent };
    });
    try {
      await upload.end();
      const { size, sha256 } = staged;
      const objectId = await objects.put(user.tenantId, staged);
      const id = newRecordId();
      const values = [user.tenantId, id, objectId, mimeType, upload.fileName ?? null, size, sha256, user.userId];
      await database.change(user.tenantId, insertUpload, values);
      return { id, mimeType, size, sha256: sha256.toString('hex') };
    } finally {
      await objects.staging.discard(staged);
    }
  }

  private enter({ userId, tenantId }: UserPrincipal, bytes: number): () => void {
    const { perUser, perTenant, inAll } = this.limits;
    const user = `user:${userId}`;
    const tenant = `tenant:${tenantId}`;
    if (this.underWay.of(user) >= perUser) throw tooMany(`${perUser} files of this user`);
    if (this.underWay.of(tenant) >= perTenant) throw tooMany(`${perTenant} files of this tenant`);
    // Each upload counts for its user and for its tenant.
    if (this.underWay.total / 2 >= inAll)
      throw new AppError('UNAVAILABLE', 'Too many files are being uploaded: try again', { retryAfterSeconds });
    const add = (change: 1 | -1) => {
      for (const key of [user, tenant]) this.underWay.add(key, change);
      this.reserved.add(tenantId, change * bytes);
    };
    add(1);
    return () => add(-1);
  }

  private async checkUnsent(tenantId: string): Promise<void> {
    const [measured] = await this.options.database.query<{ bytes: number }>(measureUploads, [tenantId]);
    const { unsentBytes } = this.limits;
    if ((measured?.bytes ?? 0) + this.reserved.of(tenantId) <= unsentBytes) return;
    const detail = `This tenant has uploaded ${unsentBytes / mebibyte} MiB that were not sent: send them, or wait until they go after a day`;
    throw new AppError('RATE_LIMITED', detail, { retryAfterSeconds: unsentRetryAfterSeconds });
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `file: must not have more than ${maxBytes / mebibyte} MiB`, {
    errors: [{ path: 'file', message: `must not have more than ${maxBytes / mebibyte} MiB` }],
  });
}

function mismatch(declared: string | undefined): AppError {
  const message = `has content that is not ${declared ?? 'of the declared type'}`;
  return new AppError('UNSUPPORTED_MEDIA_TYPE', `file: ${message}`, { errors: [{ path: 'file', message }] });
}

function tooMany(what: string): AppError {
  return new AppError('RATE_LIMITED', `${what} are being uploaded at this moment: wait for one of them`, {
    retryAfterSeconds,
  });
}
