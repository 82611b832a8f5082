// A message in the log, with its actions.

import { memo, useLayoutEffect, useState, type KeyboardEvent } from 'react';
import { ask } from '../../api/client.js';
import { withReadableDates } from '../../i18n/dates-in-text.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { shownTimeOf, type ChatMessage, type ConversationStore } from '../../live/conversation-store.js';
import type { Conversation } from '../../live/conversations.js';
import { matchesIn } from '../../live/found-words.js';
import { Badge } from '../../parts/badge.js';
import { Button, IconButton } from '../../parts/button.js';
import { adviceFor, failureTexts } from '../../parts/failure-texts.js';
import { FoundText } from '../../parts/found-text.js';
import { Icon } from '../../parts/icon.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { notify, notifyFailure } from '../../parts/notices.js';
import { LeadName } from '../../parts/phone-number.js';
import { ReferralCard } from '../../parts/referral-card.js';
import { ChoiceCard, saysItself } from './choice-card.js';
import choiceStyles from './choice.module.css';
import { MessageDetails } from './message-details.js';
import { MessageMedia } from './message-media.js';
import { CancelButton, MessageWaiting } from './message-waiting.js';
import styles from './message.module.css';
import { ReactToMessageDocument, RetryMessageDocument } from './operations.js';
import { Reactions, reactionChoices } from './reactions.js';
import { StopHint } from './stop-hint.js';
import { conversationTexts } from './texts.js';
import { useCall } from './use-call.js';
import type { Waiting } from './use-waiting.js';
import { authorOf, callNameOf, canQuote, isEmptyMessage, piecesOf, statusOf } from './words.js';

interface MessageItemProps {
  message: ChatMessage;
  leadId: string;
  leadName: string;
  /** True if the user may still opt the lead out by hand. */
  canOptOut: boolean;
  store: ConversationStore;
  waiting: Waiting | undefined;
  /** The words by which a search found it; they are marked. */
  foundBy: string | undefined;
  /** True for the row that keyboard navigation has reached. Tab reaches only its buttons. */
  isActive: boolean;
  isHighlighted: boolean;
  /** True if the previous message has the same author. */
  isFollowUp: boolean;
  /** True if the next message has the same author: its line of time and status then stands for both. */
  isFollowed: boolean;
  onQuote: (message: ChatMessage) => void;
  onJump: (id: string) => void;
  conversation: Conversation;
}

export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { message, store, leadName, isActive, isHighlighted, isFollowUp, isFollowed } = props;
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  const author = authorOf(message, { lead: leadName, phone: texts.phone, system: texts.system });
  const status = statusOf(message);
  const at = shownTimeOf(message);
  const time = formats.timeBeside(message.createdAt, at);
  useLayoutEffect(() => store.noteShown(message), [store, message]);
  const name = [author, time, ...(status === undefined ? [] : [texts[status]])].join(', ');
  const isQuiet = isFollowed && (status === undefined || quietStatuses.has(status)) && message.editedAt === null;
  return (
    <article
      className={styles.message}
      aria-label={name}
      aria-describedby={status === 'failed' || status === 'unconfirmed' ? failureId(message.id) : undefined}
      tabIndex={isActive ? 0 : -1}
      data-message={message.id}
      data-direction={message.direction}
      data-highlighted={isHighlighted || undefined}
      data-follows={isFollowUp || undefined}
      data-followed={isQuiet || undefined}
      data-scheduled={status === 'scheduled' || undefined}
      data-reacted={message.reactions.length > 0 || undefined}
    >
      {/* The lead's name stands in the header. */}
      <p className={isFollowUp || message.direction === 'INBOUND' ? 'visually-hidden' : styles.author}>
        <bdi>{author}</bdi>
        {message.origin === 'BULK' && <Badge>{texts.bulk}</Badge>}
      </p>
      <div className={styles.line}>
        <div className={styles.bubble}>
          <Content {...props} />
          <Reactions message={message} leadName={leadName} isActive={isActive} />
        </div>
        {message.deletedAt === null && <Actions {...props} />}
      </div>
      <p className={isQuiet ? 'visually-hidden' : styles.meta}>
        {message.editedAt !== null && message.deletedAt === null && <span>{texts.edited}</span>}
        <time dateTime={at} title={formats.full(at)}>
          {time}
        </time>
        {status !== undefined && <Status status={status} />}
      </p>
      <Trouble {...props} />
      {message.mayWantToStop && props.canOptOut && message.deletedAt === null && <StopHint {...props} />}
    </article>
  );
});

/** Said once for the messages of a turn, under the last. */
const quietStatuses: ReadonlySet<string> = new Set(['sent', 'delivered', 'read']);

function Content({ message, leadName, store, foundBy = '', onJump }: MessageItemProps) {
  const texts = useTexts(conversationTexts);
  const { replyTo, media, referral, choice, deletedAt } = message;
  if (deletedAt !== null) return <p className={styles.gone}>{texts.deleted}</p>;
  const text = wordsOf(message);
  const quotedBy = replyTo?.direction === 'INBOUND' ? leadName : texts.someone;
  if (message.type === 'call' && callNameOf(message) !== null) return <Call message={message} />;
  return (
    <>
      {message.isForwarded && <p className={choiceStyles.mark}>{texts.forwarded}</p>}
      {replyTo !== null && (
        <button type="button" className={styles.quote} onClick={() => onJump(replyTo.id)}>
          <strong>
            <LeadName name={quotedBy} />
          </strong>
          <span dir="auto">
            {replyTo.deletedAt !== null
              ? texts.quotedDeleted
              : (replyTo.body ?? replyTo.media?.fileName ?? texts.quotedFile)}
          </span>
          <span className="visually-hidden">{texts.showQuoted}</span>
        </button>
      )}
      {referral !== null && <ReferralCard referral={referral} />}
      {choice !== null && <ChoiceCard choice={choice} />}
      {media !== null && <MessageMedia message={message} media={media} store={store} />}
      {isEmptyMessage(message) && (
        <p className={styles.gone}>{message.type === 'unknown' ? texts.notHereYet : texts.unknownKind(message.type)}</p>
      )}
      {text !== '' && (
        <p className={styles.text} dir="auto">
          {piecesOf(text).map(({ text: piece, href }, index) =>
            href === undefined ? (
              <FoundText key={index} text={piece} matches={matchesIn(piece, foundBy)} />
            ) : (
              <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow">
                <FoundText text={piece} matches={matchesIn(piece, foundBy)} />
              </a>
            ),
          )}
        </p>
      )}
    </>
  );
}

function Call({ message }: { message: ChatMessage }) {
  const texts = useTexts(conversationTexts);
  const name = callNameOf(message) ?? 'voiceCall';
  return (
    <p className={choiceStyles.call}>
      <Icon name={name === 'videoCall' ? 'video' : 'call'} />
      {texts[name]}
    </p>
  );
}

// Returns an empty text if a card shows the words already: a referral's headline that stands for a missing text, or a choice.
function wordsOf({ body, media, referral, choice }: ChatMessage): string {
  if (choice !== null && saysItself(choice, body)) return '';
  return body !== null && body === referral?.headline ? '' : (body ?? media?.caption ?? '');
}

const statusIcons = {
  queued: 'clock',
  scheduled: 'clock',
  sending: 'clock',
  unconfirmed: 'warning',
  sent: 'check',
  delivered: 'checks',
  read: 'checks',
  failed: 'warning',
  canceled: 'close',
} as const;

function Status({ status }: { status: keyof typeof statusIcons }) {
  const texts = useTexts(conversationTexts);
  return (
    <span className={styles.status} data-status={status}>
      <Icon name={statusIcons[status]} size={14} />
      {texts[status]}
    </span>
  );
}

/** Shows the message's delay or failure, and the actions against it. */
function Trouble(props: MessageItemProps) {
  const status = statusOf(props.message);
  if (status === 'failed' || status === 'unconfirmed') return <Failed {...props} isOpen={status === 'unconfirmed'} />;
  // A message that is being handed over waits for nothing.
  const isLate = status === 'sending' && props.waiting?.waitingReason != null;
  return status === 'queued' || status === 'scheduled' || isLate ? <MessageWaiting {...props} /> : null;
}

/** The message that keys have reached says by this what to do first, and why it failed. */
const failureId = (id: string) => `failure-${id}`;

function Failed({ message: { id, error }, isOpen }: MessageItemProps & { isOpen: boolean }) {
  const texts = useTexts(conversationTexts);
  const todo = useTexts(failureTexts);
  const { isBusy, run } = useCall();
  return (
    <div className={styles.failure}>
      <Icon name="warning" />
      <div id={failureId(id)}>
        <strong>{isOpen ? texts.confirmSent : adviceFor(error?.code, todo)}</strong>
        {error !== null && (
          <p>
            {withReadableDates(error.message)} <code>{error.code}</code>
          </p>
        )}
      </div>
      <div className={styles.failureActs}>
        <Button icon="refresh" isBusy={isBusy} onClick={() => run(() => ask(RetryMessageDocument, { id }))}>
          {texts.retry}
        </Button>
        {isOpen && <CancelButton id={id} />}
      </div>
    </div>
  );
}

const emojiColumns = 4;

/** Moves the focus in a grid with `emojiColumns` columns. The menu itself handles only a single column. */
function moveInGrid(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -emojiColumns, ArrowDown: emojiColumns }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const from = items.findIndex((item) => item === document.activeElement);
  items[(from + by + items.length) % items.length]?.focus();
}

function Actions({ message, isActive, onQuote }: MessageItemProps) {
  const texts = useTexts(conversationTexts);
  const [hasDetails, setDetails] = useState(false);
  const { isBusy, run } = useCall();
  const tabIndex = isActive ? 0 : -1;
  const text = message.body ?? message.media?.caption ?? '';
  const isAtNetwork = canQuote(message);
  return (
    <div className={styles.actions}>
      {isAtNetwork && (
        <Menu trigger={<IconButton icon="smile" label={texts.addReaction} tabIndex={tabIndex} isBusy={isBusy} />}>
          <div className={styles.emojis} role="presentation" onKeyDown={moveInGrid}>
            {reactionChoices.map((emoji) => (
              <MenuItem key={emoji} onChoose={() => run(() => ask(ReactToMessageDocument, { id: message.id, emoji }))}>
                {emoji}
              </MenuItem>
            ))}
          </div>
        </Menu>
      )}
      {isAtNetwork && (
        <IconButton icon="reply" label={texts.quote} tabIndex={tabIndex} onClick={() => onQuote(message)} />
      )}
      <Menu trigger={<IconButton icon="more" label={texts.actions} tabIndex={tabIndex} />}>
        <MenuItem onChoose={() => setDetails(true)}>{texts.details}</MenuItem>
        {text !== '' && (
          <MenuItem
            onChoose={() => {
              navigator.clipboard.writeText(text).then(() => notify(texts.copied), notifyFailure);
            }}
          >
            {texts.copyText}
          </MenuItem>
        )}
      </Menu>
      {hasDetails && <MessageDetails message={message} onClose={() => setDetails(false)} />}
    </div>
  );
}
