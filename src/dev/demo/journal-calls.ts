// Real calls of the webhooks, for the journal of the demo: some are taken, some ignored or parked, and some refused.

/** Where the product listens, and the demo tenant's key. */
export interface DemoAddress {
  url: string;
  apiKey: string;
}

const hiddenNumber = '184467440737@lid';

const calls: readonly { path: string; body: string | object }[] = [
  { path: '/webhooks/chat/gateway/inbound', body: '{"messageId": "broken", ' },
  { path: '/webhooks/chat/gateway/inbound', body: { messageId: 'without-a-sender', text: 'Hello?' } },
  { path: '/webhooks/leads', body: { chat: 'ask reception', name: 'No Number' } },
  { path: '/webhooks/chat/gateway/status', body: { messageId: '3EB0UNKNOWN', status: 'DELIVERED' } },
  {
    path: '/webhooks/chat/gateway/inbound',
    body: {
      event: 'messages.upsert',
      instance: 'demo',
      data: {
        key: { remoteJid: '120363000000000000@g.us', fromMe: false, id: 'GROUP1' },
        message: { conversation: 'Hi all' },
      },
    },
  },
  {
    path: '/webhooks/leads',
    body: {
      chat: '+44 20 7946 0177',
      name: 'Penelope Marsh',
      source: 'website',
      campaign: 'spring',
      page: '/houses/ericeira',
    },
  },
  {
    path: '/webhooks/chat/gateway/inbound',
    body: {
      event: 'messages.upsert',
      instance: 'demo',
      data: {
        key: { remoteJid: hiddenNumber, fromMe: false, id: '3EB0DEMOHIDDEN00' },
        pushName: 'Priya R.',
        message: { conversation: 'Hello, do you have anything quiet for two in November? 🧘' },
      },
    },
  },
];

/** Makes them one after the other. What is refused is refused on purpose. @returns their HTTP statuses */
export async function makeJournalCalls({ url, apiKey }: DemoAddress): Promise<number[]> {
  const statuses: number[] = [];
  for (const { path, body } of calls) {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tenant-key': apiKey },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
}
