// The first rows of a file of leads, as the API reads them: its columns with the fields they stand for.

import { upload } from '../api/rest.js';
import { accessToken } from '../app/session.js';

/** The API reads only this much, so the rest of the file is not sent. */
const headBytes = 256 * 1024;

export interface ImportColumn {
  /** Empty if the column has no name. */
  header: string;
  /** The API's name of the field; null if the column is left out. */
  field: string | null;
  note: string | null;
  examples: string[];
}

export interface ImportRow {
  line: number;
  written: string;
  chat: string | null;
  reading: { rule: string; country: string | null } | null;
  problems: { field: string; message: string }[];
}

export interface ImportHead {
  columns: ImportColumn[];
  problem: string | null;
  /** A sentence on titles above the header. */
  note: string | null;
  rows: ImportRow[];
}

/** @throws RequestError, or an AbortError if `signal` ended the reading */
export async function readFileHead(
  file: File,
  parameters: Record<string, string>,
  signal: AbortSignal,
): Promise<ImportHead> {
  const token = await accessToken();
  signal.throwIfAborted();
  return upload<ImportHead>({
    path: `/leads/import/columns?${new URLSearchParams(parameters)}`,
    body: file.slice(0, headBytes),
    headers: { 'content-type': 'text/csv' },
    accessToken: token,
    signal,
  });
}
