// The provider's token endpoint. openid-client proves the client, writes the request and reads the answer. The call itself is ours: the
// library bounds neither a whole sign-in nor the size of an answer, and allows http for every address or for none.

import { z } from 'zod';
import { callProvider, providerUnavailable, type ProviderMetadata } from './provider-metadata.js';

export interface ProviderClient {
  clientId: string;
  /** Undefined for a public client. */
  clientSecret: string | undefined;
}

const tokensSchema = z.object({
  // A token consists of these characters (RFC 6749, A.12). Anything else cannot stand in a header, and `fetch` would quote it as it fails.
  access_token: z.string().regex(/^[\x20-\x7e]+$/),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  idToken: z.string().optional(),
});

/** The ID token is not verified yet. */
export type Tokens = z.output<typeof tokensSchema>;

/** Parameters of RFC 6749. */
export type GrantParameters = Record<string, string> & { grant_type: string };

/** `error` is the standard code, if the provider gave one. */
type Refusal = { status: number; error: string | undefined };

// The code is nothing but letters and underscores: anything else in its place could be the code or token that we sent.
const refusalSchema = z.object({ error: z.string().regex(/^[a-z_]{1,40}$/) });

/**
 * Exchanges a grant, which may void it: not safe to repeat.
 * @returns the tokens, or the provider's refusal
 * @throws AppError UNAVAILABLE when the provider is down, answers no tokens, or takes no secret of ours
 */
export async function requestTokens(
  { issuer, tokenEndpoint, secretMethod }: ProviderMetadata,
  { clientId, clientSecret }: ProviderClient,
  { grant_type: grantType, ...parameters }: GrantParameters,
  timeLimit: AbortSignal,
): Promise<Tokens | Refusal> {
  if (clientSecret !== undefined && secretMethod === undefined)
    throw providerUnavailable(new Error('the provider takes no client secret, neither as Basic nor in the body'));
  // The library is loaded by the first sign-in: a start does without it.
  const openid = await import('openid-client');
  const proveSecret = secretMethod === 'client_secret_post' ? openid.ClientSecretPost : openid.ClientSecretBasic;
  const proof = clientSecret === undefined ? openid.None() : proveSecret(clientSecret);
  const client = new openid.Configuration({ issuer, token_endpoint: tokenEndpoint }, clientId, undefined, proof);
  openid.allowInsecureRequests(client);
  let refusal: Refusal | undefined;
  client[openid.customFetch] = async (url, init) => {
    const answer = await callProvider(url, init, timeLimit);
    // Some providers write null in place of a field that they leave out.
    const json = JSON.parse(await answer.text(), (_, value: unknown) => value ?? undefined) as Record<string, unknown>;
    if (!answer.ok) refusal = { status: answer.status, error: refusalSchema.safeParse(json).data?.error };
    // Under another name the library leaves the ID token to our verifier. It has one error for a bad ID token and for an answer without
    // tokens.
    const { id_token: idToken, ...tokens } = json;
    return Response.json({ ...tokens, idToken }, answer);
  };
  try {
    return tokensSchema.parse(await openid.genericGrantRequest(client, grantType, parameters));
  } catch (error) {
    if (refusal !== undefined) return refusal;
    throw providerUnavailable(error);
  }
}
