// Removes the configured secrets from all printed text: error messages of other software may quote them.

const secretVariables = [
  'JWT_SECRET',
  'JWT_SECRET_PREVIOUS',
  'ENCRYPTION_KEY',
  'ENCRYPTION_KEY_PREVIOUS',
  'CHAT_WEBHOOK_SECRET',
  'CHAT_WEBHOOK_SECRET_PREVIOUS',
  'OIDC_CLIENT_SECRET',
  'WEB_PUSH_PRIVATE_KEY',
  'GATEWAY_TOKEN',
  'METRICS_TOKEN',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
] as const;
/** URLs with a password in them. */
const urlVariables = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'REDIS_URL'] as const;
/** pgBackRest reads its options from the environment, too. */
const backupSecret = /^PGBACKREST_REPO\d*_\w*(?:KEY|SECRET|TOKEN|PASS|PASSPHRASE)$/;
const shown = '[redacted]';
/** A shorter text is no secret, and would take words out of sentences. */
const minLength = 4;

/** @returns a function that gives a text without any of the environment's secrets */
export function secretMask(environment: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const passwords = urlVariables.flatMap((name) =>
    [environment[name] ?? '', ...(environment[name] ?? '').split(',')].flatMap((url) => passwordsIn(url.trim())),
  );
  const names = [...secretVariables, ...Object.keys(environment).filter((name) => backupSecret.test(name))];
  const values = [...names.map((name) => environment[name] ?? ''), ...headersOf(environment), ...passwords];
  const secrets = [...new Set(values.filter(({ length }) => length >= minLength))].sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, shown), text);
}

function passwordsIn(url: string): string[] {
  // The expression also reads a URL that cannot be parsed, because messages quote such a URL.
  const password = /^\w+:\/\/[^:@/]*:(.*)@/.exec(url)?.[1] ?? '';
  const parameter = URL.canParse(url) ? (new URL(url).searchParams.get('password') ?? '') : '';
  return [password, decode(password), parameter];
}

function headersOf({ OTEL_EXPORTER_OTLP_HEADERS: headers = '' }: Readonly<Record<string, string | undefined>>) {
  return headers.split(',').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
