// Sends queued messages, with a lane for each tenant: a tenant's slow gateway or long backlog delays no other tenant. claim.service.ts
// decides which messages may leave, send-result.service.ts stores what became of them.

import { setTimeout as delay } from 'node:timers/promises';
import { SpanKind } from '@opentelemetry/api';
import { fileGone, permanent } from '../../clients/chat-gateway.js';
import type { FileUpload, OutgoingMedia, OutgoingMessage } from '../../clients/chat-gateway.js';
import type { AppError } from '../../platform/errors.js';
import { toAppError } from '../../platform/fault.js';
import { faultDelayMs, LaneScheduler } from '../../platform/lane-scheduler.js';
import type { Claimed, Lane } from '../../platform/lane-scheduler.js';
import type { Logger } from '../../platform/logger.js';
import type { Metrics } from '../../platform/metrics.js';
import type { Tracing } from '../../platform/tracing.js';
import type { GatewayEndpoints, ReachableInstance } from '../chat-instances/gateway-endpoints.js';
import type { SentFiles } from '../media/sent-files.js';
import { windowClosedCode, windowClosedDetail } from '../messages/reply-window/reply-window.service.js';
import type { ChannelNumberService, UnspentRefusal } from './channel-number/channel-number.service.js';
import { maxAttempts } from './send-result.service.js';
import type { SendResultService, SendOutcome } from './send-result.service.js';
import type { ClaimedMessage, ClaimRequest, ClaimService } from './claim.service.js';

export interface DispatcherOptions {
  outbound: ClaimService;
  answers: SendResultService;
  endpoints: GatewayEndpoints;
  numbers: Pick<ChannelNumberService, 'find'>;
  /** The uploaded files of messages. */
  sentFiles: Pick<SentFiles, 'arePublic' | 'addressOf' | 'find'>;
  log: Logger;
  metrics: Metrics;
  /** Undefined: nothing is traced. */
  tracing?: Tracing | undefined;
  /**
   * A send, or the look-up before it, starts only within this time after the claim, in milliseconds. So it ends before the lease:
   * after that, another worker may send the same message.
   */
  startWithinMs: number;
  /** The same of a first attempt that needs consent, in milliseconds: an opt-out waits for its end. */
  startWithConsentWithinMs: number;
  /** How long after the claim the message is this worker's, in milliseconds. */
  leaseMs: number;
  /** How many sends of one tenant may be under way at once in this process, and how many of them through one instance. */
  concurrency: number;
  concurrencyPerInstance: number;
  /** How often to poll for what a lost notification or a dead worker left behind, in milliseconds. */
  sweepIntervalMs: number;
}

export class OutboundDispatcher {
  private readonly lanes: LaneScheduler<ClaimedMessage>;
  private readonly limitedTenants = new Set<string>();

  constructor(private readonly options: DispatcherOptions) {
    const { log, concurrency, sweepIntervalMs, outbound, answers } = options;
    this.lanes = new LaneScheduler<ClaimedMessage>({
      name: 'outbound messages',
      log,
      concurrency,
      sweepIntervalMs,
      sweep: async () => {
        for (const tenantId of await outbound.listWaitingTenants()) this.wake(tenantId);
      },
      claim: (lane, { limit }) => this.claim(lane, limit),
      begin: ({ tenantId }, messages) => messages.map((message) => this.send(tenantId, message)),
      release: ({ tenantId }, messages) => answers.release(tenantId, messages),
    });
  }

  start(): void {
    const { endpoints, metrics } = this.options;
    // An operator has to look at each of these: the counter exists from the start, so that the first one shows as an increase.
    for (const provider of endpoints.providers) metrics.sends.inc({ provider, outcome: 'unconfirmed' }, 0);
    this.lanes.start();
  }

  /** Takes nothing new and waits for the sends under way, at most `timeoutMs`; what is cut off is retried under its key. */
  stop(timeoutMs: number): Promise<void> {
    return this.lanes.stop(timeoutMs);
  }

  /** The tenant has, or may have, something to send. Returns at once; safe to repeat. */
  wake(tenantId: string): void {
    this.lanes.wake({ tenantId, id: tenantId });
  }

  /** Whether the tenant's rate limit left no room at the last claim of this process. */
  isLimited(tenantId: string): boolean {
    return this.limitedTenants.has(tenantId);
  }

  private async claim({ tenantId, items }: Lane<ClaimedMessage>, limit: number): Promise<Claimed<ClaimedMessage>> {
    const { concurrencyPerInstance } = this.options;
    const request = claimRequestOf(items, limit, concurrencyPerInstance);
    const { messages, nextInMs, isLimited = false } = await this.options.outbound.claim(tenantId, request);
    if (isLimited) this.limitedTenants.add(tenantId);
    else this.limitedTenants.delete(tenantId);
    const { underWay } = claimRequestOf([...items, ...messages], 0, concurrencyPerInstance);
    const isFull = [...underWay.values()].some((sends) => sends >= concurrencyPerInstance);
    return { items: messages, isFull, nextInMs: () => nextInMs };
  }

  /** Resolves when the gateway has answered; for the trial of a paused instance, when its result is stored. */
  private async send(tenantId: string, message: ClaimedMessage): Promise<boolean> {
    const answer = this.callTraced(tenantId, message).catch((error: unknown): SendOutcome => {
      this.options.log.error({ err: error, tenantId, messageId: message.id }, 'a gateway driver failed');
      return { outcome: 'unknown', code: 'DRIVER_FAULT', detail: 'Something went wrong on our side' };
    });
    const finished = answer.then((outcome) => this.finish(tenantId, message, outcome));
    this.lanes.track(finished);
    await (message.wasPaused ? finished : answer);
    // Until now every claim counted the trial as under way.
    return message.wasPaused;
  }

  /** @param outcome undefined: it was not handed over */
  private async finish(tenantId: string, message: ClaimedMessage, outcome: SendOutcome | undefined): Promise<void> {
    if (outcome === undefined) await this.release(tenantId, [message]);
    else await this.settle(tenantId, message, outcome);
    // The lead's next message may leave now, and a place in the window of the limit has its end.
    this.wake(tenantId);
  }

  private async settle(tenantId: string, message: ClaimedMessage, outcome: SendOutcome): Promise<void> {
    const { sends, sendRetries } = this.options.metrics;
    sends.inc({ provider: this.options.endpoints.providerOf(message), outcome: outcome.outcome });
    if (message.attempt > 1) sendRetries.inc();
    let error = await this.store(tenantId, message, outcome);
    if (error === undefined) return;
    const about = { err: error, tenantId, messageId: message.id };
    this.options.log.warn(about, 'the result of a send could not be stored; retrying');
    while (error !== undefined && (await this.mayStoreAgain(message, error)))
      error = await this.store(tenantId, message, outcome);
  }

  /** Safe to repeat, also after a commit whose outcome is unknown. @returns why it is not stored */
  private store(tenantId: string, message: ClaimedMessage, outcome: SendOutcome): Promise<AppError | undefined> {
    return this.options.answers.settle(tenantId, message, outcome).then(() => undefined, toAppError);
  }

  // After its lease, the message is sent again under the same key, or looked up.
  private async mayStoreAgain({ claimedAtMs }: ClaimedMessage, { code }: AppError): Promise<boolean> {
    if (code !== 'UNAVAILABLE') return false;
    await delay(faultDelayMs, undefined, { signal: this.lanes.signal }).catch(() => undefined);
    return !this.lanes.signal.aborted && performance.now() < claimedAtMs + this.options.leaseMs;
  }

  // What cannot be given back is free when its lease ends.
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
    const instance = message.isInstanceDeleted ? instanceDeleted : this.options.endpoints.find(message);
    if (instance.outcome === 'permanent') return this.isDoubtful(message) ? unconfirmed(instance.detail) : instance;
    const { id, type, body, replyTo, chat } = message;
    if (chat === null) return permanent('LEAD_WITHOUT_NUMBER', 'The lead has no chat number. Give it one.');
    const isGiven = this.isGivenBytes(message, instance);
    const media = this.addressed(tenantId, message, isGiven);
    if (media === undefined) return noPublicUrl;
    const template = message.channelTemplate ?? undefined;
    const content = { idempotencyKey: id, to: chat, type, text: body, media, replyTo, template };
    const outgoing = await this.withNumber(tenantId, { ...message, chat }, instance, content);
    if ('outcome' in outgoing) return outgoing;
    const settled = await this.lookUp(tenantId, message, instance, outgoing);
    if (settled !== undefined) return settled;
    // Attempts without an answer (their workers died) count too: otherwise such a message would be tried without end.
    if (message.failedAttempts >= maxAttempts) return attemptsExhausted;
    const complete = isGiven ? await this.withGivenFile(tenantId, message, instance, outgoing) : outgoing;
    if ('outcome' in complete) return complete;
    if (hasWindowClosed(message)) return permanent(windowClosedCode, windowClosedDetail);
    return this.timeLeftMs(message) > 0 ? this.handOver(message, instance, complete) : undefined;
  }

  /** The message with the number as the network writes it; or why it is not sent, where the network does not know it. */
  private async withNumber(
    tenantId: string,
    message: ClaimedMessage & { chat: string },
    instance: ReachableInstance,
    outgoing: OutgoingMessage,
  ): Promise<OutgoingMessage | UnspentRefusal> {
    // What is left of the time is for the send.
    const limits = { withinMs: this.timeLeftMs(message) / 2, signal: this.lanes.signal };
    const numbered = { ...message, mayFail: message.unconfirmedSince === null };
    const found = await this.options.numbers.find(tenantId, numbered, instance, limits);
    return 'outcome' in found ? found : { ...outgoing, to: found.to };
  }

  /** Whether the gateway gets the bytes of an uploaded file from us: it has no address to fetch them from. */
  private isGivenBytes({ media }: ClaimedMessage, { gateway }: ReachableInstance): boolean {
    return media !== null && media.url == null && gateway.uploadFile !== undefined && !this.options.sentFiles.arePublic;
  }

  /** The message with the id of its file, which the gateway gets first; or why it does not take it. Nothing was sent then. */
  private async withGivenFile(
    tenantId: string,
    message: ClaimedMessage,
    { gateway, endpoint }: ReachableInstance,
    outgoing: OutgoingMessage,
  ): Promise<OutgoingMessage | Exclude<FileUpload, { outcome: 'uploaded' }>> {
    const { sentFiles, log } = this.options;
    // It ends before the send would be too late.
    const limit = AbortSignal.timeout(Math.max(Math.ceil(this.timeLeftMs(message)), 0));
    try {
      const file = await sentFiles.find(tenantId, message.id);
      if (file === undefined || gateway.uploadFile === undefined || outgoing.media === null) return fileGone;
      const given = await gateway.uploadFile(endpoint, file, AbortSignal.any([this.lanes.signal, limit]));
      return given.outcome === 'uploaded' ? { ...outgoing, media: { ...outgoing.media, id: given.id } } : given;
    } catch (error) {
      log.warn({ err: error, tenantId, messageId: message.id }, 'a file could not be read to be sent');
      return fileUnavailable;
    }
  }

  /** @returns undefined for an uploaded file that no gateway can fetch */
  private addressed(
    tenantId: string,
    { id, media }: ClaimedMessage,
    isGiven: boolean,
  ): OutgoingMedia | null | undefined {
    if (media === null) return null;
    if (isGiven) return { ...media, url: null };
    const url = media.url ?? this.options.sentFiles.addressOf(tenantId, id);
    return url === undefined ? undefined : { ...media, url };
  }

  private timeLeftMs({ claimedAtMs, needsConsent, attempt }: ClaimedMessage): number {
    const { startWithinMs, startWithConsentWithinMs } = this.options;
    const withinMs = needsConsent && attempt === 1 ? startWithConsentWithinMs : startWithinMs;
    return claimedAtMs + withinMs - performance.now();
  }

  /** Whether it may have been sent, so that sending it again may double it. */
  private isDoubtful({ unconfirmedSince, provider, isInstanceDeleted }: ClaimedMessage): boolean {
    return unconfirmedSince !== null && (isInstanceDeleted || !this.options.endpoints.honoursKeys(provider));
  }

  /**
   * Sending again is safe if the gateway honours keys. Otherwise a message that may have been sent is looked up; if that gives no
   * answer, an operator decides. @returns undefined when it is to be sent
   */
  private async lookUp(
    tenantId: string,
    message: ClaimedMessage,
    { gateway, endpoint }: ReachableInstance,
    outgoing: OutgoingMessage,
  ): Promise<SendOutcome | undefined> {
    const { unconfirmedSince: since, failedAttempts } = message;
    if (gateway.honoursKeys || since === null) return undefined;
    if (gateway.findSent === undefined) return unconfirmed('This network does not report what it sent');
    const signal = AbortSignal.any([this.lanes.signal, AbortSignal.timeout(Math.ceil(this.timeLeftMs(message)))]);
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
    const result = await gateway.send(endpoint, outgoing, this.lanes.signal);
    this.options.metrics.sendDuration.observe({ provider }, (performance.now() - startedAtMs) / 1_000);
    if (result.outcome !== 'unknown') return result;
    if (gateway.honoursKeys) return { ...result, outcome: 'repeatable' };
    return gateway.findSent === undefined ? unconfirmed(result.detail) : result;
  }
}

/** What may be claimed beside the messages under way. */
export function claimRequestOf(
  underWay: Iterable<ClaimedMessage>,
  limit: number,
  limitPerInstance: number,
): ClaimRequest {
  const sends = new Map<string, number>();
  const trials = new Map<string, number>();
  for (const { instanceId, wasPaused } of underWay)
    for (const counts of wasPaused ? [sends, trials] : [sends])
      counts.set(instanceId, (counts.get(instanceId) ?? 0) + 1);
  return { limit, limitPerInstance, underWay: sends, trials };
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

function unconfirmed(reason: string): SendOutcome {
  const detail = `It may have reached the lead: ${reason.replace(/\.$/, '')}. Look at the chat, and send it again only if it is not there`;
  return { outcome: 'unconfirmed', code: 'SEND_UNCONFIRMED', detail };
}
