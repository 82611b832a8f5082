// What `npm run dev` finds in its database: the demo tenant (the platform tenant), its two users and its chat instance.

import type { TenantWithKey } from '../features/tenants/tenant.service.js';
import type { Services } from '../services.js';

const demoSlug = 'demo';
const demoInstanceName = 'demo';

const demoUsers = [
  { idpSub: 'demo-admin', email: 'admin@demo.example', name: 'Demo Admin', role: 'ADMIN' },
  { idpSub: 'demo-operator', email: 'operator@demo.example', name: 'Demo Operator', role: 'OPERATOR' },
] as const;

const administrator = { kind: 'command' } as const;

/** Creates what is missing; safe to repeat, also after a start that was cut short. */
export async function seedDemo(services: Services): Promise<TenantWithKey> {
  const { tenants, tenantCreation, users, signIn, apiKeys, chatInstances, database } = services;
  const chatRateLimit = { max: 20, durationMs: 1_000 };
  const tenant =
    (await tenants.findBySlug(administrator, demoSlug)) ??
    (await tenantCreation.create(administrator, { name: 'Demo', slug: demoSlug, chatRateLimit }));
  for (const user of demoUsers) {
    if ((await signIn.findBySubject(user.idpSub)) === undefined)
      await database.transaction((sql) => users.insert(administrator, sql, tenant.id, user));
  }
  const known = await chatInstances.listKnown(database, tenant.id);
  const admin = await signIn.findBySubject('demo-admin');
  if (admin !== undefined && !known.some(({ instanceName }) => instanceName === demoInstanceName)) {
    const { accountId } = admin.user;
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    await chatInstances.create(administrator, { accountId, instanceName: demoInstanceName, isDefault: true }, place);
  }
  const [key] = await apiKeys.readCurrent(administrator, [tenant.id]);
  if (key === undefined) throw new Error('the demo tenant has no API key');
  return { ...tenant, apiKey: key.apiKey };
}
