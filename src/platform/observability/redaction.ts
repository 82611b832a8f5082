// Redaction takes text out of the log that must not stand there: by the name of a field, and by the shape of a text. No code logs such text
// knowingly; errors of others quote what they were given.

import { types } from 'node:util';

const redacted = '[redacted]';
const redactedNumber = '[number]';

// Credentials, and texts that people write to each other.
const secretNames = /(?:authorization|cookie|password|secret|token|api[-_]?key|tenant[-_]?key|signature)$/i;
const textNames = /^(?:body|text|caption|rawBody|payload|variables|query)$/i;
/** Ids by which lines of the log are found, and a provider's subject, which an ADMIN copies from there: never changed. */
const idNames = new Set(['requestId', 'traceId', 'spanId', 'subject']);

// Our API keys, JWTs, and the text after the name of a scheme.
const credentials = /\blw_[\w-]{20,}|\beyJ[\w-]+\.[\w-]+\.[\w-]*|\b(?<scheme>Bearer|Basic) +[\w.~+/=-]{8,}/g;

// 7 to 15 digits, also with the characters that people put between them. Other texts with as many digits stay: UUIDs, times, IPv4 addresses
// (with their port) and migrations.
const kept = [
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/,
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?/,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/,
  /\b\d{14}_\w+/,
];
const number = /(?<!\d)\+?\d(?:(?:[ ().-]|%20){0,2}\d){6,14}(?!\d)/;
const numbers = new RegExp(`(?<kept>${kept.map(({ source }) => source).join('|')})|${number.source}`, 'gi');

const maxDepth = 8;

export interface RedactionOptions {
  /** True if text that looks like a phone number is taken out. */
  numbers: boolean;
}

export class Redaction {
  constructor(private readonly options: RedactionOptions) {}

  text(text: string): string {
    const known = text.replace(credentials, (...match) => {
      const { scheme } = match.at(-1) as { scheme?: string };
      return scheme === undefined ? redacted : `${scheme} ${redacted}`;
    });
    if (!this.options.numbers) return known;
    return known.replace(numbers, (...match) => (match.at(-1) as { kept?: string }).kept ?? redactedNumber);
  }

  /** Redacts the fields of a line. Errors are left to their serializer. */
  fields(fields: Record<string, unknown>): Record<string, unknown> {
    return this.record(fields, 0);
  }

  private record(fields: object, depth: number): Record<string, unknown> {
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, this.field(name, value, depth)]));
  }

  private field(name: string, value: unknown, depth: number): unknown {
    if (idNames.has(name) || value === undefined || value === null) return value;
    if (secretNames.test(name) || textNames.test(name)) return redacted;
    return this.value(value, depth);
  }

  private value(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null || types.isNativeError(value)) return value;
    if (depth === maxDepth) return redacted;
    if (Array.isArray(value)) return value.map((item) => this.value(item, depth + 1));
    return value instanceof Date ? value : this.record(value, depth + 1);
  }
}
