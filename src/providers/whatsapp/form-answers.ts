// The answers of a form that a person filled in within the chat. They come as JSON in a text, which may be broken.

import { exceedsDepth, isPlainObject, storableText } from '../../platform/input/input.js';
import { maxBodyLength } from '../reported.schema.js';

/** A form that nests deeper is kept as its raw text. */
const maxDepth = 8;
/** A form with more characters is kept as its raw text, which is cut. */
const maxLength = 32_768;

export interface FormAnswers {
  /** The answers without the form's token; undefined where they cannot be read. */
  answers?: Record<string, unknown> | undefined;
  /** `name: value` lines, or the raw text of an unreadable form. */
  text?: string | undefined;
}

// The token belongs to the sender of the form. It tells nothing about the person.
const tokenName = 'flow_token';

/** Never throws: text that is no JSON object stays as its raw text. */
export function readFormAnswers(written: unknown): FormAnswers {
  if (typeof written !== 'string' || written.trim() === '') return {};
  const raw = { text: storableText(written, maxBodyLength) };
  if (written.length > maxLength) return raw;
  const parsed = parseObject(written);
  if (parsed === undefined || exceedsDepth(parsed, maxDepth)) return raw;
  const entries = Object.entries(parsed).filter(([name]) => name !== tokenName);
  const answers = storable(Object.fromEntries(entries)) as Record<string, unknown>;
  const lines = Object.entries(answers).map(([name, value]) => `${name}: ${shown(value)}`);
  return { answers, text: lines.length === 0 ? undefined : storableText(lines.join('\n'), maxBodyLength) };
}

/** Returns the object that a JSON text holds; undefined where it holds none. */
export function parseObject(written: unknown): Record<string, unknown> | undefined {
  if (typeof written !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(written);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

// PostgreSQL keeps neither NUL nor half a character in JSON.
function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value, maxLength);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(storable);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [storableText(name, 255), storable(inner)]));
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.map(String).join(', ');
  // The network's own form of an address has its answers one level deeper.
  if (isPlainObject(value))
    return Object.entries(value)
      .map(([name, inner]) => `${name}: ${shown(inner)}`)
      .join(', ');
  return JSON.stringify(value) ?? '';
}
