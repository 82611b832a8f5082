// Previews the lead that a source would make of a payload. Nothing is stored.

import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { askAgain } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { TextArea } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { JsonText } from '../../parts/json-text.js';
import { LeadName, PhoneNumber } from '../../parts/phone-number.js';
import { readPayload } from './lead-payload.js';
import { leadSourceTexts } from './lead-source-texts.js';
import { TryLeadSourceDocument, type LeadSourceRowFragment, type TryLeadSourceQuery } from './operations.js';
import styles from './settings.module.css';

type DryRun = TryLeadSourceQuery['testLeadSource'];

export function LeadSourceDryRun({ source: { id, kind, name } }: { source: LeadSourceRowFragment }) {
  const texts = useTexts(leadSourceTexts);
  const [text, setText] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const [dryRun, setDryRun] = useState<DryRun>();
  const test = useAction(
    async (payload: Record<string, unknown>) => {
      setDryRun(undefined);
      setDryRun((await askAgain(TryLeadSourceDocument, { id, payload })).testLeadSource);
    },
    { isForm: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const payload = readPayload(text);
    setIsWrong(payload === undefined);
    if (payload !== undefined) void test.start(payload);
  };
  return (
    <form className={styles.form} onSubmit={submit} aria-label={`${texts.test}: ${name}`}>
      <TextArea
        label={texts.payload}
        hint={kind === 'META' ? texts.metaPayloadHint : texts.payloadHint}
        rows={6}
        required
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
        error={isWrong ? texts.notPayload : undefined}
      />
      <FormError error={test.error} />
      <div className={styles.buttons}>
        <Button type="submit" isBusy={test.isBusy}>
          {texts.runTest}
        </Button>
      </div>
      <div aria-live="polite">{dryRun !== undefined && <Result dryRun={dryRun} />}</div>
    </form>
  );
}

function Result({ dryRun }: { dryRun: DryRun }) {
  const texts = useTexts(leadSourceTexts);
  const { lead, errors, created, duplicate, isTest, disclaimers } = dryRun;
  if (lead === null)
    return (
      <>
        <p>{texts.wrong}</p>
        <ul>
          {errors.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <strong>{path}</strong> {message}
            </li>
          ))}
        </ul>
      </>
    );
  const outcome = [
    isTest && texts.isTest,
    duplicate && texts.isDuplicate,
    created && texts.isNew,
    !isTest && !duplicate && !created && texts.isKnown,
  ].filter((sentence) => sentence !== false);
  return (
    <>
      <p>
        {outcome.join(' ')}{' '}
        {lead.id !== null && (
          <Link to="/leads/$id" params={{ id: lead.id }}>
            {texts.openLead}
          </Link>
        )}
      </p>
      <dl className={styles.facts} aria-label={texts.result}>
        <dt>{texts.name}</dt>
        <dd dir="auto">
          <LeadName name={lead.name} />
        </dd>
        <dt>{texts.chat}</dt>
        <dd>
          <PhoneNumber of={lead.chat} />
        </dd>
        <dt>{texts.source}</dt>
        <dd dir="auto">{lead.source}</dd>
        {disclaimers.length > 0 && (
          <>
            <dt>{texts.consent}</dt>
            <dd dir="auto">
              {disclaimers
                .map(({ key, isChecked }) => (isChecked ? texts.checked(key) : texts.unchecked(key)))
                .join(', ')}
            </dd>
          </>
        )}
      </dl>
      {lead.metadata !== null && <JsonText label={texts.metadata} text={JSON.stringify(lead.metadata, null, 2)} />}
    </>
  );
}
