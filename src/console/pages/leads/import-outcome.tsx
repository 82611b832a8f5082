// The result of a dry run or an import: the number of rows, and the problems of each row.

import { useState } from 'react';
import { readFile } from '../../api/rest.js';
import { accessToken } from '../../app/session.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { notifyFailure } from '../../parts/notices.js';
import { saveFile } from '../../parts/save-file.js';
import { Table } from '../../parts/table.js';
import { headerOf } from './import-columns.js';
import { sayProblem } from './import-sentences.js';
import { importTexts } from './import-texts.js';
import styles from './leads.module.css';
import type { ImportReport } from './use-import.js';

const counts = ['createdRows', 'existingRows', 'updatedRows', 'duplicateRows', 'refusedRows'] as const;

export function ImportOutcome({ report, fileName }: { report: ImportReport; fileName: string }) {
  const texts = useTexts(importTexts);
  const formats = useFormats();
  const { status, isDryRun, update, problem, refusedRows } = report;
  const finished = isDryRun ? texts.checked : texts.imported;
  const shown = counts.filter((name) => name !== 'updatedRows' || update !== null);
  return (
    <>
      <p>
        <bdi className={styles.fileName}>{fileName}</bdi>
      </p>
      <p role="status">{status === 'INTERRUPTED' ? `${texts.interrupted} ${sayProblem(problem ?? '')}` : finished}</p>
      <dl className={styles.counts}>
        {shown.map((name) => (
          <div key={name}>
            <dt>{texts[name]}</dt>
            <dd>{formats.number(report[name])}</dd>
          </div>
        ))}
      </dl>
      <WrongRows report={report} />
      {refusedRows > 0 && <RefusedFile id={report.id} fileName={fileName} />}
    </>
  );
}

function WrongRows({ report: { errors, columns } }: { report: ImportReport }) {
  const texts = useTexts(importTexts);
  const formats = useFormats();
  if (errors.length === 0) return null;
  return (
    <>
      <h3>{texts.wrongRows}</h3>
      <Table
        label={texts.wrongRows}
        columns={[{ name: texts.line, isNumber: true }, { name: texts.column }, { name: texts.problem }]}
      >
        {errors.map(({ line, field, message }) => (
          <tr key={`${line} ${field} ${message}`}>
            <td className={styles.line}>{formats.number(line)}</td>
            <td dir="auto">{headerOf(columns as Record<string, string | null>, field)}</td>
            <td>{sayProblem(message)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

/** Saves the refused rows with their reasons. After corrections the file can be imported unchanged. */
function RefusedFile({ id, fileName }: { id: string; fileName: string }) {
  const texts = useTexts(importTexts);
  const [isBusy, setIsBusy] = useState(false);
  const save = async () => {
    setIsBusy(true);
    try {
      const rows = await readFile(`/leads/import/${id}/refused`, await accessToken());
      saveFile(rows, texts.refusedName(fileName.replace(/\.[^.]*$/, '')));
    } catch (error) {
      notifyFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <p className={styles.refused}>
      <Button icon="download" isBusy={isBusy} onClick={() => void save()}>
        {texts.refusedFile}
      </Button>
      <small>{texts.refusedHint}</small>
    </p>
  );
}
