// A document of the provider, kept in memory. One fetch runs at a time. It is renewed in the background, and stays in use for a bounded
// time while it cannot be renewed. `load` decides what is fetched, and within which time limit.

import type { Logger } from '../../platform/observability/logger.js';

export interface RemoteDocumentOptions<Value> {
  /** The document's name in the log. */
  name: string;
  /** Has to settle within a bounded time. */
  load: () => Promise<Value>;
  /** From this age on a use also fetches it again, without waiting. */
  refreshAfterMs: number;
  /** From this age on it is not used any more. */
  maxAgeMs: number;
  /** The wait between a failed fetch and the next one, in milliseconds. */
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

  /** True if a fetch is under way, which `reload` would share. */
  get isLoading(): boolean {
    return this.loading !== undefined;
  }

  /** The age of the document in memory; infinite without one. */
  get ageMs(): number {
    return this.latest === undefined ? Infinity : this.options.nowMs() - this.latest.loadedAtMs;
  }

  /** True if the last fetch failed, though an older document may still be in use. */
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
    const { ageMs } = this;
    if (latest !== undefined && ageMs < options.maxAgeMs) {
      if (ageMs >= options.refreshAfterMs && !this.coolsDown()) this.reload().catch(() => undefined);
      return latest.value;
    }
    if (this.failure !== undefined && this.coolsDown()) throw this.failure.error;
    return this.reload();
  }

  /** Fetches it again whatever its age; calls meanwhile share the fetch. @throws what `load` throws */
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
