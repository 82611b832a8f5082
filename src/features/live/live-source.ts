// What a subscription reads: a view of one tenant's events. GraphQL asks for something to iterate over; the events themselves are
// handed out by live-feed.ts, to all subscriptions of one kind at once.

import type { FeedEvent } from './event-pages.js';

/**
 * What the subscription's field is resolved from for an event; undefined: the event does not concern the view. Asked for one event
 * after the other, in their order.
 */
type RootOf = (event: FeedEvent) => object | undefined | Promise<object | null | undefined>;

export interface LiveSourceOptions {
  tenantId: string;
  /** Sources of one tenant with the same name show the same. */
  name: string;
  /** The last event that was seen; undefined: from now on. */
  afterSeq?: number | undefined;
  /** The argument that `afterSeq` was given as: it says where to begin, and nothing of what is shown. */
  positionArgument?: string;
  rootOf: RootOf;
}

export class LiveSource implements AsyncIterable<object> {
  readonly tenantId: string;
  readonly name: string;
  readonly afterSeq: number | undefined;
  readonly positionArgument: string | undefined;
  readonly rootOf: RootOf;

  constructor({ tenantId, name, afterSeq, positionArgument, rootOf }: LiveSourceOptions) {
    this.tenantId = tenantId;
    this.name = name;
    this.afterSeq = afterSeq;
    this.positionArgument = positionArgument;
    this.rootOf = rootOf;
  }

  [Symbol.asyncIterator](): AsyncIterator<object> {
    return { next: () => Promise.reject(new Error('a live source is followed through the feed')) };
  }
}
