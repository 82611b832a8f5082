// The reactions under a message. Users can remove the tenant's own reactions.

import { ask } from '../../api/client.js';
import { useTexts } from '../../i18n/language.js';
import type { ChatMessage } from '../../live/conversation-store.js';
import { notifyFailure } from '../../parts/notices.js';
import styles from './message.module.css';
import { ReactToMessageDocument } from './operations.js';
import { conversationTexts } from './texts.js';

export const reactionChoices = ['👍', '❤️', '😂', '😮', '😢', '🙏', '🎉', '✅'];

export function Reactions({
  message,
  leadName,
  isActive,
}: {
  message: ChatMessage;
  leadName: string;
  isActive: boolean;
}) {
  const texts = useTexts(conversationTexts);
  if (message.reactions.length === 0) return null;
  return (
    <ul className={styles.reactions}>
      {message.reactions.map(({ emoji, fromLead, user }) =>
        fromLead ? (
          <li key="lead" title={texts.reactionOf(emoji, leadName)}>
            <span role="img" aria-label={texts.reactionOf(emoji, leadName)}>
              {emoji}
            </span>
          </li>
        ) : (
          <li key="us">
            <button
              type="button"
              tabIndex={isActive ? 0 : -1}
              aria-label={texts.takeBackReaction(emoji)}
              title={texts.reactionOf(emoji, user?.name ?? texts.phone)}
              onClick={() => void ask(ReactToMessageDocument, { id: message.id, emoji: null }).catch(notifyFailure)}
            >
              {emoji}
            </button>
          </li>
        ),
      )}
    </ul>
  );
}
