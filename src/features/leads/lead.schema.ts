// Bounds and formats of lead input, for REST and GraphQL.

import { z } from 'zod';
import { isPlainObject, jsonObject, keysOf, text, time, uuid, verbatimText } from '../../platform/input/input.js';
import { NumberValidity } from '../../platform/prisma/enums.js';
import { countryNamed } from '../../platform/phone-numbers/country-names.js';
import { countrySchema, type Country } from '../../platform/phone-numbers/country.js';
import { shownName } from '../../platform/input/shown-name.js';
import { found, writtenNumberSchema, type ReadingContext } from '../../platform/phone-numbers/number.schema.js';
import {
  needsCountryCode,
  readWrittenNumber,
  type NumberReading,
  type ReadNumber,
} from '../../platform/phone-numbers/written-number.js';
import type { CustomFieldValue } from './lead-labels.js';
import { findNumberField, isNumberLabel, readPostedName, saysNothing } from './posted-field.js';
import { maxReferralIdLength } from '../../providers/referral.js';

/** The most bytes, as JSON, of the unknown fields of a lead body, which are kept. */
export const maxLeadMetadataBytes = 16 * 1024;

/** A number that a caller gives, and the `country` beside it: a field's schema sees nothing of other fields. */
class WrittenNumber {
  constructor(
    readonly chat: unknown,
    readonly country: unknown,
    /** The field that seems to hold the number, where `chat` is missing. */
    readonly resembling?: string,
  ) {}
}

function joinCountry(input: unknown): unknown {
  if (!isPlainObject(input) || input['chat'] === undefined) return input;
  return { ...input, chat: new WrittenNumber(input['chat'], input['country']) };
}

const optionalCountrySchema = countrySchema.nullish();

function readNumber(
  { chat, country, resembling }: WrittenNumber,
  fallback: Country | undefined,
  context: ReadingContext,
): ReadNumber {
  if (resembling !== undefined)
    return found<ReadNumber>({ problem: `is required; the body has \`${resembling}\`` }, context);
  const written = writtenNumberSchema.safeParse(chat);
  if (!written.success) return found<ReadNumber>({ problem: written.error.issues[0]?.message ?? 'is wrong' }, context);
  const given = optionalCountrySchema.safeParse(country);
  const number = readWrittenNumber(String(written.data), given.data ?? fallback);
  // A wrong country is its own field's problem: with the right one, the number may be right.
  return !given.success && number === needsCountryCode ? z.NEVER : found(number, context);
}

interface WithNumber {
  chat: ReadNumber;
  metadata?: Record<string, unknown> | null | undefined;
}

/** Puts the digits into `chat`, and the rest of the field into `metadata`, where the caller has no field of that name. */
function spreadNumber<Lead extends WithNumber>(
  lead: Lead,
): Omit<Lead, 'chat'> & { chat: string; reading: NumberReading } {
  const { digits, reading, extension, otherNumbers, words } = lead.chat;
  const numberNote = words === undefined || isNumberLabel(words) ? undefined : words;
  const spread = { ...lead, chat: digits, reading };
  if (extension === undefined && otherNumbers === undefined && numberNote === undefined) return spread;
  const beside = {
    ...(extension !== undefined && { extension }),
    ...(otherNumbers && { otherNumbers }),
    ...(numberNote !== undefined && { numberNote }),
  };
  return { ...spread, metadata: { ...beside, ...lead.metadata } };
}

/** Makes one schema for each country that numbers may be read with where a call names none. */
function forEachCountry<Schema>(make: (chat: ReturnType<typeof numberWith>) => Schema) {
  const made = new Map<Country | undefined, Schema>();
  return (fallback?: Country): Schema => {
    const schema = made.get(fallback) ?? make(numberWith(fallback));
    made.set(fallback, schema);
    return schema;
  };
}

function numberWith(fallback: Country | undefined) {
  return z
    .custom<WrittenNumber>((input) => input instanceof WrittenNumber, 'is required')
    .transform((number, context) => readNumber(number, fallback, context));
}

const maxNameLength = 200;
const maxSourceLength = 100;
const leadNameSchema = shownName(maxNameLength);

const notAnObject = 'has to be a JSON object';
const postedCountrySchema = countrySchema.nullish();

/** A lead as callers post it: the known fields, and any other. */
export const postedLeadSchema = z.looseObject({
  chat: writtenNumberSchema.describe(
    'A phone number in any common writing: with its country code, or as it is written in its country.',
  ),
  country: z
    .string()
    .describe(
      'Whose number a national writing is: ISO 3166-1 alpha-2, or the name or calling code of the country. Overrules the default of the tenant.',
    )
    .meta({ examples: ['BR'] })
    .nullish(),
  name: z
    .string()
    .describe(
      `Longer than ${maxNameLength} characters: it is cut, and \`metadata.fullName\` keeps the whole. Empty: left out.`,
    )
    .nullish(),
  source: z
    .string()
    .describe(
      `Longer than ${maxSourceLength} characters: it is cut, and \`metadata.fullSource\` keeps the whole. Empty: left out.`,
    )
    .nullish(),
});

const knownFields = new Set(Object.keys(postedLeadSchema.shape));

/** Texts that are cut where they are too long, and the names under which the metadata keeps the whole. */
const cutTexts = {
  name: { maxLength: maxNameLength, whole: 'fullName' },
  source: { maxLength: maxSourceLength, whole: 'fullSource' },
};

/** A lead as it is read with a tenant's default country: known fields by name, everything else in `metadata`. */
export const leadBodySchema = forEachCountry((chat) =>
  z.preprocess(
    readPostedLead,
    z
      .object(
        {
          chat,
          country: postedCountrySchema,
          name: leadNameSchema.nullish(),
          source: leadSourceSchema.nullish(),
          metadata: jsonObject(maxLeadMetadataBytes).optional(),
          whole: z.custom<Record<string, string>>().optional(),
        },
        notAnObject,
      )
      .transform(({ whole, ...lead }) => spreadNumber(whole === undefined ? lead : keepWhole(lead, whole))),
  ),
);

/** `reading` belongs to a written number; undefined where the lead was known by its digits. */
export type LeadBody = Omit<z.output<ReturnType<typeof leadBodySchema>>, 'country' | 'reading'> & {
  reading?: NumberReading;
};

function readPostedLead(body: unknown): unknown {
  if (!isPlainObject(body)) return body;
  const { known = [], further = [] } = Object.groupBy(Object.entries(body), ([field]) =>
    knownFields.has(field) ? 'known' : 'further',
  );
  // Built from entries, so that a field named __proto__ is kept as a field like any other.
  const metadata = further.length === 0 ? undefined : Object.fromEntries(further);
  const country = readPostedCountry(body['country']);
  const chat = readPostedNumber(body, country);
  const texts = Object.entries(cutTexts).map(
    ([field, { maxLength }]) => [field, readPostedName(body[field], maxLength)] as const,
  );
  const cut = texts.flatMap(([field, { whole }]) => (whole === undefined ? [] : [[field, whole] as const]));
  const shown = Object.fromEntries(texts.map(([field, { text: written }]) => [field, written]));
  const whole = cut.length === 0 ? undefined : Object.fromEntries(cut);
  return { ...Object.fromEntries(known), ...shown, chat, country, metadata, whole };
}

/** A name or a calling code becomes the two letters. Anything else is left to the schema. */
function readPostedCountry(written: unknown): unknown {
  if (saysNothing(written)) return undefined;
  const isText = typeof written === 'string' || typeof written === 'number';
  return isText ? (countryNamed(String(written)) ?? written) : written;
}

function readPostedNumber(body: Record<string, unknown>, country: unknown): WrittenNumber | undefined {
  const { chat } = body;
  if (!saysNothing(chat)) return new WrittenNumber(chat, country);
  const resembling = findNumberField(body);
  return resembling === undefined && chat === undefined ? undefined : new WrittenNumber(chat, country, resembling);
}

/** A caller's own field of that name stays: the whole is then kept under the name of the field that was cut. */
function keepWhole<Lead extends WithNumber>(lead: Lead, texts: Record<string, string>): Lead {
  const metadata = { ...lead.metadata };
  for (const [field, written] of Object.entries(texts)) {
    const { whole: name } = cutTexts[field as keyof typeof cutTexts];
    metadata[Object.hasOwn(metadata, name) ? field : name] = written;
  }
  return { ...lead, metadata };
}

// Bounds and formats of what operators write into leads: fields, tags, custom fields, notes.

/** The most tags of one lead. A merge may bring more, see lead-labels.ts. */
export const maxTags = 50;
export const maxTagLength = 50;
/** The most custom fields of one lead. A merge may bring more, see lead-labels.ts. */
export const maxCustomFields = 50;
/** A change may replace each custom field by another. */
const maxFieldChanges = 2 * maxCustomFields;
export const maxFieldNameLength = 64;
/** Longest text in a custom field, in characters. */
export const maxFieldTextLength = 1_000;
export const maxNoteLength = 10_000;
const leadSourceSchema = shownName(maxSourceLength);

/** A tag in any letter case and spacing, given back in lower case with single blanks. It must not hold the separators of tags in a file. */
const tagSchema = shownName(maxTagLength)
  .refine((tag) => !/[,;|]/.test(tag), 'must not contain a comma, a semicolon or a bar')
  .transform(toTag);

/** Writes a tag as it is stored. */
export function toTag(written: string): string {
  return written.trim().toLowerCase().replace(/\s+/g, ' ');
}

export const tagsSchema = z
  .array(tagSchema)
  .max(maxTags)
  .transform((tags) => [...new Set(tags)]);

export const fieldNameSchema = shownName(maxFieldNameLength);
/** Text is trimmed; an integer has to be one that JSON keeps exactly. */
const fieldValueSchema = z.union(
  [
    text(maxFieldTextLength),
    z
      .number()
      .refine(
        (value) => !Number.isInteger(value) || Number.isSafeInteger(value),
        'cannot be kept exactly: send it as text',
      ),
    z.boolean(),
  ],
  { error: `has to be text of 1 to ${maxFieldTextLength} characters, a number or a boolean` },
);

type FieldChanges = Record<string, CustomFieldValue | null>;

/** Names to values; null takes a field away. */
const customFieldsSchema = z
  .custom<Record<string, unknown>>(isPlainObject, 'has to be an object')
  .transform((given, context): FieldChanges => {
    if (Object.keys(given).length > maxFieldChanges) {
      context.addIssue({ code: 'custom', message: `must not name more than ${maxFieldChanges} fields` });
      return {};
    }
    const read = Object.entries(given).flatMap(([name, value]) => readField(name, value, context));
    const fields = Object.fromEntries(read);
    if (Object.keys(fields).length > maxCustomFields)
      context.addIssue({ code: 'custom', message: `must not have more than ${maxCustomFields} fields` });
    return fields;
  });

function readField(name: string, value: unknown, context: z.RefinementCtx): [string, CustomFieldValue | null][] {
  const parsedName = fieldNameSchema.safeParse(name);
  const parsedValue = fieldValueSchema.nullable().safeParse(value);
  for (const { error } of [parsedName, parsedValue])
    if (error !== undefined)
      context.addIssue({ code: 'custom', path: [name], message: error.issues[0]?.message ?? 'is wrong' });
  return parsedName.success && parsedValue.success ? [[parsedName.data, parsedValue.data]] : [];
}

/** A lead as users create it, read with the tenant's default country. */
export const createLeadSchema = forEachCountry((chat) =>
  z.preprocess(
    joinCountry,
    z
      .object({
        chat,
        country: countrySchema.nullish(),
        name: leadNameSchema.nullish(),
        source: leadSourceSchema.nullish(),
        metadata: jsonObject(maxLeadMetadataBytes).nullish(),
        tags: tagsSchema.nullish(),
        customFields: customFieldsSchema.nullish(),
        assigneeId: uuid.nullish(),
      })
      .transform(spreadNumber),
  ),
);

export interface CreateLeadInput {
  chat: string;
  country?: string | null;
  name?: string | null;
  source?: string | null;
  metadata?: Record<string, unknown> | null;
  tags?: string[] | null;
  customFields?: Record<string, unknown> | null;
  assigneeId?: string | null;
}

/** Fields that are left out stay as they are. */
export const updateLeadSchema = z.object({
  name: leadNameSchema.optional(),
  source: leadSourceSchema.optional(),
  tags: tagsSchema.nullish(),
  addTags: tagsSchema.nullish(),
  removeTags: tagsSchema.nullish(),
  customFields: customFieldsSchema.nullish(),
});

export interface UpdateLeadInput {
  name?: string;
  source?: string;
  tags?: string[] | null;
  addTags?: string[] | null;
  removeTags?: string[] | null;
  customFields?: Record<string, unknown> | null;
}

export const noteBodySchema = verbatimText(maxNoteLength);

/** The most values of a condition that takes several. */
export const maxFilterValues = 50;
export const maxSearchLength = 100;

const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1, 'must not be empty').max(maxFilterValues);

/** The statuses, in the order in which lists of several read them. */
export const conversationStatuses = ['OPEN', 'SNOOZED', 'CLOSED'] as const;

export type ConversationStatus = (typeof conversationStatuses)[number];

export const snoozeKinds = {
  SNOOZE: 'It comes back at its time, or when the lead writes.',
  REMINDER: 'A reminder: it comes back at its time only if the lead has not written until then.',
} as const;

export type SnoozeKind = keyof typeof snoozeKinds;

const maxSnoozeMs = 366 * 86_400_000;

export const liesAhead = (until: Date): boolean => until.getTime() > Date.now();

export const hasToLieAhead = 'has to lie ahead';

/** The end of a snooze, which may be over by now. */
export const snoozeEndSchema = z
  .date('has to be a time')
  .refine((until) => until.getTime() <= Date.now() + maxSnoozeMs, 'must not lie more than a year ahead');

/** The end of a snooze that begins now. */
export const snoozeUntilSchema = snoozeEndSchema.refine(liesAhead, hasToLieAhead);

/** All given conditions have to hold. */
export const inboxFilterSchema = z.strictObject({
  assigneeId: uuid.nullish(),
  /** True: without an assignee; false: with one. */
  unassigned: z.boolean().nullish(),
  unread: z.boolean().nullish(),
  conversationStatuses: listOf(z.enum(conversationStatuses)).nullish(),
  /** True: an inbound message is not answered; false: none, or the last word is ours. */
  waiting: z.boolean().nullish(),
  tagsAny: listOf(tagSchema).nullish(),
  tagsAll: listOf(tagSchema).nullish(),
  /** The instance of the newest message. */
  instanceId: uuid.nullish(),
  search: text(maxSearchLength).nullish(),
  /** True: an ad, post or product brought the lead once. */
  hasReferral: z.boolean().nullish(),
  /** The source of the first referral. */
  referralSourceId: text(maxReferralIdLength).nullish(),
});

/**
 * The conditions of the inbox, and more. `since` is inclusive, `until` exclusive; both count from the time at which the lead first came in.
 */
export const leadFilterSchema = inboxFilterSchema.extend({
  sources: listOf(leadSourceSchema).nullish(),
  optedOut: z.boolean().nullish(),
  numberValidity: z.enum(NumberValidity).nullish(),
  since: time.nullish(),
  until: time.nullish(),
});

export type InboxFilterInput = z.input<typeof inboxFilterSchema>;
export type LeadFilterInput = z.input<typeof leadFilterSchema>;
export type LeadConditions = z.output<typeof leadFilterSchema>;

export const leadOrderFields = {
  CREATED_AT: 'When the lead first came in.',
  NAME: 'The name, without regard to letter case and accents.',
  LAST_MESSAGE_AT: 'The newest message; leads without any come last.',
} as const;

export const inboxOrders = {
  NEWEST_MESSAGE: 'The newest message of either side first. Bulk messages do not count.',
  NEWEST_INBOUND: 'The newest inbound message first. Leads that never wrote come last, by their newest message.',
  LONGEST_WAITING:
    'The lead that has waited longest comes first. Leads that do not wait come last, by their newest message. A closed conversation can wait: filter by `conversationStatuses` too.',
} as const;

export type InboxOrder = keyof typeof inboxOrders;

export const inboxOrderSchema = z.enum(keysOf(inboxOrders));

export const orderDirections = { ASC: 'Ascending.', DESC: 'Descending.' } as const;

/** Without a direction, a name ascends and a time descends. */
export const leadOrderSchema = z.strictObject({
  field: z.enum(keysOf(leadOrderFields)),
  direction: z.enum(keysOf(orderDirections)).nullish(),
});

export type LeadOrderInput = z.input<typeof leadOrderSchema>;
