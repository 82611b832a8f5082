// A certified OpenID Connect provider (oidc-provider) on loopback: one client, and accounts that sign in by themselves. A test can rotate
// its keys and put faults in its way.

import { createHash, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import jwt from 'jsonwebtoken';
import type { Adapter, AdapterPayload, Configuration, JWK, Provider } from 'oidc-provider';
import { noteSecret } from './test-log.js';

export const discoveryPath = '/.well-known/openid-configuration';
export const tokenPath = '/token';
export const jwksPath = '/jwks';
export const userInfoPath = '/me';

/** Answers instead of the provider. */
export type Fault = (response: ServerResponse) => void;

export interface SigningPair {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export interface CodeGrant {
  grantType: 'authorization_code';
  code: string;
  codeVerifier: string;
  redirectUri: string;
}

// The id and the secret hold characters that have to be encoded, which exposes a client that does not encode them.
const client = { id: 'lead:wire', secret: 'a secret/with+odd%characters' };
const redirectUri = 'https://app.example/callback';
const apiAudience = 'https://leadwire.example/api';

export class OidcServer {
  readonly clientId = client.id;
  readonly clientSecret = client.secret;
  readonly audience = apiAudience;
  /** The claims of each account besides `sub`. */
  readonly accounts = new Map<string, Record<string, unknown>>();
  /** The faults by path. */
  readonly faults = new Map<string, Fault>();
  /** Changes the answer of the token endpoint. */
  rewriteTokens: (tokens: Record<string, unknown>) => Record<string, unknown> = (tokens) => tokens;
  /** The account that signs in where the request hints at none. */
  whoSignsIn: string | undefined;
  /** The pair that signs at present. */
  keys = newPair();
  private readonly redirectUris = [redirectUri];
  private readonly store = new Map<string, AdapterPayload>();
  private readonly server: Server;
  private readonly paths: string[] = [];
  private provider: Provider | undefined;

  private constructor(
    private readonly providerClass: typeof Provider,
    private readonly issuerPath: string,
    private port: number,
  ) {
    this.server = createServer((request, response) => void this.handle(request, response));
  }

  /**
   * @param issuerPath the issuer's path after the address: `/realms/acme`, or `/` alone
   * @param port the port to listen on; any free one by default. Another server may take a free port while this one is closed
   */
  static async start(issuerPath = '', port = 0): Promise<OidcServer> {
    // Import the provider only after the application has loaded: Jest cannot import jose here while jwks-rsa requires it there.
    const oidcProvider = await import('oidc-provider');
    const server = new OidcServer(oidcProvider.Provider, issuerPath, port);
    await server.open();
    server.provider = server.createProvider([server.keys]);
    return server;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.port}${this.issuerPath}`;
  }

  /** The URL below which its paths begin. */
  get base(): string {
    return `http://127.0.0.1:${this.port}${this.prefix}`;
  }

  private get prefix(): string {
    return this.issuerPath.replace(/\/$/, '');
  }

  /** The variables of an application that signs in here. */
  get environment(): Record<string, string> {
    return {
      OIDC_ISSUER_URL: this.issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      OIDC_AUDIENCE: apiAudience,
    };
  }

  callsOf(path: string): number {
    return this.paths.filter((called) => called === path).length;
  }

  /** Listens, at the same port as before. */
  async open(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Stops listening and drops every connection. Safe to repeat. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  /** Lets the client come back to this address too. */
  allowRedirect(uri: string): void {
    this.redirectUris.push(uri);
    this.provider = this.createProvider([this.keys]);
  }

  /** From now on another key signs; `keepOld` leaves the one before in the JWKS. */
  rotateKeys({ keepOld }: { keepOld: boolean }): void {
    const old = this.keys;
    this.keys = newPair();
    this.provider = this.createProvider(keepOld ? [this.keys, old] : [this.keys]);
  }

  /** Signs an account in as a browser would. @returns the body that exchanges the code */
  async authorize(account: string, resource?: string): Promise<CodeGrant> {
    const codeVerifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: client.id,
      response_type: 'code',
      scope: resource === undefined ? 'openid email' : 'openid leads',
      redirect_uri: redirectUri,
      login_hint: account,
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(resource === undefined ? {} : { resource }),
    });
    const end = await this.browse(`${this.base}/auth?${query.toString()}`);
    const code = end.searchParams.get('code');
    if (code === null) throw new Error(`the provider gave no code: ${end.search}`);
    return { grantType: 'authorization_code', code, codeVerifier, redirectUri };
  }

  /** An access token of the provider's for `audience`, a JWT, taken as a client of the API would. */
  async issueApiToken(account: string): Promise<string> {
    const { code, codeVerifier } = await this.authorize(account, apiAudience);
    const credentials = [client.id, client.secret].map(encodeURIComponent).join(':').replaceAll('%20', '+');
    const response = await fetch(`${this.base}${tokenPath}`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        code_verifier: codeVerifier,
        redirect_uri: redirectUri,
        resource: apiAudience,
      }),
    });
    const { access_token: token } = (await response.json()) as { access_token?: string };
    if (token === undefined) throw new Error(`the provider gave no token: ${response.status}`);
    return token;
  }

  /** A JWT with these claims and header fields over the provider's own, signed with its key unless another is given. */
  sign(claims: Record<string, unknown>, header: Record<string, unknown> = {}, key = this.keys.privateKey): string {
    const now = Math.floor(Date.now() / 1_000);
    const payload = without({ iss: this.issuer, iat: now, exp: now + 600, ...claims });
    const whole = without({ alg: 'RS256', kid: this.keys.kid, ...header }) as unknown as jwt.JwtHeader;
    return jwt.sign(payload, key, { algorithm: whole.alg as jwt.Algorithm, header: whole });
  }

  private async browse(start: string): Promise<URL> {
    const jar = new Map<string, string>();
    let url = new URL(start);
    for (let step = 0; step < 10 && !url.href.startsWith(redirectUri); step += 1) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = line.split(';', 1)[0]!.split('=');
        jar.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${url.href} answered ${response.status}: ${await response.text()}`);
      url = new URL(location, url);
    }
    return url;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '' } = request;
    if (!url.startsWith(this.prefix)) return void response.writeHead(404).end();
    // The provider mounts like an app below a path of Express: its own links lead back to that path.
    Object.assign(request, { originalUrl: url, url: url.slice(this.prefix.length) });
    const path = request.url?.split('?', 1)[0] ?? '';
    this.paths.push(path);
    const fault = this.faults.get(path);
    if (fault !== undefined) return fault(response);
    if (path.startsWith('/interaction/')) return this.signIn(request, response);
    await this.provider?.callback()(request, response);
  }

  /** Logs in the account that the request hints at, and consents to everything. */
  private async signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.provider!;
    const { params } = await provider.interactionDetails(request, response);
    const { login_hint: hint = this.whoSignsIn } = params;
    const accountId = hint as string;
    const grant = new provider.Grant({ accountId, clientId: client.id });
    grant.addOIDCScope('openid email leads');
    grant.addResourceScope(apiAudience, 'leads');
    const result = { login: { accountId }, consent: { grantId: await grant.save() } };
    await provider.interactionFinished(request, response, result);
  }

  private createProvider(pairs: readonly SigningPair[]): Provider {
    const provider = new this.providerClass(this.issuer, this.configuration(pairs));
    provider.use(async (context, next) => {
      await next();
      if (context.path === tokenPath && context.status === 200) {
        context.body = this.rewriteTokens(context.body as Record<string, unknown>);
      }
    });
    return provider;
  }

  private configuration(pairs: readonly SigningPair[]): Configuration {
    // A second key of another kind, so that a token has to name the key that signed it.
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const spare = { ...privateKey.export({ format: 'jwk' }), kid: 'spare', alg: 'ES256', use: 'sig' };
    return {
      adapter: (model: string) => new StoreAdapter(model, this.store),
      jwks: { keys: [...pairs.map(toJwk), spare] },
      cookies: { keys: ['a key for cookies'] },
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [...this.redirectUris],
          grant_types: ['authorization_code', 'refresh_token'],
          scope: 'openid email leads',
        },
      ],
      scopes: ['openid', 'email', 'leads'],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      findAccount: (_context, accountId) => ({
        accountId,
        claims: () => ({ sub: accountId, ...this.accounts.get(accountId) }),
      }),
      interactions: { url: (_context, interaction) => `${this.prefix}/interaction/${interaction.uid}` },
      pkce: { required: () => true },
      allowOmittingSingleRegisteredRedirectUri: false,
      issueRefreshToken: () => true,
      rotateRefreshToken: true,
      expiresWithSession: () => false,
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        Grant: 3_600,
        IdToken: 600,
        Interaction: 600,
        RefreshToken: 3_600,
        Session: 3_600,
      },
      features: {
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: () => ({
            scope: 'leads',
            audience: apiAudience,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
    };
  }
}

/** Models whose ids are secrets: clients receive these ids as tokens and codes. */
const secretModels = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken']);

/** Everything the provider stores, in one map that outlives a rotation of its keys. */
class StoreAdapter implements Adapter {
  constructor(
    private readonly model: string,
    private readonly store: Map<string, AdapterPayload>,
  ) {}

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    if (secretModels.has(this.model)) noteSecret(id);
    this.store.set(this.keyOf(id), payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.store.get(this.keyOf(id));
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.entries().find(([, payload]) => payload.uid === uid)?.[1];
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.entries().find(([, payload]) => payload.userCode === userCode)?.[1];
  }

  async consume(id: string): Promise<void> {
    const payload = this.store.get(this.keyOf(id));
    if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1_000);
  }

  async destroy(id: string): Promise<void> {
    this.store.delete(this.keyOf(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of this.entries()) if (payload.grantId === grantId) this.store.delete(key);
  }

  private keyOf(id: string): string {
    return `${this.model}:${id}`;
  }

  private entries(): [string, AdapterPayload][] {
    return [...this.store].filter(([key]) => key.startsWith(`${this.model}:`));
  }
}

type KeyPair = Omit<SigningPair, 'kid'>;

// Node loads this module again for each test file, and making a pair takes 0.15 s of the processor. So the worker keeps its pairs, and each
// file takes them from the first.
const worker = globalThis as { signingPairs?: KeyPair[] };
const pairs = (worker.signingPairs ??= []);
let takenPairs = 0;

/** Returns an RSA key pair under a name of its own, which no other caller in this test file has. */
export function newPair(): SigningPair {
  const pair = (pairs[takenPairs++] ??= generateKeyPairSync('rsa', { modulusLength: 2_048 }));
  return { kid: randomBytes(6).toString('hex'), ...pair };
}

function toJwk({ kid, privateKey }: SigningPair): JWK {
  return { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
}

function without(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
