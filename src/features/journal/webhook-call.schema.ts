// The values of the journal's fields, and bounds of its filter.

import { z } from 'zod';
import { keysOf, text, uuid } from '../../platform/input/input.js';
import { providers, type ChatDialect } from '../../providers/registry.js';
import { dryRunItemKinds } from '../intake/call-dry-run-items.js';
import type { JournalEntry } from '../intake/journal-writer.js';
import type { CallSource, DialectName } from '../intake/webhook-call.js';

export type WebhookCallOutcome = JournalEntry['outcome'];

/** Every outcome with its meaning. */
export const callOutcomes = {
  processed: 'Everything in it was taken in.',
  partial: 'Some of its items were refused: `result` says which.',
  refused: 'Nothing of it was taken in: `reason` says why.',
} as const satisfies Record<WebhookCallOutcome, string>;

const chatDialects = Object.fromEntries(providers.map(({ dialect, callMeaning }) => [dialect, callMeaning])) as Record<
  ChatDialect,
  string
>;

/** Every dialect with its meaning. */
export const callDialects = {
  lead: 'A lead.',
  ...chatDialects,
  meta_leads: "Leads of Meta's Lead Ads, by their ids.",
  google_leads: 'A lead of a lead form of Google Ads, without its key.',
  form: 'A filled-in form of a lead source.',
} as const satisfies Record<DialectName, string>;

/** Every source with its meaning. */
export const callSources = {
  webhook: 'A call that arrived.',
  history: "Records that were read from the gateway's history, because no webhook had brought them.",
} as const satisfies Record<CallSource, string>;

const time = z.date('has to be a time');

/**
 * All given conditions have to hold. `since` is inclusive, `until` exclusive. `troubled` true selects all calls except `processed` ones,
 * and false selects only `processed` ones. `search` reads the newest `maxSearchedCalls` calls that all other conditions leave.
 */
export const callFilterSchema = z.strictObject({
  outcomes: z
    .array(z.enum(keysOf(callOutcomes)))
    .min(1, 'must not be empty')
    .max(10)
    .nullish(),
  route: text(255).nullish(),
  dialect: z.enum(keysOf(callDialects)).nullish(),
  source: z.enum(keysOf(callSources)).nullish(),
  since: time.nullish(),
  until: time.nullish(),
  troubled: z.boolean().nullish(),
  replayOfId: uuid.nullish(),
  kind: z.enum(keysOf(dryRunItemKinds)).nullish(),
  reported: text(100).nullish(),
  instanceId: uuid.nullish(),
  search: text(100).nullish(),
});

export type WebhookCallFilterInput = z.input<typeof callFilterSchema>;
export type WebhookCallFilter = z.output<typeof callFilterSchema>;
