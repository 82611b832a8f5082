// Which driver a chat instance is reached through, at which address and with which token. The configured token goes to the
// configured gateway only, never to an address that a tenant entered. Calling is left to whoever asks.

import { isIPv4 } from 'node:net';
import { permanent } from '../../clients/chat-gateway.js';
import type { ChatGateway, GatewayEndpoint, PermanentRefusal } from '../../clients/chat-gateway.js';
import { isLoopback } from '../../config/value-formats.js';
import type { Logger } from '../../platform/logger.js';
import type { SecretBox } from '../../platform/secret-box.js';

/** What decides where an instance is reached. */
export interface GatewayPlace {
  provider: string;
  /** Null: the provider's own address, or the configured gateway. */
  baseUrl: string | null;
}

/** An instance as it is stored, as far as its gateway is concerned. */
export interface StoredInstance extends GatewayPlace {
  instanceId: string;
  instanceName: string;
  tokenCiphertext: Uint8Array | null;
  phoneNumberId: string | null;
  apiVersion: string | null;
}

/** What an instance is called, and at which make of gateway. */
export type NamedInstance = Pick<StoredInstance, 'instanceId' | 'provider' | 'instanceName'>;

export interface ReachableInstance {
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
  /** The configured gateway's address, which all tenants share, and what all its writings have in common; undefined where none is configured. */
  private readonly shared: { url: string; place: string; patterns: readonly string[] } | undefined;
  /** Instances that bear a name of another tenant's there: provider and name by id. */
  private sharedGatewayNames: ReadonlyMap<string, string> = new Map();

  constructor(private readonly options: GatewayEndpointsOptions) {
    const { url } = options.defaultGateway;
    this.shared =
      url === undefined ? undefined : { url: withoutEndSlash(url), place: placeOf(url), patterns: patternsOf(url) };
  }

  /**
   * How an instance is reached, or why it is not: PROVIDER_UNKNOWN, GATEWAY_NOT_CONFIGURED, CREDENTIAL_UNREADABLE, or
   * INSTANCE_NAME_TAKEN by another tenant at the shared gateway, as far as `learnForeignNames` has told.
   */
  find(line: StoredInstance): ReachableInstance | PermanentRefusal {
    const gateway = this.options.gateways.get(line.provider);
    if (gateway === undefined) return providerUnknown(line);
    const baseUrl = line.baseUrl ?? gateway.defaultBaseUrl ?? this.options.defaultGateway.url;
    if (baseUrl === undefined) return gatewayNotConfigured(line);
    if (this.hasSharedGatewayName(line)) return instanceNameTaken(line);
    const token = this.findToken(line, gateway);
    if (token === undefined) return credentialUnreadable(line);
    const { instanceName, phoneNumberId, apiVersion } = line;
    const isConfigured = line.baseUrl === null && gateway.defaultBaseUrl === undefined;
    const endpoint = { baseUrl, token, instanceName, phoneNumberId, apiVersion, isConfigured };
    return { outcome: 'reachable', gateway, endpoint };
  }

  /** Every provider that there is a driver for. */
  get providers(): string[] {
    return [...this.options.gateways.keys()];
  }

  /** The provider's name where there is a driver for it, for those who count. */
  providerOf({ provider }: Pick<StoredInstance, 'provider'>): string {
    return this.options.gateways.has(provider) ? provider : 'unknown';
  }

  /** Whether a message sent again under its key arrives once through such an instance. */
  honoursKeys(provider: string): boolean {
    return this.options.gateways.get(provider)?.honoursKeys ?? false;
  }

  /** Where calls for such an instance go, without a slash at its end; undefined where nowhere. */
  addressOf({ provider, baseUrl }: GatewayPlace): string | undefined {
    const url = baseUrl ?? this.options.gateways.get(provider)?.defaultBaseUrl;
    return url === undefined ? this.shared?.url : withoutEndSlash(url);
  }

  /** Whether such an instance stands at the gateway that all tenants share, however its address is written. */
  isShared(place: GatewayPlace): boolean {
    if (this.shared === undefined) return false;
    const url = this.addressOf(place);
    return url !== undefined && placeOf(url) === this.shared.place;
  }

  /** `LIKE` patterns that every stored address of the shared gateway fits, and others may; none where none is configured. */
  get sharedPatterns(): readonly string[] {
    return this.shared?.patterns ?? [];
  }

  /** From now on these instances, and no others, are not reached at the shared gateway under these names. */
  learnSharedGatewayNames(lines: readonly NamedInstance[]): void {
    this.sharedGatewayNames = new Map(lines.map((line) => [line.instanceId, nameKeyOf(line)]));
  }

  // One that was given another name, or a gateway of its own, is reached at once.
  private hasSharedGatewayName(line: StoredInstance): boolean {
    return this.sharedGatewayNames.get(line.instanceId) === nameKeyOf(line) && this.isShared(line);
  }

  /** @returns undefined for a token that cannot be read */
  private findToken(
    { baseUrl, tokenCiphertext, instanceId }: StoredInstance,
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

type Named = Pick<StoredInstance, 'instanceName' | 'provider'>;

function gatewayNotConfigured({ instanceName }: Named): PermanentRefusal {
  const detail = `The chat instance "${instanceName}" has no gateway address, and the service has none configured. Enter its baseUrl.`;
  return permanent('GATEWAY_NOT_CONFIGURED', detail);
}

function credentialUnreadable({ instanceName }: Named): PermanentRefusal {
  return permanent(
    'CREDENTIAL_UNREADABLE',
    `The token of the chat instance "${instanceName}" cannot be read. Enter it again.`,
  );
}

function instanceNameTaken({ instanceName }: Named): PermanentRefusal {
  const advice = 'Choose another name, or give the chat instance a baseUrl and token of its own.';
  return permanent(
    'INSTANCE_NAME_TAKEN',
    `Another tenant has the instance name "${instanceName}" at the shared gateway. ${advice}`,
  );
}

function providerUnknown({ instanceName, provider }: Named): PermanentRefusal {
  const detail = `There is no driver for the provider ${provider} of the chat instance "${instanceName}". Choose one of those that the service offers.`;
  return permanent('PROVIDER_UNKNOWN', detail);
}

function nameKeyOf({ provider, instanceName }: NamedInstance): string {
  return `${provider} ${instanceName}`;
}

function withoutEndSlash(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}

const loopback = 'localhost';
const mappedAddress = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/**
 * Equal for all writings of one address, as far as that can be told without DNS: letter case, a dot at the host's end, forms of an IP
 * address, names and addresses of this machine, the scheme where the port is its usual one, slashes and encodings in the path.
 */
export function placeOf(url: string): string {
  const { port, pathname } = new URL(url);
  const path = pathname
    .replace(/%[0-9a-f]{2}/gi, decoded)
    .replace(/\/+/g, '/')
    .replace(/\/$/, '');
  return `${hostOf(url)}:${port}${path}`;
}

/** `LIKE` patterns that every address of that place fits, as it is stored; others may fit too. */
export function patternsOf(url: string): string[] {
  const host = hostOf(url);
  if (host === loopback) return ['%localhost%', '%//127.%', '%//0.0.0.0%', '%//[::%'];
  const literal = `%//${host.replace(/[\\%_]/g, '\\$&')}%`;
  return isIPv4(host) ? [literal, '%//[::ffff:%'] : [literal];
}

function hostOf(url: string): string {
  const host = new URL(url).hostname.replace(/\.$/, '');
  const [, high, low] = mappedAddress.exec(host) ?? [];
  const name =
    high === undefined || low === undefined ? host : dotted(Number.parseInt(high, 16), Number.parseInt(low, 16));
  // Connecting to no address in particular connects to this machine.
  const isHere = isLoopback(name) || name.endsWith('.localhost') || name === '0.0.0.0' || name === '[::]';
  return isHere ? loopback : name;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function decoded(code: string): string {
  const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : code.toUpperCase();
}
