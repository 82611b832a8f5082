// A tenant's request as a unit. Its statements find it from wherever in its call chain they run. The number of its connections belongs to
// connection-shares.ts.

import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '../errors.js';

export interface OperationOptions {
  tenantId: string;
  /**
   * The kind of all of its statements. `search` is for an export, which reads as much as there is. `service` is for the process's own work
   * for the tenant. Unset: each is a read or a write.
   */
  kind?: 'search' | 'service' | undefined;
  /** True for a user's operation that changes nothing: read replicas may serve it. */
  isReading?: boolean | undefined;
}

export class Operation {
  readonly tenantId: string;
  readonly kind: OperationOptions['kind'];
  readonly isReading: boolean;
  /** The time at which one of its statements last got a connection that it had to wait for, by the process's monotonic clock. */
  servedAtMs: number | undefined;
  /** The number of its statements outside of transactions that have a connection. */
  readsUnderWay = 0;
  private isOver = false;
  private readonly endings = new Set<() => void>();

  constructor({ tenantId, kind, isReading = false }: OperationOptions) {
    this.tenantId = tenantId;
    this.kind = kind;
    this.isReading = isReading;
  }

  /** True once nobody waits for the result any more. */
  get hasEnded(): boolean {
    return this.isOver;
  }

  /** Runs `onEnd` if nobody waits for the result any more before the returned function is called. */
  whileRunning(onEnd: () => void): () => void {
    if (!this.isOver) this.endings.add(onEnd);
    return () => void this.endings.delete(onEnd);
  }

  /** Ends the operation: nobody waits for its result any more. Statements that wait or search for it are given up. Safe to repeat. */
  end(): void {
    this.isOver = true;
    for (const onEnd of this.endings) onEnd();
    this.endings.clear();
  }
}

/** Refuses what an operation asks for after its end. Its caller is gone, so this is no fault of anybody. */
export class NobodyWaits extends AppError {
  constructor() {
    super('UNAVAILABLE', 'Nobody waits for it any more');
  }
}

const scope = new AsyncLocalStorage<Operation | undefined>();

/** Runs `work` as part of this operation. */
export function inOperation<Result>(operation: Operation, work: () => Result): Result {
  return scope.run(operation, work);
}

/** Runs `work` as part of no operation: the work is the process's own, or holds a connection of the operation already. */
export function outsideOfOperations<Result>(work: () => Result): Result {
  return scope.getStore() === undefined ? work() : scope.run(undefined, work);
}

/** Returns the operation in whose call chain the caller runs. */
export function currentOperation(): Operation | undefined {
  return scope.getStore();
}
