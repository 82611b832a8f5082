// The filter that chooses the recipients: fields that are added as chips, and once they were read, what was chosen.

import { useEffect, useState } from 'react';
import { askAgain } from '../../api/client.js';
import { explain } from '../../api/request-error.js';
import { useColleagues } from '../../api/use-colleagues.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { AddFilter } from '../../parts/added-filters.js';
import { Button, IconButton } from '../../parts/button.js';
import { Checkbox, Select, TextField } from '../../parts/field.js';
import { FilterBar, FilterChip } from '../../parts/filter-bar.js';
import { nameOf } from '../../parts/name-of.js';
import styles from './bulk.module.css';
import { formTexts } from './form-texts.js';
import { filterOf, type Conditions } from './lead-conditions.js';
import { BulkCountDocument, type LeadFilter } from './operations.js';
import { maxRecipients } from './read-recipients.js';
import { summaryTexts } from './summary-texts.js';
import { bulkTexts } from './texts.js';

export interface ConditionProps {
  conditions: Conditions;
  onConditions: (conditions: Conditions) => void;
}

const filterNames = ['tag', 'source', 'status', 'assignee', 'q'] as const;
export type FilterName = (typeof filterNames)[number];

interface FilterProps extends ConditionProps {
  /** A choice changes: what was read is outdated. */
  onChange: () => void;
  /** Filters that were added and may have no value yet. */
  added: readonly FilterName[];
  onAdd: (names: readonly FilterName[]) => void;
}

/** @returns the name of a filter for people */
function useFilterNames(): Record<FilterName, string> {
  const { tag, source, status, assignee, search } = useTexts(formTexts);
  return { tag, source, status, assignee, q: search };
}

function AddRecipientFilter({ conditions, onChange, added, onAdd }: FilterProps) {
  const { title } = useTexts(bulkTexts);
  const add = (name: FilterName) => {
    onAdd([...added, name]);
    onChange();
  };
  const others = filterNames.filter((name) => conditions[name] === '' && !added.includes(name));
  return <AddFilter group={title} others={others} labels={useFilterNames()} onAdd={add} />;
}

const typingMs = 300;

interface ByFilterProps extends FilterProps {
  isBusy: boolean;
  onRead: (filter: LeadFilter, count: number) => void;
}

export function ByFilter({ isBusy, onRead, ...filters }: ByFilterProps) {
  const { conditions, onConditions, onChange, added, onAdd } = filters;
  const texts = useTexts(formTexts);
  const summary = useTexts(summaryTexts);
  const formats = useFormats();
  const filter = filterOf(conditions);
  const isChosen = conditions.isAll || Object.keys(filter).length > 0;
  const [counted, setCounted] = useState(JSON.stringify(filter));
  const written = JSON.stringify(filter);
  useEffect(() => {
    const timer = setTimeout(() => setCounted(written), typingMs);
    return () => clearTimeout(timer);
  }, [written]);
  const count = useLoaded(
    counted,
    async () => (await askAgain(BulkCountDocument, { filter: JSON.parse(counted) as LeadFilter })).leads.totalCount,
  );
  const names = useFilterNames();
  const change = (part: Partial<Conditions>) => {
    onConditions({ ...conditions, ...part });
    onChange();
  };
  const isTooMany = count.data !== undefined && count.data > maxRecipients;
  const isKnown = counted === written && count.data !== undefined;
  return (
    <>
      <FilterBar isInForm>
        {!conditions.isAll &&
          filterNames
            .filter((name) => conditions[name] !== '' || added.includes(name))
            .map((name) => (
              <FilterChip
                key={name}
                id={name}
                name={names[name]}
                onRemove={() => {
                  onAdd(added.filter((one) => one !== name));
                  if (conditions[name] !== '') change({ [name]: '' });
                }}
              >
                <FilterField name={name} value={conditions[name]} onChoose={(value) => change({ [name]: value })} />
              </FilterChip>
            ))}
        {!conditions.isAll && <AddRecipientFilter {...filters} />}
        {Object.keys(filter).length === 0 && (
          <Checkbox
            label={summary.allLeads}
            checked={conditions.isAll}
            onChange={({ target }) => change({ isAll: target.checked })}
          />
        )}
      </FilterBar>
      {count.error !== undefined && (
        <p role="alert" className={styles.problem}>
          {explain(count.error)} <Button onClick={count.reload}>{texts.tryAgain}</Button>
        </p>
      )}
      <div className={styles.taking}>
        <p role="status" className={isChosen && isTooMany ? styles.warning : styles.quiet}>
          {!isChosen
            ? summary.chooseSome
            : !isKnown
              ? texts.counting
              : isTooMany
                ? texts.tooMany(formats.number(count.data ?? 0), formats.number(maxRecipients))
                : texts.found(formats.number(count.data ?? 0))}
        </p>
        <Button
          kind="line"
          icon="people"
          isBusy={isBusy}
          disabled={!isChosen || !isKnown || isTooMany || count.data === 0}
          onClick={() => onRead(filter, count.data ?? 0)}
        >
          {texts.take}
        </Button>
      </div>
    </>
  );
}

interface FieldProps {
  name: FilterName;
  value: string;
  onChoose: (value: string) => void;
}

function FilterField({ name, value, onChoose }: FieldProps) {
  const texts = useTexts(formTexts);
  const names = useFilterNames();
  const colleagues = useColleagues();
  const own = { label: names[name], value };
  const any = { value: '', label: texts.any };
  if (name === 'status') {
    const statuses = (['OPEN', 'SNOOZED', 'CLOSED'] as const).map((one) => ({ value: one, label: texts[one] }));
    return <Select {...own} options={[any, ...statuses]} onChoose={onChoose} />;
  }
  if (name === 'assignee') {
    const people = colleagues.map((user) => ({ value: user.id, label: nameOf(user) }));
    return <Select {...own} options={[any, { value: 'nobody', label: texts.nobody }, ...people]} onChoose={onChoose} />;
  }
  return (
    <TextField
      {...own}
      maxLength={100}
      {...(name === 'q' && { placeholder: texts.searchHint })}
      onChange={({ target }) => onChoose(target.value)}
    />
  );
}

/** Shows what was chosen as chips, each of which can be taken away. The fields come back with it. */
export function ChosenConditions(filters: FilterProps) {
  const { conditions, onConditions, onChange, added, onAdd } = filters;
  const texts = useTexts(formTexts);
  const summary = useTexts(summaryTexts);
  const names = useFilterNames();
  const colleagues = useColleagues();
  const { status, assignee, isAll } = conditions;
  const named = colleagues.find(({ id }) => id === assignee);
  const shown: Conditions = {
    ...conditions,
    status: status === 'OPEN' || status === 'SNOOZED' || status === 'CLOSED' ? texts[status] : '',
    assignee: assignee === 'nobody' ? texts.nobody : named === undefined ? assignee : nameOf(named),
  };
  const change = (part: Partial<Conditions>) => {
    onConditions({ ...conditions, ...part });
    onChange();
  };
  return (
    <div className={styles.chips}>
      <ul aria-label={texts.stepRecipients}>
        {isAll && (
          <li>
            <b>{summary.allLeads}</b>
            <IconButton
              icon="close"
              label={texts.removeCondition(summary.allLeads)}
              onClick={() => change({ isAll: false })}
            />
          </li>
        )}
        {filterNames
          .filter((name) => shown[name].trim() !== '')
          .map((name) => (
            <li key={name}>
              {names[name]}: <b dir="auto">{shown[name].trim()}</b>
              <IconButton
                icon="close"
                label={texts.removeCondition(names[name])}
                onClick={() => {
                  onAdd(added.filter((one) => one !== name));
                  change({ [name]: '' });
                }}
              />
            </li>
          ))}
      </ul>
      {!isAll && <AddRecipientFilter {...filters} />}
    </div>
  );
}
