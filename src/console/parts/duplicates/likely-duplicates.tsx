// Other leads that are likely the same person. Comparing opens the merge of the lead's page, which decides nothing by itself.

import { Link } from '@tanstack/react-router';
import { askAgain } from '../../api/client.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { useTexts } from '../../i18n/language.js';
import { Avatar } from '../avatar.js';
import { LeadName, PhoneNumber } from '../phone-number.js';
import styles from './duplicates.module.css';
import { LikelyDuplicatesDocument } from './operations.js';
import { duplicateTexts } from './texts.js';

/** Shows nothing while they are read, and where there are none: a guess that cannot be read is no fault of the page. */
export function LikelyDuplicates({ leadId, className = '' }: { leadId: string; className?: string | undefined }) {
  const texts = useTexts(duplicateTexts);
  const { data, reload } = useLoaded(
    `duplicates ${leadId}`,
    async () => (await askAgain(LikelyDuplicatesDocument, { id: leadId })).likelyDuplicates,
  );
  useFeed((event) => event.type === 'LEAD_UPDATED' && event.leadId === leadId && reload(), reload);
  if (data === undefined || data.length === 0) return null;
  return (
    <section className={`${styles.duplicates} ${className}`}>
      <h3>{texts.likelySame}</h3>
      <ul>
        {data.map(({ reason, lead: { id, name, chat } }) => (
          <li key={id}>
            <Avatar id={id} name={name} size={26} />
            <div>
              <span dir="auto">
                <LeadName name={name} />
              </span>
              <small>{texts[reason]}</small>
              {chat !== null && (
                <small>
                  <PhoneNumber of={chat} />
                </small>
              )}
            </div>
            <Link to="/leads/$id" params={{ id: leadId }} search={{ merge: id }} aria-label={texts.compareWith(name)}>
              {texts.compare}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
