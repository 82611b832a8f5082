// Turns of calls with large bodies.

import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { LargeCalls } from '../../src/transport/http/large-calls.js';

export function describeLargeCalls(): void {
  const open = () => Object.assign(new EventEmitter(), { closed: false }) as unknown as Response;

  test('those who never read their answers hold up no other tenant', async () => {
    const calls = new LargeCalls(20);
    await Promise.all([calls.take('ana', open()), calls.take('bia', open())]);
    await calls.take('carla', open());
  });

  test('a turn ends with the answer', async () => {
    const calls = new LargeCalls(2_000_000);
    const answer = open();
    await calls.take('ana', answer);
    const next = calls.take('ana', open());
    answer.emit('close');
    await next;
  });

  test('a call whose turn does not come is refused, and takes none', async () => {
    const calls = new LargeCalls(2_000_000, 20);
    const answer = open();
    await calls.take('ana', answer);
    await expect(calls.take('ana', open())).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
    answer.emit('close');
    const isTaken = () =>
      calls.take('ana', open()).then(
        () => true,
        () => false,
      );
    while (!(await isTaken()));
  });

  test('a fifth call that waits is refused', async () => {
    const calls = new LargeCalls(2_000_000);
    await calls.take('ana', open());
    for (let waiting = 0; waiting < 4; waiting += 1) {
      expect(calls.findRefusal('ana')).toBeUndefined();
      calls.take('ana', open()).catch(() => undefined);
    }
    await expect(calls.take('ana', open())).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
    expect(calls.findRefusal('bia')).toBeUndefined();
  });
}
