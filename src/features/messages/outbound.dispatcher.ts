// Sends what may leave. One lane for each tenant with something waiting: lanes run side by side, so that one tenant's slow
// gateway or long backlog delays nobody else. Which messages may leave is outbound.service.ts's decision.

import type { ChatGateway, SendResult } from '../../clients/chat-gateway.js';
import type { Logger } from '../../platform/logger.js';
import type { SecretBox } from '../../platform/secret-box.js';
import type { ClaimedMessage, OutboundService } from './outbound.service.js';
import { maxAttempts } from './retry-policy.js';

export interface DispatcherOptions {
  outbound: OutboundService;
  /** By provider name. */
  gateways: ReadonlyMap<string, ChatGateway>;
  /** For instances without an address of their own. */
  defaultGateway: { url: string | undefined; token: string | undefined };
  secretBox: SecretBox;
  log: Logger;
  /** How many sends of one tenant may be under way at once in this process. */
  concurrency: number;
  /** How often to look for what a lost wake-up or a dead worker left behind, in milliseconds. */
  sweepIntervalMs: number;
}

interface Lane {
  running: boolean;
  /** Something new came since the last claim. */
  again: boolean;
  /** Ends the lane's wait for a send to finish. */
  ring: () => void;
  timer: NodeJS.Timeout | undefined;
}

// After a claim that failed (the database is away), the lane rests this long.
const faultDelayMs = 1_000;

export class OutboundDispatcher {
  private readonly lanes = new Map<string, Lane>();
  private readonly inFlight = new Set<Promise<void>>();
  private readonly aborter = new AbortController();
  private sweepTimer: NodeJS.Timeout | undefined;
  private stopping = false;

  constructor(private readonly options: DispatcherOptions) {}

  start(): void {
    this.sweepTimer = setInterval(() => void this.sweep(), this.options.sweepIntervalMs);
    void this.sweep();
  }

  /** Takes nothing new and waits for the sends under way, at most `timeoutMs`; what is cut off is retried under its key. */
  async stop(timeoutMs: number): Promise<void> {
    this.stopping = true;
    clearInterval(this.sweepTimer);
    for (const lane of this.lanes.values()) {
      clearTimeout(lane.timer);
      lane.ring();
    }
    const cutOff = setTimeout(() => this.aborter.abort(), timeoutMs);
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
    clearTimeout(cutOff);
  }

  /** The tenant has, or may have, something to send. Returns at once; safe to repeat. */
  wake(tenantId: string): void {
    if (this.stopping) return;
    const lane = this.lanes.get(tenantId) ?? { running: false, again: false, ring: () => undefined, timer: undefined };
    this.lanes.set(tenantId, lane);
    lane.again = true;
    clearTimeout(lane.timer);
    if (lane.running) lane.ring();
    else this.track(this.run(tenantId, lane));
  }

  private async run(tenantId: string, lane: Lane): Promise<void> {
    lane.running = true;
    let nextInMs: number | undefined;
    do {
      nextInMs = await this.drain(tenantId, lane).catch((error: unknown) => {
        this.options.log.warn({ err: error, tenantId }, 'outbound messages could not be claimed; trying on');
        lane.again = false;
        return faultDelayMs;
      });
      // A wake that came while drain was returning is seen here, in the same turn that lets go of the lane.
    } while (lane.again && !this.stopping);
    lane.running = false;
    if (nextInMs === undefined || this.stopping) this.lanes.delete(tenantId);
    else lane.timer = setTimeout(() => this.wake(tenantId), Math.min(nextInMs, this.options.sweepIntervalMs));
  }

  /** Sends until nothing more may leave now. @returns when to look again */
  private async drain(tenantId: string, lane: Lane): Promise<number | undefined> {
    const sending = new Set<Promise<void>>();
    while (!this.stopping) {
      lane.again = false;
      const free = this.options.concurrency - sending.size;
      const { messages, nextInMs } = await this.options.outbound.claim(tenantId, free);
      for (const message of messages) this.track(this.startSend(tenantId, message, lane, sending));
      if (sending.size === this.options.concurrency) await Promise.race(sending);
      else if (messages.length === free || lane.again) continue;
      else if (sending.size === 0) return nextInMs;
      else await this.waitForNews(lane, sending, nextInMs);
    }
    return undefined;
  }

  private startSend(tenantId: string, message: ClaimedMessage, lane: Lane, sending: Set<Promise<void>>): Promise<void> {
    const send = this.send(tenantId, message).finally(() => {
      sending.delete(send);
      // Its lead's next message may leave now, whatever a claim that is under way has seen.
      lane.again = true;
    });
    sending.add(send);
    return send;
  }

  // A finished send may release its lead's next message, a ring brings new ones, and time opens the limit's window.
  private async waitForNews(lane: Lane, sending: Set<Promise<void>>, nextInMs: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const rung = new Promise<void>((resolve) => {
      lane.ring = resolve;
      if (nextInMs !== undefined) timer = setTimeout(resolve, Math.min(nextInMs, this.options.sweepIntervalMs));
    });
    await Promise.race([...sending, rung]);
    clearTimeout(timer);
  }

  private async send(tenantId: string, message: ClaimedMessage): Promise<void> {
    try {
      await this.options.outbound.settle(tenantId, message, await this.callGateway(message));
    } catch (error) {
      // The lease ends by itself, and the message is sent again under the same key.
      this.options.log.warn(
        { err: error, tenantId, messageId: message.id },
        'an answer of the gateway could not be stored',
      );
    }
  }

  private async callGateway(message: ClaimedMessage): Promise<SendResult> {
    // Attempts without an answer (workers that died) count too, or such a message would go round for ever.
    if (message.attempt > maxAttempts)
      return permanent('ATTEMPTS_EXHAUSTED', 'No attempt to send it was ever answered');
    const gateway = this.options.gateways.get(message.provider);
    if (gateway === undefined)
      return permanent('PROVIDER_UNKNOWN', `There is no driver for the provider ${message.provider}`);
    const baseUrl = message.baseUrl ?? this.options.defaultGateway.url;
    if (baseUrl === undefined) return permanent('GATEWAY_NOT_CONFIGURED', 'The chat instance has no gateway address');
    if (message.chat === null) return permanent('LEAD_WITHOUT_NUMBER', 'The lead has no chat number');
    const { instanceName, type, body, media, replyTo, chat } = message;
    const token = this.findToken(message);
    if (token === undefined)
      return permanent('CREDENTIAL_UNREADABLE', "The chat instance's credential cannot be read: store it anew");
    const endpoint = { baseUrl, token, instanceName };
    const outgoing = { idempotencyKey: message.id, to: chat, type, text: body, media, replyTo };
    return gateway.send(endpoint, outgoing, this.aborter.signal);
  }

  // The configured token goes to the configured gateway only, never to an address that a tenant entered.
  private findToken({ baseUrl, tokenCiphertext, instanceId }: ClaimedMessage): string | null | undefined {
    if (tokenCiphertext === null) return baseUrl === null ? (this.options.defaultGateway.token ?? null) : null;
    try {
      return this.options.secretBox.open(tokenCiphertext, instanceId);
    } catch (error) {
      this.options.log.error(
        { err: error, instanceId },
        'a gateway credential cannot be decrypted: was ENCRYPTION_KEY changed?',
      );
      return undefined;
    }
  }

  private async sweep(): Promise<void> {
    try {
      for (const tenantId of await this.options.outbound.listWaitingTenants()) this.wake(tenantId);
    } catch (error) {
      this.options.log.warn({ err: error }, 'waiting outbound messages could not be listed; trying on');
    }
  }

  private track(work: Promise<void>): void {
    this.inFlight.add(work);
    const forget = () => this.inFlight.delete(work);
    work.then(forget, forget);
  }
}

function permanent(code: string, detail: string): SendResult {
  return { outcome: 'permanent', code, detail };
}
