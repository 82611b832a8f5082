// A gateway of the neutral protocol that honours idempotency keys. On demand it is away, never answers, talks rubbish, resets, or holds its
// answers back. It keeps every accepted message, even if its caller got no answer.

import { ScriptedGateway, answering, type Script, type ScriptedRequest } from '../providers/scripted-gateway.js';
import { steadyPort } from '../support/redis-server.js';
import { html, lostAnswers, slowAnswers } from '../support/provider-fault.js';

/** A message at its first arrival under its key. */
export interface Acceptance {
  /** A time of `performance.now()`. */
  atMs: number;
  key: string;
  text: string;
  to: string;
}

/** A reply in the place of an answer. Arrivals meet the faults in turn. */
export interface GatewayFault {
  accepts: boolean;
  answer: Script;
}

const [reset, closed, noHttp, brokenOff] = lostAnswers.map(([, script]) => script) as [Script, Script, Script, Script];
const [silence] = slowAnswers.map(([, script]) => script) as [Script];

/** The gateway accepts some messages and not others, and the callers learn neither. */
export const resetting: GatewayFault[] = [reset, closed].flatMap((answer) => [
  { accepts: true, answer },
  { accepts: false, answer },
]);
export const rubbish: GatewayFault[] = [html(200), html(502), noHttp, brokenOff, answering(200, { messageId: 7 })].map(
  (answer, index) => ({ accepts: index % 2 === 0, answer }),
);
export const slow: GatewayFault[] = [
  { accepts: true, answer: silence },
  { accepts: false, answer: silence },
];

export class FaultyGateway {
  readonly acceptances: Acceptance[] = [];
  arrivalCount = 0;
  private readonly ids = new Map<string, string>();
  private faults: readonly GatewayFault[] = [];
  private held: (() => void)[] | undefined;

  private constructor(private server: ScriptedGateway) {}

  /** Starts a gateway, at most eight in a process: each has a port that no other process takes while it is down. */
  static async start(): Promise<FaultyGateway> {
    const receive: Script = (request, response) => gateway.receive(request, response);
    const gateway = new FaultyGateway(await ScriptedGateway.start(receive, await steadyPort()));
    return gateway;
  }

  get url(): string {
    return this.server.url;
  }

  /** Cuts off all connections and refuses new ones. */
  goDown(): Promise<void> {
    return this.server.close();
  }

  /** Listens at the same port as before. */
  async comeBack(): Promise<void> {
    const receive: Script = (request, response) => this.receive(request, response);
    this.server = await ScriptedGateway.start(receive, Number(new URL(this.url).port));
  }

  /** Sets the faults from now on. An empty list makes the gateway well. */
  misbehave(faults: readonly GatewayFault[]): void {
    this.faults = faults;
  }

  /** Accepts messages from now on and holds their answers back. */
  holdAnswers(): void {
    this.held = [];
  }

  get heldCount(): number {
    return this.held?.length ?? 0;
  }

  /** Releases the held answers, including those whose callers have gone. */
  releaseAnswers(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const answer of held) answer();
  }

  /** The time of the first new acceptance from `fromMs` on; undefined if there is none. */
  acceptedAfter(fromMs: number): number | undefined {
    return this.acceptances.find(({ atMs }) => atMs >= fromMs)?.atMs;
  }

  private receive(request: ScriptedRequest, response: Parameters<Script>[1]): void {
    const fault = this.faults[this.arrivalCount % this.faults.length];
    // In a long run the state of the instance is asked for too. A gateway of the first version knows no such path.
    if (request.method !== 'POST') return (fault?.answer ?? answering(404, {}))(request, response);
    this.arrivalCount += 1;
    if (fault !== undefined) {
      if (fault.accepts) this.accept(request);
      return fault.answer(request, response);
    }
    const answer = answering(200, { messageId: this.accept(request) });
    if (this.held === undefined) answer(request, response);
    else this.held.push(() => answer(request, response));
  }

  /** @returns the same id for the same key */
  private accept({ headers, body }: ScriptedRequest): string {
    const key = String(headers['idempotency-key']);
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const { text, to } = body as { text: string; to: string };
    this.acceptances.push({ atMs: performance.now(), key, text, to });
    const id = `provider-${key}`;
    this.ids.set(key, id);
    return id;
  }
}
