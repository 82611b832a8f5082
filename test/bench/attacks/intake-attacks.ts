// Attacks of one tenant's gateway: more messages than can be written, and calls that take locks.

import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { tokensOf, type Attack, type Note, type Target } from './attack.js';
import { ask, keepCalling, send, webhook } from './attack-calls.js';

const networkInstances = 5;
const messagesPerNetworkCall = 900;
const messageLength = 2_800;
const echoesPerCall = 1_000;
const echoConnections = 4;
// The product takes at most 100 calls a minute, and the attack has to go on for 20 s.
const echoIntervalMs = 800;

const createInstance = `mutation ($input: CreateChatInstanceInput!) { createChatInstance(input: $input) { id } }`;

const flood: Attack = {
  name: `a flood: 40 signed calls of Meta at a time, 2.8 MB and ${messagesPerNetworkCall} messages each`,
  prepare: async (target, note) => {
    const secret = randomBytes(16).toString('hex');
    const ids: string[] = [];
    for (let number = 0; number < networkInstances; number += 1) ids.push(await createNetworkInstance(target, secret));
    return (signal) =>
      keepCalling({ concurrency: 40, signal, note }, (number) => {
        const body = JSON.stringify(networkCall());
        const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
        const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
        return send(target, { path: `/webhooks/chat/cloud/${ids[number % ids.length]}`, headers, body }, signal);
      });
  },
};

async function createNetworkInstance(target: Target, webhookSecret: string): Promise<string> {
  const input = {
    accountId: target.tenant.accountId,
    provider: 'cloud',
    instanceName: `network-${randomUUID()}`,
    token: 'a-token-of-nobody',
    webhookSecret,
  };
  const created = await ask<{ createChatInstance: { id: string } }>(target, createInstance, { input });
  return created.createChatInstance.id;
}

function networkCall(): object {
  const body = 'x'.repeat(messageLength);
  const messages = Array.from({ length: messagesPerNetworkCall }, (_, index) => ({
    from: `55118${String(80_000_000 + index)}`,
    id: `wamid.${randomUUID()}`,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    type: 'text',
    text: { body },
  }));
  const value = { metadata: { phone_number_id: '1' }, contacts: [], messages };
  return { object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field: 'messages', value }] }] };
}

const echoes: Attack = {
  name: `echoes: ${echoesPerCall} in each call, some of two leads that are merged and separated all the time`,
  prepare: async (target, note) => (signal) => {
    const options = { concurrency: echoConnections, signal, note };
    const calls = keepCalling(options, async () => {
      const due = delay(echoIntervalMs, undefined, { signal });
      const call = webhook(target, '/webhooks/chat/gateway/inbound', echoesOf(target));
      return (await Promise.all([send(target, call, signal), due]))[0];
    });
    return Promise.all([calls, mergeAndSeparate(target, signal, note)]);
  },
};

function echoesOf({ tenant, longLeads }: Target): object {
  const chats = longLeads.map(({ chat }) => chat);
  const data = Array.from({ length: echoesPerCall }, (_, index) => ({
    key: {
      id: randomUUID(),
      fromMe: true,
      remoteJid: `${chats[index] ?? `55117${String(80_000_000 + index)}`}@s.whatsapp.net`,
    },
    message: { conversation: 'Oi' },
    messageTimestamp: Math.floor(Date.now() / 1_000),
  }));
  return { event: 'send.message', instance: tenant.instanceName, data };
}

async function mergeAndSeparate(target: Target, signal: AbortSignal, note: Note): Promise<void> {
  const token = tokensOf(target).at(-1) ?? '';
  const [into, lead] = target.longLeads;
  const variables = { intoId: into?.id, leadId: lead?.id };
  const merge =
    'mutation ($intoId: ID!, $leadId: ID!) { mergeLeads(intoId: $intoId, leadId: $leadId) { merges { id undoneAt } } }';
  const undo = 'mutation ($id: ID!) { undoLeadMerge(mergeId: $id) { id } }';
  while (!signal.aborted) {
    try {
      const { mergeLeads } = await ask<{ mergeLeads: { merges: { id: string; undoneAt: string | null }[] } }>(
        target,
        merge,
        variables,
        token,
      );
      note('merged');
      const [open] = mergeLeads.merges.filter(({ undoneAt }) => undoneAt === null);
      await ask(target, undo, { id: open?.id }, token);
      note('separated');
    } catch {
      note('no merge');
      await delay(echoIntervalMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

export const intakeAttacks: readonly Attack[] = [flood, echoes];
