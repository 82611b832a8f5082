// OpenAPI descriptions of the addresses of lead sources.

import { z } from 'zod';
import { maxBodyBytes, maxNetworkBodyBytes } from '../../platform/http/json-body.js';
import {
  anyObject,
  wireId,
  type RouteDescription,
  type RouteParameter,
  type Wire,
} from '../../platform/http/route-description.js';
import { dryRunParameter } from '../intake/dry-run.openapi.js';
import { dryLead, metaHandshake } from '../intake/webhook.openapi.js';
import { numberReading } from '../leads/identity/number-reading.openapi.js';
import type { SourceAnswer } from './calls/source-call.service.js';
import { maxNotices } from './reading/meta-lead.js';

const sourceParameter: RouteParameter = {
  name: 'sourceId',
  in: 'path',
  description: "The lead source's id.",
  schema: wireId,
};

const answer: z.ZodType<Wire<SourceAnswer>> = z.object({
  accepted: z.number().int().describe('The items that were not refused.'),
  results: z
    .array(
      z.union([
        z.object({
          leadId: wireId
            .nullable()
            .describe('Null where the lead was erased since, and of a dry run where it would be new.'),
          created: z.boolean(),
          duplicate: z.boolean().describe('The source has sent it before: nothing has changed.'),
          lead: dryLead.optional().describe('Of a dry run: the new lead as it would be.'),
          reading: numberReading.optional(),
        }),
        z.object({
          leadgenId: z.string(),
          outcome: z.enum(['expected', 'known']).describe('`expected`: its answers are being fetched.'),
        }),
        z.object({ outcome: z.literal('test') }),
        z.object({
          outcome: z.literal('held').describe('It waits for a number: it has an e-mail address and no usable number.'),
          duplicate: z.boolean(),
          problem: z.string(),
        }),
        z.object({ outcome: z.literal('ignored'), reason: z.string() }),
        z.object({
          outcome: z.literal('refused'),
          errors: z.array(z.object({ path: z.string(), message: z.string() })),
        }),
      ]),
    )
    .describe('One for each item, in their order.'),
  notes: z.array(z.string()).optional().describe('What was left out, such as files.'),
});

const counted =
  'Leads count against the global limit by source. Safe to repeat: each lead is taken in once, by the id that its source gives it.';

const metaCall = z
  .looseObject({ object: z.literal('page'), entry: z.array(anyObject) })
  .describe(`At most ${maxNotices} leads. What cannot be read is refused by itself, with 200 for the call.`);

const googleCall = z.looseObject({
  google_key: z.string().describe('The key of the source. It is removed before anything is kept.'),
  lead_id: z.string().optional(),
  user_column_data: z.array(anyObject).optional(),
  is_test: z.boolean().optional().describe('True: nothing is taken in.'),
});

const form = { phone: '+55 11 98888-7777', name: 'Ana', campaign: 'spring' };

export const leadSourceDescriptions: RouteDescription[] = [
  {
    ...metaHandshake(sourceParameter, '`LeadSource.webhookVerifyToken`, or the `key` of the source.'),
    path: '/webhooks/leads/meta/:sourceId',
    operationId: 'answerLeadAdsHandshake',
    tag: 'Lead sources',
    summary: "Answer the handshake of Meta's Lead Ads",
  },
  {
    method: 'post',
    path: '/webhooks/leads/meta/:sourceId',
    operationId: 'receiveLeadAds',
    tag: 'Lead sources',
    summary: "Report leads of Meta's Lead Ads",
    description: `The answers are fetched from the Graph API afterwards. ${counted}`,
    credentials: [['networkSignature']],
    parameters: [sourceParameter, dryRunParameter],
    body: {
      type: 'application/json',
      schema: metaCall,
      maxBytes: maxNetworkBodyBytes,
      examples: {
        lead: {
          summary: 'A lead',
          value: {
            object: 'page',
            entry: [
              {
                id: '153125381133',
                time: 1_795_300_000,
                changes: [
                  {
                    field: 'leadgen',
                    value: {
                      leadgen_id: '123123123123',
                      page_id: '153125381133',
                      form_id: '555555555555',
                      ad_id: '444444444444',
                      created_time: 1_795_300_000,
                    },
                  },
                ],
              },
            ],
          },
          status: 200,
        },
      },
    },
    answers: { 200: { description: 'What became of each lead.', schema: answer } },
    problems: ['SIGNATURE_INVALID', 'VALIDATION_FAILED', 'NOT_FOUND'],
  },
  {
    method: 'post',
    path: '/webhooks/leads/google/:sourceId',
    operationId: 'receiveGoogleLead',
    tag: 'Lead sources',
    summary: 'Report a lead of a lead form of Google Ads',
    description: `\`google_key\` in the body has to be the key of the source. ${counted}`,
    credentials: [],
    parameters: [sourceParameter, dryRunParameter],
    body: {
      type: 'application/json',
      schema: googleCall,
      maxBytes: maxBodyBytes,
      examples: {
        lead: {
          summary: 'A lead',
          value: {
            google_key: 'a-key-of-your-own',
            lead_id: 'TeSter-123-ABCDEFGHIJKLMNOPQRSTUVWXYZ',
            form_id: 1234567890,
            campaign_id: 123456789,
            api_version: '1.0',
            is_test: false,
            gcl_id: 'TeSter-123-ABCDEFGHIJKLMNOPQRSTUVWXYZ',
            user_column_data: [
              { column_id: 'FULL_NAME', string_value: 'Ana', column_name: 'Full name' },
              { column_id: 'PHONE_NUMBER', string_value: '+5511988887777' },
            ],
          },
          status: 200,
        },
      },
    },
    answers: {
      200: {
        description: 'It was taken in. Of a dry run: what would become of it.',
        schema: z.union([answer, z.object({})]),
      },
    },
    problems: ['UNAUTHENTICATED', 'VALIDATION_FAILED', 'NOT_FOUND'],
  },
  {
    method: 'post',
    path: '/webhooks/leads/form/:sourceId',
    operationId: 'receiveForm',
    tag: 'Lead sources',
    summary: 'Post a filled-in form',
    description: `A JSON object or a list of them, \`application/x-www-form-urlencoded\` or \`multipart/form-data\`. The mapping of the source says which part becomes which field. ${counted}`,
    credentials: [],
    parameters: [sourceParameter, dryRunParameter],
    body: {
      type: 'application/json',
      schema: anyObject,
      maxBytes: maxBodyBytes,
      examples: { form: { summary: 'A form with the usual mapping', value: form, status: 200 } },
    },
    answers: {
      200: {
        description: 'What became of it. A source without a signature is told that it was accepted, and nothing more.',
        schema: z.union([
          answer,
          z.object({
            accepted: z.number().int(),
            results: z
              .array(
                z.union([
                  z.object({ outcome: z.literal('accepted') }),
                  z.object({
                    outcome: z.literal('refused'),
                    errors: z.array(z.object({ path: z.string(), message: z.string() })),
                  }),
                ]),
              )
              .optional()
              .describe('Of several submissions: what became of each.'),
          }),
        ]),
      },
    },
    problems: ['SIGNATURE_INVALID', 'VALIDATION_FAILED', 'NOT_FOUND'],
  },
];
