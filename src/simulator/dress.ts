// Owns which provider's protocol an instance speaks, and how a report is written in it. The shapes themselves stand in cloud-call.ts,
// evolution-call.ts and waha-call.ts.

import { createHmac } from 'node:crypto';
import { makeFormCall, type FormCall } from './form-leads.js';
import { cloudPathOf, makeCloudBody, makeCloudHeaders } from './cloud-call.js';
import type { DressedReport } from './dressed-report.js';
import { listEvolutionCalls } from './evolution-call.js';
import type { WebhookTarget } from './message.schema.js';
import type { Report } from './report-plan.js';
import { listWahaCalls, makeWahaHeaders } from './waha-call.js';

/** The protocol that an instance speaks: the simulator's own, Meta's Cloud API, Evolution API or WAHA. */
export type Dress = 'gateway' | 'cloud' | 'evolution' | 'waha';

/** A webhook call: below the address of the target, or at an address of its own. */
export type DressedCall = { readonly path: string; readonly body: object } | FormCall;

const OWN_PATHS = { status: '/webhooks/chat/gateway/status', inbound: '/webhooks/chat/gateway/inbound' } as const;

export function dressOf({ cloud, dress = 'gateway' }: WebhookTarget): Dress {
  return cloud === undefined ? dress : 'cloud';
}

/** True when the protocol also reports our own sends and the instance's state. */
export function tellsAll(dress: Dress): boolean {
  return dress === 'evolution' || dress === 'waha';
}

/** The calls that carry a report, in their order; none when the protocol has no such call. */
export function dressReport(dressed: DressedReport, target: WebhookTarget): DressedCall[] {
  const { report } = dressed;
  if (report.kind === 'form') return [makeFormCall(report.lead, target) ?? []].flat();
  switch (dressOf(target)) {
    case 'evolution':
      return listEvolutionCalls(dressed).map((body) => ({ path: OWN_PATHS.inbound, body }));
    case 'waha':
      return listWahaCalls(dressed).map((body) => ({ path: OWN_PATHS.inbound, body }));
    case 'cloud':
      if (target.cloud === undefined || !isOwnKind(report.kind)) return [];
      return [{ path: cloudPathOf(target.cloud), body: makeCloudBody(report) }];
    case 'gateway':
    default:
      return isOwnKind(report.kind) ? [{ path: OWN_PATHS[report.kind], body: report.body }] : [];
  }
}

/** The headers of a call. @param now in milliseconds since 1970 */
export function makeHeaders(raw: string, target: WebhookTarget, now: number): Record<string, string> {
  if (target.cloud !== undefined) return makeCloudHeaders(raw, target.cloud);
  const { tenantKey, webhookSecret } = target;
  const json = { 'content-type': 'application/json' };
  const headers = tenantKey === undefined ? json : { ...json, 'x-tenant-key': tenantKey };
  if (target.dress === 'waha') return { ...headers, ...makeWahaHeaders(raw, webhookSecret, now) };
  // Evolution signs nothing.
  if (target.dress === 'evolution' || webhookSecret === undefined) return headers;
  return { ...headers, 'x-signature': `sha256=${createHmac('sha256', webhookSecret).update(raw).digest('hex')}` };
}

function isOwnKind(kind: Report['kind']): kind is keyof typeof OWN_PATHS {
  return kind in OWN_PATHS;
}
