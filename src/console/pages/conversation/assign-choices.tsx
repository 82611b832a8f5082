// The people that a conversation can be given to, in a menu. Who has it already is not offered.

import { useMe } from '../../api/use-me.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useTexts } from '../../i18n/language.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import { ColleagueItems } from '../../parts/colleague-items.js';
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
  const me = useMe();
  const has = lead.assignee?.id;
  return (
    <>
      {user !== undefined && has !== user.id && (
        <MenuItem onChoose={() => onChoose(user.id)}>
          {texts.me(nameOf(me ?? { name: null, email: user.email }))}
        </MenuItem>
      )}
      {has !== undefined && <MenuItem onChoose={() => onChoose(null)}>{texts.unassigned}</MenuItem>}
      <ColleagueItems without={[user?.id, has]} onChoose={onChoose} />
    </>
  );
}
