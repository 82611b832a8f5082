// Runs operations within their time. When it passes, the caller is answered and no further resolver starts.

import {
  createSourceEventStream,
  execute,
  getOperationAST,
  GraphQLError,
  isIntrospectionType,
  isObjectType,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLFieldResolver,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql';
import { Deadline } from '../../platform/jobs/deadline.js';
import { errorTable } from '../../platform/errors.js';
import { LoaderCache, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { inOperation, Operation } from '../../platform/database/operation.js';
import type { UserPrincipal } from '../../platform/principal.js';
import type { ExceededLimit } from './document-limit.js';

/** From the second reading on, pages leave out records that are gone. A mutation, which is not repeated, leaves them out from the first. */
const maxReadings = 3;

/** Only the first wrong value of the variables is reported: each further one would quote the whole input. */
export const coercionLimit = { maxCoercionErrors: 1 } as const;

function timeError(limitMs: number): GraphQLError {
  const limit: ExceededLimit = { name: 'timeMs', found: limitMs, allowed: limitMs };
  return new GraphQLError(
    `The operation took longer than ${limitMs} ms and was given up: ask for less, or try again. What a mutation had done by then stays done.`,
    { extensions: { code: 'UNAVAILABLE', limit } },
  );
}

/** The context of a socket's operation before it runs. */
export type SocketContext = Pick<GraphqlContext, 'principal'>;

/**
 * Makes every resolver of a schema refuse to start once its operation's time has passed. A resolver that has run for its operation gives
 * the same outcome again.
 */
export function stopResolversInTime(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields()))
      if (field.resolve !== undefined) field.resolve = inTime(field.resolve as Resolver);
  }
  return schema;
}

type Resolver = GraphQLFieldResolver<unknown, GraphqlContext>;

// It makes no promise of its own: lists have thousands of fields.
function inTime(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    if (context.deadline.passed) throw timeError(context.deadline.limitMs);
    const known = context.outcomes?.find(source, info.fieldNodes);
    if (known === undefined) return resolve(source, args, context, info);
    if ('error' in known) throw known.error;
    return known.value;
  };
}

export interface RunOptions {
  /** True if the operation changes nothing. It is done again where a record was erased between its statements. */
  isReading?: boolean;
  /** Gets the operation, which may be ended where nobody waits for its answer any more. */
  onBegin?: ((operation: Operation) => void) | undefined;
}

/** The time limit of operations in milliseconds. Operations that exceed it are logged and counted. */
export class OperationTime {
  constructor(
    private readonly limitMs: number,
    private readonly log: Logger,
    private readonly meter?: Pick<OperationMeter, 'timedOut'>,
  ) {}

  /**
   * Runs `work` with a context of its own.
   * @param late the answer where the time passes first
   * @param options the kind of the operation
   */
  async run<Result>(
    principal: UserPrincipal | undefined,
    work: (context: GraphqlContext) => Promise<Result>,
    late: (error: GraphQLError) => Result,
    { isReading = false, onBegin }: RunOptions = {},
  ): Promise<Result> {
    const deadline = new Deadline(this.limitMs);
    // Callers without a token share one tenant id.
    const operation = new Operation({ tenantId: principal?.tenantId ?? '', isReading });
    onBegin?.(operation);
    try {
      const read = async (left: number): Promise<Result> => {
        const context = { principal, loaders: new LoaderCache(left < maxReadings), deadline };
        const result = await work(context);
        return context.loaders.hasGap && left > 1 ? read(left - 1) : result;
      };
      return await deadline.race(
        inOperation(operation, () => read(isReading ? maxReadings : 1)),
        () => {
          this.meter?.timedOut();
          this.log.warn({ limitMs: this.limitMs, tenantId: principal?.tenantId }, 'an operation took too long');
          return late(timeError(this.limitMs));
        },
      );
    } finally {
      deadline.end();
      operation.end();
    }
  }

  /** Executes a query or a mutation of a socket. */
  execute(args: ExecutionArgs): Promise<ExecutionResult> {
    const { principal } = args.contextValue as SocketContext;
    const work = async (contextValue: GraphqlContext) => execute({ ...args, contextValue, options: coercionLimit });
    const isReading = getOperationAST(args.document, args.operationName)?.operation === OperationTypeNode.QUERY;
    return this.run<ExecutionResult>(principal, work, (error) => ({ errors: [error] }), { isReading });
  }

  /** Opens the source of a socket's subscription. */
  async open(args: ExecutionArgs): Promise<AsyncIterable<unknown> | ExecutionResult> {
    const { principal } = args.contextValue as SocketContext;
    let isLate = false;
    const work = async (contextValue: GraphqlContext) => {
      const source = await createSourceEventStream({ ...args, contextValue, options: coercionLimit });
      // A late source has no reader that would end it.
      if (isLate && Symbol.asyncIterator in source) await source[Symbol.asyncIterator]().return?.();
      return source;
    };
    return this.run<AsyncIterable<unknown> | ExecutionResult>(principal, work, (error) => {
      isLate = true;
      return { errors: [error] };
    });
  }
}

type Errors = readonly Pick<GraphQLFormattedError, 'extensions'>[] | undefined;

const otherCode = 'other';

export class OperationMeter {
  constructor(private readonly metrics: Metrics) {}

  /** Counts an operation that has run. @param errors as the caller sees them */
  ran(type: OperationTypeNode, errors: Errors, durationMs: number): void {
    this.metrics.graphqlOperations.inc({ type, outcome: outcomeOf(errors) });
    this.metrics.graphqlDuration.observe({ type }, durationMs / 1_000);
  }

  /** Counts an operation that was not run, or has only begun. @param document undefined where there is no valid one */
  answered(document: DocumentNode | undefined, operationName: string | null | undefined, errors: Errors): void {
    const type = document === undefined ? undefined : getOperationAST(document, operationName)?.operation;
    this.metrics.graphqlOperations.inc({ type: type ?? 'unknown', outcome: outcomeOf(errors) });
  }

  timedOut(): void {
    this.metrics.graphqlTimeouts.inc();
  }
}

function outcomeOf(errors: Errors): string {
  if (errors === undefined || errors.length === 0) return 'ok';
  const code = errors[0]?.extensions?.['code'];
  return typeof code === 'string' && code in errorTable ? code : otherCode;
}
