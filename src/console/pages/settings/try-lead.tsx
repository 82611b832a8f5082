// A form that posts a lead as another system does, and shows the answer.

import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { tryCall, type TriedCall } from '../../api/try-call.js';
import { useAction } from '../../api/use-action.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { CallAnswer } from '../../parts/call-answer.js';
import { TextArea, TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { leadBody } from './lead-body.js';
import styles from './settings.module.css';
import { sourcesTexts } from './sources-texts.js';

export function TryLead({ readKey }: { readKey: () => Promise<string> }) {
  const texts = useTexts(sourcesTexts);
  const [fields, setFields] = useState({ chat: '', name: '', source: '', further: '' });
  const [answer, setAnswer] = useState<TriedCall>();
  const [isWrongJson, setIsWrongJson] = useState(false);
  const set = (change: Partial<typeof fields>) => setFields((now) => ({ ...now, ...change }));
  const send = useAction(
    async (body: string) => {
      setAnswer(undefined);
      setAnswer(await tryCall('/public/leads', { 'x-tenant-key': await readKey() }, body));
    },
    { isForm: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = leadBody(fields);
    setIsWrongJson(body === undefined);
    if (body !== undefined) void send.start(JSON.stringify(body));
  };
  const lead = answer !== undefined && answer.status < 300 ? leadOf(answer.body) : undefined;
  return (
    <section className={styles.section} aria-labelledby="try-lead">
      <h2 id="try-lead">{texts.tryOut}</h2>
      <p className={styles.hint}>{texts.tryHint}</p>
      <form className={styles.form} onSubmit={submit}>
        <div className={styles.pair}>
          <TextField
            label={texts.chat}
            hint={texts.chatHint}
            required
            inputMode="tel"
            value={fields.chat}
            onChange={({ target }) => set({ chat: target.value })}
          />
          <TextField
            label={texts.name}
            dir="auto"
            value={fields.name}
            onChange={({ target }) => set({ name: target.value })}
          />
          <TextField
            label={texts.source}
            hint={texts.sourceHint}
            value={fields.source}
            onChange={({ target }) => set({ source: target.value })}
          />
        </div>
        <TextArea
          label={texts.further}
          hint={texts.furtherHint}
          rows={3}
          spellCheck={false}
          value={fields.further}
          onChange={({ target }) => set({ further: target.value })}
          error={isWrongJson ? texts.notObject : undefined}
        />
        <FormError error={send.error} />
        <div className={styles.buttons}>
          <Button kind="primary" type="submit" icon="send" isBusy={send.isBusy}>
            {texts.send}
          </Button>
        </div>
      </form>
      {answer !== undefined && <CallAnswer answer={answer} />}
      {lead !== undefined && (
        <p>
          {lead.created ? texts.created : texts.existing}{' '}
          <Link to="/leads/$id" params={{ id: lead.id }}>
            {texts.openLead}
          </Link>{' '}
          <Link to="/calls" search={{ route: '/public/leads' }}>
            {texts.openCalls}
          </Link>
        </p>
      )}
    </section>
  );
}

function leadOf(body: string): { id: string; created: boolean } | undefined {
  try {
    const { id, created } = JSON.parse(body) as { id?: unknown; created?: unknown };
    return typeof id === 'string' ? { id, created: created === true } : undefined;
  } catch {
    return undefined;
  }
}
