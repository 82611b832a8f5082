// Tenants that did a little and then nothing: the process keeps no objects of theirs that live, and no timers. The test does not look at
// memory. Counting collects all garbage of the test process, which takes seconds in one that has run many files.

import { setTimeout as delay } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { TenantTail } from '../../../src/features/live/tenant-tail.js';
import { Operation } from '../../../src/platform/database/operation.js';
import { FrameRenderer } from '../../../src/transport/sockets/frame-renderer.js';
import { connect, query, Subscription } from '../../support/graphql-client.js';
import { InboxDocument, MessageReceivedDocument } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { createLead, send, until, waitForEmptyOutbox } from '../messages/sending-harness.js';
import { waitForSubscribers, writeAs } from './live-harness.js';

const tenantCount = 20;
const atOnce = 5;
/** The time in ms between two counts, in which the counted objects can end. */
const pauseMs = 500;
/** The limits in ms for the whole test, and for the end of the counted objects, on a slow machine. */
const limitMs = 400_000;
const endLimitMs = 120_000;

describe('idle tenants', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await sharedApp();
  });

  /** Makes little use of the service: a message in and out, an inbox, and a subscription that ends. */
  async function doLittle(tenant: TestTenant): Promise<void> {
    const client = connect(app, tenant.admin);
    const heard = new Subscription(client, MessageReceivedDocument);
    await waitForSubscribers(app, tenant, 1);
    await writeAs(app, tenant, '5511987654321');
    await heard.until(({ length }) => length > 0);
    await query(app, tenant.admin, InboxDocument, {});
    await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi' });
    await client.dispose();
  }

  const countOf = async (kind: Parameters<typeof queryObjects>[0]) => {
    await delay(pauseMs);
    return queryObjects(kind, { format: 'count' });
  };
  const aTimer = setTimeout(() => undefined, 0);
  const countTimers = () => countOf(aTimer.constructor);

  test(
    'hold neither tails, groups nor operations, and no timer each',
    async () => {
      // The first tenant brings objects that belong to none of the others.
      await doLittle(await app.createTenant());
      await waitForEmptyOutbox(app);
      await until(() => countOf(TenantTail), isFew, endLimitMs);
      const timers = await countTimers();
      for (let done = 0; done < tenantCount; done += atOnce)
        await Promise.all(Array.from({ length: atOnce }, async () => doLittle(await app.createTenant())));
      await waitForEmptyOutbox(app);
      for (const kind of [TenantTail, FrameRenderer, Operation]) await until(() => countOf(kind), isFew, endLimitMs);
      await until(countTimers, (count) => count < timers + tenantCount, endLimitMs);
    },
    limitMs,
  );
});

// A connection to the database keeps the operation that opened it, so a few objects may be left.
const isFew = (count: number) => count < tenantCount / 2;
