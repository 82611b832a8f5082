// Bounds and formats of sign-in input. `parseGrant` reads a grant by them.

import { z } from 'zod';
import { AppError } from '../../platform/errors.js';
import { parseInput, text, verbatimText, withoutEmpty } from '../../platform/input/input.js';

export const devTokenSchema = z.strictObject({ idpSub: text(255) });

export const signInLinkSchema = z.strictObject({ token: text(100) });

/** Any text, so that an unknown grant type differs from a missing one. */
const grantTypeSchema = z.object({ grantType: z.string() });

// Unknown fields are ignored, as OAuth 2.0 asks of token endpoints (RFC 6749, section 3.2).
const codeGrant = z.object({
  grantType: z.literal('authorization_code'),
  code: verbatimText(8_192),
  codeVerifier: verbatimText(1_024).nullish(),
  redirectUri: verbatimText(2_048).nullish(),
  refreshToken: verbatimText(16_384).nullish(),
});

const refreshGrant = codeGrant.extend({
  grantType: z.literal('refresh_token'),
  code: codeGrant.shape.code.nullish(),
  refreshToken: verbatimText(16_384),
});

/** The body of `POST /auth/token` for each grant type. Spec gap: which field each of them requires. */
export const grantSchemas = { authorization_code: codeGrant, refresh_token: refreshGrant } as const;

/** The fields that each grant type does without. */
const optionalFields = {
  authorization_code: ['codeVerifier', 'redirectUri', 'refreshToken'],
  refresh_token: ['code', 'codeVerifier', 'redirectUri'],
} as const;

type GrantType = keyof typeof grantSchemas;

/** @throws AppError BAD_REQUEST for an unknown grant type; VALIDATION_FAILED naming each wrong field */
export function parseGrant(body: unknown) {
  const { grantType } = parseInput(grantTypeSchema, body);
  if (!isGrantType(grantType))
    throw new AppError('BAD_REQUEST', 'grantType is neither authorization_code nor refresh_token');
  return parseInput(grantSchemas[grantType], withoutEmpty(Object(body), optionalFields[grantType]));
}

function isGrantType(grantType: string): grantType is GrantType {
  return Object.hasOwn(grantSchemas, grantType);
}
