// GraphQL enums of tables that give every value its meaning.

import { registerEnumType } from 'type-graphql';

/**
 * @param meanings a description for each value
 * @param nameOf the name of a value in GraphQL; the value itself where left out
 * @returns the enum, to name in decorators
 */
export function enumOf(
  name: string,
  description: string,
  meanings: Record<string, string>,
  nameOf: (value: string) => string = (value) => value,
): Record<string, string> {
  const values = Object.fromEntries(Object.keys(meanings).map((value) => [nameOf(value), value]));
  const valuesConfig = Object.fromEntries(
    Object.entries(meanings).map(([value, meaning]) => [nameOf(value), { description: meaning }]),
  );
  registerEnumType(values, { name, description, valuesConfig });
  return values;
}
