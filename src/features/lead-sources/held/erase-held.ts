// Submissions that wait for a number go with their person, and so do the bodies of the calls that brought them: these have no number by
// which the search of the journal would find them.

import type { Transaction } from '../../../platform/transaction.js';
import { bodyWithout } from '../../intake/erased-body.js';
import { eraseFromCalls, selectSearchedCalls } from '../../intake/journal-writer.js';
import type { SearchedCall } from '../../intake/journal-writer.js';
import type { LeadContent } from '../../leads/lead-content.js';
import { eraseHeldOf } from './held-submission.sql.js';

export const heldSubmissionsOfLead: LeadContent['heldSubmissions'] = {
  async erase(tx: Transaction, leadIds: readonly string[]): Promise<void> {
    const gone = await tx.query<{ email: string; callId: string | null }>(eraseHeldOf, [tx.tenantId, leadIds]);
    const callIds = gone.flatMap(({ callId }) => (callId === null ? [] : [callId]));
    if (callIds.length === 0) return;
    const emails = gone.map(({ email }) => email.toLowerCase());
    const isOfThem = (text: string) => emails.some((email) => text.toLowerCase().includes(email));
    const calls = await tx.query<SearchedCall>(selectSearchedCalls, [tx.tenantId, callIds]);
    const bodies = calls.map((call) => bodyWithout(call, isOfThem));
    if (calls.length > 0) await tx.query(eraseFromCalls, [tx.tenantId, calls.map(({ id }) => id), bodies]);
  },
};
