// The header of a conversation: the lead, the assigned colleague, and the actions on the conversation.

import { Link, useNavigate } from '@tanstack/react-router';
import { memo, useRef } from 'react';
import { useCommands } from '../../app/commands.js';
import { useNow } from '../../app/now.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useIsAlone, useIsPhone } from '../../app/use-media.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import type { Conversation } from '../../live/conversations.js';
import { Avatar } from '../../parts/avatar.js';
import { Button, IconButton } from '../../parts/button.js';
import { isInOtherLayer } from '../../parts/dialog.js';
import { Icon } from '../../parts/icon.js';
import { Keys } from '../../parts/keys.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { nameOf } from '../../parts/name-of.js';
import { partTexts } from '../../parts/part-texts.js';
import { LeadName, PhoneNumber } from '../../parts/phone-number.js';
import { AssignChoices } from './assign-choices.js';
import styles from './header.module.css';
import { useLeadBeside } from './lead-beside.js';
import { panelTexts } from './panel-texts.js';
import { SnoozeMenu } from './snooze-menu.js';
import { conversationTexts } from './texts.js';
import { useConversationActions } from './use-conversation-actions.js';

interface HeaderProps {
  conversation: Conversation;
  lead: ConversationLead;
  onBack: () => void;
  /** Returns a function that opens the next conversation. Call it before the close: the closed conversation leaves the list. */
  prepareNext: () => () => void;
  onKeepUnread: () => void;
  /** True if something is written: sending is then the main act, and closing steps back. */
  isWriting: boolean;
}

export const ConversationHeader = memo(function ConversationHeader(props: HeaderProps) {
  const { conversation, lead, onBack, prepareNext, onKeepUnread, isWriting } = props;
  const texts = useTexts(conversationTexts);
  const panel = useTexts(panelTexts);
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const isAlone = useIsAlone();
  const beside = useLeadBeside();
  const assign = useRef<HTMLButtonElement>(null);
  const snooze = useRef<HTMLButtonElement>(null);
  const actions = useConversationActions(conversation, lead, onKeepUnread);
  const group = texts.conversation;
  const isClosed = lead.conversationStatus === 'CLOSED';

  // A conversation that is done with gives its place back to the list, unless that stands beside it.
  const putAside = async (isAside: Promise<boolean>) => {
    if ((await isAside) && isAlone && location.pathname === `/inbox/${lead.id}` && !isInOtherLayer()) onBack();
  };
  /** @param act opens there at once */
  const openPage = (act?: 'merge' | 'consent' | 'erase') =>
    navigate({ to: '/leads/$id', params: { id: lead.id }, search: act === undefined ? {} : { act } });
  const toggle = () => (isClosed ? actions.reopen() : putAside(actions.close()));
  const closeAndGoOn = async () => {
    if (isClosed) return;
    const goOn = prepareNext();
    if (await actions.close()) goOn();
  };
  useCommands([
    { id: 'close', title: texts.closeConversation, keys: 'e', group, run: closeAndGoOn },
    ...(isClosed ? [{ id: 'reopen', title: texts.reopen, group, run: actions.reopen }] : []),
    { id: 'snooze', title: texts.snooze, keys: 's', group, run: () => snooze.current?.click() },
    { id: 'unread', title: texts.markUnread, keys: 'u', group, run: actions.markUnread },
    { id: 'assign', title: texts.assign, keys: 'a', group, run: () => assign.current?.click() },
    { id: 'panel', title: beside.isHere ? panel.hide : panel.show, group, run: beside.toggle },
    { id: 'lead-page', title: panel.openPage, group, run: () => openPage() },
    { id: 'merge', title: panel.merge, group, run: () => openPage('merge') },
    { id: 'consent', title: panel.changeConsent, group, run: () => openPage('consent') },
    { id: 'erase', title: panel.erase, group, run: () => openPage('erase') },
  ]);
  const { user } = useStore(sessionState);
  const isMine = lead.assignee?.id === user?.id;
  const assignee = lead.assignee === null ? texts.unassigned.toLowerCase() : nameOf(lead.assignee);

  return (
    <header className={styles.header}>
      <IconButton icon="back" label={texts.back} className={styles.back ?? ''} onClick={onBack} />
      <div className={styles.who}>
        <h2>
          <Link to="/leads/$id" params={{ id: lead.id }} dir="auto">
            <LeadName name={lead.name} />
          </Link>
        </h2>
        <Facts lead={lead} isDetailed={!beside.isHere && !isPhone} />
      </div>
      <Seen lead={lead} />
      <div className={styles.actions}>
        <Menu
          trigger={
            <Button
              ref={assign}
              kind="quiet"
              className={`${styles.assign} ${styles.roomy}`}
              title={texts.assignedTo(assignee)}
            >
              {lead.assignee === null ? (
                <Icon name="user" />
              ) : (
                <Avatar id={lead.assignee.id} name={assignee} size={22} />
              )}
              <span className="visually-hidden">{texts.assign}</span>
              <span aria-hidden={lead.assignee === null} className={styles.assignee}>
                {lead.assignee === null ? texts.assign : isMine ? texts.someone : assignee}
              </span>
              <Icon name="down" size={14} />
            </Button>
          }
        >
          <AssignChoices lead={lead} onChoose={actions.assign} />
        </Menu>
        <SnoozeMenu
          button={snooze}
          className={styles.roomy}
          onSnooze={(at) => void putAside(actions.snooze(at))}
          onRemind={(at) => void putAside(actions.remind(at))}
        />
        <IconButton icon="unread" label={texts.markUnread} className={styles.roomy} onClick={actions.markUnread} />
        {!isPhone && !beside.isHere && <IconButton icon="panel" label={panel.lead} onClick={beside.toggle} />}
        {isPhone && (
          <Menu trigger={<IconButton icon="more" label={texts.conversation} />}>
            <MenuItem onChoose={() => setTimeout(beside.toggle)}>{panel.lead}</MenuItem>
            <MenuItem onChoose={() => setTimeout(() => assign.current?.click())}>{texts.assign}</MenuItem>
            <MenuItem onChoose={() => setTimeout(() => snooze.current?.click())}>{texts.snooze}</MenuItem>
            <MenuItem onChoose={actions.markUnread}>{texts.markUnread}</MenuItem>
          </Menu>
        )}
        <Button
          kind={isWriting || isClosed ? 'soft' : 'primary'}
          icon={isClosed ? 'refresh' : 'check'}
          aria-label={isClosed ? texts.reopen : texts.closeConversation}
          title={isClosed ? texts.reopen : texts.closeConversation}
          isBusy={actions.isBusy}
          onClick={() => void toggle()}
        >
          {isClosed ? texts.reopen : texts.closeShort}
          {!isClosed && (
            <span aria-hidden>
              <Keys keys="e" />
            </span>
          )}
        </Button>
      </div>
    </header>
  );
});

/**
 * Says in one line how the conversation stands; a colleague who answers comes first.
 * @param isDetailed false where the lead beside says its number and source, or where a line has room for little
 */
function Facts({ lead, isDetailed }: { lead: ConversationLead; isDetailed: boolean }) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  const now = useNow();
  const isPhone = useIsPhone();
  const parts = useTexts(partTexts);
  const { user } = useStore(sessionState);
  const { conversationStatus, snoozedUntil, snoozeKind, scheduledReplyAt, waitingSince } = lead;
  const { assignee, replyInstance, chat, firstReferral } = lead;
  const putAside = snoozeKind === 'REMINDER' ? texts.remindsAt : texts.snoozedUntil;
  const isClosed = conversationStatus === 'CLOSED';
  const state = isClosed
    ? texts.closed
    : conversationStatus === 'SNOOZED' && snoozedUntil !== null
      ? putAside(formats.near(snoozedUntil))
      : waitingSince !== null && texts.waits(formats.span(Math.max(minute, now - Date.parse(waitingSince))));
  return (
    <div className={styles.facts}>
      <Presence lead={lead} />
      {state !== false && <span>{state}</span>}
      {scheduledReplyAt !== null && <span>{texts.repliesAt(formats.near(scheduledReplyAt))}</span>}
      {isPhone && assignee !== null && (
        <span aria-hidden dir="auto">
          {assignee.id === user?.id ? texts.yours : nameOf(assignee)}
        </span>
      )}
      {replyInstance !== null && (
        <span dir="auto" data-line>
          {replyInstance.instanceName}
        </span>
      )}
      {isDetailed && <span data-number>{chat === null ? texts.hiddenNumber : <PhoneNumber of={chat} />}</span>}
      {isDetailed && firstReferral !== null && (
        <span dir="auto" data-ad>
          {firstReferral.headline ?? parts[firstReferral.kind]}
        </span>
      )}
      <span className="visually-hidden">
        {texts.assignedTo(assignee === null ? texts.unassigned.toLowerCase() : nameOf(assignee))}
      </span>
    </div>
  );
}

const minute = 60_000;

/** Shows the colleagues who are at this lead now. Events report when they come and go. */
function Presence({ lead }: { lead: ConversationLead }) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  const others = useOthers(lead);
  const namesOf = (intent: 'VIEWING' | 'ANSWERING') =>
    formats.list(others.filter((one) => one.intent === intent).map((one) => nameOf(one.user)));
  const [answering, viewing] = [namesOf('ANSWERING'), namesOf('VIEWING')];
  return (
    <b role="status" className={styles.presence}>
      {answering !== '' && texts.isAnswering(answering)}
      {answering !== '' && viewing !== '' && ' · '}
      {viewing !== '' && texts.isViewing(viewing)}
    </b>
  );
}

function Seen({ lead }: { lead: ConversationLead }) {
  const others = useOthers(lead);
  return (
    <div className={styles.seen}>
      {others.slice(0, maxFaces).map(({ user }) => (
        <Avatar key={user.id} id={user.id} name={nameOf(user)} size={26} title={nameOf(user)} />
      ))}
    </div>
  );
}

const maxFaces = 3;

function useOthers({ presence }: ConversationLead): ConversationLead['presence'] {
  const { user } = useStore(sessionState);
  return presence.filter((one) => one.user.id !== user?.id);
}
