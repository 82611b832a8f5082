// Brings live events to sockets: puts subscriptions into groups, and writes what was made for a group to each of its sockets,
// past graphql-ws, which would execute and serialise for each. Which events come when belongs to the feed.

import { Kind, print, visit } from 'graphql';
import type { DocumentNode, ExecutionArgs, ExecutionResult } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { WebSocket } from 'ws';
import type { Frame } from '../features/live/frames.js';
import type { LiveFeed } from '../features/live/live-feed.js';
import { LiveSource } from '../features/live/live-source.js';
import type { FeedReader } from '../features/live/tenant-tail.js';
import { keptBytes } from '../platform/kept-bytes.js';
import type { Logger } from '../platform/logger.js';
import type { UserPrincipal } from '../platform/principal.js';
import type { OperationTime } from './operation-time.js';
import { SocketOutlet } from './socket-outlet.js';
import type { OutletOptions } from './socket-outlet.js';
import { SubscriptionGroup } from './subscription-group.js';
import { viewerClassOf } from './watched-viewer.js';

/** An operation, and where its answers go. */
export interface SocketOperation extends ExecutionArgs {
  socket: WebSocket;
  /** The client's id of the operation. */
  operationId: string;
  user: UserPrincipal;
  /** When it was let in, by the process's monotonic clock. */
  startedAtMs: number;
}

export interface FanOutOptions {
  feed: Pick<LiveFeed, 'follow'>;
  time: OperationTime;
  log: Logger;
  /** Of how many events a subscription may be executed at a time. */
  countAtOnce: (operation: SocketOperation) => number;
  outlet?: OutletOptions;
}

interface Membership {
  readonly group: SubscriptionGroup;
  /** By viewers who may see the same, not by one user alone. */
  readonly isShared: boolean;
  members: number;
}

const maxPersonalKeys = 1_000;

export class FanOut {
  private lastGroupId = 0;
  private readonly groups = new Map<string, Membership>();
  private readonly outlets = new WeakMap<WebSocket, SocketOutlet>();
  /** Groups whose resolvers read who the viewer is. */
  private readonly personalKeys = new LRUCache<string, true>({ max: maxPersonalKeys });

  constructor(private readonly options: FanOutOptions) {}

  /**
   * Starts a subscription. Its events are written to the socket itself: what is returned only ends, by itself or with `return`.
   * @returns the errors that keep it from starting, otherwise
   */
  async subscribe(operation: SocketOperation): Promise<ExecutionResult | AsyncIterableIterator<never>> {
    const source = await this.options.time.open(operation);
    if (!(source instanceof LiveSource)) return source as ExecutionResult;
    const subscription = new SocketSubscription({
      prefix: keptBytes(`{"id":${JSON.stringify(operation.operationId)},"type":"next","payload":`),
      outlet: this.outletOf(operation.socket),
      join: () => this.join(operation, source),
    });
    try {
      await subscription.follow(this.options.feed, source);
    } catch (error) {
      // Thrown from here it would close the socket, and graphql-ws clients would take that for final.
      subscription.end(error as Error);
    }
    return subscription;
  }

  private outletOf(socket: WebSocket): SocketOutlet {
    const outlet = this.outlets.get(socket) ?? new SocketOutlet(socket, this.options.outlet);
    this.outlets.set(socket, outlet);
    return outlet;
  }

  private join(operation: SocketOperation, source: LiveSource): GroupPlace {
    const sharedKey = keyOf(operation, source);
    const isShared = !this.personalKeys.has(sharedKey);
    const key = isShared ? sharedKey : `${sharedKey} ${operation.user.userId}`;
    const membership = this.groups.get(key) ?? { group: this.createGroup(operation, source), isShared, members: 0 };
    const { group } = membership;
    membership.members += 1;
    this.groups.set(key, membership);
    const leave = () => {
      membership.members -= 1;
      if (membership.members === 0 && this.groups.get(key) === membership) this.groups.delete(key);
    };
    const isCurrent = () => {
      if (!isShared || !group.isPersonal) return true;
      this.personalKeys.set(sharedKey, true);
      return false;
    };
    return { group, leave, isCurrent };
  }

  private createGroup(operation: SocketOperation, source: LiveSource): SubscriptionGroup {
    this.lastGroupId += 1;
    const { socket: _socket, operationId: _operationId, startedAtMs: _startedAtMs, user, ...args } = operation;
    const { time, log, countAtOnce } = this.options;
    const eventsAtOnce = countAtOnce(operation);
    return new SubscriptionGroup({ id: this.lastGroupId, args, source, user, time, log, eventsAtOnce });
  }
}

function keyOf({ user, document, operationName, variableValues }: SocketOperation, source: LiveSource): string {
  const shown = withoutPosition(document, variableValues ?? {}, source.positionArgument);
  return JSON.stringify([...viewerClassOf(user), source.name, operationName, textOf(document), shown]);
}

interface GroupPlace {
  group: SubscriptionGroup;
  leave: () => void;
  /** False once it has turned out that the viewers of the group do not see the same. */
  isCurrent: () => boolean;
}

interface SocketSubscriptionOptions {
  prefix: Buffer;
  outlet: SocketOutlet;
  join: () => GroupPlace;
}

class SocketSubscription implements FeedReader, AsyncIterableIterator<never> {
  private place: GroupPlace;
  private leaveFeed: () => void = () => undefined;
  private readonly ended = Promise.withResolvers<IteratorResult<never>>();
  private hasEnded = false;

  constructor(private readonly options: SocketSubscriptionOptions) {
    this.place = options.join();
    // Nobody may be waiting when it fails.
    this.ended.promise.catch(() => undefined);
  }

  async follow(feed: Pick<LiveFeed, 'follow'>, { tenantId, afterSeq }: LiveSource): Promise<void> {
    this.leaveFeed = await feed.follow(tenantId, this, afterSeq);
    if (this.hasEnded) this.leaveFeed();
  }

  get group(): SubscriptionGroup {
    if (!this.hasEnded && !this.place.isCurrent()) {
      this.place.leave();
      this.place = this.options.join();
    }
    return this.place.group;
  }

  write(frames: readonly Frame[], afterSeq: number): number | undefined {
    const { outlet, prefix } = this.options;
    let writtenSeq = afterSeq;
    for (const { seq, payload } of frames) {
      if (seq <= afterSeq) continue;
      if (outlet.isFull) return writtenSeq;
      outlet.send(Buffer.concat([prefix, payload], prefix.length + payload.length));
      writtenSeq = seq;
    }
    return undefined;
  }

  whenReady(): Promise<boolean> {
    return this.options.outlet.whenDrained();
  }

  end(error?: Error): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.place.leave();
    this.leaveFeed();
    if (error === undefined) this.ended.resolve({ value: undefined, done: true });
    else this.ended.reject(error);
  }

  next(): Promise<IteratorResult<never>> {
    return this.ended.promise;
  }

  return(): Promise<IteratorResult<never>> {
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const texts = new WeakMap<DocumentNode, string>();

function textOf(document: DocumentNode): string {
  const text = texts.get(document) ?? print(document);
  texts.set(document, text);
  return text;
}

/** The variables that say what is shown: without one that is nothing but the place to begin at. */
function withoutPosition(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  argument: string | undefined,
): Readonly<Record<string, unknown>> {
  const name = argument === undefined ? undefined : findPositionVariable(document, argument);
  if (name === undefined || !(name in variables)) return variables;
  const { [name]: _position, ...rest } = variables;
  return rest;
}

// Only where the variable is used for this and nothing else.
function findPositionVariable(document: DocumentNode, argument: string): string | undefined {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const roots = operations.flatMap(({ selectionSet }) => selectionSet.selections);
  const given = roots.flatMap((root) => (root.kind === Kind.FIELD ? (root.arguments ?? []) : []));
  const position = given.find(({ name, value }) => name.value === argument && value.kind === Kind.VARIABLE)?.value;
  if (position?.kind !== Kind.VARIABLE) return undefined;
  const { value: name } = position.name;
  let uses = 0;
  visit(document, {
    VariableDefinition: () => false,
    Variable: (node) => void (uses += node.name.value === name ? 1 : 0),
  });
  return uses === 1 ? name : undefined;
}
