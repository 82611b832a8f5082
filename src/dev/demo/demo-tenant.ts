// The demo tenant of `npm run dev`, which is the platform tenant, with its users and its chat instances.

import type { UserPrincipal } from '../../platform/principal.js';
import { Transactor } from '../../platform/database/transaction.js';
import type { TenantWithKey } from '../../features/tenants/tenant.service.js';
import type { Services } from '../../services.js';
import type { Colleague } from './script.js';

const demoSlug = 'demo';

const demoUsers = {
  admin: { idpSub: 'demo-admin', email: 'admin@demo.example', name: 'Demo Admin', role: 'ADMIN' },
  operator: { idpSub: 'demo-operator', email: 'operator@demo.example', name: 'Demo Operator', role: 'OPERATOR' },
  beatriz: { idpSub: 'demo-beatriz', email: 'beatriz@demo.example', name: 'Beatriz Nogueira', role: 'OPERATOR' },
  james: { idpSub: 'demo-james', email: 'james@demo.example', name: 'James Whitfield', role: 'OPERATOR' },
} as const;

/** The instance names, by the state or provider that each shows. */
export const demoInstances = {
  connected: 'demo',
  waiting: 'demo-reception',
  loggedOut: 'demo-algarve',
  evolution: 'demo-evolution',
  waha: 'demo-waha',
  meta: 'demo-meta',
} as const;

/** The reason that `loggedOut` is not connected. */
export const loggedOutReason = '401: the phone has logged this device out. Connect again and scan the code';

const administrator = { kind: 'command' } as const;

/** The users who work in the demo, as they call the services. */
export type Desk = Record<Colleague, UserPrincipal>;

/** Creates the tenant, its first users and its instance if they are missing. May be repeated, also after a start that was cut short. */
export async function seedDemo(services: Services): Promise<TenantWithKey> {
  const { tenants, tenantCreation, apiKeys, chatInstances, database } = services;
  const chatRateLimit = { max: 20, durationMs: 1_000 };
  const tenant =
    (await tenants.findBySlug(administrator, demoSlug)) ??
    (await tenantCreation.create(administrator, { name: 'Demo', slug: demoSlug, chatRateLimit }));
  const { admin } = await staffDesk(services, tenant.id);
  const known = await chatInstances.listKnown(database, tenant.id);
  if (!known.some(({ instanceName }) => instanceName === demoInstances.connected)) {
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    const wanted = { accountId: admin.accountId, instanceName: demoInstances.connected, isDefault: true };
    await chatInstances.create(administrator, wanted, place);
  }
  const [key] = await apiKeys.readCurrent(administrator, [tenant.id]);
  if (key === undefined) throw new Error('the demo tenant has no API key');
  return { ...tenant, apiKey: key.apiKey };
}

/** Returns all users of the demo, and creates the missing ones. May be repeated. */
export async function staffDesk(services: Services, tenantId: string): Promise<Desk> {
  const find = (colleague: Colleague) => findOrCreateUser(services, tenantId, colleague);
  const [admin, operator, beatriz, james] = [
    await find('admin'),
    await find('operator'),
    await find('beatriz'),
    await find('james'),
  ];
  return { admin, operator, beatriz, james };
}

/** Creates the instances that are not connected if they are missing. May be repeated. */
export async function addInstances(services: Services, { admin }: Desk): Promise<void> {
  const { chatInstances, connections, database, notifier } = services;
  const known = new Set((await chatInstances.listKnown(database, admin.tenantId)).map((one) => one.instanceName));
  const add = async (instanceName: string, status: 'CONNECTING' | 'DISCONNECTED') => {
    if (known.has(instanceName)) return;
    const wanted = { accountId: admin.accountId, instanceName, isDefault: false };
    const { id: instanceId } = await chatInstances.create(administrator, wanted, { tenantId: admin.tenantId, status });
    if (status === 'CONNECTING') return;
    await new Transactor(database, notifier).run(admin.tenantId, (tx) =>
      connections.report(tx, [{ instanceId, status, lastError: loggedOutReason }]),
    );
  };
  await add(demoInstances.waiting, 'CONNECTING');
  await add(demoInstances.loggedOut, 'DISCONNECTED');
}

async function findOrCreateUser(services: Services, tenantId: string, colleague: Colleague): Promise<UserPrincipal> {
  const { users, signIn, database } = services;
  const wanted = demoUsers[colleague];
  const known = await signIn.findBySubject(wanted.idpSub);
  if (known !== undefined) return known.user;
  await database.transaction((sql) => users.insert(administrator, sql, tenantId, wanted));
  const created = await signIn.findBySubject(wanted.idpSub);
  if (created === undefined) throw new Error(`the demo user ${wanted.idpSub} may not sign in`);
  return created.user;
}
