// The reply window: the time in which a free text may be sent to a lead through an instance. Meta opens it for 24 hours with each message
// of the lead. Other networks have no window, so free texts are always possible. The outbox's statements refuse a closed window.

import type { Database, SqlRunner } from '../../../platform/database/database.js';
import { AppError, type FieldError } from '../../../platform/errors.js';
import { isUuid } from '../../../platform/input/input.js';
import { requireUser, type Principal } from '../../../platform/principal.js';
import { selectClosedWindows, selectReplyWindows, type WindowRow } from './reply-window.sql.js';

export interface LeadAtInstance {
  leadId: string;
  instanceId: string;
}

export interface ReplyWindowRecord extends LeadAtInstance {
  isOpen: boolean;
  /** The time when the window closes; null while it is closed, and if the network has no window. */
  closesAt: Date | null;
}

export class ReplyWindowService {
  constructor(private readonly database: Database) {}

  /** Returns the windows of many leads and instances, in one statement. Instances of another tenant are left out. */
  async list(principal: Principal | undefined, wanted: readonly LeadAtInstance[]): Promise<ReplyWindowRecord[]> {
    const { tenantId } = requireUser(principal);
    const known = wanted.filter(({ leadId, instanceId }) => isUuid(leadId) && isUuid(instanceId));
    const columns = [known.map(({ leadId }) => leadId), known.map(({ instanceId }) => instanceId)];
    return this.database.query<WindowRow>(selectReplyWindows, [tenantId, ...columns]);
  }
}

/** Returns the ids of those leads whose window at this instance is closed. @param instanceId an instance whose network has a window */
export async function listClosedWindows(
  sql: SqlRunner,
  tenantId: string,
  instanceId: string,
  leadIds: readonly string[],
): Promise<Set<string>> {
  const rows = await sql.query<{ leadId: string }>(selectClosedWindows, [tenantId, instanceId, leadIds]);
  return new Set(rows.map(({ leadId }) => leadId));
}

/** The code of a message that was not sent because of its lead's window, and of a refusal to queue it. */
export const windowClosedCode = 'WINDOW_CLOSED';

export const windowClosedDetail =
  'The lead has not written to this number within 24 hours, and the network takes no free text until the lead does. Send a channel template.';

/** @param errors the refused recipients, if there are many */
export function windowClosed(errors?: readonly FieldError[]): AppError {
  return new AppError(windowClosedCode, windowClosedDetail, errors === undefined ? {} : { errors });
}
