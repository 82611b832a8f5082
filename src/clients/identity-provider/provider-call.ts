// One HTTP call to the identity provider: bounded in time and size (that of the inflated body), never redirected, its failures told as AppErrors that
// hold nothing of the provider's own words. What an answer means is left to the callers.

import { AppError } from '../../platform/errors.js';
import { parseLimited, readLimited } from '../limited-body.js';

const maxAnswerBytes = 256 * 1024;
const temporaryStatuses = new Set([408, 425, 429]);

/** Whole seconds that a caller is told to wait while the provider does not answer. */
export const retryAfterSeconds = 5;

export interface ProviderAnswer {
  /** False for a 4xx. */
  ok: boolean;
  status: number;
  /** The parsed JSON; undefined where the body is none. */
  json: unknown;
}

/**
 * The provider's answer, 2xx or 4xx.
 * @throws AppError UNAVAILABLE when there is none in time, and for any other status or more than 256 KiB
 */
export async function callProvider(
  url: string,
  init: Omit<RequestInit, 'signal'>,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  try {
    const headers = { Accept: 'application/json', ...(init.headers as Record<string, string> | undefined) };
    // A redirect would carry codes and secrets to wherever the provider points.
    const response = await fetch(url, { ...init, headers, redirect: 'manual', signal });
    const json = parseLimited(response.body === null ? '' : await readLimited(response.body, maxAnswerBytes));
    const { ok, status } = response;
    if (!ok && (status < 400 || status >= 500 || temporaryStatuses.has(status))) throw new Error(`answered ${status}`);
    return { ok, status, json };
  } catch (cause) {
    throw providerUnavailable(cause);
  }
}

/** @throws AppError UNAVAILABLE unless the provider answers 2xx with a JSON object */
export async function getDocument(url: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const { ok, status, json } = await callProvider(url, {}, signal);
  if (!ok) throw providerUnavailable(new Error(`${url} answered ${status}`));
  if (typeof json !== 'object' || json === null) throw providerUnavailable(new Error(`${url} is no JSON object`));
  return json as Record<string, unknown>;
}

/** `cause` is for the log alone: it must hold no code, token or secret. */
export function providerUnavailable(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('UNAVAILABLE', 'The identity provider cannot be reached right now', { retryAfterSeconds, cause });
}
