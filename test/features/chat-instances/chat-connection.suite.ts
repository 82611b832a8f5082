// Announcing states that were kept back while an instance flapped.

import { setTimeout as delay } from 'node:timers/promises';
import {
  InstanceStateService,
  type InstanceStateOptions,
} from '../../../src/features/chat-instances/instance-state.service.js';
import { createLogger } from '../../../src/platform/observability/logger.js';

export function describeChatConnection(): void {
  test('a database that stands still is asked once, however often it is time to', async () => {
    const asked: (() => void)[] = [];
    const query = () => new Promise<never[]>((resolve) => asked.push(() => resolve([])));
    const connections = new InstanceStateService({
      database: { query },
      transactor: undefined as unknown as InstanceStateOptions['transactor'],
      audit: { record: () => Promise.resolve() },
      log: createLogger('silent'),
      onConnected: () => Promise.resolve(),
      onSignOfLife: () => Promise.resolve(),
      sweepIntervalMs: 1,
    });
    connections.sweep.start();
    while (asked.length === 0) await delay(1);
    await delay(50);
    expect(asked).toHaveLength(1);
    asked[0]?.();
    while (asked.length === 1) await delay(1);
    connections.sweep.stop();
  });
}
