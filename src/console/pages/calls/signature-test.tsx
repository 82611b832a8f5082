// Computes the expected signature of a call in the browser, from a secret that the user enters.

import { useState, type FormEvent } from 'react';
import { useAction } from '../../api/use-action.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import styles from './calls.module.css';
import type { CallQuery } from './operations.js';
import { bytesOf, canSign, checkSignature, type SignatureCheck } from './signature.js';
import { callsTexts } from './texts.js';

export function SignatureTest({ call }: { call: NonNullable<CallQuery['webhookDelivery']> }) {
  const texts = useTexts(callsTexts);
  const [secret, setSecret] = useState('');
  const [check, setCheck] = useState<SignatureCheck>();
  const { headers, bodyBase64, isBodyComplete, route } = call;
  const header = Object.entries(headers).find(([name]) => /signature/i.test(name))?.[1];
  const received = typeof header === 'string' ? header : undefined;
  const takesJson = !route.startsWith('/webhooks/chat/cloud/');
  const test = useAction(async () =>
    setCheck(await checkSignature(secret, received, bytesOf(bodyBase64 ?? ''), takesJson)),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void test.start();
  };
  return (
    <div className={styles.section}>
      <p>{takesJson ? texts.checkedNeutral : texts.checkedMeta}</p>
      <dl className={styles.facts}>
        <dt>{texts.receivedSignature}</dt>
        <dd>
          <code>{received ?? texts.noSignature}</code>
        </dd>
        {check !== undefined && (
          <>
            <dt>{texts.expectedSignature}</dt>
            <dd>
              <code>{check.expected}</code>
            </dd>
          </>
        )}
      </dl>
      {check !== undefined && <p role="status">{texts[check.verdict]}</p>}
      {isBodyComplete && bodyBase64 !== null && canSign() && (
        <form className={styles.inline} onSubmit={submit}>
          <TextField
            label={texts.secret}
            hint={texts.secretStays}
            type="password"
            autoComplete="off"
            required
            value={secret}
            onChange={({ target }) => setSecret(target.value)}
          />
          <Button type="submit" isBusy={test.isBusy}>
            {texts.compute}
          </Button>
        </form>
      )}
    </div>
  );
}
