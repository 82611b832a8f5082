// Bounds and formats of template input.

import { z } from 'zod';
import {
  exceedsLength,
  jsonObject,
  keysOf,
  parseInput,
  storableText,
  text,
  uuid,
  verbatimText,
} from '../../platform/input/input.js';
import { shownName } from '../../platform/input/shown-name.js';
import { maxTemplateLength, maxTemplateVariables, parseTemplate, type TemplateValues } from './template-text.js';

/** The most templates in use, for each tenant. */
export const maxTemplates = 1_000;

const maxValueLength = 1_000;
// More than the bounds of the values permit.
const maxVariablesBytes = 512 * 1024;

const name = shownName(100);

/** Stored unchanged, with blanks at both ends. */
const body = verbatimText(maxTemplateLength).pipe(
  z.string().superRefine((value, context) => {
    const parsed = parseTemplate(value);
    if ('problem' in parsed)
      context.addIssue({ code: 'custom', message: `at position ${parsed.position}: ${parsed.problem}` });
  }),
);

/** The longest shortcut, in characters. */
export const maxShortcutLength = 32;

/** A word that people type after a slash. It is stored without the slash and in lower case, so that letter case does not count. */
const shortcut = text(maxShortcutLength + 1)
  .transform((written) => written.normalize('NFC').toLowerCase().replace(/^\//, ''))
  .pipe(
    z
      .string()
      .max(maxShortcutLength)
      .regex(
        /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*$/u,
        'has to be letters, digits, _ and -, and to begin with a letter or digit',
      ),
  );

/** The visibilities of a template: each says who sees, changes and uses it. */
export const templateVisibilities = {
  SHARED: 'Every user of the tenant.',
  PERSONAL:
    'Its author alone. ADMINs see it by its id or under its author, and may change, share and delete it; they do not send it.',
} as const;

export type TemplateVisibility = keyof typeof templateVisibilities;

const visibility = z.enum(keysOf(templateVisibilities));

/** The most files of one template. */
export const maxTemplateFiles = 10;

/** Uploads, in the order of sending. */
const fileIds = z
  .array(uuid)
  .max(maxTemplateFiles)
  .superRefine((ids, context) => {
    for (const [index, id] of ids.entries())
      if (ids.indexOf(id) < index) context.addIssue({ code: 'custom', message: 'is there twice', path: [index] });
  });

export const createTemplateSchema = z.strictObject({
  name,
  body,
  shortcut: shortcut.nullish(),
  visibility: visibility.nullish(),
  fileIds: fileIds.nullish(),
});

export type CreateTemplateInput = z.input<typeof createTemplateSchema>;

const version = z.number().int().min(1);

/** Absent fields stay as they are; null takes a shortcut away. */
export const updateTemplateSchema = z.strictObject({
  name: name.optional(),
  body: body.optional(),
  shortcut: shortcut.nullish(),
  visibility: visibility.optional(),
  fileIds: fileIds.optional(),
  expectedVersion: version.nullish(),
});

export type UpdateTemplateInput = z.input<typeof updateTemplateSchema>;

/** All conditions have to hold. `search` finds a part of the name or of the shortcut, in any letter case. */
export const templateFilterSchema = z.strictObject({
  name: name.nullish(),
  search: name.nullish(),
  shortcut: shortcut.nullish(),
  visibility: visibility.nullish(),
  authorId: uuid.nullish(),
});

export type TemplateFilter = z.input<typeof templateFilterSchema>;
export type TemplateConditions = z.output<typeof templateFilterSchema>;

export const defaultVersionsShown = 10;
/** The most versions of one template in one read. */
export const maxVersionsShown = 50;

/** The newest `first` versions below `before`. */
export const versionRangeSchema = z.strictObject({
  first: z.number().int().min(0).max(maxVersionsShown).nullish(),
  before: version.nullish(),
});

export type VersionRange = z.input<typeof versionRangeSchema>;

const variablesSchema = jsonObject(maxVariablesBytes)
  .superRefine((values, context) => {
    const entries = Object.entries(values);
    if (entries.length > maxTemplateVariables)
      context.addIssue({ code: 'custom', message: `must not be more than ${maxTemplateVariables}` });
    else
      for (const [key, value] of entries) {
        const message = valueProblem(value);
        if (message !== undefined) context.addIssue({ code: 'custom', message, path: [storableText(key, 100)] });
      }
  })
  .transform((values): TemplateValues => {
    const given = Object.entries(values).filter(([, value]) => value !== null);
    return new Map(given.map(([key, value]) => [key, String(value)]));
  });

/**
 * Reads values for a template's variables: text (also empty), numbers and booleans. Null counts as no value. Names that the template
 * does not use are accepted.
 * @throws AppError VALIDATION_FAILED with paths below `variables`
 */
export function parseTemplateVariables(variables: unknown): TemplateValues {
  return parseInput(variablesSchema, variables ?? {}, 'variables');
}

function valueProblem(value: unknown): string | undefined {
  if (typeof value === 'string')
    return exceedsLength(value, maxValueLength) ? `must not be longer than ${maxValueLength} characters` : undefined;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return undefined;
  return 'has to be text, a number or a boolean';
}
