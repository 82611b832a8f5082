// The journal of calls from other systems, each with its outcome, and the form for a new call.

import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { askAgain } from '../../api/client.js';
import { usePages } from '../../api/use-pages.js';
import { useCommands } from '../../app/commands.js';
import { AdminsOnly } from '../../app/page-fallbacks.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { timeOf } from '../../i18n/local-time.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Select } from '../../parts/field.js';
import { ListEnd } from '../../parts/list-end.js';
import { Page } from '../../parts/page.js';
import { Table } from '../../parts/table.js';
import { TimeField } from '../../parts/time-field.js';
import { FilterBar } from '../../parts/filter-bar.js';
import { CallDialog } from './call-dialog.js';
import { routeNames } from './call-routes.js';
import styles from './calls.module.css';
import { CallsDocument, type CallRowFragment, type WebhookOutcome } from './operations.js';
import { outcomeKinds } from './outcome-kinds.js';
import { callsTexts } from './texts.js';
import { TryCall, type CallToTry } from './try-call.js';

type Filter = { outcome?: string; route?: string; since?: string; until?: string };
type Search = Filter & { id?: string };

const outcomes: readonly WebhookOutcome[] = ['PROCESSED', 'PARTIAL', 'REFUSED'];

export function CallsPage() {
  const { user } = useStore(sessionState);
  if (user === undefined) return null;
  return user.role === 'ADMIN' ? <Calls tenantId={user.tenantId} /> : <AdminsOnly />;
}

function Calls({ tenantId }: { tenantId: string }) {
  const texts = useTexts(callsTexts);
  const navigate = useNavigate();
  const search: Search = useSearch({ from: '/signed-in/calls' });
  const { id, ...filter } = search;
  const [trying, setTrying] = useState<{ first?: CallToTry }>();
  const pages = usePages(
    JSON.stringify(filter),
    async (after) => (await askAgain(CallsDocument, { after, filter: toInput(filter) })).webhookDeliveries,
  );
  const open = (next: string | undefined) =>
    void navigate({ to: '/calls', search: { ...filter, ...(next !== undefined && { id: next }) } });
  useCommands([{ id: 'try-call', title: texts.tryCall, group: texts.calls, run: () => setTrying({}) }]);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page
      title={texts.calls}
      actions={
        <>
          <Button icon="refresh" isBusy={pages.isLoading && pages.nodes.length > 0} onClick={pages.reload}>
            {texts.refresh}
          </Button>
          <Button kind="primary" onClick={() => setTrying({})}>
            {texts.tryCall}
          </Button>
        </>
      }
      bar={<Filters filter={filter} seen={pages.nodes.map(({ route }) => route)} />}
    >
      {pages.nodes.length > 0 && (
        <Table
          label={texts.calls}
          columns={[
            { name: texts.received },
            { name: texts.outcome },
            { name: texts.route },
            { name: texts.dialect },
            { name: texts.size, isNumber: true },
            { name: texts.reason },
          ]}
        >
          {pages.nodes.map((call) => (
            <Row key={call.id} call={call} filter={filter} />
          ))}
        </Table>
      )}
      {!pages.isLoading && pages.error === undefined && pages.nodes.length === 0 && (
        <EmptyState title={texts.none} hint={isFiltered ? texts.noneFits : texts.noneHint} />
      )}
      <ListEnd pages={pages} />
      {id !== undefined && (
        <CallDialog
          key={id}
          id={id}
          onClose={() => open(undefined)}
          onOpen={open}
          onReplayed={pages.reload}
          onTry={(first) => {
            open(undefined);
            setTrying({ first });
          }}
        />
      )}
      {trying !== undefined && (
        <TryCall tenantId={tenantId} first={trying.first} onClose={() => setTrying(undefined)} onTried={pages.reload} />
      )}
    </Page>
  );
}

/** Leaves out values that the API would refuse, because addresses are also written by hand. */
function toInput({ outcome, route, since, until }: Filter) {
  const known = outcomes.find((one) => one === outcome);
  const [from, to] = [timeOf(since), timeOf(until)];
  return {
    ...(known !== undefined && { outcomes: [known] }),
    ...(outcome === 'troubled' && { troubled: true }),
    ...(route !== undefined && { route: route.slice(0, 255) }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  };
}

function Filters({ filter, seen }: { filter: Filter; seen: readonly string[] }) {
  const texts = useTexts(callsTexts);
  const navigate = useNavigate();
  const { outcome = '', route = '', since, until } = filter;
  const set = (change: { [Key in keyof Filter]: string | undefined }) => {
    const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '/calls', search: Object.fromEntries(next) as Filter, replace: true });
  };
  const routes = [...new Set([...routeNames, ...seen, ...(route === '' ? [] : [route])])];
  return (
    <>
      <FilterBar>
        <Select
          label={texts.outcome}
          value={outcome}
          onChoose={(value) => set({ outcome: value })}
          options={[
            { value: '', label: texts.all },
            { value: 'troubled', label: texts.troubled },
            ...outcomes.map((one) => ({ value: one, label: texts[one] })),
          ]}
        />
        <Select
          label={texts.route}
          value={route}
          onChoose={(value) => set({ route: value })}
          options={[{ value: '', label: texts.all }, ...routes.map((one) => ({ value: one, label: one }))]}
        />
        <TimeField label={texts.since} value={since} onChange={(value) => set({ since: value })} />
        <TimeField label={texts.until} value={until} onChange={(value) => set({ until: value })} />
      </FilterBar>
      {Object.keys(filter).length > 0 && (
        <Button onClick={() => void navigate({ to: '/calls', search: {} })}>{texts.clear}</Button>
      )}
    </>
  );
}

function Row({ call, filter }: { call: CallRowFragment; filter: Filter }) {
  const texts = useTexts(callsTexts);
  const formats = useFormats();
  const { id, receivedAt, outcome, route, dialect, bodyBytes, reason, replayOfId } = call;
  return (
    <tr>
      <td className={styles.time} title={receivedAt}>
        <Link to="/calls" search={{ ...filter, id }}>
          {formats.full(receivedAt)}
          <span className="visually-hidden"> {route}</span>
        </Link>
      </td>
      <td>
        <Badge kind={outcomeKinds[outcome]}>{texts[outcome]}</Badge>{' '}
        {replayOfId !== null && <Badge>{texts.again}</Badge>}
      </td>
      <td>
        <code className={styles.route}>{route}</code>
      </td>
      <td>{dialect === null ? '–' : texts.nameOfDialect(dialect)}</td>
      <td className={styles.number}>{formats.bytes(bodyBytes)}</td>
      <td className={styles.reason} title={reason ?? ''}>
        {reason}
      </td>
    </tr>
  );
}
