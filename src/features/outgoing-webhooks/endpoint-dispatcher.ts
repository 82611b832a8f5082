// Has events made into deliveries, and posts what is due. Each endpoint has a lane of its own with few posts at a time, one while it
// fails, so that an endpoint that is dead or slow delays nobody else. Which deliveries may leave is endpoint-attempt.service.ts's.

import { setTimeout as delay } from 'node:timers/promises';
import type { WebhookAnswer, WebhookSender } from '../../clients/webhook-sender.js';
import type { Database } from '../../platform/database.js';
import { FairQueue } from '../../platform/fair-semaphore.js';
import type { Logger } from '../../platform/logger.js';
import { Operation, inOperation } from '../../platform/operation.js';
import { outsideOfRequests } from '../../platform/request-scope.js';
import type { SecretBox } from '../../platform/secret-box.js';
import type { Notifier } from '../../platform/notifier.js';
import type { DueEndpoint, EndpointAttemptService, EndpointKey } from './endpoint-attempt.service.js';
import type { ClaimedDelivery } from './endpoint-attempt.sql.js';
import type { EndpointFeedService } from './endpoint-feed.service.js';
import { selectFollowedTenants } from './endpoint-feed.sql.js';
import type { EndpointPayloads } from './endpoint-payload.js';
import { signatureHeaders } from './endpoint-secret.js';

export interface EndpointDispatcherOptions {
  database: Database;
  notifier: Pick<Notifier, 'subscribe'>;
  feed: EndpointFeedService;
  attempts: EndpointAttemptService;
  payloads: EndpointPayloads;
  sender: WebhookSender;
  secretBox: SecretBox;
  log: Logger;
  /** Posts of one endpoint at a time in this process. */
  concurrency: number;
  /** Posts of all endpoints at a time in this process; those that fail get half of them at most. */
  totalConcurrency: number;
  /** How often to look for what a lost wake-up or a dead worker left behind, in milliseconds. */
  pollIntervalMs: number;
}

interface Lane extends EndpointKey {
  running: boolean;
  hasNews: boolean;
  /** As last heard of it: without a place for those that fail it does not even ask for something to post. */
  isFailing: boolean;
  /** Posts under way. */
  posting: number;
  timer: NodeJS.Timeout | undefined;
}

/** How much a lane may claim, and how much where it turns out to fail. */
interface Places {
  limit: number;
  failingLimit: number;
}

/** A tenant whose events are read: once at a time, and once more where it was woken meanwhile. */
interface Round {
  hasNews: boolean;
}

// What happens to a tenant meanwhile is read together.
const roundPauseMs = 100;
// What is due and in nobody's hands here is looked for again after this at the soonest.
const minRestMs = 100;
// After a claim that failed (the database is away), a lane rests this long.
const faultDelayMs = 1_000;

export class EndpointDispatcher {
  private readonly lanes = new Map<string, Lane>();
  /** Lanes that found no place among all posts. Tenants take turns, whatever number of endpoints they have. */
  private readonly starved = new FairQueue<string, Lane>();
  /** Lanes that fail and found no place among those that such have. */
  private readonly starvedFailing = new FairQueue<string, Lane>();
  /** Each tenant's deliveries, which take turns with its intake and its sends at its share of connections. */
  private readonly operations = new Map<string, Operation>();
  private readonly rounds = new Map<string, Round>();
  /** Tenants with endpoints: what others do wakes nobody. */
  private followed = new Set<string>();
  private readonly inFlight = new Set<Promise<void>>();
  private readonly aborter = new AbortController();
  private posting = 0;
  private postingToFailing = 0;
  private unsubscribe: (() => void) | undefined;
  private pollTimer: NodeJS.Timeout | undefined;
  private polling = false;
  private stopping = false;

  constructor(private readonly options: EndpointDispatcherOptions) {}

  start(): void {
    const wake = (tenantId: string) => {
      if (this.followed.has(tenantId)) this.wakeTenant(tenantId);
    };
    this.unsubscribe = this.options.notifier.subscribe(wake);
    this.pollTimer = setInterval(() => this.track(this.poll()), this.options.pollIntervalMs);
    this.track(this.poll());
  }

  /** Takes nothing new and waits for the posts under way, at most `timeoutMs`; what is cut off is given back. */
  async stop(timeoutMs: number): Promise<void> {
    this.stopping = true;
    this.unsubscribe?.();
    clearInterval(this.pollTimer);
    for (const { timer } of this.lanes.values()) clearTimeout(timer);
    const cutOff = setTimeout(() => this.aborter.abort(), timeoutMs);
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
    clearTimeout(cutOff);
  }

  /** The tenant has, or may have, new events or deliveries. Returns at once; safe to repeat. */
  wakeTenant(tenantId: string): void {
    if (this.stopping) return;
    const round = this.rounds.get(tenantId);
    if (round !== undefined) round.hasNews = true;
    else this.track(this.workFor(tenantId, () => this.runRounds(tenantId)));
  }

  /** The tenant has an endpoint, known here before the next look at all of them. As `wakeTenant`. */
  follow(tenantId: string): void {
    this.followed.add(tenantId);
    this.wakeTenant(tenantId);
  }

  /** Something of the endpoint is, or may be, due. Returns at once; safe to repeat. */
  wake(endpoint: EndpointKey): void {
    if (!this.stopping) this.wakeLane(this.laneOf(endpoint));
  }

  private workFor<Result>(tenantId: string, work: () => Result): Result {
    const operation = this.operations.get(tenantId) ?? new Operation({ tenantId, kind: 'service' });
    this.operations.set(tenantId, operation);
    return outsideOfRequests(() => inOperation(operation, work));
  }

  private laneOf({ tenantId, endpointId }: EndpointKey): Lane {
    const state = { running: false, hasNews: false, isFailing: false, posting: 0, timer: undefined };
    const lane = this.lanes.get(endpointId) ?? { tenantId, endpointId, ...state };
    this.lanes.set(endpointId, lane);
    return lane;
  }

  private wakeDue(endpoints: readonly DueEndpoint[]): void {
    if (this.stopping) return;
    for (const endpoint of endpoints) {
      const lane = this.laneOf(endpoint);
      lane.isFailing = endpoint.isFailing;
      this.wakeLane(lane);
    }
  }

  private async poll(): Promise<void> {
    if (this.polling) return;
    this.polling = true;
    const { database, attempts, log } = this.options;
    try {
      const tenants = await database.query<{ tenantId: string; hasNews: boolean | null }>(selectFollowedTenants);
      this.followed = new Set(tenants.map(({ tenantId }) => tenantId));
      for (const tenantId of this.operations.keys()) if (!this.followed.has(tenantId)) this.operations.delete(tenantId);
      for (const { tenantId, hasNews } of tenants) if (hasNews === true) this.wakeTenant(tenantId);
      if (tenants.length > 0) this.wakeDue(await attempts.listDue());
    } catch (error) {
      log.warn({ err: error }, 'webhook endpoints with something to tell could not be listed; trying on');
    } finally {
      this.polling = false;
    }
  }

  private async runRounds(tenantId: string): Promise<void> {
    const round = { hasNews: true };
    this.rounds.set(tenantId, round);
    try {
      while (round.hasNews && !this.stopping) {
        round.hasNews = false;
        if (await this.options.feed.feed(tenantId)) round.hasNews = true;
        this.wakeDue(await this.options.attempts.listDue(tenantId));
        await delay(roundPauseMs);
      }
    } catch (error) {
      this.options.log.warn({ err: error, tenantId }, 'events could not be made into deliveries; trying on');
    } finally {
      this.rounds.delete(tenantId);
    }
  }

  private wakeLane(lane: Lane): void {
    if (this.stopping) return;
    clearTimeout(lane.timer);
    lane.hasNews = true;
    if (!lane.running) this.track(this.workFor(lane.tenantId, () => this.run(lane)));
  }

  private async run(lane: Lane): Promise<void> {
    lane.running = true;
    let nextInMs: number | undefined;
    try {
      do {
        lane.hasNews = false;
        nextInMs = await this.postDue(lane);
      } while (lane.hasNews && !this.stopping);
    } catch (error) {
      const { tenantId, endpointId } = lane;
      this.options.log.warn({ err: error, tenantId, endpointId }, 'webhook deliveries could not be claimed; trying on');
      nextInMs = faultDelayMs;
    }
    lane.running = false;
    if (this.stopping) return;
    if (nextInMs !== undefined) lane.timer = setTimeout(() => this.wakeLane(lane), this.restMs(nextInMs));
    else this.forgetIdle(lane);
    this.passOn();
  }

  private forgetIdle(lane: Lane): void {
    const { tenantId } = lane;
    if (lane.posting > 0 || this.starved.has(tenantId, lane) || this.starvedFailing.has(tenantId, lane)) return;
    this.lanes.delete(lane.endpointId);
  }

  // The poll finds what is due later than that.
  private restMs(nextInMs: number): number {
    return Math.min(nextInMs, this.options.pollIntervalMs);
  }

  /** @returns when to look again, where neither the end of a post nor the poll does so soon enough */
  private async postDue(lane: Lane): Promise<number | undefined> {
    const places = this.placesFor(lane);
    if (places === undefined) return undefined;
    const claimed = await this.claim(lane, places);
    if (claimed === places.limit) return undefined;
    const nextInMs = await this.options.attempts.nextDueInMs(lane);
    if (nextInMs === undefined || nextInMs > 0) return nextInMs;
    // Due, and not to be had: it fails and has its post under way, or all places of those that fail are taken, or another process has it.
    if (lane.posting > 0) return undefined;
    if (places.failingLimit > 0) return minRestMs;
    lane.isFailing = true;
    lane.hasNews = true;
    return undefined;
  }

  /** @returns undefined where there are none: the lane is woken once there are */
  private placesFor(lane: Lane): Places | undefined {
    // The end of a post of its own wakes it.
    if (lane.posting >= (lane.isFailing ? 1 : this.options.concurrency)) return undefined;
    const free = this.options.totalConcurrency - this.posting;
    const failingLimit = lane.posting === 0 && this.hasFailingPlace() ? 1 : 0;
    if (lane.isFailing && failingLimit === 0) this.starvedFailing.add(lane.tenantId, lane);
    else if (free <= 0) this.starved.add(lane.tenantId, lane);
    else {
      this.starved.delete(lane.tenantId, lane);
      this.starvedFailing.delete(lane.tenantId, lane);
      return { limit: Math.min(this.options.concurrency - lane.posting, free), failingLimit };
    }
    return undefined;
  }

  private hasFailingPlace(): boolean {
    return this.postingToFailing < this.options.totalConcurrency / 2;
  }

  private async claim(lane: Lane, { limit, failingLimit }: Places): Promise<number> {
    // Taken before anybody else looks.
    this.posting += limit;
    this.postingToFailing += failingLimit;
    let claimed: ClaimedDelivery[] = [];
    try {
      claimed = await this.options.attempts.claim(lane, { limit, failingLimit });
    } finally {
      this.posting -= limit;
      this.postingToFailing -= failingLimit;
    }
    this.begin(lane, claimed);
    // What was taken too much is free again.
    this.passOn();
    return claimed.length;
  }

  private begin(lane: Lane, claimed: readonly ClaimedDelivery[]): void {
    const failing = claimed.filter(({ isFailing }) => isFailing).length;
    if (claimed.length > 0) lane.isFailing = failing > 0;
    lane.posting += claimed.length;
    this.posting += claimed.length;
    this.postingToFailing += failing;
    if (claimed.length > 0) this.track(this.postAll(lane, claimed));
  }

  private async postAll(lane: Lane, claimed: readonly ClaimedDelivery[]): Promise<void> {
    const { payloads, attempts, log } = this.options;
    const { tenantId, endpointId } = lane;
    try {
      const bodies = await payloads.make(tenantId, claimed);
      for (const [index, delivery] of claimed.entries())
        this.track(this.post(lane, delivery, bodies[index] ?? '').finally(() => this.end(lane, delivery)));
    } catch (error) {
      log.warn({ err: error, tenantId, endpointId }, 'what a webhook delivery tells of could not be read; trying on');
      await attempts.release(tenantId, claimed).catch(() => undefined);
      await delay(faultDelayMs, undefined, { signal: this.aborter.signal }).catch(() => undefined);
      for (const delivery of claimed) this.end(lane, delivery);
    }
  }

  private async post(lane: Lane, delivery: ClaimedDelivery, body: string): Promise<void> {
    const { attempts, log } = this.options;
    const { tenantId } = lane;
    try {
      const answer = await this.send(delivery, body);
      await attempts.settle(tenantId, delivery, answer);
      if (answer.outcome === 'failed' || answer.outcome === 'gone') lane.isFailing = true;
      if (answer.outcome === 'delivered' && delivery.isFailing) lane.isFailing = false;
    } catch (error) {
      // Its lease ends by itself, and it is posted again under the same id.
      const about = { err: error, tenantId, deliveryId: delivery.id };
      log.warn(about, 'what became of a webhook delivery could not be stored');
    }
  }

  private async send(delivery: ClaimedDelivery, body: string): Promise<WebhookAnswer> {
    const { id, url } = delivery;
    const secrets = this.openSecrets(delivery);
    if (secrets === undefined) return secretUnreadable;
    const timestamp = Math.floor(Date.now() / 1_000);
    const headers = { 'user-agent': 'Leadwire', ...signatureHeaders({ id, timestamp, body }, secrets) };
    return this.options.sender.post({ url, headers, body }, this.aborter.signal);
  }

  private openSecrets({ endpointId, secretCiphertext, previousSecretCiphertext }: ClaimedDelivery) {
    const boxes = [secretCiphertext, ...(previousSecretCiphertext === null ? [] : [previousSecretCiphertext])];
    try {
      return boxes.map((box) => this.options.secretBox.open(box, endpointId));
    } catch (error) {
      this.options.log.error({ err: error, endpointId }, 'the secret of a webhook endpoint cannot be decrypted');
      return undefined;
    }
  }

  private end(lane: Lane, { isFailing }: ClaimedDelivery): void {
    lane.posting -= 1;
    this.posting -= 1;
    if (isFailing) this.postingToFailing -= 1;
    // Others first, or whoever has a place would keep it.
    this.passOn();
    this.wakeLane(lane);
  }

  /** Wakes whose turn it is, where there is a place: each that it wakes does the same once it has taken its own. */
  private passOn(): void {
    if (this.hasFailingPlace()) this.queueFailing();
    if (this.posting >= this.options.totalConcurrency) return;
    const next = this.starved.take();
    if (next !== undefined) this.wakeLane(next);
  }

  // Behind who waits for any place at all: with a place among those that fail, it takes its turn as everybody does.
  private queueFailing(): void {
    const next = this.starvedFailing.take();
    if (next !== undefined) this.starved.add(next.tenantId, next);
  }

  private track(work: Promise<void>): void {
    this.inFlight.add(work);
    const forget = () => this.inFlight.delete(work);
    work.then(forget, forget);
  }
}

const secretUnreadable: WebhookAnswer = {
  outcome: 'failed',
  status: null,
  detail: "The endpoint's secret cannot be read: give it another one.",
};
