// A form that posts a call as another system would, with the tenant's key, and shows the answer.

import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { ask } from '../../api/client.js';
import { tryCall } from '../../api/try-call.js';
import type { TriedCall } from '../../api/try-call.js';
import { useAction } from '../../api/use-action.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { CallAnswer } from '../../parts/call-answer.js';
import { Dialog } from '../../parts/dialog.js';
import { Select, TextArea, TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { exampleOf, routeNames } from './call-routes.js';
import type { CallRoute } from './call-routes.js';
import styles from './calls.module.css';
import { CallKeyDocument } from './operations.js';
import { canSign, sign } from './signature.js';
import { callsTexts } from './texts.js';

interface TryCallProps {
  tenantId: string;
  onClose: () => void;
  onTried: () => void;
}

export function TryCall({ tenantId, onClose, onTried }: TryCallProps) {
  const texts = useTexts(callsTexts);
  const formId = useId();
  const [route, setRoute] = useState<CallRoute>('/public/leads');
  const [body, setBody] = useState(() => exampleOf('/public/leads', Date.now()));
  const [secret, setSecret] = useState('');
  const [apiKey, setApiKey] = useState<string>();
  const [answer, setAnswer] = useState<TriedCall>();
  const isChat = route.startsWith('/webhooks/chat/');
  const send = useAction(
    async () => {
      setAnswer(undefined);
      const key = apiKey ?? (await ask(CallKeyDocument, { id: tenantId })).tenant?.apiKey ?? '';
      setApiKey(key);
      const isSigned = isChat && secret !== '';
      const headers = { 'x-tenant-key': key, ...(isSigned && { 'x-signature': await sign(secret, body) }) };
      setAnswer(await tryCall(route, headers, body));
      onTried();
    },
    { isForm: true },
  );
  const choose = (next: string) => {
    setRoute(next as CallRoute);
    setBody(exampleOf(next as CallRoute, Date.now()));
    setAnswer(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send.start();
  };
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={texts.tryCall}
      actions={
        <Button kind="primary" type="submit" form={formId} icon="send" isBusy={send.isBusy}>
          {texts.send}
        </Button>
      }
    >
      <form id={formId} className={styles.section} onSubmit={submit}>
        <p className={styles.hint}>{texts.tryHint}</p>
        <Select
          label={texts.route}
          value={route}
          onChoose={choose}
          options={routeNames.map((one) => ({ value: one, label: `POST ${one}` }))}
        />
        <TextArea
          label={texts.body}
          rows={9}
          spellCheck={false}
          value={body}
          onChange={({ target }) => setBody(target.value)}
        />
        {isChat && canSign() && (
          <TextField
            label={texts.secret}
            hint={texts.signHint}
            type="password"
            autoComplete="off"
            value={secret}
            onChange={({ target }) => setSecret(target.value)}
          />
        )}
        <FormError error={send.error} />
        {answer !== undefined && <CallAnswer answer={answer} />}
      </form>
    </Dialog>
  );
}
