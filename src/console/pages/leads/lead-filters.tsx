// The filters of the table of leads, which the address stores, and the choice of columns.

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useColleagues } from '../../api/use-colleagues.js';
import { useWritten } from '../../app/use-written.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Checkbox, Select, TextField } from '../../parts/field.js';
import { Dialog } from '../../parts/dialog.js';
import { nameOf } from '../../parts/name-of.js';
import { FilterBar } from '../../parts/filter-bar.js';
import type { LeadSearch } from './lead-search.js';
import { columnNames, type ColumnName } from './leads-page.js';
import styles from './leads.module.css';
import { leadsTexts } from './texts.js';

interface FiltersProps {
  search: LeadSearch;
  columns: readonly ColumnName[];
  onColumns: (columns: readonly ColumnName[]) => void;
}

export function LeadFilters({ search, columns, onColumns }: FiltersProps) {
  const texts = useTexts(leadsTexts);
  const navigate = useNavigate();
  const [isChoosing, setIsChoosing] = useState(false);
  const colleagues = useColleagues();
  const choose = (change: LeadSearch) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '/leads', search: Object.fromEntries(next), replace: true });
  };
  const filterBy = (name: 'q' | 'tag' | 'source' | 'ad') => ({
    value: search[name] ?? '',
    onApply: (text: string) => choose({ [name]: text }),
  });
  return (
    <FilterBar>
      <TextFilter label={texts.search} placeholder={texts.searchHint} {...filterBy('q')} />
      <TextFilter label={texts.tag} {...filterBy('tag')} />
      <TextFilter label={texts.source} {...filterBy('source')} />
      <TextFilter label={texts.ad} maxLength={255} {...filterBy('ad')} />
      <Select
        label={texts.status}
        value={search.status ?? ''}
        options={[
          { value: '', label: texts.any },
          ...(['OPEN', 'SNOOZED', 'CLOSED'] as const).map((value) => ({ value, label: texts[value] })),
        ]}
        onChoose={(status) => choose({ status })}
      />
      <Select
        label={texts.assignee}
        value={search.assignee ?? ''}
        options={[
          { value: '', label: texts.any },
          { value: 'nobody', label: texts.nobody },
          ...colleagues.map((user) => ({ value: user.id, label: nameOf(user) })),
        ]}
        onChoose={(assignee) => choose({ assignee })}
      />
      <TextField
        label={texts.since}
        type="date"
        value={search.since ?? ''}
        onChange={({ target }) => choose({ since: target.value })}
      />
      <TextField
        label={texts.until}
        type="date"
        value={search.until ?? ''}
        onChange={({ target }) => choose({ until: target.value })}
      />
      <Select
        label={texts.order}
        value={search.order ?? 'newest'}
        options={[
          { value: 'newest', label: texts.newest },
          { value: 'name', label: texts.byName },
          { value: 'recent', label: texts.recent },
        ]}
        onChoose={(order) => choose({ order })}
      />
      <div className={styles.switches}>
        <Checkbox
          label={texts.waiting}
          checked={search.waiting !== undefined}
          onChange={({ target }) => choose({ waiting: target.checked ? 'true' : '' })}
        />
        <Checkbox
          label={texts.optedOut}
          checked={search.optedOut !== undefined}
          onChange={({ target }) => choose({ optedOut: target.checked ? 'true' : '' })}
        />
        <Checkbox
          label={texts.fromAd}
          checked={search.fromAd !== undefined}
          onChange={({ target }) => choose({ fromAd: target.checked ? 'true' : '' })}
        />
        <Button onClick={() => setIsChoosing(true)}>{texts.columns}</Button>
      </div>
      <Dialog
        isOpen={isChoosing}
        onClose={() => setIsChoosing(false)}
        title={texts.columns}
        actions={<Button onClick={() => setIsChoosing(false)}>{texts.done}</Button>}
      >
        <div className={styles.switchList}>
          {columnNames.map((name) => (
            <Checkbox
              key={name}
              label={texts[name]}
              checked={columns.includes(name)}
              onChange={({ target }) =>
                onColumns(target.checked ? [...columns, name] : columns.filter((one) => one !== name))
              }
            />
          ))}
        </div>
      </Dialog>
    </FilterBar>
  );
}

interface TextFilterProps {
  label: string;
  placeholder?: string;
  maxLength?: number;
  value: string;
  onApply: (text: string) => void;
}

/** Applies its text when the user presses Enter or leaves the field. */
function TextFilter({ label, placeholder, maxLength = 100, value, onApply }: TextFilterProps) {
  const { text, write, apply } = useWritten(value, onApply);
  return (
    <TextField
      label={label}
      placeholder={placeholder}
      value={text}
      maxLength={maxLength}
      onChange={({ target }) => write(target.value)}
      onKeyDown={({ key }) => key === 'Enter' && apply(text)}
      onBlur={() => text !== value && apply(text)}
    />
  );
}
