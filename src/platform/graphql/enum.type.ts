// GraphQL enums made from a table of their values' meanings.

import { registerEnumType } from 'type-graphql';

/** Registers an enum. Its names are the keys of `meanings` in capitals, its values the keys themselves. */
export function enumOf(name: string, description: string, meanings: Record<string, string>): Record<string, string> {
  const entries = Object.entries(meanings);
  const values = Object.fromEntries(entries.map(([value]) => [value.toUpperCase(), value]));
  const valuesConfig = Object.fromEntries(
    entries.map(([value, meaning]) => [value.toUpperCase(), { description: meaning }]),
  );
  registerEnumType(values, { name, description, valuesConfig });
  return values;
}
