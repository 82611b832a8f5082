// Bounds and formats of what operators write into leads: fields, tags, custom fields, notes.

import { z } from 'zod';
import { isPlainObject, jsonObject, text, uuid, verbatimText } from '../../platform/input.js';
import type { CustomFieldValue } from './lead-labels.js';
import { chatNumberSchema, leadNameSchema, maxLeadMetadataBytes } from './lead.schema.js';

/** Of one lead. A merge may bring it more, see `maxMergedLabels`. */
export const maxTags = 50;
export const maxTagLength = 50;
/** Of one lead. A merge may bring it more, see `maxMergedLabels`. */
export const maxCustomFields = 50;
/** Each of them may be replaced by another. */
const maxFieldChanges = 2 * maxCustomFields;
export const maxFieldNameLength = 64;
/** Longest text in a custom field, in characters. */
export const maxFieldTextLength = 1_000;
export const maxNoteLength = 10_000;
export const leadSourceSchema = text(100);

/** A tag in any letter case and spacing, given back in lower case with single blanks. What separates tags in a file is no part of one. */
export const tagSchema = text(maxTagLength)
  .regex(/^[^,;|]*$/, 'must not contain a comma, a semicolon or a bar')
  .transform((tag) => tag.toLowerCase().replace(/\s+/g, ' '));

export const tagsSchema = z
  .array(tagSchema)
  .max(maxTags)
  .transform((tags) => [...new Set(tags)]);

export const fieldNameSchema = text(maxFieldNameLength);
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
export const customFieldsSchema = z
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

export const createLeadSchema = z.object({
  chat: chatNumberSchema,
  name: leadNameSchema.nullish(),
  source: leadSourceSchema.nullish(),
  metadata: jsonObject(maxLeadMetadataBytes).nullish(),
  tags: tagsSchema.nullish(),
  customFields: customFieldsSchema.nullish(),
  assigneeId: uuid.nullish(),
});

export interface CreateLeadInput {
  chat: string;
  name?: string | null;
  source?: string | null;
  metadata?: Record<string, unknown> | null;
  tags?: string[] | null;
  customFields?: Record<string, unknown> | null;
  assigneeId?: string | null;
}

/** What is left out stays as it is. */
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
