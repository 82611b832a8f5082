// Closes all sockets of a process that ends, spread over time: whoever is sent away comes back elsewhere, and not all at once.

import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocketServer } from 'ws';

const goingAway = 1001;
const socketsPerStep = 25;
const stepMs = 20;
/** However many there are. */
const maxSpreadMs = 4_000;
/** What is asked of clients that can wait: as long as this process took to let go of all, twenty times over. */
const reconnectFactor = 20;

/** Closes with 1001, and a reason that says how long to wait: `Going away: connect again in 1250 ms`. */
export async function drainSockets(sockets: WebSocketServer): Promise<void> {
  const clients = [...sockets.clients];
  const steps = Math.min(Math.ceil(clients.length / socketsPerStep), Math.floor(maxSpreadMs / stepMs));
  const perStep = Math.ceil(clients.length / Math.max(1, steps));
  for (let start = 0; start < clients.length; start += perStep) {
    if (start > 0) await delay(stepMs);
    for (const client of clients.slice(start, start + perStep)) {
      const waitMs = Math.floor(Math.random() * steps * stepMs * reconnectFactor);
      client.close(goingAway, `Going away: connect again in ${waitMs} ms`);
    }
  }
  await new Promise<void>((resolve) => sockets.close(() => resolve()));
}
