// The variables of the identity provider: its address, the service's client there, and the scopes that browsers ask for.

import { z } from 'zod';
import { issuerUrl } from './value-formats.js';

const maxScopes = 20;
/** A scope of RFC 6749, section 3.3. */
const scope = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/;
const scopeList = z
  .string()
  .transform((value) => [...new Set(value.split(/\s+/).filter((name) => name !== ''))])
  .refine(
    (names) => names.length <= maxScopes && names.every((name) => scope.test(name)) && names.includes('openid'),
    `has to be up to ${maxScopes} scopes separated by spaces, \`openid\` among them (\`openid email offline_access\`)`,
  );

/** Parameters that clients send by themselves, or that would weaken the flow. */
const ownParameters = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
]);
const maxParametersLength = 1_000;
const parameterList = z
  .string()
  .max(maxParametersLength)
  .transform((value) => [...new URLSearchParams(value)])
  .refine(
    (pairs) => pairs.every(([name, value]) => /^\w{1,100}$/.test(name) && value !== '' && !ownParameters.has(name)),
    'has to be a query (`access_type=offline&prompt=consent`) without parameters that clients set themselves, such as `scope`',
  );

export const identityProviderVariables = {
  OIDC_ISSUER_URL: {
    schema: issuerUrl.optional(),
    default: '–',
    meaning: 'OpenID Connect provider of `POST /auth/token`, exactly as its issuer; unset: 503',
  },
  OIDC_CLIENT_ID: {
    schema: z.string().min(1).optional(),
    default: '–',
    meaning: 'id of our client at the provider; required with `OIDC_ISSUER_URL`',
  },
  OIDC_CLIENT_SECRET: {
    schema: z.string().min(1).optional(),
    default: '–',
    meaning: 'secret of our client; unset for a public client',
  },
  OIDC_AUDIENCE: {
    schema: z.string().min(1).optional(),
    default: '–',
    meaning:
      "audience of the provider's own access tokens, which are then accepted as Bearer tokens; unset: they are not accepted",
  },
  OIDC_SCOPES: {
    schema: scopeList.default(['openid', 'email']),
    default: '`openid email`',
    meaning:
      'scopes that browsers ask the provider for, separated by spaces, `openid` among them, at most 20 of up to 100 characters; add `offline_access` where the provider issues refresh tokens for it alone',
  },
  OIDC_AUTHORIZATION_PARAMETERS: {
    schema: parameterList.default([]),
    default: '–',
    meaning:
      "further parameters of a sign-in at the provider, as a query of up to 1000 characters (`access_type=offline&prompt=consent`); they are part of the provider's address in `GET /auth/config`",
  },
} as const;

type Parsed = {
  [Name in keyof typeof identityProviderVariables]: z.output<(typeof identityProviderVariables)[Name]['schema']>;
};

export interface IdentityProviderConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** Undefined if the provider's own access tokens are not accepted. */
  readonly audience: string | undefined;
  /** The scopes that browsers ask for; `openid` is among them. */
  readonly scopes: readonly string[];
  /** Further parameters that browsers send to the provider: names and values. */
  readonly authorizationParameters: readonly (readonly [name: string, value: string])[];
}

/** Undefined if no provider is configured. */
export function identityProviderOf(values: Parsed): IdentityProviderConfig | undefined {
  const { OIDC_ISSUER_URL: issuer, OIDC_CLIENT_ID: clientId } = values;
  if (issuer === undefined || clientId === undefined) return undefined;
  const { OIDC_CLIENT_SECRET: clientSecret, OIDC_AUDIENCE: audience, OIDC_SCOPES: scopes } = values;
  const authorizationParameters = Object.freeze(values.OIDC_AUTHORIZATION_PARAMETERS);
  return Object.freeze({
    issuer,
    clientId,
    clientSecret,
    audience,
    scopes: Object.freeze(scopes),
    authorizationParameters,
  });
}
