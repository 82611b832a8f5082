// A conversation in the list: the lead, the last message, the waiting time and the unread count.

import { memo } from 'react';
import type { LeadRowFragment } from '../../api/operations.js';
import { useNow } from '../../app/now.js';
import { useStore } from '../../app/store.js';
import { sessionState } from '../../app/session.js';
import { useFormats, type Formats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { drafts } from '../../live/outgoing.js';
import { Avatar } from '../../parts/avatar.js';
import { Badge, type BadgeKind } from '../../parts/badge.js';
import { Icon } from '../../parts/icon.js';
import { nameOf } from '../../parts/name-of.js';
import { PickBox } from '../selection/pick-box.js';
import { clickOf } from '../selection/use-selection.js';
import styles from './inbox.module.css';
import { wordsOfLast } from './last-words.js';
import { inboxTexts } from './texts.js';

interface RowProps {
  row: LeadRowFragment;
  isOpen: boolean;
  isActive: boolean;
  /** True if the row is among those that the bar of acts is about. */
  isSelected: boolean;
  onSelect: (way: 'toggle' | 'extendTo') => void;
  onOpen: () => void;
}

export const optionId = (leadId: string) => `conversation-${leadId}`;
const maxTags = 3;

export const ConversationRow = memo(
  function ConversationRow({ row, isOpen, isActive, isSelected, onSelect, onOpen }: RowProps) {
    const texts = useTexts(inboxTexts);
    const formats = useFormats();
    const now = useNow();
    const { id, name, unreadCount, lastMessage } = row;
    const said = lastMessage === null ? '' : wordsOfLast(lastMessage, texts);
    const states = useStates(row, now);
    const unread = unreadCount > 0 ? texts.unread(unreadCount) : '';
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
          <strong dir="auto">{name}</strong>
          {lastMessage !== null && (
            <time dateTime={lastMessage.createdAt}>{formats.short(lastMessage.createdAt, now)}</time>
          )}
        </div>
        <div className={styles.said}>
          {lastMessage?.direction === 'OUTBOUND' && <Icon name="reply" size={14} />}
          <span dir="auto">{said}</span>
          {unreadCount > 0 && (
            <>
              <b aria-hidden>{unreadCount > 99 ? '99+' : unreadCount}</b>
              <span className="visually-hidden">{unread}</span>
            </>
          )}
        </div>
        <div className={styles.marks}>
          {states.map(({ text, kind }) => (
            <Badge key={text} kind={kind}>
              {text}
            </Badge>
          ))}
          <Tags tags={row.tags} />
        </div>
      </div>
    );
  },
  (before, after) =>
    before.row === after.row &&
    before.isOpen === after.isOpen &&
    before.isActive === after.isActive &&
    before.isSelected === after.isSelected,
);

/** Returns the conversation's most important states as badges. */
function useStates(row: LeadRowFragment, now: number): { text: string; kind: BadgeKind }[] {
  const texts = useTexts(inboxTexts);
  const formats = useFormats();
  const { waitingSince, conversationStatus, snoozedUntil, optOut, lastMessage } = row;
  const hasDraft = useStore(drafts.leadIds).has(row.id);
  const states: { text: string; kind: BadgeKind }[] = [];
  if (hasDraft) states.push({ text: texts.draft, kind: 'accent' });
  if (lastMessage?.status === 'FAILED') states.push({ text: texts.failed, kind: 'danger' });
  // A closed conversation has no waiting lead.
  if (waitingSince !== null && conversationStatus !== 'CLOSED')
    states.push({ text: texts.waitsFor(waited(formats, now - Date.parse(waitingSince))), kind: 'warning' });
  if (conversationStatus === 'SNOOZED' && snoozedUntil !== null)
    states.push({ text: texts.snoozedUntil(formats.short(snoozedUntil)), kind: 'neutral' });
  const present = presentColleague(row, now);
  if (present !== undefined) states.push({ text: texts[present.intent](present.name), kind: 'accent' });
  if (optOut !== null) states.push({ text: texts.optedOut, kind: 'danger' });
  return states;
}

const minute = 60_000;

/** Seconds would be outdated as soon as they are shown. */
const waited = (formats: Formats, ms: number) => (ms < minute ? `<${formats.span(minute)}` : formats.span(ms));

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <>
      {tags.slice(0, maxTags).map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
      {tags.length > maxTags && <small>+{tags.length - maxTags}</small>}
    </>
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
