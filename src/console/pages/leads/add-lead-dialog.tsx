// Adds one lead by hand.

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { RequestError, explain } from '../../api/request-error.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { notify } from '../../parts/notices.js';
import styles from './leads.module.css';
import { AddLeadDocument, LeadDefaultsDocument } from './operations.js';
import { leadsTexts } from './texts.js';

export function AddLeadDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts(leadsTexts);
  const navigate = useNavigate();
  const { data } = useLoaded('defaults', () => askAgain(LeadDefaultsDocument));
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [isBusy, setIsBusy] = useState(false);

  const save = async (form: FormData) => {
    const value = (name: string) => (form.get(name) as string | null)?.trim() ?? '';
    const given = (name: string) => (value(name) === '' ? {} : { [name]: value(name) });
    setIsBusy(true);
    setProblems({});
    try {
      const tags = value('tags')
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean);
      const input = { chat: value('chat'), ...given('name'), ...given('country'), ...given('source'), tags };
      const { createLead } = await ask(AddLeadDocument, { input });
      notify(createLead.created ? texts.added : texts.wasThere);
      onClose();
      await navigate({ to: '/leads/$id', params: { id: createLead.lead.id } });
    } catch (error) {
      const fields = error instanceof RequestError ? error.fields : [];
      const named = fields.map(({ path, message }) => [path.replace(/^input\./, '').split('.')[0], message]);
      setProblems(named.length > 0 ? Object.fromEntries(named) : { form: explain(error) });
      setIsBusy(false);
    }
  };
  return (
    <Dialog isOpen onClose={onClose} title={texts.add}>
      <form className={styles.form} action={(form) => void save(form)}>
        <TextField label={texts.number} name="chat" type="tel" required maxLength={50} error={problems['chat']} />
        <TextField label={texts.name} name="name" maxLength={200} error={problems['name']} />
        <TextField
          label={texts.country}
          name="country"
          maxLength={2}
          placeholder={data?.me.tenant.defaultCountry ?? ''}
          hint={texts.countryHint}
          error={problems['country']}
        />
        <TextField label={texts.tags} name="tags" error={problems['tags']} />
        <TextField label={texts.source} name="source" maxLength={100} error={problems['source']} />
        {problems['form'] !== undefined && <p role="alert">{problems['form']}</p>}
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
