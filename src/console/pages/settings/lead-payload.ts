// Reads a pasted payload: JSON or form fields. Numbers that JavaScript would change stay as text.

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

const exactNumber: Reviver = (_key, value, context) =>
  typeof value === 'number' && !isExact(value) ? (context?.source ?? String(value)) : value;

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** @returns undefined if the text is not JSON */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, exactNumber);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns undefined if the text is neither a JSON object nor form fields */
export function readPayload(text: string): Record<string, unknown> | undefined {
  const trimmed = text.trim();
  const value = parseExactJson(trimmed);
  if (value !== undefined) return isObject(value) ? value : undefined;
  if (!/^[^\s={}[\]"]+=/.test(trimmed)) return undefined;
  const fields = new Map<string, string | string[]>();
  for (const [name, field] of new URLSearchParams(trimmed)) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? field : [before, field].flat());
  }
  return Object.fromEntries(fields);
}
