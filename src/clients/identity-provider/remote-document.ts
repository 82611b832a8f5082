// A document of the provider's, kept in memory: one fetch at a time, renewed behind the callers' backs, used for a bounded
// time while it cannot be renewed. What is fetched, and within which time limit, is left to `load`.

import type { Logger } from '../../platform/logger.js';

export interface RemoteDocumentOptions<Value> {
  /** For the log. */
  name: string;
  /** Has to settle within a bounded time. */
  load: () => Promise<Value>;
  /** From this age on a use also fetches it anew, without waiting. */
  refreshAfterMs: number;
  /** From this age on it is not used any more. */
  maxAgeMs: number;
  /** How long after a failed fetch the next one waits. */
  coolDownMs: number;
  /** A clock that never goes back, in milliseconds. */
  nowMs: () => number;
  log: Logger;
}

export class RemoteDocument<Value> {
  private latest: { value: Value; loadedAtMs: number } | undefined;
  private failure: { error: unknown; atMs: number } | undefined;
  private loading: Promise<Value> | undefined;

  constructor(private readonly options: RemoteDocumentOptions<Value>) {}

  /** Whether a fetch is under way, which `reload` would share. */
  get isLoading(): boolean {
    return this.loading !== undefined;
  }

  /** Whether the last fetch failed, though an older document may still be in use. */
  get isFailing(): boolean {
    return this.failure !== undefined;
  }

  /** Fetches it where that was never done, or failed the last time. @throws what `load` throws */
  async check(): Promise<void> {
    await (this.latest === undefined || this.isFailing ? this.reload() : this.get());
  }

  /** The document in memory, else a fetched one. @throws what the last fetch threw, at once while it cools down */
  async get(): Promise<Value> {
    const { latest, options } = this;
    const ageMs = latest === undefined ? Infinity : options.nowMs() - latest.loadedAtMs;
    if (latest !== undefined && ageMs < options.maxAgeMs) {
      if (ageMs >= options.refreshAfterMs && !this.coolsDown()) this.reload().catch(() => undefined);
      return latest.value;
    }
    if (this.failure !== undefined && this.coolsDown()) throw this.failure.error;
    return this.reload();
  }

  /** Fetches it anew whatever its age; whoever asks meanwhile shares the fetch. @throws what `load` throws */
  reload(): Promise<Value> {
    this.loading ??= this.load().finally(() => (this.loading = undefined));
    return this.loading;
  }

  private async load(): Promise<Value> {
    const { load, nowMs, log, name } = this.options;
    try {
      const value = await load();
      this.latest = { value, loadedAtMs: nowMs() };
      if (this.isFailing) log.info({ document: name }, 'the identity provider can be used again');
      this.failure = undefined;
      return value;
    } catch (error) {
      this.failure = { error, atMs: nowMs() };
      log.warn(
        { err: error, document: name },
        `the identity provider of OIDC_ISSUER_URL cannot be used: ${name} failed`,
      );
      throw error;
    }
  }

  private coolsDown(): boolean {
    return this.failure !== undefined && this.options.nowMs() - this.failure.atMs < this.options.coolDownMs;
  }
}
