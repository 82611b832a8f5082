// Bodies that grow once they are read are refused, each for what it is, and none of them is kept. bounded-memory.long.ts posts thousands of
// them, and measures the memory of the process.

import { request } from 'node:http';
import { withTenant } from '../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { growingBodies, growingEndpoints } from './growing-bodies.js';

export function describeGrowingBodies(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made), { PROCESS_ROLE: 'api' });

  /** @returns the HTTP status; 0 if the connection was closed, as may happen when a call is refused before its whole body was read */
  function post(path: string, body: Buffer, headers: Record<string, string>): Promise<number> {
    return new Promise((resolve) => {
      const sent = { 'content-type': 'application/json', ...withKey(tenant), ...headers };
      const call = request(new URL(path, app.url), { method: 'POST', agent: false, headers: sent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      });
      call.on('error', () => resolve(0)).end(body);
    });
  }

  test.each(growingBodies)(
    '%s is refused for what it is, wherever it is posted',
    async (_name, body, headers, status) => {
      for (const path of growingEndpoints) expect([status, 0]).toContain(await post(path, body, headers));
    },
  );

  test('nothing of them is kept', async () => {
    const kept = 'SELECT id FROM messages WHERE tenant_id = $1 UNION ALL SELECT id FROM leads WHERE tenant_id = $1';
    expect(await app.sql(kept, [tenant.id])).toEqual([]);
  });
}
