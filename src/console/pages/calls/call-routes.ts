// The addresses that other systems call, with an example body for each.

const callRoutes = {
  '/public/leads': { chat: '+55 11 98888-7777', name: 'Ana', source: 'site' },
  '/webhooks/leads': { chat: '+55 11 98888-7777', name: 'Ana', campaign: 'spring' },
  '/webhooks/chat/gateway/inbound': {
    messageId: 'test-1',
    from: '5511988887777',
    name: 'Ana',
    type: 'text',
    text: 'Oi',
  },
  '/webhooks/chat/gateway/status': { messageId: '3EB0', status: 'DELIVERED' },
} as const;

export type CallRoute = keyof typeof callRoutes;

export const routeNames = Object.keys(callRoutes) as CallRoute[];

export const isKnownRoute = (route: string): route is CallRoute => Object.hasOwn(callRoutes, route);

/** Returns true for a webhook path on this server. The API key is sent to no other path. */
export const canBeSent = (route: string): boolean => /^\/(?:public\/leads|webhooks(?:\/[\w-][\w.-]*)+)$/.test(route);

/** Returns the example body of a route. Its ids and times are new each time, so that a second call is not a duplicate. */
export function exampleOf(route: CallRoute, now: number): string {
  const isChat = route.startsWith('/webhooks/chat');
  const example = { ...callRoutes[route], ...(isChat && { timestamp: Math.floor(now / 1_000) }) };
  const isInbound = route === '/webhooks/chat/gateway/inbound';
  return JSON.stringify({ ...example, ...(isInbound && { messageId: `test-${now}` }) }, null, 2);
}

type SourceKind = 'META' | 'GOOGLE' | 'FORM';

/** Returns the example body of a lead source. Administrators enter Google's key themselves. */
export function exampleOfSource(kind: SourceKind, now: number): string {
  const id = String(now);
  const examples: Record<SourceKind, object> = {
    META: {
      object: 'page',
      entry: [{ id: '1', changes: [{ field: 'leadgen', value: { leadgen_id: id, form_id: '1' } }] }],
    },
    GOOGLE: {
      google_key: '',
      lead_id: `test-${id}`,
      user_column_data: [
        { column_id: 'FULL_NAME', string_value: 'Ana' },
        { column_id: 'PHONE_NUMBER', string_value: '+5511988887777' },
      ],
    },
    FORM: { phone: '+55 11 98888-7777', name: 'Ana', id },
  };
  return JSON.stringify(examples[kind], null, 2);
}

/** Splits a refusal into code and detail: `VALIDATION_FAILED: from: is required` has the code `VALIDATION_FAILED`. */
export function refusalOf(reason: string | null): { code: string; detail: string } | undefined {
  const match = /^([A-Z_]+): ?(.*)$/s.exec(reason ?? '');
  return match === null ? undefined : { code: match[1] ?? '', detail: match[2] ?? '' };
}
