// HTTP load on one server over a fixed number of connections. A turn is a number of requests, not a time: every request
// is answered before it ends, so what the server stored can be compared with what it acknowledged.

import type autocannon from 'autocannon';
import { CpuMeter, cpuOfPostgres, cpuOfProcess, usesNone, type CpuCosts } from './cpu-meter.js';
import { percentile, type RoundFigures } from './side-by-side.js';

const samplingMs = 25;
const firstGuessPerSecond = 1_000;
const maxWarmUps = 4;
const answerTimeoutSeconds = 30;

export interface LoadRequest {
  body: string;
  headers: Record<string, string>;
}

export interface HttpLoadOptions {
  url: string;
  path: string;
  method: 'GET' | 'POST';
  connections: number;
  /** The next request; every one is asked for before its turn starts, so that making it costs no measured time. */
  nextRequest: () => LoadRequest;
  /** Called before each turn with the number of its requests. */
  prepare?: (amount: number) => Promise<void>;
  /** Text that stands in every right answer. */
  expected: string;
  /** The processes that answer, so that the cost of a call for them is measured. */
  processes?: LoadedProcesses;
  /** Ends a turn early. */
  signal: AbortSignal;
}

export interface LoadedProcesses {
  pid: number;
  /** Undefined when the process uses no database. */
  databaseUrl?: string;
}

type LoadPart = 'process' | 'postgres' | 'generator';

interface Turn {
  figures: RoundFigures;
  durationMs: number;
  generatorShare: number;
}

export class HttpLoad {
  private perSecond = firstGuessPerSecond;
  private answered = 0;
  private busiest = 0;

  private readonly meter: CpuMeter<LoadPart> | undefined;

  constructor(private readonly options: HttpLoadOptions) {
    const { processes } = options;
    if (processes === undefined) return;
    const { pid, databaseUrl } = processes;
    this.meter = new CpuMeter({
      process: cpuOfProcess(pid),
      postgres: databaseUrl === undefined ? usesNone : cpuOfPostgres(databaseUrl),
      generator: () => Promise.resolve(readOwnCpuMs()),
    });
  }

  /** Answers with 2xx so far, warm-ups included. */
  get answeredCount(): number {
    return this.answered;
  }

  /** The calls a second of the last turn. */
  get pace(): number {
    return this.perSecond;
  }

  /** The greatest share of one core (1 = all of it) that making the load took in a measured turn. */
  get generatorShare(): number {
    return this.busiest;
  }

  /** The cost of a call, over the measured turns; undefined without `processes`. */
  get cpu(): CpuCosts<LoadPart> | undefined {
    return this.meter?.medians();
  }

  /** Loads the server for about `durationMs` and learns its pace. */
  async warmUp(durationMs: number): Promise<void> {
    for (let attempt = 1; attempt <= maxWarmUps; attempt += 1) {
      const turn = await this.run(durationMs);
      // The pace of a cold server says little about how many requests fill a turn.
      if (turn.durationMs >= durationMs / 2) return;
    }
  }

  /** Loads the server for about `durationMs`. @throws Error when an answer was wrong, not 2xx or missing */
  async measure(durationMs: number): Promise<RoundFigures> {
    const { figures, generatorShare } = await this.run(durationMs, this.meter);
    this.busiest = Math.max(this.busiest, generatorShare);
    return figures;
  }

  private async run(durationMs: number, meter?: CpuMeter<LoadPart>): Promise<Turn> {
    const { connections, nextRequest, prepare } = this.options;
    const amount = Math.max(connections, Math.round((this.perSecond * durationMs) / 1_000));
    await prepare?.(amount);
    const requests = Array.from({ length: amount }, nextRequest);
    const send = () => this.send(requests);
    const turn = await (meter === undefined ? send() : meter.measure(amount, send));
    this.perSecond = turn.figures.perSecond;
    this.answered += amount;
    return turn;
  }

  private async send(requests: LoadRequest[]): Promise<Turn> {
    const latenciesMs = new Float64Array(requests.length);
    let answers = 0;
    let wrongAnswer: string | undefined;
    const cpuBefore = process.cpuUsage();
    const startedAtMs = performance.now();
    let endedAtMs = startedAtMs;
    const result = await this.fire(requests, {
      onAnswer: (latencyMs) => {
        latenciesMs[answers] = latencyMs;
        answers += 1;
        endedAtMs = performance.now();
      },
      onWrongAnswer: (body) => (wrongAnswer ??= body),
    });
    const cpu = process.cpuUsage(cpuBefore);
    this.options.signal.throwIfAborted();
    this.failUnlessRight(result, requests.length, wrongAnswer);
    const durationMs = endedAtMs - startedAtMs;
    const sorted = latenciesMs.sort();
    return {
      durationMs,
      generatorShare: (cpu.user + cpu.system) / 1_000 / durationMs,
      figures: {
        perSecond: (answers / durationMs) * 1_000,
        p50Ms: percentile(sorted, 0.5),
        p99Ms: percentile(sorted, 0.99),
      },
    };
  }

  private async fire(
    requests: LoadRequest[],
    heard: { onAnswer: (latencyMs: number) => void; onWrongAnswer: (body: string) => void },
  ): Promise<autocannon.Result> {
    const { url, path, method, connections, expected, signal, nextRequest } = this.options;
    // Only the benches install this package, but the tests of their checks load this file too.
    const { default: start } = await import('autocannon');
    let next = 0;
    const setupRequest = (request: autocannon.Request): autocannon.Request => {
      // The index is past the end only after a connection broke, which fails the turn.
      const { body, headers } = requests[next] ?? nextRequest();
      next += 1;
      return { ...request, body, headers: { ...request.headers, ...headers } };
    };
    return new Promise((resolve, reject) => {
      const instance = start(
        {
          url,
          connections,
          amount: requests.length,
          requests: [{ method, path, setupRequest }],
          verifyBody: (body) => String(body).includes(expected),
          bailout: 1,
          timeout: answerTimeoutSeconds,
          sampleInt: samplingMs,
        },
        (error: unknown, result) => (error == null ? resolve(result) : reject(error)),
      );
      instance.on('response', (_client, _status, _bytes, latencyMs) => heard.onAnswer(latencyMs));
      (instance as NodeJS.EventEmitter).on('reqMismatch', heard.onWrongAnswer);
      const stop = () => instance.stop();
      signal.addEventListener('abort', stop, { once: true });
      instance.on('done', () => signal.removeEventListener('abort', stop));
    });
  }

  private failUnlessRight(result: autocannon.Result, wanted: number, wrongAnswer: string | undefined): void {
    const { errors, timeouts, mismatches, non2xx } = result;
    if (errors + mismatches + non2xx === 0 && result['2xx'] === wanted) return;
    throw new Error(
      `${this.options.url}${this.options.path}: ${result['2xx']} of ${wanted} requests were answered with 2xx, ` +
        `${non2xx} otherwise, ${mismatches} wrongly; ${errors} errors, ${timeouts} of them time-outs.` +
        (wrongAnswer === undefined ? '' : ` A wrong answer: ${wrongAnswer.slice(0, 500)}`),
    );
  }
}

function readOwnCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
