// Runs one import at a time: uploads the file and follows it until every row is processed. Leaving ends the upload, but not the import.

import { useEffect, useRef, useState } from 'react';
import { askAgain } from '../../api/client.js';
import { upload } from '../../api/rest.js';
import { accessToken } from '../../app/session.js';
import { mannerParameters, type ImportManner } from './import-head.js';
import { ImportProgressDocument, type ImportProgressQuery } from './operations.js';

export type ImportReport = NonNullable<ImportProgressQuery['leadImport']>;

/** The treatment of known leads. An empty value leaves them unchanged. */
export type KnownLeads = '' | 'FILL' | 'OVERWRITE';

export interface ImportWork {
  step: 'columns' | 'uploading' | 'running' | 'ended';
  /** The uploaded share, from 0 to 1. */
  share?: number;
  report?: ImportReport;
  /** The last look at the import has failed. The service goes on with it. */
  isUnseen?: boolean;
  error?: unknown;
}

interface ImportOptions extends ImportManner {
  isDryRun: boolean;
  update: KnownLeads;
}

const pollMs = 700;
const pollAfterFailureMs = 3_000;
const maxNameLength = 200;

export function useImport() {
  const [work, setWork] = useState<ImportWork>({ step: 'columns' });
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);

  const follow = async (started: ImportReport, signal: AbortSignal): Promise<ImportReport> => {
    let report = started;
    let isUnseen = false;
    while (report.status === 'RUNNING' && !signal.aborted) {
      setWork({ step: 'running', report, isUnseen });
      await new Promise((resolve) => setTimeout(resolve, isUnseen ? pollAfterFailureMs : pollMs));
      try {
        report = (await askAgain(ImportProgressDocument, { id: report.id })).leadImport ?? report;
        isUnseen = false;
      } catch {
        // A look that fails says nothing about the import. Told as its failure, it would be sent a second time.
        isUnseen = true;
      }
    }
    return report;
  };
  const run = async (file: File, { isDryRun, update, ...manner }: ImportOptions) => {
    abort.current = new AbortController();
    const { signal } = abort.current;
    try {
      setWork({ step: 'uploading', share: 0 });
      const parameters = new URLSearchParams({
        dryRun: String(isDryRun),
        fileName: file.name.slice(0, maxNameLength),
        ...(update !== '' && { update }),
        ...mannerParameters(manner),
      });
      const started = await upload<ImportReport>({
        path: `/leads/import?${parameters}`,
        body: file,
        headers: { 'content-type': 'text/csv' },
        accessToken: await accessToken(),
        onProgress: (share) => setWork({ step: 'uploading', share }),
        signal,
      });
      const report = await follow(started, signal);
      if (!signal.aborted) setWork({ step: 'ended', report });
    } catch (error) {
      if (!signal.aborted) setWork({ step: 'columns', error });
    }
  };
  return { work, run, restart: () => setWork({ step: 'columns' }) };
}
