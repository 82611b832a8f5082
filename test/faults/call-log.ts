// What callers of one kind saw: how each call ended, and when. By this process's clock, which no test makes jump.

interface Ending {
  /** By `performance.now()`. */
  atMs: number;
  outcome: string;
  isAcknowledged: boolean;
  tookMs: number;
}

export class CallLog {
  private readonly endings: Ending[] = [];

  /** @param outcome an HTTP status, a code, or `no answer` @param begunAtMs by `performance.now()` */
  note(outcome: string, isAcknowledged: boolean, begunAtMs: number): void {
    const atMs = performance.now();
    this.endings.push({ atMs, outcome, isAcknowledged, tookMs: atMs - begunAtMs });
  }

  get acknowledgedCount(): number {
    return this.endings.filter(({ isAcknowledged }) => isAcknowledged).length;
  }

  /** How often calls ended in each way, of those that ended in this span. */
  outcomes(fromMs = -Infinity, toMs = Infinity): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { atMs, outcome } of this.endings)
      if (atMs >= fromMs && atMs <= toMs) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    return counts;
  }

  /** How long calls took that ended in this span, the shortest first. */
  tookMs(fromMs: number, toMs: number): number[] {
    const ended = this.endings.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
    return ended.map(({ tookMs }) => tookMs).toSorted((one, other) => one - other);
  }

  /** When the first call was acknowledged from then on; undefined where none was. */
  acknowledgedAfter(fromMs: number): number | undefined {
    return this.endings.find(({ atMs, isAcknowledged }) => isAcknowledged && atMs >= fromMs)?.atMs;
  }
}
