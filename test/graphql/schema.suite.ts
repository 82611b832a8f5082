// The schema as clients read it: every part of it has a description.

import { readFileSync } from 'node:fs';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  type GraphQLNamedType,
} from 'graphql';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

type Described = [name: string, description: string | null | undefined];

function partsOf(type: GraphQLNamedType): Described[] {
  const own: Described = [type.name, type.description];
  if (isEnumType(type))
    return [own, ...type.getValues().map(({ name, description }): Described => [`${type.name}.${name}`, description])];
  if (isInputObjectType(type))
    return [
      own,
      ...Object.values(type.getFields()).map((field): Described => [`${type.name}.${field.name}`, field.description]),
    ];
  if (!isObjectType(type) && !isInterfaceType(type)) return [own];
  const fields = Object.values(type.getFields()).flatMap(({ name, description, args }): Described[] => [
    [`${type.name}.${name}`, description],
    ...args.map((arg): Described => [`${type.name}.${name}(${arg.name})`, arg.description]),
  ]);
  return [own, ...fields];
}

export function describeSchema(): void {
  test('every type, field, argument and value has a description', () => {
    const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
    const parts = types.flatMap(partsOf);
    expect(parts.length).toBeGreaterThan(500);
    expect(parts.filter(([, description]) => (description ?? '') === '').map(([name]) => name)).toEqual([]);
  });
}
