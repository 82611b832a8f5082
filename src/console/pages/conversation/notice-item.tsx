// A row without an author, such as the notice of a changed number. It has no status and no actions.

import { useLayoutEffect } from 'react';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { shownTimeOf, type ChatMessage, type ConversationStore } from '../../live/conversation-store.js';
import { inNetworkWords } from '../../parts/network-texts.js';
import styles from './choice.module.css';
import { conversationTexts } from './texts.js';

interface NoticeItemProps {
  message: ChatMessage;
  store: ConversationStore;
  isActive: boolean;
  isHighlighted: boolean;
}

export function NoticeItem({ message, store, isActive, isHighlighted }: NoticeItemProps) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  const at = shownTimeOf(message);
  const time = formats.timeBeside(message.createdAt, at);
  useLayoutEffect(() => store.noteShown(message), [store, message]);
  return (
    <article
      className={styles.notice}
      aria-label={`${texts.notice}, ${time}`}
      tabIndex={isActive ? 0 : -1}
      data-message={message.id}
      data-highlighted={isHighlighted || undefined}
    >
      <p dir="auto">{message.body === null ? texts.notice : inNetworkWords(message.body)}</p>{' '}
      <time dateTime={at} title={formats.full(at)}>
        {time}
      </time>
    </article>
  );
}
