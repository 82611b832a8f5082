// The audit log: changes and views of keys with their actors, newest first, and each field before and after.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { askAgain } from '../../api/client.js';
import { useColleagues } from '../../api/use-colleagues.js';
import { usePages } from '../../api/use-pages.js';
import { useIsPhone } from '../../app/use-media.js';
import { useFormats } from '../../i18n/format.js';
import { timeOf } from '../../i18n/local-time.js';
import { useTexts } from '../../i18n/language.js';
import { AddFilter, useAddedFilters } from '../../parts/added-filters.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Select, TextField } from '../../parts/field.js';
import { ListEnd } from '../../parts/list-end.js';
import { nameOf } from '../../parts/name-of.js';
import { Page } from '../../parts/page.js';
import { Table } from '../../parts/table.js';
import { TimeField } from '../../parts/time-field.js';
import { FilterBar, FilterChip } from '../../parts/filter-bar.js';
import { AdminSection } from './admin-section.js';
import { auditActions } from './audit-actions.js';
import { changesOf, wholeId } from './audit-changes.js';
import { useFieldNames, type FieldNames } from './audit-fields.js';
import { useFieldValues, type FieldValues } from './audit-values.js';
import { auditTexts } from './audit-texts.js';
import { AuditLogDocument, type AuditLogQuery } from './operations.js';
import styles from './settings.module.css';
import { useDebounced } from './use-debounced.js';

type Entry = AuditLogQuery['auditLog']['edges'][number]['node'];
type Search = { action?: string; actor?: string; target?: string; since?: string; until?: string };

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function AuditPage() {
  return <AdminSection>{() => <AuditLog />}</AdminSection>;
}

function AuditLog() {
  const texts = useTexts(auditTexts);
  const search = useSearch({ from: '/signed-in/settings/audit' });
  const key = JSON.stringify(search);
  const isPhone = useIsPhone();
  const nameOfField = useFieldNames();
  const valueOfField = useFieldValues();
  const isUnderstood = actionOf(search) !== null && (search.actor === undefined || uuid.test(search.actor));
  const pages = usePages(useDebounced(key), async (after) => {
    if (!isUnderstood) return { edges: [], pageInfo: { hasNextPage: false } };
    return (await askAgain(AuditLogDocument, { after, filter: filterOf(search) })).auditLog;
  });
  return (
    <Page title={texts.audit} bar={<Filters search={search} />}>
      {pages.nodes.length > 0 && (
        <Table
          label={texts.audit}
          columns={
            isPhone
              ? [{ name: texts.what }]
              : [{ name: texts.when }, { name: texts.who }, { name: texts.what }, { name: texts.changes }]
          }
        >
          {pages.nodes.map((entry) => (
            <Row key={entry.id} {...{ entry, isPhone, nameOfField, valueOfField }} />
          ))}
        </Table>
      )}
      {!pages.isLoading && pages.error === undefined && pages.nodes.length === 0 && (
        <EmptyState
          title={texts.none}
          hint={isUnderstood ? (key === '{}' ? texts.noneHint : texts.noneFits) : texts.notUnderstood}
        />
      )}
      <ListEnd pages={pages} />
    </Page>
  );
}

/** Returns null for an action that there is none of. */
const actionOf = ({ action }: Search) =>
  action === undefined ? undefined : (auditActions.find((one) => one === action) ?? null);

/** Leaves out values that the API would refuse, because addresses are also written by hand. */
function filterOf(search: Search) {
  const { actor, target, since, until } = search;
  const action = actionOf(search);
  const [from, to] = [timeOf(since), timeOf(until)];
  return {
    ...(action != null && { action }),
    ...(actor !== undefined && uuid.test(actor) && { actorId: actor }),
    ...(target !== undefined && uuid.test(target.trim()) && { targetId: target.trim() }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  };
}

const added = ['since', 'until', 'target'] as const;

function Filters({ search }: { search: Search }) {
  const texts = useTexts(auditTexts);
  const navigate = useNavigate();
  const { action, actor, target } = search;
  const colleagues = useColleagues();
  const set = (change: { [Key in keyof Search]: string | undefined }) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '/settings/audit', search: Object.fromEntries(next) as Search, replace: true });
  };
  const { shown, others, add, forget, forgetAll } = useAddedFilters(added, (name) => search[name] !== undefined);
  const remove = (name: (typeof added)[number]) => {
    forget(name);
    set({ [name]: undefined });
  };
  const people = colleagues.map((user) => ({ value: user.id, label: nameOf(user) }));
  const chosen =
    actor === undefined || people.some(({ value }) => value === actor) ? [] : [{ value: actor, label: actor }];
  return (
    <FilterBar>
      <Select
        label={texts.what}
        value={action ?? ''}
        onChoose={(value) => set({ action: value })}
        options={[
          { value: '', label: texts.anything },
          ...(actionOf(search) === null ? [{ value: action ?? '', label: action ?? '' }] : []),
          ...auditActions.map((one) => ({ value: one, label: texts[one] })),
        ]}
      />
      <Select
        label={texts.who}
        value={actor ?? ''}
        onChoose={(value) => set({ actor: value })}
        options={[{ value: '', label: texts.anybody }, ...chosen, ...people]}
      />
      {shown.map((name) => (
        <FilterChip key={name} id={name} name={texts[name]} onRemove={() => remove(name)}>
          {name === 'target' ? (
            <TextField
              label={texts.target}
              value={target ?? ''}
              onChange={(event) => set({ target: event.target.value })}
              error={target !== undefined && !uuid.test(target.trim()) ? texts.targetHint : undefined}
            />
          ) : (
            <TimeField label={texts[name]} value={search[name]} onChange={(value) => set({ [name]: value })} />
          )}
        </FilterChip>
      ))}
      <AddFilter group={texts.audit} others={others} labels={texts} onAdd={add} />
      {Object.keys(search).length > 0 && (
        <Button
          kind="quiet"
          onClick={() => {
            forgetAll();
            void navigate({ to: '/settings/audit', search: {} });
          }}
        >
          {texts.clear}
        </Button>
      )}
    </FilterBar>
  );
}

const shownFields = 3;

interface RowProps {
  entry: Entry;
  isPhone: boolean;
  nameOfField: FieldNames;
  valueOfField: FieldValues;
}

/** On a phone a single cell has all of it, each part below the other. */
function Row({ entry, isPhone, nameOfField, valueOfField }: RowProps) {
  const texts = useTexts(auditTexts);
  const formats = useFormats();
  const { action, actor, actorKind, actorId, targetKind, targetId, before, after, createdAt, requestId } = entry;
  const changes = changesOf(before, after);
  const who = actor === null ? (actorId ?? '') : nameOf(actor);
  const list = (shown: typeof changes) => (
    <ul className={styles.changes}>
      {shown.map((change) => (
        <li key={change.field}>
          <Field name={nameOfField(targetKind, change.field)} field={change.field} />:{' '}
          {change.before !== undefined && (
            <del title={wholeId(change.before)}>{valueOfField(targetKind, change.field, change.before)}</del>
          )}{' '}
          {change.after !== undefined && (
            <ins title={wholeId(change.after)}>{valueOfField(targetKind, change.field, change.after)}</ins>
          )}
        </li>
      ))}
    </ul>
  );
  const when = (
    <>
      {formats.full(createdAt)}
      {requestId !== null && <small className={styles.request}>{texts.request(requestId)}</small>}
    </>
  );
  const by = actorKind === 'USER' ? who : actorKind === 'ASSISTANT' ? texts.assistantOf(who) : texts[actorKind];
  const what = (
    <>
      {texts[action]}
      <small className={`${styles.line} ${styles.nowrap}`}>
        <Badge>{texts[targetKind]}</Badge> <code title={targetId}>…{targetId.slice(-8)}</code>
      </small>
    </>
  );
  const changed = (
    <>
      {list(changes.slice(0, shownFields))}
      {changes.length > shownFields && (
        <details>
          <summary>{texts.further(changes.length - shownFields)}</summary>
          {list(changes.slice(shownFields))}
        </details>
      )}
    </>
  );
  if (isPhone)
    return (
      <tr className={styles.top}>
        <td className={styles.entry}>
          <div>{what}</div>
          <small>
            <bdi>{by}</bdi>, {when}
          </small>
          {changed}
        </td>
      </tr>
    );
  return (
    <tr className={styles.top}>
      <td className={styles.nowrap}>{when}</td>
      <td dir="auto" className={styles.by}>
        {by}
      </td>
      <td>{what}</td>
      <td>{changed}</td>
    </tr>
  );
}

/** A field without a label keeps the API's name. */
function Field({ name, field }: { name: string | undefined; field: string }) {
  return name === undefined ? <code>{field}</code> : <span>{name}</span>;
}
