// OpenAPI description of the sign-in endpoints.

import { z } from 'zod';
import { maxAnonymousBodyBytes } from '../../platform/http/json-body.js';
import { wireId, type RouteDescription, type Wire } from '../../platform/http/route-description.js';
import { devTokenSchema, grantSchemas, signInLinkSchema } from './auth.schema.js';
import type { AuthService, SignInConfig, TokenResponse } from './auth.service.js';

/** Browsers keep the configuration of the sign-in for as long. */
export const keptSeconds = 60;

const tokenAnswer: z.ZodType<Wire<TokenResponse>> = z.object({
  accessToken: z.string().describe('Sent as `Authorization: Bearer …`.'),
  tokenType: z.literal('Bearer'),
  expiresIn: z.number().int().describe('Seconds.'),
  user: z.object({
    id: wireId,
    tenantId: wireId,
    accountId: wireId,
    role: z.enum(['ADMIN', 'OPERATOR']),
    email: z.string(),
  }),
  idToken: z.string().exactOptional().describe("The identity provider's, as the two below."),
  refreshToken: z.string().exactOptional(),
  scope: z.string().exactOptional(),
});

const configAnswer: z.ZodType<Wire<SignInConfig>> = z.object({
  issuer: z.string().nullable().describe("The identity provider's; null without a provider, as the next two."),
  authorizationEndpoint: z
    .string()
    .nullable()
    .describe('Where a browser is sent to sign in. May have a query of its own. Null where the provider names none.'),
  clientId: z.string().nullable(),
  scopes: z.array(z.string()).describe('What to ask the provider for; empty without a provider.'),
  devSignIn: z.boolean().describe('Whether demo users sign in without a provider: in development and test only.'),
});

const getSignInConfig: RouteDescription = {
  method: 'get',
  tag: 'Signing in',
  credentials: [],
  path: '/auth/config',
  operationId: 'getSignInConfig',
  summary: 'What a browser needs to sign a user in',
  description: `Browsers keep the answer for ${keptSeconds} s.`,
  answers: { 200: { description: 'The provider, and our client there.', schema: configAnswer } },
  problems: [],
};

const shared = { method: 'post', tag: 'Signing in', credentials: [] } as const;

const exchangeToken: RouteDescription = {
  ...shared,
  path: '/auth/token',
  operationId: 'exchangeToken',
  summary: "Exchange the identity provider's code or refresh token for an access token",
  description: 'At most 10 calls in 60 s from each address.',
  body: {
    type: 'application/json',
    schema: z.union([grantSchemas.authorization_code, grantSchemas.refresh_token]),
    maxBytes: maxAnonymousBodyBytes,
    examples: {
      code: {
        summary: 'The code that the browser came back with',
        value: {
          grantType: 'authorization_code',
          code: 'SplxlOBeZQQYbYS6WxSbIA',
          codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
          redirectUri: 'https://app.example/callback',
        },
        status: 200,
      },
      refresh: {
        summary: 'A refresh token',
        value: { grantType: 'refresh_token', refreshToken: '8xLOxBtZp8' },
        status: 200,
      },
    },
  },
  answers: { 200: { description: 'The token, and what the identity provider gave.', schema: tokenAnswer } },
  problems: ['GRANT_INVALID', 'FORBIDDEN', 'VALIDATION_FAILED'],
};

const issueDevToken: RouteDescription = {
  ...shared,
  path: '/auth/dev/token',
  operationId: 'issueDevToken',
  summary: 'Take a token without the identity provider; in development and test only',
  description: 'At most 30 calls in 60 s from each address.',
  body: {
    type: 'application/json',
    schema: devTokenSchema,
    maxBytes: maxAnonymousBodyBytes,
    examples: { admin: { summary: 'By subject', value: { idpSub: 'demo-admin' }, status: 200 } },
  },
  answers: { 200: { description: 'The token.', schema: tokenAnswer } },
  problems: ['FORBIDDEN', 'VALIDATION_FAILED'],
};

const useSignInLink: RouteDescription = {
  ...shared,
  path: '/auth/link',
  operationId: 'useSignInLink',
  summary: 'Sign in once by a link of the administrator, where no identity provider is configured',
  description:
    'At most 10 calls in 60 s from each address. The token lives for an hour, and nothing renews it. With a provider neither the path exists nor do such tokens count.',
  body: {
    type: 'application/json',
    schema: signInLinkSchema,
    maxBytes: maxAnonymousBodyBytes,
    examples: {
      link: {
        summary: 'What stands behind # in the link',
        value: { token: 'q0kZ3m7Wc1xV9tYb5nLr2sDf8hJg4pKa6uEoiTzXyQM' },
        status: 401,
      },
    },
  },
  answers: { 200: { description: 'The token, without a refresh token.', schema: tokenAnswer } },
  problems: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
};

/** @param existing the sign-in methods: a missing one has no description, so that nothing reveals that it exists elsewhere */
export function describeAuth(existing: Pick<AuthService, 'issuesDevTokens' | 'takesSignInLinks'>): RouteDescription[] {
  return [
    getSignInConfig,
    exchangeToken,
    ...(existing.takesSignInLinks ? [useSignInLink] : []),
    ...(existing.issuesDevTokens ? [issueDevToken] : []),
  ];
}
