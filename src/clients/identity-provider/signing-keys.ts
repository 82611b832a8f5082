// The provider's public keys (JWKS), kept as a whole set, so that any fetch brings every key. jwks-rsa reads the keys;
// its own cache keeps no misses and its rate limit can be used up by strangers, so when to fetch is decided here.

import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import jwksRsa from 'jwks-rsa';
import type { Logger } from '../../platform/logger.js';
import { providerUnavailable } from './provider-call.js';
import { RemoteDocument } from './remote-document.js';

export interface SigningKey {
  kid: string | undefined;
  /** The one algorithm the key is for, where the provider says so. */
  algorithm: string | undefined;
  publicKey: KeyObject;
}

/** Who gave us the token whose key is looked for: the provider itself, or anybody at all. */
export type TokenSource = 'provider' | 'caller';

export interface SigningKeysOptions {
  /** Fetches the JWKS; has to settle within a bounded time. */
  fetchSet: () => Promise<Record<string, unknown>>;
  /** A clock that never goes back, in milliseconds. */
  nowMs: () => number;
  log: Logger;
}

const refreshAfterMs = 10 * 60_000;
const maxAgeMs = 60 * 60_000;
const coolDownMs = 5_000;
const unknownKidIntervalMs = 60_000;

export class SigningKeys {
  private readonly set: RemoteDocument<readonly SigningKey[]>;
  // One fetch a minute each: strangers with made-up kids cannot use up the one that sign-ins need after a rotation.
  private readonly lastMissAtMs: Record<TokenSource, number> = { provider: -Infinity, caller: -Infinity };

  constructor(private readonly options: SigningKeysOptions) {
    const { nowMs, log } = options;
    const load = () => this.fetch();
    this.set = new RemoteDocument({ name: 'JWKS', load, refreshAfterMs, maxAgeMs, coolDownMs, nowMs, log });
  }

  /** Whether the last fetch failed. */
  get isFailing(): boolean {
    return this.set.isFailing;
  }

  /** Fetches the keys where that failed the last time. @throws AppError UNAVAILABLE */
  async check(): Promise<void> {
    await this.set.check();
  }

  /** Fetches the keys unless some are in memory. @throws AppError UNAVAILABLE when there are none to be had */
  async prepare(): Promise<void> {
    await this.set.get();
  }

  /**
   * The key of a token's `kid`, or undefined. Without a kid it is the only key there is, or none. An unknown kid fetches the
   * set anew, at most once a minute for each source; keys stay in use for an hour at most while the provider is down.
   * @throws AppError UNAVAILABLE without usable keys, and when a kid from the provider cannot be looked up
   */
  async find(kid: string | undefined, source: TokenSource): Promise<SigningKey | undefined> {
    const known = await this.set.get();
    if (kid === undefined) return known.length === 1 ? known[0] : undefined;
    const key = known.find((candidate) => candidate.kid === kid);
    if (key !== undefined || !this.mayReload(source)) return key;
    try {
      return (await this.set.reload()).find((candidate) => candidate.kid === kid);
    } catch (error) {
      if (source === 'provider') throw error;
      return undefined;
    }
  }

  private mayReload(source: TokenSource): boolean {
    if (this.set.isLoading) return true;
    const nowMs = this.options.nowMs();
    if (nowMs - this.lastMissAtMs[source] < unknownKidIntervalMs) return false;
    this.lastMissAtMs[source] = nowMs;
    return true;
  }

  private async fetch(): Promise<readonly SigningKey[]> {
    const fetcher = async () => ({ keys: (await this.options.fetchSet())['keys'] });
    try {
      const keys = await new jwksRsa.JwksClient({ fetcher, cache: false, rateLimit: false }).getSigningKeys();
      return keys.map((key) => ({
        kid: key.kid,
        algorithm: key.alg,
        publicKey: createPublicKey(key.getPublicKey()),
      }));
    } catch (cause) {
      throw providerUnavailable(cause);
    }
  }
}
