// The reason why a whole file of leads was refused, with the file's name.

import { explain, RequestError, requestLine } from '../../api/request-error.js';
import { textsNow } from '../../i18n/language.js';
import { sayProblem } from './import-sentences.js';
import { importTexts } from './import-texts.js';
import styles from './leads.module.css';

function explainFile(error: unknown): string {
  if (!(error instanceof RequestError)) return explain(error);
  const texts = textsNow(importTexts);
  if (['BAD_REQUEST', 'CONFLICT', 'PAYLOAD_TOO_LARGE'].includes(error.code)) return sayProblem(error.message);
  const [first] = error.code === 'VALIDATION_FAILED' ? error.fields : [];
  if (first?.message === 'is missing: the file is empty') return texts.emptyFile;
  if (first !== undefined && first.path === 'header') return `${texts.firstLine} ${sayProblem(first.message)}`;
  if (first?.path === 'rows') return texts.tooManyRows;
  if (first?.path === '') return sayProblem(first.message);
  return explain(error);
}

export function FileProblem({ error, name }: { error: unknown; name: string }) {
  if (error === undefined) return null;
  const isOurs = error instanceof RequestError && error.code === 'INTERNAL';
  return (
    <p role="alert" className={styles.problem}>
      <bdi>{name}</bdi>: {explainFile(error)} {isOurs && <small>{requestLine(error)}</small>}
    </p>
  );
}
