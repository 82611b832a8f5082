// The number of sends that are under way at once in a tenant without a limit: a gateway that answers slowly takes 256 through one instance.

import { storeLeads, storeWaiting } from '../../bench/waiting-messages.js';
import { PacedGateway } from '../../faults/paced-gateway.js';
import { gatewayToken, until } from './sending-harness.js';
import { TestApp } from '../../support/test-app.js';

const atOnce = 256;
const messageCount = 300;

export function describeSendsAtOnce(): void {
  test(`${messageCount} messages wait, and ${atOnce} of them are handed over before any is answered`, async () => {
    await using resources = new AsyncDisposableStack();
    const gateway = await PacedGateway.start();
    resources.defer(() => gateway.close());
    gateway.answerUpTo(0);
    const app = await TestApp.start({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gatewayToken });
    resources.defer(() => app.stop());
    const tenant = await app.createTenant();
    const sql = (text: string, values: unknown[]) => app.sql(text, values);
    const numbers = Array.from({ length: messageCount }, (_, index) => `4917${String(index).padStart(4, '0')}6666`);
    await storeLeads(sql, tenant.id, numbers);
    await storeWaiting(sql, { tenantId: tenant.id, count: messageCount, textPrefix: '', priority: 0 });

    await until(
      () => Promise.resolve(gateway.heldCount),
      (held) => held === atOnce,
    );
    expect(gateway.arrivals).toHaveLength(atOnce);
    gateway.answerUpTo(Infinity);
    const waiting = () => app.sql('SELECT * FROM outbox_entries WHERE tenant_id = $1', [tenant.id]);
    await until(waiting, (entries) => entries.length === 0);
    expect(new Set(gateway.arrivals.map(({ key }) => key)).size).toBe(messageCount);
  });
}
