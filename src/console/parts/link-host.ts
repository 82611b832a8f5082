// Describes the target of an external link in words that cannot deceive.

/**
 * Returns a link's host in the form that is looked up, so that a name in another script cannot pass for a known one. Returns undefined for
 * an address outside the web. The same holds for an address with a user name, which reads like a host.
 */
export function hostOf(address: string | null): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined;
  const { protocol, username, password, host } = new URL(address);
  const isOfWeb = protocol === 'https:' || protocol === 'http:';
  return isOfWeb && username === '' && password === '' && host !== '' ? host : undefined;
}
