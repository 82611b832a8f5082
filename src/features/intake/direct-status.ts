// A batch of statuses, one for each call, of messages that are known.

import { newRecordId } from '../../platform/record-id.js';
import { toStatusChange } from '../messages/reported.js';
import type { ReportedStatus } from '../messages/reported.js';
import { callColumns } from './journal-writer.js';
import type { DirectAnswers, DirectCall, DirectIntakeOptions } from './direct-call.js';
import { reportKnownStatuses } from './fast-path.sql.js';
import { findInstance } from './known-instances.js';

interface SaidStatus {
  item: ReportedStatus;
  instance: string | null;
}

interface Located {
  entry: DirectCall<SaidStatus>;
  instanceId: string;
}

interface Row {
  position: number;
  messageId: string;
  externalId: string;
  applied: boolean;
}

export async function writeStatuses(
  { database, transactor, instances }: DirectIntakeOptions,
  tenantId: string,
  calls: readonly DirectCall<SaidStatus>[],
): Promise<DirectAnswers> {
  const known = await instances.list(
    database,
    tenantId,
    calls.map(({ said }) => said.instance),
  );
  // A statement changes a message once: a second status of it goes the long way, after the first.
  const located = new Map<string, Located>();
  for (const entry of calls) {
    const instanceId = findInstance(entry.said.instance, known)?.id;
    const key = `${instanceId} ${entry.said.item.externalId}`;
    if (instanceId !== undefined && !located.has(key)) located.set(key, { entry, instanceId });
  }
  const batch = [...located.values()];
  if (batch.length === 0) return calls.map(() => undefined);
  const rows = await transactor.runAlone<Row>(tenantId, reportKnownStatuses, toColumns(tenantId, batch));
  const answered = new Map(rows.map((row) => [batch[row.position]?.entry, row]));
  return calls.map((entry) => {
    const row = answered.get(entry);
    if (row === undefined) return undefined;
    const { messageId, externalId, applied } = row;
    return { answer: { accepted: 1, results: [{ messageId, externalId, outcome: applied ? 'applied' : 'ignored' }] } };
  });
}

function toColumns(tenantId: string, batch: readonly Located[]): unknown[] {
  const changes = batch.map(({ entry }) => toStatusChange(entry.said.item));
  return [
    tenantId,
    ...callColumns(batch.map(({ entry }) => entry)),
    batch.map(({ instanceId }) => instanceId),
    batch.map(({ entry }) => entry.said.item.externalId),
    changes.map(({ status }) => status),
    changes.map(({ occurredAt }) => occurredAt),
    changes.map(({ providerCode }) => providerCode ?? null),
    changes.map(({ detail }) => detail ?? null),
    changes.map(() => newRecordId()),
  ];
}
