// Adds or changes an endpoint.

import { useId, useState, type FormEvent } from 'react';
import { ask } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Checkbox, TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { partTexts } from '../../parts/part-texts.js';
import { eventTypeTexts } from './event-type-texts.js';
import { eventTypes, nameOfEvent } from './event-types.js';
import {
  CreateWebhookEndpointDocument,
  UpdateWebhookEndpointDocument,
  type EndpointRowFragment,
  type WebhookEventType,
} from './operations.js';
import styles from './settings.module.css';
import { webhooksTexts } from './webhooks-texts.js';

interface EndpointFormProps {
  /** Undefined for a new endpoint. */
  endpoint?: EndpointRowFragment;
  onClose: () => void;
  /** @param secret the secret of a new endpoint, which is shown once */
  onSaved: (saved: EndpointRowFragment, secret?: string) => void;
}

export function EndpointForm({ endpoint, onClose, onSaved }: EndpointFormProps) {
  const texts = useTexts(webhooksTexts);
  const common = useTexts(partTexts);
  const formId = useId();
  const [url, setUrl] = useState(endpoint?.url ?? 'https://');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [chosen, setChosen] = useState<readonly WebhookEventType[]>(endpoint?.eventTypes ?? eventTypes);
  const [isEnabled, setIsEnabled] = useState(true);
  const save = useAction(
    async () => {
      const purpose = description.trim() === '' ? null : description.trim();
      const given = { url: url.trim(), description: purpose, eventTypes: [...chosen] };
      if (endpoint === undefined) {
        const answer = await ask(CreateWebhookEndpointDocument, { input: { ...given, isEnabled } });
        return onSaved(answer.createWebhookEndpoint.endpoint, answer.createWebhookEndpoint.secret);
      }
      const input = { ...given, expectedVersion: endpoint.version };
      onSaved((await ask(UpdateWebhookEndpointDocument, { id: endpoint.id, input })).updateWebhookEndpoint);
    },
    { isForm: true, onDone: onClose },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen.length > 0) void save.start();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={endpoint === undefined ? texts.addTitle : texts.editTitle}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={save.isBusy} disabled={chosen.length === 0}>
            {endpoint === undefined ? texts.add : common.save}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit}>
        <TextField
          label={texts.url}
          hint={texts.urlHint}
          type="url"
          required
          autoFocus
          maxLength={2_048}
          value={url}
          onChange={({ target }) => setUrl(target.value)}
          error={save.problemOf('url')}
        />
        <TextField
          label={texts.description}
          dir="auto"
          maxLength={200}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
          error={save.problemOf('description')}
        />
        <EventChoice chosen={chosen} onChoose={setChosen} error={save.problemOf('eventTypes')} />
        {endpoint === undefined && (
          <Checkbox
            label={texts.startsEnabled}
            checked={isEnabled}
            onChange={({ target }) => setIsEnabled(target.checked)}
          />
        )}
        <FormError error={save.error} />
      </form>
    </Dialog>
  );
}

interface EventChoiceProps {
  chosen: readonly WebhookEventType[];
  onChoose: (chosen: readonly WebhookEventType[]) => void;
  error: string | undefined;
}

function EventChoice({ chosen, onChoose, error }: EventChoiceProps) {
  const texts = useTexts(webhooksTexts);
  const meanings = useTexts(eventTypeTexts);
  const toggle = (type: WebhookEventType, isWanted: boolean) =>
    onChoose(isWanted ? [...chosen, type] : chosen.filter((one) => one !== type));
  const problem = chosen.length === 0 ? texts.atLeastOne : error;
  return (
    <fieldset className={styles.group}>
      <legend>{texts.eventTypes}</legend>
      <div className={styles.buttons}>
        <Button onClick={() => onChoose(eventTypes)}>{texts.chooseAll}</Button>
        <Button onClick={() => onChoose([])}>{texts.chooseNone}</Button>
      </div>
      {eventTypes.map((type) => (
        <Checkbox
          key={type}
          label={nameOfEvent(type)}
          hint={meanings[type]}
          checked={chosen.includes(type)}
          onChange={({ target }) => toggle(type, target.checked)}
        />
      ))}
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}
