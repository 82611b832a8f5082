// The first rows of a file of leads, as the API reads them. A changed column or country causes a new reading.

import { useEffect, useState } from 'react';
import { upload } from '../../api/rest.js';
import { accessToken } from '../../app/session.js';

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

/** The settings for reading a file: the user's choice of a field for each header, and the country of national numbers. */
export interface ImportManner {
  given: Readonly<Record<string, string | null>>;
  country: string;
}

interface State {
  of?: File;
  head?: ImportHead;
  error?: unknown;
  isReading: boolean;
}

/** Returns the query parameters of the file. They contain only the user's choices, so that the API guesses the rest from the whole file. */
export function mannerParameters({ given, country }: ImportManner): Record<string, string> {
  return {
    ...(Object.keys(given).length > 0 && { columns: JSON.stringify(given) }),
    ...(country !== '' && { country }),
  };
}

/** The previous head stays while the next one is read. */
export function useImportHead(file: File | undefined, manner: ImportManner): State {
  const [state, setState] = useState<State>({ isReading: false });
  const key = JSON.stringify(mannerParameters(manner));
  useEffect(() => {
    if (file === undefined) return undefined;
    const abort = new AbortController();
    setState((now) => ({ ...(now.of === file && now), of: file, isReading: true }));
    readHead(file, JSON.parse(key) as Record<string, string>, abort.signal).then(
      (head) => setState({ of: file, head, isReading: false }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState({ of: file, error, isReading: false });
      },
    );
    return () => abort.abort();
  }, [file, key]);
  return state.of === file ? state : { isReading: file !== undefined };
}

async function readHead(file: File, parameters: Record<string, string>, signal: AbortSignal): Promise<ImportHead> {
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
