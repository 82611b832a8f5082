// The mixed load on a stage: incoming leads, messages and statuses, and operators of both tenants who send, sign in and read. A client
// watches readiness. The load reports the callers' logs, the time of the recovery, and the toll.

import { until } from '../features/messages/sending-harness.js';
import type { CallLog } from './call-log.js';
import type { Acceptance } from './faulty-gateway.js';
import { FeedReader } from './feed-reader.js';
import { neighbourLimit, type FaultStage, type StagePostgres } from './fault-stage.js';
import { IntakeLoad, type IntakeLoadOptions } from './intake-load.js';
import { SendLoad } from './send-load.js';
import { SignIn, SteadyCaller, askReadiness, readInbox } from './steady-caller.js';
import type { TestTenant } from '../support/test-app.js';
import { joinTolls, tollOfFeed, tollOfIntake, tollOfSends, type LossWindow, type Toll } from './toll.js';

/** Longer than any fault and the recovery from it. */
const answerLimitMs = 90_000;
const intakeOptions: IntakeLoadOptions = { connections: 16, pauseMs: 50, answerLimitMs };
const readerCount = 2;
const sendPauseMs = 500;
/** The neighbour stays below its limit: it sends 24 messages in this time and may send 60. */
const neighbourPauseMs = 6_000;
const readPauseMs = 50;
const signInPauseMs = 200;
const goesOnWithinMs = 90_000;

export interface StageLoadOptions {
  /** Takes the place of the usual calls of intake, of each tenant. */
  intake?: IntakeLoadOptions;
  /** The clients of the live feed. Default 2. */
  readerCount?: number;
}

export class StageLoad {
  readonly intake: IntakeLoad;
  private readonly furtherIntake: IntakeLoad[];
  readonly sends: SendLoad;
  readonly neighbour: SendLoad;
  private readonly signIns: SteadyCaller;
  private readonly reads: SteadyCaller;
  private readonly readiness: SteadyCaller;
  /** Clients of the live feed of the tenant whose gateway goes wrong; a fault may have the last one leave and come back. */
  private readonly readers: FeedReader[] = [];

  constructor(
    private readonly stage: FaultStage<StagePostgres>,
    prefix: string,
    private readonly options: StageLoadOptions = {},
  ) {
    const urlNow = () => stage.url;
    const { own, neighbour, provider } = stage;
    const intakeOf = (tenant: TestTenant, name: string) =>
      new IntakeLoad(name, tenant, urlNow, { ...intakeOptions, ...options.intake });
    this.intake = intakeOf(own.tenant, prefix);
    this.furtherIntake = stage.further.map((tenant, index) => intakeOf(tenant, `${prefix} further ${index + 1}`));
    this.sends = new SendLoad({ prefix, ...own, urlNow, pauseMs: sendPauseMs });
    this.neighbour = new SendLoad({ prefix: `${prefix} neighbour`, ...neighbour, urlNow, pauseMs: neighbourPauseMs });
    const signIn = new SignIn(provider, own.tenant);
    this.signIns = new SteadyCaller(() => signIn.attempt(stage.url), signInPauseMs);
    this.reads = new SteadyCaller(() => readInbox(stage.url, own.tenant), readPauseMs);
    this.readiness = new SteadyCaller(() => askReadiness(stage.url), readPauseMs);
  }

  /** The callers' logs by kind of call. */
  get logs(): Record<string, CallLog> {
    return {
      intake: this.intake.log,
      'sending asked for': this.sends.log,
      'sign-in': this.signIns.log,
      inbox: this.reads.log,
      readiness: this.readiness.log,
    };
  }

  /** The number of acknowledged calls of intake, of all tenants. */
  get intakeCount(): number {
    return [this.intake, ...this.furtherIntake].reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  }

  /** Connects the clients to the live feed. */
  async watch(): Promise<void> {
    const { readerCount: count = readerCount } = this.options;
    for (let number = 0; number < count; number += 1)
      this.readers.push(await FeedReader.start(this.stage.own.tenant, () => this.stage.url));
  }

  /** Cuts a client off that comes back when everything goes on. */
  cutReader(): void {
    this.readers.at(-1)?.leave();
  }

  /** The number of times that a client was told to read again. */
  get resyncCount(): number {
    return this.readers.flatMap(({ told }) => told.slice(1)).filter(({ isResync }) => isResync).length;
  }

  /** The time at which the last of the clients of the live feed got its first event since `fromMs`. */
  feedsGoOnAfter(fromMs: number): number {
    const first = ({ told }: FeedReader) =>
      told.find(({ arrivedAtMs }) => arrivedAtMs >= fromMs)?.arrivedAtMs ?? Infinity;
    return Math.max(...this.readers.map(first));
  }

  /** Resolves once every kind of call has succeeded at least once since `fromMs`. */
  async untilAllGoesOn(fromMs: number): Promise<void> {
    const missing = () => [
      ...Object.entries(this.logs).flatMap(([name, log]) =>
        log.acknowledgedAfter(fromMs) === undefined ? [name] : [],
      ),
      ...(this.stage.gateway.acceptedAfter(fromMs) === undefined ? ['sending'] : []),
    ];
    await until(missing, (names) => names.length === 0, goesOnWithinMs);
    for (const reader of this.readers) reader.comeBack();
  }

  /** Resolves when every call that has begun is acknowledged or given up. */
  async finish(): Promise<void> {
    await Promise.all([...this.ending, this.signIns, this.reads, this.readiness].map((load) => load.finish()));
  }

  stop(): void {
    for (const load of this.ending) load.stop();
  }

  /** The loads that begin no new call once they are stopped. */
  private get ending(): (IntakeLoad | SendLoad)[] {
    return [this.intake, ...this.furtherIntake, this.sends, this.neighbour];
  }

  /** Ends the clients of the live feed. `readToll` does so too. */
  stopReaders(): void {
    for (const reader of this.readers) reader.stop();
  }

  /** Reads the toll. Call it once no message waits any more. */
  async readToll(window?: LossWindow): Promise<Toll> {
    const { postgres, gateway, healthyGateway, own } = this.stage;
    const feeds = this.readers.map((reader) => tollOfFeed(postgres.rowsOf, own.tenant.id, reader));
    const intakes: Toll[] = [];
    for (const load of [this.intake, ...this.furtherIntake])
      intakes.push(await tollOfIntake(postgres.rowsOf, load, window));
    return joinTolls([
      ...intakes,
      tollOfSends(this.sends, gateway, window),
      tollOfSends(this.neighbour, healthyGateway, window),
      ...(await Promise.all(feeds)),
    ]);
  }

  /** The time at which the gateway that may be struck accepted its tenant's last message. */
  get lastLeftAtMs(): number {
    const asked = new Set(this.sends.acknowledged.map(({ messageId }) => messageId));
    return this.stage.gateway.acceptances.findLast(({ key }) => asked.has(key))?.atMs ?? -Infinity;
  }

  /** The delays of the neighbour's messages that left in this span: from acceptance by the service to acceptance by their gateway. */
  neighbourDelaysMs(fromMs: number, toMs: number): number[] {
    const asked = new Map(this.neighbour.acknowledged.map(({ messageId, atMs }) => [messageId, atMs]));
    return this.stage.healthyGateway.acceptances
      .filter(({ atMs, key }) => asked.has(key) && atMs >= fromMs && atMs <= toMs)
      .map(({ atMs, key }) => Math.max(0, atMs - (asked.get(key) ?? atMs)));
  }
}

/** The most acceptances within one window of the neighbour's limit. */
export function fullestWindow(acceptances: readonly Acceptance[]): number {
  const held = ({ atMs }: Acceptance) =>
    acceptances.filter((other) => other.atMs >= atMs && other.atMs < atMs + neighbourLimit.durationMs).length;
  return Math.max(0, ...acceptances.map(held));
}
