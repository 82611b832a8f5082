// Which leads to list and in what order: one schema for GraphQL and for exports, whose filter comes as JSON.

import { z } from 'zod';
import { text, time, uuid } from '../../platform/input.js';
import { leadSourceSchema, tagSchema } from './lead-record.schema.js';

/** Most values of a condition that takes several. */
export const maxFilterValues = 50;
export const maxSearchLength = 100;

const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1, 'must not be empty').max(maxFilterValues);

/** All given conditions have to hold. */
export const inboxFilterSchema = z.strictObject({
  assigneeId: uuid.nullish(),
  /** True: nobody looks after it; false: somebody does. */
  unassigned: z.boolean().nullish(),
  unread: z.boolean().nullish(),
  tagsAny: listOf(tagSchema).nullish(),
  tagsAll: listOf(tagSchema).nullish(),
  /** The instance of the newest message. */
  instanceId: uuid.nullish(),
  search: text(maxSearchLength).nullish(),
});

/** As of the inbox; `since` is inclusive, `until` exclusive, and both count from when the lead first came in. */
export const leadFilterSchema = inboxFilterSchema.extend({
  sources: listOf(leadSourceSchema).nullish(),
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

export const orderDirections = { ASC: 'Ascending.', DESC: 'Descending.' } as const;

const keysOf = <Key extends string>(table: Record<Key, string>) => Object.keys(table) as [Key, ...Key[]];

/** A name ascends unless it is said otherwise, a time descends. */
export const leadOrderSchema = z.strictObject({
  field: z.enum(keysOf(leadOrderFields)),
  direction: z.enum(keysOf(orderDirections)).nullish(),
});

export type LeadOrderInput = z.input<typeof leadOrderSchema>;
