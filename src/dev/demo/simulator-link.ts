// Tells the simulator, which forgets everything when it ends, what the database knows: how instances stand, and who may write.

import type { Services } from '../../services.js';
import type { GatewaySimulator } from '../../simulator/gateway-simulator.js';
import { demoInstances } from './demo-tenant.js';

/** Who is talked to most: more people would only make the inbox restless. */
const maxCustomers = 40;

/** Instances that are not connected stay so, and the one that waits for its code goes on to wait for somebody who scans it. */
export async function restoreInstances(services: Services, simulator: GatewaySimulator): Promise<void> {
  simulator.behave({ needsScan: true }, demoInstances.waiting);
  const admin = (await services.signIn.findBySubject('demo-admin'))?.user;
  if (admin === undefined) return;
  for (const { instanceName, status, lastError } of await services.chatInstances.list(admin)) {
    const reason = lastError === null ? {} : { lastError };
    if (status === 'CONNECTING' || status === 'DISCONNECTED')
      simulator.restoreInstance(instanceName, { status, ...reason });
  }
}

/** Customers are people of open conversations: those that are closed or snoozed keep quiet. */
export async function introduceCustomers({ leadLists, signIn }: Services, simulator: GatewaySimulator): Promise<void> {
  const operator = (await signIn.findBySubject('demo-operator'))?.user;
  if (operator === undefined) return;
  const filter = { conversationStatuses: ['OPEN' as const], optedOut: false };
  const { edges } = await leadLists.list(operator, { first: maxCustomers }, filter, { field: 'LAST_MESSAGE_AT' });
  const customers = edges.flatMap(({ node: { chat: number, name, customFields } }) =>
    number === null ? [] : [{ instance: demoInstances.connected, number, name, ...languageIn(customFields) }],
  );
  simulator.introduce(customers);
}

function languageIn(fields: unknown): { language?: 'en' | 'pt' | 'es' } {
  const { language } = Object(fields) as { language?: unknown };
  return language === 'en' || language === 'pt' || language === 'es' ? { language } : {};
}
