// The header of a conversation: the lead, the assigned colleague, and the actions on the conversation.

import { Link } from '@tanstack/react-router';
import { memo, useRef, useState } from 'react';
import { ask } from '../../api/client.js';
import { useColleagues } from '../../api/use-colleagues.js';
import { useCommands } from '../../app/commands.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import type { Conversation } from '../../live/conversations.js';
import { Avatar } from '../../parts/avatar.js';
import { Badge } from '../../parts/badge.js';
import { Button, IconButton } from '../../parts/button.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { nameOf } from '../../parts/name-of.js';
import { partTexts } from '../../parts/part-texts.js';
import { notify, notifyFailure } from '../../parts/notices.js';
import styles from './header.module.css';
import {
  AssignLeadDocument,
  CloseConversationDocument,
  MarkUnreadDocument,
  ReopenConversationDocument,
  SnoozeConversationDocument,
} from './operations.js';
import { snoozeTimes } from './snooze-times.js';
import { conversationTexts } from './texts.js';
import { TimeDialog } from './time-dialog.js';

/** The maximum of shown tags. The lead's page shows all of them. */
const maxTags = 4;

interface HeaderProps {
  conversation: Conversation;
  lead: ConversationLead;
  onBack: () => void;
  /** Returns a function that opens the next conversation. Call it before the close: the closed conversation leaves the list. */
  prepareNext: () => () => void;
  onKeepUnread: () => void;
}

export const ConversationHeader = memo(function ConversationHeader(props: HeaderProps) {
  const { conversation, lead, onBack, prepareNext, onKeepUnread } = props;
  const texts = useTexts(conversationTexts);
  const parts = useTexts(partTexts);
  const formats = useFormats();
  const [isPickingTime, setPickingTime] = useState(false);
  const assign = useRef<HTMLButtonElement>(null);
  const snooze = useRef<HTMLButtonElement>(null);
  const actions = useConversationActions(conversation, lead, onKeepUnread);
  const group = texts.conversation;
  const isClosed = lead.conversationStatus === 'CLOSED';

  const toggle = () => (isClosed ? actions.reopen() : actions.close());
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
  ]);
  const times = snoozeTimes();
  const timeOfDay = formats.time(times.tomorrow.toISOString());

  return (
    <header className={styles.header}>
      <IconButton icon="back" label={texts.back} className={styles.back ?? ''} onClick={onBack} />
      <Avatar id={lead.id} name={lead.name} />
      <div className={styles.who}>
        <h2>
          <Link to="/leads/$id" params={{ id: lead.id }}>
            <bdi>{lead.name}</bdi>
          </Link>
        </h2>
        <div className={styles.facts}>
          <span>{lead.chat === null ? texts.hiddenNumber : `+${lead.chat}`}</span>
          <span>
            {texts.assignedTo(lead.assignee === null ? texts.unassigned.toLowerCase() : nameOf(lead.assignee))}
          </span>
          {isClosed && <Badge>{texts.closed}</Badge>}
          {lead.conversationStatus === 'SNOOZED' && lead.snoozedUntil !== null && (
            <Badge kind="accent">{texts.snoozedUntil(formats.full(lead.snoozedUntil))}</Badge>
          )}
          {lead.firstReferral !== null && (
            <Badge title={parts[lead.firstReferral.kind]}>
              <bdi>{lead.firstReferral.headline ?? parts[lead.firstReferral.kind]}</bdi>
            </Badge>
          )}
          {lead.tags.slice(0, maxTags).map((tag) => (
            <Badge key={tag} title={tag}>
              {tag}
            </Badge>
          ))}
          {lead.tags.length > maxTags && (
            <Badge title={lead.tags.slice(maxTags).join(', ')}>{`+${lead.tags.length - maxTags}`}</Badge>
          )}
        </div>
        <Presence lead={lead} />
      </div>
      <div className={styles.actions}>
        <Menu
          trigger={
            <Button ref={assign} icon="user" title={texts.assign}>
              <span>{texts.assign}</span>
            </Button>
          }
        >
          <AssignChoices lead={lead} onChoose={actions.assign} />
        </Menu>
        <Menu
          trigger={
            <Button ref={snooze} icon="snooze" title={texts.snooze}>
              <span>{texts.snooze}</span>
            </Button>
          }
        >
          <MenuItem onChoose={() => actions.snooze(times.hour)}>{texts.inAnHour}</MenuItem>
          <MenuItem onChoose={() => actions.snooze(times.tomorrow)}>{texts.tomorrow(timeOfDay)}</MenuItem>
          <MenuItem onChoose={() => actions.snooze(times.monday)}>{texts.monday(timeOfDay)}</MenuItem>
          <MenuItem onChoose={() => setTimeout(() => setPickingTime(true))}>{texts.pickTime}</MenuItem>
        </Menu>
        <Button icon="unread" title={texts.markUnread} onClick={actions.markUnread}>
          <span>{texts.markUnread}</span>
        </Button>
        <Button
          icon={isClosed ? 'refresh' : 'check'}
          title={isClosed ? texts.reopen : texts.closeConversation}
          isBusy={actions.isBusy}
          onClick={() => void toggle()}
        >
          <span>{isClosed ? texts.reopen : texts.closeConversation}</span>
        </Button>
      </div>
      {isPickingTime && (
        <TimeDialog
          title={texts.snooze}
          label={texts.until}
          confirm={texts.snooze}
          onClose={() => setPickingTime(false)}
          onChoose={actions.snooze}
        />
      )}
    </header>
  );
});

function useConversationActions(conversation: Conversation, lead: ConversationLead, onKeepUnread: () => void) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  const [isBusy, setBusy] = useState(false);
  const leadId = lead.id;
  /** @returns true if the call succeeded */
  const run = async (call: () => Promise<Partial<ConversationLead>>): Promise<boolean> => {
    setBusy(true);
    try {
      conversation.changeLead(await call());
      return true;
    } catch (error) {
      notifyFailure(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const reopen = () => run(async () => (await ask(ReopenConversationDocument, { leadId })).reopenConversation);
  return {
    isBusy,
    reopen,
    close: async () => {
      const isDone = await run(async () => (await ask(CloseConversationDocument, { leadId })).closeConversation);
      if (!isDone) return false;
      const remove = notify(texts.closedNotice(lead.name), {
        action: {
          label: texts.takeBack,
          run: () => {
            remove();
            return reopen();
          },
        },
      });
      return true;
    },
    snooze: (at: Date) => {
      const until = at.toISOString();
      void run(async () => (await ask(SnoozeConversationDocument, { leadId, until })).snoozeConversation).then(
        (isDone) => isDone && notify(texts.snoozedUntil(formats.full(until))),
      );
    },
    markUnread: () => {
      onKeepUnread();
      void run(async () => (await ask(MarkUnreadDocument, { leadId })).markLeadUnread).then(
        (isDone) => isDone && notify(texts.markedUnread),
      );
    },
    assign: (userId: string | null) =>
      void run(async () => (await ask(AssignLeadDocument, { id: leadId, userId })).assignLead),
  };
}

function AssignChoices({ lead, onChoose }: { lead: ConversationLead; onChoose: (userId: string | null) => void }) {
  const texts = useTexts(conversationTexts);
  const { user } = useStore(sessionState);
  const colleagues = useColleagues().filter(({ isActive }) => isActive);
  const me = colleagues.find(({ id }) => id === user?.id);
  const others = colleagues.filter(({ id }) => id !== user?.id);
  return (
    <>
      {user !== undefined && (
        <MenuItem onChoose={() => onChoose(user.id)} isDisabled={lead.assignee?.id === user.id}>
          {texts.me(nameOf(me ?? { name: null, email: user.email }))}
        </MenuItem>
      )}
      <MenuItem onChoose={() => onChoose(null)} isDisabled={lead.assignee === null}>
        {texts.unassigned}
      </MenuItem>
      {others.map((colleague) => (
        <MenuItem
          key={colleague.id}
          onChoose={() => onChoose(colleague.id)}
          isDisabled={lead.assignee?.id === colleague.id}
        >
          {nameOf(colleague)}
        </MenuItem>
      ))}
    </>
  );
}

/** Shows the colleagues who are at this lead now. Events report when they come and go. */
function Presence({ lead }: { lead: ConversationLead }) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  const { user } = useStore(sessionState);
  const others = lead.presence.filter((one) => one.user.id !== user?.id);
  const namesOf = (intent: 'VIEWING' | 'ANSWERING') =>
    formats.list(others.filter((one) => one.intent === intent).map((one) => nameOf(one.user)));
  const [answering, viewing] = [namesOf('ANSWERING'), namesOf('VIEWING')];
  return (
    <p role="status" className={styles.presence}>
      {answering !== '' && <strong>{texts.isAnswering(answering)}</strong>}{' '}
      {viewing !== '' && <span>{texts.isViewing(viewing)}</span>}
    </p>
  );
}
