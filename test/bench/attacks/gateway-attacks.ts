// Attacks by the gateway of a tenant: answers that are costly to read, and names that no DNS server resolves.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attack, Target } from './attack.js';
import { ask, graphql, keepCalling, send } from './attack-calls.js';

const emptyRecords = 2_790_000;
const lostSends = 4;
const silentNames = 24;
/** The wait until all sends are lost. */
const untilLostMs = 1_000;

const createInstance = `mutation ($input: CreateChatInstanceInput!) { createChatInstance(input: $input) { id } }`;

async function createOn(target: Target, provider: string, baseUrl: string): Promise<string> {
  const instanceName = `attack-${randomUUID()}`;
  const input = { accountId: target.tenant.accountId, provider, instanceName, baseUrl, token: 'a-token' };
  const created = await ask<{ createChatInstance: { id: string } }>(target, createInstance, { input });
  return created.createChatInstance.id;
}

const costlyAnswers: Attack = {
  waitsForRetries: true,
  name: `a gateway that loses ${lostSends} sends and lists ${emptyRecords.toLocaleString('en')} empty messages when it is asked`,
  prepare: async (target, note) => {
    const records = `[${'{},'.repeat(emptyRecords - 1)}{}]`;
    const page = Buffer.from(`{"messages":{"total":1,"pages":50,"currentPage":1,"records":${records}}}`);
    const gateway = createServer((request, response) => {
      const { url = '' } = request;
      const isList = url.startsWith('/chat/findMessages');
      if (isList) note('list asked for');
      request.resume();
      if (url.startsWith('/message/')) request.socket.destroy();
      else response.setHeader('content-type', 'application/json').end(isList ? page : '{"instance":{"state":"open"}}');
    }).listen(0, '127.0.0.1');
    await once(gateway, 'listening');
    const baseUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const instanceId = await createOn(target, 'evolution', baseUrl);
    const query = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { id } }';
    for (const leadId of target.largeLeadIds.slice(0, lostSends))
      await ask(target, query, { input: { leadId, instanceId, body: 'Oi' } });
    await delay(untilLostMs);
    // At the end, calls that are still under way lose their connection.
    return (signal) => once(signal, 'abort').then(() => gateway.closeAllConnections());
  },
};

const unknownNames: Attack = {
  name: `${silentNames} gateways whose names a silent DNS server is asked for`,
  needsSilentDns: true,
  prepare: async (target, note) => {
    const ids: string[] = [];
    for (let number = 0; number < silentNames; number += 1)
      ids.push(await createOn(target, 'gateway', `http://${randomUUID()}.silent.example`));
    const query = 'mutation ($id: ID!) { connectChatInstance(id: $id) { status } }';
    return (signal) =>
      keepCalling({ concurrency: silentNames, signal, note }, (number) =>
        send(target, graphql(target.tenant.token, query, { id: ids[number % ids.length] }), signal),
      );
  },
};

export const gatewayAttacks: readonly Attack[] = [costlyAnswers, unknownNames];
