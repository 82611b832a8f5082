// OpenID Connect Discovery: what the provider says of itself, checked and reduced to what we use.

import type { Algorithm } from 'jsonwebtoken';
import { z } from 'zod';
import { isLoopback } from '../../config/value-formats.js';
import { refuseInDryRun } from '../../platform/database/dry-run.js';
import { AppError } from '../../platform/errors.js';
import { parseLimited, readLimited } from '../http-exchange.js';

// The algorithms that jsonwebtoken verifies with a public key; never `none`, and never HS*, whose key would be the client secret.
const asymmetricAlgorithms: readonly Algorithm[] = [
  ...(['RS256', 'RS384', 'RS512'] as const),
  ...(['PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512'] as const),
];

export interface ProviderMetadata {
  issuer: string;
  /** The address at which browsers sign in; it may have a query. Undefined where the provider names none that is safe. */
  authorizationEndpoint: string | undefined;
  tokenEndpoint: string;
  jwksUri: string;
  userInfoEndpoint: string | undefined;
  /** The accepted algorithms; never empty. */
  algorithms: readonly Algorithm[];
  /** The method by which a client proves its secret; undefined when the provider takes no method of ours. */
  secretMethod: 'client_secret_basic' | 'client_secret_post' | undefined;
}

const endpoint = z.url().refine(isSafe, 'has to be https, or http on loopback');

const documentSchema = z.object({
  issuer: z.string(),
  // Only browsers use this endpoint: a wrong one must not keep grants from being exchanged.
  authorization_endpoint: endpoint.optional().catch(undefined),
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).default(['RS256']),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
});

/** @throws AppError UNAVAILABLE when the provider does not answer, answers rubbish, or names another issuer */
export async function fetchMetadata(issuer: string, signal: AbortSignal): Promise<ProviderMetadata> {
  return readMetadata(issuer, await getDocument(discoveryUrlOf(issuer), signal));
}

/** The URL of the provider's discovery document. */
export function discoveryUrlOf(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** @throws AppError UNAVAILABLE where the document is of no use, or another issuer's */
export function readMetadata(issuer: string, discovery: unknown): ProviderMetadata {
  const parsed = documentSchema.safeParse(discovery);
  if (!parsed.success) throw providerUnavailable(parsed.error);
  const document = parsed.data;
  if (document.issuer !== issuer) {
    throw providerUnavailable(new Error(`OIDC_ISSUER_URL is ${issuer}, but the provider names ${document.issuer}`));
  }
  const declared = document.id_token_signing_alg_values_supported;
  const algorithms = asymmetricAlgorithms.filter((algorithm) => declared.includes(algorithm));
  if (algorithms.length === 0) throw providerUnavailable(new Error(`no algorithm of ${declared.join()} is supported`));
  return {
    issuer,
    authorizationEndpoint: document.authorization_endpoint,
    tokenEndpoint: document.token_endpoint,
    jwksUri: document.jwks_uri,
    userInfoEndpoint: document.userinfo_endpoint,
    algorithms,
    secretMethod: secretMethodOf(document.token_endpoint_auth_methods_supported),
  };
}

function secretMethodOf(supported: readonly string[]): ProviderMetadata['secretMethod'] {
  if (supported.includes('client_secret_basic')) return 'client_secret_basic';
  return supported.includes('client_secret_post') ? 'client_secret_post' : undefined;
}

function isSafe(url: string): boolean {
  // Refinements also run on values that are not URLs.
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

const maxAnswerBytes = 256 * 1024;
const temporaryStatuses = new Set([408, 425, 429]);

/** Whole seconds that a caller should wait while the provider does not answer. */
export const retryAfterSeconds = 5;

/**
 * The provider's answer, 2xx or 4xx, with its JSON (null where the body is none) and the headers that tell the provider's time.
 * @throws AppError UNAVAILABLE when there is none in time, and for any other status or more than 256 KiB
 */
export async function callProvider(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
  refuseInDryRun();
  try {
    const headers = new Headers(init.headers);
    headers.set('accept', 'application/json');
    // A redirect would carry codes and secrets to wherever the provider points.
    const { ok, status, body, headers: given } = await fetch(url, { ...init, headers, redirect: 'manual', signal });
    const json = parseLimited(body === null ? '' : await readLimited(body, maxAnswerBytes)) ?? null;
    if (!ok && (status < 400 || status >= 500 || temporaryStatuses.has(status))) throw new Error(`answered ${status}`);
    const times = [...given].filter(([name]) => name === 'date' || name === 'age');
    return Response.json(json, { status, headers: times });
  } catch (cause) {
    throw providerUnavailable(cause);
  }
}

/** @throws AppError UNAVAILABLE unless the provider answers 2xx with a JSON object */
export async function getDocument(url: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const answer = await callProvider(url, {}, signal);
  if (!answer.ok) throw providerUnavailable(new Error(`${url} answered ${answer.status}`));
  const json: unknown = await answer.json();
  if (typeof json !== 'object' || json === null) throw providerUnavailable(new Error(`${url} is no JSON object`));
  return json as Record<string, unknown>;
}

/** `cause` is for the log alone: it must hold no code, token or secret. */
export function providerUnavailable(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('UNAVAILABLE', 'The identity provider cannot be reached right now', { retryAfterSeconds, cause });
}
