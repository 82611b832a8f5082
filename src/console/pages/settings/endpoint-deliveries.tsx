// The deliveries to an endpoint with their outcomes, and the actions that repeat them.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { usePages } from '../../api/use-pages.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge, type BadgeKind } from '../../parts/badge.js';
import { Button, IconButton } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Select } from '../../parts/field.js';
import { ListEnd } from '../../parts/list-end.js';
import { notify } from '../../parts/notices.js';
import { Progress } from '../../parts/progress.js';
import { Table } from '../../parts/table.js';
import { deliveriesTexts } from './deliveries-texts.js';
import { nameOfEvent } from './event-types.js';
import {
  EndpointDeliveriesDocument,
  ReplayEndpointDeliveryDocument,
  ReplayFailedEndpointDeliveriesDocument,
  type DeliveryRowFragment,
  type EndpointDeliveryState,
} from './operations.js';
import styles from './settings.module.css';

const states: readonly EndpointDeliveryState[] = ['PENDING', 'DELIVERED', 'FAILED'];
const kinds: Record<EndpointDeliveryState, BadgeKind> = { PENDING: 'warning', DELIVERED: 'good', FAILED: 'danger' };
const pageSize = 25;
const readAgainMs = 4_000;
const soonMs = 60_000;
const replayedAtOnce = 1_000;
/** The limit keeps deliveries that fail again from being repeated without end. */
const maxRounds = 20;
const dayMs = 86_400_000;

export function EndpointDeliveries({ endpointId, isEnabled }: { endpointId: string; isEnabled: boolean }) {
  const texts = useTexts(deliveriesTexts);
  const navigate = useNavigate();
  const { state: wanted } = useSearch({ from: '/signed-in/settings/webhooks' });
  const state = states.find((one) => one === wanted);
  const [isAsking, setIsAsking] = useState(false);
  const pages = usePages(`deliveries ${endpointId} ${state}`, async (after) => {
    const filter = { endpointId, ...(state !== undefined && { states: [state] }) };
    return (await askAgain(EndpointDeliveriesDocument, { after, filter })).endpointDeliveries;
  });
  const { nodes, change, reload } = pages;
  const choose = (next: string) =>
    void navigate({ to: '/settings/webhooks', search: { id: endpointId, ...(next !== '' && { state: next }) } });

  const [isAsked, setIsAsked] = useState(false);
  useEffect(() => {
    if (!pages.isLoading) setIsAsked(false);
  }, [pages.isLoading]);
  // The page reads again while an attempt is due soon, unless the user has loaded further pages.
  useEffect(() => {
    if (nodes.length > pageSize || !isEnabled) return undefined;
    const timer = setInterval(() => nodes.some(isAttemptedSoon) && reload(), readAgainMs);
    return () => clearInterval(timer);
  });

  return (
    <div className={styles.section}>
      <div className={styles.toolbar}>
        <Select
          label={texts.state}
          value={state ?? ''}
          onChoose={choose}
          options={[{ value: '', label: texts.all }, ...states.map((one) => ({ value: one, label: texts[one] }))]}
        />
        <div className={styles.buttons}>
          <Button
            icon="refresh"
            isBusy={isAsked}
            onClick={() => {
              setIsAsked(true);
              reload();
            }}
          >
            {texts.refresh}
          </Button>
          {isEnabled && <Button onClick={() => setIsAsking(true)}>{texts.replayFailed}</Button>}
        </div>
      </div>
      {nodes.length > 0 && (
        <Table
          label={texts.deliveries}
          columns={[
            { name: texts.event },
            { name: texts.state },
            { name: texts.happened },
            { name: texts.attempts, isNumber: true },
            { name: texts.lastAnswer },
            { name: texts.replay, isNameHidden: true },
          ]}
        >
          {nodes.map((delivery) => (
            <Row
              key={delivery.id}
              delivery={delivery}
              canReplay={isEnabled}
              onReplayed={(next) => change((all) => all.map((one) => (one.id === next.id ? next : one)))}
            />
          ))}
        </Table>
      )}
      {!pages.isLoading && pages.error === undefined && nodes.length === 0 && (
        <EmptyState title={texts.none} hint={state === undefined ? texts.noneHint : texts.noneFits} />
      )}
      <ListEnd pages={pages} />
      {isAsking && (
        <ReplayFailed
          endpointId={endpointId}
          onClose={() => {
            setIsAsking(false);
            reload();
          }}
        />
      )}
    </div>
  );
}

function isAttemptedSoon({ state, nextAttemptAt }: DeliveryRowFragment): boolean {
  if (state !== 'PENDING') return false;
  return nextAttemptAt === null || Date.parse(nextAttemptAt) - Date.now() < soonMs;
}

interface RowProps {
  delivery: DeliveryRowFragment;
  canReplay: boolean;
  onReplayed: (delivery: DeliveryRowFragment) => void;
}

function Row({ delivery, canReplay, onReplayed }: RowProps) {
  const texts = useTexts(deliveriesTexts);
  const formats = useFormats();
  const { id, type, state, occurredAt, attemptCount, lastStatus, lastError, nextAttemptAt, deliveredAt } = delivery;
  const replay = useAction(async () => {
    onReplayed((await ask(ReplayEndpointDeliveryDocument, { id })).replayEndpointDelivery);
    notify(texts.replayed);
  });
  return (
    <tr>
      <td>
        <code>{nameOfEvent(type)}</code>
      </td>
      <td>
        <Badge kind={kinds[state]}>{texts[state]}</Badge>
      </td>
      <td title={id} className={styles.nowrap}>
        {formats.full(occurredAt)}
      </td>
      <td className={styles.number}>{formats.number(attemptCount)}</td>
      <td>
        {lastStatus} {lastError}
        {state === 'PENDING' && nextAttemptAt !== null && (
          <small className={styles.line}>{texts.next(formats.full(nextAttemptAt))}</small>
        )}
        {deliveredAt !== null && <small className={styles.line}>{texts.arrived(formats.full(deliveredAt))}</small>}
      </td>
      <td className={styles.rowActions}>
        {canReplay && (
          <IconButton icon="refresh" label={texts.replay} isBusy={replay.isBusy} onClick={() => void replay.start()} />
        )}
      </td>
    </tr>
  );
}

/** Repeats all failed deliveries since a time, in portions, until none is left. */
function ReplayFailed({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const texts = useTexts(deliveriesTexts);
  const [days, setDays] = useState('7');
  const [done, setDone] = useState<number>();
  const run = async () => {
    const since = new Date(Date.now() - Number(days) * dayMs).toISOString();
    let sum = 0;
    setDone(0);
    for (let round = 0; round < maxRounds; round += 1) {
      const answer = await ask(ReplayFailedEndpointDeliveriesDocument, { endpointId, since });
      sum += answer.replayFailedEndpointDeliveries;
      setDone(sum);
      if (answer.replayFailedEndpointDeliveries < replayedAtOnce) break;
    }
    notify(texts.replayedMany(sum));
  };
  return (
    <ConfirmDialog
      title={texts.replayFailedTitle}
      text={texts.replayFailedText}
      confirmLabel={texts.replayFailed}
      kind="primary"
      onConfirm={run}
      onClose={onClose}
    >
      <div className={styles.choice}>
        <Select
          label={texts.since}
          value={days}
          onChoose={setDays}
          options={['1', '7', '30'].map((one) => ({ value: one, label: texts.lastDays(Number(one)) }))}
        />
      </div>
      {done !== undefined && <Progress label={texts.replayFailed} text={texts.replayedMany(done)} />}
    </ConfirmDialog>
  );
}
