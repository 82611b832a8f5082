// The provider's token endpoint: how our client proves itself, what a grant is exchanged for, and what a refusal means.

import { z } from 'zod';
import { AppError } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import { callProvider, providerUnavailable } from './provider-call.js';
import type { ProviderAnswer } from './provider-call.js';
import type { ProviderMetadata } from './provider-metadata.js';

const tokensSchema = z.object({
  // All it may be made of (RFC 6749, A.12): anything else cannot stand in a header, and `fetch` quotes it as it fails.
  access_token: z.string().regex(/^[\x20-\x7e]+$/),
  id_token: z.string().nullish(),
  refresh_token: z.string().nullish(),
  scope: z.string().nullish(),
});

export type Tokens = z.output<typeof tokensSchema>;

/** Parameters of RFC 6749; those without a value are not sent. */
export type GrantParameters = Record<string, string | null | undefined>;

export interface TokenEndpointOptions {
  clientId: string;
  /** Undefined for a public client. */
  clientSecret: string | undefined;
  log: Logger;
}

export class TokenEndpoint {
  constructor(private readonly options: TokenEndpointOptions) {}

  /**
   * Exchanges a grant, which may void it: not safe to repeat.
   * @throws AppError GRANT_INVALID when the provider refuses it, UNAVAILABLE when it is down or answers no tokens
   */
  async exchange(metadata: ProviderMetadata, grant: GrantParameters, signal: AbortSignal): Promise<Tokens> {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(grant)) if (typeof value === 'string') body.set(name, value);
    const headers = this.authenticate(metadata, body);
    const answer = await callProvider(metadata.tokenEndpoint, { method: 'POST', headers, body }, signal);
    if (!answer.ok) throw this.refused(answer);
    const tokens = tokensSchema.safeParse(answer.json);
    if (!tokens.success) throw providerUnavailable(new Error('the token endpoint answered no tokens'));
    return tokens.data;
  }

  /** Adds the client's proof to `body`, or gives the header that carries it (RFC 6749, section 2.3.1). */
  private authenticate({ secretMethod }: ProviderMetadata, body: URLSearchParams): Record<string, string> {
    const { clientId, clientSecret } = this.options;
    if (clientSecret !== undefined && secretMethod === undefined) {
      throw providerUnavailable(new Error('the provider takes no client secret, neither as Basic nor in the body'));
    }
    if (clientSecret !== undefined && secretMethod === 'client_secret_basic') {
      const credentials = [clientId, clientSecret].map(formEncode).join(':');
      return { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
    }
    body.set('client_id', clientId);
    if (clientSecret !== undefined) body.set('client_secret', clientSecret);
    return {};
  }

  // The caller learns none of the provider's words; from the standard error code the operator learns of a wrong client secret.
  // It is nothing but letters and underscores: whatever else stands in its place could be the code or token that we sent.
  private refused({ status, json }: ProviderAnswer): AppError {
    const error = z.object({ error: z.string().regex(/^[a-z_]{1,40}$/) }).safeParse(json).data?.error;
    this.options.log.warn({ status, error }, 'the identity provider refused a grant');
    return new AppError('GRANT_INVALID', 'The identity provider refused the code or refresh token');
  }
}

function formEncode(value: string): string {
  return new URLSearchParams({ '': value }).toString().slice(1);
}
