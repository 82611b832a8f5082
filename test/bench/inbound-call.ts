// Calls of the inbound webhook: one new message each, over a fixed set of leads.

import { randomBytes } from 'node:crypto';
import { sign } from '../../src/platform/http/hmac-signature.js';
import type { LoadRequest } from './load.js';
import type { Product, ProductTenant } from './product.js';

export const inboundPath = '/webhooks/chat/gateway/inbound';
export const leadCount = 5_000;
const leadsPerCall = 500;

/** The numbers of the leads. */
export const chatNumbers: readonly string[] = Array.from({ length: leadCount }, (_, index) => chatNumberOf(index));

/** A number of its own for each index, from 0 to 19,999,999. */
export function chatNumberOf(index: number): string {
  return `55119${String(80_000_000 + index)}`;
}

/** Gateways make ids at random, so that ids of neighbouring times lie apart in an index. */
export function randomExternalId(prefix: string): string {
  return `${prefix}-3EB0${randomBytes(9).toString('hex').toUpperCase()}`;
}

export interface InboundOptions {
  /** Keeps the message ids of two servers on one database apart. */
  messagePrefix: string;
  instanceName: string;
  apiKey: string;
  secret: string;
}

/** Each call makes a request with a message id of its own, from the leads in turn. */
export function inboundRequests({ messagePrefix, instanceName, apiKey, secret }: InboundOptions): () => LoadRequest {
  let index = 0;
  return () => {
    const body = JSON.stringify({
      instance: instanceName,
      messageId: randomExternalId(messagePrefix),
      from: chatNumbers[index % leadCount],
      name: `Lead ${index % leadCount}`,
      type: 'text',
      text: `Bom dia! Ainda tem a casa da rua ${index}? Posso visitar amanhã às 15h.`,
      timestamp: Math.floor(Date.now() / 1_000),
    });
    index += 1;
    return { body, headers: signedHeaders(body, { apiKey, secret }) };
  };
}

/** The headers of a chat webhook. */
export function signedHeaders(
  body: string,
  { apiKey, secret }: Pick<InboundOptions, 'apiKey' | 'secret'>,
): Record<string, string> {
  return { 'content-type': 'application/json', 'x-tenant-key': apiKey, 'x-signature': sign(secret, body) };
}

/** Creates the leads through the product's own endpoint, so that they are complete: identity, inbox position and event. */
export async function createLeads(product: Product): Promise<void> {
  for (const tenant of [product.tenant, ...product.otherTenants]) await createLeadsOf(product, tenant);
}

async function createLeadsOf({ url, webhookSecret: secret }: Product, tenant: ProductTenant): Promise<void> {
  for (let start = 0; start < leadCount; start += leadsPerCall) {
    const messages = chatNumbers
      .slice(start, start + leadsPerCall)
      .map((from, index) => ({ messageId: `seed-${start + index}`, from, name: `Lead ${start + index}`, text: 'Oi' }));
    const body = JSON.stringify({ messages });
    const headers = signedHeaders(body, { apiKey: tenant.apiKey, secret });
    const response = await fetch(`${url}${inboundPath}`, { method: 'POST', headers, body });
    const answer = await response.text();
    if (!response.ok || !answer.includes(`"accepted":${messages.length}`)) {
      throw new Error(`The leads could not be created: ${response.status} ${answer.slice(0, 500)}`);
    }
  }
}
