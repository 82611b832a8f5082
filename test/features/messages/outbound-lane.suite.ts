// A tenant's lane by itself: the time and size of its claims, and messages that it may no longer send.

import { claimRequestOf } from '../../../src/features/outbox/dispatcher.js';
import type { Claim, ClaimRequest, ClaimedMessage } from '../../../src/features/outbox/rate-limited-claim.service.js';
import { LaneScheduler } from '../../../src/platform/jobs/lane-scheduler.js';
import { createLogger } from '../../../src/platform/observability/logger.js';

function messageOf(id: string, { instanceId = id.slice(0, 1), wasPaused = false } = {}): ClaimedMessage {
  return {
    id,
    instanceId,
    leadId: id,
    type: 'text',
    body: 'Oi',
    media: null,
    replyTo: null,
    channelTemplate: null,
    windowLeftMs: null,
    needsConsent: false,
    chat: '5511988887777',
    attempt: 1,
    failedAttempts: 0,
    unconfirmedSince: null,
    wasUnanswered: false,
    reservedId: null,
    isReported: false,
    provider: 'gateway',
    instanceName: instanceId,
    baseUrl: null,
    tokenCiphertext: null,
    phoneNumberId: null,
    apiVersion: null,
    wasPaused,
    isUnreachable: false,
    isInstanceDeleted: false,
    claimedAtMs: performance.now(),
  };
}

/** A lane whose claims and sends the test answers. */
function startLane() {
  const requests: ClaimRequest[] = [];
  const claims: ((claim: Claim) => void)[] = [];
  const sends = new Map<string, () => void>();
  const released: string[] = [];
  const scheduler = new LaneScheduler<ClaimedMessage>({
    name: 'outbound messages',
    log: createLogger('silent'),
    claim: async ({ items }, { limit }) => {
      requests.push(claimRequestOf(items, limit, 3));
      const { messages, nextInMs } = await new Promise<Claim>((resolve) => claims.push(resolve));
      return { items: messages, nextInMs: () => nextInMs };
    },
    begin: (_lane, messages) =>
      messages.map(({ id, wasPaused }) => new Promise<boolean>((resolve) => sends.set(id, () => resolve(wasPaused)))),
    release: (_lane, messages) => {
      released.push(...messages.map(({ id }) => id));
      return Promise.resolve();
    },
    sweep: () => Promise.resolve(),
    concurrency: 4,
    sweepIntervalMs: 1_000,
  });
  const lane = {
    wake: () => scheduler.wake({ tenantId: 'tenant', id: 'tenant' }),
    stop: () => scheduler.stop(1_000),
  };
  lane.wake();
  const giveMessages = async (...messages: ClaimedMessage[]) => {
    claims.at(-1)?.({ messages, nextInMs: undefined });
    await settled();
  };
  const give = async (...ids: string[]) => giveMessages(...ids.map((id) => messageOf(id)));
  const finish = async (...ids: string[]) => {
    for (const id of ids) sends.get(id)?.();
    await settled();
  };
  return { lane, requests, sends, released, give, giveMessages, finish };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const request = (
  limit: number,
  underWay: Record<string, number>,
  probes: Record<string, number> = {},
): ClaimRequest => ({
  limit,
  limitPerInstance: 3,
  underWay: new Map(Object.entries(underWay)),
  probes: new Map(Object.entries(probes)),
});

export function describeOutboundLane(): void {
  test('what is claimed is handed over at once, and a claim asks for no more than there is room for', async () => {
    const { lane, requests, sends, released, give } = startLane();
    await give('a1', 'a2', 'b1');
    expect([...sends.keys()]).toEqual(['a1', 'a2', 'b1']);
    lane.wake();
    await settled();
    expect(requests).toEqual([request(4, {}), request(1, { a: 2, b: 1 })]);
    expect(released).toEqual([]);
  });

  test('with a backlog it claims again when half of its sends have ended, or when something came', async () => {
    const { lane, requests, give, finish } = startLane();
    await give('a1', 'a2', 'a3', 'b1');
    await finish('a1');
    expect(requests).toHaveLength(1);
    await finish('b1');
    expect(requests.slice(1)).toEqual([request(2, { a: 2 })]);
    await give('b2', 'b3');
    await finish('a2');
    lane.wake();
    await settled();
    expect(requests.slice(2)).toEqual([request(1, { a: 1, b: 2 })]);
  });

  test('without a backlog it claims again when the last of its sends has ended, and is done when there is nothing', async () => {
    const { lane, requests, give, finish } = startLane();
    await give('a1', 'b1');
    await finish('a1');
    expect(requests).toHaveLength(1);
    await finish('b1');
    expect(requests).toHaveLength(2);
    await give();
    await lane.stop();
    expect(requests).toHaveLength(2);
  });

  test('an instance that is probed gets the next probe when the first has ended, while other instances go on', async () => {
    const { lane, requests, give, giveMessages, finish } = startLane();
    await giveMessages(messageOf('a1', { wasPaused: true }), messageOf('b1'));
    lane.wake();
    await settled();
    expect(requests.slice(1)).toEqual([request(2, { a: 1, b: 1 }, { a: 1 })]);
    await give();
    await finish('a1');
    expect(requests.slice(2)).toEqual([request(3, { b: 1 })]);
  });

  test('what a claim brings after the lane was stopped is not sent, and is given back', async () => {
    const { lane, sends, released, give } = startLane();
    const stopped = lane.stop();
    await give('a1', 'b1');
    await stopped;
    expect(sends.size).toBe(0);
    expect(released).toEqual(['a1', 'b1']);
  });
}
