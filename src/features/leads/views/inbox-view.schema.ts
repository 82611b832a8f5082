// Bounds and formats of the views of the inbox that users keep.

import { z } from 'zod';
import { text } from '../../../platform/input/input.js';
import { inboxFilterSchema, inboxOrderSchema } from '../lead.schema.js';

/** The most views of one user. */
export const maxInboxViews = 20;
export const maxViewNameLength = 60;
/** The most conversations that a view counts. */
export const maxViewCount = 100;

const name = text(maxViewNameLength);

// A search is mostly a person's name or number, which would outlive the erasure of that person.
const filter = inboxFilterSchema
  .refine(({ search }) => search == null, { path: ['search'], error: 'cannot be kept in a view' })
  .transform((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)));

export const createInboxViewSchema = z.strictObject({ name, filter, orderBy: inboxOrderSchema.nullish() });

export type CreateInboxViewInput = z.input<typeof createInboxViewSchema>;

/** Absent fields and fields of null stay as they are. */
export const updateInboxViewSchema = z.strictObject({
  name: name.nullish(),
  filter: filter.nullish(),
  orderBy: inboxOrderSchema.nullish(),
});

export type UpdateInboxViewInput = z.input<typeof updateInboxViewSchema>;
