// Keeps the statuses of channel templates as the network reports them. Reports come in calls whose journal entry says what became of each.

import type { Transaction } from '../../platform/transaction.js';
import { reportTemplateStatuses, templateStatusColumns } from './channel-template.sql.js';
import type { TemplateStatusReport } from './channel-template.sql.js';

export type TemplateStatusOutcome = { outcome: 'applied' } | { outcome: 'ignored'; reason: string };

interface ReportedRow {
  position: number;
  isKnown: boolean;
  applied: boolean;
}

const unknown = 'a channel template that is not known here: sync the templates';
const outdated = 'not the latest report on this channel template';

export class ChannelTemplateStatusService {
  /** @returns what became of each report, in their order. Safe to repeat. */
  async report(tx: Transaction, reports: readonly TemplateStatusReport[]): Promise<TemplateStatusOutcome[]> {
    if (reports.length === 0) return [];
    const values = [tx.tenantId, ...templateStatusColumns.valuesOf(reports)];
    const rows = await tx.query<ReportedRow>(reportTemplateStatuses, values);
    return rows.map(({ isKnown, applied }) =>
      applied ? { outcome: 'applied' } : { outcome: 'ignored', reason: isKnown ? outdated : unknown },
    );
  }
}
