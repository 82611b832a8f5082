// When the lead is shown that the user is typing: with a key stroke, at most once in a few seconds, and not where it cannot be seen.

/** The server passes it on no more often. */
const everyMs = 5_000;

export interface TypingNoticeOptions {
  /** @returns whether the lead can see it */
  tell: (isTyping: boolean) => Promise<boolean>;
  /** Default: the browser's monotonic clock. */
  nowMs?: () => number;
}

/** Of one lead and instance. */
export class TypingNotice {
  private toldAtMs: number | undefined;
  /** Until the server says otherwise. */
  private isSeen = true;

  private readonly nowMs: () => number;

  constructor(private readonly options: TypingNoticeOptions) {
    this.nowMs = options.nowMs ?? (() => performance.now());
  }

  typed(): void {
    const nowMs = this.nowMs();
    if (!this.isSeen || (this.toldAtMs !== undefined && nowMs - this.toldAtMs < everyMs)) return;
    this.toldAtMs = nowMs;
    this.tell(true);
  }

  /** The text was sent or emptied, or the user has left the field. */
  stopped(): void {
    const { toldAtMs } = this;
    this.toldAtMs = undefined;
    // After that time nothing is shown any more.
    const isShown = toldAtMs !== undefined && this.nowMs() - toldAtMs < everyMs;
    if (this.isSeen && isShown) this.tell(false);
  }

  private tell(isTyping: boolean): void {
    // What fails now may pass with the next key stroke.
    this.options.tell(isTyping).then(
      (isSeen) => (this.isSeen = isSeen),
      () => undefined,
    );
  }
}
