// The columns of an imported file: the API's suggestion or the user's choice for each, and a preview of the first rows.

import { useState } from 'react';
import { countryName } from '../../i18n/country-name.js';
import { useFormats } from '../../i18n/format.js';
import { localeOf, useLanguage, useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import type { ImportColumn, ImportHead, ImportRow } from '../../parts/file-head.js';
import { Select, TextField } from '../../parts/field.js';
import { leadFieldTexts } from '../../parts/lead-field-texts.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { Table } from '../../parts/table.js';
import type { ImportManner } from './import-head.js';
import { nameOfField, sayProblem } from './import-sentences.js';
import { importTexts } from './import-texts.js';
import styles from './leads.module.css';

type Given = ImportManner['given'];

interface ColumnsProps {
  head: Pick<ImportHead, 'columns' | 'note' | 'rows'>;
  isReading: boolean;
  given: Given;
  onGiven: (given: Given) => void;
}

const leadFields = Object.keys(leadFieldTexts.en);
const customPrefix = 'customFields.';
const metadataPrefix = 'metadata.';
const maxFieldName = 64;

export function ImportColumns({ head: { columns, note, rows }, isReading, given, onGiven }: ColumnsProps) {
  const texts = useTexts(importTexts);
  const choose = (header: string, field: string | null) => onGiven({ ...withoutField(given, field), [header]: field });
  return (
    <div className={styles.columns} aria-busy={isReading || undefined}>
      <div className={styles.columnsHead}>
        <h3>{texts.columns}</h3>
        {Object.keys(given).length > 0 && (
          <Button kind="quiet" onClick={() => onGiven({})}>
            {texts.suggestAgain}
          </Button>
        )}
      </div>
      {note !== null && <p className={styles.titlesNote}>{sayProblem(note)}</p>}
      <Table label={texts.columns} columns={[{ name: texts.column }, { name: texts.becomes }]}>
        {columns.map((column, index) => (
          <tr key={`${index} ${column.header}`}>
            <td className={styles.header}>
              <strong dir="auto">{column.header === '' ? texts.noName : column.header}</strong>
              <small dir="auto">{column.examples.join(' · ')}</small>
            </td>
            <td className={styles.field}>
              <ColumnField column={column} onChoose={(field) => choose(column.header, field)} />
            </td>
          </tr>
        ))}
      </Table>
      {rows.length > 0 && <FirstRows rows={rows} columns={columns} />}
    </div>
  );
}

/** Removes a field from the column that had it, because only one column can be that field. Several columns can be parts of the name. */
function withoutField(given: Given, field: string | null): Given {
  if (field === null || field === 'name') return given;
  return Object.fromEntries(Object.entries(given).filter(([, other]) => other !== field));
}

const leftOut = '-';
const named = '+';

/** The API leaves out a column without a name, so it cannot be chosen. */
function ColumnField({ column, onChoose }: { column: ImportColumn; onChoose: (field: string | null) => void }) {
  const texts = useTexts(importTexts);
  const { header, field, note } = column;
  const [isNaming, setIsNaming] = useState(false);
  if (header === '') return <>{texts.leftOut}</>;
  const own = header.slice(0, maxFieldName).trim();
  const fields = [...leadFields, customPrefix + own, metadataPrefix + own];
  const further = field === null || fields.includes(field) ? [] : [field];
  const choose = (value: string) => {
    setIsNaming(value === named);
    if (value !== named) onChoose(value === leftOut ? null : value);
  };
  return (
    <>
      <Select
        label={texts.fieldOf(header)}
        isLabelHidden
        value={isNaming ? named : (field ?? leftOut)}
        onChoose={choose}
        options={[
          ...[...fields, ...further].map((value) => ({ value, label: nameOfField(value) })),
          { value: named, label: texts.anotherField },
          { value: leftOut, label: texts.leftOut },
        ]}
        {...(note !== null && { hint: sayProblem(note) })}
      />
      {isNaming && (
        <FieldName
          onName={(name) => {
            setIsNaming(false);
            onChoose(customPrefix + name);
          }}
        />
      )}
    </>
  );
}

function FieldName({ onName }: { onName: (name: string) => void }) {
  const texts = useTexts(importTexts);
  const [name, setName] = useState('');
  const submit = () => {
    if (name.trim() !== '') onName(name.trim());
  };
  return (
    <form className={styles.naming} action={submit}>
      <TextField
        label={texts.fieldName}
        isLabelHidden
        placeholder={texts.fieldName}
        maxLength={maxFieldName}
        autoFocus
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" disabled={name.trim() === ''}>
        {texts.take}
      </Button>
    </form>
  );
}

function FirstRows({ rows, columns }: { rows: readonly ImportRow[]; columns: readonly ImportColumn[] }) {
  const texts = useTexts(importTexts);
  const formats = useFormats();
  const byField = Object.fromEntries(columns.map(({ header, field }) => [header, field]));
  return (
    <>
      <h3>{texts.firstRows}</h3>
      <Table
        label={texts.firstRows}
        columns={[{ name: texts.line, isNumber: true }, { name: texts.written }, { name: texts.chat }]}
      >
        {rows.map((row) => (
          <tr key={row.line}>
            <td className={styles.line}>{formats.number(row.line)}</td>
            <td dir="auto">{row.written}</td>
            <td className={styles.read}>
              {row.chat !== null && <PhoneNumber of={row.chat} />}
              {row.reading !== null && (
                <small>
                  <Why reading={row.reading} />
                </small>
              )}
              {row.problems.map(({ field, message }) => (
                <small key={`${field} ${message}`} className={styles.problem}>
                  <bdi>{headerOf(byField, field)}</bdi>: {sayProblem(message)}
                </small>
              ))}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function Why({ reading: { rule, country } }: { reading: { rule: string; country: string | null } }) {
  const texts: Partial<Record<string, unknown>> = useTexts(importTexts);
  const locale = localeOf[useLanguage()];
  const text = texts[rule];
  if (typeof text === 'string') return text;
  const name = country === null ? '' : (countryName(country, locale) ?? country);
  return typeof text === 'function' ? (text as (country: string) => string)(name) : rule;
}

/** Returns the file's column that a field was read from. @param columns the field of each header */
export function headerOf(columns: Readonly<Record<string, string | null>>, field: string): string {
  const names = [field, customPrefix + field, metadataPrefix + field];
  const headers = Object.entries(columns).flatMap(([header, of]) =>
    of !== null && names.includes(of) ? [header] : [],
  );
  return headers.length === 0 ? field : headers.join(' + ');
}
