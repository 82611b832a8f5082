// Leads from a CSV file: first a dry run that says what would happen, then the import, with progress and the wrong rows.

import { useEffect, useRef, useState } from 'react';
import { askAgain } from '../../api/client.js';
import { explain, requestLine } from '../../api/request-error.js';
import { upload } from '../../api/rest.js';
import { accessToken } from '../../app/session.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Progress } from '../../parts/progress.js';
import { Table } from '../../parts/table.js';
import styles from './leads.module.css';
import { ImportProgressDocument } from './operations.js';
import type { ImportProgressQuery } from './operations.js';
import { leadsTexts } from './texts.js';

type Report = NonNullable<ImportProgressQuery['leadImport']>;

interface Work {
  step: 'choose' | 'uploading' | 'running' | 'ended';
  /** Of the upload, 0 to 1. */
  share?: number;
  report?: Report;
  problem?: { text: string; detail?: string | undefined };
}

const pollMs = 700;

/** One file at a time: up, then followed until every row was looked at. Closing the dialog ends the upload, not the import. */
function useImport() {
  const [work, setWork] = useState<Work>({ step: 'choose' });
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);

  const follow = async (started: Report, signal: AbortSignal): Promise<Report> => {
    let report = started;
    while (report.status === 'RUNNING' && !signal.aborted) {
      setWork({ step: 'running', report });
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      report = (await askAgain(ImportProgressDocument, { id: report.id })).leadImport ?? report;
    }
    return report;
  };
  const run = async (file: File, isDryRun: boolean) => {
    abort.current = new AbortController();
    const { signal } = abort.current;
    try {
      setWork({ step: 'uploading', share: 0 });
      const parameters = new URLSearchParams({ dryRun: String(isDryRun), fileName: file.name.slice(0, 200) });
      const started = await upload<Report>({
        path: `/leads/import?${parameters}`,
        body: file,
        headers: { 'content-type': 'text/csv' },
        accessToken: await accessToken(),
        onProgress: (share) => setWork({ step: 'uploading', share }),
        signal,
      });
      const report = await follow(started, signal);
      setWork({ step: 'ended', report });
    } catch (error) {
      if (!signal.aborted) setWork({ step: 'choose', problem: { text: explain(error), detail: requestLine(error) } });
    }
  };
  return { work, run, restart: () => setWork({ step: 'choose' }) };
}

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts(leadsTexts);
  const formats = useFormats();
  const [file, setFile] = useState<File>();
  const { work, run, restart } = useImport();
  const { step, report } = work;
  const start = (isDryRun: boolean) => file !== undefined && void run(file, isDryRun);
  const isChecked = step === 'ended' && report?.isDryRun === true && report.status === 'COMPLETED';
  const good = report === undefined ? 0 : report.createdRows + report.existingRows;
  const actions = {
    choose: (
      <Button kind="primary" disabled={file === undefined} onClick={() => start(true)}>
        {texts.check}
      </Button>
    ),
    uploading: undefined,
    running: undefined,
    ended: (
      <>
        <Button onClick={restart}>{texts.again}</Button>
        {isChecked ? (
          <Button kind="primary" disabled={good === 0} onClick={() => start(false)}>
            {texts.importNow(formats.number(good))}
          </Button>
        ) : (
          <Button kind="primary" onClick={onClose}>
            {texts.done}
          </Button>
        )}
      </>
    ),
  };
  return (
    <Dialog isOpen isWide onClose={onClose} title={texts.import} actions={actions[step]}>
      <div className={styles.form}>
        {step === 'choose' && (
          <label className={styles.file}>
            {texts.file}
            <input type="file" accept=".csv,text/csv" onChange={({ target }) => setFile(target.files?.[0])} />
            <small>{texts.fileHint}</small>
          </label>
        )}
        <State work={work} />
      </div>
    </Dialog>
  );
}

function State({ work: { step, share = 0, report, problem } }: { work: Work }) {
  const texts = useTexts(leadsTexts);
  const formats = useFormats();
  if (problem !== undefined)
    return (
      <p role="alert" className={styles.problem}>
        {problem.text} <small>{problem.detail}</small>
      </p>
    );
  if (step === 'uploading') return <Progress label={texts.uploading} value={share} text={texts.uploading} />;
  if (report === undefined) return null;
  if (step === 'ended') return <Outcome report={report} />;
  return (
    <Progress
      label={texts.working}
      value={report.totalRows === 0 ? 0 : report.processedRows / report.totalRows}
      text={`${formats.number(report.processedRows)} / ${formats.number(report.totalRows)}`}
    />
  );
}

const counts = ['createdRows', 'existingRows', 'duplicateRows', 'refusedRows'] as const;

function Outcome({ report }: { report: Report }) {
  const texts = useTexts(leadsTexts);
  const formats = useFormats();
  const { status, isDryRun, problem, errors } = report;
  const finished = isDryRun ? texts.checked : texts.imported;
  return (
    <>
      <p role="status">{status === 'INTERRUPTED' ? `${texts.interrupted} ${problem ?? ''}` : finished}</p>
      <dl className={styles.counts}>
        {counts.map((name) => (
          <div key={name}>
            <dt>{texts[name]}</dt>
            <dd>{formats.number(report[name])}</dd>
          </div>
        ))}
      </dl>
      {errors.length > 0 && (
        <>
          <h3>{texts.wrongRows}</h3>
          <Table
            label={texts.wrongRows}
            columns={[{ name: texts.line, isNumber: true }, { name: texts.field }, { name: texts.problem }]}
          >
            {errors.map(({ line, field, message }) => (
              <tr key={`${line} ${field} ${message}`}>
                <td>{formats.number(line)}</td>
                <td>{field}</td>
                <td>{message}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </>
  );
}
