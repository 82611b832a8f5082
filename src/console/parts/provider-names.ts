// The providers' names for people, which no language translates. The console offers these providers.

export const providerNames: Readonly<Record<string, string>> = {
  gateway: 'Gateway',
  evolution: 'Evolution API',
  waha: 'WAHA',
  cloud: 'Meta Cloud API',
};

/** Returns a provider's name for people; for a provider that the console does not know, the name that instances have. */
export function providerName(name: string): string {
  return providerNames[name] ?? name;
}
