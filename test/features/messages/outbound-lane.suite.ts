// A tenant's lane by itself: when it claims and how much, and what it does with messages that it may no longer send.

import { TenantLane } from '../../../src/features/outbox/tenant-lane.js';
import type { Claim, ClaimRequest, ClaimedMessage } from '../../../src/features/outbox/claim.service.js';

function messageOf(id: string, { instanceId = id.slice(0, 1), wasPaused = false } = {}): ClaimedMessage {
  return {
    id,
    instanceId,
    leadId: id,
    type: 'text',
    body: 'Oi',
    media: null,
    replyTo: null,
    chat: '5511988887777',
    attempt: 1,
    failedAttempts: 0,
    unconfirmedSince: null,
    provider: 'gateway',
    instanceName: instanceId,
    baseUrl: null,
    tokenCiphertext: null,
    phoneNumberId: null,
    apiVersion: null,
    wasPaused,
    isLineDeleted: false,
    claimedAtMs: performance.now(),
  };
}

/** A lane whose claims and sends are answered by hand. */
function startLane() {
  const requests: ClaimRequest[] = [];
  const claims: ((claim: Claim) => void)[] = [];
  const sends = new Map<string, () => void>();
  const lane = new TenantLane({
    claim: (request) => {
      requests.push(request);
      return new Promise((resolve) => claims.push(resolve));
    },
    send: ({ id }) => new Promise<void>((resolve) => sends.set(id, resolve)),
    concurrency: 4,
    concurrencyPerInstance: 3,
    maxRestMs: 1_000,
  });
  const giveMessages = async (...messages: ClaimedMessage[]) => {
    claims.at(-1)?.({ messages, nextInMs: undefined });
    await settled();
  };
  const give = async (...ids: string[]) => giveMessages(...ids.map((id) => messageOf(id)));
  const finish = async (...ids: string[]) => {
    for (const id of ids) sends.get(id)?.();
    await settled();
  };
  return { lane, requests, sends, give, giveMessages, finish, drained: lane.drain() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const request = (
  limit: number,
  underWay: Record<string, number>,
  trials: Record<string, number> = {},
): ClaimRequest => ({
  limit,
  limitPerInstance: 3,
  underWay: new Map(Object.entries(underWay)),
  trials: new Map(Object.entries(trials)),
});

export function describeOutboundLane(): void {
  test('what is claimed is handed over at once, and a claim asks for no more than there is room for', async () => {
    const { lane, requests, sends, give } = startLane();
    await give('a1', 'a2', 'b1');
    expect([...sends.keys()]).toEqual(['a1', 'a2', 'b1']);
    lane.wake();
    await settled();
    expect(requests).toEqual([request(4, {}), request(1, { a: 2, b: 1 })]);
    expect(lane.stop()).toEqual([]);
  });

  test('with a backlog it claims anew when half of its sends have ended, or when something came', async () => {
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

  test('without a backlog it claims anew when the last of its sends has ended, and is done when there is nothing', async () => {
    const { requests, give, finish, drained } = startLane();
    await give('a1', 'b1');
    await finish('a1');
    expect(requests).toHaveLength(1);
    await finish('b1');
    expect(requests).toHaveLength(2);
    await give();
    expect(await drained).toBeUndefined();
  });

  test('a line that was tried is looked at anew when its trial is over, while other lines go on', async () => {
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
    const { lane, sends, give, drained } = startLane();
    expect(lane.stop()).toEqual([]);
    await give('a1', 'b1');
    await drained;
    expect(sends.size).toBe(0);
    expect(lane.stop().map(({ id }) => id)).toEqual(['a1', 'b1']);
  });
}
