// The length of an answer is bounded too. Pages are bounded by their number of records, but a record may be long, and an operation may show
// the same one again and again.

import {
  defaultFieldResolver,
  GraphQLError,
  isNonNullType,
  isObjectType,
  OperationTypeNode,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';
import type { GraphqlContext } from '../../platform/graphql/graphql-context.js';
import type { ExceededLimit } from './document-limit.js';

/** The bytes of long fields in one answer, as they are written out: the process does nothing else while it writes them. */
const maxAnswerCharacters = 8 * 1024 * 1024;
/** The limit of one event of a subscription, which may be shown to many. */
const maxEventCharacters = 1024 * 1024;

/** Fields whose values may be long, by type. */
const longFields: Readonly<Record<string, readonly string[]>> = {
  AuditEntry: ['before', 'after'],
  ChatInstance: ['metadata'],
  Lead: ['customFields', 'metadata', 'tags'],
  LeadNote: ['body'],
  LeadTouch: ['metadata'],
  Message: ['body'],
  MessageError: ['message'],
  MessageMedia: ['sourceUrl', 'caption', 'error'],
  MessageStatusTransition: ['detail'],
  RenderedTemplate: ['body'],
  Template: ['body'],
  TemplateVersion: ['body'],
  WebhookDelivery: ['body', 'bodyBase64', 'result'],
};

type Resolver = GraphQLFieldResolver<unknown, GraphqlContext>;

/**
 * Makes the long fields of a schema count their values. The first value beyond the limit fails with VALIDATION_FAILED. Later ones are null,
 * where they may be: thousands of errors would cost as much as what they keep out.
 */
export function limitAnswers(schema: GraphQLSchema): GraphQLSchema {
  const shown = new WeakMap<GraphqlContext, number>();
  for (const [typeName, names] of Object.entries(longFields)) {
    const type = schema.getType(typeName);
    const fields = isObjectType(type) ? type.getFields() : {};
    for (const name of names) {
      const field = fields[name];
      if (field === undefined) throw new Error(`there is no field ${typeName}.${name} whose values could be long`);
      const resolve = (field.resolve as Resolver | undefined) ?? defaultFieldResolver;
      field.resolve = counted(resolve, shown, !isNonNullType(field.type));
    }
  }
  return schema;
}

function counted(resolve: Resolver, shown: WeakMap<GraphqlContext, number>, isNullable: boolean): Resolver {
  return (source, args, context, info) => {
    const value = resolve(source, args, context, info);
    if (value == null) return value;
    const isEvent = info.operation.operation === OperationTypeNode.SUBSCRIPTION;
    const allowed = isEvent ? maxEventCharacters : maxAnswerCharacters;
    const count = (given: unknown) => {
      const before = shown.get(context) ?? 0;
      if (before > allowed && isNullable) return null;
      const found = before + lengthOf(given);
      shown.set(context, found);
      if (found > allowed) throw answerTooLong(found, allowed);
      return given;
    };
    return value instanceof Promise ? value.then(count) : count(value);
  };
}

export function answerTooLong(found: number, allowed: number): GraphQLError {
  const limit: ExceededLimit = { name: 'characters', found, allowed };
  const message = `The answer has more than ${allowed} characters: ask for less`;
  return new GraphQLError(message, { extensions: { code: 'VALIDATION_FAILED', limit } });
}

// Text that JSON escapes takes up to six times its length.
function lengthOf(value: unknown): number {
  if (typeof value === 'string' && !/["\\\p{Cc}]/u.test(value)) return Buffer.byteLength(value);
  return value == null ? 0 : Buffer.byteLength(JSON.stringify(value));
}
