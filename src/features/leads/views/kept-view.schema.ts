// Bounds and formats of the views that users keep, of the inbox and of the table of leads.

import { z } from 'zod';
import { text } from '../../../platform/input/input.js';
import { shownName } from '../../../platform/input/shown-name.js';
import { inboxFilterSchema, inboxOrderSchema, leadFilterSchema, leadOrderSchema } from '../lead.schema.js';

/** The most views that one user has of one list. */
export const maxViews = 20;
export const maxViewNameLength = 60;
/** The most rows that a view counts. */
export const maxViewCount = 100;
/** The cost of a count, which reads up to `maxViewCount` rows. */
export const countCost = 20;
/** The most columns that a view of the table of leads names. */
export const maxViewColumns = 50;
export const maxColumnNameLength = 64;

const name = shownName(maxViewNameLength);

/** A filter without its null fields. A search is mostly a person's name or number, which would outlive the erasure of that person. */
const keptFilter = <Shape extends z.ZodRawShape & { search: z.ZodType }>(filter: z.ZodObject<Shape>) =>
  filter
    .refine((given) => (given as { search?: unknown }).search == null, {
      path: ['search'],
      error: 'cannot be kept in a view',
    })
    .transform((given) => withoutNulls(given));

const withoutNulls = (given: object) => Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));

/** The columns as the client names them: the service shows no table. */
const columns = z
  .array(text(maxColumnNameLength))
  .max(maxViewColumns)
  .refine((names) => new Set(names).size === names.length, 'must not name a column twice');

export const createInboxViewSchema = z.strictObject({
  name,
  filter: keptFilter(inboxFilterSchema),
  orderBy: inboxOrderSchema.nullish(),
});

export type CreateInboxViewInput = z.input<typeof createInboxViewSchema>;

export const createLeadViewSchema = z.strictObject({
  name,
  filter: keptFilter(leadFilterSchema),
  orderBy: leadOrderSchema.nullish(),
  columns: columns.nullish(),
});

export type CreateLeadViewInput = z.input<typeof createLeadViewSchema>;

/** In a change, absent fields and fields of null stay as they are. */
export const updateInboxViewSchema = createInboxViewSchema.extend({
  name: name.nullish(),
  filter: createInboxViewSchema.shape.filter.nullish(),
});

export type UpdateInboxViewInput = z.input<typeof updateInboxViewSchema>;

export const updateLeadViewSchema = createLeadViewSchema.extend({
  name: name.nullish(),
  filter: createLeadViewSchema.shape.filter.nullish(),
});

export type UpdateLeadViewInput = z.input<typeof updateLeadViewSchema>;
