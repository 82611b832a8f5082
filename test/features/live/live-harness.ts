// Helpers for tests of live delivery.

import type { Client } from 'graphql-ws';
import { sharedApp } from '../../support/shared-app.js';
import { TestApp, withKey, type TestTenant } from '../../support/test-app.js';
import { until } from '../messages/sending-harness.js';

interface TwoProcesses {
  app: TestApp;
  second: TestApp;
  tenant: TestTenant;
  other: TestTenant;
}

/**
 * Sets a suite up with the shared application, a second process on its database, and two tenants. `assign` gets them before the first test.
 */
export function withSecondProcess(assign: (made: TwoProcesses) => unknown): void {
  let second: TestApp;
  beforeAll(async () => {
    const app = await sharedApp();
    second = await TestApp.start({ PROCESS_ROLE: 'api' }, app.database);
    assign({ app, second, tenant: await app.createTenant(), other: await app.createTenant() });
  });
  afterAll(() => second.stop({ keepDatabase: true }));
}

let messageCount = 0;

/** Lets a lead write through the webhook. @returns the provider's id of the message */
export async function writeAs(app: TestApp, tenant: TestTenant, from: string, text = 'Oi'): Promise<string> {
  messageCount += 1;
  const messageId = `in-${process.pid}-${messageCount}`;
  const body = { instance: tenant.instance.name, messageId, from, text };
  const answer = await app.post('/webhooks/chat/gateway/inbound', body, withKey(tenant));
  if (answer.status !== 200) throw new Error(`the message was not taken: ${answer.status} ${await answer.text()}`);
  return messageId;
}

/** Asks the feed, because graphql-ws does not acknowledge a subscription. */
export async function waitForSubscribers(app: TestApp, tenant: TestTenant, count: number): Promise<void> {
  await until(
    () => app.app.services.feed.subscriberCount(tenant.id),
    (seen) => seen === count,
  );
}

/** Ends clients whose socket may be gone already. */
export async function disposeAll(clients: readonly Client[]): Promise<void> {
  for (const client of clients) await client.dispose();
}
