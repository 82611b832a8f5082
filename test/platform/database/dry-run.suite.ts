// A dry run does the work of a transaction, and leaves no trace of it.

import { requestHead } from '../../../src/clients/http-exchange.js';
import { inDryRun } from '../../../src/platform/database/dry-run.js';
import { AppError } from '../../../src/platform/errors.js';
import { RunAgain, Transactor, type Work } from '../../../src/platform/database/transaction.js';
import { withTenant } from '../../support/shared-app.js';
import { changingNothing } from '../../support/table-checksums.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';

export function describeDryRun(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let woken: string[];
  let transactor: Transactor;

  withTenant((made) => ({ app, tenant } = made), { PROCESS_ROLE: 'api' });
  beforeEach(() => {
    woken = [];
    const notifier = { wakeAll: (tenantId: string) => woken.push(tenantId) };
    transactor = new Transactor(
      app.app.services.database,
      notifier as unknown as ConstructorParameters<typeof Transactor>[1],
    );
  });

  const dryRun = <Result>(work: Work<Result>) => inDryRun(app.app.services.database, tenant.id, work);
  const rename = "UPDATE tenants SET name = 'of a dry run' WHERE id = $1 RETURNING name";

  test('sees what it has written, and gives it; afterwards nothing of it is there, and nobody was notified', async () => {
    const seen = await changingNothing(app, () =>
      dryRun(async (tx) => {
        await tx.query(rename, [tx.tenantId]);
        tx.emit({ type: 'LEAD_CREATED' });
        return tx.query<{ name: string }>('SELECT name FROM tenants WHERE id = $1', [tx.tenantId]);
      }),
    );
    expect(seen).toEqual([{ name: 'of a dry run' }]);
    expect(woken).toEqual([]);
  });

  test('throws what the work throws, and gives the connection and its locks back', async () => {
    const failing = () =>
      dryRun(async (tx) => {
        await tx.query(rename, [tx.tenantId]);
        throw new AppError('CONFLICT', 'as the work says');
      });
    for (let count = 0; count < 20; count += 1) await expect(failing()).rejects.toThrow('as the work says');
    // The dry run would wait for a lock that an earlier one still holds.
    await changingNothing(app, () => dryRun((tx) => tx.query(rename, [tx.tenantId])));
  });

  test('runs again when it meets another transaction’s change, as the work itself would', async () => {
    let attempts = 0;
    const meetingOne: Work<string> = () => {
      attempts += 1;
      return attempts % 3 === 0 ? Promise.resolve('done') : Promise.reject(new RunAgain('met another change'));
    };
    expect(await dryRun(meetingOne)).toBe('done');
    expect(attempts).toBe(3);
    expect(await transactor.run(tenant.id, meetingOne)).toBe('done');
    expect(attempts).toBe(6);
  });

  test('calls no other server, however deep in the work; work beside it does', async () => {
    const asked: string[] = [];
    const url = new URL('/health/live', app.url);
    const call = async (name: string) => {
      const { statusCode } = await requestHead(url, { method: 'GET' }, undefined, () => asked.push(name));
      return statusCode;
    };
    const inside = dryRun(async (tx) => {
      await tx.query('SELECT 1');
      return call('inside');
    });
    await expect(inside).rejects.toThrow('a dry run tried to call another server');
    const [, status] = await Promise.all([dryRun((tx) => tx.query('SELECT pg_sleep(0.01)')), call('beside')]);
    expect([status, asked]).toEqual([200, ['beside']]);
  });

  test('checks at its end what a commit would check', async () => {
    await app.sql('CREATE TABLE dry_run_rows (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)');
    try {
      const twice: Work<unknown> = (tx) => tx.query('INSERT INTO dry_run_rows VALUES (1), (1)');
      await expect(transactor.run(tenant.id, twice)).rejects.toMatchObject({ code: '23505' });
      await expect(dryRun(twice)).rejects.toMatchObject({ code: '23505' });
    } finally {
      await app.sql('DROP TABLE dry_run_rows');
    }
  });
}
