// Bulk sends: the list with live progress, the page of one send or of its parts, and the form for a new send.

import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import { askAgain } from '../../api/client.js';
import { useFeed } from '../../api/use-loaded.js';
import { usePages } from '../../api/use-pages.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button, IconButton } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Page } from '../../parts/page.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { BulkDetail, Schedule } from './bulk-detail.js';
import { BulkProgress } from './bulk-progress.js';
import styles from './bulk.module.css';
import { NewBulk } from './new-bulk.js';
import { BulkListDocument, type BulkLineFragment } from './operations.js';
import { unfinishedSend } from './running-send.js';
import { SendingPanel } from './sending-panel.js';
import { bulkTexts } from './texts.js';

const pageSize = 20;
/** Separates the ids in the address when one send has several parts. */
const separator = '.';

export function BulkPage() {
  const texts = useTexts(bulkTexts);
  const { id } = useSearch({ from: '/signed-in/bulk' });
  const navigate = useNavigate();
  const open = (ids?: readonly string[]) =>
    void navigate({ to: '/bulk', search: ids === undefined ? {} : { id: ids.join(separator) } });
  if (id === undefined) return <BulkList onOpen={open} />;
  const back = <IconButton icon="back" label={texts.back} onClick={() => open()} />;
  if (id === 'new') return <NewOrInterrupted back={back} onSent={open} />;
  return (
    <Page title={texts.title} back={back}>
      <div className={styles.stack}>
        {id.split(separator).length > 1 && <p className={styles.quiet}>{texts.partsHint}</p>}
        {id.split(separator).map((part) => (
          <BulkDetail key={part} id={part} />
        ))}
      </div>
    </Page>
  );
}

function BulkList({ onOpen }: { onOpen: (ids: readonly string[]) => void }) {
  const texts = useTexts(bulkTexts);
  const pages = usePages('bulk', async (after) => {
    return (await askAgain(BulkListDocument, { first: pageSize, ...(after !== undefined && { after }) })).bulkSends;
  });
  useLiveProgress(pages);
  const [interrupted, forget] = useInterrupted();
  const isEmpty = !pages.isLoading && pages.error === undefined && pages.nodes.length === 0;
  return (
    <Page
      isGround={!isEmpty}
      title={texts.title}
      actions={
        <Button kind="primary" icon="plus" onClick={() => onOpen(['new'])}>
          {texts.create}
        </Button>
      }
    >
      <div className={styles.stack}>
        {interrupted !== undefined && (
          <SendingPanel initial={interrupted} isInterrupted onSent={onOpen} onGivenUp={forget} />
        )}
        {pages.nodes.length > 0 && (
          <ul className={styles.stack} aria-label={texts.title}>
            {pages.nodes.map((send) => (
              <li key={send.id}>
                <Line send={send} />
              </li>
            ))}
          </ul>
        )}
        {pages.error !== undefined && <LoadFailed error={pages.error} onRetry={pages.reload} />}
        {pages.isLoading && <Loading />}
        {isEmpty && interrupted === undefined && (
          <EmptyState title={texts.empty} hint={texts.emptyHint}>
            <Button onClick={() => onOpen(['new'])}>{texts.create}</Button>
          </EmptyState>
        )}
        {pages.hasMore && (
          <Button isBusy={pages.isLoading} onClick={pages.loadMore}>
            {texts.more}
          </Button>
        )}
      </div>
    </Page>
  );
}

/** Returns a send that is under way or was interrupted, and a function that forgets it. */
function useInterrupted() {
  const { user } = useStore(sessionState);
  const [interrupted, setInterrupted] = useState(() => (user === undefined ? undefined : unfinishedSend(user.id)));
  return [interrupted, () => setInterrupted(undefined)] as const;
}

/** Shows an unfinished send before the form, because part of it may have been sent already. */
function NewOrInterrupted({ back, onSent }: { back: ReactNode; onSent: (ids: readonly string[]) => void }) {
  const texts = useTexts(bulkTexts);
  const [interrupted, forget] = useInterrupted();
  if (interrupted === undefined) return <NewBulk back={back} onSent={onSent} />;
  return (
    <Page title={texts.create} back={back}>
      <SendingPanel initial={interrupted} isInterrupted onSent={onSent} onGivenUp={forget} />
    </Page>
  );
}

function Line({ send }: { send: BulkLineFragment }) {
  const texts = useTexts(bulkTexts);
  const formats = useFormats();
  const { id, template, channelTemplate, instance, createdAt, canceledAt, skipped } = send;
  const name = template?.name ?? channelTemplate?.name ?? texts.deletedTemplate;
  return (
    <article className={styles.card} aria-label={name}>
      <header className={styles.head}>
        <h2>
          <Link to="/bulk" search={{ id }} dir="auto">
            {name}
          </Link>
        </h2>
        {canceledAt !== null && <Badge kind="warning">{texts.canceledBadge}</Badge>}
        <Schedule send={send} />
        <small>
          <time dateTime={createdAt} title={formats.full(createdAt)}>
            {formats.short(createdAt)}
          </time>{' '}
          · {instance.instanceName}
          {skipped > 0 && ` · ${texts.skippedCount(formats.number(skipped))}`}
        </small>
      </header>
      <BulkProgress name={name} send={send} />
    </article>
  );
}

/** Updates the shown sends by events. An event for an unknown send reads the list again. */
function useLiveProgress({ nodes, change, reload }: ReturnType<typeof usePages<BulkLineFragment>>): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useFeed(({ bulkSend }) => {
    if (bulkSend === null) return;
    if (nodes.some(({ id }) => id === bulkSend.id))
      return change((sends) => sends.map((send) => (send.id === bulkSend.id ? { ...send, ...bulkSend } : send)));
    clearTimeout(timer.current);
    timer.current = setTimeout(reload, 1_000);
  }, reload);
}
