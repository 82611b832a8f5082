// What `npm run dev` finds in its database: the demo tenant (the platform tenant), its two users and its chat instance.

import { v7 as uuidv7 } from 'uuid';
import type { TenantWithKey } from './features/tenants/tenant.service.js';
import type { Services } from './services.js';

export const demoSlug = 'demo';
export const demoInstanceName = 'demo';

const demoUsers = [
  { idpSub: 'demo-admin', email: 'admin@demo.example', name: 'Demo Admin', role: 'ADMIN' },
  { idpSub: 'demo-operator', email: 'operator@demo.example', name: 'Demo Operator', role: 'OPERATOR' },
] as const;

/** Creates what is missing; safe to repeat, also after a start that was cut short. */
export async function seedDemo(services: Services): Promise<TenantWithKey> {
  const { tenants, users, chatInstances, database } = services;
  const tenant =
    (await tenants.findBySlug(demoSlug)) ??
    (await tenants.create({ name: 'Demo', slug: demoSlug, chatRateLimit: { max: 20, durationMs: 1_000 } }));
  for (const user of demoUsers) {
    if ((await users.findActiveBySubject(user.idpSub)) === undefined) await users.create(tenant.id, user);
  }
  const known = await chatInstances.listKnown(database, tenant.id);
  const admin = await users.findActiveBySubject('demo-admin');
  if (admin !== undefined && !known.some(({ instanceName }) => instanceName === demoInstanceName)) {
    const { accountId } = admin;
    await chatInstances.create(tenant.id, { id: uuidv7(), accountId, instanceName: demoInstanceName, isDefault: true });
  }
  return tenant;
}
