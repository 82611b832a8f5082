// The choice of recipients: the leads of a filter, as in the table of leads, or of a file. All are read before anything is sent.

import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { explain } from '../../api/request-error.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Avatar } from '../../parts/avatar.js';
import { Button } from '../../parts/button.js';
import { readFileHead } from '../../parts/file-head.js';
import { Progress } from '../../parts/progress.js';
import { Segments } from '../../parts/segments.js';
import styles from './bulk.module.css';
import { readCsvTable, type CsvTable } from './csv-file.js';
import { readByFile, readByFilter } from './read-recipients.js';
import { ByFilter, ChosenConditions, type ConditionProps, type FilterName } from './recipients-filter.js';
import type { Candidate } from './send-plan.js';
import { formTexts } from './form-texts.js';

export interface ReadRecipients {
  candidates: readonly Candidate[];
  /** The columns of the file. A filter has none. */
  columns: readonly string[];
  hasFields: boolean;
}

interface StepProps extends ConditionProps {
  needsFields: boolean;
  read: ReadRecipients | undefined;
  onRead: (read: ReadRecipients | undefined) => void;
  /** How many of them get a message; undefined until there is a text. */
  reachable: number | undefined;
}

interface Work {
  done: number;
  total: number;
}

/** Runs at most one reading at a time. A new choice ends the current one. */
function useReading({ needsFields, onRead }: Pick<StepProps, 'needsFields' | 'onRead'>) {
  const [work, setWork] = useState<Work>();
  const [problem, setProblem] = useState<string>();
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const stop = () => {
    abort.current.abort();
    setWork(undefined);
    setProblem(undefined);
    onRead(undefined);
  };
  const run = async (total: number, columns: readonly string[], read: (reading: Reading) => Promise<Candidate[]>) => {
    stop();
    abort.current = new AbortController();
    const { signal } = abort.current;
    setWork({ done: 0, total });
    try {
      const onProgress = (done: number) => !signal.aborted && setWork({ done, total });
      const candidates = await read({ fields: needsFields, signal, onProgress });
      if (!signal.aborted) onRead({ candidates, columns, hasFields: needsFields });
    } catch (error) {
      if (!signal.aborted) setProblem(explain(error));
    } finally {
      if (!signal.aborted) setWork(undefined);
    }
  };
  return { work, problem, run, stop };
}

const shownFaces = 4;

type Reading = Parameters<typeof readByFilter>[1];

export function RecipientsStep(props: StepProps) {
  const { read, conditions, onConditions, reachable } = props;
  const texts = useTexts(formTexts);
  const formats = useFormats();
  const [by, setBy] = useState<'filter' | 'file'>('filter');
  const [added, setAdded] = useState<readonly FilterName[]>(['tag']);
  const { work, problem, run, stop } = useReading(props);
  const filters = { conditions, onConditions, onChange: stop, added, onAdd: setAdded };
  return (
    <>
      <div className={styles.from}>
        <Segments
          label={texts.recipientsFrom}
          options={(['filter', 'file'] as const).map((value) => ({ value, label: texts[value] }))}
          value={by}
          onChoose={(chosen) => {
            stop();
            setBy(chosen);
          }}
        />
      </div>
      {by === 'filter' && read !== undefined ? (
        <ChosenConditions {...filters} />
      ) : by === 'filter' ? (
        <ByFilter
          {...filters}
          isBusy={work !== undefined}
          onRead={(filter, count) => void run(count, [], (reading) => readByFilter(filter, reading))}
        />
      ) : (
        <ByFile
          isBusy={work !== undefined}
          onChange={stop}
          onRead={(table) => void run(table.rows.length, table.columns, (reading) => readByFile(table, reading))}
        />
      )}
      {work !== undefined && (
        <Progress
          label={texts.reading}
          value={work.total === 0 ? 0 : work.done / work.total}
          text={`${texts.reading}: ${formats.number(work.done)} / ${formats.number(work.total)}`}
        />
      )}
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {read !== undefined && (
        <div className={styles.chosen}>
          <span aria-hidden>
            {read.candidates.slice(0, shownFaces).map(({ label, lead }, index) => (
              <Avatar key={index} id={lead?.id ?? label} name={label} size={22} />
            ))}
          </span>
          <p role="status">
            {texts.readCount(formats.number(read.candidates.length))}
            {reachable !== undefined && ` ${texts.willGet(formats.number(reachable))}`}
          </p>
        </div>
      )}
    </>
  );
}

interface FileProps {
  isBusy: boolean;
  onChange: () => void;
  onRead: (table: CsvTable) => void;
}

const maxFileBytes = 20_000_000;
const headTimeoutMs = 30_000;

/** The API recognizes a column of numbers by many names, in many languages. @throws RequestError */
async function readTable(file: File): Promise<ReturnType<typeof readCsvTable>> {
  const text = await file.text();
  const found = readCsvTable(text);
  if (!('problem' in found) || found.problem !== 'noColumn') return found;
  const { columns } = await readFileHead(file, {}, AbortSignal.timeout(headTimeoutMs));
  const number = columns.find(({ field }) => field === 'chat');
  return number === undefined ? found : readCsvTable(text, number.header);
}

function ByFile({ isBusy, onChange, onRead }: FileProps) {
  const texts = useTexts(formTexts);
  const formats = useFormats();
  const [table, setTable] = useState<CsvTable>();
  const [problem, setProblem] = useState<string>();
  const chosen = useRef<File>(undefined);
  const choose = async (file: File | undefined) => {
    chosen.current = file;
    onChange();
    setTable(undefined);
    setProblem(undefined);
    if (file === undefined) return;
    if (file.size > maxFileBytes) return setProblem(texts.fileTooLarge(formats.bytes(maxFileBytes)));
    try {
      const found = await readTable(file);
      if (chosen.current !== file) return;
      if ('problem' in found) setProblem(texts[found.problem]);
      else setTable(found);
    } catch (error) {
      if (chosen.current === file) setProblem(explain(error));
    }
  };
  return (
    <>
      <label className={styles.file}>
        {texts.csvFile}
        {/* An empty value lets the user choose the same file again after correcting it. */}
        <input
          type="file"
          accept=".csv,text/csv"
          onClick={({ currentTarget }) => (currentTarget.value = '')}
          onChange={({ target }) => void choose(target.files?.[0])}
        />
        <small>{texts.fileHint}</small>
      </label>
      <p className={styles.quiet}>
        {texts.importHint} <Link to="/leads">{texts.toLeads}</Link>
      </p>
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {table !== undefined && (
        <div className={styles.actions}>
          <span>{texts.rowsOfFile(formats.number(table.rows.length), formats.list(table.columns))}</span>
          <Button icon="people" isBusy={isBusy} onClick={() => onRead(table)}>
            {texts.take}
          </Button>
        </div>
      )}
    </>
  );
}
