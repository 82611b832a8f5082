// The list of providers. A new provider is one folder and one line here.

import type { ChatGateway } from './chat-gateway.js';
import { evolution } from './evolution/provider.js';
import { meta } from './meta/provider.js';
import { neutral } from './neutral/provider.js';
import type { ChatEndpoint, GatewayParts, GatewayWebhooks, Provider } from './provider.js';
import { waha } from './waha/provider.js';

const listed = [neutral, evolution, waha, meta] as const;

/** A provider's name of its calls in the journal. */
export type ChatDialect = (typeof listed)[number]['dialect'];

type ListedProvider = Provider & { dialect: ChatDialect };

export const providers: readonly ListedProvider[] = listed;

/** @param name the name that a chat instance has */
export function findProvider(name: string): ListedProvider | undefined {
  return providers.find((provider) => provider.name === name);
}

/** The bound of a webhook secret whose provider is not known yet. */
export const leastWebhookSecretLength = Math.min(...providers.map((provider) => provider.minWebhookSecretLength));

/** Returns the drivers by provider name. */
export function createGateways(parts: GatewayParts): Map<string, ChatGateway> {
  return new Map(providers.map(({ name, createGateway }) => [name, createGateway(parts)]));
}

const gatewayProviders = providers
  .flatMap(({ dialect, webhooks }) => (webhooks === undefined ? [] : [{ dialect, webhooks }]))
  .toReversed();

/**
 * Returns the provider that reads a call to the gateway's paths. Later ones in the list are asked first, because the neutral protocol takes
 * every call that no other recognises.
 */
export function providerOfCall(
  body: unknown,
  endpoint: ChatEndpoint,
): { dialect: ChatDialect; webhooks: GatewayWebhooks } {
  return gatewayProviders.find(({ webhooks }) => webhooks.takes(body, endpoint)) ?? neutral;
}
