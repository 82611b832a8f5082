// Reads all recipients of a filter or a file, page by page. The API limits each user's calls, so a reading waits after too many.

import { askAgain } from '../../api/client.js';
import { RequestError } from '../../api/request-error.js';
import type { CsvTable } from './csv-file.js';
import { BulkByChatsDocument, BulkRecipientsDocument, type LeadFilter } from './operations.js';
import type { Candidate } from './send-plan.js';

export const maxRecipients = 10_000;
const numbersPerCall = 500;
const waitMs = 10_000;
const maxWaits = 12;

interface Reading {
  /** True if metadata and custom fields are needed. */
  fields: boolean;
  signal: AbortSignal;
  onProgress: (read: number) => void;
}

/** @throws RequestError, or an AbortError if `signal` ended the reading */
export async function readByFilter(filter: LeadFilter, { fields, signal, onProgress }: Reading): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  let after: string | undefined;
  do {
    const variables = { filter, fields, ...(after !== undefined && { after }) };
    const { leads } = await askPatiently(() => askAgain(BulkRecipientsDocument, variables), signal);
    for (const { node: lead } of leads.edges) candidates.push({ label: lead.name, lead });
    onProgress(candidates.length);
    after = leads.pageInfo.hasNextPage ? (leads.pageInfo.endCursor ?? undefined) : undefined;
  } while (after !== undefined && candidates.length < maxRecipients);
  return candidates;
}

const idForm = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** @throws RequestError, or an AbortError if `signal` ended the reading */
export async function readByFile(
  { who, rows }: CsvTable,
  { fields, signal, onProgress }: Reading,
): Promise<Candidate[]> {
  if (who.kind === 'id')
    return rows.map((row) => {
      const leadId = row[who.column]?.toLowerCase() ?? '';
      return idForm.test(leadId)
        ? { label: labelOf(row, leadId), leadId, row }
        : { label: leadId, row, problem: 'notAnId' };
    });
  const candidates: Candidate[] = [];
  for (let start = 0; start < rows.length; start += numbersPerCall) {
    const slice = rows.slice(start, start + numbersPerCall);
    // A longer text is not a number, and the service would refuse the whole call.
    const chats = slice.map((row) => (row[who.column] ?? '').slice(0, 64));
    const { leadsByChats } = await askPatiently(() => askAgain(BulkByChatsDocument, { chats, fields }), signal);
    for (const [index, row] of slice.entries()) {
      const found = leadsByChats[index];
      const lead = found?.lead ?? undefined;
      const label = lead?.name ?? labelOf(row, chats[index] ?? '');
      if (lead !== undefined) candidates.push({ label, lead, row });
      else candidates.push({ label, row, problem: found?.problem == null ? 'unknown' : 'notANumber' });
    }
    onProgress(candidates.length);
  }
  return candidates;
}

const labelOf = (row: Readonly<Record<string, string>>, fallback: string): string =>
  [row['name'], fallback].filter((text) => text !== undefined && text !== '').join(' · ');

async function askPatiently<Data>(call: () => Promise<Data>, signal: AbortSignal): Promise<Data> {
  for (let waits = 0; ; waits += 1) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      const isLimited = error instanceof RequestError && error.code === 'RATE_LIMITED';
      if (!isLimited || waits >= maxWaits) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
