// Builds the executable schema from the resolvers' decorators. Field rules are checked here, and once more by the services.

import { GraphQLDateTime } from 'graphql-scalars';
import { defaultFieldResolver, GraphQLScalarType, isObjectType, type GraphQLSchema } from 'graphql';
import { buildSchemaSync, getMetadataStorage, type AuthCheckerFn, type NonEmptyArray, type PubSub } from 'type-graphql';
import { resolversExtension, type GraphqlContext, type ResolverClass } from '../../platform/graphql/graphql-context.js';
import { requireAdmin, requireUser, type Role } from '../../platform/principal.js';
import { partExtension } from '../../platform/database/shown-records.js';
import { limitAnswers } from './answer-length.js';
import { stopResolversInTime } from './operation-time.js';

// The checker throws by itself: type-graphql's own error carries the wrong code.
const checkRole: AuthCheckerFn<GraphqlContext, Role> = ({ context }, roles) => {
  if (roles.includes('ADMIN')) requireAdmin(context.principal);
  else requireUser(context.principal);
  return true;
};

// type-graphql insists on a PubSub. Every subscription brings its own source instead: a topic in memory forgets, and one stalled subscriber
// of its default implementation ends the process.
const noPubSub: PubSub = {
  publish: () => undefined,
  subscribe: () => {
    throw new Error('a subscription without a source of its own');
  },
};

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

// Lists read times in their written form: nothing is left to do.
const dateTime = new GraphQLScalarType<Date | string, Date | string>({
  ...GraphQLDateTime.toConfig(),
  serialize: (value) => (typeof value === 'string' && isoTime.test(value) ? value : GraphQLDateTime.serialize(value)),
});

/** @param resolvers each class with the instance that answers for it */
export function buildGraphqlSchema(resolvers: ReadonlyMap<ResolverClass, object>): GraphQLSchema {
  readPlainFieldsInPlace();
  const schema = buildSchemaSync({
    // The classes have any constructor; a map cannot say "not empty".
    resolvers: [...resolvers.keys()] as unknown as NonEmptyArray<new () => object>,
    container: { get: (resolver) => resolvers.get(resolver) },
    authChecker: checkRole,
    pubSub: noPubSub,
    scalarsMap: [{ type: Date, scalar: dateTime }],
    // Input is checked by the services' schemas, the same for every API.
    validate: false,
    // Apollo checks the schema as well; here the check would run the whole introspection query at every start.
    skipCheck: true,
  });
  schema.extensions = { ...schema.extensions, [resolversExtension]: resolvers };
  describeRoots(schema);
  readPartsInPlace(schema);
  return stopResolversInTime(limitAnswers(schema));
}

// type-graphql gives every field a function. Without one, the value under the field's own name is read in place, ten times as fast. Fields
// with a rule or a middleware keep their functions, and so do those that are computed.
function readPlainFieldsInPlace(): void {
  const { fields, authorizedFields, authorizedResolver, middlewares } = getMetadataStorage();
  const guardedFields = [...authorizedFields, ...middlewares];
  for (const field of fields) {
    const { target, name, schemaName } = field;
    const isGuarded =
      guardedFields.some((guard) => guard.target === target && guard.fieldName === name) ||
      authorizedResolver.some((guard) => guard.target === target);
    field.simple = !isGuarded && name === schemaName;
  }
}

// A list reads the records that belong to its own with them: these fields then need no query.
function readPartsInPlace(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()))
    for (const field of isObjectType(type) ? Object.values(type.getFields()) : []) {
      const { name, resolve = defaultFieldResolver } = field;
      if (field.extensions[partExtension] !== true) continue;
      field.resolve = (source, args, context, info) => {
        const part: unknown = (source as Record<string, unknown>)[name];
        return part === undefined ? resolve(source, args, context, info) : part;
      };
    }
}

// type-graphql has no place for descriptions of the roots.
function describeRoots(schema: GraphQLSchema): void {
  const described = [
    [schema.getQueryType(), 'What can be read. Nothing changes.'],
    [schema.getMutationType(), 'What can be changed: one after the other, in the order of the document.'],
    [schema.getSubscriptionType(), 'What can be watched, over a WebSocket.'],
  ] as const;
  for (const [root, description] of described) if (root != null) root.description = description;
}
