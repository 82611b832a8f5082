// Owns how the knobs and special cases are written as rows of src/docs/simulator.md, taken from the code.

import { z } from 'zod';
import { behaviourSchema, DEFAULT_BEHAVIOUR } from '../../src/simulator/behaviour.schema.js';
import { SPECIAL_CASES } from '../../src/simulator/behaviour-book.js';

interface KnobSchema {
  description: string;
  type: string;
  minimum: number;
  maximum: number;
  minLength: number;
  maxLength: number;
  minItems: number;
  maxItems: number;
  enum?: string[];
  items: KnobSchema;
}

/** One row for each knob: name, meaning, bounds, default. */
export function knobRows(): string[] {
  const { properties } = z.toJSONSchema(behaviourSchema) as unknown as { properties: Record<string, KnobSchema> };
  return Object.entries(properties).map(([name, schema]) => {
    const value = DEFAULT_BEHAVIOUR[name as keyof typeof DEFAULT_BEHAVIOUR];
    return `| \`${name}\` | ${schema.description} | ${describeBounds(schema)} | \`${JSON.stringify(value)}\` |`;
  });
}

/** One row for each special case: digits, name, meaning. */
export function specialCaseRows(): string[] {
  return SPECIAL_CASES.map(({ suffix, name, meaning }) => `| \`${suffix}\` | \`${name}\` | ${meaning} |`);
}

function describeBounds(schema: KnobSchema): string {
  if (schema.enum) return schema.enum.join(' or ');
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'string') return `${schema.minLength} to ${schema.maxLength} characters`;
  if (schema.type === 'array')
    return `${schema.minItems} to ${schema.maxItems} texts of ${describeBounds(schema.items)}`;
  return `${schema.minimum} to ${schema.maximum}`;
}
