// The operations of sockets that have not come as far as an answer. One that is ended so early graphql-ws forgets, and takes what
// comes of it for the next one of the same id: a subscription that nothing ends would be left.

import type { WebSocket } from 'ws';

/** An operation by its socket, and by its client's id. */
export interface OperationId {
  readonly socket: WebSocket;
  readonly operationId: string;
}

export class StartingOperations {
  private readonly ids = new WeakMap<WebSocket, Set<string>>();

  has({ socket, operationId }: OperationId): boolean {
    return this.ids.get(socket)?.has(operationId) === true;
  }

  /** Counts the operation in until `work` is done. */
  async during<Result>({ socket, operationId }: OperationId, work: () => Promise<Result>): Promise<Result> {
    const ids = this.ids.get(socket) ?? new Set();
    this.ids.set(socket, ids.add(operationId));
    try {
      return await work();
    } finally {
      ids.delete(operationId);
    }
  }
}
