// A dry run does the work of a transaction, and leaves no trace of it.

import { AppError } from '../../src/platform/errors.js';
import { Transactor } from '../../src/platform/transaction.js';
import { sharedApp } from '../support/shared-app.js';
import { changingNothing } from '../support/table-checksums.js';
import type { TestApp, TestTenant } from '../support/test-app.js';

export function describeDryRun(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let announced: string[];
  let transactor: Transactor;

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api' });
    tenant = await app.createTenant();
  });
  beforeEach(() => {
    announced = [];
    const notifier = { announce: (tenantId: string) => announced.push(tenantId) };
    transactor = new Transactor(
      app.app.services.database,
      notifier as unknown as ConstructorParameters<typeof Transactor>[1],
    );
  });

  const rename = "UPDATE tenants SET name = 'of a dry run' WHERE id = $1 RETURNING name";

  test('sees what it has written, and gives it; afterwards nothing of it is there, and nobody was notified', async () => {
    const seen = await changingNothing(app, () =>
      transactor.dryRun(tenant.id, async (tx) => {
        await tx.query(rename, [tx.tenantId]);
        tx.emit({ type: 'LEAD_CREATED' });
        return tx.query<{ name: string }>('SELECT name FROM tenants WHERE id = $1', [tx.tenantId]);
      }),
    );
    expect(seen).toEqual([{ name: 'of a dry run' }]);
    expect(announced).toEqual([]);
  });

  test('throws what the work throws, and gives the connection and its locks back', async () => {
    const failing = () =>
      transactor.dryRun(tenant.id, async (tx) => {
        await tx.query(rename, [tx.tenantId]);
        throw new AppError('CONFLICT', 'as the work says');
      });
    for (let count = 0; count < 20; count += 1) await expect(failing()).rejects.toThrow('as the work says');
    // The dry run would wait for a lock that an earlier one still holds.
    await changingNothing(app, () => transactor.dryRun(tenant.id, (tx) => tx.query(rename, [tx.tenantId])));
  });

  test('checks at its end what a commit would check', async () => {
    await app.sql('CREATE TABLE dry_run_rows (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)');
    try {
      const twice = (method: 'run' | 'dryRun') =>
        transactor[method](tenant.id, (tx) => tx.query('INSERT INTO dry_run_rows VALUES (1), (1)'));
      await expect(twice('run')).rejects.toMatchObject({ code: '23505' });
      await expect(twice('dryRun')).rejects.toMatchObject({ code: '23505' });
    } finally {
      await app.sql('DROP TABLE dry_run_rows');
    }
  });
}
