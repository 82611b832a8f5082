// The attackers' calls: many at a time, from several addresses of this machine, read to their end and thrown away.

import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { sign } from '../../../src/platform/http/hmac-signature.js';
import type { Note, Target } from './attack.js';

const pauseAfterRefusalMs = 250;
const keptAnswerLength = 2_000;
const agent = new Agent({ keepAlive: true });

export interface AttackCall {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string | number>;
  body?: Buffer | string;
  /** The address that the call comes from; by default, the common one of this machine. */
  localAddress?: string;
}

export interface AttackAnswer {
  status: number;
  /** The beginning of the answer. */
  text: string;
}

/** An address of this machine for each number. */
export function addressOf(number: number): string {
  return `127.0.${1 + Math.floor(number / 200)}.${1 + (number % 200)}`;
}

export function send(target: Pick<Target, 'url'>, call: AttackCall, signal?: AbortSignal): Promise<AttackAnswer> {
  const { method = 'POST', path, headers, body, localAddress } = call;
  return new Promise((resolve, reject) => {
    // Addresses do not share connections.
    const options = { method, headers, signal, localAddress, agent: localAddress === undefined ? agent : false };
    const sent = request(`${target.url}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('latin1');
      response.on('data', (chunk: string) => (text = text.length < keptAnswerLength ? text + chunk : text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A call with one GraphQL operation. */
export function graphql(token: string, query: string, variables?: object): AttackCall {
  return {
    path: '/graphql',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  };
}

/** A call of a chat webhook of the attacker's tenant. */
export function webhook({ tenant, webhookSecret }: Target, path: string, payload: object): AttackCall {
  const body = JSON.stringify(payload);
  const headers = { 'content-type': 'application/json', 'x-tenant-key': tenant.apiKey };
  return { path, body, headers: { ...headers, 'x-signature': sign(webhookSecret, body) } };
}

/** The data of an operation that has to succeed. @throws Error with the answer */
export async function ask<Data>(
  target: Target,
  query: string,
  variables?: object,
  token = target.tenant.token,
): Promise<Data> {
  const { text } = await send(target, graphql(token, query, variables));
  const { data, errors } = JSON.parse(text) as { data?: Data; errors?: unknown };
  if (data == null || errors !== undefined) throw new Error(`The attack could not be prepared: ${text}`);
  return data;
}

/** Makes calls until it is aborted, `concurrency` at a time; each gets its number. After a refusal, it waits a little. */
export async function keepCalling(
  { concurrency, signal, note }: { concurrency: number; signal: AbortSignal; note: Note },
  call: (number: number, signal: AbortSignal) => Promise<AttackAnswer>,
): Promise<void> {
  let number = 0;
  const callInTurn = async () => {
    while (!signal.aborted) {
      const outcome = await call(number++, signal).then(outcomeOf, () => 'no answer');
      if (signal.aborted) return;
      note(outcome);
      if (outcome !== '200') await delay(pauseAfterRefusalMs, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, callInTurn));
}

function outcomeOf({ status, text }: AttackAnswer): string {
  const code = /"code":"(\w+)"/.exec(text)?.[1];
  return code === undefined ? String(status) : `${status} ${code}`;
}
