// Bounds and formats that the views of all lists share.

import type { z } from 'zod';
import { text } from '../../../platform/input/input.js';

/** The most views that one user has of one list. */
export const maxViews = 20;
export const maxViewNameLength = 60;
/** The most rows that a view counts. */
export const maxViewCount = 100;
/** The cost of a count, which reads up to `maxViewCount` rows. */
export const countCost = 20;

/** The count of a view needs no other field of a lead. */
export const countedFields = new Map([['id', new Set<string>()]]);

export const viewNameSchema = text(maxViewNameLength);

/** A filter without its null fields. A search is mostly a person's name or number, which would outlive the erasure of that person. */
export const keptFilter = <Shape extends z.ZodRawShape & { search: z.ZodType }>(filter: z.ZodObject<Shape>) =>
  filter
    .refine((given) => (given as { search?: unknown }).search == null, {
      path: ['search'],
      error: 'cannot be kept in a view',
    })
    .transform((given) => withoutNulls(given));

const withoutNulls = (given: object) => Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
