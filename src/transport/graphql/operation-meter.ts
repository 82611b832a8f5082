// Counts and times GraphQL operations by type and outcome; nothing of their text is told.

import { getOperationAST } from 'graphql';
import type { DocumentNode, GraphQLFormattedError, OperationTypeNode } from 'graphql';
import { errorTable } from '../../platform/errors.js';
import type { Metrics } from '../../platform/metrics.js';

type Errors = readonly Pick<GraphQLFormattedError, 'extensions'>[] | undefined;

const otherCode = 'other';

export class OperationMeter {
  constructor(private readonly metrics: Metrics) {}

  /** What has run. @param errors as the caller is told of them */
  ran(type: OperationTypeNode, errors: Errors, durationMs: number): void {
    this.metrics.graphqlOperations.inc({ type, outcome: outcomeOf(errors) });
    this.metrics.graphqlDuration.observe({ type }, durationMs / 1_000);
  }

  /** What was not run, or has only begun. @param document undefined where there is none that holds */
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
