// The browsers that users have notified: each user's own, bounded, and gone with the user's sessions.

import { execute, failureOf, query } from '../../support/graphql-client.js';
import {
  DeletePushDeviceDocument,
  KeepPushDeviceDocument,
  PushDevicesDocument,
  UpdateUserDocument,
  type KeepPushDeviceInput,
} from '../../support/operations.js';
import { platformOf, sharedApp, withTenantEach } from '../../support/shared-app.js';
import type { TestApp, TestTenant, TestUser } from '../../support/test-app.js';
import { pushSubscription } from './push-browser.js';

export function describePushDevices(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made), { PROCESS_ROLE: 'api' });

  const keep = async (input: KeepPushDeviceInput, user: TestUser = tenant.operator) =>
    (await query(app, user, KeepPushDeviceDocument, { input })).keepPushDevice;
  const list = async (user: TestUser = tenant.operator) =>
    (await query(app, user, PushDevicesDocument, {})).pushDevices.map(({ id }) => id);
  const refusal = async (input: KeepPushDeviceInput) =>
    failureOf(await execute(app, tenant.operator, KeepPushDeviceDocument, { input }));

  test('a browser is kept once, and its choice and its time change when it is kept again', async () => {
    const input = pushSubscription();
    const first = await keep(input);
    expect(first).toMatchObject({ name: input.name, notifiesMine: true, notifiesUnassigned: true });
    await app.sql(`UPDATE push_devices SET expires_at = now() + interval '1 day' WHERE id = $1`, [first.id]);
    const again = await keep({ ...input, notifiesUnassigned: false });
    expect(again).toMatchObject({ id: first.id, createdAt: first.createdAt, notifiesUnassigned: false });
    expect(Date.parse(again.expiresAt)).toBeGreaterThanOrEqual(Date.parse(first.expiresAt));
    expect(await list()).toEqual([first.id]);
    expect(await list(tenant.admin)).toEqual([]);
  });

  test('a browser belongs to the user who signed in there last, also from another tenant', async () => {
    const input = pushSubscription();
    const { id } = await keep(input);
    const other = await app.createTenant();
    const taken = await keep(input, other.operator);
    expect(taken.id).not.toBe(id);
    expect([await list(), await list(other.operator)]).toEqual([[], [taken.id]]);
  });

  test('is deleted by its user alone', async () => {
    const { id } = await keep(pushSubscription());
    expect(failureOf(await execute(app, tenant.admin, DeletePushDeviceDocument, { id })).code).toBe('NOT_FOUND');
    await query(app, tenant.operator, DeletePushDeviceDocument, { id });
    expect(failureOf(await execute(app, tenant.operator, DeletePushDeviceDocument, { id })).code).toBe('NOT_FOUND');
  });

  test('a user has 10 at most, of which those that expired do not count', async () => {
    for (let count = 0; count < 10; count += 1) await keep(pushSubscription());
    expect((await refusal(pushSubscription())).code).toBe('CONFLICT');
    const [oldest] = await list();
    await app.sql('UPDATE push_devices SET expires_at = now() WHERE id = $1', [oldest]);
    await keep(pushSubscription());
    expect(await list()).toHaveLength(10);
    expect(await app.app.services.pruning.prune()).toMatchObject({ pushDevices: 1 });
  });

  test.each([
    ['endpoint', 'http://push.example.com/1'],
    ['endpoint', 'https://10.1.2.3/1'],
    ['endpoint', 'https://push.internal/1'],
    ['endpoint', 'https://user:secret@push.example.com/1'],
    ['endpoint', 'ftp://push.example.com/1'],
    ['endpoint', `https://push.example.com/${'x'.repeat(1_024)}`],
    ['publicKey', Buffer.alloc(65, 4).toString('base64url')],
    ['publicKey', 'short'],
    ['secret', Buffer.alloc(15).toString('base64url')],
    ['name', ' '],
    ['language', 'as I like'],
  ])('a wrong %s is named: %s', async (field, value) => {
    expect(await refusal({ ...pushSubscription(), [field]: value })).toEqual({
      code: 'VALIDATION_FAILED',
      paths: [field],
    });
  });

  test('a user who is deactivated has none, nor one whose subject changes', async () => {
    const platform = await platformOf(app);
    const user = await app.createColleague(platform);
    const { id } = user;
    const change = (input: object) => query(app, platform.admin, UpdateUserDocument, { id, input });
    const kept = async () => (await app.sql('SELECT FROM push_devices WHERE user_id = $1', [id])).length;
    await keep(pushSubscription(), user);
    await change({ name: 'Ana' });
    expect(await kept()).toBe(1);
    await change({ idpSub: `${user.idpSub}-new` });
    expect(await kept()).toBe(0);
    await app.sql(
      `INSERT INTO push_devices
         (tenant_id, user_id, id, endpoint, public_key, secret, name, language, notifies_mine, notifies_unassigned, expires_at)
       VALUES ($1, $2::uuid, gen_random_uuid(), $2::uuid::text, 'x', 'x', 'x', 'en', true, true, now() + interval '1 day')`,
      [platform.id, id],
    );
    await change({ isActive: false });
    expect(await kept()).toBe(0);
  });

  test('without a key nothing is offered', async () => {
    const without = await sharedApp({ WEB_PUSH_PRIVATE_KEY: undefined, PROCESS_ROLE: 'api' });
    const { operator } = await without.createTenant();
    expect(await query(without, operator, PushDevicesDocument, {})).toEqual({ pushPublicKey: null, pushDevices: [] });
    const answer = await execute(without, operator, KeepPushDeviceDocument, { input: pushSubscription() });
    expect(failureOf(answer).code).toBe('UNAVAILABLE');
  });
}
