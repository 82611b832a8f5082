// Translates the API's sentences about files of leads, their columns and rows into the user's words and language.

import { inUsersLanguage } from '../../api/field-problems.js';
import { translatorOf } from '../../i18n/known-sentences.js';
import { textsNow } from '../../i18n/language.js';
import type { ImportHead } from '../../parts/file-head.js';
import { importSentences } from './import-sentences-texts.js';
import { importTexts } from './import-texts.js';

const translate = translatorOf(importSentences);
const couldBe = /^could be (\w+) as well, which "(.*)" is(, and is in rows where that is empty)?$/s;
const isTwice = /^has the column (.*) twice$/s;

/** @param message the API's sentence about a row, a column or a file */
export function sayProblem(message: string): string {
  const texts = textsNow(importTexts);
  const [, field, header, isSpare] = couldBe.exec(message) ?? [];
  if (field !== undefined && header !== undefined)
    return (isSpare === undefined ? texts.couldBe : texts.isSpare)(nameOfField(field), header);
  const [, twice] = isTwice.exec(message) ?? [];
  if (twice !== undefined) return texts.twice(nameOfField(twice));
  if (message === 'is empty, and left out') return texts.emptyColumn;
  if (message === 'completes numbers that lack it') return texts.completesNumber;
  return inUsersLanguage(translate(message));
}

/** Returns the problem of the file's columns; undefined if they are correct. */
export function sayHeadProblem({ columns, problem }: Pick<ImportHead, 'columns' | 'problem'>): string | undefined {
  const texts = textsNow(importTexts);
  if (problem === null) return undefined;
  if (!columns.some(({ field }) => field === 'chat')) return texts.noNumber;
  return isTwice.test(problem) ? sayProblem(problem) : `${texts.firstLine} ${sayProblem(problem)}`;
}

/** Returns the console's name of a lead's field. @param field the API's name */
export function nameOfField(field: string): string {
  const texts = textsNow(importTexts);
  const [, kind, name = ''] = /^(customFields|metadata)\.(.*)$/s.exec(field) ?? [];
  if (kind === 'customFields') return texts.customField(name);
  if (kind === 'metadata') return texts.metadata(name);
  const known: Partial<Record<string, unknown>> = texts;
  return typeof known[field] === 'string' ? known[field] : field;
}
