// Which driver a chat instance is reached through, at which address and with which token. The configured token goes to the
// configured gateway only, never to an address that a tenant entered. Calling is left to whoever asks.

import { permanent } from '../../clients/chat-gateway.js';
import type { ChatGateway, GatewayEndpoint, PermanentRefusal } from '../../clients/chat-gateway.js';
import type { Logger } from '../../platform/logger.js';
import type { SecretBox } from '../../platform/secret-box.js';

/** What decides where an instance is reached. */
export interface GatewayPlace {
  provider: string;
  /** Null: the provider's own address, or the configured gateway. */
  baseUrl: string | null;
}

/** An instance as it is stored, as far as its gateway is concerned. */
export interface StoredLine extends GatewayPlace {
  instanceId: string;
  instanceName: string;
  tokenCiphertext: Uint8Array | null;
  phoneNumberId: string | null;
  apiVersion: string | null;
}

/** What an instance is called, and at which make of gateway. */
export type NamedInstance = Pick<StoredLine, 'instanceId' | 'provider' | 'instanceName'>;

export interface ReachableLine {
  outcome: 'reachable';
  gateway: ChatGateway;
  endpoint: GatewayEndpoint;
}

export interface GatewayEndpointsOptions {
  /** The drivers by provider name. */
  gateways: ReadonlyMap<string, ChatGateway>;
  /** For instances without an address of their own. */
  defaultGateway: { url: string | undefined; token: string | undefined };
  secretBox: SecretBox;
  log: Logger;
}

export class GatewayEndpoints {
  /** The configured gateway's address, which all tenants share; undefined where none is configured. */
  readonly sharedUrl: string | undefined;
  /** Instances that bear a name of another tenant's there: provider and name by id. */
  private foreignNames: ReadonlyMap<string, string> = new Map();

  constructor(private readonly options: GatewayEndpointsOptions) {
    const { url } = options.defaultGateway;
    this.sharedUrl = url === undefined ? undefined : withoutEndSlash(url);
  }

  /**
   * How an instance is reached, or why it is not: PROVIDER_UNKNOWN, GATEWAY_NOT_CONFIGURED, CREDENTIAL_UNREADABLE, or
   * INSTANCE_NAME_TAKEN by another tenant at the shared gateway, as far as `learnForeignNames` has told.
   */
  find(line: StoredLine): ReachableLine | PermanentRefusal {
    const gateway = this.options.gateways.get(line.provider);
    if (gateway === undefined) return providerUnknown(line.provider);
    const baseUrl = line.baseUrl ?? gateway.defaultBaseUrl ?? this.options.defaultGateway.url;
    if (baseUrl === undefined) return gatewayNotConfigured;
    if (this.hasForeignName(line)) return instanceNameTaken;
    const token = this.findToken(line, gateway);
    if (token === undefined) return credentialUnreadable;
    const { instanceName, phoneNumberId, apiVersion } = line;
    return { outcome: 'reachable', gateway, endpoint: { baseUrl, token, instanceName, phoneNumberId, apiVersion } };
  }

  /** Every provider that there is a driver for. */
  get providers(): string[] {
    return [...this.options.gateways.keys()];
  }

  /** The provider's name where there is a driver for it, for those who count. */
  providerOf({ provider }: Pick<StoredLine, 'provider'>): string {
    return this.options.gateways.has(provider) ? provider : 'unknown';
  }

  /** Whether a message sent again under its key arrives once through such an instance. */
  honoursKeys(provider: string): boolean {
    return this.options.gateways.get(provider)?.honoursKeys ?? false;
  }

  /** Where calls for such an instance go, without a slash at its end; undefined where nowhere. */
  addressOf({ provider, baseUrl }: GatewayPlace): string | undefined {
    const url = baseUrl ?? this.options.gateways.get(provider)?.defaultBaseUrl;
    return url === undefined ? this.sharedUrl : withoutEndSlash(url);
  }

  /** Whether such an instance stands at the gateway that all tenants share. */
  isShared(place: GatewayPlace): boolean {
    return this.sharedUrl !== undefined && this.addressOf(place) === this.sharedUrl;
  }

  /** The providers whose instances stand at the shared gateway unless they have an address of their own. */
  get providersAtSharedGateway(): string[] {
    return [...this.options.gateways.keys()].filter((provider) => this.isShared({ provider, baseUrl: null }));
  }

  /** From now on these instances, and no others, are not reached at the shared gateway under these names. */
  learnForeignNames(lines: readonly NamedInstance[]): void {
    this.foreignNames = new Map(lines.map((line) => [line.instanceId, nameKeyOf(line)]));
  }

  // One that was given another name, or a gateway of its own, is reached at once.
  private hasForeignName(line: StoredLine): boolean {
    return this.foreignNames.get(line.instanceId) === nameKeyOf(line) && this.isShared(line);
  }

  /** @returns undefined for a token that cannot be read */
  private findToken(
    { baseUrl, tokenCiphertext, instanceId }: StoredLine,
    { defaultBaseUrl }: ChatGateway,
  ): string | null | undefined {
    const { defaultGateway, secretBox, log } = this.options;
    if (tokenCiphertext === null) {
      const isConfigured = baseUrl === null && defaultBaseUrl === undefined;
      return isConfigured ? (defaultGateway.token ?? null) : null;
    }
    try {
      return secretBox.open(tokenCiphertext, instanceId);
    } catch (error) {
      log.error({ err: error, instanceId }, 'a gateway credential cannot be decrypted: was ENCRYPTION_KEY changed?');
      return undefined;
    }
  }
}

const gatewayNotConfigured = permanent(
  'GATEWAY_NOT_CONFIGURED',
  'The chat instance has no gateway address, and the service has none configured. Enter its baseUrl.',
);
const credentialUnreadable = permanent(
  'CREDENTIAL_UNREADABLE',
  "The chat instance's token cannot be read. Enter it anew.",
);

const instanceNameTaken = permanent(
  'INSTANCE_NAME_TAKEN',
  'Another tenant has this instance name at the shared gateway. Choose another name, or give the chat instance a baseUrl and token of its own.',
);

function nameKeyOf({ provider, instanceName }: NamedInstance): string {
  return `${provider} ${instanceName}`;
}

function providerUnknown(provider: string): PermanentRefusal {
  const detail = `There is no driver for the provider ${provider}. Choose one of those that the service offers.`;
  return permanent('PROVIDER_UNKNOWN', detail);
}

function withoutEndSlash(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}
