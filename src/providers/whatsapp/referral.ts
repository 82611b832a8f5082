// The ad, post or product that a message came through, as the network writes it. A referral is optional: unreadable fields are left out.

import { objectAt } from './written-value.js';
import { toReferral, type Referral, type ReferralKind } from '../referral.js';

type Fields = Record<string, unknown>;

/**
 * Reads the referral of a message by a phone's own connection (Evolution, WAHA): the card of an ad stands in one of its contexts. Gateways
 * differ in which of them they pass on.
 * @param contexts values that may be the network's `contextInfo`
 */
export function readCardReferral(contexts: readonly unknown[]): Referral | undefined {
  for (const context of contexts.map((value) => objectAt(value))) {
    const read = readCard(context);
    if (read !== undefined) return read;
  }
  return undefined;
}

// Engines differ: some write ids and addresses in capitals, others use the field names of the browser's app.
function readCard(context: Fields): Referral | undefined {
  // An answer to a status carries the card of an old ad; a forwarded message carries another person's card.
  if ((context.remoteJid ?? context.remoteJID) === 'status@broadcast' || context.isForwarded === true) return undefined;
  const card = objectAt(context.externalAdReply);
  const written = {
    sourceId: card.sourceId ?? card.sourceID,
    sourceUrl: card.sourceUrl ?? card.sourceURL,
    headline: card.title,
    body: card.body,
    clickId: card.ctwaClid ?? context.ctwaClid,
  };
  const kind = kindNamed(card.sourceType) ?? (isOfAd(context, card, written.clickId) ? 'AD' : undefined);
  // Any link preview may come as such a card. Without a kind or a source id from the network, it is no ad.
  if (kind === undefined && written.sourceId == null) return undefined;
  return toReferral(kind, written);
}

// The network's names for the way into a conversation that an ad opened: `ctwa_ad`, `FB_Ads`. There are other ways, such as a link.
const adEntry = /^ctwa/i;
const adSource = /_ads?$/i;

function isOfAd(context: Fields, card: Fields, clickId: unknown): boolean {
  const { entryPointConversionSource: entry, conversionSource } = context;
  const isEntry = typeof entry === 'string' && adEntry.test(entry);
  const isConversion = typeof conversionSource === 'string' && adSource.test(conversionSource);
  return isEntry || isConversion || card.showAdAttribution === true || (typeof clickId === 'string' && clickId !== '');
}

/** Returns the kind by the network's word; undefined where there is none. */
export function kindNamed(word: unknown): ReferralKind | undefined {
  if (typeof word !== 'string' || word === '') return undefined;
  const kinds: Readonly<Record<string, ReferralKind>> = { ad: 'AD', post: 'POST', product: 'PRODUCT' };
  const name = word.trim().toLowerCase();
  return Object.hasOwn(kinds, name) ? kinds[name] : 'OTHER';
}
