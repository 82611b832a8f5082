// The list of templates above the message field, for the word behind a slash at its cursor.

import { useEffect, useRef } from 'react';
import { useTexts } from '../../i18n/language.js';
import { Loading } from '../../parts/status-of-load.js';
import styles from './quick-replies.module.css';
import { quickReplyTexts } from './quick-reply-texts.js';
import type { QuickReplies } from './use-quick-replies.js';

const quickRepliesId = 'quick-replies';
const optionId = (index: number) => `quick-reply-${index}`;

/** The attributes that tie the message field to the list. */
export function fieldOfQuickReplies({ isOpen, offered, index }: QuickReplies) {
  if (!isOpen || offered.length === 0) return {};
  return {
    'aria-autocomplete': 'list',
    'aria-controls': quickRepliesId,
    'aria-activedescendant': optionId(index),
  } as const;
}

export function QuickReplyList({ quickReplies }: { quickReplies: QuickReplies }) {
  const { isOpen, isLoading, offered, index, choose } = quickReplies;
  const texts = useTexts(quickReplyTexts);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which React would take for the effect's end.
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  }, [index]);
  if (!isOpen) return null;
  return (
    <div className={styles.offer}>
      {offered.length === 0 ? (
        isLoading ? (
          <Loading />
        ) : (
          <p role="status">{texts.none}</p>
        )
      ) : (
        <>
          <ul ref={list} id={quickRepliesId} role="listbox" aria-label={texts.quickReplies}>
            {offered.map((template, at) => (
              <li
                key={template.id}
                id={optionId(at)}
                role="option"
                aria-selected={at === index}
                // The message field keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(template)}
              >
                <strong dir="auto">{template.name}</strong>
                {template.shortcut !== null && <code>/{template.shortcut}</code>}
                {template.files.length > 0 && <small>{texts.files(template.files.length)}</small>}
                <span dir="auto">{template.body.slice(0, 160)}</span>
              </li>
            ))}
          </ul>
          <small>{texts.hint}</small>
        </>
      )}
    </div>
  );
}
