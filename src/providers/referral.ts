// The ad, post or product through which a lead came to write. It stands in the first message, and is kept with the message and its touch.

import { z } from 'zod';
import { httpUrl, keysOf, storableText, text } from '../platform/input/input.js';

export const referralKinds = {
  AD: 'An ad that opens a chat.',
  POST: 'A post or a page.',
  PRODUCT: 'A product of a catalogue.',
  OTHER: 'Something else that the network names.',
} as const;

export type ReferralKind = keyof typeof referralKinds;

/** The stored form leaves out fields that are not known. */
export interface Referral {
  kind: ReferralKind;
  /** The network's id of the ad or post; the `product_retailer_id` of a product. */
  sourceId?: string | undefined;
  /** An http or https address. */
  sourceUrl?: string | undefined;
  headline?: string | undefined;
  body?: string | undefined;
  /** The id of this one click, for reports of conversions. It is never the ad's id. */
  clickId?: string | undefined;
}

export const maxReferralIdLength = 255;
export const maxReferralUrlLength = 2_048;
export const maxHeadlineLength = 500;
export const maxReferralBodyLength = 4_096;
export const maxClickIdLength = 1_024;

const optional = (maxLength: number) => z.union([z.literal(''), text(maxLength)]).nullish();

/** A referral as the neutral dialect takes it; `kind` in any letter case. Empty fields count as left out. */
export const referralSchema = z.object(
  {
    kind: z
      .string()
      .meta({ enum: keysOf(referralKinds), description: 'In any letter case; AD where left out.' })
      .transform((written) => written.toUpperCase())
      .pipe(z.enum(keysOf(referralKinds)))
      .nullish(),
    sourceId: optional(maxReferralIdLength).describe('The id of the ad or post, or of the product in the catalogue.'),
    sourceUrl: z.union([z.literal(''), httpUrl(maxReferralUrlLength)]).nullish(),
    headline: optional(maxHeadlineLength).describe('The text of a message that has none of its own.'),
    body: optional(maxReferralBodyLength),
    clickId: optional(maxClickIdLength).describe('The id of the click. Never the id of the ad.'),
  },
  'has to be an object',
);

/** A referral as a network reports it, unchecked. */
type WrittenReferral = Partial<Record<Exclude<keyof Referral, 'kind'>, unknown>>;

const sourceUrlSchema = httpUrl(maxReferralUrlLength);

/**
 * Keeps the fields that can be kept: texts are cut; ids and addresses that are too long or no text are left out.
 * @param kind undefined where only the fields tell that there is a referral
 * @returns undefined where nothing is known
 */
export function toReferral(kind: ReferralKind | undefined, written: WrittenReferral): Referral | undefined {
  const sourceId = readId(written.sourceId, maxReferralIdLength);
  const clickId = readId(written.clickId, maxClickIdLength);
  const fields = {
    sourceId,
    sourceUrl: sourceUrlSchema.safeParse(written.sourceUrl).data,
    headline: readText(written.headline, maxHeadlineLength),
    body: readText(written.body, maxReferralBodyLength),
    clickId: clickId === sourceId ? undefined : clickId,
  };
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (kind === undefined && Object.keys(known).length === 0) return undefined;
  return { kind: kind ?? 'OTHER', ...known };
}

// An id is never cut, and never made of a number: JSON rounds the long ones.
function readId(value: unknown, maxLength: number): string | undefined {
  const id = text(maxLength).safeParse(value);
  return id.data;
}

function readText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const kept = storableText(value.trim(), maxLength).trimEnd();
  return kept === '' ? undefined : kept;
}
