// Adds a single lead by hand.

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { isSaidAtField, useAction } from '../../api/use-action.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useIsHere } from '../../app/use-is-here.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { CountryField } from '../../parts/country-field.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { notify } from '../../parts/notices.js';
import styles from './leads.module.css';
import { AddLeadDocument, LeadDefaultsDocument } from './operations.js';
import { leadsTexts } from './texts.js';

export function AddLeadDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts(leadsTexts);
  const navigate = useNavigate();
  const isHere = useIsHere();
  const [country, setCountry] = useState('');
  const { data } = useLoaded('defaults', () => askAgain(LeadDefaultsDocument));
  const { isBusy, error, start, problemOf } = useAction(
    async (form: FormData) => {
      const value = (name: string) => (form.get(name) as string | null)?.trim() ?? '';
      const given = (name: string) => (value(name) === '' ? {} : { [name]: value(name) });
      const tags = value('tags')
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean);
      const input = {
        chat: value('chat'),
        ...given('name'),
        ...given('source'),
        ...(country !== '' && { country }),
        tags,
      };
      const { createLead } = await ask(AddLeadDocument, { input });
      notify(createLead.created ? texts.added : texts.wasThere);
      // The operator may have left the dialog, and works elsewhere.
      if (isHere()) await navigate({ to: '/leads/$id', params: { id: createLead.lead.id } });
    },
    { isForm: true, onDone: onClose },
  );
  return (
    <Dialog isOpen onClose={onClose} title={texts.add}>
      <form
        className={styles.form}
        // An action would empty the fields at once, and a refusal would leave nothing to correct.
        onSubmit={(event) => {
          event.preventDefault();
          void start(new FormData(event.currentTarget));
        }}
      >
        <TextField label={texts.number} name="chat" type="tel" required maxLength={50} error={problemOf('chat')} />
        <TextField label={texts.name} name="name" maxLength={200} error={problemOf('name')} />
        <CountryField
          label={texts.country}
          value={country}
          onChoose={setCountry}
          placeholder={data?.me.tenant.defaultCountry ?? ''}
          hint={texts.countryHint}
          error={problemOf('country')}
        />
        <TextField label={texts.tags} name="tags" error={problemOf('tags')} />
        <TextField label={texts.source} name="source" maxLength={100} error={problemOf('source')} />
        <FormError error={isSaidAtField(error) ? undefined : error} />
        <div className={styles.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {texts.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
