// Tells the simulator the state of instances and the customers who may write, because it forgets everything when it ends.

import type { Services } from '../../services.js';
import type { GatewaySimulator } from '../../simulator/gateway-simulator.js';
import type { InstanceState } from '../../simulator/instance-registry.js';
import { demoInstances, loggedOutReason } from './demo-tenant.js';
import { customersInstances } from './imitations.js';

/** The number of customers, taken from the latest conversations: more would only make the inbox restless. */
const maxCustomers = 40;

/**
 * Instances that are not connected stay so, and the waiting one keeps waiting for a scan of its code. The demo's own instances are
 * restored even before they exist, because the product asks for an instance's state as soon as it exists.
 */
export async function restoreInstances(services: Services, simulator: GatewaySimulator): Promise<void> {
  const states = new Map<string, InstanceState | undefined>([
    [demoInstances.waiting, { status: 'CONNECTING' }],
    [demoInstances.loggedOut, { status: 'DISCONNECTED', lastError: loggedOutReason }],
  ]);
  const admin = (await services.signIn.findBySubject('demo-admin'))?.user;
  const known = admin === undefined ? [] : await services.chatInstances.list(admin);
  for (const { instanceName, status, lastError } of known)
    states.set(
      instanceName,
      status === 'CONNECTING' || status === 'DISCONNECTED'
        ? { status, ...(lastError !== null && { lastError }) }
        : undefined,
    );
  simulator.behave({ needsScan: true }, demoInstances.waiting);
  for (const [name, state] of states) if (state !== undefined) simulator.restoreInstance(name, state);
}

/** Customers are people of open conversations: those that are closed or snoozed keep quiet. */
export async function introduceCustomers({ leadLists, signIn }: Services, simulator: GatewaySimulator): Promise<void> {
  const operator = (await signIn.findBySubject('demo-operator'))?.user;
  if (operator === undefined) return;
  const filter = { conversationStatuses: ['OPEN' as const], optedOut: false };
  const { edges } = await leadLists.list(operator, { first: maxCustomers }, filter, { field: 'LAST_MESSAGE_AT' });
  const customers = edges.flatMap(({ node: { chat: number, name, customFields } }, index) => {
    const instance = customersInstances[index % customersInstances.length] ?? demoInstances.connected;
    return number === null ? [] : [{ instance, number, name, ...languageIn(customFields) }];
  });
  simulator.introduce(customers);
}

function languageIn(fields: unknown): { language?: 'en' | 'pt' | 'es' } {
  const { language } = Object(fields) as { language?: unknown };
  return language === 'en' || language === 'pt' || language === 'es' ? { language } : {};
}
