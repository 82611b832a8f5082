// The result of a call's dry run: the answer, the signature beside the expected one, and the outcome of each item.

import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../i18n/language.js';
import { Badge, type BadgeKind } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy-text.js';
import { nameOfSource } from '../../parts/source-name.js';
import { Table } from '../../parts/table.js';
import styles from './calls.module.css';
import type { JudgeCallQuery } from './operations.js';
import { callsTexts } from './texts.js';
import { dryRunTexts } from './dry-run-texts.js';

type DryRun = JudgeCallQuery['tryWebhook'];
type Item = DryRun['items'][number];

interface DryRunResultProps {
  dryRun: DryRun;
  /** Puts the expected signature into the headers. */
  onTakeExpected: (header: string, expected: string) => void;
}

export function DryRunResult({ dryRun, onTakeExpected }: DryRunResultProps) {
  const texts = useTexts(dryRunTexts);
  const callTexts = useTexts(callsTexts);
  const { status, code, detail, dialect, items, errors } = dryRun;
  const answer = useRef<HTMLParagraphElement>(null);
  // The form above may fill the dialog, so the answer scrolls into view. In some browsers that call returns a promise, which React must not
  // take for a clean-up.
  useEffect(() => {
    answer.current?.scrollIntoView({ block: 'start' });
  }, [dryRun]);
  const isSaidBelow = errors.length > 0 || isWronglyProved(dryRun);
  return (
    <section className={styles.section} role="status" aria-label={texts.verdict}>
      <p ref={answer}>
        <Badge kind={status < 300 ? 'good' : 'danger'}>{status}</Badge>{' '}
        {code === null ? texts.wouldPass : texts.wouldFail(code)}
        {dialect !== null && ` · ${callTexts.nameOfDialect(dialect)}`}
      </p>
      {detail !== null && !isSaidBelow && <p>{detail}</p>}
      {errors.length > 0 && <Problems problems={errors} />}
      <Proof dryRun={dryRun} onTakeExpected={onTakeExpected} />
      {items.length > 0 && <Items items={items} />}
    </section>
  );
}

const isWronglyProved = ({ signature, key }: DryRun) => (signature?.differs ?? key?.differs ?? null) !== null;

function Proof({ dryRun: { signature, key }, onTakeExpected }: DryRunResultProps) {
  return (
    <>
      {signature !== null && <Signature signature={signature} onTakeExpected={onTakeExpected} />}
      {key !== null && <Key proof={key} />}
    </>
  );
}

function Problems({ problems }: { problems: readonly { path: string; message: string }[] }) {
  const texts = useTexts(dryRunTexts);
  return (
    <ul aria-label={texts.problems}>
      {problems.map(({ path, message }, index) => (
        <li key={index}>
          {path !== '' && <code>{path}</code>} {message}
        </li>
      ))}
    </ul>
  );
}

interface SignatureProps {
  signature: NonNullable<DryRun['signature']>;
  onTakeExpected: DryRunResultProps['onTakeExpected'];
}

function Signature({ signature, onTakeExpected }: SignatureProps) {
  const texts = useTexts(dryRunTexts);
  const callTexts = useTexts(callsTexts);
  const { header, expected, given, differs, detail } = signature;
  return (
    <section className={differs === null ? styles.section : styles.why} aria-label={texts.signature}>
      <h3>{texts.signature}</h3>
      <p>{differs === null ? texts.accepted : texts[differs]}</p>
      {detail !== null && differs !== 'MISSING' && <p>{detail}</p>}
      <dl className={styles.facts}>
        <dt>{callTexts.receivedSignature}</dt>
        <dd>
          <code>{given ?? callTexts.noSignature}</code>
        </dd>
        <dt>{callTexts.expectedSignature}</dt>
        <dd>
          <code>{expected}</code> <CopyButton label={callTexts.expectedSignature} value={expected} />
        </dd>
      </dl>
      {differs !== null && (
        <p>
          <Button onClick={() => onTakeExpected(header, expected)}>{texts.takeExpected}</Button>
        </p>
      )}
    </section>
  );
}

function Key({ proof: { field, differs, detail } }: { proof: NonNullable<DryRun['key']> }) {
  const texts = useTexts(dryRunTexts);
  const heading = texts.keyOf(field);
  return (
    <section className={differs === null ? styles.section : styles.why} aria-label={heading}>
      <h3>{heading}</h3>
      <p>{differs === null ? texts.accepted : texts[differs]}</p>
      {detail !== null && <p>{detail}</p>}
    </section>
  );
}

const outcomeColours: Record<Item['outcome'], BadgeKind> = {
  CREATED: 'good',
  EXISTING: 'good',
  APPLIED: 'good',
  DUPLICATE: 'neutral',
  IGNORED: 'neutral',
  PARKED: 'warning',
  HELD: 'warning',
  EXPECTED: 'warning',
  REFUSED: 'danger',
};

function Items({ items }: { items: readonly Item[] }) {
  const texts = useTexts(dryRunTexts);
  return (
    <Table
      label={texts.items}
      columns={[{ name: texts.item }, { name: texts.becomes }, { name: texts.from }, { name: texts.says }]}
    >
      {items.map((item, index) => (
        <tr key={index}>
          <td>{texts[item.kind]}</td>
          <td>
            <Badge kind={outcomeColours[item.outcome]}>{texts[item.outcome]}</Badge>
          </td>
          <td dir="auto">
            {item.leadId === null ? (
              [item.name, item.from].filter((one) => one !== null).join(' · ')
            ) : (
              <Link to="/leads/$id" params={{ id: item.leadId }}>
                {item.name ?? item.from ?? texts.LEAD}
              </Link>
            )}
          </td>
          <td dir="auto">
            {item.text ?? item.reason ?? (item.source === null ? null : nameOfSource(item.source))}
            {item.disclaimers.map(({ key, isChecked }) => (
              <small key={key} className={styles.hint}>
                {key}: {isChecked ? texts.ticked : texts.notTicked}
              </small>
            ))}
            {item.errors.length > 0 && <Problems problems={item.errors} />}
          </td>
        </tr>
      ))}
    </Table>
  );
}
