// Cancellations against workers that send: a message is canceled and never reaches the gateway, or it is sent.

import { setTimeout as delay } from 'node:timers/promises';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { execute } from '../../support/graphql-client.js';
import { CancelMessageDocument } from '../../support/operations.js';
import type { TestApp } from '../../support/test-app.js';
import { createLead, send, startSender, stateOf, waitForEmptyOutbox, withSender } from './sending-harness.js';

interface Scale {
  leadCount: number;
  messagesPerLead: number;
}

export function describeCancellations(): void {
  describeCancellationsOf({ leadCount: 10, messagesPerLead: 4 });
}

export function describeManyCancellations(): void {
  describeCancellationsOf({ leadCount: 20, messagesPerLead: 10 });
}

function describeCancellationsOf({ leadCount, messagesPerLead }: Scale): void {
  const count = leadCount * messagesPerLead;
  let simulator: GatewaySimulator;
  let app: TestApp;

  withSender((sender) => ({ simulator, app } = sender));

  test(`${count} times against workers: it is canceled and never reaches the gateway, or it is sent`, async () => {
    // The limit allows one send at a time: however long it takes, the other leads' messages wait for its answer.
    const paced = await app.createTenant({ chatRateLimit: { max: 1, durationMs: 100 } });
    // The wait before a cancellation adapts to the machine: it grows after each canceled message, and shrinks after each sent one. Sends
    // take longer than cancellations, so that one in five is sent.
    let waitMs = 100;
    const second = await startSender(simulator, { PROCESS_ROLE: 'worker' }, app.database);
    try {
      const leads = await Promise.all(Array.from({ length: leadCount }, () => createLead(app, paced)));
      const rounds = leads.map(async (leadId, lane) => {
        const ids: { id: string; isCanceled: boolean }[] = [];
        for (let round = 0; round < messagesPerLead; round += 1) {
          const id = await send(app, paced, { leadId, body: `${lane} ${round}` });
          await delay((waitMs * ((lane * 7 + round * 13) % 20)) / 10);
          const { data, errors } = await execute(app, paced.operator, CancelMessageDocument, { id });
          if (errors !== undefined) expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
          const isCanceled = data?.cancelMessage.status === 'CANCELED';
          waitMs = isCanceled ? Math.min(waitMs * 1.05, 2_000) : Math.max(waitMs / 1.2, 1);
          ids.push({ id, isCanceled });
        }
        return ids;
      });
      const all = (await Promise.all(rounds)).flat();
      await waitForEmptyOutbox(app);
      expect(all).toHaveLength(count);
      expect(new Set(all.map(({ isCanceled }) => isCanceled)).size).toBe(2);
      const arrived = new Set(simulator.attempts().map(({ idempotencyKey }) => idempotencyKey));
      const states = await Promise.all(all.map(async ({ id }) => (await stateOf(app, id)).status));
      expect(states).toEqual(all.map(({ isCanceled }) => (isCanceled ? 'CANCELED' : 'SENT')));
      expect(all.map(({ id }) => arrived.has(id))).toEqual(all.map(({ isCanceled }) => !isCanceled));
    } finally {
      await second.stop({ keepDatabase: true });
    }
  });
}
