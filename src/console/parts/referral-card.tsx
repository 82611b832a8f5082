// The ad, post or product that brought a lead: its kind, its headline, and where it stands.

import { useTexts } from '../i18n/language.js';
import { partTexts } from './part-texts.js';
import styles from './referral-card.module.css';

export interface ShownReferral {
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

/**
 * The host that a link leads to, as it is looked up: a name in another script cannot pass for a known one. Undefined where there is
 * no link to show: not of the web, or with a user's name before the host, which reads like a host itself.
 */
export function hostOf(address: string | null): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined;
  const { protocol, username, password, host } = new URL(address);
  const isOfWeb = protocol === 'https:' || protocol === 'http:';
  return isOfWeb && username === '' && password === '' && host !== '' ? host : undefined;
}
