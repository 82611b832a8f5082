// Builds the parts that the configuration decides: drivers of gateways, the identity provider, access tokens, traces. services.ts builds
// the services from them.

import { join, resolve } from 'node:path';
import { MetaLeads } from './providers/meta/leads.js';
import { OutboundAddressPolicy, type OutboundAddressOptions } from './clients/outbound-address-policy.js';
import { createNameResolver } from './clients/name-resolver.js';
import { IdentityProvider } from './clients/identity-provider/identity-provider.js';
import { FileStore } from './clients/object-store/file-store.js';
import type { ObjectStore } from './clients/object-store/object-store.js';
import { S3Store } from './clients/object-store/s3-store.js';
import { StagingFolder } from './clients/object-store/staging-folder.js';
import { createGateways } from './providers/registry.js';
import { PushSender } from './clients/push-sender.js';
import { UrlMediaSource } from './providers/url-media-source.js';
import { WebhookSender } from './clients/webhook-sender.js';
import type { Config } from './config/config.js';
import { AccessTokens } from './features/auth/access-token.js';
import type { Logger } from './platform/observability/logger.js';

/** The time limit of a gateway's answer. */
const gatewayTimeoutMs = 15_000;
const identityProviderTimeoutMs = 5_000;
const mediaSilenceLimitMs = 30_000;
const nameTimeoutMs = 3_000;
// An attempt ends well within its lease, so that a lease ends only under a worker that died or stood still.
const endpointTimeoutMs = 15_000;
const pushTimeoutMs = 10_000;

/** Looks up host names that tenants entered. Names of the configuration are looked up by the system. */
function tenantsNames(): Pick<OutboundAddressOptions, 'resolveUnlisted'> {
  return { resolveUnlisted: createNameResolver({ timeoutMs: nameTimeoutMs }) };
}

/** The reader of leads at Meta, and the check of the addresses that may be called for them. */
export function leadSourcePartsOf({ gateway: { allowedHosts }, environment }: Config) {
  const allowLoopback = environment !== 'production';
  const addresses = new OutboundAddressPolicy({ allowedHosts, allowLoopback, ...tenantsNames() });
  return {
    graph: new MetaLeads({ timeoutMs: gatewayTimeoutMs, addresses }),
    checkUrl: (url: string) => addresses.checkUrl(url),
  };
}

/** The drivers by provider name, and the rules for chat instances that follow from them. */
export function gatewaysOf({ gateway, environment }: Config, timeoutMs = gatewayTimeoutMs) {
  const { allowedHosts, url: trustedUrl } = gateway;
  const allowLoopback = environment !== 'production';
  const addresses = new OutboundAddressPolicy({ allowedHosts, allowLoopback, ...tenantsNames() });
  const http = { timeoutMs, addresses, trustedUrl };
  const mediaSource = new UrlMediaSource({ addresses, silenceLimitMs: mediaSilenceLimitMs });
  const gateways = createGateways({ http, files: mediaSource });
  const checkUrl = (url: string) => addresses.checkUrl(url);
  return {
    gateways,
    gatewayRules: { providers: [...gateways.keys()], checkUrl },
    mediaSource,
    gatewayTimeoutMs: timeoutMs,
  };
}

/** The store of messages' files. */
export function mediaStoreOf({ media: { store, credentials }, dataDir }: Config): ObjectStore {
  if (store.kind === 'file') return new FileStore(resolve(store.folder ?? join(dataDir, 'media')));
  if (credentials === undefined) throw new Error('an S3 MEDIA_STORE has no credentials');
  const staging = new StagingFolder(resolve(dataDir, 'media-incoming'));
  return new S3Store({ ...store, ...credentials, staging });
}

/** Posts to the addresses that tenants have entered for their webhooks. */
export function webhookSenderOf({ webhookEndpoints: { allowedHosts }, environment }: Config): WebhookSender {
  const allowLoopback = environment !== 'production';
  const setting = 'WEBHOOK_ENDPOINT_ALLOWED_HOSTS';
  const addresses = new OutboundAddressPolicy({ allowedHosts, allowLoopback, setting, ...tenantsNames() });
  return new WebhookSender({ addresses, timeoutMs: endpointTimeoutMs });
}

/** Posts to the push services of browsers, which name their own addresses: public ones only. Undefined where push is not offered. */
export function pushSenderOf({ webPush, environment }: Config): PushSender | undefined {
  if (webPush === undefined) return undefined;
  const allowLoopback = environment !== 'production';
  const addresses = new OutboundAddressPolicy({ allowedHosts: [], allowLoopback, ...tenantsNames() });
  return new PushSender({ sender: new WebhookSender({ addresses, timeoutMs: pushTimeoutMs }), ...webPush });
}

export function accessTokensOf({ jwtSecret, jwtSecretPrevious, jwtTtlSeconds }: Config): AccessTokens | undefined {
  if (jwtSecret === undefined) return undefined;
  return new AccessTokens({ secret: jwtSecret, previousSecret: jwtSecretPrevious, ttlSeconds: jwtTtlSeconds });
}

export function identityProviderOf({ identityProvider }: Config, log: Logger): IdentityProvider | undefined {
  if (identityProvider === undefined) return undefined;
  return new IdentityProvider({ ...identityProvider, timeoutMs: identityProviderTimeoutMs, log });
}
