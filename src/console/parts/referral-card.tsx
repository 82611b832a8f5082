// The ad, post or product that brought a lead: its kind, headline and address.

import { useTexts } from '../i18n/language.js';
import { hostOf } from './link-host.js';
import { partTexts } from './part-texts.js';
import styles from './referral-card.module.css';

interface ShownReferral {
  kind: 'AD' | 'POST' | 'PRODUCT' | 'OTHER';
  sourceId: string | null;
  sourceUrl: string | null;
  headline: string | null;
  body: string | null;
}

export function ReferralCard({ referral }: { referral: ShownReferral }) {
  const texts = useTexts(partTexts);
  const { kind, sourceId, sourceUrl, headline, body } = referral;
  const host = hostOf(sourceUrl);
  return (
    <aside className={styles.card} aria-label={texts[kind]}>
      <small>{texts[kind]}</small>
      {(headline ?? sourceId) !== null && <strong dir="auto">{headline ?? sourceId}</strong>}
      {body !== null && (
        <p className={styles.body} dir="auto">
          {body}
        </p>
      )}
      {sourceUrl !== null && host !== undefined && (
        <a href={sourceUrl} target="_blank" rel="noopener noreferrer nofollow" aria-label={texts.opensAt(host)}>
          <bdi>{host}</bdi>
        </a>
      )}
    </aside>
  );
}
