// The page of one bulk send: its content, progress and failures, and the button that stops the rest of it.

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { usePages } from '../../api/use-pages.js';
import { useNow } from '../../app/now.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { EmptyState } from '../../parts/empty-state.js';
import { adviceFor, failureTexts } from '../../parts/failure-texts.js';
import { notify } from '../../parts/notices.js';
import { LeadName } from '../../parts/phone-number.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { Table } from '../../parts/table.js';
import { BulkProgress, type ExpectedEnd } from './bulk-progress.js';
import styles from './bulk.module.css';
import {
  BulkPaceDocument,
  FailedOfBulkDocument,
  OneBulkDocument,
  StopBulkDocument,
  type BulkLineFragment,
} from './operations.js';
import { bulkTexts } from './texts.js';

export function BulkDetail({ id }: { id: string }) {
  const texts = useTexts(bulkTexts);
  const { data, error, isLoading, reload, change } = useLoaded(id, () => askAgain(OneBulkDocument, { id }));
  useFeed(({ bulkSend: told }) => {
    if (told?.id !== id) return;
    change(({ bulkSend }) => ({ bulkSend: bulkSend === null ? null : { ...bulkSend, ...told } }));
  }, reload);
  if (error !== undefined && data === undefined) return <LoadFailed error={error} onRetry={reload} />;
  if (data === undefined) return isLoading ? <Loading /> : null;
  if (data.bulkSend === null) return <EmptyState title={texts.notFound} />;
  return <ShownBulk send={data.bulkSend} onChange={(bulkSend) => change(() => ({ bulkSend }))} />;
}

function ShownBulk({ send, onChange }: { send: BulkLineFragment; onChange: (send: BulkLineFragment) => void }) {
  const texts = useTexts(bulkTexts);
  const [isCanceling, setIsCanceling] = useState(false);
  const { template, channelTemplate, canceledAt, progress } = send;
  const name = template?.name ?? channelTemplate?.name ?? texts.deletedTemplate;
  const waiting = progress.queued + progress.sending;
  const end = useExpectedEnd(send);
  return (
    <section className={styles.card} aria-label={name}>
      <header className={styles.head}>
        <h2 dir="auto">{name}</h2>
        {canceledAt !== null && <Badge kind="warning">{texts.canceledBadge}</Badge>}
        <Schedule send={send} />
        {waiting > 0 && canceledAt === null && (
          <Button kind="danger" onClick={() => setIsCanceling(true)}>
            {texts.cancel}
          </Button>
        )}
      </header>
      <BulkProgress name={name} send={send} end={end} />
      <Facts send={send} />
      {progress.failed > 0 && <FailedMessages id={send.id} count={progress.failed} />}
      {isCanceling && <CancelDialog send={send} onClose={() => setIsCanceling(false)} onChange={onChange} />}
    </section>
  );
}

/** Returns when everything that waits has left. A bulk send leaves behind all answers, so it is about done then. */
function useExpectedEnd({ progress, canceledAt, scheduledFor }: BulkLineFragment): ExpectedEnd | undefined {
  const now = useNow();
  const isOver = progress.queued === 0 || canceledAt !== null;
  const isLater = scheduledFor !== null && Date.parse(scheduledFor) > now;
  const { data } = useLoaded(
    isOver || isLater ? undefined : `pace ${progress.queued}`,
    async () => (await askAgain(BulkPaceDocument, { count: 0 })).sendingPace,
  );
  return data?.doneAt == null ? undefined : { at: data.doneAt, isLater: !data.isComplete };
}

function Facts({ send }: { send: BulkLineFragment }) {
  const texts = useTexts(bulkTexts);
  const formats = useFormats();
  const { template, templateVersion, instance, total, skipped, createdAt, scheduledFor, canceledAt } = send;
  return (
    <dl className={styles.facts}>
      <dt>{texts.recipients}</dt>
      <dd>{formats.number(total)}</dd>
      {skipped > 0 && (
        <>
          <dt>{texts.leftOut}</dt>
          <dd>{texts.skippedCount(formats.number(skipped))}</dd>
        </>
      )}
      <dt>{texts.instance}</dt>
      <dd>{instance.instanceName}</dd>
      {templateVersion !== null && (
        <>
          <dt>{texts.version}</dt>
          <dd>
            {template === null ? (
              formats.number(templateVersion)
            ) : (
              <Link to="/templates" search={{ id: template.id }}>
                {formats.number(templateVersion)}
              </Link>
            )}
          </dd>
        </>
      )}
      <dt>{texts.createdAt}</dt>
      <dd>{formats.full(createdAt)}</dd>
      {scheduledFor !== null && (
        <>
          <dt>{texts.leavesAt}</dt>
          <dd>{formats.full(scheduledFor)}</dd>
        </>
      )}
      {canceledAt !== null && (
        <>
          <dt>{texts.canceledBadge}</dt>
          <dd>{formats.full(canceledAt)}</dd>
        </>
      )}
    </dl>
  );
}

/** Shows the time of a scheduled send until that time has come. A canceled send shows none. */
export function Schedule({ send: { scheduledFor, canceledAt } }: { send: BulkLineFragment }) {
  const texts = useTexts(bulkTexts);
  const formats = useFormats();
  const now = useNow();
  if (scheduledFor === null || canceledAt !== null || Date.parse(scheduledFor) <= now) return null;
  return <Badge kind="accent">{texts.scheduled(formats.full(scheduledFor))}</Badge>;
}

/** A change of `count` reads the list again, because more messages have failed. */
function FailedMessages({ id, count }: { id: string; count: number }) {
  const texts = useTexts(bulkTexts);
  const failures = useTexts(failureTexts);
  const formats = useFormats();
  const pages = usePages(`${id} ${count}`, async (after) => {
    return (await askAgain(FailedOfBulkDocument, { id, ...(after !== undefined && { after }) })).allMessages;
  });
  return (
    <div className={styles.stack}>
      <h3>{texts.failedMessages}</h3>
      {pages.nodes.length > 0 && (
        <Table
          label={texts.failedMessages}
          columns={[{ name: texts.lead }, { name: texts.reason }, { name: texts.at }]}
        >
          {pages.nodes.map(({ id: messageId, lead, error, failedAt }) => (
            <tr key={messageId}>
              <td>
                <Link to="/inbox/$leadId" params={{ leadId: lead.id }} search={{ message: messageId }} dir="auto">
                  <LeadName name={lead.name} />
                </Link>
              </td>
              <td className={styles.reason}>
                {adviceFor(error?.code, failures)}
                {error != null && (
                  <small>
                    {error.message} <code>{error.code}</code>
                  </small>
                )}
              </td>
              <td>{failedAt === null ? '' : formats.short(failedAt)}</td>
            </tr>
          ))}
        </Table>
      )}
      {pages.error !== undefined && <LoadFailed error={pages.error} onRetry={pages.reload} />}
      {pages.isLoading && pages.nodes.length === 0 && <Loading />}
      {pages.hasMore && (
        <Button isBusy={pages.isLoading} onClick={pages.loadMore}>
          {texts.more}
        </Button>
      )}
    </div>
  );
}

interface CancelProps {
  send: BulkLineFragment;
  onClose: () => void;
  onChange: (send: BulkLineFragment) => void;
}

function CancelDialog({ send, onClose, onChange }: CancelProps) {
  const texts = useTexts(bulkTexts);
  const formats = useFormats();
  const { queued, sending, total } = { ...send.progress, total: send.total };
  return (
    <ConfirmDialog
      title={texts.cancelTitle}
      text={texts.cancelWaiting(formats.number(queued), formats.number(total))}
      confirmLabel={texts.cancelNow}
      keepLabel={texts.keepSending}
      onConfirm={async () => {
        const { cancelBulkSend } = await ask(StopBulkDocument, { id: send.id });
        onChange(cancelBulkSend);
        notify(texts.canceled(formats.number(cancelBulkSend.progress.canceled)));
      }}
      onClose={onClose}
    >
      {sending > 0 && <p>{texts.cancelOnTheWay(formats.number(sending))}</p>}
      <p>{texts.cancelFinal}</p>
    </ConfirmDialog>
  );
}
