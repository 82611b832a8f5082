// The tenant's chat instances: their current state, their connection, and their waiting messages.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { askAgain } from '../../api/client.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { useCommands } from '../../app/commands.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { appTexts } from '../../app/texts.js';
import { useIsHere } from '../../app/use-is-here.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Page } from '../../parts/page.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { figureTexts } from './figure-texts.js';
import { InstanceCard } from './instance-card.js';
import { InstanceForm } from './instance-form.js';
import styles from './instances.module.css';
import { InstancesDocument, type InstanceCardFragment } from './operations.js';
import { instancesTexts } from './texts.js';
import { useTraffic } from './use-traffic.js';

const readAgainMs = 15_000;

export function InstancesPage() {
  const texts = useTexts(instancesTexts);
  const isAdmin = useStore(sessionState).user?.role === 'ADMIN';
  const navigate = useNavigate();
  const { id: openId } = useSearch({ from: '/signed-in/instances' });
  const [isCreating, setIsCreating] = useState(false);
  const isHere = useIsHere();
  const loaded = useLoaded('instances', async () => (await askAgain(InstancesDocument)).chatInstances);
  const { data: instances, error, reload, change } = loaded;
  const apply = (state: Partial<InstanceCardFragment> & { id: string }) =>
    change((all) => all.map((one) => (one.id === state.id ? { ...one, ...state } : one)));
  const open = (id: string | undefined) => void navigate({ to: '/instances', search: id === undefined ? {} : { id } });

  useFeed(({ chatInstance }) => {
    if (chatInstance === null) return;
    const isKnown = instances?.some(({ id }) => id === chatInstance.id) === true;
    (isKnown ? () => apply(chatInstance) : reload)();
  }, reload);

  // A pause has no event, so the page reads again from time to time.
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), readAgainMs);
    return () => clearInterval(timer);
  }, [reload]);

  const creation = { id: 'new-instance', title: texts.newInstance, group: texts.instances };
  useCommands([
    ...(isAdmin ? [{ ...creation, run: () => setIsCreating(true) }] : []),
    ...(instances ?? []).slice(0, 20).map(({ id, instanceName }) => ({
      id: `instance ${id}`,
      title: texts.show(instanceName),
      group: texts.instances,
      run: () => open(id),
    })),
  ]);

  const createButton = isAdmin && (
    <Button kind="primary" icon="plus" onClick={() => setIsCreating(true)}>
      {texts.newInstance}
    </Button>
  );
  return (
    <Page
      isGround
      title={texts.instances}
      count={instances !== undefined && instances.length > 0 && <Count instances={instances} />}
      actions={instances?.length === 0 ? undefined : createButton}
    >
      {instances === undefined && (error === undefined ? <Loading /> : <LoadFailed error={error} onRetry={reload} />)}
      {instances?.length === 0 && (
        <EmptyState title={texts.none} hint={isAdmin ? texts.noneHint : texts.noneHintOperator}>
          {createButton}
        </EmptyState>
      )}
      {instances !== undefined && instances.length > 0 && (
        <List
          instances={instances}
          openId={openId}
          isAdmin={isAdmin}
          onOpen={open}
          onState={apply}
          onChanged={reload}
        />
      )}
      {isCreating && (
        <InstanceForm
          onClose={() => setIsCreating(false)}
          onSaved={(created) => {
            reload();
            if (isHere()) open(created.id);
          }}
        />
      )}
    </Page>
  );
}

interface ListProps {
  instances: readonly InstanceCardFragment[];
  openId: string | undefined;
  isAdmin: boolean;
  onOpen: (id: string | undefined) => void;
  onState: (state: Partial<InstanceCardFragment> & { id: string }) => void;
  onChanged: () => void;
}

const needsSomebody = ({ status }: InstanceCardFragment) => status !== 'CONNECTED';

function Count({ instances }: { instances: readonly InstanceCardFragment[] }) {
  const texts = useTexts(appTexts);
  const needy = instances.filter(needsSomebody).length;
  return (
    <>
      {instances.length}
      {needy > 0 && ` · ${texts.needSomebody(needy)}`}
    </>
  );
}

/**
 * Shows what needs somebody first. Each keeps its place while the page is open, so that nothing moves below the pointer. A single instance
 * is open from the start.
 */
function List({ instances, openId, isAdmin, onOpen, onState, onChanged }: ListProps) {
  const columns = useTexts(instancesTexts);
  const figures = useTexts(figureTexts);
  const traffic = useTraffic();
  const [first] = useState(() => new Set(instances.filter(needsSomebody).map(({ id }) => id)));
  const ordered = instances.toSorted((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)));
  const accounts = new Set(instances.map(({ account }) => account.id));
  const shownId = openId ?? (instances.length === 1 ? instances[0]?.id : undefined);
  return (
    <>
      <div className={styles.columns} aria-hidden>
        <span>{columns.number}</span>
        <span>{columns.kindOfGateway}</span>
        <span>{columns.state}</span>
        <span>{figures.lastIn}</span>
        <span>{figures.lastOut}</span>
        <span>{figures.waiting}</span>
        <span>{figures.notSent}</span>
      </div>
      <ul className={styles.list}>
        {ordered.map((instance) => (
          <InstanceCard
            key={instance.id}
            instance={instance}
            isOpen={instance.id === shownId}
            isAdmin={isAdmin}
            saysAccount={accounts.size > 1}
            traffic={traffic.get(instance.id)}
            onToggle={() => onOpen(instance.id === openId ? undefined : instance.id)}
            onState={(state) => onState({ ...state, id: instance.id })}
            onChanged={onChanged}
          />
        ))}
      </ul>
    </>
  );
}
