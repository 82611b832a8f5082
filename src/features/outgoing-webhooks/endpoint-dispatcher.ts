// Has events made into deliveries, and posts what is due. Each endpoint has a lane, with one post at a time while it fails: a dead or slow
// endpoint delays no other. endpoint-claim.service.ts decides which deliveries may leave, endpoint-result.service.ts stores the results.

import { setTimeout as delay } from 'node:timers/promises';
import type { WebhookAnswer, WebhookSender } from '../../clients/webhook-sender.js';
import type { Database } from '../../platform/database/database.js';
import {
  faultDelayMs,
  LaneScheduler,
  type Claimed,
  type Lane,
  type Places,
} from '../../platform/jobs/lane-scheduler.js';
import type { Logger } from '../../platform/observability/logger.js';
import { Operation, inOperation } from '../../platform/database/operation.js';
import { outsideOfRequests } from '../../platform/observability/request-scope.js';
import type { SecretBox } from '../../platform/secret-box.js';
import type { Notifier } from '../../platform/events/notifier.js';
import type { DueEndpoint, EndpointClaimService, EndpointKey } from './endpoint-claim.service.js';
import type { ClaimedDelivery } from './endpoint-claim.sql.js';
import type { EndpointFeedService } from './endpoint-feed.service.js';
import { selectFollowedTenants } from './endpoint-feed.sql.js';
import type { EndpointPayloads } from './endpoint-payload.js';
import type { EndpointResultService } from './endpoint-result.service.js';
import { signatureHeaders } from './endpoint-signature.js';

export interface EndpointDispatcherOptions {
  database: Database;
  notifier: Pick<Notifier, 'subscribe'>;
  feed: EndpointFeedService;
  claims: EndpointClaimService;
  results: EndpointResultService;
  payloads: EndpointPayloads;
  sender: WebhookSender;
  secretBox: SecretBox;
  log: Logger;
  /** Posts of one endpoint at a time in this process. */
  concurrency: number;
  /** Posts of all endpoints at a time in this process. Failing endpoints together get half of them at most. */
  totalConcurrency: number;
  /** The interval of polls for deliveries that a lost notification or a dead worker left behind, in milliseconds. */
  pollIntervalMs: number;
}

/** A tenant whose events are read: once at a time, and once more if it was woken meanwhile. */
interface Round {
  hasNews: boolean;
}

// The events of a tenant within this pause are read together.
const roundPauseMs = 100;
// Another process has claimed what is due: this process looks again after this time.
const minRestMs = 100;

export class EndpointDispatcher {
  private readonly lanes: LaneScheduler<ClaimedDelivery>;
  /**
   * The operation of each tenant's deliveries, while there are any. They take turns with its intake and its sends at its share of
   * connections.
   */
  private readonly operations = new Map<string, { operation: Operation; uses: number }>();
  private readonly rounds = new Map<string, Round>();
  /** Tenants with endpoints: only their notifications count. */
  private followed = new Set<string>();
  private unsubscribe: (() => void) | undefined;

  constructor(private readonly options: EndpointDispatcherOptions) {
    const { log, concurrency, totalConcurrency, pollIntervalMs, claims } = options;
    this.lanes = new LaneScheduler<ClaimedDelivery>({
      name: 'webhook deliveries',
      log,
      concurrency,
      totalConcurrency,
      sweepIntervalMs: pollIntervalMs,
      sweep: () => this.poll(),
      claim: (lane, places) => this.claim(lane, places),
      begin: (lane, claimed) => this.postAll(lane, claimed),
      release: ({ tenantId }, claimed) => claims.release(tenantId, claimed),
      within: (tenantId, work) => this.workFor(tenantId, work),
    });
  }

  start(): void {
    this.unsubscribe = this.options.notifier.subscribe((tenantId) => {
      if (this.followed.has(tenantId)) this.wakeTenant(tenantId);
    });
    this.lanes.start();
  }

  /** Takes nothing new and waits for the posts under way, at most `timeoutMs`; a delivery that is cut off is given back. */
  stop(timeoutMs: number): Promise<void> {
    this.unsubscribe?.();
    return this.lanes.stop(timeoutMs);
  }

  /** The tenant has an endpoint and may have new events or deliveries. Returns at once; safe to repeat. */
  follow(tenantId: string): void {
    this.followed.add(tenantId);
    this.wakeTenant(tenantId);
  }

  /** Something of the endpoint is, or may be, due. Returns at once; safe to repeat. */
  wake({ tenantId, endpointId: id }: EndpointKey): void {
    this.lanes.wake({ tenantId, id });
  }

  private wakeTenant(tenantId: string): void {
    if (this.lanes.isStopping) return;
    const round = this.rounds.get(tenantId);
    if (round !== undefined) round.hasNews = true;
    else this.lanes.track(this.workFor(tenantId, () => this.runRounds(tenantId)));
  }

  private async workFor(tenantId: string, work: () => Promise<void>): Promise<void> {
    const own = this.operations.get(tenantId) ?? { operation: new Operation({ tenantId, kind: 'service' }), uses: 0 };
    this.operations.set(tenantId, own);
    own.uses += 1;
    try {
      await outsideOfRequests(() => inOperation(own.operation, work));
    } finally {
      own.uses -= 1;
      if (own.uses === 0) this.operations.delete(tenantId);
    }
  }

  private async poll(): Promise<void> {
    const { database, claims } = this.options;
    const tenants = await database.query<{ tenantId: string; hasNews: boolean | null }>(selectFollowedTenants);
    this.followed = new Set(tenants.map(({ tenantId }) => tenantId));
    for (const { tenantId, hasNews } of tenants) if (hasNews === true) this.wakeTenant(tenantId);
    if (tenants.length > 0) this.wakeDue(await claims.listDue());
  }

  private wakeDue(endpoints: readonly DueEndpoint[]): void {
    for (const { tenantId, endpointId: id, isFailing } of endpoints) this.lanes.wake({ tenantId, id }, isFailing);
  }

  private async runRounds(tenantId: string): Promise<void> {
    const round = { hasNews: true };
    this.rounds.set(tenantId, round);
    try {
      while (round.hasNews && !this.lanes.isStopping) {
        round.hasNews = false;
        if (await this.options.feed.feed(tenantId)) round.hasNews = true;
        this.wakeDue(await this.options.claims.listDue(tenantId));
        await delay(roundPauseMs);
      }
    } catch (error) {
      this.options.log.warn({ err: error, tenantId }, 'events could not be made into webhook deliveries; retrying');
    } finally {
      this.rounds.delete(tenantId);
    }
  }

  private async claim(lane: Lane<ClaimedDelivery>, places: Places): Promise<Claimed<ClaimedDelivery>> {
    const items = await this.options.claims.claim(keyOf(lane), places);
    return { items, isFailing: items[0]?.isFailing, nextInMs: () => this.nextInMs(lane, places) };
  }

  private async nextInMs(lane: Lane<ClaimedDelivery>, { failingLimit }: Places): Promise<number | undefined> {
    const nextInMs = await this.options.claims.nextDueInMs(keyOf(lane));
    if (nextInMs === undefined || nextInMs > 0) return nextInMs;
    // Something is due that was not claimed. Either the endpoint fails and has its one post under way,
    if (lane.items.size > 0) return undefined;
    // or another process has claimed it,
    if (failingLimit > 0) return minRestMs;
    // or the endpoint fails, and other failing endpoints have all their places.
    lane.isFailing = true;
    return 0;
  }

  private postAll(lane: Lane<ClaimedDelivery>, claimed: readonly ClaimedDelivery[]): Promise<boolean>[] {
    const making = this.makeBodies(lane, claimed);
    return claimed.map(async (delivery, index) => {
      const bodies = await making;
      if (bodies !== undefined) await this.post(lane, delivery, bodies[index] ?? '');
      return true;
    });
  }

  /** @returns undefined when they cannot be made: the deliveries are given back */
  private async makeBodies(
    { tenantId, id: endpointId }: Lane<ClaimedDelivery>,
    claimed: readonly ClaimedDelivery[],
  ): Promise<string[] | undefined> {
    const { payloads, claims, log } = this.options;
    try {
      return await payloads.make(tenantId, claimed);
    } catch (error) {
      log.warn({ err: error, tenantId, endpointId }, 'the records of webhook deliveries could not be read; retrying');
      await claims.release(tenantId, claimed).catch(() => undefined);
      await delay(faultDelayMs, undefined, { signal: this.lanes.signal }).catch(() => undefined);
      return undefined;
    }
  }

  private async post(lane: Lane<ClaimedDelivery>, delivery: ClaimedDelivery, body: string): Promise<void> {
    const { claims, results, log } = this.options;
    const { tenantId } = lane;
    try {
      const answer = await this.send(delivery, body);
      if (answer.outcome === 'stopped') return await claims.release(tenantId, [delivery]);
      await results.settle(tenantId, delivery, answer);
      if (answer.outcome === 'failed' || answer.outcome === 'gone') lane.isFailing = true;
      if (answer.outcome === 'delivered' && delivery.isFailing) lane.isFailing = false;
    } catch (error) {
      // The lease ends by itself, and the delivery is posted again under the same id.
      const about = { err: error, tenantId, deliveryId: delivery.id };
      log.warn(about, 'the result of a webhook delivery could not be stored');
    }
  }

  private async send(delivery: ClaimedDelivery, body: string): Promise<WebhookAnswer> {
    const { id, url } = delivery;
    const secrets = this.openSecrets(delivery);
    if (secrets === undefined) return secretUnreadable;
    const timestamp = Math.floor(Date.now() / 1_000);
    const headers = { 'user-agent': 'Leadwire', ...signatureHeaders({ id, timestamp, body }, secrets) };
    return this.options.sender.post({ url, headers, body }, this.lanes.signal);
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
}

function keyOf({ tenantId, id }: Lane<ClaimedDelivery>): EndpointKey {
  return { tenantId, endpointId: id };
}

const secretUnreadable: WebhookAnswer = {
  outcome: 'failed',
  status: null,
  detail: "The endpoint's secret cannot be read. Rotate the secret.",
};
