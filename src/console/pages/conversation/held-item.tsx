// A held message that was not sent yet. It can be taken back; after a failure it shows the possible actions.

import { useStore } from '../../app/store.js';
import { useTexts, type Texts } from '../../i18n/language.js';
import { useFormats } from '../../i18n/format.js';
import type { ConversationStore } from '../../live/conversation-store.js';
import type { Draft } from '../../live/drafts.js';
import type { Failure, HeldSend } from '../../live/held-sends.js';
import { heldSends } from '../../live/outgoing.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { composerTexts } from './composer-texts.js';
import styles from './message.module.css';
import { conversationTexts } from './texts.js';

interface HeldItemProps {
  send: HeldSend<Draft>;
  author: string;
  isActive: boolean;
  store: ConversationStore;
  onTakeBack: (key: string) => void;
}

export function HeldItem({ send, author, isActive, store, onTakeBack }: HeldItemProps) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  const { key, state, failure, draft, input } = send;
  const time = formats.time(new Date(send.createdAt).toISOString());
  const isFailed = state === 'failed';
  const word = isFailed ? texts.notSent : state === 'sending' ? texts.sending : texts.held;
  return (
    <article
      className={styles.message}
      aria-label={`${author}, ${time}, ${word}`}
      tabIndex={isActive ? 0 : -1}
      data-message={key}
      data-direction="OUTBOUND"
      data-held={state}
    >
      <div className={styles.bubble}>
        <p className={styles.author}>
          <bdi>{author}</bdi>
        </p>
        <Attached draft={draft} />
        <p className={styles.text} dir="auto">
          {input.body ?? input.media?.caption ?? draft.shown}
        </p>
        <p className={styles.meta}>
          {input.sendAt != null && <span>{texts.leaves(formats.full(input.sendAt))}</span>}
          <time>{time}</time>
          <span className={styles.status} data-status={isFailed ? 'failed' : 'queued'}>
            <Icon name={isFailed ? 'warning' : 'clock'} size={14} />
            {word}
          </span>
        </p>
        {state === 'held' && <Held send={send} onTakeBack={onTakeBack} />}
        {failure !== undefined && <Failed {...{ send, failure, store, onTakeBack }} />}
      </div>
    </article>
  );
}

function Attached({ draft: { quote, files } }: { draft: Draft }) {
  const formats = useFormats();
  return (
    <>
      {quote !== undefined && (
        <p className={styles.quote}>
          <strong>{quote.author}</strong>
          <span dir="auto">{quote.text}</span>
        </p>
      )}
      {files.map(({ id, name, size }) => (
        <p key={id} className={styles.file}>
          <Icon name="file" size={24} />
          <span>
            <strong dir="auto">{name}</strong>
            <small>{formats.bytes(size)}</small>
          </span>
        </p>
      ))}
    </>
  );
}

function Held({ send: { key, after }, onTakeBack }: Pick<HeldItemProps, 'send' | 'onTakeBack'>) {
  const composer = useTexts(composerTexts);
  const isBehindFailed = useStore(heldSends.list).some((one) => one.key === after && one.state === 'failed');
  return (
    <div className={styles.trouble}>
      {isBehindFailed && <p>{composer.waitsBefore}</p>}
      <Button icon="back" onClick={() => onTakeBack(key)}>
        {composer.undo}
      </Button>
    </div>
  );
}

interface FailedProps extends Pick<HeldItemProps, 'send' | 'store' | 'onTakeBack'> {
  failure: Failure;
}

function Failed({ send: { key }, failure, store, onTakeBack }: FailedProps) {
  const composer = useTexts(composerTexts);
  const isConflict = failure.code === 'CONFLICT' && failure.unseen !== undefined;
  return (
    <div className={styles.trouble}>
      <p className={styles.error} role="alert">
        {explainFailure(failure, composer)}
        {failure.requestId !== undefined && !isConflict && <small> {failure.requestId}</small>}
      </p>
      {isConflict ? (
        <Button kind="primary" onClick={() => void heldSends.retry(key, store.newestShownId)}>
          {composer.answerAnyway}
        </Button>
      ) : (
        <Button icon="refresh" onClick={() => void heldSends.retry(key)}>
          {composer.tryAgain}
        </Button>
      )}
      <Button icon="edit" onClick={() => onTakeBack(key)}>
        {composer.editText}
      </Button>
      <Button kind="danger" onClick={() => heldSends.discard(key)}>
        {composer.discard}
      </Button>
    </div>
  );
}

function explainFailure(
  { code, message, unseen, isTemporary }: Failure,
  texts: ReturnType<typeof useTexts<typeof composerTexts extends Texts<infer English> ? English : never>>,
): string {
  if (code === 'CONFLICT' && unseen !== undefined) return texts.unseen(Math.max(1, unseen));
  if (code === 'OPTED_OUT') return texts.optedOut;
  if (code === 'WINDOW_CLOSED') return texts.windowClosed;
  if (code === 'STALE') return texts.stale;
  return isTemporary ? texts.network : message;
}
