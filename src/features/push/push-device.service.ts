// The browsers that users have notified of messages: each user's own, and nobody else's. They are deleted when their user's sessions end.

import type { Database } from '../../platform/database/database.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { AppError, invalidField, NotConfigured, notFound } from '../../platform/errors.js';
import { isUuid, parseInput } from '../../platform/input/input.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import { holdUser } from '../users/user.sql.js';
import { keepPushDeviceSchema, maxPushDevices, type KeepPushDeviceInput } from './push-device.schema.js';
import {
  countOtherDevices,
  deleteDevice,
  keepDevice,
  lockDevicesOfUser,
  selectDevices,
  type PushDeviceRecord,
} from './push-device.sql.js';
import { beginProgress } from './push-round.sql.js';

export interface PushDeviceOptions {
  database: Database;
  /** The public half of the key, in Base64 for URLs; undefined where push is not offered. */
  publicKey: string | undefined;
  /** @returns what is wrong with posting to this address; undefined where nothing is */
  checkUrl: (url: string) => string | undefined;
  /** Called after a browser was kept: its tenant's messages are to be followed. */
  onKept: (tenantId: string) => void;
}

export class PushDeviceService {
  constructor(private readonly options: PushDeviceOptions) {}

  /** Returns the key that a browser subscribes with; null where push is not offered. */
  findPublicKey(principal: Principal | undefined): string | null {
    requireUser(principal);
    return this.options.publicKey ?? null;
  }

  /** Returns the caller's browsers, the last seen first. */
  async list(principal: Principal | undefined): Promise<PushDeviceRecord[]> {
    const { tenantId, userId } = requireUser(principal);
    return this.options.database.query<PushDeviceRecord>(selectDevices, [tenantId, userId]);
  }

  /**
   * Has a browser of the caller notified, or changes of what; it counts from now for `deviceLifeDays`. Safe to repeat.
   * @throws AppError VALIDATION_FAILED naming each wrong field; CONFLICT beyond `maxPushDevices`; UNAVAILABLE where push is not offered
   */
  async keep(principal: Principal | undefined, input: KeepPushDeviceInput): Promise<PushDeviceRecord> {
    const { tenantId, userId } = requireUser(principal);
    const { database, publicKey, checkUrl, onKept } = this.options;
    if (publicKey === undefined) throw new NotConfigured('Push is not configured: the service has no key');
    const { endpoint, name, language, notifiesMine, notifiesUnassigned, ...keys } = parseInput(
      keepPushDeviceSchema,
      input,
    );
    const problem = checkUrl(endpoint);
    if (problem !== undefined) throw invalidField('endpoint', problem);
    const device = await database.transaction(async (sql) => {
      await sql.query(lockDevicesOfUser, [tenantId, userId]);
      // The user is not deactivated meanwhile, or the browser would outlive the sessions.
      const [holder] = await sql.query<{ isActive: boolean }>(holdUser, [tenantId, userId]);
      if (holder?.isActive !== true) throw notFound('user');
      const [others] = await sql.query<{ count: number }>(countOtherDevices, [tenantId, userId, endpoint]);
      if ((others?.count ?? 0) >= maxPushDevices)
        throw new AppError('CONFLICT', `A user has at most ${maxPushDevices} browsers that are notified`);
      await sql.query(beginProgress, [tenantId]);
      const values = [tenantId, userId, newRecordId(), endpoint, keys.publicKey, keys.secret, name, language];
      const [kept] = await sql.query<PushDeviceRecord>(keepDevice, [...values, notifiesMine, notifiesUnassigned]);
      if (kept === undefined) throw new Error('the statement gives one row');
      return kept;
    });
    onKept(tenantId);
    return device;
  }

  /** Ends the notifications of a browser of the caller's. @returns its id @throws AppError NOT_FOUND, also if it is already deleted */
  async delete(principal: Principal | undefined, id: string): Promise<string> {
    const { tenantId, userId } = requireUser(principal);
    const values = [tenantId, userId, id];
    const [deleted] = isUuid(id)
      ? await this.options.database.change<{ id: string }>(tenantId, deleteDevice, values)
      : [];
    if (deleted === undefined) throw notFound('browser');
    return deleted.id;
  }
}
