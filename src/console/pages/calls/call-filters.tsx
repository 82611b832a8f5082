// The filters of the journal, which the address stores: one of three results, and others that are there while they are used.

import { useNavigate } from '@tanstack/react-router';
import { useInstances } from '../../api/use-instances.js';
import { timeOf } from '../../i18n/local-time.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { AddFilter, useAddedFilters } from '../../parts/added-filters.js';
import { Button } from '../../parts/button.js';
import { Select } from '../../parts/field.js';
import { FilterBar, FilterChip } from '../../parts/filter-bar.js';
import { SearchBox } from '../../parts/search-box.js';
import { Segments } from '../../parts/segments.js';
import { TimeField } from '../../parts/time-field.js';
import { routeNames } from './call-routes.js';
import styles from './calls.module.css';
import type { CallCountsQuery, WebhookDeliveryFilter } from './operations.js';
import { callRowTexts } from './row-texts.js';
import { callsTexts } from './texts.js';

const filterNames = ['outcome', 'kind', 'instance', 'route', 'since', 'until'] as const;
type FilterName = (typeof filterNames)[number];
export type CallFilter = { [Name in FilterName | 'reported' | 'q']?: string };

export type CallCounts = CallCountsQuery['webhookDeliveryCounts'];

const outcomes = ['PROCESSED', 'PARTIAL', 'REFUSED'] as const;
const kinds = ['LEAD', 'MESSAGE', 'STATUS', 'CHANGE', 'CONNECTION'] as const;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Leaves out values that the API would refuse, because addresses are also written by hand. */
export function toInput(given: CallFilter): WebhookDeliveryFilter {
  const { q = '', outcome, reported, kind, instance, route, since, until } = given;
  const knownOutcome = outcomes.find((one) => one === outcome);
  const knownKind = kinds.find((one) => one === kind);
  const [from, to] = [timeOf(since), timeOf(until)];
  return {
    ...(knownOutcome !== undefined && { outcomes: [knownOutcome] }),
    ...(outcome === 'troubled' && { troubled: true }),
    ...(reported !== undefined && { reported: reported.slice(0, 100) }),
    ...(knownKind !== undefined && { kind: knownKind }),
    ...(instance !== undefined && uuid.test(instance) && { instanceId: instance }),
    ...(route !== undefined && { route: route.slice(0, 255) }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
    ...(q.trim() !== '' && { search: q.trim().slice(0, 100) }),
  };
}

interface FiltersProps {
  filter: CallFilter;
  /** The addresses of the calls that are shown. */
  seen: readonly string[];
  /** Undefined until they are known. */
  counts: CallCounts | undefined;
}

export function CallFilters({ filter, seen, counts }: FiltersProps) {
  const texts = useTexts(callRowTexts);
  const callTexts = useTexts(callsTexts);
  const navigate = useNavigate();
  const choose = (change: { [Name in keyof CallFilter]: string | undefined }) => {
    const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '/calls', search: Object.fromEntries(next) as CallFilter, replace: true });
  };
  const result = resultOf(filter);
  // The segments show these results already.
  const isUsed = (name: FilterName) => filter[name] !== undefined && !(name === 'outcome' && result !== undefined);
  const { shown, others, add, forget, forgetAll } = useAddedFilters(filterNames, isUsed);
  const remove = (name: FilterName) => {
    forget(name);
    if (filter[name] !== undefined) choose({ [name]: undefined });
  };
  const names: Record<FilterName, string> = {
    outcome: callTexts.outcome,
    kind: texts.kind,
    instance: texts.instance,
    route: callTexts.route,
    since: callTexts.since,
    until: callTexts.until,
  };
  const count = useCountText(counts);
  return (
    <FilterBar>
      <div className={styles.search}>
        <SearchBox
          label={texts.search}
          placeholder={texts.searchHint}
          group={callTexts.calls}
          value={filter.q ?? ''}
          onApply={(q) => choose({ q: q.trim() })}
          onDown={() => document.querySelector<HTMLElement>('tbody button')?.focus()}
        />
      </div>
      <Segments
        label={texts.result}
        value={result}
        options={[
          { value: 'all', label: texts.all, count: count(counts?.total) },
          { value: 'refused', label: texts.REFUSED, count: count(counts?.refused) },
          { value: 'notSent', label: texts.notSent, count: count(counts?.notSent) },
        ]}
        onChoose={(next) => {
          forget('outcome');
          choose({
            outcome: next === 'refused' ? 'REFUSED' : undefined,
            reported: next === 'notSent' ? 'FAILED' : undefined,
          });
        }}
      />
      {shown.map((name) => (
        <FilterChip key={name} id={name} name={names[name]} onRemove={() => remove(name)}>
          <FilterField
            name={name}
            label={names[name]}
            value={filter[name] ?? ''}
            seen={seen}
            onChoose={(value) => choose({ [name]: value, ...(name === 'outcome' && { reported: undefined }) })}
          />
        </FilterChip>
      ))}
      <AddFilter group={callTexts.calls} others={others} labels={names} onAdd={add} />
      {Object.keys(filter).length > 0 && (
        <Button
          kind="quiet"
          onClick={() => {
            forgetAll();
            void navigate({ to: '/calls', search: {} });
          }}
        >
          {callTexts.clear}
        </Button>
      )}
      <Kinds counts={counts} />
    </FilterBar>
  );
}

/** Says how many calls brought items of each kind. */
function Kinds({ counts }: Pick<FiltersProps, 'counts'>) {
  const texts = useTexts(callRowTexts);
  const count = useCountText(counts);
  const counted = kinds.flatMap((one) => {
    const text = count(counts?.kinds.find(({ kind }) => kind === one)?.count);
    return text === undefined ? [] : [`${texts[`kind${one}`]} ${text}`];
  });
  return counted.length === 0 ? null : <p className={styles.kinds}>{counted.join(' · ')}</p>;
}

/** Returns a function that writes a count. More calls than are counted have a plus. */
function useCountText(counts: CallCounts | undefined) {
  const formats = useFormats();
  return (count: number | undefined) =>
    count === undefined ? undefined : `${formats.number(count)}${counts?.isComplete === false ? '+' : ''}`;
}

/** Returns the segment that says the filter; undefined where none does. */
function resultOf({ outcome, reported }: CallFilter): 'all' | 'refused' | 'notSent' | undefined {
  if (reported === 'FAILED' && outcome === undefined) return 'notSent';
  if (reported !== undefined) return undefined;
  return outcome === undefined ? 'all' : outcome === 'REFUSED' ? 'refused' : undefined;
}

interface FilterFieldProps {
  name: FilterName;
  label: string;
  value: string;
  seen: readonly string[];
  onChoose: (value: string | undefined) => void;
}

function FilterField({ name, label, value, seen, onChoose }: FilterFieldProps) {
  const texts = useTexts(callRowTexts);
  const callTexts = useTexts(callsTexts);
  const { instances } = useInstances();
  if (name === 'since' || name === 'until')
    return <TimeField label={label} value={value === '' ? undefined : value} onChange={onChoose} />;
  const routes = [...new Set([...routeNames, ...seen, ...(value === '' ? [] : [value])])];
  const options = {
    outcome: [
      { value: 'troubled', label: callTexts.troubled },
      ...outcomes.map((one) => ({ value: one, label: callTexts[one] })),
    ],
    kind: kinds.map((one) => ({ value: one, label: texts[`kind${one}`] })),
    instance: instances.map(({ id, instanceName }) => ({ value: id, label: instanceName })),
    route: routes.map((one) => ({ value: one, label: one })),
  };
  return (
    <Select
      label={label}
      value={value}
      options={[{ value: '', label: callTexts.all }, ...options[name]]}
      onChoose={onChoose}
    />
  );
}
