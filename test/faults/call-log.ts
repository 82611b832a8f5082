// A log of one kind of callers: how each call ended, and when. Times come from this process's clock, which no test makes jump.

interface Ending {
  /** A time of `performance.now()`. */
  atMs: number;
  outcome: string;
  isAcknowledged: boolean;
  tookMs: number;
}

export class CallLog {
  private readonly endings: Ending[] = [];

  /** @param outcome an HTTP status, a code, or `no answer` @param begunAtMs a time of `performance.now()` */
  note(outcome: string, isAcknowledged: boolean, begunAtMs: number): void {
    const atMs = performance.now();
    this.endings.push({ atMs, outcome, isAcknowledged, tookMs: atMs - begunAtMs });
  }

  get acknowledgedCount(): number {
    return this.endings.filter(({ isAcknowledged }) => isAcknowledged).length;
  }

  /** Counts the calls that ended in this span, by outcome. */
  outcomes(fromMs = -Infinity, toMs = Infinity): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { atMs, outcome } of this.endings)
      if (atMs >= fromMs && atMs <= toMs) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    return counts;
  }

  /** The durations of the calls that ended in this span, the shortest first. */
  tookMs(fromMs: number, toMs: number): number[] {
    const ended = this.endings.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
    return ended.map(({ tookMs }) => tookMs).toSorted((one, other) => one - other);
  }

  /** The time of the first acknowledged call from `fromMs` on; undefined if there is none. */
  acknowledgedAfter(fromMs: number): number | undefined {
    return this.endings.find(({ atMs, isAcknowledged }) => isAcknowledged && atMs >= fromMs)?.atMs;
  }
}
