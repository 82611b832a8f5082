// Exports leads as a CSV file, by the filter and the order of the lists. `exportColumns` of lead-fields.ts lists the columns. Those that
// are no field of a lead are made here.

import { csvOf, type CsvCell } from '../../../platform/input/csv.js';
import type { Database, NamedStatement } from '../../../platform/database/database.js';
import { requireUser, type Principal } from '../../../platform/principal.js';
import type { SelectedFields } from '../../../platform/database/shown-records.js';
import type { UserService } from '../../users/user.service.js';
import { fieldPrefix } from './lead-import-columns.js';
import type { CustomFields } from '../lead-labels.js';
import type { LeadFilterInput, LeadOrderInput } from '../lead.schema.js';
import type { LeadListService, ListedLead } from '../lead-list.service.js';
import { timeOfPosition } from '../conversation/position.js';
import { exportColumns, leadFields, newestMessageFields } from '../lead-fields.js';
import { newestMessageOf, type LeadRow } from '../lead.sql.js';
import { referralCells, referralColumns } from '../referrals/referral.js';
import type { Referral } from '../../../providers/referral.js';
import { selectFirstReferrals, type FirstReferralRow } from '../referrals/referral.sql.js';

/** The most custom fields with a column of their own. Others stand together as JSON. */
const maxFieldColumns = 200;

/** $1 tenant, $2 limit → the names of custom fields that its leads have. */
const selectFieldNames: NamedStatement = {
  name: 'select-custom-field-names',
  text: `SELECT DISTINCT jsonb_object_keys(custom_fields) AS name FROM leads
    WHERE tenant_id = $1 AND merged_into_id IS NULL ORDER BY name LIMIT $2`,
};

type ExportedLead = ListedLead & { optOut?: { at: string; source: string } | null };
type Emails = ReadonlyMap<string, string>;

/** The columns that are not a field of the lead as it is. */
const madeCells = {
  tags: ({ tags }: ExportedLead) => tags.join(', '),
  assignee: ({ assigneeId }: ExportedLead, emails: Emails) =>
    assigneeId === null ? null : (emails.get(assigneeId) ?? assigneeId),
  lastMessageAt: (lead: ExportedLead) => {
    const newest = newestMessageOf(lead);
    return newest === null ? null : timeOfPosition(newest.position);
  },
  metadata: ({ metadata }: ExportedLead) => (metadata === null ? null : JSON.stringify(metadata)),
  optedOutAt: ({ optOut }: ExportedLead) => optOut?.at ?? null,
  optOutSource: ({ optOut }: ExportedLead) => optOut?.source ?? null,
};

type ExportColumn = (typeof exportColumns)[number];

function isMade(column: ExportColumn): column is ExportColumn & keyof typeof madeCells {
  return column in madeCells;
}

/** The fields of a lead that are exported, custom fields included. */
const shownFields: SelectedFields = new Map([
  ...[...exportColumns, ...newestMessageFields, 'assigneeId', 'customFields']
    .filter((field) => field in leadFields)
    .map((field): [string, ReadonlySet<string>] => [field, new Set()]),
  ['optOut', new Set(['at', 'source'])],
]);

export class LeadExportService {
  constructor(
    private readonly database: Database,
    private readonly lists: LeadListService,
    private readonly users: UserService,
  ) {}

  /**
   * Exports all leads of a list as CSV, page by page.
   * @throws AppError VALIDATION_FAILED for a wrong filter or order
   */
  async export(
    principal: Principal | undefined,
    filter?: LeadFilterInput | null,
    orderBy?: LeadOrderInput | null,
  ): Promise<AsyncGenerator<string>> {
    const user = requireUser(principal);
    const source = this.lists.sourceOf(user, filter, orderBy, shownFields);
    const values = [user.tenantId, maxFieldColumns + 1];
    const rows = await this.database.query<{ name: string }>(selectFieldNames, values);
    const names = rows.slice(0, maxFieldColumns).map(({ name }) => name);
    const hasOthers = rows.length > maxFieldColumns;
    const headers = [
      ...exportColumns,
      ...referralColumns,
      ...names.map((name) => fieldPrefix + name),
      ...(hasOthers ? ['otherFields'] : []),
    ];
    return csvOf(source, headers, async (leads) => {
      const emails = await this.emailsOf(user, leads);
      const referrals = await this.referralsOf(user, leads);
      return leads.map((lead) => [
        ...cellsOf(lead, emails),
        ...referralCells(referrals.get(lead.id)),
        ...fieldCells(lead, names, hasOthers),
      ]);
    });
  }

  private async referralsOf(principal: Principal, leads: readonly ListedLead[]): Promise<Map<string, Referral>> {
    const ids = leads.map(({ id }) => id);
    const rows = await this.database.query<FirstReferralRow>(selectFirstReferrals, [principal.tenantId, ids]);
    return new Map(rows.map(({ leadId, referral }) => [leadId, referral]));
  }

  private async emailsOf(principal: Principal, leads: readonly Pick<LeadRow, 'assigneeId'>[]): Promise<Emails> {
    const ids = new Set(leads.flatMap(({ assigneeId }) => assigneeId ?? []));
    const users = ids.size === 0 ? [] : await this.users.listByIds(principal, [...ids]);
    return new Map(users.map(({ id, email }) => [id, email]));
  }
}

function cellsOf(lead: ExportedLead, emails: Emails): CsvCell[] {
  return exportColumns.map((column) => (isMade(column) ? madeCells[column](lead, emails) : lead[column]));
}

function fieldCells(
  { customFields }: Pick<LeadRow, 'customFields'>,
  names: readonly string[],
  hasOthers: boolean,
): CsvCell[] {
  const fields = new Map(Object.entries(customFields as CustomFields));
  const cells = names.map((name) => fields.get(name) ?? null);
  if (!hasOthers) return cells;
  for (const name of names) fields.delete(name);
  return [...cells, fields.size === 0 ? null : JSON.stringify(Object.fromEntries(fields))];
}
