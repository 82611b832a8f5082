// Attacks of strangers, who have no key, no token and no user.

import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Attack } from './attack.js';
import { addressOf, keepCalling, send } from './attack-calls.js';
import { headOf, holdConnections } from './held-connections.js';

const stalledCount = 400;
const stalledAddresses = 8;
const inflatedBytes = 2_900_000;
const unknownKeys = 26_000;
const guessAddresses = 100;
const socketCount = 2_000;
const socketAddresses = 100;
const keyBytes = 'dGhlIHNhbXBsZSBub25jZQ==';

const stalledBodies: Attack = {
  name: `a stranger: ${stalledCount} stalled bodies of 3 KB that inflate to 2.9 MB, on the path of Meta's calls`,
  prepare: async (target, note) => {
    // The body lacks the checksum at its end, so that the server cannot know that it is whole.
    const body = gzipSync(Buffer.alloc(inflatedBytes)).subarray(0, -8);
    const headers = {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'content-length': body.length + 8,
    };
    const write = () => Buffer.concat([Buffer.from(headOf('POST', pathOfNobody(), headers)), body]);
    const localAddress = (number: number) => addressOf(number % stalledAddresses);
    return (signal) => holdConnections(target, { count: stalledCount, signal, note, write, localAddress, reads: true });
  },
};

const pathOfNobody = () => `/webhooks/chat/cloud/${randomUUID()}`;

/** An input with unknown fields: 207 KB. */
export const unknownFields = {
  query: 'mutation ($input: CreateLeadInput!) { createLead(input: $input) { created } }',
  variables: { input: Object.fromEntries(Array.from({ length: unknownKeys }, (_, index) => [index.toString(36), 0])) },
};

const unknownVariables: Attack = {
  name: `a stranger: GraphQL variables with ${unknownKeys.toLocaleString('en')} unknown fields, 4 requests at a time`,
  prepare: async (target, note) => {
    const body = JSON.stringify(unknownFields);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    return (signal) =>
      keepCalling({ concurrency: 4, signal, note }, (number) => {
        const localAddress = addressOf(number % guessAddresses);
        return send(target, { path: '/graphql', headers, body, localAddress }, signal);
      });
  },
};

const silentSockets: Attack = {
  name: `a stranger: ${socketCount.toLocaleString('en')} WebSockets that never say who they are`,
  prepare: async (target, note) => {
    const upgrade = headOf('GET', '/graphql', {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': 13,
      'sec-websocket-key': keyBytes,
      'sec-websocket-protocol': 'graphql-transport-ws',
    });
    const localAddress = (number: number) => addressOf(number % socketAddresses);
    const options = { count: socketCount, write: () => upgrade, localAddress, reads: true };
    return (signal) => holdConnections(target, { ...options, signal, note });
  },
};

export const strangerAttacks: readonly Attack[] = [stalledBodies, unknownVariables, silentSockets];
