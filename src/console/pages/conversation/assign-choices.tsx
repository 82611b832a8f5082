// The people that a conversation can be given to, in a menu.

import { useColleagues } from '../../api/use-colleagues.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useTexts } from '../../i18n/language.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import { MenuItem } from '../../parts/menu.js';
import { nameOf } from '../../parts/name-of.js';
import { conversationTexts } from './texts.js';

export function AssignChoices({
  lead,
  onChoose,
}: {
  lead: ConversationLead;
  onChoose: (userId: string | null) => void;
}) {
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
