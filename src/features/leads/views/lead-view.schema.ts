// Bounds and formats of the views of the table of leads that users keep.

import { z } from 'zod';
import { text } from '../../../platform/input/input.js';
import { leadFilterSchema, leadOrderSchema } from '../lead.schema.js';
import { keptFilter, viewNameSchema } from './kept-view.schema.js';

/** The most columns that a view names. */
export const maxViewColumns = 50;
export const maxColumnNameLength = 64;

const filter = keptFilter(leadFilterSchema);

/** The columns as the client names them: the service shows no table. */
const columns = z
  .array(text(maxColumnNameLength))
  .max(maxViewColumns)
  .refine((names) => new Set(names).size === names.length, 'must not name a column twice');

export const createLeadViewSchema = z.strictObject({
  name: viewNameSchema,
  filter,
  orderBy: leadOrderSchema.nullish(),
  columns: columns.nullish(),
});

export type CreateLeadViewInput = z.input<typeof createLeadViewSchema>;

/** Absent fields and fields of null stay as they are. */
export const updateLeadViewSchema = z.strictObject({
  name: viewNameSchema.nullish(),
  filter: filter.nullish(),
  orderBy: leadOrderSchema.nullish(),
  columns: columns.nullish(),
});

export type UpdateLeadViewInput = z.input<typeof updateLeadViewSchema>;
