// Jest's reporter for `run-tests.ts`: the test files that failed, the first failure of each, and how busy the machine was meanwhile. The
// event loop of Jest's own process does little: its pauses show how long a process had to wait for a processor.

import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { AggregatedResult, TestResult } from '@jest/reporters';

/** Names the file for an array of FailedFile, as JSON; unset: the reporter writes nothing. */
export const reportVariable = 'LEADWIRE_FAILED_FILES';

export interface FailedFile {
  path: string;
  /** Title and message of the first failed case, or why the file could not run. */
  firstFailure: string;
  /** The greatest one-minute load average of the machine while the file ran. */
  load: number;
  /** The longest pause of the event loop while the file ran, in milliseconds. */
  pauseMs: number;
}

const samplingMs = 1_000;
const maxFailureLength = 2_000;

export default class FailedFilesReporter {
  private readonly samples: { at: number; load: number; pauseMs: number }[] = [];
  private readonly delays = monitorEventLoopDelay({ resolution: 20 });
  private timer: NodeJS.Timeout | undefined;

  onRunStart(): void {
    this.delays.enable();
    this.timer = setInterval(() => this.sample(), samplingMs);
    this.timer.unref();
  }

  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    clearInterval(this.timer);
    this.sample();
    const report = process.env[reportVariable];
    const failed = results.testResults.filter((file) => file.numFailingTests > 0 || file.testExecError != null);
    if (report !== undefined) writeFileSync(report, JSON.stringify(failed.map((file) => this.describe(file))));
  }

  private sample(): void {
    this.samples.push({ at: Date.now(), load: loadavg()[0] ?? 0, pauseMs: this.delays.max / 1e6 });
    this.delays.reset();
  }

  private describe(file: TestResult): FailedFile {
    const { start, end } = file.perfStats;
    const meanwhile = this.samples.filter(({ at }) => at >= start && at <= end + samplingMs);
    const first = file.testResults.find(({ status }) => status === 'failed');
    const message =
      first === undefined ? file.failureMessage : `${first.fullName}\n${first.failureMessages.join('\n')}`;
    return {
      path: file.testFilePath,
      firstFailure: (message ?? 'no message').slice(0, maxFailureLength),
      load: Math.max(0, ...meanwhile.map(({ load }) => load)),
      pauseMs: Math.round(Math.max(0, ...meanwhile.map(({ pauseMs }) => pauseMs))),
    };
  }
}
