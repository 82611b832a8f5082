// Leads of Meta's Lead Ads, read from its Graph API: one by its id, and those of a form page by page.

import { z } from 'zod';
import { isPlainObject } from '../../platform/input/input.js';
import { isNotDone, isSuccess, reasonByStatus, withAdvice } from '../answer.js';
import {
  answerTooLarge,
  GatewayHttp,
  type GatewayAnswer,
  type GatewayCallResult,
  type GatewayHttpOptions,
} from '../http.js';
import { metaId } from './gateway.js';
import { readReason } from './refusal.js';

/** The address of a source's leads, and the token that reads them. */
export interface LeadAccess {
  /** Null: Meta's own address. */
  baseUrl: string | null;
  token: string | null;
}

/**
 * The reason why nothing was read. Details are sentences.
 * - `temporary`: it passes by itself.
 * - `refused`: Meta asks for another token or permission.
 * - `failed`: no repetition changes it.
 */
export type NoLeads =
  | { outcome: 'temporary'; detail: string; retryAfterSeconds?: number | undefined }
  | { outcome: 'refused' | 'failed'; detail: string };

export type FoundMetaLead = { outcome: 'found'; lead: Record<string, unknown> } | NoLeads;

export interface LeadPage {
  outcome: 'found';
  leads: Record<string, unknown>[];
  /** The cursor of the next page; undefined on the last one. */
  after: string | undefined;
}

const defaultBaseUrl = 'https://graph.facebook.com';
const apiVersion = 'v25.0';
const fields = 'created_time,id,ad_id,form_id,field_data,custom_disclaimer_responses';
const pageSize = '100';
const maxPageBytes = 4 * 1024 * 1024;

// https://developers.facebook.com/docs/graph-api/guides/error-handling
const passing = new Set(['1', '2', '4', '17', '32', '341', '613']);
const limits = /^800\d\d$/;
const permissions = /^(?:10|102|190|2\d\d|368|463|467)$/;

const pageSchema = z.object({
  data: z.array(z.unknown()).max(1_000),
  paging: z
    .object({ cursors: z.object({ after: z.string().max(4_096).optional() }).optional(), next: z.string().optional() })
    .optional()
    .catch(undefined),
});

export class MetaLeads {
  private readonly http: GatewayHttp;

  constructor(options: GatewayHttpOptions) {
    this.http = new GatewayHttp(options);
  }

  /** Reads the answers of a lead. Never throws. @param leadgenId digits */
  async find(access: LeadAccess, leadgenId: string, signal: AbortSignal): Promise<FoundMetaLead> {
    const answer = await this.ask(access, [leadgenId], { fields }, signal);
    if (answer.outcome !== 'answered') return noAnswer(answer);
    if (!isSuccess(answer)) return refusalOf(answer);
    const { json } = answer;
    return isPlainObject(json) && Array.isArray(json['field_data'])
      ? { outcome: 'found', lead: { id: leadgenId, ...json } }
      : { outcome: 'failed', detail: `${answer.gateway} answered without the answers of the lead.` };
  }

  /**
   * Reads a page of a form's leads that were made after a time. Never throws.
   * @param after the cursor that the page before gave
   */
  async list(
    access: LeadAccess,
    formId: string,
    { since, after }: { since: Date; after: string | undefined },
    signal: AbortSignal,
  ): Promise<LeadPage | NoLeads> {
    const value = Math.floor(since.getTime() / 1_000);
    const filtering = JSON.stringify([{ field: 'time_created', operator: 'GREATER_THAN', value }]);
    const query = { fields, filtering, limit: pageSize, ...(after === undefined ? {} : { after }) };
    const answer = await this.ask(access, [formId, 'leads'], query, signal);
    if (answer.outcome !== 'answered') return noAnswer(answer);
    if (!isSuccess(answer)) return refusalOf(answer);
    const page = pageSchema.safeParse(answer.json).data;
    if (page === undefined) return { outcome: 'temporary', detail: `${answer.gateway} answered without a list.` };
    const leads = page.data.filter((lead) => isPlainObject(lead));
    const next = page.paging?.next === undefined ? undefined : page.paging.cursors?.after;
    // A page that leads back to itself would never end.
    return { outcome: 'found', leads, after: next === after || leads.length === 0 ? undefined : next };
  }

  private ask(
    { baseUrl, token }: LeadAccess,
    [id = '', ...names]: string[],
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<GatewayCallResult> {
    const url = baseUrl ?? defaultBaseUrl;
    const calledAs = `The Graph API (${new URL(url).host})`;
    if (!metaId.test(id) || token === null) {
      const detail = token === null ? 'The source has no access token.' : 'Meta gave no id.';
      return Promise.resolve({ outcome: 'permanent', code: 'INVALID', detail });
    }
    return this.http.call(
      { baseUrl: url, token, instanceName: '', calledAs },
      {
        method: 'GET',
        path: [apiVersion, id, ...names],
        query,
        headers: { Authorization: `Bearer ${token}` },
        maxAnswerBytes: maxPageBytes,
        isRepeatable: true,
        signal,
      },
    );
  }
}

function noAnswer(result: Exclude<GatewayCallResult, GatewayAnswer>): NoLeads {
  const detail = result.detail.endsWith('.') ? result.detail : `${result.detail}.`;
  if (result.outcome === 'permanent') return { outcome: 'refused', detail };
  return { outcome: result.code === answerTooLarge ? 'failed' : 'temporary', detail };
}

function refusalOf(answer: GatewayAnswer): NoLeads {
  const { code, message } = readReason(answer) ?? reasonByStatus(answer);
  const { retryAfterSeconds, status } = answer;
  const detail = `${code}: ${message}`;
  if (permissions.test(code) || status === 401 || status === 403) {
    const advice = 'Enter an access token that may read leads (leads_retrieval) in the lead source.';
    return { outcome: 'refused', detail: withAdvice(detail, advice) };
  }
  const passes = passing.has(code) || limits.test(code) || isNotDone(answer) || status >= 500;
  return passes
    ? { outcome: 'temporary', detail: withAdvice(detail, ''), retryAfterSeconds }
    : { outcome: 'failed', detail };
}
