// Writes of a record whose fields are unique in its tenant.

import { conflictingField, notFound } from '../errors.js';
import { isUniqueViolation } from '../observability/fault.js';

/**
 * Runs a write of one record, and returns its row.
 * @param kind the record's name in the error
 * @param fields the field of each unique key
 * @throws AppError NOT_FOUND if no row was written; CONFLICT on the field whose value another record has
 */
export async function writeUnique<Row>(
  kind: string,
  fields: Readonly<Record<string, string>>,
  write: () => Promise<Row[]>,
): Promise<Row> {
  try {
    const [row] = await write();
    if (row === undefined) throw notFound(kind);
    return row;
  } catch (error) {
    const field = isUniqueViolation(error) ? fields[error.constraint ?? ''] : undefined;
    throw field === undefined ? error : conflictingField(field, 'is taken', error);
  }
}
