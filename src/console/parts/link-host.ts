// Where a link from outside leads to, in words that do not deceive.

/**
 * The host that a link leads to, as it is looked up: a name in another script cannot pass for a known one. Undefined where there is
 * no link to show: not of the web, or with a user's name before the host, which reads like a host itself.
 */
export function hostOf(address: string | null): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined;
  const { protocol, username, password, host } = new URL(address);
  const isOfWeb = protocol === 'https:' || protocol === 'http:';
  return isOfWeb && username === '' && password === '' && host !== '' ? host : undefined;
}
