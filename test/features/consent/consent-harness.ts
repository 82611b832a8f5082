// Helpers for tests of consent.

import { randomUUID } from 'node:crypto';
import { query } from '../../support/graphql-client.js';
import {
  ConsentLogDocument,
  OptOutDocument,
  SetKeywordsDocument,
  type ConsentLogQuery,
  type OptOutQuery,
  type UpdateTenantInput,
} from '../../support/operations.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';

export interface Inbound {
  text: string;
  messageId?: string;
  timestamp?: number;
  [field: string]: unknown;
}

/** Lets a lead write. @returns the answer's status, and the service's ids */
export async function write(app: TestApp, tenant: TestTenant, from: string, message: Inbound) {
  const body = { instance: tenant.instance.name, messageId: `in-${randomUUID()}`, from, ...message };
  const answer = await app.post('/webhooks/chat/gateway/inbound', body, withKey(tenant));
  const { results = [] } = (await answer.json()) as { results?: { messageId: string; leadId: string }[] };
  return { status: answer.status, messageId: results[0]?.messageId ?? '', leadId: results[0]?.leadId ?? '' };
}

export async function optOutOf(app: TestApp, tenant: TestTenant, id: string) {
  const { lead } = await query<OptOutQuery, { id: string }>(app, tenant.operator, OptOutDocument, { id });
  return lead?.optOut;
}

export async function logOf(app: TestApp, tenant: TestTenant, leadId: string) {
  const { consentLog } = await query<ConsentLogQuery, { leadId: string }>(app, tenant.operator, ConsentLogDocument, {
    leadId,
  });
  return consentLog.edges.map(({ node }) => node);
}

export async function setKeywords(app: TestApp, tenant: TestTenant, input: UpdateTenantInput) {
  return (await query(app, tenant.admin, SetKeywordsDocument, { id: tenant.id, input })).updateTenant;
}

/** The Unix time in seconds, so many hours from now. */
export function hoursFromNow(hours: number): number {
  return Math.floor(Date.now() / 1_000 + hours * 3_600);
}
