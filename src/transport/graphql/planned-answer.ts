// Answers a query that has a plan, past Apollo's pipeline: its document is valid, its cost is allowed, and its request has the usual form.
// Apollo answers everything else, and reports whatever is wrong.

import type { HTTPGraphQLResponse } from '@apollo/server';
import type { Request } from 'express';
import { OperationTypeNode, type DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { isPlainObject } from '../../platform/input/input.js';
import type { CompiledQueries } from './compiled-query.js';
import type { AskedOperation } from './graphql-request.js';
import type { OperationCosts, Variables } from './operation-cost.js';
import type { OperationMeter } from './operation-time.js';

/** A query that a plan may answer. */
export interface Plannable {
  document: DocumentNode;
  operationName: string | undefined;
  variables: Variables;
  /** The media type of its answer. */
  type: string;
}

export interface PlannedAnswer {
  type: string;
  text: string;
}

const maxTypes = 100;
const maxAcceptLength = 200;

export class PlannedAnswers {
  /** The media types that Apollo has answered with, by the `Accept` header. */
  private readonly types = new LRUCache<string, string>({ max: maxTypes });

  constructor(
    private readonly options: { costs: OperationCosts; meter: OperationMeter },
    private readonly compiled: CompiledQueries,
  ) {}

  /** @param document the document of a query that was asked for @returns undefined where anything about the request is unusual */
  find(req: Request, asked: AskedOperation, document: DocumentNode): Plannable | undefined {
    const type = this.types.get(req.headers.accept ?? '');
    if (type === undefined || req.method !== 'POST' || !isUsual(req.body as Body, asked)) return undefined;
    const { operationName } = asked;
    const { variables } = req.body as { variables: Variables };
    if (this.options.costs.findExcessive(document, operationName, variables) !== undefined) return undefined;
    return { document, operationName, variables, type };
  }

  /** @returns undefined where graphql-js has to execute it */
  async answer(
    { document, operationName, variables, type }: Plannable,
    context: GraphqlContext,
  ): Promise<PlannedAnswer | undefined> {
    const startedAtMs = performance.now();
    const data = await this.compiled.execute(document, operationName, variables, context);
    if (data === undefined) return undefined;
    const text = `${JSON.stringify({ data })}\n`;
    this.options.meter.ran(OperationTypeNode.QUERY, undefined, performance.now() - startedAtMs);
    return { type, text };
  }

  /** Remembers the media type that Apollo has answered with. */
  learn({ headers: { accept = '' } }: Request, { status = 200, headers }: HTTPGraphQLResponse): void {
    const type = headers.get('content-type');
    if (status === 200 && type !== undefined && accept.length <= maxAcceptLength) this.types.set(accept, type);
  }
}

type Body = Readonly<Record<'query' | 'variables' | 'operationName' | 'extensions', unknown>>;

function isUsual({ query: sent, variables, operationName, extensions }: Body, { query }: AskedOperation): boolean {
  if (sent != null && query === undefined) return false;
  if (variables != null && !isPlainObject(variables)) return false;
  if (operationName != null && typeof operationName !== 'string') return false;
  if (extensions == null) return true;
  if (!isPlainObject(extensions)) return false;
  const persisted = extensions['persistedQuery'];
  // Apollo checks and keeps a text that comes with its hash.
  return persisted == null || (query === undefined && (persisted as { version?: unknown }).version === 1);
}
