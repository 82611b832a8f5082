// Reads the forms of META sources for leads whose webhook call never came. Each form is read every hour, at a start if its hour has passed,
// and when an ADMIN asks. A reading goes on page by page, a few at a time, so that forms and tenants take turns.

import { metaId } from '../../../providers/meta/gateway.js';
import type { NoLeads } from '../../../providers/meta/leads.js';
import { AppError } from '../../../platform/errors.js';
import { LeasedLanes } from '../../../platform/jobs/leased-lanes.js';
import {
  claimForms,
  continueForm,
  endForm,
  postponeForm,
  releaseForms,
  selectNextFormDue,
  selectTenantsWithForms,
  type ClaimedForm,
} from './form-reader.sql.js';
import { idText } from '../reading/exact-json.js';
import { readMetaLead } from '../reading/meta-lead.js';
import { readPosting } from '../reading/submission.js';
import type { ArrivalEntry } from '../calls/source-lead-intake.js';
import { accessOf, delayAfter, readingOf } from './fetch-source.js';
import type { FetchingOptions } from './source-lead-fetcher.js';

/** The pages of one form that are read before another form has its turn. */
const pagesAtOnce = 5;
/** The overlap of two readings: Meta may show a lead a little after its time. */
const overlapMs = 10 * 60_000;
const minuteMs = 60_000;
const intervalMs = 60 * minuteMs;
const retryDelaysMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, intervalMs];

interface Failed {
  problem: NoLeads;
  /** True if the cursor of the next page is no longer valid. */
  startsOver: boolean;
}

export class FormReader extends LeasedLanes<ClaimedForm> {
  constructor(private readonly options: FetchingOptions) {
    super(options, {
      name: 'forms of lead sources',
      selectTenants: selectTenantsWithForms,
      claim: claimForms,
      selectNextDue: selectNextFormDue,
      release: releaseForms,
      keysOf: (forms) => [forms.map(({ sourceId }) => sourceId), forms.map(({ formId }) => formId)],
    });
  }

  protected override async work(tenantId: string, form: ClaimedForm): Promise<void> {
    const { log } = this.options;
    const { sourceId, formId } = form;
    try {
      const failed = await this.readPages(tenantId, form).catch((error: unknown): Failed => {
        if (!(error instanceof AppError))
          log.error({ err: error, tenantId, sourceId, formId }, 'reading a form failed');
        return {
          problem: { outcome: 'temporary', detail: 'Its leads could not be stored right now.' },
          startsOver: false,
        };
      });
      if (failed !== undefined) await this.note(tenantId, form, failed);
    } catch (error) {
      log.warn({ err: error, tenantId, sourceId, formId }, 'the result of reading a form could not be stored');
    }
  }

  private async readPages(tenantId: string, form: ClaimedForm): Promise<Failed | undefined> {
    const { database, graph, secretBox } = this.options;
    const { sourceId, formId, readUntil } = form;
    const access = accessOf(secretBox, form);
    const since = new Date(readUntil.getTime() - overlapMs);
    let after = form.cursor ?? undefined;
    for (let pages = 0; pages < pagesAtOnce; pages += 1) {
      const page = await graph.list(access, formId, { since, after }, this.signal);
      if (page.outcome !== 'found')
        return { problem: page, startsOver: page.outcome === 'failed' && after !== undefined };
      await this.takeIn(tenantId, form, page.leads);
      ({ after } = page);
      if (after === undefined) {
        await database.change(tenantId, endForm, [tenantId, sourceId, formId, readUntil, intervalMs]);
        return undefined;
      }
    }
    await database.change(tenantId, continueForm, [tenantId, sourceId, formId, readUntil, after]);
    return undefined;
  }

  /**
   * Takes in the leads of a page. Known leads are passed over. A lead that the mapping cannot read is fetched singly, to store the reason.
   */
  private async takeIn(tenantId: string, form: ClaimedForm, leads: readonly Record<string, unknown>[]): Promise<void> {
    const { metrics, writer } = this.options;
    const source = readingOf(form);
    const entries: ArrivalEntry[] = [];
    for (const lead of leads) {
      const submission = readMetaLead(lead);
      const leadgenId = submission?.externalId ?? idText(lead['id']);
      if (leadgenId === null || !metaId.test(leadgenId) || submission?.isTest === true) continue;
      const { formId } = form;
      const read = submission === undefined ? undefined : readPosting({ ...submission, formId }, source, leadgenId);
      entries.push(read === undefined || 'errors' in read ? { notice: { leadgenId, formId } } : read);
    }
    if (entries.length === 0) return;
    const results = await writer.submit(tenantId, { sourceId: form.sourceId, entries });
    const recovered = results.filter((result) => 'created' in result && !result.duplicate).length;
    metrics.sourceLeadFetches.inc({ outcome: 'recovered' }, recovered);
  }

  private async note(tenantId: string, form: ClaimedForm, { problem, startsOver }: Failed): Promise<void> {
    const { database } = this.options;
    const { sourceId, formId, attempt } = form;
    if (problem.outcome === 'temporary' && this.signal.aborted) {
      await this.release(tenantId, [form]);
      return;
    }
    const leastSeconds = problem.outcome === 'temporary' ? problem.retryAfterSeconds : undefined;
    const delayMs = delayAfter(retryDelaysMs, attempt, leastSeconds);
    await database.change(tenantId, postponeForm, [tenantId, sourceId, formId, delayMs, problem.detail, startsOver]);
  }
}
