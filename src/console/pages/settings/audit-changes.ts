// Fields of an audit entry, each as it was and as it is.

export interface FieldChange {
  field: string;
  /** Undefined where there was none. */
  before: unknown;
  after: unknown;
}

type Fields = Record<string, unknown> | null;

export function changesOf(before: Fields, after: Fields): FieldChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].map((field) => ({ field, before: before?.[field], after: after?.[field] }));
}

const maxLength = 160;

/** As JSON, cut where it is long. */
export function shortValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const shown = text === '' ? '""' : text;
  return shown.length > maxLength ? `${shown.slice(0, maxLength)}…` : shown;
}
