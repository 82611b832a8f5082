// Erases a person's submissions that wait for a number, and the bodies of the calls that brought them. The journal's search cannot find
// such bodies, because they have no number.

import type { Transaction } from '../../../platform/database/transaction.js';
import { bodyWithout } from '../../intake/erased-body.js';
import { eraseFromCalls, selectSearchedCalls, type SearchedCall } from '../../intake/journal-writer.js';
import type { KnownContacts, LeadContent } from '../../leads/lead-content.js';
import { belongsTo, type HeldNumber } from './held-number.js';
import { eraseHeldOf, selectHeldNumbers } from './held-submission.sql.js';

interface HeldOfPerson {
  email: string;
  callId: string | null;
}

export const heldSubmissionsOfLead: LeadContent['heldSubmissions'] = {
  async erase(tx: Transaction, { emails, numbers }: KnownContacts): Promise<void> {
    const held = await tx.query<HeldNumber & { id: string }>(selectHeldNumbers, [tx.tenantId]);
    const theirs = held.filter((one) => belongsTo(one, numbers)).map(({ id }) => id);
    const gone = await tx.query<HeldOfPerson>(eraseHeldOf, [tx.tenantId, emails, theirs]);
    const callIds = gone.flatMap(({ callId }) => (callId === null ? [] : [callId]));
    if (callIds.length === 0) return;
    const addresses = gone.map(({ email }) => email.toLowerCase());
    const isOfThem = (text: string) => addresses.some((email) => text.toLowerCase().includes(email));
    const calls = await tx.query<SearchedCall>(selectSearchedCalls, [tx.tenantId, callIds]);
    const bodies = calls.map((call) => bodyWithout(call, isOfThem));
    if (calls.length > 0) await tx.query(eraseFromCalls, [tx.tenantId, calls.map(({ id }) => id), bodies]);
  },
};
