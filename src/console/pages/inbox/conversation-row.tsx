// A conversation in the list: the lead and how long it waits, the last message, and what is to be known of it.

import { memo } from 'react';
import type { LeadRowFragment } from '../../api/operations.js';
import type { Instance } from '../../api/use-instances.js';
import { useNow } from '../../app/now.js';
import { useStore } from '../../app/store.js';
import { sessionState } from '../../app/session.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { drafts, heldSends } from '../../live/outgoing.js';
import { Avatar } from '../../parts/avatar.js';
import { Badge, type BadgeKind } from '../../parts/badge.js';
import { Icon, type IconName } from '../../parts/icon.js';
import { messageWordTexts } from '../../parts/message-word-texts.js';
import { iconOfType, wordsOfMessage } from '../../parts/message-words.js';
import { nameOf } from '../../parts/name-of.js';
import { printNumber } from '../../parts/number-groups.js';
import { LeadName } from '../../parts/phone-number.js';
import { PickBox } from '../../parts/selection/pick-box.js';
import { clickOf } from '../../parts/selection/use-selection.js';
import { WaitAge } from '../../parts/wait-age.js';
import styles from './inbox.module.css';
import { inboxTexts } from './texts.js';

interface RowProps {
  row: LeadRowFragment;
  /** The instance of the last message, where the company has several. */
  line: Pick<Instance, 'instanceName' | 'number'> | undefined;
  isOpen: boolean;
  isActive: boolean;
  /** True if the row is among those that the bar of acts is about. */
  isSelected: boolean;
  onSelect: (way: 'toggle' | 'extendTo') => void;
  onOpen: () => void;
}

export const optionId = (leadId: string) => `conversation-${leadId}`;
const maxTags = 2;

export const ConversationRow = memo(
  function ConversationRow({ row, line, isOpen, isActive, isSelected, onSelect, onOpen }: RowProps) {
    const texts = useTexts(inboxTexts);
    const now = useNow();
    const { id, name, unreadCount, assignee } = row;
    return (
      <div
        id={optionId(id)}
        role="option"
        tabIndex={-1}
        aria-selected={isOpen}
        data-lead={id}
        data-active={isActive || undefined}
        data-unread={unreadCount > 0 || undefined}
        className={styles.row}
        // Shift would select the text between two clicks.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onClick={(event) => {
          const way = clickOf(event);
          if (way === undefined) onOpen();
          else onSelect(way);
        }}
      >
        <PickBox name={name} isSelected={isSelected} onSelect={onSelect}>
          <Avatar id={id} name={name} />
        </PickBox>
        <div className={styles.who}>
          <strong dir="auto">
            <LeadName name={name} />
          </strong>
          {line !== undefined && (
            <small dir="auto" title={line.number === null ? undefined : printNumber(line.number)}>
              {line.instanceName}
            </small>
          )}
          <Age row={row} now={now} />
        </div>
        <div className={styles.said}>
          <Preview row={row} now={now} isOpen={isOpen} />
          {assignee !== null && (
            <>
              <Avatar id={assignee.id} name={nameOf(assignee)} size={22} isRing title={nameOf(assignee)} />
              <span className="visually-hidden">{texts.assignedTo(nameOf(assignee))}</span>
            </>
          )}
          {unreadCount > 0 && (
            <>
              <b aria-hidden>{unreadCount > 99 ? '99+' : unreadCount}</b>
              <span className="visually-hidden">{texts.unread(unreadCount)}</span>
            </>
          )}
        </div>
        <Marks row={row} />
      </div>
    );
  },
  (before, after) =>
    before.row === after.row &&
    before.line === after.line &&
    before.isOpen === after.isOpen &&
    before.isActive === after.isActive &&
    before.isSelected === after.isSelected,
);

/** Says how long the lead waits, otherwise when the last message came. */
function Age({ row: { waitingSince, conversationStatus, lastMessage }, now }: { row: LeadRowFragment; now: number }) {
  const formats = useFormats();
  // A closed conversation has no waiting lead.
  if (waitingSince !== null && conversationStatus !== 'CLOSED') return <WaitAge since={waitingSince} now={now} />;
  return lastMessage === null ? null : (
    <time dateTime={lastMessage.createdAt}>{formats.short(lastMessage.createdAt, now)}</time>
  );
}

/** Shows that a colleague is there, else the user's draft, else the last message, and whether that was canceled. */
function Preview({ row, now, isOpen }: { row: LeadRowFragment; now: number; isOpen: boolean }) {
  const texts = useTexts(inboxTexts);
  const words = useTexts(messageWordTexts);
  const hasDraft = useStore(drafts.leadIds).has(row.id);
  // A letter renders no row, so the open conversation's draft is shown once another is open.
  const written = hasDraft && !isOpen ? drafts.get(row.id).text.trim() : '';
  const { lastMessage } = row;
  const present = presentColleague(row, now);
  const icon = lastMessage?.direction === 'OUTBOUND' ? 'reply' : iconOfType(lastMessage?.type);
  if (present !== undefined) return <em>{texts[present.intent](present.name)}</em>;
  return (
    <>
      {hasDraft && <i>{texts.draft}</i>}
      {!hasDraft && lastMessage?.status === 'CANCELED' && <i>{texts.canceled}</i>}
      {icon !== undefined && written === '' && <Icon name={icon} size={14} />}
      <span dir="auto">{written || (lastMessage === null ? '' : wordsOfMessage(lastMessage, words))}</span>
    </>
  );
}

/** Shows the states that need somebody, and the first tags, in a third line that is there only for them. */
function Marks({ row }: { row: LeadRowFragment }) {
  const texts = useTexts(inboxTexts);
  const formats = useFormats();
  const { conversationStatus, snoozedUntil, snoozeKind, scheduledReplyAt, optOut, lastMessage, tags } = row;
  const putAside = snoozeKind === 'REMINDER' ? texts.remindsAt : texts.snoozedUntil;
  const isRefused = useStore(heldSends.list).some(({ leadId, state }) => leadId === row.id && state === 'failed');
  const states: { text: string; word?: string; kind: BadgeKind; icon: IconName }[] = [];
  if (lastMessage?.status === 'FAILED' || isRefused)
    states.push({ text: texts.notSent, word: isRefused ? '' : texts.failed, kind: 'danger', icon: 'warning' });
  if (conversationStatus === 'SNOOZED' && snoozedUntil !== null)
    states.push({ text: putAside(formats.short(snoozedUntil)), kind: 'neutral', icon: 'snooze' });
  if (scheduledReplyAt !== null)
    states.push({ text: texts.repliesAt(formats.short(scheduledReplyAt)), kind: 'accent', icon: 'clock' });
  if (optOut !== null) states.push({ text: texts.optedOut, kind: 'warning', icon: 'close' });
  if (states.length === 0 && tags.length === 0) return null;
  return (
    <div className={styles.marks} data-only-tags={states.length === 0 || undefined}>
      {states.map(({ text, word = '', kind, icon }) => (
        <Badge key={text} kind={kind}>
          <Icon name={icon} size={14} />
          {text}
          {word !== '' && <span className="visually-hidden">{word}</span>}
        </Badge>
      ))}
      {tags.slice(0, maxTags).map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
      {tags.length > maxTags && <Badge>+{tags.length - maxTags}</Badge>}
    </div>
  );
}

/** Returns a colleague who answers, else a colleague who looks; never the user. */
function presentColleague({ presence }: LeadRowFragment, now: number) {
  const own = sessionState.value.user?.id;
  const others = presence.filter(({ user, expiresAt }) => user.id !== own && Date.parse(expiresAt) > now);
  const one = others.find(({ intent }) => intent === 'ANSWERING') ?? others[0];
  if (one === undefined) return undefined;
  const intent = one.intent === 'ANSWERING' ? ('answering' as const) : ('viewing' as const);
  return { intent, name: nameOf(one.user) };
}
