// Owns the gateway's own HTTP interface: sending a message, reacting, and the lifecycle of an instance, and the record of every attempt.
// message-intake.ts decides the outcome of an attempt.

import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { BehaviourBook } from './behaviour-book.js';
import type { BoundedHistory } from './bounded-memory.js';
import { GatewayError } from './gateway-error.js';
import type { InstanceRegistry } from './instance-registry.js';
import type { MessageIntake, SendAnswer } from './message-intake.js';
import {
  idempotencyKeySchema,
  instanceNameSchema,
  outgoingMessageSchema,
  outgoingReactionSchema,
  type OutgoingMessage,
} from './message.schema.js';
import type { Timers } from './simulator-clock.js';

/** A call to send, to react, to read or to show typing, in any protocol, as it arrived. A value that could not be read is null. */
export interface SendAttempt {
  /** The arrival in milliseconds since 1970. */
  at: number;
  idempotencyKey: string | null;
  instance: string | null;
  to: string | null;
  type: string | null;
  /** The first 4,096 characters. */
  text: string | null;
  media: OutgoingMessage['media'] | null;
  replyTo: string | null;
  /** The message of a reaction, and its emoji or null. */
  reaction: { messageId: string; emoji: string | null } | null;
  /** `repeated`: an accepted key came again. `dropped`: accepted, and the connection cut. `hung`: left without an answer. */
  outcome: 'pending' | 'accepted' | 'repeated' | 'refused' | 'dropped' | 'hung';
  /** The HTTP status answered; null when none was, or not yet. */
  status: number | null;
  messageId: string | null;
}

export interface GatewayRoutesOptions {
  readonly timers: Timers;
  readonly attempts: BoundedHistory<SendAttempt>;
  readonly behaviours: BehaviourBook;
  readonly instances: InstanceRegistry;
  readonly intake: MessageIntake;
}

const RECORDED_TEXT_CHARACTERS = 4_096;

/** The handler goes before authentication and parsing, so that a refused attempt is on record too. */
export function recordAttempt({ timers, attempts }: GatewayRoutesOptions): RequestHandler {
  return (request, response, next) => {
    const attempt = startAttempt(timers.now(), request.get('idempotency-key') ?? null);
    attempts.add(attempt);
    response.locals.attempt = attempt;
    response.once('finish', () => {
      attempt.status = response.statusCode;
      if (attempt.outcome === 'pending') attempt.outcome = 'refused';
    });
    next();
  };
}

/** `POST /messages`, `POST /reactions` and `/instances/{name}…`; expects a parsed JSON body. */
export function gatewayRoutes({ behaviours, instances, intake }: GatewayRoutesOptions): Router {
  const router = Router();
  router.post('/messages', async (request, response) => {
    const attempt = response.locals.attempt as SendAttempt;
    const message = outgoingMessageSchema.parse(request.body);
    describeMessage(attempt, message);
    answerSend(response, attempt, await intake.receive({ key: readIdempotencyKey(request) }, message));
  });
  router.post('/reactions', async (request, response) => {
    const attempt = response.locals.attempt as SendAttempt;
    const { instance, to, messageId, emoji } = outgoingReactionSchema.parse(request.body);
    Object.assign(attempt, { instance, to, type: 'reaction', reaction: { messageId, emoji } });
    await intake.receiveReaction({ instance, to, messageId, emoji });
    attempt.outcome = 'accepted';
    response.json({});
  });
  router.get('/instances/:name', (request, response) => {
    response.json(instances.get(readName(request)));
  });
  router.post('/instances/:name/connect', (request, response) => {
    const name = readName(request);
    response.json(instances.connect(name, behaviours.get(name)));
  });
  router.post('/instances/:name/disconnect', (request, response) => {
    response.json(instances.disconnect(readName(request)));
  });
  return router;
}

function startAttempt(at: number, idempotencyKey: string | null): SendAttempt {
  const unread = { instance: null, to: null, type: null, text: null, media: null, replyTo: null, reaction: null };
  return { at, idempotencyKey, ...unread, outcome: 'pending', status: null, messageId: null };
}

/** Records the message in the attempt. */
export function describeMessage(attempt: SendAttempt, message: OutgoingMessage): void {
  const { instance, to, type, text = null, media = null, replyTo = null } = message;
  Object.assign(attempt, {
    instance,
    to,
    type,
    media: media === null ? null : { ...media, url: media.url.slice(0, RECORDED_TEXT_CHARACTERS) },
    replyTo,
    text: text?.slice(0, RECORDED_TEXT_CHARACTERS) ?? null,
  });
}

/** @param bodyOf makes the answer to an accepted message */
export function answerSend(
  response: Response,
  attempt: SendAttempt,
  answer: SendAnswer,
  bodyOf: (messageId: string) => object = (messageId) => ({ messageId }),
): void {
  attempt.outcome = answer.outcome;
  if (answer.outcome === 'hung') return;
  attempt.messageId = answer.messageId;
  if (answer.outcome === 'dropped') response.socket?.destroy();
  else response.json(bodyOf(answer.messageId));
}

function readIdempotencyKey(request: Request): string {
  const key = idempotencyKeySchema.safeParse(request.get('idempotency-key'));
  if (key.success) return key.data;
  throw new GatewayError(400, 'idempotency_key_missing', 'An Idempotency-Key header of 1 to 255 characters is needed');
}

function readName(request: Request): string {
  return instanceNameSchema.parse(request.params.name);
}
