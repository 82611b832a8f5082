// Further filters of the inbox: instance, tag and order. The address stores them.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { askAgain } from '../../api/client.js';
import { ChatInstancesDocument } from '../../api/operations.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useWritten } from '../../app/use-written.js';
import { useTexts } from '../../i18n/language.js';
import { Checkbox, Select, TextField } from '../../parts/field.js';
import styles from './inbox.module.css';
import { inboxTexts } from './texts.js';

export function InboxFilters() {
  const texts = useTexts(inboxTexts);
  const { tag = '', instance = '', order = '', fromAd, ad = '', view } = useSearch({ from: '/signed-in/inbox' });
  const navigate = useNavigate();
  const { data } = useLoaded('instances', () => askAgain(ChatInstancesDocument));
  const choose = (change: Partial<Record<'tag' | 'instance' | 'order' | 'fromAd' | 'ad', string | undefined>>) =>
    void navigate({ to: '.', search: (now: object) => ({ ...now, ...change }), replace: true });
  const written = useWritten(tag, (wanted) => choose({ tag: wanted === '' ? undefined : wanted }));
  const writtenAd = useWritten(ad, (wanted) => choose({ ad: wanted === '' ? undefined : wanted }));
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
        label={texts.tag}
        value={written.text}
        maxLength={64}
        onChange={({ target }) => written.write(target.value)}
        onKeyDown={({ key }) => key === 'Enter' && written.apply(written.text)}
        onBlur={() => written.text !== tag && written.apply(written.text)}
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
      <TextField
        label={texts.ad}
        value={writtenAd.text}
        maxLength={255}
        onChange={({ target }) => writtenAd.write(target.value)}
        onKeyDown={({ key }) => key === 'Enter' && writtenAd.apply(writtenAd.text)}
        onBlur={() => writtenAd.text !== ad && writtenAd.apply(writtenAd.text)}
      />
      <Checkbox
        label={texts.fromAd}
        checked={fromAd !== undefined}
        onChange={({ target }) => choose({ fromAd: target.checked ? 'true' : undefined })}
      />
    </div>
  );
}
