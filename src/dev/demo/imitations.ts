// The gateways and forms that the simulator imitates, as the demo has them: an instance of each provider, and a lead source of each kind.

import { pathOfSource, type LeadSourceKind } from '../../features/lead-sources/lead-source-kind.js';
import type { Services } from '../../services.js';
import type { GatewaySimulator } from '../../simulator/gateway-simulator.js';
import { demoInstances, type Desk } from './demo-tenant.js';

/** The simulator as the demo calls it. Its token is also the secret of its forms and of its number at Meta. */
export interface SimulatorPlace {
  /** The simulator's address, which serves the demo's files too. */
  filesUrl: string;
  token: string;
}

const metaNumber = { phoneNumberId: '555000101', wabaId: '555000102' } as const;

const instances = [
  { instanceName: demoInstances.evolution, provider: 'evolution' },
  { instanceName: demoInstances.waha, provider: 'waha' },
  { instanceName: demoInstances.meta, provider: 'cloud', metadata: metaNumber },
] as const;

const sources: readonly { kind: LeadSourceKind; name: string }[] = [
  { kind: 'META', name: 'Lead Ads (demo)' },
  { kind: 'GOOGLE', name: 'Search ads (demo)' },
  { kind: 'FORM', name: 'Website form (demo)' },
];

const administrator = { kind: 'command' } as const;

/** Creates the missing ones. May be repeated. @returns the path to which the website's form posts */
export async function addImitations(
  services: Services,
  { admin }: Desk,
  { filesUrl: baseUrl, token }: SimulatorPlace,
): Promise<{ formPath: string }> {
  const { chatInstances, leadSources, database } = services;
  const known = new Set((await chatInstances.listKnown(database, admin.tenantId)).map((one) => one.instanceName));
  const place = { tenantId: admin.tenantId, status: 'CONNECTED' } as const;
  for (const wanted of instances)
    if (!known.has(wanted.instanceName)) {
      const secret = wanted.provider === 'evolution' ? {} : { webhookSecret: token };
      const owned = { accountId: admin.accountId, isDefault: false, baseUrl, token };
      await chatInstances.create(administrator, { ...wanted, ...owned, ...secret }, place);
    }
  const before = await leadSources.list(admin);
  for (const { kind, name } of sources)
    if (!before.some((source) => source.name === name)) {
      const secrets = {
        META: { appSecret: token, accessToken: token, baseUrl },
        GOOGLE: { key: token },
        FORM: { mapping: { externalId: '/id' } },
      } as const;
      await leadSources.create(admin, { kind, name, ...secrets[kind] });
    }
  const form = (await leadSources.list(admin)).find(({ kind, name }) => kind === 'FORM' && isOurs(name));
  return { formPath: form === undefined ? '' : pathOfSource(form) };
}

/**
 * Tells the simulator which protocol an instance speaks and where forms are sent, because it forgets everything when it ends. When the
 * simulator has another address than before, instances and sources get it. May be repeated.
 * @param url the product's own address; undefined before it listens
 */
export async function linkImitations(
  services: Services,
  simulator: GatewaySimulator,
  { filesUrl: baseUrl, token }: SimulatorPlace,
  url?: string,
): Promise<void> {
  const { chatInstances, leadSources, signIn } = services;
  const admin = (await signIn.findBySubject('demo-admin'))?.user;
  if (admin?.role !== 'ADMIN') return;
  const known = await chatInstances.list(admin);
  const gateways = await chatInstances.listGateways(
    admin,
    known.map(({ id }) => id),
  );
  for (const { instanceName, provider } of instances) {
    const instance = known.find((one) => one.instanceName === instanceName && one.provider === provider);
    if (instance === undefined) continue;
    const secret = { webhookSecret: token };
    if (gateways.find(({ id }) => id === instance.id)?.baseUrl !== baseUrl)
      await chatInstances.update(admin, instance.id, { baseUrl, token, ...(provider === 'evolution' ? {} : secret) });
    if (provider === 'cloud')
      simulator.reportTo({ cloud: { instanceId: instance.id, appSecret: token } }, metaNumber.phoneNumberId);
    else simulator.reportTo({ dress: provider, ...(provider === 'waha' ? secret : {}) }, instanceName);
  }
  for (const source of (await leadSources.list(admin)).filter(({ name }) => isOurs(name))) {
    if (source.kind === 'META' && source.baseUrl !== baseUrl)
      await leadSources.update(admin, source.id, { baseUrl, accessToken: token });
    const address = url === undefined ? undefined : `${url}${pathOfSource(source)}`;
    if (address === undefined) continue;
    if (source.kind === 'GOOGLE') simulator.reportTo({ googleForm: { url: address, key: token } });
    if (source.kind === 'META') simulator.reportTo({ metaForm: { url: address, appSecret: token } });
  }
}

/** The instances that customers write to, by their names in the simulator. */
export const customersInstances: readonly string[] = [
  demoInstances.connected,
  demoInstances.evolution,
  demoInstances.connected,
  demoInstances.waha,
  demoInstances.connected,
  metaNumber.phoneNumberId,
];

function isOurs(name: string): boolean {
  return sources.some((source) => source.name === name);
}
