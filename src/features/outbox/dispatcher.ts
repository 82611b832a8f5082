// Sends queued messages, with a lane for each tenant: a tenant's slow gateway or long backlog delays no other tenant.
// rate-limited-claim.service.ts decides which messages may leave, send-result.service.ts stores what became of them.

import { setTimeout as delay } from 'node:timers/promises';
import { SpanKind } from '@opentelemetry/api';
import {
  fileGone,
  permanent,
  type FileUpload,
  type OutgoingMedia,
  type OutgoingMessage,
  type PermanentRefusal,
} from '../../providers/chat-gateway.js';
import type { AppError } from '../../platform/errors.js';
import { toAppError } from '../../platform/observability/fault.js';
import { faultDelayMs, LaneScheduler, type Claimed, type Lane } from '../../platform/jobs/lane-scheduler.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import type { Tracing } from '../../platform/observability/tracing.js';
import type { ReachableInstance } from '../chat-instances/gateway-endpoints.js';
import type { SentFiles } from '../media/sent-files.js';
import { windowClosedCode, windowClosedDetail } from '../messages/reply-window/reply-window.service.js';
import type { ChannelNumberService, UnspentRefusal } from './channel-number/channel-number.service.js';
import type { GatewayReachService } from './gateway-reach.service.js';
import { LostAnswerGuard, unconfirmed, type LostAnswerGuardOptions } from './lost-answer-guard.js';
import { maxAttempts, type SendResultService, type SendOutcome } from './send-result.service.js';
import type { ClaimedMessage, ClaimRequest, RateLimitedClaimService } from './rate-limited-claim.service.js';

/** The options of the guard come with these. `endpoints`, `promotions` and `log` are used here as well. */
export interface DispatcherOptions extends LostAnswerGuardOptions {
  claims: RateLimitedClaimService;
  results: SendResultService;
  reach: Pick<GatewayReachService, 'note'>;
  numbers: Pick<ChannelNumberService, 'find'>;
  /** The uploaded files of messages. */
  sentFiles: Pick<SentFiles, 'arePublic' | 'addressOf' | 'find'>;
  metrics: Metrics;
  /** Undefined: nothing is traced. */
  tracing?: Tracing | undefined;
  /**
   * A send, or the look-up before it, starts only within this time after the claim, in milliseconds. So it ends before the lease:
   * after that, another worker may send the same message.
   */
  startWithinMs: number;
  /** The same limit for a first attempt that needs consent, in milliseconds: an opt-out waits for its end. */
  startWithConsentWithinMs: number;
  /** The time after the claim for which the message is this worker's, in milliseconds. */
  leaseMs: number;
  /** The most sends of one tenant that may be under way at once in this process, and the most of them through one instance. */
  concurrency: number;
  concurrencyPerInstance: number;
  /** The interval of polls for messages that a lost notification or a dead worker left behind, in milliseconds. */
  sweepIntervalMs: number;
}

export class OutboundDispatcher {
  private readonly lanes: LaneScheduler<ClaimedMessage>;
  private readonly limitedTenants = new Set<string>();
  private readonly guard: LostAnswerGuard;

  constructor(private readonly options: DispatcherOptions) {
    const { log, concurrency, sweepIntervalMs, claims, results } = options;
    this.guard = new LostAnswerGuard(options);
    this.lanes = new LaneScheduler<ClaimedMessage>({
      name: 'outbound messages',
      log,
      concurrency,
      sweepIntervalMs,
      sweep: async () => {
        // Keeps the timeline of the primary known, for the guard.
        await options.promotions.findPromotion();
        for (const tenantId of await claims.listWaitingTenants()) this.wake(tenantId);
      },
      claim: (lane, { limit }) => this.claim(lane, limit),
      begin: ({ tenantId }, messages) => messages.map((message) => this.send(tenantId, message)),
      release: ({ tenantId }, messages) => results.release(tenantId, messages, 'the worker ended'),
    });
  }

  start(): void {
    const { endpoints, metrics } = this.options;
    // Alerts ask for the first unconfirmed send, and for the lack of accepted ones: both counters exist from the start.
    for (const provider of endpoints.providers)
      for (const outcome of ['unconfirmed', 'accepted']) metrics.sends.inc({ provider, outcome }, 0);
    this.lanes.start();
  }

  /**
   * Takes nothing new, and waits for the sends under way and for the storing of their results. After `timeoutMs` it cuts off the calls to
   * gateways. A send that is cut off is sent again under its key or its reserved id, looked up, or left to an operator.
   */
  stop(timeoutMs: number): Promise<void> {
    return this.lanes.stop(timeoutMs);
  }

  /** The tenant has, or may have, something to send. Returns at once; safe to repeat. */
  wake(tenantId: string): void {
    this.lanes.wake({ tenantId, id: tenantId });
  }

  /** True if the tenant's rate limit left no room at the last claim of this process. */
  isLimited(tenantId: string): boolean {
    return this.limitedTenants.has(tenantId);
  }

  private async claim({ tenantId, items }: Lane<ClaimedMessage>, limit: number): Promise<Claimed<ClaimedMessage>> {
    const { concurrencyPerInstance } = this.options;
    const request = claimRequestOf(items, limit, concurrencyPerInstance);
    const { messages, nextInMs, isLimited = false } = await this.options.claims.claim(tenantId, request);
    if (isLimited) this.limitedTenants.add(tenantId);
    else this.limitedTenants.delete(tenantId);
    const { underWay } = countUnderWay([...items, ...messages]);
    const isFull = [...underWay.values()].some((sends) => sends >= concurrencyPerInstance);
    return { items: messages, isFull, nextInMs: () => nextInMs };
  }

  /**
   * Resolves when the message's place in the lane is free: when the gateway has answered. For the message that tests a paused instance, it
   * is when its result is stored.
   * @returns true for that message: claims counted it as under way until now, so more of the lane may be due
   */
  private async send(tenantId: string, message: ClaimedMessage): Promise<boolean> {
    const answer = this.callTraced(tenantId, message).catch((error: unknown): SendOutcome => {
      this.options.log.error({ err: error, tenantId, messageId: message.id }, 'a send failed on our side');
      return { outcome: 'unknown', code: 'DRIVER_FAULT', detail: 'Something went wrong on our side' };
    });
    const finished = answer.then((outcome) => this.finish(tenantId, message, outcome));
    this.lanes.track(finished);
    await (message.wasPaused ? finished : answer);
    return message.wasPaused;
  }

  /** @param outcome undefined: it was not handed over */
  private async finish(tenantId: string, message: ClaimedMessage, outcome: SendOutcome | undefined): Promise<void> {
    if (outcome === undefined) await this.giveBackLate(tenantId, message);
    else await this.settle(tenantId, message, outcome);
    // The lead's next message may leave now. With an answer it is also known until when the rate limit counts this send.
    this.wake(tenantId);
  }

  private async settle(tenantId: string, message: ClaimedMessage, outcome: SendOutcome): Promise<void> {
    const { sends, sendRetries } = this.options.metrics;
    sends.inc({ provider: this.options.endpoints.providerOf(message), outcome: outcome.outcome });
    if (message.attempt > 1) sendRetries.inc();
    await this.options.reach.note(tenantId, message, outcome);
    let error = await this.store(tenantId, message, outcome);
    if (error === undefined) return;
    const about = { err: error, tenantId, messageId: message.id };
    this.options.log.warn(about, 'the result of a send could not be stored; retrying');
    while (error !== undefined && (await this.waitToStoreAgain(message, error)))
      error = await this.store(tenantId, message, outcome);
  }

  /** Safe to repeat, also after a commit whose outcome is unknown. @returns why it is not stored */
  private store(tenantId: string, message: ClaimedMessage, outcome: SendOutcome): Promise<AppError | undefined> {
    return this.options.results.settle(tenantId, message, outcome).then(() => undefined, toAppError);
  }

  /**
   * Waits a second before the result is stored again.
   * @returns false where storing again is of no use, or too late: after its lease, the message is sent again under the same key, looked up,
   * or left to an operator
   */
  private async waitToStoreAgain({ claimedAtMs }: ClaimedMessage, { code }: AppError): Promise<boolean> {
    if (code !== 'UNAVAILABLE') return false;
    await delay(faultDelayMs, undefined, { signal: this.lanes.signal }).catch(() => undefined);
    return !this.lanes.signal.aborted && performance.now() < claimedAtMs + this.options.leaseMs;
  }

  // A message that cannot be given back is free when its lease ends.
  private async giveBackLate(tenantId: string, message: ClaimedMessage): Promise<void> {
    try {
      await this.options.results.release(tenantId, [message], 'it was too late');
    } catch (error) {
      const about = { err: error, tenantId, messageId: message.id };
      this.options.log.warn(about, 'a message that was not sent could not be given back');
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

  /** @returns undefined when it is too late to hand the message over: its lease might end before the answer */
  private async callGateway(tenantId: string, message: ClaimedMessage): Promise<SendOutcome | undefined> {
    if (this.timeLeftMs(message) <= 0) return undefined;
    const { reservedId } = message;
    if (message.isReported && reservedId !== null) return { outcome: 'accepted', externalId: reservedId };
    const instance = message.isInstanceDeleted ? instanceDeleted : this.options.endpoints.find(message);
    if (instance.outcome === 'permanent')
      return this.guard.isDoubtful(message) ? unconfirmed(instance.detail) : instance;
    const uploadsFile = this.uploadsFile(message, instance);
    const content = await this.contentForRecipient(tenantId, message, instance, uploadsFile);
    if ('outcome' in content) return content;
    const signalOf = () => this.endingInTime(message);
    const outgoing = await this.guard.prepare(tenantId, message, instance, content, signalOf);
    if ('outcome' in outgoing) return outgoing;
    // Attempts without an answer (their workers died) count too: otherwise such a message would be tried without end.
    if (message.failedAttempts >= maxAttempts) return attemptsExhausted;
    const complete = uploadsFile ? await this.withUploadedFile(tenantId, message, instance, outgoing) : outgoing;
    if ('outcome' in complete) return complete;
    if (hasWindowClosed(message)) return permanent(windowClosedCode, windowClosedDetail);
    return this.timeLeftMs(message) > 0 ? this.handOver(message, instance, complete) : undefined;
  }

  /**
   * Builds the content like `contentOf`, with the number in the network's writing. A message to a number that the network does not know
   * cannot be sent.
   */
  private async contentForRecipient(
    tenantId: string,
    message: ClaimedMessage,
    instance: ReachableInstance,
    uploadsFile: boolean,
  ): Promise<OutgoingMessage | PermanentRefusal | UnspentRefusal> {
    const content = this.contentOf(tenantId, message, uploadsFile);
    if ('outcome' in content) return content;
    // The rest of the time is for the send.
    const limits = { withinMs: this.timeLeftMs(message) / 2, signal: this.lanes.signal };
    const toLookUp = { ...message, chat: content.to, mayFail: message.unconfirmedSince === null };
    const found = await this.options.numbers.find(tenantId, toLookUp, instance, limits);
    return 'outcome' in found ? found : { ...content, to: found.to };
  }

  /** The message as drivers get it, or why it cannot be sent. */
  private contentOf(
    tenantId: string,
    message: ClaimedMessage,
    uploadsFile: boolean,
  ): OutgoingMessage | PermanentRefusal {
    const { id, type, body, replyTo, chat, channelTemplate } = message;
    if (chat === null) return permanent('LEAD_WITHOUT_NUMBER', 'The lead has no chat number. Give it one.');
    const media = this.mediaOf(tenantId, message, uploadsFile);
    if (media === undefined) return noPublicUrl;
    return { idempotencyKey: id, to: chat, type, text: body, media, replyTo, template: channelTemplate ?? undefined };
  }

  /** A signal that ends the calls before the send when they would make it too late, and when the process ends. */
  private endingInTime(message: ClaimedMessage): AbortSignal {
    const limit = AbortSignal.timeout(Math.max(Math.ceil(this.timeLeftMs(message)), 0));
    return AbortSignal.any([this.lanes.signal, limit]);
  }

  /** True if we upload the file to the gateway: it has no address to fetch it from. */
  private uploadsFile({ media }: ClaimedMessage, { gateway }: ReachableInstance): boolean {
    return media !== null && media.url == null && gateway.uploadFile !== undefined && !this.options.sentFiles.arePublic;
  }

  /** The message with the id of its file, which the gateway gets first; or why it does not take it. Nothing was sent then. */
  private async withUploadedFile(
    tenantId: string,
    message: ClaimedMessage,
    { gateway, endpoint }: ReachableInstance,
    outgoing: OutgoingMessage,
  ): Promise<OutgoingMessage | Exclude<FileUpload, { outcome: 'uploaded' }>> {
    const { sentFiles, log } = this.options;
    try {
      const file = await sentFiles.find(tenantId, message.id);
      if (file === undefined || gateway.uploadFile === undefined || outgoing.media === null) return fileGone;
      const upload = await gateway.uploadFile(endpoint, file, this.endingInTime(message));
      return upload.outcome === 'uploaded' ? { ...outgoing, media: { ...outgoing.media, id: upload.id } } : upload;
    } catch (error) {
      log.warn({ err: error, tenantId, messageId: message.id }, 'a file could not be read to be sent');
      return fileUnavailable;
    }
  }

  /** @returns undefined for an uploaded file that no gateway can fetch */
  private mediaOf(
    tenantId: string,
    { id, media }: ClaimedMessage,
    uploadsFile: boolean,
  ): OutgoingMedia | null | undefined {
    if (media === null) return null;
    if (uploadsFile) return { ...media, url: null };
    const url = media.url ?? this.options.sentFiles.addressOf(tenantId, id);
    return url === undefined ? undefined : { ...media, url };
  }

  private timeLeftMs({ claimedAtMs, needsConsent, attempt }: ClaimedMessage): number {
    const { startWithinMs, startWithConsentWithinMs } = this.options;
    const withinMs = needsConsent && attempt === 1 ? startWithConsentWithinMs : startWithinMs;
    return claimedAtMs + withinMs - performance.now();
  }

  private async handOver(
    { provider }: ClaimedMessage,
    { gateway, endpoint }: ReachableInstance,
    outgoing: OutgoingMessage,
  ): Promise<SendOutcome> {
    const startedAtMs = performance.now();
    const result = await gateway.send(endpoint, outgoing, this.lanes.signal);
    this.options.metrics.sendDuration.observe({ provider }, (performance.now() - startedAtMs) / 1_000);
    if (result.outcome !== 'unknown') return result;
    // A gateway may be at work on a file for long after our time: it is asked later.
    const isReserved = outgoing.reservedId !== undefined && outgoing.media === null;
    if (gateway.honoursKeys || isReserved) return { ...result, outcome: 'repeatable' };
    return gateway.findSent === undefined ? unconfirmed(result.detail) : result;
  }
}

/** Builds the request for what may be claimed beside the messages under way. */
export function claimRequestOf(
  underWay: Iterable<ClaimedMessage>,
  limit: number,
  limitPerInstance: number,
): ClaimRequest {
  return { limit, limitPerInstance, ...countUnderWay(underWay) };
}

function countUnderWay(messages: Iterable<ClaimedMessage>): Pick<ClaimRequest, 'underWay' | 'probes'> {
  const underWay = new Map<string, number>();
  const probes = new Map<string, number>();
  for (const { instanceId, wasPaused } of messages)
    for (const counts of wasPaused ? [underWay, probes] : [underWay])
      counts.set(instanceId, (counts.get(instanceId) ?? 0) + 1);
  return { underWay, probes };
}

function hasWindowClosed({ windowLeftMs, claimedAtMs }: ClaimedMessage): boolean {
  return windowLeftMs !== null && performance.now() - claimedAtMs >= windowLeftMs;
}

const instanceDeleted = permanent(
  'INSTANCE_DELETED',
  'The chat instance was deleted before the message was sent. Send it through another one.',
);

const noPublicUrl = permanent(
  'PUBLIC_URL_MISSING',
  'Gateways have no address of the uploaded file: the administrator has to set PUBLIC_URL. Then retry the message.',
);

const fileUnavailable = {
  outcome: 'temporary',
  code: 'FILE_UNAVAILABLE',
  detail: 'The file of the message could not be read right now',
} as const;

const attemptsExhausted = permanent(
  'ATTEMPTS_EXHAUSTED',
  `It was tried ${maxAttempts} times, and none of the attempts is known to have succeeded. Check that the chat instance works, then retry it.`,
);
