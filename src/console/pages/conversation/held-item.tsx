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
import { Keys } from '../../parts/keys.js';
import { partTexts } from '../../parts/part-texts.js';
import { composerTexts } from './composer-texts.js';
import { FileFace } from './file-face.js';
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
      <p className="visually-hidden">
        <bdi>{author}</bdi>
      </p>
      <div className={styles.line}>
        <div className={styles.bubble}>
          <Attached draft={draft} />
          <p className={styles.text} dir="auto">
            {input.body ?? input.media?.caption ?? draft.shown}
          </p>
        </div>
      </div>
      <div className={styles.meta}>
        {input.sendAt != null && <span>{texts.leaves(formats.near(input.sendAt))}</span>}
        <time>{time}</time>
        <span className={styles.status} data-status={isFailed ? 'failed' : 'queued'}>
          <Icon name={isFailed ? 'warning' : 'clock'} size={14} />
          {word}
        </span>
        {state === 'held' && <Held send={send} onTakeBack={onTakeBack} />}
      </div>
      {failure !== undefined && <Failed {...{ send, failure, store, onTakeBack }} />}
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
          <FileFace id={id} size={24} />
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
  const parts = useTexts(partTexts);
  const isBehindFailed = useStore(heldSends.list).some((one) => one.key === after && one.state === 'failed');
  return (
    <>
      {isBehindFailed && <span>{composer.waitsBefore}</span>}
      <Button kind="quiet" className={styles.undo ?? ''} onClick={() => onTakeBack(key)}>
        {parts.undo}
        <span aria-hidden>
          <Keys keys="z" />
        </span>
      </Button>
    </>
  );
}

interface FailedProps extends Pick<HeldItemProps, 'send' | 'store' | 'onTakeBack'> {
  failure: Failure;
}

function Failed({ send: { key }, failure, store, onTakeBack }: FailedProps) {
  const texts = useTexts(conversationTexts);
  const composer = useTexts(composerTexts);
  const isConflict = failure.code === 'CONFLICT' && failure.unseen !== undefined;
  return (
    <div className={styles.failure}>
      <Icon name="warning" />
      <p role="alert">
        <span className="visually-hidden">{texts.notSent}. </span>
        <strong>{explainFailure(failure, composer)}</strong>
        {failure.requestId !== undefined && !isConflict && <small> {failure.requestId}</small>}
      </p>
      <div className={styles.failureActs}>
        {isConflict ? (
          <Button onClick={() => void heldSends.retry(key, store.newestShownId)}>{composer.answerAnyway}</Button>
        ) : (
          <Button icon="refresh" onClick={() => void heldSends.retry(key)}>
            {composer.tryAgain}
          </Button>
        )}
        <Button onClick={() => onTakeBack(key)}>{composer.editText}</Button>
        <Button kind="danger" onClick={() => heldSends.discard(key)}>
          {composer.discard}
        </Button>
      </div>
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
  if (code === 'RATE_LIMITED') return texts.limited;
  if (code === 'UNAUTHENTICATED') return texts.signedOut;
  return isTemporary ? texts.network : message;
}
