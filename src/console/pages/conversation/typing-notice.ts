// Decides when to show the lead that the user is typing: after a key stroke, at most once in 5 seconds, and only if visible.

/** The server forwards the notice no more often than this. */
const everyMs = 5_000;

export interface TypingNoticeOptions {
  /** @returns true if the lead can see the notice */
  tell: (isTyping: boolean) => Promise<boolean>;
  /** The default is the browser's monotonic clock. */
  nowMs?: () => number;
}

/** The notice for one lead and instance. */
export class TypingNotice {
  private toldAtMs: number | undefined;
  /** True until the server answers that the lead cannot see the notice. */
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

  /** Ends the notice, because the text was sent or emptied, or the user left the field. */
  stopped(): void {
    const { toldAtMs } = this;
    this.toldAtMs = undefined;
    // After this time the notice has already disappeared.
    const isShown = toldAtMs !== undefined && this.nowMs() - toldAtMs < everyMs;
    if (this.isSeen && isShown) this.tell(false);
  }

  private tell(isTyping: boolean): void {
    // A failure is ignored: the next key stroke sends the notice again.
    this.options.tell(isTyping).then(
      (isSeen) => (this.isSeen = isSeen),
      () => undefined,
    );
  }
}
