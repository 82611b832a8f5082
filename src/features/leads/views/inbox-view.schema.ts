// Bounds and formats of the views of the inbox that users keep.

import { z } from 'zod';
import { inboxFilterSchema, inboxOrderSchema } from '../lead.schema.js';
import { keptFilter, viewNameSchema } from './kept-view.schema.js';

const filter = keptFilter(inboxFilterSchema);

export const createInboxViewSchema = z.strictObject({
  name: viewNameSchema,
  filter,
  orderBy: inboxOrderSchema.nullish(),
});

export type CreateInboxViewInput = z.input<typeof createInboxViewSchema>;

/** Absent fields and fields of null stay as they are. */
export const updateInboxViewSchema = z.strictObject({
  name: viewNameSchema.nullish(),
  filter: filter.nullish(),
  orderBy: inboxOrderSchema.nullish(),
});

export type UpdateInboxViewInput = z.input<typeof updateInboxViewSchema>;
