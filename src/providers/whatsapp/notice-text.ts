// Gives a notice the words that people read, if its gateway gives none.

import type { ReportedNotice } from '../reported.js';

/** A sentence for the conversation. It names the new number, where there is one. */
export function noticeText({ kind, newContact }: ReportedNotice): string {
  if (kind === 'NUMBER_CHANGED')
    return newContact?.kind === 'PHONE' ? `The number has changed to +${newContact.value}` : 'The number has changed';
  if (kind === 'IDENTITY_CHANGED') return 'The security code has changed';
  return kind === 'CALL_PERMISSION' ? 'The permission to call has changed' : 'A notice of the network';
}
