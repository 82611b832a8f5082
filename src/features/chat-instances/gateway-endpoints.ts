// Finds the driver, the address and the token of a chat instance. The configured token goes to the configured gateway only,
// never to an address that a tenant entered. Calling the gateway is left to the callers.

import {
  permanent,
  type ChatGateway,
  type GatewayEndpoint,
  type MediaKind,
  type PermanentRefusal,
} from '../../providers/chat-gateway.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { SecretBox } from '../../platform/secret-box.js';
import { withoutEndSlash } from './chat-instance.schema.js';
import { placeOf, patternsOf } from './gateway-address.js';

/** The provider and address of an instance's gateway. */
export interface GatewayPlace {
  provider: string;
  /** Null means the provider's own address, or else the configured gateway. */
  baseUrl: string | null;
}

/** The stored facts about the gateway of an instance. */
export interface StoredInstance extends GatewayPlace {
  instanceId: string;
  instanceName: string;
  tokenCiphertext: Uint8Array | null;
  phoneNumberId: string | null;
  /** The number of the phone, which only pairing needs. */
  phoneNumber?: string | null;
  /** The id of the business account, which only calls about the account need. */
  wabaId?: string | null;
  apiVersion: string | null;
}

export type NamedInstance = Pick<StoredInstance, 'instanceId' | 'provider' | 'instanceName'>;

export interface ReachableInstance {
  outcome: 'reachable';
  gateway: ChatGateway;
  endpoint: GatewayEndpoint;
}

export interface GatewayEndpointsOptions {
  /** Drivers by provider name. */
  gateways: ReadonlyMap<string, ChatGateway>;
  /** The gateway of instances without an address of their own. */
  defaultGateway: { url: string | undefined; token: string | undefined };
  secretBox: SecretBox;
  log: Logger;
}

export class GatewayEndpoints {
  /** The configured gateway, which all tenants share; undefined if none is configured. */
  private readonly shared: { url: string; place: string; patterns: readonly string[] } | undefined;
  /** Instances whose name belongs to another tenant at the shared gateway: provider and name by id. */
  private takenNames: ReadonlyMap<string, string> = new Map();

  constructor(private readonly options: GatewayEndpointsOptions) {
    const { url } = options.defaultGateway;
    this.shared =
      url === undefined ? undefined : { url: withoutEndSlash(url), place: placeOf(url), patterns: patternsOf(url) };
  }

  /**
   * Returns the way to reach an instance, or the reason why that is impossible: PROVIDER_UNKNOWN, GATEWAY_NOT_CONFIGURED,
   * CREDENTIAL_UNREADABLE, or INSTANCE_NAME_TAKEN for the names that `learnTakenNames` was given.
   */
  find(instance: StoredInstance): ReachableInstance | PermanentRefusal {
    const { gateways, defaultGateway } = this.options;
    const { provider, instanceId, instanceName, phoneNumberId, phoneNumber, wabaId, apiVersion } = instance;
    const gateway = gateways.get(provider);
    if (gateway === undefined)
      return permanent(
        'PROVIDER_UNKNOWN',
        `There is no driver for the provider ${provider} of the chat instance "${instanceName}". Choose one that the service offers.`,
      );
    const baseUrl = instance.baseUrl ?? gateway.defaultBaseUrl ?? defaultGateway.url;
    if (baseUrl === undefined)
      return permanent(
        'GATEWAY_NOT_CONFIGURED',
        `The chat instance "${instanceName}" has no gateway address, and no gateway is configured. Enter its baseUrl.`,
      );
    // The name is compared too, so that an instance that was renamed or moved is reachable at once.
    if (this.takenNames.get(instanceId) === nameKeyOf(instance) && this.isShared(instance))
      return permanent(
        'INSTANCE_NAME_TAKEN',
        `Another tenant has the instance name "${instanceName}" at the shared gateway. Choose another name, or give the chat instance a baseUrl and token of its own.`,
      );
    const isConfigured = instance.baseUrl === null && gateway.defaultBaseUrl === undefined;
    const token = this.findToken(instance, isConfigured);
    if (token === undefined)
      return permanent(
        'CREDENTIAL_UNREADABLE',
        `The token of the chat instance "${instanceName}" cannot be read. Enter it again.`,
      );
    const endpoint = { baseUrl, token, instanceName, phoneNumberId, phoneNumber, wabaId, apiVersion, isConfigured };
    return { outcome: 'reachable', gateway, endpoint };
  }

  /** The names of the providers that have a driver. */
  get providers(): string[] {
    return [...this.options.gateways.keys()];
  }

  /** Returns the provider as a label of metrics: `unknown` if it has no driver. */
  providerOf({ provider }: Pick<StoredInstance, 'provider'>): string {
    return this.options.gateways.has(provider) ? provider : 'unknown';
  }

  /** Returns the types of files of a kind that the provider's network takes; undefined if it takes all. */
  fileTypesOf(provider: string, kind: MediaKind): readonly string[] | undefined {
    return this.options.gateways.get(provider)?.fileTypes?.[kind];
  }

  /** True if the provider's gateway takes the bytes of a file, for files that it cannot fetch. */
  takesBytes(provider: string): boolean {
    return this.options.gateways.get(provider)?.uploadFile !== undefined;
  }

  /** The names of the providers whose gateways can look up hidden numbers. */
  get findsNumbers(): string[] {
    return this.providers.filter((provider) => this.options.gateways.get(provider)?.findNumber !== undefined);
  }

  /** True if the provider's gateway keeps a history of messages that can be read. */
  keepsHistory(provider: string): boolean {
    return this.options.gateways.get(provider)?.history !== undefined;
  }

  /** True if the provider's network keeps templates of its own. */
  offersTemplates(provider: string): boolean {
    return this.options.gateways.get(provider)?.listTemplates !== undefined;
  }

  /** True if the provider's gateway drops a message that is sent again under its idempotency key. */
  honoursKeys(provider: string): boolean {
    return this.options.gateways.get(provider)?.honoursKeys ?? false;
  }

  /** True if the provider's gateway may reserve the id of a message before it is sent. */
  reservesIds(provider: string): boolean {
    return this.options.gateways.get(provider)?.reserveId !== undefined;
  }

  /** Returns the address that calls go to, without a slash at the end; undefined if there is none. */
  addressOf({ provider, baseUrl }: GatewayPlace): string | undefined {
    const url = baseUrl ?? this.options.gateways.get(provider)?.defaultBaseUrl;
    return url === undefined ? this.shared?.url : withoutEndSlash(url);
  }

  /** True if the gateway is the one that all tenants share, in whatever form its address is written. */
  isShared(place: GatewayPlace): boolean {
    if (this.shared === undefined) return false;
    const url = this.addressOf(place);
    return url !== undefined && placeOf(url) === this.shared.place;
  }

  /** `LIKE` patterns that match every stored address of the shared gateway, and possibly others; empty if none is configured. */
  get sharedPatterns(): readonly string[] {
    return this.shared?.patterns ?? [];
  }

  /** Replaces the list of instances whose name belongs to another tenant at the shared gateway. */
  learnTakenNames(instances: readonly NamedInstance[]): void {
    this.takenNames = new Map(instances.map((instance) => [instance.instanceId, nameKeyOf(instance)]));
  }

  /** @returns null if there is no token; undefined if it cannot be decrypted */
  private findToken({ tokenCiphertext, instanceId }: StoredInstance, isConfigured: boolean): string | null | undefined {
    const { defaultGateway, secretBox, log } = this.options;
    if (tokenCiphertext === null) return isConfigured ? (defaultGateway.token ?? null) : null;
    try {
      return secretBox.open(tokenCiphertext, instanceId);
    } catch (error) {
      log.error({ err: error, instanceId }, 'a gateway credential cannot be decrypted: was ENCRYPTION_KEY changed?');
      return undefined;
    }
  }
}

function nameKeyOf({ provider, instanceName }: NamedInstance): string {
  return `${provider} ${instanceName}`;
}
