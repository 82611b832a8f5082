// A gateway that answers each message as its case plans, and records the time of each arrival.

import type { ServerResponse } from 'node:http';
import { ScriptedGateway, type ScriptedRequest } from '../providers/scripted-gateway.js';
import type { Fault, PlannedMessage } from './paced-case.js';

export interface Arrival {
  /** Milliseconds since 1970, by this process's clock, at a moment before the answer. */
  at: number;
  /** The `Idempotency-Key`. */
  key: string;
  text: string;
  to: string;
  answer: Fault | 'accepted' | 'refused';
}

/** The value that every 429 carries. */
export const retryAfterSeconds = 1;

/** A living worker has stored an answer within this time. */
const storedInMs = 1_000;
/** A caller that has waited so long may give its call up and repeat it. */
const patienceMs = 14_000;

export class PacedGateway {
  readonly arrivals: Arrival[] = [];
  /** Keys of the calls whose callers stopped waiting, once for each time. */
  readonly givenUp: string[] = [];
  private readonly plans = new Map<string, PlannedMessage>();
  private readonly arrivalCounts = new Map<string, number>();
  private readonly callers = new Map<ServerResponse, string>();
  private readonly held: (() => void)[] = [];
  private quota = Infinity;
  private server: ScriptedGateway | undefined;

  private constructor() {}

  static async start(): Promise<PacedGateway> {
    const gateway = new PacedGateway();
    gateway.server = await ScriptedGateway.start((request, response) => gateway.receive(request, response));
    return gateway;
  }

  get url(): string {
    return this.server?.url ?? '';
  }

  /** Cuts off callers that still wait for an answer. */
  async close(): Promise<void> {
    await this.server?.close();
  }

  plan(messages: readonly PlannedMessage[]): void {
    for (const message of messages) this.plans.set(message.text, message);
  }

  /** Sets the number of arrivals that are answered; later arrivals wait until the number grows. */
  answerUpTo(count: number): void {
    this.quota = count;
    for (const answer of this.held.splice(0)) answer();
  }

  /** Keys of the calls whose callers live. They wait for their answer, or received it too recently to have stored it. */
  liveKeys(): string[] {
    return [...this.callers.values()];
  }

  /** Counts the calls that wait for a higher quota and whose callers are alive. */
  get heldCount(): number {
    return [...this.callers.keys()].filter((response) => !response.writableEnded).length;
  }

  private receive({ method, headers, body }: ScriptedRequest, response: ServerResponse): void {
    // A process that has run for minutes also asks for the state of the instance, which this gateway does not tell.
    if (method !== 'POST') return answerWith(response, 404, {});
    const at = Date.now();
    const { text, to } = body as { text: string; to: string };
    const key = String(headers['idempotency-key']);
    const plan = this.plans.get(text);
    const before = this.arrivalCounts.get(text) ?? 0;
    this.arrivalCounts.set(text, before + 1);
    const answer = plan?.faults[before] ?? (plan?.isRefused === true ? 'refused' : 'accepted');
    this.arrivals.push({ at, key, text, to, answer });
    this.callers.set(response, key);
    const forget = () => this.callers.delete(response);
    response.on('close', () => {
      if (!response.writableFinished && Date.now() - at >= patienceMs) this.givenUp.push(key);
      if (response.writableFinished) setTimeout(forget, storedInMs).unref();
      else forget();
    });
    const reply = () => this.answer(response, key, answer);
    if (this.arrivals.length <= this.quota) reply();
    else this.held.push(reply);
  }

  private answer(response: ServerResponse, key: string, answer: Arrival['answer']): void {
    switch (answer) {
      case 'accepted':
        return answerWith(response, 200, { messageId: `provider-${key}` });
      case 'refused':
        return answerWith(response, 422, { error: { code: '131026', message: 'The number is not on the network' } });
      case 'tooMany':
        return answerWith(response, 429, {}, { 'retry-after': String(retryAfterSeconds) });
      case 'unavailable':
        return answerWith(response, 503, {});
      case 'reset':
        return void response.destroy();
      case 'hang':
        return;
    }
  }
}

function answerWith(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
