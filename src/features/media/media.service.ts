// The files of messages for callers, the files of new messages that sending and intake note, and repeated fetches. Uploads, fetching and
// downloads have files of their own.

import type { Database } from '../../platform/database/database.js';
import { AppError, invalidField, notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/input/input.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import type { Queue } from '../../platform/jobs/queue.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import type { GatewayEndpoints } from '../chat-instances/gateway-endpoints.js';
import type { MessageRow, MessageService } from '../messages/message.service.js';
import type { NewMessage } from '../messages/reported.js';
import type { MediaAddresses } from './media-address.js';
import { fetchMediaJob } from './media.jobs.js';
import {
  copyFile,
  deleteFilesOfMessages,
  expectedColumns,
  fetchFileAgain,
  filesAreKept,
  insertExpectedFiles,
  selectProviderOfMessage,
  selectFilesOfMessages,
  selectStoredFile,
  type ExpectedFile,
  type MediaFileRow,
  type StoredFileRow,
} from './media.sql.js';
import { maxFileBytes } from './file-size.js';
import { isTaken, kindOf, mayBeTaken } from './media-type.js';

export type { MediaFileRow } from './media.sql.js';

export interface MediaServiceOptions {
  database: Database;
  transactor: Transactor;
  queue: Queue;
  messages: MessageService;
  addresses: MediaAddresses;
  endpoints: GatewayEndpoints;
  /** The days for which files of messages are kept; 0 to keep them as long as their messages. */
  retentionDays: number;
}

/** The content of `messages.media`: the reported origin of the file. */
export interface MediaOrigin {
  url?: string | null;
  mimeType?: string | null;
  fileName?: string | null;
  caption?: string | null;
  /** The reason why the network does not give the file out. */
  problem?: string;
}

/** A message's file. */
export interface MessageFile extends Omit<MediaFileRow, 'id'> {
  /** The id of the file, which is also the message's. */
  id: string;
  /** The file's address in this service; null unless it is stored. */
  url: string | null;
  sourceUrl: string | null;
  caption: string | null;
}

/** Removes the files of messages that were deleted at the network. The store deletes their objects after the commit. Safe to repeat. */
export async function dropFiles(tx: Transaction, messageIds: readonly string[]): Promise<void> {
  await tx.query(deleteFilesOfMessages, [tx.tenantId, messageIds]);
}

const mebibyte = 1024 * 1024;
const dayMs = 86_400_000;

export class MediaService {
  constructor(private readonly options: MediaServiceOptions) {}

  /** Returns the files of messages, in one statement. Messages from before the store of files have no row. */
  listOfMessages({ tenantId }: Pick<Principal, 'tenantId'>, messageIds: readonly string[]): Promise<MediaFileRow[]> {
    return this.options.database.query<MediaFileRow>(selectFilesOfMessages, [tenantId, messageIds]);
  }

  /** Makes the file of a message. @param row the message's row of files; null if there is none */
  toFile(
    { id, tenantId, media }: Pick<MessageRow, 'id' | 'tenantId' | 'media'>,
    row: MediaFileRow | null,
  ): MessageFile {
    const origin = media as MediaOrigin;
    const file = row ?? { ...neverFetched, ...stateOfUnknown };
    return {
      id,
      state: file.state,
      url: file.state === 'STORED' ? this.options.addresses.of(tenantId, id) : null,
      sourceUrl: origin.url ?? null,
      mimeType: file.mimeType ?? origin.mimeType ?? null,
      fileName: file.fileName ?? origin.fileName ?? null,
      size: file.size,
      sha256: file.sha256,
      caption: origin.caption ?? null,
      error: file.error,
    };
  }

  /** Notes files of new messages, which are fetched after the commit. Safe to repeat. */
  async expect(tx: Transaction, files: readonly ExpectedFile[]): Promise<void> {
    if (files.length === 0) return;
    await tx.query(insertExpectedFiles, [tx.tenantId, ...expectedColumns.valuesOf(files)]);
    await this.options.queue.send(tx, fetchMediaJob, { tenantId: tx.tenantId });
  }

  /** Notes files like `expect`, for messages that a gateway reported. */
  expectOf(tx: Transaction, messages: readonly NewMessage[]): Promise<void> {
    const files = messages.map(({ id, recoveredFrom, message: { media } }) => {
      const expired = this.problemOfAge(recoveredFrom);
      return {
        messageId: id,
        mimeType: media?.mimeType ?? null,
        fileName: media?.fileName ?? null,
        content: expired === null ? (media?.content ?? null) : null,
        problem: media?.problem === undefined ? expired : refusedByNetwork,
      };
    });
    return this.expect(tx, files);
  }

  // A file of a history is not fetched if it would have been removed by now.
  private problemOfAge(recoveredFrom: Date | undefined): ExpectedFile['problem'] {
    const { retentionDays } = this.options;
    if (retentionDays === 0 || recoveredFrom === undefined) return null;
    const isOld = recoveredFrom.getTime() < Date.now() - retentionDays * dayMs;
    return isOld ? { state: 'EXPIRED', error: filesAreKept(retentionDays) } : null;
  }

  /**
   * Returns a file that may be sent: an upload, or the file of a message.
   * @throws AppError NOT_FOUND; VALIDATION_FAILED on `media.id` if it is not stored, or too large
   */
  async getSendable(principal: Principal | undefined, id: string): Promise<StoredFileRow> {
    const { tenantId } = requireUser(principal);
    const path = 'media.id';
    const file = await this.findStored(tenantId, id);
    if (file === undefined) {
      const message = await this.options.messages.find(principal, id);
      if (message?.media == null) throw notFound('file');
      throw invalidField(path, 'is the file of a message that is not stored: fetch it with fetchMedia');
    }
    const kind = kindOf(file.mimeType);
    const { sent: maxBytes } = maxFileBytes[kind];
    if (file.size > maxBytes)
      throw invalidField(path, `has more than ${maxBytes / mebibyte} MiB, which is the most for ${kind}`);
    return file;
  }

  /**
   * Gives a new message the content of a file.
   * @throws AppError NOT_FOUND if the file is no longer stored; VALIDATION_FAILED on `media.id` if the instance's network does not take its
   * type, or if the gateway could not get it
   */
  async attach(tx: Transaction, messageId: string, fileId: string, fileName: string | null): Promise<void> {
    const values = [tx.tenantId, messageId, fileId, fileName];
    const [copied] = await tx.query<{ mimeType: string; provider: string }>(copyFile, values);
    if (copied === undefined) throw notFound('file');
    const { mimeType, provider } = copied;
    const { addresses, endpoints } = this.options;
    if (!addresses.isKnownOutside && !endpoints.takesBytes(provider))
      throw invalidField(
        'media.id',
        'cannot be sent: PUBLIC_URL is not configured, so gateways have no address of the file',
      );
    const problem = this.typeProblem(provider, mimeType, isTaken);
    if (problem !== undefined) throw invalidField('media.id', problem);
  }

  /**
   * Notes the file of a new message to a lead, for a file that gateways fetch from its own address.
   * @throws AppError VALIDATION_FAILED on `media.mimeType` if the instance's network does not take files of that type
   */
  async expectSent(tx: Transaction, file: Omit<ExpectedFile, 'content' | 'problem'>): Promise<void> {
    await this.expect(tx, [{ ...file, content: null, problem: null }]);
    if (file.mimeType === null) return;
    const [instance] = await tx.query<{ provider: string }>(selectProviderOfMessage, [tx.tenantId, file.messageId]);
    const problem = this.typeProblem(instance?.provider ?? '', file.mimeType, mayBeTaken);
    if (problem !== undefined) throw invalidField('media.mimeType', problem);
  }

  private typeProblem(provider: string, mimeType: string, isOf: typeof isTaken): string | undefined {
    const kind = kindOf(mimeType);
    const taken = this.options.endpoints.fileTypesOf(provider, kind);
    if (taken === undefined || taken.some((type) => isOf(mimeType, type))) return undefined;
    return `is ${mimeType}: the network of the chat instance takes ${kind} as ${taken.join(', ')}`;
  }

  /** Returns a stored file, by its id or its message's. */
  async findStored(tenantId: string, id: string): Promise<StoredFileRow | undefined> {
    if (!isUuid(id)) return undefined;
    const [file] = await this.options.database.query<StoredFileRow>(selectStoredFile, [tenantId, id]);
    return file;
  }

  /**
   * Makes a message's file be fetched once more. A stored file stays. Safe to repeat.
   * @throws AppError NOT_FOUND; CONFLICT if the message has no file, or one without a source
   */
  async fetchAgain(principal: Principal | undefined, messageId: string): Promise<MessageRow> {
    const user = requireUser(principal);
    const message = await this.options.messages.find(user, messageId);
    if (message === null) throw notFound('message');
    if (message.media === null) throw new AppError('CONFLICT', 'The message has no file');
    const origin = message.media as MediaOrigin;
    if (origin.url == null && message.direction === 'OUTBOUND' && message.authorId !== null)
      throw new AppError('CONFLICT', 'The file was uploaded here: there is nowhere to fetch it from');
    if (origin.problem !== undefined) throw new AppError('CONFLICT', refusedByNetwork.error);
    await this.options.transactor.run(user.tenantId, async (tx) => {
      const values = [tx.tenantId, message.id, origin.mimeType ?? null, origin.fileName ?? null];
      const [file] = await tx.query<{ isStored: boolean }>(fetchFileAgain, values);
      if (file === undefined) throw new AppError('CONFLICT', 'The message has no file');
      if (!file.isStored) await this.options.queue.send(tx, fetchMediaJob, { tenantId: tx.tenantId });
    });
    return message;
  }
}

const refusedByNetwork = { state: 'TOO_LARGE', error: 'The file is larger than the network gives out.' } as const;
const neverFetched = { mimeType: null, fileName: null, size: null, sha256: null };
const stateOfUnknown = {
  state: 'FAILED',
  error: 'The message is older than the store of files. Ask for its file with fetchMedia.',
} as const;
