// Further filters of the inbox: instance, tag, order and ad. The address stores them.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useInstances } from '../../api/use-instances.js';
import { useWritten } from '../../app/use-written.js';
import { useTexts } from '../../i18n/language.js';
import { orderNames, orderOf, viewOf } from '../../live/inbox-filter.js';
import { FilterBar } from '../../parts/filter-bar.js';
import { Checkbox, Select, TextField } from '../../parts/field.js';
import styles from './inbox.module.css';
import { inboxTexts } from './texts.js';

export function InboxFilters() {
  const texts = useTexts(inboxTexts);
  const { tag = '', instance = '', order, fromAd, ad = '', view } = useSearch({ from: '/signed-in/inbox' });
  const navigate = useNavigate();
  const { instances } = useInstances();
  const choose = (change: Partial<Record<'tag' | 'instance' | 'order' | 'fromAd' | 'ad', string | undefined>>) =>
    void navigate({ to: '.', search: (now: object) => ({ ...now, ...change }), replace: true });
  const written = useWritten(tag, (wanted) => choose({ tag: wanted === '' ? undefined : wanted }));
  const writtenAd = useWritten(ad, (wanted) => choose({ ad: wanted === '' ? undefined : wanted }));
  return (
    <div className={styles.filters}>
      <FilterBar>
        <Select
          label={texts.instance}
          value={instance}
          options={[
            { value: '', label: texts.anyInstance },
            ...instances.map(({ id, instanceName }) => ({ value: id, label: instanceName })),
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
          value={orderOf(order, viewOf({ view }))}
          options={orderNames.map((one) => ({ value: one, label: texts[one] }))}
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
      </FilterBar>
    </div>
  );
}
