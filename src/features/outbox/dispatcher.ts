// Sends what may leave. One lane (tenant-lane.ts) for each tenant with something waiting: lanes run side by side, so that one
// tenant's slow gateway or long backlog delays nobody else. Which messages may leave is claim.service.ts's decision.

import { setTimeout as delay } from 'node:timers/promises';
import { SpanKind } from '@opentelemetry/api';
import { permanent } from '../../clients/chat-gateway.js';
import type { OutgoingMessage } from '../../clients/chat-gateway.js';
import type { AppError } from '../../platform/errors.js';
import { toAppError } from '../../platform/fault.js';
import type { Logger } from '../../platform/logger.js';
import type { Metrics } from '../../platform/metrics.js';
import { outsideOfRequests } from '../../platform/request-scope.js';
import type { Tracing } from '../../platform/tracing.js';
import type { GatewayEndpoints, ReachableInstance } from '../chat-instances/gateway-endpoints.js';
import type { SendResultService, SendOutcome } from './send-result.service.js';
import { TenantLane } from './tenant-lane.js';
import type { ClaimedMessage, ClaimService } from './claim.service.js';
import { maxAttempts } from './retry-policy.js';

export interface DispatcherOptions {
  outbound: ClaimService;
  answers: SendResultService;
  endpoints: GatewayEndpoints;
  log: Logger;
  metrics: Metrics;
  /** Undefined: nothing is traced. */
  tracing?: Tracing | undefined;
  /**
   * A send, or what it needs to know before, begins only in this time after the claim, in milliseconds: it ends before the lease
   * does, or another worker would send the same.
   */
  startWithinMs: number;
  /** How long after the claim the message is this worker's, in milliseconds. */
  leaseMs: number;
  /** How many sends of one tenant may be under way at once in this process, and how many of them through one instance. */
  concurrency: number;
  concurrencyPerInstance: number;
  /** How often to look for what a lost wake-up or a dead worker left behind, in milliseconds. */
  sweepIntervalMs: number;
}

interface Lane {
  lane: TenantLane;
  running: boolean;
  timer: NodeJS.Timeout | undefined;
}

// The database is away: after a claim that failed, and before an answer is stored once more, so long a rest.
const faultDelayMs = 1_000;

export class OutboundDispatcher {
  private readonly lanes = new Map<string, Lane>();
  private readonly inFlight = new Set<Promise<void>>();
  private readonly aborter = new AbortController();
  private sweepTimer: NodeJS.Timeout | undefined;
  private sweeping = false;
  private stopping = false;

  constructor(private readonly options: DispatcherOptions) {}

  start(): void {
    const { endpoints, metrics } = this.options;
    // Somebody has to look at each of these: known from the start, so that the first is seen as one more.
    for (const provider of endpoints.providers) metrics.sends.inc({ provider, outcome: 'unconfirmed' }, 0);
    this.sweepTimer = setInterval(() => void this.sweep(), this.options.sweepIntervalMs);
    void this.sweep();
  }

  /** Takes nothing new and waits for the sends under way, at most `timeoutMs`; what is cut off is retried under its key. */
  async stop(timeoutMs: number): Promise<void> {
    this.stopping = true;
    clearInterval(this.sweepTimer);
    for (const [tenantId, { lane, timer }] of this.lanes) {
      clearTimeout(timer);
      this.track(this.release(tenantId, lane.stop()));
    }
    const cutOff = setTimeout(() => this.aborter.abort(), timeoutMs);
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
    clearTimeout(cutOff);
  }

  /** The tenant has, or may have, something to send. Returns at once; safe to repeat. */
  wake(tenantId: string): void {
    if (this.stopping) return;
    const lane = this.lanes.get(tenantId) ?? { lane: this.createLane(tenantId), running: false, timer: undefined };
    this.lanes.set(tenantId, lane);
    clearTimeout(lane.timer);
    lane.lane.wake();
    // Whoever had the lane woken is not who sends.
    if (!lane.running) this.track(outsideOfRequests(() => this.run(tenantId, lane)));
  }

  /** Whether the tenant's rate limit left no room when this process looked last. */
  isLimited(tenantId: string): boolean {
    return this.lanes.get(tenantId)?.lane.isLimited ?? false;
  }

  private createLane(tenantId: string): TenantLane {
    const { concurrency, concurrencyPerInstance, sweepIntervalMs: maxRestMs, outbound } = this.options;
    return new TenantLane({
      claim: (request) => outbound.claim(tenantId, request),
      send: (message) => this.send(tenantId, message),
      concurrency,
      concurrencyPerInstance,
      maxRestMs,
    });
  }

  private async run(tenantId: string, entry: Lane): Promise<void> {
    entry.running = true;
    let nextInMs: number | undefined;
    try {
      // What comes while drain returns is seen here, in the same turn that lets go of the lane.
      do nextInMs = await entry.lane.drain();
      while (entry.lane.hasNews && !this.stopping);
    } catch (error) {
      this.options.log.warn({ err: error, tenantId }, 'outbound messages could not be claimed; trying on');
      nextInMs = faultDelayMs;
    }
    entry.running = false;
    if (this.stopping) return this.release(tenantId, entry.lane.stop());
    if (nextInMs === undefined) this.lanes.delete(tenantId);
    else entry.timer = setTimeout(() => this.wake(tenantId), Math.min(nextInMs, this.options.sweepIntervalMs));
  }

  private async send(tenantId: string, message: ClaimedMessage): Promise<void> {
    const answer = this.callTraced(tenantId, message).catch((error: unknown): SendOutcome => {
      this.options.log.error({ err: error, tenantId, messageId: message.id }, 'a gateway driver failed');
      return { outcome: 'unknown', code: 'DRIVER_FAULT', detail: 'Something went wrong on our side' };
    });
    const finished = answer.then((outcome) => this.finish(tenantId, message, outcome));
    this.track(finished);
    // What a trial of a paused line told has to be stored before the line is tried again.
    await (message.wasPaused ? finished : answer);
  }

  /** @param outcome undefined: it was not handed over */
  private async finish(tenantId: string, message: ClaimedMessage, outcome: SendOutcome | undefined): Promise<void> {
    if (outcome === undefined) await this.release(tenantId, [message]);
    else await this.settle(tenantId, message, outcome);
    // Its lead's next message may leave now, and a place in the window has its time.
    this.wake(tenantId);
  }

  private async settle(tenantId: string, message: ClaimedMessage, outcome: SendOutcome): Promise<void> {
    const { sends, sendRetries } = this.options.metrics;
    sends.inc({ provider: this.options.endpoints.providerOf(message), outcome: outcome.outcome });
    if (message.attempt > 1) sendRetries.inc();
    let error = await this.store(tenantId, message, outcome);
    if (error === undefined) return;
    const about = { err: error, tenantId, messageId: message.id };
    this.options.log.warn(about, 'an answer of the gateway could not be stored; trying on');
    while (error !== undefined && (await this.mayStoreAgain(message, error)))
      error = await this.store(tenantId, message, outcome);
  }

  /** Safe to repeat, also where nobody knows whether it was committed. @returns why it is not stored */
  private store(tenantId: string, message: ClaimedMessage, outcome: SendOutcome): Promise<AppError | undefined> {
    return this.options.answers.settle(tenantId, message, outcome).then(() => undefined, toAppError);
  }

  // When its lease has ended, the message is sent again under the same key, or looked up.
  private async mayStoreAgain({ claimedAtMs }: ClaimedMessage, { code }: AppError): Promise<boolean> {
    if (code !== 'UNAVAILABLE') return false;
    await delay(faultDelayMs, undefined, { signal: this.aborter.signal }).catch(() => undefined);
    return !this.aborter.signal.aborted && performance.now() < claimedAtMs + this.options.leaseMs;
  }

  // What is not given back is given up when its lease ends.
  private async release(tenantId: string, messages: readonly ClaimedMessage[]): Promise<void> {
    try {
      await this.options.answers.release(tenantId, messages);
    } catch (error) {
      this.options.log.warn({ err: error, tenantId }, 'messages that were not sent could not be given back');
    }
  }

  /** Each attempt is a span in the message's trace. */
  private callTraced(tenantId: string, message: ClaimedMessage): Promise<SendOutcome | undefined> {
    const { tracing, endpoints } = this.options;
    if (tracing === undefined) return this.callGateway(tenantId, message);
    const attributes = {
      'leadwire.tenant.id': tenantId,
      'leadwire.message.id': message.id,
      'leadwire.message.attempt': message.attempt,
      'leadwire.gateway.provider': endpoints.providerOf(message),
    };
    return tracing.inJourney('send message', message.id, { kind: SpanKind.CONSUMER, attributes }, async (span) => {
      const outcome = await this.callGateway(tenantId, message);
      span.setAttribute('leadwire.message.outcome', outcome?.outcome ?? 'given back');
      return outcome;
    });
  }

  /** @returns undefined when it is too late to hand the message over: another worker may have it */
  private async callGateway(tenantId: string, message: ClaimedMessage): Promise<SendOutcome | undefined> {
    if (this.timeLeftMs(message) <= 0) return undefined;
    const line = message.isLineDeleted ? lineDeleted : this.options.endpoints.find(message);
    if (line.outcome === 'permanent') return this.isDoubtful(message) ? unconfirmed(line.detail) : line;
    const { id, type, body, media, replyTo, chat } = message;
    if (chat === null) return permanent('LEAD_WITHOUT_NUMBER', 'The lead has no chat number. Give it one.');
    const outgoing = { idempotencyKey: id, to: chat, type, text: body, media, replyTo };
    const settled = await this.lookUp(tenantId, message, line, outgoing);
    if (settled !== undefined) return settled;
    // Attempts without an answer (workers that died) count too, or such a message would go round for ever.
    if (message.failedAttempts >= maxAttempts) return attemptsExhausted;
    return this.timeLeftMs(message) > 0 ? this.handOver(message, line, outgoing) : undefined;
  }

  private timeLeftMs({ claimedAtMs }: ClaimedMessage): number {
    return claimedAtMs + this.options.startWithinMs - performance.now();
  }

  /** Whether it may have been sent, and sending it again might double it. */
  private isDoubtful({ unconfirmedSince, provider, isLineDeleted }: ClaimedMessage): boolean {
    return unconfirmedSince !== null && (isLineDeleted || !this.options.endpoints.honoursKeys(provider));
  }

  /**
   * Where the gateway honours keys, sending again is safe. Elsewhere what may have been sent is looked up, and without an answer to
   * that it is left to an operator. @returns undefined when it is to be sent
   */
  private async lookUp(
    tenantId: string,
    message: ClaimedMessage,
    { gateway, endpoint }: ReachableInstance,
    outgoing: OutgoingMessage,
  ): Promise<SendOutcome | undefined> {
    const { unconfirmedSince: since, failedAttempts } = message;
    if (gateway.honoursKeys || since === null) return undefined;
    if (gateway.findSent === undefined) return unconfirmed('This network does not tell what it sent');
    const signal = AbortSignal.any([this.aborter.signal, AbortSignal.timeout(Math.ceil(this.timeLeftMs(message)))]);
    const listOthers = (ids: readonly string[]) =>
      this.options.outbound.listExternalIdsOfOthers(tenantId, message, ids);
    const found = await gateway.findSent(endpoint, outgoing, { since, listOthers }, signal);
    if (found.outcome === 'sent') return { outcome: 'accepted', externalId: found.externalId };
    if (found.outcome === 'absent') return undefined;
    const isPassing = found.outcome === 'unavailable' && failedAttempts + 1 < maxAttempts;
    return isPassing ? { outcome: 'unknown', code: 'LOOK_UP_FAILED', detail: found.detail } : unconfirmed(found.detail);
  }

  private async handOver(
    { provider }: ClaimedMessage,
    { gateway, endpoint }: ReachableInstance,
    outgoing: OutgoingMessage,
  ): Promise<SendOutcome> {
    const startedAtMs = performance.now();
    const result = await gateway.send(endpoint, outgoing, this.aborter.signal);
    this.options.metrics.sendDuration.observe({ provider }, (performance.now() - startedAtMs) / 1_000);
    if (result.outcome !== 'unknown') return result;
    if (gateway.honoursKeys) return { ...result, outcome: 'repeatable' };
    return gateway.findSent === undefined ? unconfirmed(result.detail) : result;
  }

  private async sweep(): Promise<void> {
    if (this.sweeping) return;
    this.sweeping = true;
    try {
      for (const tenantId of await this.options.outbound.listWaitingTenants()) this.wake(tenantId);
    } catch (error) {
      this.options.log.warn({ err: error }, 'waiting outbound messages could not be listed; trying on');
    } finally {
      this.sweeping = false;
    }
  }

  private track(work: Promise<void>): void {
    this.inFlight.add(work);
    const forget = () => this.inFlight.delete(work);
    work.then(forget, forget);
  }
}

const lineDeleted = permanent(
  'INSTANCE_DELETED',
  'The chat instance was deleted before the message was sent. Send it through another one.',
);

const attemptsExhausted = permanent(
  'ATTEMPTS_EXHAUSTED',
  `It was tried ${maxAttempts} times, and none of the attempts is known to have succeeded. Look whether the line works, then retry it.`,
);

function unconfirmed(reason: string): SendOutcome {
  const detail = `It may have reached the lead: ${reason.replace(/\.$/, '')}. Look at the chat, and send it again only if it is not there`;
  return { outcome: 'unconfirmed', code: 'SEND_UNCONFIRMED', detail };
}
