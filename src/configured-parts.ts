// What services are given ready-made, as the configuration says: drivers of gateways, the identity provider, tokens, traces. The services
// themselves are made in services.ts.

import type { ChatGateway } from './clients/chat-gateway.js';
import { MetaGateway } from './clients/meta-gateway.js';
import { EvolutionGateway } from './clients/evolution-gateway.js';
import { createNameResolver, OutboundAddressPolicy } from './clients/outbound-address-policy.js';
import type { OutboundAddressOptions } from './clients/outbound-address-policy.js';
import { IdentityProvider } from './clients/identity-provider/identity-provider.js';
import { NeutralGateway } from './clients/neutral-gateway.js';
import { WebhookSender } from './clients/webhook-sender.js';
import type { Config } from './config/config.js';
import { AccessTokens } from './features/auth/access-token.js';
import { matchKeyOfNumber } from './features/leads/identity/lead-identity.js';
import type { Logger } from './platform/logger.js';

/** How long a gateway may take for an answer. */
export const gatewayTimeoutMs = 15_000;
const identityProviderTimeoutMs = 5_000;
const nameTimeoutMs = 3_000;
// An attempt ends well within its lease, so that a lease only ends under a worker that died, or stood still.
const endpointTimeoutMs = 15_000;

/** Looks names up that tenants have entered, apart from the names of the configuration. */
function tenantsNames(): Pick<OutboundAddressOptions, 'resolveUnlisted'> {
  return { resolveUnlisted: createNameResolver({ timeoutMs: nameTimeoutMs }) };
}

/** The drivers by provider name, and what tenants may have them do. */
export function gatewaysOf({ gateway, environment }: Config) {
  const { allowedHosts, url: trustedUrl } = gateway;
  const allowLoopback = environment !== 'production';
  const addresses = new OutboundAddressPolicy({ allowedHosts, allowLoopback, ...tenantsNames() });
  const http = { timeoutMs: gatewayTimeoutMs, addresses, trustedUrl };
  const gateways = new Map<string, ChatGateway>([
    ['gateway', new NeutralGateway(http)],
    ['evolution', new EvolutionGateway({ ...http, matchKeyOf: matchKeyOfNumber })],
    ['cloud', new MetaGateway(http)],
  ]);
  const checkUrl = (url: string) => addresses.checkUrl(url);
  return { gateways, gatewayRules: { providers: [...gateways.keys()], checkUrl } };
}

/** Posts to the addresses that tenants have entered for their webhooks. */
export function webhookSenderOf({ webhookEndpoints: { allowedHosts }, environment }: Config): WebhookSender {
  const allowLoopback = environment !== 'production';
  const setting = 'WEBHOOK_ENDPOINT_ALLOWED_HOSTS';
  const addresses = new OutboundAddressPolicy({ allowedHosts, allowLoopback, setting, ...tenantsNames() });
  return new WebhookSender({ addresses, timeoutMs: endpointTimeoutMs });
}

export function accessTokensOf({ jwtSecret, jwtSecretPrevious, jwtTtlSeconds }: Config): AccessTokens | undefined {
  if (jwtSecret === undefined) return undefined;
  return new AccessTokens({ secret: jwtSecret, previousSecret: jwtSecretPrevious, ttlSeconds: jwtTtlSeconds });
}

export function identityProviderOf({ identityProvider }: Config, log: Logger): IdentityProvider | undefined {
  if (identityProvider === undefined) return undefined;
  return new IdentityProvider({ ...identityProvider, timeoutMs: identityProviderTimeoutMs, log });
}
