// Imports leads from a CSV file: the choice of columns, a dry run that reports the result, then the import.

import { useEffect, useRef, useState } from 'react';
import { countriesByName, countryName } from '../../i18n/country-name.js';
import { useFormats } from '../../i18n/format.js';
import { localeOf, useLanguage, useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { CountryField } from '../../parts/country-field.js';
import { Dialog } from '../../parts/dialog.js';
import { Select } from '../../parts/field.js';
import { Progress } from '../../parts/progress.js';
import { saveFile } from '../../parts/save-file.js';
import { ImportColumns } from './import-columns.js';
import { useImportHead, type ImportManner } from './import-head.js';
import { ImportOutcome } from './import-outcome.js';
import { FileProblem } from './import-problems.js';
import { sayHeadProblem } from './import-sentences.js';
import { sampleFile } from './import-sample.js';
import { importTexts } from './import-texts.js';
import styles from './leads.module.css';
import { useImport, type ImportWork, type KnownLeads } from './use-import.js';

const untouched: ImportManner = { given: {}, country: '' };
const knownLeads: readonly KnownLeads[] = ['', 'FILL', 'OVERWRITE'];

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts(importTexts);
  const [file, setFile] = useState<File>();
  const [manner, setManner] = useState(untouched);
  /** A new attempt begins without a file. */
  const [attempt, setAttempt] = useState(1);
  const [update, setUpdate] = useState<KnownLeads>('');
  const { work, run, restart } = useImport();
  const { head, error, isReading } = useImportHead(file, manner);
  const choose = (chosen: File | undefined) => {
    restart();
    setFile(chosen);
    setManner(untouched);
  };
  const chooseAnother = () => {
    choose(undefined);
    setAttempt(attempt + 1);
  };
  const start = (isDryRun: boolean) => file !== undefined && void run(file, { isDryRun, update, ...manner });
  const problem = head === undefined ? undefined : sayHeadProblem(head);
  const isReady = head !== undefined && problem === undefined && !isReading && error === undefined;
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={texts.import}
      actions={
        <Actions
          work={work}
          isReady={isReady}
          problem={problem}
          onStart={start}
          onBack={restart}
          onAnother={chooseAnother}
          onClose={onClose}
        />
      }
    >
      <div className={styles.form}>
        {/* The columns stay in the page during the check, so that going back shows the choices. */}
        <div className={styles.form} hidden={work.step !== 'columns'}>
          <FileChoice key={attempt} hint={file === undefined ? texts.fileHint : undefined} onChoose={choose} />
          <FileProblem error={work.error ?? error} name={file?.name ?? ''} />
          {file === undefined && <Sample />}
          {head !== undefined && (
            <>
              <ImportColumns
                head={head}
                isReading={isReading}
                given={manner.given}
                onGiven={(given) => setManner((now) => ({ ...now, given }))}
              />
              <Manner
                onCountry={(country) => setManner((now) => ({ ...now, country }))}
                update={update}
                onUpdate={setUpdate}
              />
            </>
          )}
        </div>
        <Course work={work} fileName={file?.name ?? ''} />
      </div>
    </Dialog>
  );
}

function FileChoice({ hint, onChoose }: { hint: string | undefined; onChoose: (file: File) => void }) {
  const texts = useTexts(importTexts);
  return (
    <label className={styles.file}>
      {texts.file}
      {/* An empty value lets the user choose the same file again after correcting it. */}
      <input
        type="file"
        accept=".csv,.txt,text/csv"
        onClick={({ currentTarget }) => (currentTarget.value = '')}
        onChange={({ target }) => target.files?.[0] !== undefined && onChoose(target.files[0])}
      />
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}

function Sample() {
  const texts = useTexts(importTexts);
  const language = useLanguage();
  const save = () => saveFile(new Blob([sampleFile(language)], { type: 'text/csv' }), texts.sampleName);
  return (
    <p>
      <Button isFlush kind="quiet" icon="download" onClick={save}>
        {texts.sample}
      </Button>
    </p>
  );
}

interface MannerProps {
  onCountry: (country: string) => void;
  update: KnownLeads;
  onUpdate: (update: KnownLeads) => void;
}

/** The settings of an import: the country for numbers without a country code, and the treatment of known leads. */
function Manner({ onCountry, update, onUpdate }: MannerProps) {
  const texts = useTexts(importTexts);
  const locale = localeOf[useLanguage()];
  const [written, setWritten] = useState('');
  const [left, setLeft] = useState('');
  const isCountry = (code: string) => countryName(code, locale) !== undefined;
  /** A name that is still being written is no wrong one yet. */
  const isBegun =
    written !== left &&
    [...countriesByName(locale).keys()].some((name) =>
      name.toLocaleLowerCase().startsWith(written.toLocaleLowerCase()),
    );
  const change = (code: string) => {
    setWritten(code);
    if (code === '' || isCountry(code)) onCountry(code);
  };
  return (
    <div className={styles.manner}>
      <Select
        label={texts.known}
        value={update}
        onChoose={(chosen) => onUpdate(knownLeads.find((one) => one === chosen) ?? '')}
        options={knownLeads.map((value) => ({ value, label: texts[value === '' ? 'KEEP' : value] }))}
      />
      <CountryField
        label={texts.countryOfNumbers}
        hint={texts.countryHint}
        error={written.length < 2 || isCountry(written) || isBegun ? undefined : texts.noCountry}
        value={written}
        onChoose={change}
        onBlur={() => setLeft(written)}
      />
    </div>
  );
}

interface ActionsProps {
  work: ImportWork;
  /** True if the file can be checked. */
  isReady: boolean;
  /** The reason why the file cannot be checked, if its columns are the cause. */
  problem: string | undefined;
  onStart: (isDryRun: boolean) => void;
  onBack: () => void;
  onAnother: () => void;
  onClose: () => void;
}

function Actions({ work: { step, report }, isReady, problem, onStart, onBack, onAnother, onClose }: ActionsProps) {
  const texts = useTexts(importTexts);
  const formats = useFormats();
  if (step === 'columns')
    return (
      <>
        {problem !== undefined && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        <Button kind="primary" disabled={!isReady} onClick={() => onStart(true)}>
          {texts.check}
        </Button>
      </>
    );
  if (step !== 'ended') return null;
  const good = report === undefined ? 0 : report.createdRows + report.existingRows;
  if (report?.isDryRun !== true || report.status !== 'COMPLETED')
    return (
      <>
        <Button onClick={onAnother}>{texts.another}</Button>
        <Button kind="primary" onClick={onClose}>
          {texts.done}
        </Button>
      </>
    );
  return (
    <>
      <Button onClick={onAnother}>{texts.another}</Button>
      <Button onClick={onBack}>{texts.back}</Button>
      <Button kind="primary" disabled={good === 0} onClick={() => onStart(false)}>
        {texts.importNow(formats.number(good))}
      </Button>
    </>
  );
}

/** Shows the progress or the result. It takes the focus, because the button that started the step is gone. */
function Course({
  work: { step, share = 0, report, isUnseen = false },
  fileName,
}: {
  work: ImportWork;
  fileName: string;
}) {
  const texts = useTexts(importTexts);
  const formats = useFormats();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (step !== 'columns') place.current?.focus();
  }, [step]);
  if (step === 'columns') return null;
  return (
    <div className={styles.course} ref={place} tabIndex={-1}>
      {step === 'uploading' && <Progress label={texts.uploading} value={share} text={texts.uploading} />}
      {step === 'running' && report !== undefined && (
        <Progress
          label={texts.working}
          value={report.totalRows === 0 ? 0 : report.processedRows / report.totalRows}
          text={`${formats.number(report.processedRows)} / ${formats.number(report.totalRows)}`}
        />
      )}
      {isUnseen && <p role="status">{texts.unseen}</p>}
      {step === 'ended' && report !== undefined && <ImportOutcome report={report} fileName={fileName} />}
    </div>
  );
}
