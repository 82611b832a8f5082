// The providers that the console offers, and what of them it has to know. A test compares them with the registry.

interface OfferedProvider {
  /** The name for people, which no language translates. */
  name: string;
  /** Calls are signed with a secret of the instance. */
  signsCalls?: true;
  /** The gateway keeps a history of messages. */
  keepsHistory?: true;
  /** The network has templates of its own, and takes other texts only for a day after the lead's last message. */
  hasTemplates?: true;
  /** The longest text in characters. Default: 65,536. */
  maxTextLength?: number;
  /** An instance is a number at Meta: with ids of Meta's, the secret of an app, and an address of its own for calls. */
  isMeta?: true;
}

export const providers: Readonly<Record<string, OfferedProvider>> = {
  gateway: { name: 'Gateway' },
  evolution: { name: 'Evolution API', keepsHistory: true },
  waha: { name: 'WAHA', signsCalls: true, keepsHistory: true },
  cloud: { name: 'Meta Cloud API', signsCalls: true, hasTemplates: true, maxTextLength: 4_096, isMeta: true },
};

/** Returns a provider's name for people; for a provider that the console does not know, the name that instances have. */
export function providerName(name: string): string {
  return providers[name]?.name ?? name;
}
