// The work of the demo's desk on its conversations, through the services that operators use. Every step may be repeated.

import type { MessageRow } from '../../features/messages/message.service.js';
import type { Services } from '../../services.js';
import { demoPeople, externalIdOf, type DemoPlaces } from './conversations.js';
import type { Desk } from './demo-tenant.js';
import { hour, type Person } from './script.js';
import { newsTemplateName } from './workplace.js';

/** The key of the demo's last step: when this bulk send exists, the demo is complete. */
export const lastStepKey = 'demo: spring news';

/** The ids of leads, by the keys of their people. */
export type LeadIds = ReadonlyMap<string, string>;

const minuteMs = 60_000;
/** The number of people handled at a time: the rest of the process needs connections too. */
const atOnce = 4;

/** Sets tags, fields, assignees and notes; marks messages read; closes and snoozes conversations; opts leads out. */
export async function tidyInbox(services: Services, desk: Desk, places: DemoPlaces, leadIds: LeadIds): Promise<void> {
  const messages = await readMessages(services, desk, places);
  const people = [...demoPeople];
  const work = async () => {
    for (let person = people.pop(); person !== undefined; person = people.pop())
      await tidyOne(services, desk, person, leadIds.get(person.key) ?? '', messages);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function tidyOne(
  services: Services,
  desk: Desk,
  person: Person,
  leadId: string,
  messages: ReadonlyMap<string, MessageRow>,
): Promise<void> {
  const { leadRecords, leadNotes, conversations, consent } = services;
  const user = desk[person.assignee ?? 'operator'];
  const { tags = [], fields = {}, language } = person;
  await leadRecords.update(user, leadId, { tags, customFields: { ...fields, language } });
  if (person.assignee !== undefined) await leadRecords.assign(user, leadId, desk[person.assignee].userId);
  await readAll(services, desk, person, leadId, messages);
  if (person.note !== undefined) {
    const [notes] = await leadNotes.listOfLeads(user, [leadId], { first: 1 });
    if (notes === undefined || notes.page.edges.length === 0) await leadNotes.add(user, leadId, person.note);
  }
  if (person.snoozedHours !== undefined)
    await conversations.snooze(user, leadId, new Date(Date.now() + person.snoozedHours * hour * minuteMs));
  if (person.isClosed === true) await conversations.close(user, leadId);
  if (person.optedOut !== undefined) await consent.optOut(user, leadId, person.optedOut);
}

// The last lines of a lead stay unread, as many as its script says.
async function readAll(
  { leadRecords }: Services,
  { operator }: Desk,
  person: Person,
  leadId: string,
  messages: ReadonlyMap<string, MessageRow>,
): Promise<void> {
  const { lines, unread = 0 } = person;
  const inbound = lines.flatMap(({ by }, index) => (by === 'lead' ? [index] : []));
  const lastRead = inbound.at(-1 - unread);
  if (lastRead === undefined) return;
  const upTo = messages.get(externalIdOf(person, lastRead));
  if (upTo !== undefined) await leadRecords.markRead(operator, leadId, upTo.id);
}

async function readMessages(
  { messages }: Services,
  { operator }: Desk,
  { connectedId, loggedOutId }: DemoPlaces,
): Promise<Map<string, MessageRow>> {
  const keys = demoPeople.flatMap((person) =>
    person.lines.map((_, index) => ({
      instanceId: person.isElsewhere === true ? loggedOutId : connectedId,
      externalId: externalIdOf(person, index),
    })),
  );
  const rows = await messages.listByExternalIds(operator, keys);
  return new Map(rows.map((row) => [row.externalId ?? '', row]));
}

/** Merges the two leads of a guest who writes from two phones; the merge can be undone. */
export async function mergeTwins({ leadMerges }: Services, { james }: Desk, leadIds: LeadIds): Promise<void> {
  const [leadId = '', intoId = ''] = [leadIds.get('lupe'), leadIds.get('guadalupe')];
  // An earlier run has merged them, so that both keys give the same lead.
  if (leadId !== intoId) await leadMerges.merge(james, leadId, intoId);
}

/** Creates messages that have not left: one for tomorrow, and one that waits for an instance that is logged out. */
export async function leaveMessages(
  services: Services,
  { operator, beatriz }: Desk,
  { loggedOutId }: DemoPlaces,
  leadIds: LeadIds,
): Promise<void> {
  const tomorrow = new Date(Date.now() + 20 * hour * minuteMs);
  const known = await services.messages.findByIdempotencyKey(operator, scheduledKey);
  if (known === null)
    await services.messageSend.send(beatriz, {
      leadId: leadIds.get('anselmo') ?? '',
      body: 'Bom dia, Anselmo! Conseguiu falar com o seu irmão?',
      sendAt: tomorrow,
      idempotencyKey: scheduledKey,
    });
  await services.messageSend.send(operator, {
    leadId: leadIds.get('ze') ?? '',
    instanceId: loggedOutId,
    body: 'Olá Zé! Deixou um carregador no quarto. Quer que o enviemos?',
    idempotencyKey: 'demo: charger',
  });
}

const scheduledKey = 'demo: brother';

/** Sends one template to many leads: some have opted out and are skipped, and one number is not on the network. */
export async function sendNews(services: Services, { admin }: Desk, leadIds: LeadIds): Promise<void> {
  const known = await services.templates.list(admin, { first: 1 }, { name: newsTemplateName });
  const templateId = known.edges[0]?.node.id;
  if (templateId === undefined) throw new Error(`the template ${newsTemplateName} is missing`);
  const recipients = [...new Set(newsKeys.map((key) => leadIds.get(key) ?? ''))].map((leadId) => ({ leadId }));
  await services.bulkSends.send(admin, { templateId, recipients, idempotencyKey: lastStepKey, onOptedOut: 'SKIP' });
}

// An answer would open a closed or snoozed conversation again, so only opted-out leads, which are skipped, may have one.
const newsKeys = ['kwame', 'tom', 'caio', 'wei', 'george', 'declan', 'oluwaseun', 'ingrid'];
