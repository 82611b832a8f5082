// A batch of leads as integrators post them, one for each call.

import { newRecordId } from '../../platform/record-id.js';
import { matchKeyOf } from '../leads/identity/lead-identity.js';
import type { IntakeLead } from '../leads/lead.service.js';
import { callColumns } from './journal-writer.js';
import type { DirectAnswers, DirectCall, DirectIntakeOptions } from './direct-call.js';
import { receivePostedLeads } from './fast-path.sql.js';
import type { LeadIntake } from './webhook-call.js';

interface Row extends IntakeLead {
  position: number;
  created: boolean;
}

export async function writeLeads(
  { transactor }: DirectIntakeOptions,
  tenantId: string,
  calls: readonly DirectCall<LeadIntake>[],
): Promise<DirectAnswers> {
  const rows = await transactor.runAlone<Row>(tenantId, receivePostedLeads, toColumns(tenantId, calls));
  const answers: DirectAnswers = calls.map(() => undefined);
  for (const { position, ...answer } of rows) answers[position] = { answer };
  return answers;
}

function toColumns(tenantId: string, calls: readonly DirectCall<LeadIntake>[]): unknown[] {
  const leads = calls.map(({ said }) => said.lead);
  return [
    tenantId,
    ...callColumns(calls),
    calls.map(() => newRecordId()),
    calls.map(() => newRecordId()),
    leads.map(({ chat }) => matchKeyOf({ kind: 'PHONE', value: chat })),
    leads.map(({ chat }) => chat),
    leads.map(({ name }) => name ?? null),
    leads.map(({ source }) => source ?? null),
    leads.map(({ metadata }) => (metadata === undefined ? null : JSON.stringify(metadata))),
    calls.map(({ said }) => said.defaultSource),
  ];
}
