// The provider's public keys (JWKS), kept as a whole set, so that any fetch brings every key. jwks-rsa reads the keys. This file decides
// when to fetch: jwks-rsa's own cache keeps no misses, and strangers can use up its rate limit.

import { createPublicKey, type KeyObject } from 'node:crypto';
import jwksRsa from 'jwks-rsa';
import type { Logger } from '../../platform/observability/logger.js';
import { providerUnavailable } from './provider-metadata.js';
import { RemoteDocument } from './remote-document.js';

export interface SigningKey {
  kid: string | undefined;
  /** The one algorithm the key is for, where the provider says so. */
  algorithm: string | undefined;
  publicKey: KeyObject;
}

/** The origin of the token whose key is looked for: the provider itself, or any caller. */
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
/** The time after an unknown kid until the next one fetches the keys again, in milliseconds. */
const unknownKidIntervalMs: Record<TokenSource, number> = { provider: 5_000, caller: 60_000 };
const maxKeys = 100;

export class SigningKeys {
  private readonly set: RemoteDocument<readonly SigningKey[]>;
  // The sources count apart: strangers with invented kids cannot use up the fetch that sign-ins need after a rotation.
  private readonly lastMissAtMs: Record<TokenSource, number> = { provider: -Infinity, caller: -Infinity };

  constructor(private readonly options: SigningKeysOptions) {
    const { nowMs, log } = options;
    const load = () => fetchSigningKeys(options.fetchSet);
    this.set = new RemoteDocument({ name: 'JWKS', load, refreshAfterMs, maxAgeMs, coolDownMs, nowMs, log });
  }

  /** True if the last fetch failed. */
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
   * set again: for callers at most once a minute, for tokens just given by the provider once in 5 s. Keys stay in use
   * for an hour at most while the provider is down.
   * @throws AppError UNAVAILABLE without usable keys, and when a kid from the provider cannot be looked up now
   */
  async find(kid: string | undefined, source: TokenSource): Promise<SigningKey | undefined> {
    const known = await this.set.get();
    if (kid === undefined) return known.length === 1 ? known[0] : undefined;
    const keyOf = (keys: readonly SigningKey[]) => keys.find((candidate) => candidate.kid === kid);
    const key = keyOf(known);
    if (key !== undefined) return key;
    if (source === 'caller') return this.findForCaller(keyOf);
    // A fetch that is under way may have begun before the key was published.
    const shared = this.set.isLoading ? keyOf(await this.set.reload()) : undefined;
    if (shared !== undefined) return shared;
    if (this.mayReload(source)) return keyOf(await this.set.reload());
    // A set that was read just now has all keys: the token is of none of them.
    if (this.set.ageMs < unknownKidIntervalMs[source]) return undefined;
    throw providerUnavailable(new Error('the key of its token cannot be looked up yet'));
  }

  private async findForCaller(
    keyOf: (keys: readonly SigningKey[]) => SigningKey | undefined,
  ): Promise<SigningKey | undefined> {
    if (!this.set.isLoading && !this.mayReload('caller')) return undefined;
    try {
      return keyOf(await this.set.reload());
    } catch {
      return undefined;
    }
  }

  private mayReload(source: TokenSource): boolean {
    const nowMs = this.options.nowMs();
    if (nowMs - this.lastMissAtMs[source] < unknownKidIntervalMs[source]) return false;
    this.lastMissAtMs[source] = nowMs;
    return true;
  }
}

/** The keys of a JWKS that can verify. @throws AppError UNAVAILABLE where there is none, or the set is of no use */
export async function fetchSigningKeys(fetchSet: SigningKeysOptions['fetchSet']): Promise<readonly SigningKey[]> {
  const fetcher = async () => {
    const { keys } = await fetchSet();
    // Reading a key is expensive.
    if (Array.isArray(keys) && keys.length > maxKeys) throw new Error(`the JWKS has more than ${maxKeys} keys`);
    return { keys };
  };
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
