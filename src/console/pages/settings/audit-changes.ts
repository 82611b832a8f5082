// The changed fields of an audit entry, with their values before and after.

export interface FieldChange {
  field: string;
  /** Undefined if there was no value. */
  before: unknown;
  after: unknown;
}

type Fields = Record<string, unknown> | null;

export function changesOf(before: Fields, after: Fields): FieldChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].map((field) => ({ field, before: before?.[field], after: after?.[field] }));
}

const maxLength = 160;

/** Returns the value as JSON, and cuts it if it is long. */
export function shortValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const shown = text === '' ? '""' : text;
  return shown.length > maxLength ? `${shown.slice(0, maxLength)}…` : shown;
}
