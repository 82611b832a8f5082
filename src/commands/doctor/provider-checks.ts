// Checks of the OpenID Connect provider: its discovery document, its keys, and whether it knows our client and its redirect address.
// Nobody is signed in: the provider is asked without a user, and with a code that does not exist.

import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  callProvider,
  discoveryUrlOf,
  getDocument,
  readMetadata,
  type ProviderMetadata,
} from '../../clients/identity-provider/provider-metadata.js';
import { withParameters } from '../../clients/identity-provider/identity-provider.js';
import { fetchSigningKeys } from '../../clients/identity-provider/signing-keys.js';
import { requestTokens } from '../../clients/identity-provider/token-endpoint.js';
import type { Config } from '../../config/config.js';
import type { IdentityProviderConfig } from '../../config/identity-provider-variables.js';
import {
  certificateAdvice,
  failed,
  isCertificateError,
  ok,
  sentenceOf,
  warning,
  type Check,
  type Finding,
} from './check.js';
import { clockFinding } from './clock.js';

const providerVariables = [
  'OIDC_ISSUER_URL',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_AUDIENCE',
  'OIDC_SCOPES',
  'OIDC_AUTHORIZATION_PARAMETERS',
];

interface Discovered {
  metadata: ProviderMetadata;
  /** The discovery document. */
  document: unknown;
  headers: Headers;
  askedAtMs: number;
}

export function providerChecks({ identityProvider, publicUrl, environment }: Config): Check[] {
  const first = { name: 'provider', variables: providerVariables };
  if (identityProvider === undefined) return [{ ...first, run: async () => withoutProvider(environment) }];
  const { issuer } = identityProvider;
  let discovered: Promise<Discovered> | undefined;
  const discover = (signal: AbortSignal) => (discovered ??= discoverProvider(issuer, signal));
  const after = (name: string, run: (found: Discovered, signal: AbortSignal) => Promise<Finding>): Check => ({
    name,
    variables: providerVariables,
    after: 'provider',
    run: async (signal) => run(await discover(signal), signal),
  });
  return [
    { ...first, run: (signal) => checkDiscovery(issuer, discover(signal)) },
    after('provider-keys', ({ metadata }, signal) => checkKeys(metadata, signal)),
    after('provider-pkce', async ({ document }) => checkFlow(document)),
    {
      ...after('provider-redirect', ({ metadata }, signal) =>
        checkRedirect(metadata, identityProvider, publicUrl, signal),
      ),
      variables: [...providerVariables, 'PUBLIC_URL'],
    },
    after('provider-client', ({ metadata }, signal) => checkClient(metadata, identityProvider, publicUrl, signal)),
    after('provider-clock', async (found) => checkClock(found)),
  ];
}

function withoutProvider(environment: Config['environment']): Finding {
  const found = 'OIDC_ISSUER_URL is not set.';
  if (environment !== 'production') return ok(`${found} Demo users sign in without a provider.`);
  return warning(
    found,
    'Set OIDC_ISSUER_URL and OIDC_CLIENT_ID: users sign in through a provider. Until then `npm run tenant -- sign-in-link` lets an ADMIN in.',
  );
}

async function discoverProvider(issuer: string, signal: AbortSignal): Promise<Discovered> {
  const askedAtMs = Date.now();
  const answer = await callProvider(discoveryUrlOf(issuer), {}, signal);
  if (!answer.ok) throw new Error(`${discoveryUrlOf(issuer)} answered ${answer.status}`);
  const document: unknown = await answer.json();
  return { metadata: readMetadata(issuer, document), document, headers: answer.headers, askedAtMs };
}

async function checkDiscovery(issuer: string, discovering: Promise<Discovered>): Promise<Finding> {
  try {
    const { metadata } = await discovering;
    return ok(`Its discovery document names the issuer ${issuer} and ${metadata.algorithms.join(', ')}.`);
  } catch (error) {
    const reason = sentenceOf(error);
    if (reason.includes('but the provider names'))
      return failed(reason, 'Set OIDC_ISSUER_URL exactly as the provider names its issuer, slash at the end included.');
    const advice = isCertificateError(error)
      ? certificateAdvice
      : `Open ${discoveryUrlOf(issuer)} from this machine, and correct OIDC_ISSUER_URL or the network.`;
    return failed(`The discovery document cannot be used: ${reason}`, advice);
  }
}

async function checkKeys({ jwksUri, algorithms }: ProviderMetadata, signal: AbortSignal): Promise<Finding> {
  try {
    const keys = await fetchSigningKeys(() => getDocument(jwksUri, signal));
    const usable = keys.filter(
      ({ algorithm }) => algorithm === undefined || algorithms.some((known) => known === algorithm),
    );
    if (usable.length > 0) return ok(`${usable.length} of its ${keys.length} keys verify ID tokens.`);
    return failed(
      'None of its keys is for an algorithm of its ID tokens.',
      'Let the provider sign with RS256 or ES256.',
    );
  } catch (error) {
    return failed(
      `Its keys (${jwksUri}) cannot be used: ${sentenceOf(error)}`,
      'Let this machine reach the address, and let the provider publish RSA or EC keys.',
    );
  }
}

const texts = z.array(z.string()).optional().catch(undefined);
const flowSchema = z.object({ response_types_supported: texts, code_challenge_methods_supported: texts });

function checkFlow(discovery: unknown): Finding {
  const { response_types_supported: types, code_challenge_methods_supported: methods } = flowSchema.parse(discovery);
  if (types !== undefined && !types.includes('code'))
    return failed(
      'It does not offer the authorization code flow.',
      'Turn that flow on for our client at the provider.',
    );
  if (methods === undefined)
    return ok(
      'It offers the code flow, and does not say whether it takes PKCE with S256; the redirect check tries it.',
    );
  if (methods.includes('S256')) return ok('It offers the code flow with PKCE (S256).');
  return failed('It does not offer PKCE with S256.', 'Use a provider, or a version of it, that does.');
}

/** The errors that answer `prompt=none` when nobody is signed in: they say that the rest of the request was right. */
const needsUser = new Set(['login_required', 'interaction_required', 'consent_required', 'account_selection_required']);

async function checkRedirect(
  { authorizationEndpoint }: ProviderMetadata,
  { clientId, scopes, authorizationParameters }: IdentityProviderConfig,
  publicUrl: string | undefined,
  signal: AbortSignal,
): Promise<Finding> {
  if (authorizationEndpoint === undefined)
    return failed('It names no authorization endpoint with https.', 'Correct the provider’s own address.');
  if (publicUrl === undefined)
    return warning('The redirect address was not checked.', 'Set PUBLIC_URL, and register `<PUBLIC_URL>/callback`.');
  const redirectUri = redirectUriOf(publicUrl);
  const url = new URL(withParameters(authorizationEndpoint, authorizationParameters));
  const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state: 'doctor',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    prompt: 'none',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const answer = await fetch(url, { redirect: 'manual', signal });
  await answer.body?.cancel();
  const register = `Register ${redirectUri} as a redirect address of the client ${clientId} at the provider.`;
  const error = errorIn(answer.headers.get('location'), url, redirectUri);
  if (error === undefined) {
    if (answer.status >= 400 && answer.status < 500)
      return failed(`It refused a sign-in of our client (${answer.status}).`, `${register} Check OIDC_CLIENT_ID.`);
    return warning(`It did not say whether it knows ${redirectUri} (${answer.status}).`, register);
  }
  if (needsUser.has(error)) return ok(`It knows the redirect address ${redirectUri}.`);
  const advice = error === 'invalid_scope' ? 'Correct OIDC_SCOPES.' : 'Look this error up in the provider’s log.';
  return failed(`It refused a sign-in of our client with ${error}.`, advice);
}

/** The address of the console to which the provider sends a browser back. */
function redirectUriOf(publicUrl: string): string {
  return `${new URL(publicUrl).origin}/callback`;
}

/** The error that came back to our redirect address; undefined where nothing came back there. */
function errorIn(location: string | null, base: URL, redirectUri: string): string | undefined {
  if (location === null || !URL.canParse(location, base.href)) return undefined;
  const target = new URL(location, base);
  if (`${target.origin}${target.pathname}` !== redirectUri) return undefined;
  const error = target.searchParams.get('error') ?? '';
  return /^[a-z_]{1,40}$/.test(error) ? error : 'an answer without a standard error';
}

async function checkClient(
  metadata: ProviderMetadata,
  { clientId, clientSecret }: IdentityProviderConfig,
  publicUrl: string | undefined,
  signal: AbortSignal,
): Promise<Finding> {
  const grant = {
    grant_type: 'authorization_code',
    code: `leadwire-doctor-${randomBytes(8).toString('hex')}`,
    code_verifier: randomBytes(32).toString('base64url'),
    redirect_uri: publicUrl === undefined ? 'http://localhost/callback' : redirectUriOf(publicUrl),
  };
  const answer = await requestTokens(metadata, { clientId, clientSecret }, grant, signal);
  const { status, error } = 'status' in answer ? answer : { status: 200, error: 'invalid_grant' };
  const proof = clientSecret === undefined ? 'without a secret' : 'with its secret';
  if (error === 'invalid_grant') return ok(`It takes the client ${clientId} ${proof}.`);
  if (error === 'invalid_client' || error === 'unauthorized_client' || status === 401)
    return failed(
      `It refuses the client ${clientId} ${proof} (${error ?? status}).`,
      'Correct OIDC_CLIENT_ID and OIDC_CLIENT_SECRET; leave the secret out for a public client only.',
    );
  return warning(
    `It answered ${error ?? status} to a code that does not exist, which says nothing about the client.`,
    'Sign in once, and look at the log if that fails.',
  );
}

function checkClock({ headers, askedAtMs }: Discovered): Finding {
  // A cache on the way has added the age of its copy.
  const ageMs = Number(headers.get('age') ?? 0) * 1_000;
  const dateMs = Date.parse(headers.get('date') ?? '') + (Number.isFinite(ageMs) ? ageMs : 0);
  if (Number.isNaN(dateMs)) return ok('It does not say what time it is.');
  // The provider's Date header counts whole seconds, so half a second is added.
  return clockFinding('The provider', dateMs + 500 - askedAtMs);
}
