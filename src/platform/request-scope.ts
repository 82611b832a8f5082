// The id of the request that is being served, wherever in its call chain something is logged or fails.

import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<{ requestId: string }>();

/** Runs `work`, and everything it starts, under this request's id. */
export function withRequestId<Result>(requestId: string, work: () => Result): Result {
  return scope.run({ requestId }, work);
}

/** Undefined outside of a request. */
export function currentRequestId(): string | undefined {
  return scope.getStore()?.requestId;
}
