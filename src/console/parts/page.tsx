// The frame of a page: heading, actions and content. It sets the window's title.

import { useEffect, type ReactNode } from 'react';
import { inboxCounts, maxUnread } from '../live/inbox-counts.js';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** Stands in the heading in place of the title, for example a button with it. */
  heading?: ReactNode;
  /** Leads to the list that the page is of. */
  back?: ReactNode;
  /** A state of the record, beside the heading. */
  mark?: ReactNode;
  /** How many things the page shows, beside the heading. */
  count?: ReactNode;
  actions?: ReactNode;
  /** Filters or tabs between the heading and the content. */
  bar?: ReactNode;
  /** The title is the name of a record, of any length. */
  isName?: boolean;
  /** The content is cards, which stand on the ground. */
  isGround?: boolean;
  children: ReactNode;
}

export function Page({
  title,
  heading = title,
  back,
  mark,
  count,
  actions,
  bar,
  isName = false,
  isGround = false,
  children,
}: PageProps) {
  useTitle(title);
  return (
    <div className={styles.page} data-ground={isGround || undefined} data-record={back !== undefined || undefined}>
      <header className={styles.head} data-name={isName || undefined}>
        {back !== undefined && <div className={styles.back}>{back}</div>}
        <div className={styles.title}>
          <h1 {...(isName && { dir: 'auto' })}>{heading}</h1>
          {mark}
          {count !== undefined && (
            <p className={styles.count} role="status">
              {count}
            </p>
          )}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {bar !== undefined && <div className={styles.bar}>{bar}</div>}
      <div className={styles.content}>{children}</div>
    </div>
  );
}

/** Sets the window's title, which begins with the number of unread conversations. */
export function useTitle(title: string): void {
  useEffect(() => {
    const write = () => {
      const { unread } = inboxCounts.value;
      document.title = unread === 0 ? title : `(${unread < maxUnread ? unread : `${maxUnread}+`}) ${title}`;
    };
    write();
    return inboxCounts.subscribe(write);
  }, [title]);
}
