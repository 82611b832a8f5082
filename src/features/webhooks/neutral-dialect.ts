// The neutral dialect (contract, section 3): one item, or many under `messages` or `statuses`.

import type { z } from 'zod';
import type { FieldError } from '../../platform/errors.js';
import { fieldErrors, isPlainObject, validationFailed } from '../../platform/input.js';

/** At most this many items in one call. */
export const maxItems = 500;

/** An item that was read, or why it was not. */
export type ReadItem<Item> = { item: Item } | { errors: FieldError[] };

export interface ReadBody<Item> {
  /** One item by itself: what is wrong with it refuses the call. Many: each stands for itself. */
  many: boolean;
  items: ReadItem<Item>[];
}

/**
 * @param listName the field that carries many
 * @throws AppError VALIDATION_FAILED when the list itself is wrong
 */
export function readNeutralBody<Schema extends z.ZodType>(
  body: unknown,
  listName: 'messages' | 'statuses',
  schema: Schema,
): ReadBody<z.output<Schema>> {
  const list = isPlainObject(body) ? body[listName] : undefined;
  if (list === undefined) return { many: false, items: [readItem(schema, body)] };
  if (!Array.isArray(list)) throw validationFailed([{ path: listName, message: 'has to be a list' }]);
  if (list.length > maxItems)
    throw validationFailed([{ path: listName, message: `must not hold more than ${maxItems} items` }]);
  return { many: true, items: list.map((item) => readItem(schema, item)) };
}

function readItem<Schema extends z.ZodType>(schema: Schema, value: unknown): ReadItem<z.output<Schema>> {
  const parsed = schema.safeParse(value);
  return parsed.success ? { item: parsed.data } : { errors: fieldErrors(parsed.error) };
}
