// The request that is being served, wherever in its call chain something is logged or fails: its id and its caller.

import { AsyncLocalStorage } from 'node:async_hooks';
import { outsideOfOperations } from '../database/operation.js';
import { runInTrace } from './trace-scope.js';

export interface RequestScope {
  readonly requestId: string;
  tenantId?: string;
  /** `user …`, `key …` or `instance …`, with the id of each. */
  principal?: string;
  tokenFault?: TokenFault;
}

/** The fault of the Bearer token that a request brought; `expired` only where it was genuine. */
export type TokenFault = 'malformed' | 'unknown' | 'expired';

const scope = new AsyncLocalStorage<RequestScope | undefined>();

/** Runs `work`, and everything it starts, under this request's id. */
export function withRequestId<Result>(requestId: string, work: () => Result): Result {
  return scope.run({ requestId }, work);
}

/** Runs `work`, and everything it starts, as part of no request and no trace. */
export function outsideOfRequests<Result>(work: () => Result): Result {
  return scope.run(undefined, () => runInTrace(undefined, () => outsideOfOperations(work)));
}

/** Notes the caller of the request. Outside of a request it does nothing. */
export function noteCaller(tenantId: string, principal: string): void {
  const current = scope.getStore();
  if (current !== undefined) Object.assign(current, { tenantId, principal });
}

/** Notes that the request brought a token that opens nothing. Outside of a request it does nothing. */
export function noteTokenFault(tokenFault: TokenFault): void {
  const current = scope.getStore();
  if (current !== undefined) current.tokenFault = tokenFault;
}

/** Undefined outside of a request. */
export function currentRequest(): Readonly<RequestScope> | undefined {
  return scope.getStore();
}

/** Undefined outside of a request. */
export function currentRequestId(): string | undefined {
  return scope.getStore()?.requestId;
}
