// Brings live events to sockets: puts subscriptions into groups, and writes the frames of a group to each of its sockets. It bypasses
// graphql-ws, which would execute and serialise for each. The feed decides which events come when.

import {
  Kind,
  print,
  visit,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
} from 'graphql';
import type { WebSocket } from 'ws';
import type { Frame } from '../../features/live/frame-cache.js';
import type { LiveFeed } from '../../features/live/live-feed.js';
import { LiveSource } from '../../features/live/event-pages.js';
import type { FeedReader } from '../../features/live/tenant-tail.js';
import { FrameRenderer } from './frame-renderer.js';
import { keptBytes, SubscriptionBudget } from './subscription-cost.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { UserPrincipal } from '../../platform/principal.js';
import { Tally } from '../../platform/jobs/tally.js';
import type { OperationTime } from '../graphql/operation-time.js';
import { SocketOutlet, type Corkable, type OutletOptions } from './outlet.js';

/** An operation, and the socket that its answers go to. */
export interface SocketOperation extends ExecutionArgs {
  socket: WebSocket;
  /** The connection that the socket writes to. */
  connection: Corkable;
  /** The client's id of the operation. */
  operationId: string;
  user: UserPrincipal;
  /** The time at which it was let in, by the process's monotonic clock. */
  startedAtMs: number;
  /** The cost of each event of a subscription, and the cost while the subscription is there. */
  cost: { event: number; staying: number };
}

export interface FanOutOptions {
  feed: Pick<LiveFeed, 'follow'>;
  time: OperationTime;
  log: Logger;
  outlet?: OutletOptions;
}

interface Membership {
  readonly group: FrameRenderer;
  /** The cost of the group in the budgets. */
  readonly cost: number;
  /** The number of subscriptions that each user has in the group. */
  readonly members: Tally;
}

/** The most that the events cost together that a group is given at a time: the process does nothing else meanwhile. */
const maxCostAtOnce = 2_000;

export class FanOut {
  private lastGroupId = 0;
  private readonly groups = new Map<string, Membership>();
  private readonly budget = new SubscriptionBudget();
  private readonly outlets = new WeakMap<WebSocket, SocketOutlet>();

  constructor(private readonly options: FanOutOptions) {}

  /**
   * Starts a subscription. Its events are written to the socket itself: the returned iterator only ends, by itself or with `return`.
   * @returns an iterator, or the errors that keep the subscription from starting
   */
  async subscribe(operation: SocketOperation): Promise<ExecutionResult | AsyncIterableIterator<never>> {
    const source = await this.options.time.open(operation);
    if (!(source instanceof LiveSource)) return source as ExecutionResult;
    const refusal = this.findRefusal(operation, source);
    if (refusal !== undefined) return { errors: [refusal] };
    const subscription = new SocketSubscription({
      prefix: keptBytes(`{"id":${JSON.stringify(operation.operationId)},"type":"next","payload":`),
      outlet: this.outletOf(operation),
      place: this.join(operation, source),
    });
    try {
      await subscription.follow(this.options.feed, source);
    } catch (error) {
      // An error thrown from here would close the socket, and graphql-ws clients would take that for final.
      subscription.end(error as Error);
    }
    return subscription;
  }

  private outletOf({ socket, connection }: SocketOperation): SocketOutlet {
    const outlet = this.outlets.get(socket) ?? new SocketOutlet(socket, connection, this.options.outlet);
    this.outlets.set(socket, outlet);
    return outlet;
  }

  private join(operation: SocketOperation, source: LiveSource): GroupPlace {
    const key = keyOf(operation, source);
    const membership = this.groups.get(key) ?? this.openGroup(key, operation, source);
    this.enter(membership, operation);
    return { group: membership.group, leave: () => this.leave(key, membership, operation) };
  }

  private findRefusal(operation: SocketOperation, source: LiveSource): GraphQLError | undefined {
    const { user, cost } = operation;
    const membership = this.groups.get(keyOf(operation, source));
    const added = (isThere: boolean) => (isThere ? 0 : cost.staying);
    const isMember = membership !== undefined && membership.members.of(user.userId) > 0;
    return this.budget.findRefusal(user, { tenant: added(membership !== undefined), user: added(isMember) });
  }

  private openGroup(key: string, operation: SocketOperation, source: LiveSource): Membership {
    this.lastGroupId += 1;
    const { socket: _socket, connection: _connection, operationId: _id, startedAtMs: _startedAt, ...rest } = operation;
    const { user, cost, ...args } = rest;
    const { time, log } = this.options;
    const eventsAtOnce = Math.max(1, Math.floor(maxCostAtOnce / cost.event));
    const group = new FrameRenderer({ id: this.lastGroupId, args, source, user, time, log, eventsAtOnce });
    const membership = { group, cost: cost.staying, members: new Tally() };
    this.groups.set(key, membership);
    this.budget.addForTenant(user, cost.staying);
    return membership;
  }

  private enter({ members, cost }: Membership, { user }: SocketOperation): void {
    if (members.add(user.userId, 1) === 1) this.budget.addForUser(user, cost);
  }

  private leave(key: string, { members, cost }: Membership, { user }: SocketOperation): void {
    if (members.add(user.userId, -1) > 0) return;
    this.budget.addForUser(user, -cost);
    if (members.size > 0) return;
    this.groups.delete(key);
    this.budget.addForTenant(user, -cost);
  }
}

function keyOf({ user, document, operationName, variableValues }: SocketOperation, source: LiveSource): string {
  const shown = withoutPosition(document, variableValues ?? {}, source.positionArgument);
  const { tenantId, role, isPlatformTenant } = user;
  return JSON.stringify([tenantId, role, isPlatformTenant, source.name, operationName, textOf(document), shown]);
}

interface GroupPlace {
  group: FrameRenderer;
  leave: () => void;
}

interface SocketSubscriptionOptions {
  prefix: Buffer;
  outlet: SocketOutlet;
  place: GroupPlace;
}

class SocketSubscription implements FeedReader, AsyncIterableIterator<never> {
  private leaveFeed: () => void = () => undefined;
  private readonly ended = Promise.withResolvers<IteratorResult<never>>();
  private hasEnded = false;

  constructor(private readonly options: SocketSubscriptionOptions) {
    // Nobody may be waiting when it fails.
    this.ended.promise.catch(() => undefined);
  }

  async follow(feed: Pick<LiveFeed, 'follow'>, { tenantId, after }: LiveSource): Promise<void> {
    this.leaveFeed = await feed.follow(tenantId, this, after);
    if (this.hasEnded) this.leaveFeed();
  }

  get group(): FrameRenderer {
    return this.options.place.group;
  }

  write(frames: readonly Frame[], afterSeq: number): number | undefined {
    if (frames.length < 2) return this.writeEach(frames, afterSeq);
    return this.options.outlet.together(() => this.writeEach(frames, afterSeq));
  }

  private writeEach(frames: readonly Frame[], afterSeq: number): number | undefined {
    const { outlet, prefix } = this.options;
    let writtenSeq = afterSeq;
    for (const { seq, payload } of frames) {
      if (seq <= afterSeq) continue;
      if (!outlet.makeRoom()) return writtenSeq;
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
    this.options.place.leave();
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

/** Returns the variables that decide what is shown: a variable that is nothing but the place to begin at is left out. */
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

// The variable is found only where it is used for this and nothing else.
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
