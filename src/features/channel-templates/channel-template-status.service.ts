// Keeps the statuses of channel templates as the network reports them. A webhook call's journal entry has the outcome of each report.

import type { Transaction } from '../../platform/database/transaction.js';
import { reportTemplateStatuses, templateStatusColumns, type TemplateStatusReport } from './channel-template.sql.js';

export type TemplateStatusOutcome = { outcome: 'applied' } | { outcome: 'ignored'; reason: string };

interface ReportedRow {
  position: number;
  isKnown: boolean;
  applied: boolean;
}

const unknown = 'a channel template that is not known here: sync the templates';
const outdated = 'not the latest report on this channel template';

export class ChannelTemplateStatusService {
  /** Stores the latest report on each template. Safe to repeat. @returns the outcome of each report, in their order */
  async report(tx: Transaction, reports: readonly TemplateStatusReport[]): Promise<TemplateStatusOutcome[]> {
    if (reports.length === 0) return [];
    const values = [tx.tenantId, ...templateStatusColumns.valuesOf(reports)];
    const rows = await tx.query<ReportedRow>(reportTemplateStatuses, values);
    return rows.map(({ isKnown, applied }) =>
      applied ? { outcome: 'applied' } : { outcome: 'ignored', reason: isKnown ? outdated : unknown },
    );
  }
}
