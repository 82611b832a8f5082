// Owns leads of forms outside of a conversation, as Google and Meta report them. Google posts the answers with its key. Meta posts a
// signed id, and gives the answers to a caller with the token.

import { createHmac } from 'node:crypto';
import { BoundedMap } from './bounded-memory.js';
import type { WebhookTarget } from './message.schema.js';

/** A form that was filled in. */
export interface FormLead {
  /** The id, in digits. */
  readonly id: string;
  readonly form: 'google' | 'meta';
  readonly isTest: boolean;
  readonly number: string;
  readonly name: string;
  /** The time in milliseconds since 1970. */
  readonly at: number;
}

/** A call that reports a form: its address, its body, and the proof of its sender. */
export interface FormCall {
  readonly url: string;
  readonly body: object;
  /** A secret that the posted body holds, but no record of it. */
  readonly sealed?: object;
  readonly headersOf: (raw: string) => Record<string, string>;
}

const MAX_LEADS = 1_000;
const JSON_TYPE = { 'content-type': 'application/json' };
const GOOGLE_FORM = { form_id: 40_000_000_013, campaign_id: 20_000_000_013, api_version: '1.0' } as const;
const META_FORM = { page_id: '153125381133', form_id: '120239177205800001', ad_id: '120239177205810192' } as const;
const TEST_NUMBER = '16505550123';

/** Meta's leads whose answers can be asked for: the newest 1,000. */
export class FormLeads {
  readonly #leads = new BoundedMap<string, FormLead>(MAX_LEADS);

  add(lead: FormLead): void {
    this.#leads.set(lead.id, lead);
  }

  /** The answers of a lead of Meta's, as the Graph API gives them. */
  findAnswers(id: string): object | undefined {
    const lead = this.#leads.get(id);
    return lead?.form === 'meta' ? metaAnswersOf(lead) : undefined;
  }
}

/** True when the target takes leads of such a form. */
export function hasForm(target: WebhookTarget, form: FormLead['form']): boolean {
  return (form === 'google' ? target.googleForm : target.metaForm) !== undefined;
}

/** The call that reports the lead; undefined when the target takes no such form. */
export function makeFormCall(lead: FormLead, { googleForm, metaForm }: WebhookTarget): FormCall | undefined {
  if (lead.form === 'google') {
    if (googleForm === undefined) return undefined;
    const { url, key: google_key } = googleForm;
    return { url, body: googleBodyOf(lead), sealed: { google_key }, headersOf: () => JSON_TYPE };
  }
  if (metaForm === undefined) return undefined;
  const { url, appSecret } = metaForm;
  const headersOf = (raw: string) => ({
    ...JSON_TYPE,
    'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(raw).digest('hex')}`,
  });
  return { url, body: metaNoticeOf(lead), headersOf };
}

function googleBodyOf({ id, isTest, number, name, at }: FormLead): object {
  const columns = isTest
    ? [
        ['FULL_NAME', 'FirstName LastName'],
        ['PHONE_NUMBER', `+${TEST_NUMBER}`],
        ['EMAIL', 'test@example.com'],
      ]
    : [
        ['FULL_NAME', name],
        ['PHONE_NUMBER', `+${number}`],
        ['EMAIL', `lead-${id.slice(-6)}@example.com`],
      ];
  return {
    lead_id: id,
    ...GOOGLE_FORM,
    gcl_id: `EAIaIQ${id}`,
    is_test: isTest,
    lead_submit_time: new Date(at).toISOString(),
    user_column_data: columns.map(([column, value]) => ({ column_id: column, string_value: value })),
  };
}

function metaNoticeOf({ id, at }: FormLead): object {
  const time = Math.floor(at / 1_000);
  const value = { leadgen_id: id, ...META_FORM, adgroup_id: META_FORM.ad_id, created_time: time };
  return { object: 'page', entry: [{ id: META_FORM.page_id, time, changes: [{ field: 'leadgen', value }] }] };
}

function metaAnswersOf({ id, isTest, number, name, at }: FormLead): object {
  const answers = { full_name: name, phone_number: `+${number}`, email: `lead-${id.slice(-6)}@example.com` };
  return {
    id,
    form_id: META_FORM.form_id,
    ad_id: META_FORM.ad_id,
    // Meta writes the zone without a colon.
    created_time: `${new Date(at).toISOString().slice(0, 19)}+0000`,
    field_data: Object.entries(answers).map(([field, value]) => ({
      name: field,
      values: [isTest ? `<test lead: dummy data for ${field}>` : value],
    })),
    custom_disclaimer_responses: [{ checkbox_key: 'may_we_write', is_checked: '1' }],
  };
}
