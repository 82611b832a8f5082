// The search and the filters of the table of leads, which the address stores, and the choice of columns. A filter is there while it is
// used.

import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useColleagues } from '../../api/use-colleagues.js';
import { useWritten } from '../../app/use-written.js';
import { useTexts } from '../../i18n/language.js';
import { AddFilter, useAddedFilters } from '../../parts/added-filters.js';
import { Button } from '../../parts/button.js';
import { Select, TextField } from '../../parts/field.js';
import { FilterBar, FilterChip } from '../../parts/filter-bar.js';
import { Menu, MenuCheck } from '../../parts/menu.js';
import { nameOf } from '../../parts/name-of.js';
import { SearchBox } from '../../parts/search-box.js';
import { filterNames, type FilterName, type LeadSearch } from './lead-search.js';
import { columnNames, type ColumnName } from './lead-columns.js';
import styles from './leads.module.css';
import { leadsTexts } from './texts.js';

interface FiltersProps {
  search: LeadSearch;
  columns: readonly ColumnName[];
  onColumns: (columns: readonly ColumnName[]) => void;
  /** The acts on the view that is shown. */
  viewMenu: ReactNode;
}

export function LeadFilters({ search, columns, onColumns, viewMenu }: FiltersProps) {
  const texts = useTexts(leadsTexts);
  const navigate = useNavigate();
  const { shown, others, add, forget } = useAddedFilters(filterNames, (name) => search[name] !== undefined);
  const choose = (change: LeadSearch) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '/leads', search: Object.fromEntries(next), replace: true });
  };
  const remove = (name: FilterName) => {
    forget(name);
    if (search[name] !== undefined) choose({ [name]: '' });
  };
  return (
    <FilterBar>
      <div className={styles.search}>
        <SearchBox
          label={texts.search}
          placeholder={texts.searchHint}
          group={texts.title}
          value={search.q ?? ''}
          onApply={(q) => choose({ q: q.trim() === '' ? '' : q })}
          onDown={() => document.querySelector<HTMLElement>('tbody a')?.focus()}
        />
      </div>
      {shown.map((name) => (
        <FilterChip key={name} id={name} name={texts[name]} onRemove={() => remove(name)}>
          {isMark(name) ? (
            <span>{texts[name]}</span>
          ) : (
            <FilterField
              name={name}
              value={search[name] ?? ''}
              onChoose={(value) => choose({ [name]: value })}
              onLeave={() => forget(name)}
            />
          )}
        </FilterChip>
      ))}
      <AddFilter
        group={texts.title}
        others={others}
        labels={texts}
        onAdd={(name) => (isMark(name) ? choose({ [name]: 'true' }) : add(name))}
      />
      <div className={styles.endOfBar}>
        {viewMenu}
        <Menu
          trigger={
            <Button kind="quiet" icon="columns">
              {texts.columns}
            </Button>
          }
        >
          {columnNames.map((name) => (
            <MenuCheck
              key={name}
              isChecked={columns.includes(name)}
              onChange={(isChosen) => onColumns(isChosen ? [...columns, name] : columns.filter((one) => one !== name))}
            >
              {texts[name]}
            </MenuCheck>
          ))}
        </Menu>
      </div>
    </FilterBar>
  );
}

/** Filters without a value: they are used or not. */
const marks = ['waiting', 'optedOut', 'fromAd'] as const;
const isMark = (name: FilterName): name is (typeof marks)[number] => marks.some((mark) => mark === name);

interface FilterFieldProps {
  name: Exclude<FilterName, (typeof marks)[number]>;
  value: string;
  onChoose: (value: string) => void;
  /** Called when the user leaves the field without a value. */
  onLeave: () => void;
}

function FilterField({ name, value, onChoose, onLeave }: FilterFieldProps) {
  const texts = useTexts(leadsTexts);
  const colleagues = useColleagues();
  const own = { label: texts[name], value, onBlur: () => value === '' && onLeave() };
  const any = { value: '', label: texts.any };
  if (name === 'status') {
    const statuses = (['OPEN', 'SNOOZED', 'CLOSED'] as const).map((one) => ({ value: one, label: texts[one] }));
    return <Select {...own} options={[any, ...statuses]} onChoose={onChoose} />;
  }
  if (name === 'assignee') {
    const people = colleagues.map((user) => ({ value: user.id, label: nameOf(user) }));
    const options = [any, { value: 'nobody', label: texts.nobody }, ...people];
    return <Select {...own} options={options} onChoose={onChoose} />;
  }
  if (name === 'since' || name === 'until')
    return <TextField {...own} type="date" onChange={({ target }) => onChoose(target.value)} />;
  const maxLength = name === 'ad' ? 255 : 100;
  return <TextFilter label={texts[name]} value={value} maxLength={maxLength} onApply={onChoose} onLeave={onLeave} />;
}

interface TextFilterProps {
  label: string;
  maxLength: number;
  value: string;
  onApply: (text: string) => void;
  onLeave: () => void;
}

/** Applies its text when the user presses Enter or leaves the field. */
function TextFilter({ label, maxLength, value, onApply, onLeave }: TextFilterProps) {
  const { text, write, apply } = useWritten(value, onApply);
  return (
    <TextField
      label={label}
      value={text}
      maxLength={maxLength}
      onChange={({ target }) => write(target.value)}
      onKeyDown={({ key }) => key === 'Enter' && apply(text)}
      onBlur={() => {
        if (text !== value) apply(text);
        if (text === '') onLeave();
      }}
    />
  );
}
