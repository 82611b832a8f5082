// Reads the body of a chat webhook in whichever dialect it is written.

import { isPlainObject, validationFailed } from '../../platform/input.js';
import { newRecordId } from '../../platform/record-id.js';
import { readCloud } from './dialects/meta-dialect.js';
import { isEvolution, readEvolution } from './dialects/evolution-dialect.js';
import { readNeutral } from './dialects/neutral-dialect.js';
import type { ChatIntake, DialectName, Report } from './webhook-call.js';

/** The path that was called: what it is for in the neutral dialect, or the event that it names in Evolution's. */
export type ChatDoor = { kind: 'messages' | 'statuses' } | { event: string };

export interface ReadChat {
  dialect: DialectName;
  intake: ChatIntake;
}

/** @throws AppError VALIDATION_FAILED when no single item can be read */
export function readChat(body: unknown, door: ChatDoor): ReadChat {
  if ('event' in door) return readEvolutionCall(body, door.event);
  if (isEvolution(body)) return readEvolutionCall(body);
  const { many, reports } = readNeutral(body, door.kind);
  return { dialect: 'neutral', intake: toIntake(many, reports) };
}

/** A call of Meta's for an instance that the path has named. Wrong items never refuse it: Meta would repeat it for days. */
export function readCloudChat(body: unknown, instance: { name: string; phoneNumberId: string | undefined }): ReadChat {
  const reports = readCloud(body).reports.map(({ phoneNumberId, ...report }): Report => {
    const isOther =
      instance.phoneNumberId !== undefined && phoneNumberId !== null && phoneNumberId !== instance.phoneNumberId;
    const item = { kind: 'ignored', reason: `for another phone number: ${phoneNumberId}` } as const;
    return { instance: instance.name, ...(isOther ? { item } : report) };
  });
  return { dialect: 'cloud', intake: toIntake(true, reports) };
}

function readEvolutionCall(body: unknown, event?: string): ReadChat {
  if (event !== undefined && (!isPlainObject(body) || body['data'] === undefined))
    throw validationFailed([{ path: 'data', message: 'is required: this path takes events of the Evolution API' }]);
  const { instance, reports } = readEvolution(body, event);
  const named = reports.map((report) => ({ instance, ...report }));
  return { dialect: 'evolution', intake: toIntake(named.length !== 1, named) };
}

function toIntake(many: boolean, reports: readonly Report[]): ChatIntake {
  return { kind: 'chat', many, reports: reports.map((report) => ({ ...report, messageId: newRecordId() })) };
}
