// A subscription on a socket of its own, with every answer that comes back on it.

import { once } from 'node:events';
import WebSocket from 'ws';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { until } from '../features/messages/sending-harness.js';

export interface SocketAnswer {
  data?: unknown;
  errors?: { extensions: { code: string } }[];
}

export interface Ear {
  /** The answers so far. */
  readonly heard: readonly SocketAnswer[];
  /** The next answer that was not taken yet; fails after 10 s. */
  next(): Promise<SocketAnswer>;
  /** The close code, or the errors that ended the subscription. */
  readonly ended: Promise<{ closed: number } | { errors: unknown }>;
  close(): Promise<void>;
}

interface Frame {
  type: string;
  payload?: unknown;
}

/** Returns once the subscription is in force, or was refused. */
export async function listen(
  app: TestApp,
  authorization: string | undefined,
  query: string,
  variables: Record<string, unknown>,
  tenant: TestTenant,
): Promise<Ear> {
  const { feed } = app.app.services;
  const before = feed.subscriberCount(tenant.id);
  const socket = new WebSocket(app.socketUrl, ['graphql-transport-ws']);
  const heard: SocketAnswer[] = [];
  let taken = 0;
  let isOver = false;
  const ended = new Promise<{ closed: number } | { errors: unknown }>((resolve) => {
    socket.on('close', (closed) => resolve({ closed }));
    socket.on('message', (data: Buffer) => {
      const { type, payload } = JSON.parse(data.toString('utf8')) as Frame;
      if (type === 'next') heard.push(payload as SocketAnswer);
      if (type === 'error') resolve({ errors: payload });
      if (type === 'complete') resolve({ errors: heard.at(-1)?.errors });
      if (type === 'connection_ack')
        socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query, variables } }));
    });
  });
  void ended.then(() => (isOver = true));
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
  await until(
    () => isOver || feed.subscriberCount(tenant.id) > before,
    (ready) => ready,
  );
  return {
    heard,
    ended,
    async next() {
      await until(
        () => heard.length,
        (count) => count > taken,
      );
      taken += 1;
      return heard[taken - 1]!;
    },
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.close();
      await once(socket, 'close');
    },
  };
}
