// Further filters of the inbox: instance, tag, order. The address holds them.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { askAgain } from '../../api/client.js';
import { ChatInstancesDocument } from '../../api/operations.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useTexts } from '../../i18n/language.js';
import { Select, TextField } from '../../parts/field.js';
import styles from './inbox.module.css';
import { inboxTexts } from './texts.js';

export function InboxFilters() {
  const texts = useTexts(inboxTexts);
  const { tag = '', instance = '', order = '', view } = useSearch({ from: '/signed-in/inbox' });
  const navigate = useNavigate();
  const { data } = useLoaded('instances', () => askAgain(ChatInstancesDocument));
  const choose = (change: { tag?: string | undefined; instance?: string | undefined; order?: string | undefined }) =>
    void navigate({ to: '.', search: (now: object) => ({ ...now, ...change }), replace: true });
  return (
    <div className={styles.filters}>
      <Select
        label={texts.instance}
        value={instance}
        options={[
          { value: '', label: texts.anyInstance },
          ...(data?.chatInstances ?? []).map(({ id, instanceName }) => ({ value: id, label: instanceName })),
        ]}
        onChoose={(value) => choose({ instance: value === '' ? undefined : value })}
      />
      <TextField
        key={tag}
        label={texts.tag}
        defaultValue={tag}
        maxLength={64}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        onBlur={({ target }) => target.value !== tag && choose({ tag: target.value === '' ? undefined : target.value })}
      />
      <Select
        label={texts.order}
        value={order === '' ? (view === 'waiting' ? 'waiting' : 'newest') : order}
        options={[
          { value: 'newest', label: texts.newest },
          { value: 'inbound', label: texts.inbound },
          { value: 'waiting', label: texts.longest },
        ]}
        onChoose={(value) => choose({ order: value })}
      />
    </div>
  );
}
