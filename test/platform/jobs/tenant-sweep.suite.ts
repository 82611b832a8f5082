// Sweeps: a tenant whose work fails holds up no other, and a round never overlaps the one before it.

import { TenantSweep, type TenantSweepOptions } from '../../../src/platform/jobs/tenant-sweep.js';

const tenants = ['first', 'second', 'third'].map((tenantId) => ({ tenantId }));

function sweepOf(options: Partial<TenantSweepOptions>) {
  const warnings: object[] = [];
  const log: TenantSweepOptions['log'] = { warn: (fields: object) => void warnings.push(fields) };
  const listTenants = () => Promise.resolve(tenants);
  const work = () => Promise.resolve();
  return { warnings, sweep: new TenantSweep({ what: 'test', intervalMs: 5, listTenants, work, log, ...options }) };
}

export function describeTenantSweep() {
  test('a tenant whose work fails is logged, and the others have their turn', async () => {
    const served: string[] = [];
    const work = async (tenantId: string) => {
      if (tenantId === 'first') throw new Error('broken');
      served.push(tenantId);
    };
    const { sweep, warnings } = sweepOf({ work });
    await sweep.run();
    expect(served).toEqual(['second', 'third']);
    expect(warnings).toEqual([{ err: new Error('broken'), sweep: 'test', tenantId: 'first' }]);
  });

  test('a round whose tenants cannot be listed is logged, and the next one works', async () => {
    let isDown = true;
    const served: string[] = [];
    const { sweep, warnings } = sweepOf({
      listTenants: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(tenants)),
      work: async (tenantId) => void served.push(tenantId),
    });
    await sweep.run();
    expect(warnings).toEqual([{ err: new Error('down'), sweep: 'test' }]);
    isDown = false;
    await sweep.run();
    expect(served).toEqual(['first', 'second', 'third']);
  });

  test('no round begins while another is under way, and none after the stop', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let rounds = 0;
    const listTenants = async () => {
      rounds += 1;
      await promise;
      return tenants;
    };
    const { sweep } = sweepOf({ listTenants });
    sweep.start();
    await new Promise((passed) => setTimeout(passed, 50));
    sweep.stop();
    expect(rounds).toBe(1);
    resolve();
    await new Promise((passed) => setTimeout(passed, 50));
    expect(rounds).toBe(1);
  });
}
