// Webhook calls of the demo: an ad's lead with choices, a phone call and a new number. Further calls fill the journal: they are ignored,
// parked, held or refused.

const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1_000) - minutes * 60;

/** The address on which the product listens, and the demo tenant's key. */
export interface DemoAddress {
  url: string;
  apiKey: string;
}

const hiddenNumber = '184467440737@lid';

const inboundPath = '/webhooks/chat/gateway/inbound';

interface DemoCall {
  path: string;
  body: string | object;
}

/** A lead that an ad brings: it chooses, fills in a form, calls, and takes another number. */
const callsOfAdLead = (): DemoCall[] => [
  {
    path: inboundPath,
    body: {
      messageId: '3EB0DEMOAD00',
      from: '447700900171',
      name: 'Marguerite Okonkwo',
      text: 'Hi! I saw your ad. Is the house with the blue shutters still free in June?',
      timestamp: minutesAgo(50),
      referral: {
        sourceId: '120239177205810192',
        headline: 'Houses by the sea, open now',
        body: 'Book by Sunday and stay a night longer',
        sourceUrl: 'https://fb.example/810192',
        clickId: 'Affc9P3TLX9oDemo',
      },
    },
  },
  {
    path: inboundPath,
    body: {
      messageId: '3EB0DEMOCHOICE00',
      from: '447700900171',
      timestamp: minutesAgo(46),
      choice: { kind: 'LIST', id: 'weekend', title: 'Weekend', description: 'Saturday or Sunday, from 10:00' },
    },
  },
  {
    path: inboundPath,
    body: {
      messageId: '3EB0DEMOFORM00',
      from: '447700900171',
      timestamp: minutesAgo(41),
      choice: { kind: 'FLOW', title: 'Sent', answers: { arrival: '2027-06-12', guests: 4, message: 'With a cot' } },
    },
  },
  {
    path: inboundPath,
    body: { from: '447700900171', type: 'call', callId: 'demo-call', timestamp: minutesAgo(24) },
  },
  {
    path: inboundPath,
    body: {
      messageId: '3EB0DEMONOTICE00',
      from: '447700900171',
      type: 'notice',
      notice: { kind: 'NUMBER_CHANGED', newFrom: '447700900172' },
      timestamp: minutesAgo(12),
    },
  },
];

const journalCalls: readonly DemoCall[] = [
  { path: inboundPath, body: '{"messageId": "broken", ' },
  { path: inboundPath, body: { messageId: 'without-a-sender', text: 'Hello?' } },
  { path: '/webhooks/leads', body: { chat: 'ask reception', name: 'No Number' } },
  { path: '/webhooks/chat/gateway/status', body: { messageId: '3EB0UNKNOWN', status: 'DELIVERED' } },
  {
    path: inboundPath,
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
    path: inboundPath,
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

/** A form submission without a readable number, which is held until it gets one. */
const heldSubmission = { id: 'demo-held', name: 'Otto Brandt', email: 'otto@example.com', phone: 'please mail me' };

/**
 * Makes the calls one after the other. Some of them are refused on purpose.
 * @param formPath of the form of the website
 * @returns their HTTP statuses
 */
export async function makeJournalCalls({
  url,
  apiKey,
  formPath,
}: DemoAddress & { formPath: string }): Promise<number[]> {
  const statuses: number[] = [];
  const held = { path: formPath, body: heldSubmission };
  for (const { path, body } of [...callsOfAdLead(), ...journalCalls, held]) {
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
