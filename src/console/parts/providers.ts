// The providers that the console offers, and what of them it has to know. A test compares them with the registry.

interface OfferedProvider {
  /** The name for people, which no language translates. */
  name: string;
  /** Calls are signed with a secret of the instance. */
  signsCalls?: true;
  /** The gateway keeps a history of messages. */
  keepsHistory?: true;
}

export const providers: Readonly<Record<string, OfferedProvider>> = {
  gateway: { name: 'Gateway' },
  evolution: { name: 'Evolution API', keepsHistory: true },
  waha: { name: 'WAHA', signsCalls: true, keepsHistory: true },
  cloud: { name: 'Meta Cloud API', signsCalls: true },
};

/** Returns a provider's name for people; for a provider that the console does not know, the name that instances have. */
export function providerName(name: string): string {
  return providers[name]?.name ?? name;
}
