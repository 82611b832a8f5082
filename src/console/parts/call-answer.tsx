// The answer to a call that the user sent from a form.

import type { TriedCall } from '../api/try-call.js';
import { useTexts } from '../i18n/language.js';
import { Badge } from './badge.js';
import { JsonText, prettyJson } from './json-text.js';
import { partTexts } from './part-texts.js';
import styles from './call-answer.module.css';

export function CallAnswer({ answer }: { answer: TriedCall }) {
  const texts = useTexts(partTexts);
  const { status, ms, requestId, body } = answer;
  return (
    <section className={styles.answer} role="status" aria-label={texts.answer}>
      <p>
        <Badge kind={status < 300 ? 'good' : 'danger'}>{status}</Badge> {texts.answeredIn(ms)}{' '}
        {requestId !== undefined && <small>{texts.request(requestId)}</small>}
      </p>
      <JsonText label={texts.answer} text={prettyJson(body)} />
    </section>
  );
}
