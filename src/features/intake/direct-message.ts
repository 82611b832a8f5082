// A batch of inbound messages, one for each call, of leads that are known.

import { bodyOf } from '../messages/reported.js';
import type { ReportedMessage } from '../messages/reported.js';
import type { KnownLead } from '../leads/identity/identity-cache.js';
import { callColumns } from './journal-writer.js';
import type { DirectAnswers, DirectCall, DirectIntakeOptions } from './direct-call.js';
import { receiveKnownMessages } from './fast-path.sql.js';
import { findInstance } from './known-instances.js';

interface SaidMessage {
  item: ReportedMessage;
  instance: string | null;
  messageId: string;
}

interface Located {
  entry: DirectCall<SaidMessage>;
  instanceId: string;
  lead: KnownLead;
}

interface Row {
  position: number;
  messageId: string;
  leadId: string;
  duplicate: boolean;
}

export async function writeMessages(
  options: DirectIntakeOptions,
  tenantId: string,
  calls: readonly DirectCall<SaidMessage>[],
): Promise<DirectAnswers> {
  const located = await locate(options, tenantId, calls);
  if (located.length === 0) return calls.map(() => undefined);
  const rows = await options.transactor.runAlone<Row>(tenantId, receiveKnownMessages, toColumns(tenantId, located));
  const answered = new Map(rows.map(({ position, ...answer }) => [located[position]?.entry, answer]));
  for (const { entry, lead } of located) if (!answered.has(entry)) options.directory.forget(tenantId, lead);
  return calls.map((entry) => {
    const answer = answered.get(entry);
    return answer === undefined ? undefined : { answer: { accepted: 1, results: [answer] } };
  });
}

async function locate(
  { database, instances, directory }: DirectIntakeOptions,
  tenantId: string,
  calls: readonly DirectCall<SaidMessage>[],
): Promise<Located[]> {
  const known = await instances.list(
    database,
    tenantId,
    calls.map(({ said }) => said.instance),
  );
  const leads = await directory.locate(
    tenantId,
    calls.map(({ said: { item } }) => ({ identities: item.contact, name: item.name })),
  );
  return calls.flatMap((entry, index) => {
    const instanceId = findInstance(entry.said.instance, known)?.id;
    const lead = leads[index];
    return instanceId === undefined || lead === undefined ? [] : [{ entry, instanceId, lead }];
  });
}

function toColumns(tenantId: string, located: readonly Located[]): unknown[] {
  const items = located.map(({ entry }) => entry.said.item);
  return [
    tenantId,
    ...callColumns(located.map(({ entry }) => entry)),
    located.map(({ entry }) => entry.said.messageId),
    located.map(({ instanceId }) => instanceId),
    located.map(({ lead }) => lead.kind),
    located.map(({ lead }) => lead.matchKey),
    located.map(({ lead }) => lead.leadId),
    items.map(({ type }) => type),
    items.map((item) => bodyOf(item)),
    items.map(({ media }) => (media === undefined ? null : JSON.stringify(media))),
    items.map(({ externalId }) => externalId),
    items.map(({ replyTo }) => replyTo ?? null),
    items.map(({ timestamp }) => timestamp ?? null),
  ];
}
