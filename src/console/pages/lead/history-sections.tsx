// The history of a lead: its touches, and the leads that were merged into it.

import { useState } from 'react';
import { ask } from '../../api/client.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { nameOf } from '../../parts/name-of.js';
import { notify, notifyFailure } from '../../parts/notices.js';
import { ReferralCard } from '../../parts/referral-card.js';
import { nameOfSource } from '../../parts/source-name.js';
import styles from './lead.module.css';
import { SeparateLeadsDocument, type WholeLeadFragment } from './operations.js';
import { leadTexts } from './texts.js';

export function TouchesSection({ lead }: { lead: WholeLeadFragment }) {
  const texts = useTexts(leadTexts);
  const formats = useFormats();
  // A lead that wrote first, and not through an ad, has no touches.
  if (lead.touches.edges.length === 0) return null;
  return (
    <section className={styles.card} aria-label={texts.touches}>
      <h2>{texts.touches}</h2>
      <ol className={styles.log}>
        {lead.touches.edges.map(({ node: { id, createdAt, source, metadata, referral } }) => (
          <li key={id}>
            <time dateTime={createdAt}>{formats.full(createdAt)}</time>
            <span>
              <strong dir="auto">{nameOfSource(source)}</strong>
              {referral !== null && <ReferralCard referral={referral} />}
              {metadata !== null && (
                <details>
                  <summary>{texts.data}</summary>
                  <pre tabIndex={0}>{JSON.stringify(metadata, null, 2)}</pre>
                </details>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function MergesSection({ lead, onReload }: { lead: WholeLeadFragment; onReload: () => void }) {
  const texts = useTexts(leadTexts);
  const formats = useFormats();
  const [busyId, setBusyId] = useState<string>();
  const undo = async (mergeId: string) => {
    setBusyId(mergeId);
    try {
      await ask(SeparateLeadsDocument, { mergeId });
      notify(texts.undone);
      onReload();
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusyId(undefined);
    }
  };
  if (lead.merges.length === 0) return null;
  return (
    <section className={styles.card} aria-label={texts.merges}>
      <h2>{texts.merges}</h2>
      <ol className={styles.log}>
        {lead.merges.map(({ id, createdAt, undoneAt, user, mergedLead }) => (
          <li key={id}>
            <time dateTime={createdAt}>{formats.full(createdAt)}</time>
            <span>
              <strong dir="auto">{mergedLead.name}</strong>{' '}
              {user === null ? texts.byNetwork : texts.byUser(nameOf(user))}
              {undoneAt !== null && ` · ${texts.wasUndone}`}
            </span>
            {undoneAt === null && (
              <Button isBusy={busyId === id} onClick={() => void undo(id)}>
                {texts.undo}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
