// Writes the simulator's knobs, special cases and players as rows of its pages, from the code.

import { z } from 'zod';
import { behaviourSchema, DEFAULT_BEHAVIOUR } from '../../src/simulator/behaviour.schema.js';
import { SPECIAL_CASES } from '../../src/simulator/special-cases.js';
import { playableVariants } from '../../src/simulator/play.js';
import { PLAYERS } from '../../src/simulator/players.js';

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

/** Returns a row for each knob: name, meaning, bounds, default. */
export function knobRows(): string[] {
  const { properties } = z.toJSONSchema(behaviourSchema) as unknown as { properties: Record<string, KnobSchema> };
  return Object.entries(properties).map(([name, schema]) => {
    const value = DEFAULT_BEHAVIOUR[name as keyof typeof DEFAULT_BEHAVIOUR];
    return `| \`${name}\` | ${schema.description} | ${describeBounds(schema)} | \`${JSON.stringify(value)}\` |`;
  });
}

/** Returns a row for each special case: digits, name, meaning. */
export function specialCaseRows(): string[] {
  return SPECIAL_CASES.map(({ suffix, name, meaning }) => `| \`${suffix}\` | \`${name}\` | ${meaning} |`);
}

const appSecret = 'secret';
const target = { googleForm: { url: '', key: '' }, metaForm: { url: '', appSecret } };
const targets = {
  neutral: { ...target, dress: 'gateway' },
  Evolution: { ...target, dress: 'evolution' },
  WAHA: { ...target, dress: 'waha' },
  Meta: { ...target, cloud: { instanceId: '', appSecret } },
} as const;

/** The most variants that a row names; more variants are only counted. */
const maxNamed = 6;

/** Returns a row for each player: name, variants, meaning, its result in the service, and the dresses that have a form of it. */
export function playerRows(): string[] {
  return PLAYERS.map(({ name, variants = [], meaning, playedAs }) => {
    const named = variants.map((variant) => `\`${variant}\``).join(', ');
    const shown = variants.length > maxNamed ? `${variants.length} of them` : named || '–';
    const dresses = Object.entries(targets).flatMap(([dress, one]) =>
      playableVariants(name, one).length > 0 ? [dress] : [],
    );
    const where = dresses.length === Object.keys(targets).length ? 'all' : dresses.join(', ');
    return `| \`${name}\` | ${shown} | ${meaning} | ${playedAs} | ${where} |`;
  });
}

function describeBounds(schema: KnobSchema): string {
  if (schema.enum) return schema.enum.join(' or ');
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'string') return `${schema.minLength} to ${schema.maxLength} characters`;
  if (schema.type === 'array')
    return `${schema.minItems} to ${schema.maxItems} texts of ${describeBounds(schema.items)}`;
  return `${schema.minimum} to ${schema.maximum}`;
}
