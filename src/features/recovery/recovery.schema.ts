// Bounds of recovery, and the words of audits.

import { z } from 'zod';

/** The causes of the reading of a history. */
export const recoveryCauses = {
  MANUAL: 'A user asked for it.',
  RECONNECTED: 'The instance connected again.',
  SCHEDULED: 'The regular reading.',
} as const;

export type RecoveryCause = keyof typeof recoveryCauses;

const time = z.date('has to be a time');

/** A span of the past. */
export const recoverySpanSchema = z
  .strictObject({ since: time, until: time })
  .refine(({ since, until }) => since < until, { path: ['until'], message: 'has to be after since' })
  .refine(({ since }) => since.getTime() < Date.now(), { path: ['since'], message: 'has to be in the past' });
