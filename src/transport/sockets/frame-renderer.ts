// Renders events into frames, for one group: subscriptions that show the same to users of one tenant and role. The events of a page are
// executed and serialised once for all of them. fan-out.ts decides which subscriptions are a group; features/live/frame-cache.ts keeps the
// frames.

import { execute, type ExecutionArgs, type ExecutionResult } from 'graphql';
import type { FeedEvent, LiveSource } from '../../features/live/event-pages.js';
import type { FeedGroup, Frame } from '../../features/live/frame-cache.js';
import { AppError } from '../../platform/errors.js';
import type { GraphqlContext } from '../../platform/graphql/graphql-context.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { UserPrincipal } from '../../platform/principal.js';
import { answerTooLong } from '../graphql/answer-length.js';
import { errorsToBody } from '../graphql/error-to-graphql.js';
import type { OperationTime } from '../graphql/operation-time.js';
import { keptBytes } from './subscription-cost.js';

export interface FrameRendererOptions {
  id: number;
  args: ExecutionArgs;
  source: LiveSource;
  user: UserPrincipal;
  time: OperationTime;
  log: Logger;
  /** The most events that may be executed at a time, by the subscription's cost. */
  eventsAtOnce: number;
}

/** The most characters of one event's answer. */
const maxFrameCharacters = 2 * 1024 * 1024;
/** The most characters of the answers that are rendered in one go. */
const maxCharactersAtOnce = 8 * 1024 * 1024;

/** The answers of one go are too long together: fewer events at a time will do. */
class TooMuchAtOnce extends Error {}

export class FrameRenderer implements FeedGroup {
  readonly id: number;
  private atOnce: number;
  private readonly audience: UserPrincipal;

  constructor(private readonly options: FrameRendererOptions) {
    this.id = options.id;
    this.atOnce = options.eventsAtOnce;
    this.audience = audienceOf(options.user);
  }

  get eventsAtOnce(): number {
    return this.atOnce;
  }

  /** Renders all these events at once, so that their records are read together, and within the time of one operation. */
  async render(events: readonly FeedEvent[]): Promise<readonly Frame[]> {
    const { source } = this.options;
    let isAgain = false;
    const work = async (context: GraphqlContext) => {
      if (isAgain) for (const { records } of events) records.forget();
      isAgain = true;
      const made: Promise<Frame>[] = [];
      const go = { characters: 0 };
      for (const { seq, root } of await rootsOf(source, events)) made.push(this.renderFrame(seq, root, context, go));
      return Promise.all(made);
    };
    const frames = await this.options.time
      .run(this.audience, work, () => undefined, { isReading: true })
      .catch((error: unknown) => {
        if (error instanceof TooMuchAtOnce) this.atOnce = Math.max(1, Math.floor(events.length / 4));
        throw error;
      });
    if (frames === undefined) throw new AppError('UNAVAILABLE', 'Events took too long to be rendered');
    return frames;
  }

  // Each event has a context of its own, as it is an answer of its own.
  private async renderFrame(seq: number, rootValue: object, context: GraphqlContext, go: { characters: number }) {
    const { args, log } = this.options;
    const result = await execute({ ...args, rootValue, contextValue: { ...context } });
    if (go.characters > maxCharactersAtOnce) throw new TooMuchAtOnce();
    const answer = JSON.stringify(toAnswer(result, log));
    go.characters += answer.length;
    const shown = answer.length > maxFrameCharacters ? JSON.stringify(tooLong(log, answer.length)) : answer;
    return { seq, payload: keptBytes(`${shown}}`) };
  }
}

/** All subscribers of a group as one principal: an event may depend on their tenant and role, and never on who they are. */
function audienceOf({ kind, tenantId, role, isPlatformTenant }: UserPrincipal): UserPrincipal {
  const refuse = (): never => {
    throw new Error('what a subscription shows depends on who reads it');
  };
  return {
    kind,
    tenantId,
    role,
    isPlatformTenant,
    isAudience: true,
    get userId() {
      return refuse();
    },
    get accountId() {
      return refuse();
    },
    get email() {
      return refuse();
    },
  };
}

function tooLong(log: Logger, found: number): object {
  return { errors: errorsToBody(log, [answerTooLong(found, maxFrameCharacters)]) };
}

/** Returns the root objects of the events that concern the view. */
async function rootsOf(source: LiveSource, events: readonly FeedEvent[]): Promise<{ seq: number; root: object }[]> {
  const roots = [];
  for (const event of events) {
    const root = await source.rootOf(event);
    if (root != null) roots.push({ seq: event.seq, root });
  }
  return roots;
}

/** @throws AppError UNAVAILABLE where the answer lacks something that may be there a moment later */
function toAnswer(result: ExecutionResult, log: Logger): object {
  if (result.errors === undefined) return result;
  const errors = errorsToBody(log, result.errors);
  if (errors.some(({ extensions }) => extensions?.['code'] === 'UNAVAILABLE'))
    throw new AppError('UNAVAILABLE', 'An event could not be rendered');
  return { ...result, errors };
}
