// The time until a photo can be seen: from the 2xx of the gateway's webhook until its signed address has answered 200 with all bytes, one
// photo after the other.

import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { inboundPath, signedHeaders } from './inbound-call.js';
import type { Product } from './product.js';
import { percentile, type Listing } from './side-by-side.js';

const photoCount = 100;
/** The interval at which a client looks. */
const lookMs = 10;
const limitMs = 30_000;
const phoneNumberId = '106540352242922';

/** Posts a message with a photo. @returns its answer */
type Sender = (from: string) => Promise<Response>;

interface Call {
  query: string;
  variables: object;
}

/** @param peer a gateway that answers as Evolution API and as Meta do */
export async function measureFirstSight(
  product: Product,
  peer: string,
  progress: (line: string) => void,
): Promise<Listing> {
  const senders: [string, Sender][] = [
    ['Evolution API, `getBase64FromMediaMessage`', await evolutionSender(product, peer)],
    ['Meta, by id', await metaSender(product, peer)],
  ];
  const rows: string[][] = [];
  for (const [name, sender] of senders) {
    const timesMs = await measure(product, sender);
    const times = [0.5, 0.95, 1].map((fraction) => `${percentile(timesMs, fraction).toFixed(0)} ms`);
    progress(`${name}: ${times.join(', ')}`);
    rows.push([name, ...times]);
  }
  return {
    title: 'From the 2xx of a webhook until its photo can be read',
    columns: ['gateway', 'p50', 'p95', 'longest'],
    rows,
    notes: [
      `${photoCount} photos of 200 kB each, one after the other. The gateway is on the same machine. The client asks for \`media.url\` every ${lookMs} ms.`,
    ],
  };
}

async function measure(product: Product, sender: Sender): Promise<Float64Array> {
  const timesMs: number[] = [];
  for (let index = 0; index < photoCount; index += 1) {
    const answer = await sender(`55119${String(90_000_000 + index)}`);
    const answeredAtMs = performance.now();
    const body = await answer.text();
    if (!answer.ok) throw new Error(`A photo was answered ${answer.status}: ${body}`);
    const id = (JSON.parse(body) as { results: { messageId: string }[] }).results[0]?.messageId ?? '';
    await untilSeen(product, id);
    timesMs.push(performance.now() - answeredAtMs);
  }
  return Float64Array.from(timesMs).sort();
}

async function untilSeen(product: Product, id: string): Promise<void> {
  const query = 'query ($id: ID!) { message(id: $id) { media { state url size error } } }';
  const startedAtMs = performance.now();
  while (performance.now() - startedAtMs < limitMs) {
    const { message } = await ask<{
      message: { media: { state: string; url: string | null; size: number; error: string | null } };
    }>(product, { query, variables: { id } });
    const { url, size, state, error } = message.media;
    if (state !== 'PENDING' && url === null) throw new Error(`A photo is ${state}: ${error}`);
    if (url !== null) {
      const read = await fetch(new URL(url, product.url));
      const { byteLength } = await read.arrayBuffer();
      if (read.status === 200 && byteLength === size) return;
      throw new Error(`A photo was answered ${read.status} with ${byteLength} bytes of ${size}`);
    }
    await delay(lookMs);
  }
  throw new Error('A photo was not fetched in time');
}

async function evolutionSender(product: Product, peer: string): Promise<Sender> {
  const instanceName = `evolution-${randomUUID()}`;
  await createInstance(product, { instanceName, provider: 'evolution', baseUrl: peer, token: 'bench' });
  return (from) => {
    const data = {
      key: { remoteJid: `${from}@s.whatsapp.net`, fromMe: false, id: randomBytes(10).toString('hex').toUpperCase() },
      messageType: 'imageMessage',
      messageTimestamp: Math.floor(Date.now() / 1_000),
      message: { imageMessage: { url: 'https://mmg.whatsapp.net/o1/enc', mimetype: 'image/png' } },
    };
    const body = JSON.stringify({ event: 'messages.upsert', instance: instanceName, data });
    const { webhookSecret: secret, tenant, url } = product;
    return fetch(`${url}${inboundPath}`, {
      method: 'POST',
      headers: signedHeaders(body, { apiKey: tenant.apiKey, secret }),
      body,
    });
  };
}

async function metaSender(product: Product, peer: string): Promise<Sender> {
  const webhookSecret = randomBytes(16).toString('hex');
  const id = await createInstance(product, {
    instanceName: `cloud-${randomUUID()}`,
    provider: 'cloud',
    baseUrl: peer,
    token: 'bench',
    metadata: { phoneNumberId },
    webhookSecret,
  });
  return (from) => {
    const image = { mime_type: 'image/png', id: '1234567890' };
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const value = {
      metadata: { display_phone_number: '5511', phone_number_id: phoneNumberId },
      contacts: [{ profile: { name: 'Ana' }, wa_id: from }],
      messages: [{ from, id: `wamid.${randomUUID()}`, timestamp, type: 'image', image }],
    };
    const entry = [{ id: '1', changes: [{ field: 'messages', value }] }];
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
    const signature = createHmac('sha256', webhookSecret).update(body).digest('hex');
    return fetch(`${product.url}/webhooks/chat/cloud/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
      body,
    });
  };
}

async function createInstance(product: Product, input: object): Promise<string> {
  const query = 'mutation ($input: CreateChatInstanceInput!) { createChatInstance(input: $input) { id } }';
  const variables = { input: { accountId: product.tenant.accountId, ...input } };
  const { createChatInstance } = await ask<{ createChatInstance: { id: string } }>(product, { query, variables });
  return createChatInstance.id;
}

async function ask<Data>({ url, tenant }: Product, call: Call): Promise<Data> {
  const headers = { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify(call) });
  const { data, errors } = (await answer.json()) as { data?: Data | null; errors?: unknown };
  if (data == null || errors !== undefined) throw new Error(`GraphQL answered ${JSON.stringify(errors)}`);
  return data;
}
