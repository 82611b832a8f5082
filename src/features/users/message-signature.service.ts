// Makes the line before the texts that a user writes: the tenant's format with the user's display name, or else with the user's name.

import type { Database } from '../../platform/database/database.js';
import type { UserPrincipal } from '../../platform/principal.js';
import { renderSignature } from '../tenants/message-signature.js';
import { selectSignature } from './user.sql.js';

export class MessageSignatureService {
  constructor(private readonly database: Database) {}

  /**
   * Returns the line before the user's texts. It is read each time: a change holds from the next message on, in every process.
   * @returns null if the tenant signs nothing, if the user has no name, and for an assistant, which is no person
   */
  async find({ tenantId, userId, isAssistant }: UserPrincipal): Promise<string | null> {
    if (isAssistant === true) return null;
    const [found] = await this.database.query<{ format: string; name: string | null }>(selectSignature, [
      tenantId,
      userId,
    ]);
    return found === undefined ? null : renderSignature(found.format, found.name);
  }
}
