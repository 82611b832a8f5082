// Operators who send: one for each lead, one message after the other. Each call is repeated under its idempotency key until it is
// acknowledged, and its text names it.

import { setTimeout as delay } from 'node:timers/promises';
import type { GraphqlAnswer } from '../support/graphql-client.js';
import type { SendMessageMutation } from '../support/operations.js';
import { withToken, type TestTenant } from '../support/test-app.js';
import { CallLog } from './call-log.js';

const retryPauseMs = 100;
/** The document uses only fields that an earlier version has. */
const document = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { id } }';

export interface SendLoadOptions {
  /** Keeps the texts of two loads apart. */
  prefix: string;
  tenant: TestTenant;
  leadIds: readonly string[];
  urlNow: () => string;
  /** The pause between a message's acknowledgement and the next message of its lead. */
  pauseMs: number;
}

export interface AcknowledgedSend {
  /** A time of `performance.now()`. */
  atMs: number;
  /** The text, which is also the idempotency key. */
  text: string;
  leadId: string;
  messageId: string;
}

export class SendLoad {
  /** The sends of each lead in the order of acceptance. */
  readonly acknowledged: AcknowledgedSend[] = [];
  readonly log = new CallLog();
  /** Texts whose key gave two different messages. */
  readonly ambiguous: string[] = [];
  private stopping = false;
  private readonly running: Promise<unknown>;

  constructor(private readonly options: SendLoadOptions) {
    this.running = Promise.all(options.leadIds.map((leadId, index) => this.sendInTurn(leadId, index)));
    // finish(), which comes later, reports the failure.
    this.running.catch(() => undefined);
  }

  /** Begins no new message. */
  stop(): void {
    this.stopping = true;
  }

  /** Resolves when every message that has begun is acknowledged. */
  async finish(): Promise<void> {
    this.stop();
    await this.running;
  }

  private async sendInTurn(leadId: string, index: number): Promise<void> {
    // The starts are spread over the pause, so that the leads do not come all at once.
    await delay((this.options.pauseMs * index) / this.options.leadIds.length);
    for (let number = 1; !this.stopping; number += 1) {
      await this.complete(leadId, `${this.options.prefix} ${leadId} ${number}`);
      await delay(this.options.pauseMs);
    }
  }

  private async complete(leadId: string, text: string): Promise<void> {
    let messageId = await this.sendOnce(leadId, text);
    while (messageId === undefined) {
      await delay(retryPauseMs);
      messageId = await this.sendOnce(leadId, text);
    }
    this.acknowledged.push({ atMs: performance.now(), text, leadId, messageId });
    // Some messages are sent again although their call succeeded.
    if (this.acknowledged.length % 10 !== 0) return;
    const again = await this.sendOnce(leadId, text);
    if (again !== undefined && again !== messageId) this.ambiguous.push(text);
  }

  private async sendOnce(leadId: string, text: string): Promise<string | undefined> {
    const variables = { input: { leadId, body: text, idempotencyKey: text } };
    const begunAtMs = performance.now();
    try {
      const response = await fetch(`${this.options.urlNow()}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...withToken(this.options.tenant.operator) },
        body: JSON.stringify({ query: document, variables }),
      });
      const { data, errors } = (await response.json()) as GraphqlAnswer<SendMessageMutation>;
      const messageId = data?.sendMessage.id;
      this.log.note(errors?.[0]?.extensions.code ?? 'OK', messageId !== undefined, begunAtMs);
      return messageId;
    } catch {
      this.log.note('no answer', false, begunAtMs);
      return undefined;
    }
  }
}
