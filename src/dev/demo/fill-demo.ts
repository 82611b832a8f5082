// Fills an empty demo tenant once, so that its inbox is worth looking at. A tenant that has leads of its own stays untouched.

import { Transactor } from '../../platform/database/transaction.js';
import type { Services } from '../../services.js';
import { demoPeople, externalIdOf, writeConversations, type DemoPlaces } from './conversations.js';
import { addInstances, demoInstances, staffDesk, type Desk } from './demo-tenant.js';
import { addImitations, type SimulatorPlace } from './imitations.js';
import { lastStepKey, leaveMessages, mergeTwins, sendNews, tidyInbox, type LeadIds } from './desk-work.js';
import { makeJournalCalls, type DemoAddress } from './journal-calls.js';
import { furnishWorkplace } from './workplace.js';

export interface DemoSurroundings extends DemoAddress, SimulatorPlace {
  tenantId: string;
}

/** `untouched`: the tenant has leads that are not the demo's. `complete`: an earlier run has filled it. */
export type FillOutcome = 'filled' | 'complete' | 'untouched';

/**
 * Creates users, instances, conversations and the desk's work on them. Needs the running application, because it makes webhook calls and
 * sends. May be repeated: the next start finishes one that was cut short, and nothing is created twice.
 */
export async function fillDemo(services: Services, surroundings: DemoSurroundings): Promise<FillOutcome> {
  const { tenantId, filesUrl } = surroundings;
  const state = await readState(services, tenantId);
  if (state === 'complete' || state === 'untouched') return state;
  const desk = await staffDesk(services, tenantId);
  await addInstances(services, desk);
  const places = { filesUrl, ...(await findInstances(services, desk)) };
  if (state === 'empty') await writeConversations(services, desk, places);
  const leadIds = await findLeads(services, desk);
  await furnishWorkplace(services, desk);
  await tidyInbox(services, desk, places, leadIds);
  await mergeTwins(services, desk, leadIds);
  await leaveMessages(services, desk, places, leadIds);
  await makeJournalCalls({ ...surroundings, ...(await addImitations(services, desk, surroundings)) });
  await sendNews(services, desk, leadIds);
  await services.rollUps.catchUp(tenantId);
  return 'filled';
}

async function readState(services: Services, tenantId: string): Promise<FillOutcome | 'empty' | 'begun'> {
  const { leadLists, bulkSends, messages, signIn, chatInstances, database } = services;
  const admin = (await signIn.findBySubject('demo-admin'))?.user;
  // The demo's ADMIN is gone, has another role, or belongs to another tenant.
  if (admin?.tenantId !== tenantId || admin.role !== 'ADMIN') return 'untouched';
  const sends = await bulkSends.list(admin, { first: 200 });
  if (sends.edges.some(({ node }) => node.idempotencyKey === lastStepKey)) return 'complete';
  const { edges } = await leadLists.list(admin, { first: 1 });
  if (edges.length === 0) return 'empty';
  const known = await chatInstances.listKnown(database, tenantId);
  const first = demoPeople.flatMap((person) =>
    known.map(({ id: instanceId }) => ({ instanceId, externalId: externalIdOf(person, 0) })),
  );
  return (await messages.listByExternalIds(admin, first)).length > 0 ? 'begun' : 'untouched';
}

async function findInstances(
  { chatInstances, database }: Services,
  { admin }: Desk,
): Promise<Pick<DemoPlaces, 'connectedId' | 'loggedOutId'>> {
  const known = await chatInstances.listKnown(database, admin.tenantId);
  const idOf = (wanted: string) => known.find(({ instanceName }) => instanceName === wanted)?.id ?? '';
  return { connectedId: idOf(demoInstances.connected), loggedOutId: idOf(demoInstances.loggedOut) };
}

/** Finds the leads by their numbers: a merged number gives the lead that stays. */
async function findLeads({ leads, database, notifier }: Services, { admin }: Desk): Promise<LeadIds> {
  const contacts = demoPeople.map(({ number: value }) => ({ identities: [{ kind: 'PHONE', value }] as const }));
  const found = await new Transactor(database, notifier).run(admin.tenantId, (tx) =>
    leads.findOrCreate(tx, contacts, 'demo'),
  );
  return new Map(demoPeople.map(({ key }, index) => [key, found[index]?.lead.id ?? '']));
}
