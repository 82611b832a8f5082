// Shows one event of a lead: something said, written down, or changed.

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ask } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Avatar } from '../../parts/avatar.js';
import { Button } from '../../parts/button.js';
import { Icon, type IconName } from '../../parts/icon.js';
import { iconOfType } from '../../parts/message-words.js';
import { nameOf } from '../../parts/name-of.js';
import { inNetworkWords } from '../../parts/network-texts.js';
import { notify } from '../../parts/notices.js';
import { partTexts } from '../../parts/part-texts.js';
import { LeadName } from '../../parts/phone-number.js';
import { ReferralCard } from '../../parts/referral-card.js';
import { nameOfSource } from '../../parts/source-name.js';
import { saysHow } from './consent-words.js';
import { CancelScheduledDocument, SeparateLeadsDocument, type WholeLeadFragment } from './operations.js';
import { storyTexts } from './story-texts.js';
import {
  isOfNetwork,
  isScheduled,
  timeOf,
  type StoryEvent,
  type StoryFold,
  type StoryMerge,
  type StoryMessage,
  type StoryOrder,
  type StoryTouch,
} from './story.js';
import styles from './story.module.css';
import { leadTexts } from './texts.js';

interface LineProps extends Pick<StoryEvent, 'item' | 'isFollowUp'> {
  lead: WholeLeadFragment;
  onReload: () => void;
}

export function StoryLine({ item, isFollowUp, lead, onReload }: LineProps) {
  const texts = useTexts(storyTexts);
  const words = useTexts(leadTexts);
  const { at } = item;
  if (item.kind === 'message') return <Said message={item.message} isFollowUp={isFollowUp} lead={lead} />;
  if (item.kind === 'touch') return <Touched touch={item.touch} />;
  if (item.kind === 'merge') return <Merged merge={item.merge} onReload={onReload} />;
  if (item.kind === 'note') {
    const { author, body } = item.note;
    return (
      <Line at={at} mark={<Avatar id={author.id} name={nameOf(author)} size={26} title={nameOf(author)} />}>
        <p className={styles.bubble} data-kind="note" dir="auto">
          {body}
        </p>
        <small>{texts.noteOf(nameOf(author))}</small>
      </Line>
    );
  }
  if (item.kind === 'assignment') {
    const { assignee, user } = item.assignment;
    const by = nameOf(user);
    return (
      <Line at={at} icon="user">
        <p>
          {assignee === null
            ? texts.takenAway(by)
            : assignee.id === user.id
              ? texts.tookOver(by)
              : texts.assigned(by, nameOf(assignee))}
        </p>
      </Line>
    );
  }
  const { action, reason, isSuperseded } = item.entry;
  return (
    <Line at={at} icon="check">
      <p dir="auto">
        <strong>{words[action]}</strong>: {saysHow(item.entry, words)}
        {reason !== null && ` (${reason})`}
        {isSuperseded && ` · ${words.superseded}`}
      </p>
    </Line>
  );
}

interface FoldProps extends StoryFold {
  order: StoryOrder;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

/** Stands for many messages, which follow it once it is open. */
export function FoldLine({ from, until, rows, order, isOpen, onToggle }: FoldProps) {
  const texts = useTexts(storyTexts);
  const formats = useFormats();
  return (
    <Line at={order === 'newestFirst' ? until : from} icon={isOpen ? 'up' : 'down'}>
      <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
        {texts.folded(rows.length, formats.time(from), formats.time(until))}
      </button>
    </Line>
  );
}

interface FrameProps {
  at: string;
  isFollowUp?: boolean;
  icon?: IconName;
  mark?: ReactNode;
  /** The message of this lead that the time leads to. */
  message?: { leadId: string; id: string };
  children: ReactNode;
}

function Line({ at, isFollowUp = false, icon, mark, message, children }: FrameProps) {
  const texts = useTexts(storyTexts);
  const formats = useFormats();
  const time = (
    <time dateTime={at} title={formats.full(at)}>
      {formats.time(at)}
    </time>
  );
  return (
    <li className={styles.line} data-follow-up={isFollowUp || undefined}>
      {message === undefined ? (
        time
      ) : (
        <Link
          to="/inbox/$leadId"
          params={{ leadId: message.leadId }}
          search={{ view: 'all', message: message.id }}
          aria-label={texts.show(formats.time(at))}
        >
          {time}
        </Link>
      )}
      <span className={styles.mark} aria-hidden>
        {!isFollowUp && mark}
        {icon !== undefined && <Icon name={icon} size={16} />}
      </span>
      <div className={styles.what}>{children}</div>
    </li>
  );
}

interface SaidProps extends Pick<LineProps, 'isFollowUp' | 'lead'> {
  message: StoryMessage;
}

function Said({ message, isFollowUp, lead }: SaidProps) {
  const texts = useTexts(storyTexts);
  const { id, type, createdAt, direction, author, status, deletedAt } = message;
  const file = iconOfType(type);
  if (isOfNetwork(message))
    return (
      <Line at={createdAt} icon={message.type === 'call' ? 'call' : 'phone'} message={{ leadId: lead.id, id }}>
        <p dir="auto">{message.body === null ? texts.withoutText : inNetworkWords(message.body)}</p>
      </Line>
    );
  const isOurs = direction === 'OUTBOUND';
  const name = isOurs ? (author === null ? texts.automatic : nameOf(author)) : lead.name;
  const isLater = isScheduled(message);
  const became = status === null ? undefined : isLater ? texts.scheduled : texts[status];
  return (
    <Line
      at={timeOf(message)}
      isFollowUp={isFollowUp}
      mark={<Avatar id={author?.id ?? (isOurs ? 'automatic' : lead.id)} name={name} size={26} title={name} />}
      message={{ leadId: lead.id, id }}
    >
      <p className={styles.bubble} data-kind={isLater ? 'later' : isOurs ? 'ours' : 'theirs'} dir="auto">
        <span className="visually-hidden">{name}: </span>
        {file !== undefined && deletedAt === null && <Icon name={file} size={14} />}
        {wordsOf(message, texts)}
      </p>
      {became !== undefined && <small data-status={status}>{became}</small>}
      {isLater && <CancelScheduled id={id} />}
      <Reactions of={message} />
    </Line>
  );
}

/** The event of the message that is canceled brings the new state. */
function CancelScheduled({ id }: { id: string }) {
  const texts = useTexts(storyTexts);
  const parts = useTexts(partTexts);
  const { isBusy, start } = useAction(() => ask(CancelScheduledDocument, { id }));
  return (
    <Button kind="quiet" isBusy={isBusy} aria-label={texts.cancelMessage} onClick={() => void start()}>
      {parts.cancel}
    </Button>
  );
}

/** Each emoji stands once, with its number. */
function Reactions({ of: { reactions } }: { of: StoryMessage }) {
  const texts = useTexts(storyTexts);
  const formats = useFormats();
  return [...Map.groupBy(reactions, ({ emoji }) => emoji)].map(([emoji, { length }]) => (
    <small key={emoji} role="img" aria-label={texts.reactions(emoji, length)}>
      {emoji} {formats.number(length)}
    </small>
  ));
}

function wordsOf(message: StoryMessage, texts: { deletedMessage: string; withoutText: string }): string {
  const { body, media, choice, deletedAt } = message;
  if (deletedAt !== null) return texts.deletedMessage;
  if (body !== null && body !== '') return body;
  return media?.caption ?? media?.fileName ?? choice?.title ?? texts.withoutText;
}

function Touched({ touch: { createdAt, source, metadata, referral } }: { touch: StoryTouch }) {
  const texts = useTexts(storyTexts);
  const { data } = useTexts(leadTexts);
  return (
    <Line at={createdAt} icon={referral === null ? 'form' : 'ad'}>
      <p>
        {texts.cameFrom} <strong dir="auto">{nameOfSource(source)}</strong>
      </p>
      {referral !== null && <ReferralCard referral={referral} />}
      {metadata !== null && (
        <details>
          <summary>{data}</summary>
          <pre tabIndex={0}>{JSON.stringify(metadata, null, 2)}</pre>
        </details>
      )}
    </Line>
  );
}

function Merged({ merge, onReload }: { merge: StoryMerge; onReload: () => void }) {
  const texts = useTexts(leadTexts);
  const story = useTexts(storyTexts);
  const parts = useTexts(partTexts);
  const { id, createdAt, undoneAt, user, mergedLead } = merge;
  const { isBusy, start } = useAction(async () => {
    await ask(SeparateLeadsDocument, { mergeId: id });
    notify(texts.undone);
    onReload();
  });
  return (
    <Line at={createdAt} icon="merge">
      <p>
        {story.merged}{' '}
        <strong dir="auto">
          <LeadName name={mergedLead.name} />
        </strong>
        , {user === null ? texts.byNetwork : texts.byUser(nameOf(user))}
        {undoneAt !== null && ` · ${texts.wasUndone}`}
      </p>
      {undoneAt === null && (
        <Button isBusy={isBusy} onClick={() => void start()}>
          {parts.undo}
        </Button>
      )}
    </Line>
  );
}
