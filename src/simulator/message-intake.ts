// Owns the outcome of a message or reaction that we are asked to send: the knobs judge it, each idempotency key accepts it once, and it is
// handed to the reports. gateway.routes.ts reads the request and writes the answer.

import { createHash } from 'node:crypto';
import type { BehaviourBook } from './behaviour-book.js';
import type { SimulatorBehaviour } from './behaviour.schema.js';
import { BoundedMap } from './bounded-memory.js';
import type { Customers } from './customers.js';
import { GatewayError } from './gateway-error.js';
import type { InstanceRegistry } from './instance-registry.js';
import type { MediaFetch } from './media-fetch.js';
import {
  rowOfReaction,
  rowOfSend,
  type HistoryRow,
  type MessageHistory,
  type SentReaction,
} from './message-history.js';
import type { OutgoingMessage } from './message.schema.js';
import { drawMessageId, planReports, planSent } from './report-plan.js';
import type { SeededRandom } from './seeded-random.js';
import type { Timers } from './simulator-clock.js';
import type { WebhookReporter } from './webhook-reporter.js';

/** The answer to the caller: an id (new, or the one that its key already had), a cut connection, or none at all. */
export type SendAnswer =
  { readonly outcome: 'accepted' | 'repeated' | 'dropped'; readonly messageId: string } | { readonly outcome: 'hung' };

export interface MessageIntakeOptions {
  readonly timers: Timers;
  readonly random: SeededRandom;
  readonly behaviours: BehaviourBook;
  readonly instances: InstanceRegistry;
  readonly reporter: WebhookReporter;
  readonly customers: Customers;
  readonly history: MessageHistory;
  readonly media: MediaFetch;
  /** The address of the leads' pictures; undefined until it is known. */
  readonly filesUrl: () => string | undefined;
}

interface KnownKey {
  readonly fingerprint: string;
  attempts: number;
  messageId: string | null;
}

interface Fate {
  readonly latencyMs: number;
  readonly hangs: boolean;
  readonly isRefused: boolean;
  readonly dropsAnswer: boolean;
}

/** The most idempotency keys that are remembered; the one unused for longest goes first. */
const MAX_IDEMPOTENCY_KEYS = 50_000;

/** The identity of a send: its key, or the id that the caller has given to the message. */
export type SendName = { readonly key: string } | { readonly messageId: string };

/**
 * Takes messages in. A send with a key or an id may be repeated: it gets its `messageId` again, and nothing is reported twice.
 * Without either, each send is a message, and its attempts are counted from the last one that was accepted.
 */
export class MessageIntake {
  readonly #options: MessageIntakeOptions;
  readonly #keys = new BoundedMap<string, KnownKey>(MAX_IDEMPOTENCY_KEYS);

  constructor(options: MessageIntakeOptions) {
    this.#options = options;
  }

  /**
   * Takes a message, or answers it as the knobs say.
   * @throws GatewayError 422 for a key that came with another message; 400 for a file that cannot be fetched; otherwise 503 or the
   *   status of the knobs
   */
  async receive(name: SendName | undefined, message: OutgoingMessage): Promise<SendAnswer> {
    const known = this.#remember(name, message);
    known.attempts += 1;
    const behaviour = this.#options.behaviours.getForMessage(message);
    const random = this.#options.random.fork();
    const fate = drawFate(behaviour, random, known.attempts);

    await this.#options.timers.wait(fate.latencyMs);
    if (known.messageId !== null) return { outcome: 'repeated', messageId: known.messageId };
    if (fate.hangs) return { outcome: 'hung' };
    this.refuseUnlessConnected(message.instance);
    if (fate.isRefused) throw refusalOf(behaviour);
    if (behaviour.fetchMedia && message.media !== undefined) await this.#options.media.check(message.media.url);
    // Another attempt may have been accepted meanwhile.
    if (known.messageId !== null) return { outcome: 'repeated', messageId: known.messageId };
    if (this.#options.reporter.isFull) throw new GatewayError(503, 'busy', 'Too many messages wait for their reports');
    const messageId = await this.#accept(known, name, message, { behaviour, random });
    return { outcome: fate.dropsAnswer ? 'dropped' : 'accepted', messageId };
  }

  /**
   * Takes a reaction after the latency. `failRate` refuses it like a message, and `reactions` that are off refuse it with 501.
   * @returns the reaction as it is kept
   */
  async receiveReaction(reaction: SentReaction): Promise<HistoryRow> {
    const { timers, behaviours, random, reporter, history } = this.#options;
    const { instance } = reaction;
    const behaviour = behaviours.get(instance);
    const draws = random.fork();
    const fate = drawFate(behaviour, draws, behaviour.failFirstAttempts + 1);
    await timers.wait(fate.latencyMs);
    if (!behaviour.reactions) throw new GatewayError(501, 'not_offered', 'This gateway offers no reactions');
    this.refuseUnlessConnected(instance);
    if (fate.isRefused) throw refusalOf(behaviour);
    const sent = { messageId: drawMessageId(draws), acceptedAt: timers.now() };
    const plan = planSent({ instance, ...sent }, behaviour, draws);
    const row = history.add(rowOfReaction(reaction, sent, plan.isWithheld));
    if (reporter.tellsAll(instance)) void reporter.follow([plan]);
    return row;
  }

  /**
   * Refuses a call that needs the network while the instance is not connected to it.
   * @throws GatewayError 503, not 409: the sender should try again later, and a 4xx would end its attempts
   */
  refuseUnlessConnected(instance: string): void {
    const { status } = this.#options.instances.get(instance);
    if (status === 'CONNECTED') return;
    throw new GatewayError(503, 'instance_not_connected', `The instance ${instance} is ${status}`);
  }

  #remember(name: SendName | undefined, message: OutgoingMessage): KnownKey {
    const fingerprint = createHash('sha256').update(JSON.stringify(message)).digest('base64');
    const key = keyOf(name, message.instance, fingerprint);
    const known = this.#keys.getOrCreate(key, () => ({ fingerprint, attempts: 0, messageId: null }));
    // The network compares the id alone, not the content.
    if (known.fingerprint === fingerprint || (name !== undefined && 'messageId' in name)) return known;
    throw new GatewayError(422, 'idempotency_key_reused', 'This Idempotency-Key came with another message before');
  }

  async #accept(
    known: KnownKey,
    name: SendName | undefined,
    message: OutgoingMessage,
    { behaviour, random }: { behaviour: SimulatorBehaviour; random: SeededRandom },
  ): Promise<string> {
    const { timers, reporter, customers, history, filesUrl } = this.#options;
    const drawnId = drawMessageId(random);
    const messageId = name !== undefined && 'messageId' in name ? name.messageId : drawnId;
    if (name === undefined) known.attempts = 0;
    else known.messageId = messageId;
    const heard = customers.hear(message, messageId, behaviour);
    const accepted = { message, messageId, acceptedAt: timers.now(), name: heard.name, filesUrl: filesUrl() };
    const plan = planReports(accepted, heard.behaviour, random);
    history.add(rowOfSend(accepted, plan.sent.isWithheld));
    if (reporter.tellsAll(message.instance)) void reporter.follow([plan.sent]);
    void reporter.follow(plan.replies);
    void reporter.follow(plan.reactions);
    const early = reporter.follow(plan.early);
    void reporter.follow(plan.statuses, early);
    await early;
    return messageId;
  }
}

// A send without a name is known by its content, because a retry has the same content.
function keyOf(name: SendName | undefined, instance: string, fingerprint: string): string {
  if (name === undefined) return `content ${fingerprint}`;
  return 'key' in name ? `key ${name.key}` : `id ${instance} ${name.messageId}`;
}

// Every draw is made, needed or not, so that turning one knob leaves what the others drew as it was.
function drawFate(behaviour: SimulatorBehaviour, random: SeededRandom, attempt: number): Fate {
  const latencyMs = behaviour.latencyMs + random.upTo(behaviour.latencyJitterMs);
  const hangs = random.chance(behaviour.hangRate);
  const fails = random.chance(behaviour.failRate);
  const dropsAnswer = random.chance(behaviour.dropAnswerRate);
  return { latencyMs, hangs, isRefused: fails || attempt <= behaviour.failFirstAttempts, dropsAnswer };
}

function refusalOf({ failStatus, failCode, retryAfterSeconds }: SimulatorBehaviour): GatewayError {
  const message = 'The simulator refuses this message, as its knobs say';
  return new GatewayError(failStatus, failCode, message, failStatus === 429 ? retryAfterSeconds : 0);
}
