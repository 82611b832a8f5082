// Owns the delivery of reports to our webhooks: address, signature, time-out, retries, and the record of every call.
// report-plan.ts decides what is reported, and when.

import type { SimulatorBehaviour } from './behaviour.schema.js';
import { BoundedHistory, BoundedMap } from './bounded-memory.js';
import { dressOf, dressReport, makeHeaders, tellsAll, type DressedCall } from './dress.js';
import type { InstanceConnection, InstanceState } from './instance-registry.js';
import type { HistoryRow, MessageHistory } from './message-history.js';
import { webhookTargetSchema, type WebhookTarget } from './message.schema.js';
import type { PlannedReport, Report } from './report-plan.js';
import type { Timers } from './simulator-clock.js';

/** A webhook call that was made, or could not be made. It holds no key and no secret. */
export interface WebhookCall {
  /** The start in milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  readonly kind: Report['kind'];
  readonly instance: string;
  /** Null when the instance has no webhook address, so that nothing was called. */
  readonly url: string | null;
  readonly body: object;
  /** 1 for the first try of a report, counting on with each retry. */
  readonly attempt: number;
  /** True for the second delivery of a report that `duplicateRate` doubled. */
  readonly isDuplicate: boolean;
  /** The HTTP status answered; null when there was no answer. */
  readonly status: number | null;
  /** The first 1,000 characters answered. */
  readonly answer: string;
  /** The reason that there was no answer. */
  readonly error: string | null;
  /** The event happened, but no webhook was called. */
  readonly isWithheld: boolean;
  readonly willRetry: boolean;
}

export interface WebhookReporterOptions {
  readonly timers: Timers;
  readonly log: SimulatorLog;
  readonly target: WebhookTarget;
  /** The number of calls that are remembered. */
  readonly historySize: number;
  /** The most instances that may have a target of their own. */
  readonly maxInstances: number;
  /** The behaviour in force for an instance at the moment of asking. */
  readonly behaviourOf: (instance: string) => SimulatorBehaviour;
  /** The history that keeps every reported event. */
  readonly history: MessageHistory;
  /** The simulator's address; undefined until it is known. */
  readonly serverUrl: () => string | undefined;
}

interface FailedAttempt {
  readonly attempt: number;
  readonly isDuplicate: boolean;
  readonly answer: Answer;
  readonly behaviour: SimulatorBehaviour;
}

interface Answer {
  readonly status: number | null;
  readonly answer: string;
  readonly error: string | null;
  readonly retryAfterMs: number;
}

const MAX_IN_FLIGHT = 64;
const MAX_PENDING = 50_000;
const ANSWER_CHARACTERS = 1_000;

/** Delivers reports, 64 at a time. A report is pending from the moment it is planned until it arrived or was given up. */
export class WebhookReporter {
  readonly #options: WebhookReporterOptions;
  readonly #targets: BoundedMap<string, WebhookTarget>;
  readonly #calls: BoundedHistory<WebhookCall>;
  readonly #underWay = new Set<AbortController>();
  readonly #waitingForSlot: (() => void)[] = [];
  #sharedTarget: WebhookTarget;
  #isClosed = false;
  #inFlight = 0;
  #pending = 0;
  #idleWaiters: (() => void)[] = [];

  constructor(options: WebhookReporterOptions) {
    this.#options = options;
    this.#sharedTarget = webhookTargetSchema.parse(options.target);
    this.#targets = new BoundedMap(options.maxInstances);
    this.#calls = new BoundedHistory(options.historySize);
  }

  get calls(): BoundedHistory<WebhookCall> {
    return this.#calls;
  }

  /** True while 50,000 messages, replies and retries wait to be reported: no further message should be accepted. */
  get isFull(): boolean {
    return this.#pending >= MAX_PENDING;
  }

  getTarget(instance?: string): WebhookTarget {
    return instance === undefined ? this.#sharedTarget : { ...this.#sharedTarget, ...this.#targets.get(instance) };
  }

  /** Changes the fields given, for one instance or for all that have none of their own. Wrong input is a ZodError. */
  setTarget(input: unknown, instance?: string): void {
    const target = webhookTargetSchema.parse(input);
    if (instance === undefined) this.#sharedTarget = { ...this.#sharedTarget, ...target };
    else this.#targets.set(instance, { ...this.#targets.get(instance), ...target });
  }

  /** Lets an instance report in the protocol of its latest call. Meta's instances keep their own. */
  wear(instance: string, dress: 'evolution' | 'waha'): void {
    const target = this.getTarget(instance);
    if (target.cloud === undefined && target.dress !== dress) this.setTarget({ dress }, instance);
  }

  /** Reports an instance's new state. Returns at once. */
  tellState(instance: string, state: InstanceState & InstanceConnection): void {
    if (!this.tellsAll(instance)) return;
    void this.deliver({ kind: 'connection', instance, state, body: {}, copies: 1, isWithheld: false });
  }

  /** True when the instance also reports our own sends and its own state. */
  tellsAll(instance: string): boolean {
    return tellsAll(dressOf(this.getTarget(instance)));
  }

  /**
   * Delivers the reports one after the other, each when it is due and none before `start` resolves. Resolves when each
   * was tried once: a failed report is retried while the following ones go out, and so may arrive after them. Never rejects.
   */
  async follow(reports: readonly PlannedReport[], start = Promise.resolve()): Promise<void> {
    if (reports.length === 0) return;
    const settle = this.#startPending();
    await start;
    for (const report of reports) {
      await this.#options.timers.wait(report.dueAt - this.#options.timers.now());
      await this.#deliverCopies(report);
    }
    settle();
  }

  /** Delivers a report now and resolves with its first call; retries go on in the background. Never rejects. */
  async deliver(report: Report): Promise<WebhookCall> {
    const settle = this.#startPending();
    const first = await this.#deliverCopies(report);
    settle();
    return first;
  }

  /** Resolves when no report is pending, at once if none is, and on `close`. */
  async idle(): Promise<void> {
    if (this.#pending === 0 || this.#isClosed) return;
    await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
  }

  /** Aborts the calls under way and forgets pending reports. */
  close(): void {
    this.#isClosed = true;
    for (const call of this.#underWay) call.abort();
    this.#wakeIdleWaiters();
  }

  // Every event goes into the history here, at its time, before any webhook is called.
  async #deliverCopies(report: Report): Promise<WebhookCall> {
    const calls = this.#dress(report);
    let first: WebhookCall | undefined;
    if (report.isWithheld || calls.length === 0) return this.#leaveOut(report);
    for (const isDuplicate of report.copies === 2 ? [false, true] : [false])
      for (const call of calls) {
        const made = await this.#attempt(report, call, 1, isDuplicate);
        first ??= made;
      }
    return first ?? this.#leaveOut(report);
  }

  /** The calls for the message as it is now: a later retry sends the same bodies. */
  #dress(report: Report): DressedCall[] {
    const { history, serverUrl, timers } = this.#options;
    const row = this.#keep(report);
    const otherId = row?.about ?? row?.replyTo;
    const other = otherId === undefined ? undefined : history.find(report.instance, otherId);
    const happened = { report, row, other, now: timers.now(), serverUrl: serverUrl() ?? '' };
    return dressReport(happened, this.getTarget(report.instance));
  }

  #keep(report: Report): HistoryRow | undefined {
    const { history } = this.#options;
    switch (report.kind) {
      case 'inbound':
        if (report.row.lid !== undefined) history.hide(report.row.number, report.row.lid);
        return history.add(report.row);
      case 'status':
        return history.setStatus(report.instance, report.messageId, report.status);
      case 'sent':
        return history.find(report.instance, report.messageId);
      case 'form':
      case 'connection':
      default:
        return undefined;
    }
  }

  #leaveOut({ kind, instance, isWithheld, body }: Report): WebhookCall {
    const at = this.#options.timers.now();
    const { retryAfterMs: _, ...none } = isWithheld ? WITHHELD : NOTHING_TO_TELL;
    const about = { at, durationMs: 0, kind, instance, url: null, body, attempt: 1, isDuplicate: false };
    return { ...about, ...none, isWithheld, willRetry: false };
  }

  #startPending(): () => void {
    this.#pending += 1;
    return () => {
      this.#pending -= 1;
      if (this.#pending === 0) this.#wakeIdleWaiters();
    };
  }

  #wakeIdleWaiters(): void {
    const waiters = this.#idleWaiters;
    this.#idleWaiters = [];
    for (const wake of waiters) wake();
  }

  async #attempt(report: Report, dressed: DressedCall, attempt: number, isDuplicate: boolean): Promise<WebhookCall> {
    const { timers, behaviourOf } = this.#options;
    const behaviour = behaviourOf(report.instance);
    const target = this.getTarget(report.instance);
    const { body } = dressed;
    const url = 'url' in dressed ? dressed.url : addressOf(target, dressed.path);

    await this.#takeSlot();
    const at = timers.now();
    const answer = url ? await this.#post(url, dressed, target, behaviour.webhookTimeoutMs) : NOT_CONFIGURED;
    this.#freeSlot();

    const { status } = answer;
    const isWorthRetrying = status === null || status === 429 || status >= 500;
    const willRetry = url !== null && isWorthRetrying && attempt < behaviour.webhookMaxAttempts;
    if (willRetry) this.#retryLater(report, dressed, { attempt, isDuplicate, answer, behaviour });
    const { retryAfterMs: _, ...result } = answer;
    const { kind, instance } = report;
    const call = {
      at,
      durationMs: timers.now() - at,
      kind,
      instance,
      url,
      body,
      attempt,
      isDuplicate,
      ...result,
      isWithheld: false,
      willRetry,
    };
    this.#record(call);
    return call;
  }

  #retryLater(report: Report, dressed: DressedCall, { attempt, isDuplicate, answer, behaviour }: FailedAttempt): void {
    const settle = this.#startPending();
    const backoffMs = Math.max(behaviour.webhookBackoffMs * 2 ** (attempt - 1), answer.retryAfterMs);
    this.#options.timers.after(Math.min(backoffMs, behaviour.webhookBackoffMaxMs), () => {
      void this.#attempt(report, dressed, attempt + 1, isDuplicate).then(settle);
    });
  }

  #record(call: WebhookCall): void {
    if (this.#isClosed) return;
    this.#calls.add(call);
    const arrived = call.status !== null && call.status < 300;
    if (arrived || call.willRetry) return;
    const { kind, instance, status, error, attempt } = call;
    this.#options.log.warn({ kind, instance, status, error, attempt }, 'a gateway report did not arrive');
  }

  async #takeSlot(): Promise<void> {
    if (this.#inFlight >= MAX_IN_FLIGHT) await new Promise<void>((resolve) => this.#waitingForSlot.push(resolve));
    else this.#inFlight += 1;
  }

  // A slot goes directly to the next waiting report, so that no other report takes it.
  #freeSlot(): void {
    const next = this.#waitingForSlot.shift();
    if (next) next();
    else this.#inFlight -= 1;
  }

  async #post(url: string, dressed: DressedCall, target: WebhookTarget, timeoutMs: number): Promise<Answer> {
    if (this.#isClosed) return noAnswer('the simulator was closed');
    const call = new AbortController();
    this.#underWay.add(call);
    const cancelTimeout = this.#options.timers.after(timeoutMs, () => call.abort());
    try {
      const form = 'url' in dressed ? dressed : undefined;
      const raw = JSON.stringify({ ...form?.sealed, ...dressed.body });
      const headers = form?.headersOf(raw) ?? makeHeaders(raw, target, this.#options.timers.now());
      const request = { method: 'POST', headers, body: raw, redirect: 'manual' } as const;
      const response = await fetch(url, { ...request, signal: call.signal });
      const answer = await readStart(response);
      return { status: response.status, answer, error: null, retryAfterMs: readRetryAfterMs(response) };
    } catch (error) {
      return noAnswer(call.signal.aborted ? `no answer within ${timeoutMs} ms` : describe(error));
    } finally {
      cancelTimeout();
      this.#underWay.delete(call);
    }
  }
}

function addressOf(target: WebhookTarget, path: string): string | null {
  const { webhookBaseUrl, webhookUrl } = target;
  if (webhookUrl !== undefined && tellsAll(dressOf(target))) return webhookUrl;
  return webhookBaseUrl === undefined ? null : webhookBaseUrl.replace(/\/+$/, '') + path;
}

function noAnswer(error: string): Answer {
  return { status: null, answer: '', error, retryAfterMs: 0 };
}

const WITHHELD = noAnswer('withheld, as the knobs say');
const NOTHING_TO_TELL = noAnswer('this gateway has no call for it');
const NOT_CONFIGURED = noAnswer('no webhookBaseUrl is set for this instance');

function readRetryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : 0;
}

// An answer without end must not fill the memory: reading stops soon after the part that is remembered.
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > 64 * ANSWER_CHARACTERS) break;
  }
  return text.slice(0, ANSWER_CHARACTERS);
}

// fetch hides the system's reason (ECONNREFUSED and the like) in the cause.
function describe(error: unknown): string {
  const { cause = error } = Object(error) as { cause?: unknown };
  const { code, message } = Object(cause) as { code?: string; message?: string };
  return [code, message].filter(Boolean).join(' ') || String(error);
}

/** The simulator's log. It never receives a token, a key, a secret or a message's content. */
export interface SimulatorLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLog: SimulatorLog = { info: () => {}, warn: () => {}, error: () => {} };
