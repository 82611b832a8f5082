// Requests of signed-in callers that are made to hold the process up.

import { createHmac, randomUUID } from 'node:crypto';
import { sign } from '../../../src/platform/http/hmac-signature.js';
import { badFields, manyMutations, wideHeader } from '../attacks/field-attacks.js';
import { hugeFrame } from '../attacks/live-attacks.js';
import { largeAnswer } from '../attacks/reader-attacks.js';
import { unknownFields } from '../attacks/stranger-attacks.js';
import {
  json,
  sendFrames,
  sendHttp,
  type BoundedRequest,
  type HttpRequest,
  type RequestAnswer,
  type Subject,
} from './bounded-request.js';

const list = <Item>(length: number, make: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => make(index));

interface Operation {
  query: string;
  variables?: object;
}

const graphql = (name: string, make: (subject: Subject, number: number) => Operation): BoundedRequest => ({
  name,
  send: (subject, number) => {
    const { query, variables } = make(subject, number);
    const headers = { authorization: `Bearer ${subject.tenant.token}` };
    return sendHttp(subject, json('/graphql', { query: `${query}\n# ${number}`, variables }, headers));
  },
});

const webhook = (name: string, path: string, make: (subject: Subject) => object): BoundedRequest => ({
  name,
  send: (subject) => {
    const payload = make(subject);
    const signature = sign(subject.webhookSecret, JSON.stringify(payload));
    const headers = { 'x-tenant-key': subject.tenant.apiKey, 'x-signature': signature };
    return sendHttp(subject, json(path, payload, headers));
  },
});

const file = (name: string, body: string): BoundedRequest => ({
  name,
  send: (subject) => {
    const headers = { 'content-type': 'text/csv', authorization: `Bearer ${subject.tenant.token}` };
    const request: HttpRequest = { path: '/leads/import?dryRun=true', headers, body };
    return sendHttp(subject, request);
  },
});

const inbound = '/webhooks/chat/gateway/inbound';
const now = () => Math.floor(Date.now() / 1_000);

const networkCall: BoundedRequest = {
  name: 'a signed call of Meta, 2.8 MB and 900 messages',
  send: (subject) => {
    const messages = list(900, (index) => ({
      from: `55113${String(80_000_000 + index)}`,
      id: `wamid.${randomUUID()}`,
      timestamp: String(now()),
      type: 'text',
      text: { body: 'x'.repeat(2_800) },
    }));
    const value = { metadata: { phone_number_id: '1' }, contacts: [], messages };
    const payload = {
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field: 'messages', value }] }],
    };
    const { id, secret } = subject.network;
    const signature = createHmac('sha256', secret).update(JSON.stringify(payload)).digest('hex');
    return sendHttp(
      subject,
      json(`/webhooks/chat/cloud/${id}`, payload, { 'x-hub-signature-256': `sha256=${signature}` }),
    );
  },
};

const frame: BoundedRequest = {
  name: 'a change of a lead, shown to a subscription 45 times for each of 200 messages',
  send: async (subject, number) => {
    const { tenant, largeLeadId } = subject;
    const init = { type: 'connection_init', payload: { authorization: `Bearer ${tenant.token}` } };
    const subscribe = { type: 'subscribe', id: '1', payload: { query: `${hugeFrame} # ${number}` } };
    const shown = sendFrames(subject, [init, subscribe]);
    const change = 'mutation ($id: ID!, $name: String!) { updateLead(id: $id, input: {name: $name}) { id } }';
    const variables = { id: largeLeadId, name: `Large ${number}` };
    const headers = { authorization: `Bearer ${tenant.token}` };
    // The subscription stands after this wait, because the frames of a socket go ahead of a later request.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await sendHttp(subject, json('/graphql', { query: change, variables }, headers));
    return shown;
  },
};

const exported = (path: string): BoundedRequest => ({
  name: `GET ${path}`,
  send: (subject): Promise<RequestAnswer> =>
    sendHttp(subject, { method: 'GET', path, headers: { authorization: `Bearer ${subject.tenant.token}` } }),
});

export const signedRequests: readonly BoundedRequest[] = [
  graphql('26,000 unknown fields in a variable', () => unknownFields),
  graphql('20,000 wrong custom fields', ({ largeLeadId }) => {
    const { query, customFields } = badFields;
    return { query, variables: { id: largeLeadId, customFields } };
  }),
  graphql('a lead with 26,000 fields of metadata', () => ({
    query: 'mutation ($input: CreateLeadInput!) { createLead(input: $input) { created } }',
    variables: { input: { chat: '5511988887777', metadata: unknownFields.variables.input } },
  })),
  graphql('a template with 12,000 values', ({ templateId }) => ({
    query: 'query ($id: ID!, $variables: JSONObject) { renderTemplate(id: $id, variables: $variables) { body } }',
    variables: { id: templateId, variables: Object.fromEntries(list(12_000, (index) => [`name${index}`, index])) },
  })),
  graphql('a bulk send to 4,000 leads that are unknown', ({ templateId }) => ({
    query: 'mutation ($input: SendMessagesInput!) { sendMessages(input: $input) { id } }',
    variables: {
      input: { templateId, idempotencyKey: randomUUID(), recipients: list(4_000, () => ({ leadId: randomUUID() })) },
    },
  })),
  graphql('a bulk send to 12,000 leads that are none', ({ templateId }) => ({
    query: 'mutation ($input: SendMessagesInput!) { sendMessages(input: $input) { id } }',
    variables: {
      input: { templateId, idempotencyKey: randomUUID(), recipients: list(12_000, () => ({ leadId: '' })) },
    },
  })),
  graphql('45 mutations', (_subject, number) => ({ query: manyMutations(45, number * 45) })),
  graphql('200 leads with 100 fields each', () => ({
    query: `{ leads(first: 200) { edges { node { ${list(45, (index) => `a${index}: name`).join(' ')} ${list(48, () => 'chat').join(' ')} } } } }`,
  })),
  graphql('30 leads with 40 messages of 15 fields', () => ({
    query: `{ leads(first: 30, filter: {sources: ["ads"]}) { edges { node { id messages(last: 40) { edges { node { id body type direction status
      externalId createdAt receivedAt sentAt deliveredAt readAt failedAt scheduledFor templateVersion providerTimestamp } } } } } } }`,
  })),
  graphql('7.7 MB of custom fields', () => ({ query: largeAnswer })),
  graphql('50 times the same 200 leads with custom fields', () => ({
    query: `{ leads(first: 200, filter: {sources: ["large"]}) { edges { node { ${list(49, (index) => `c${index}: customFields`).join(' ')} } } } }`,
  })),
  frame,
  webhook('500 messages in', inbound, () => ({
    messages: list(500, (index) => ({
      messageId: randomUUID(),
      from: `55114${String(80_000_000 + index)}`,
      text: 'x'.repeat(380),
    })),
  })),
  webhook('1,000 echoes', inbound, ({ tenant }) => ({
    event: 'send.message',
    instance: tenant.instanceName,
    data: list(1_000, (index) => ({
      key: { id: randomUUID(), fromMe: true, remoteJid: `55117${String(80_000_000 + index)}@s.whatsapp.net` },
      message: { conversation: 'Oi' },
      messageTimestamp: now(),
    })),
  })),
  webhook('500 statuses', '/webhooks/chat/gateway/status', () => ({
    statuses: list(500, () => ({ messageId: randomUUID(), status: 'DELIVERED' })),
  })),
  webhook('80,000 empty messages', inbound, () => ({ messages: list(80_000, () => ({})) })),
  webhook('500 messages that are wrong', inbound, () => ({
    messages: list(500, () => ({ from: [], text: 5, media: 'x' })),
  })),
  webhook('a lead with 26,000 other fields', '/public/leads', () => ({
    chat: '5511988887777',
    ...unknownFields.variables.input,
  })),
  networkCall,
  file('a file whose first line has 16,000 columns', `${wideHeader}\n`),
  file(
    'a file with 20,000 rows',
    `chat,name,tags,plan\n${list(20_000, (index) => `55112${80_000_000 + index},Ana,a;b,gold`).join('\n')}`,
  ),
  file('a file with 20,000 wrong rows', `chat,name,plan\n${list(20_000, () => 'x,Ana,gold').join('\n')}`),
  file('a file with one line of 10 MB', `chat,name\n"${'x'.repeat(10_000_000)}`),
  exported('/leads/export.csv'),
  exported('/messages/export.csv'),
];
