// The first rows of a file that is to be imported. A changed column or country causes a new reading.

import { useEffect, useState } from 'react';
import { readFileHead, type ImportHead } from '../../parts/file-head.js';

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
    readFileHead(file, JSON.parse(key) as Record<string, string>, abort.signal).then(
      (head) => setState({ of: file, head, isReading: false }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState({ of: file, error, isReading: false });
      },
    );
    return () => abort.abort();
  }, [file, key]);
  return state.of === file ? state : { isReading: file !== undefined };
}
