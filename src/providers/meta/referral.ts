// The ad, post or product that a message of the Cloud API came through.

import { toReferral, type Referral } from '../referral.js';
import { kindNamed } from '../whatsapp/referral.js';
import { objectAt } from '../whatsapp/written-value.js';

/** Reads the referral of a message in Meta's Cloud API: `referral`, or the product of a catalogue that it asks about. */
export function readMetaReferral(message: Record<string, unknown>): Referral | undefined {
  const referral = objectAt(message.referral);
  const { source_id: sourceId, source_url: sourceUrl, headline, body, ctwa_clid: clickId } = referral;
  const read = toReferral(kindNamed(referral.source_type), { sourceId, sourceUrl, headline, body, clickId });
  if (read !== undefined) return read;
  const product = objectAt(message.context, 'referred_product');
  const { product_retailer_id: productId } = product;
  const found = toReferral(undefined, { sourceId: productId });
  return found === undefined ? undefined : { ...found, kind: 'PRODUCT' };
}
