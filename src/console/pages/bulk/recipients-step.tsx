// The choice of recipients: the leads of a filter, as in the table of leads, or of a file. All are read before anything is sent.

import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { askAgain } from '../../api/client.js';
import { explain } from '../../api/request-error.js';
import { useColleagues } from '../../api/use-colleagues.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Avatar } from '../../parts/avatar.js';
import { Button, IconButton } from '../../parts/button.js';
import { Checkbox, Select, TextField } from '../../parts/field.js';
import { readFileHead } from '../../parts/file-head.js';
import { nameOf } from '../../parts/name-of.js';
import { Progress } from '../../parts/progress.js';
import styles from './bulk.module.css';
import { readCsvTable, type CsvTable } from './csv-file.js';
import { filterOf, type Conditions } from './lead-conditions.js';
import { BulkCountDocument, type LeadFilter } from './operations.js';
import { maxRecipients, readByFile, readByFilter } from './read-recipients.js';
import type { Candidate } from './send-plan.js';
import { formTexts } from './form-texts.js';
import { summaryTexts } from './summary-texts.js';

export interface ReadRecipients {
  candidates: readonly Candidate[];
  /** The columns of the file. A filter has none. */
  columns: readonly string[];
  hasFields: boolean;
}

interface ConditionProps {
  conditions: Conditions;
  onConditions: (conditions: Conditions) => void;
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
  const { work, problem, run, stop } = useReading(props);
  return (
    <>
      <div role="radiogroup" aria-label={texts.recipientsFrom} className={styles.radios}>
        {(['filter', 'file'] as const).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="recipients-from"
              checked={by === one}
              onChange={() => {
                stop();
                setBy(one);
              }}
            />
            {texts[one]}
          </label>
        ))}
      </div>
      {by === 'filter' && read !== undefined ? (
        <ChosenConditions conditions={conditions} onConditions={onConditions} onChange={stop} />
      ) : by === 'filter' ? (
        <ByFilter
          isBusy={work !== undefined}
          conditions={conditions}
          onConditions={onConditions}
          onChange={stop}
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

interface FilterProps extends ConditionProps {
  isBusy: boolean;
  onChange: () => void;
  onRead: (filter: LeadFilter, count: number) => void;
}

const typingMs = 300;

function ByFilter({ isBusy, conditions, onConditions, onChange, onRead }: FilterProps) {
  const texts = useTexts(formTexts);
  const summary = useTexts(summaryTexts);
  const formats = useFormats();
  const filter = filterOf(conditions);
  const isChosen = conditions.isAll || Object.keys(filter).length > 0;
  const [counted, setCounted] = useState(JSON.stringify(filter));
  const written = JSON.stringify(filter);
  useEffect(() => {
    const timer = setTimeout(() => setCounted(written), typingMs);
    return () => clearTimeout(timer);
  }, [written]);
  const count = useLoaded(
    counted,
    async () => (await askAgain(BulkCountDocument, { filter: JSON.parse(counted) as LeadFilter })).leads.totalCount,
  );
  const colleagues = useColleagues();
  const change = (part: Partial<Conditions>) => {
    onConditions({ ...conditions, ...part });
    onChange();
  };
  const field = (name: 'q' | 'tag' | 'source') => ({
    value: conditions[name],
    maxLength: 100,
    onChange: ({ target }: React.ChangeEvent<HTMLInputElement>) => change({ [name]: target.value }),
  });
  const isTooMany = count.data !== undefined && count.data > maxRecipients;
  const isKnown = counted === written && count.data !== undefined;
  return (
    <>
      <div className={styles.fields}>
        <TextField label={texts.search} placeholder={texts.searchHint} {...field('q')} />
        <TextField label={texts.tag} {...field('tag')} />
        <TextField label={texts.source} {...field('source')} />
        <Select
          label={texts.status}
          value={conditions.status}
          options={[
            { value: '', label: texts.any },
            ...(['OPEN', 'SNOOZED', 'CLOSED'] as const).map((value) => ({ value, label: texts[value] })),
          ]}
          onChoose={(status) => change({ status })}
        />
        <Select
          label={texts.assignee}
          value={conditions.assignee}
          options={[
            { value: '', label: texts.any },
            { value: 'nobody', label: texts.nobody },
            ...colleagues.map((user) => ({ value: user.id, label: nameOf(user) })),
          ]}
          onChoose={(assignee) => change({ assignee })}
        />
      </div>
      <Checkbox
        label={summary.allLeads}
        checked={conditions.isAll}
        disabled={Object.keys(filter).length > 0}
        onChange={({ target }) => change({ isAll: target.checked })}
      />
      {count.error !== undefined && (
        <p role="alert" className={styles.problem}>
          {explain(count.error)} <Button onClick={count.reload}>{texts.tryAgain}</Button>
        </p>
      )}
      <p role="status" className={isChosen && isTooMany ? styles.warning : styles.quiet}>
        {!isChosen
          ? summary.chooseSome
          : !isKnown
            ? texts.counting
            : isTooMany
              ? texts.tooMany(formats.number(count.data ?? 0), formats.number(maxRecipients))
              : texts.found(formats.number(count.data ?? 0))}
      </p>
      <div className={styles.actions}>
        <Button
          icon="people"
          isBusy={isBusy}
          disabled={!isChosen || !isKnown || isTooMany || count.data === 0}
          onClick={() => onRead(filter, count.data ?? 0)}
        >
          {texts.take}
        </Button>
      </div>
    </>
  );
}

/** Shows what was chosen as chips, each of which can be taken away. The fields come back with it. */
function ChosenConditions({ conditions, onConditions, onChange }: ConditionProps & { onChange: () => void }) {
  const texts = useTexts(formTexts);
  const summary = useTexts(summaryTexts);
  const colleagues = useColleagues();
  const { q, tag, source, status, assignee, isAll } = conditions;
  const named = colleagues.find(({ id }) => id === assignee);
  const chips: [name: keyof Conditions, label: string, value: string][] = [
    ['q', texts.search, q.trim()],
    ['tag', texts.tag, tag.trim()],
    ['source', texts.source, source.trim()],
    ['status', texts.status, status === 'OPEN' || status === 'SNOOZED' || status === 'CLOSED' ? texts[status] : ''],
    ['assignee', texts.assignee, assignee === 'nobody' ? texts.nobody : named === undefined ? assignee : nameOf(named)],
    ['isAll', summary.allLeads, isAll ? summary.allLeads : ''],
  ];
  const change = (part: Partial<Conditions>) => {
    onConditions({ ...conditions, ...part });
    onChange();
  };
  return (
    <div className={styles.chips}>
      <ul aria-label={texts.stepRecipients}>
        {chips
          .filter(([, , value]) => value !== '')
          .map(([name, label, value]) => (
            <li key={name}>
              {name !== 'isAll' && `${label}: `}
              <b dir="auto">{value}</b>
              <IconButton
                icon="close"
                label={texts.removeCondition(label)}
                onClick={() => change({ [name]: name === 'isAll' ? false : '' })}
              />
            </li>
          ))}
      </ul>
      <Button kind="quiet" icon="edit" onClick={onChange}>
        {texts.change}
      </Button>
    </div>
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
        <input type="file" accept=".csv,text/csv" onChange={({ target }) => void choose(target.files?.[0])} />
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
