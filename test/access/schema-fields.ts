// The schema as the committed SDL says it, and the role rules as the decorators do.

import { readFileSync } from 'node:fs';
import { buildSchema, getNamedType, isObjectType, type GraphQLObjectType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

/** Names the operations of one kind, as `Query.lead`. */
export function operationsOf(root: 'Query' | 'Mutation' | 'Subscription'): string[] {
  return Object.keys(objectType(root).getFields()).map((field) => `${root}.${field}`);
}

/** Names the fields below the roots that only an ADMIN may read, as `Tenant.apiKey`. The resolvers have to be loaded. */
export function adminFields(): string[] {
  const { authorizedFields, queries, mutations, subscriptions } = getMetadataStorage();
  const operations = [...queries, ...mutations, ...subscriptions];
  return authorizedFields
    .filter(({ roles }) => roles.includes('ADMIN'))
    .filter(({ target, fieldName }) => !operations.some((o) => o.target === target && o.methodName === fieldName))
    .map(({ target, fieldName }) => `${typeNameOf(target)}.${fieldName}`);
}

// A rule stands on the type's own class, or on a resolver of the type.
function typeNameOf(target: unknown): string {
  const { objectTypes, resolverClasses } = getMetadataStorage();
  const resolved = resolverClasses.find((resolver) => resolver.target === target)?.getObjectType();
  const type = objectTypes.find((candidate) => candidate.target === (resolved ?? target));
  if (type === undefined) throw new Error('a rule stands on a class that is no type');
  return type.name;
}

/** Object types that are reached from these operations without passing one of these fields. */
export function reachableTypes(operations: readonly string[], closedFields: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const visit = (type: GraphQLObjectType, field: string) => {
    const named = getNamedType(type.getFields()[field]?.type);
    if (!isObjectType(named) || reached.has(named.name)) return;
    reached.add(named.name);
    for (const next of Object.keys(named.getFields()))
      if (!closedFields.includes(`${named.name}.${next}`)) visit(named, next);
  };
  for (const operation of operations) {
    const [root = '', field = ''] = operation.split('.');
    visit(objectType(root), field);
  }
  return reached;
}

/** The description of a field such as `Tenant.apiKey`, as clients read it. */
export function descriptionOf(field: string): string {
  const [type = '', name = ''] = field.split('.');
  return objectType(type).getFields()[name]?.description ?? '';
}

function objectType(name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} is no object type`);
  return type;
}
