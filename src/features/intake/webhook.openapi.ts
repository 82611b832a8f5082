// OpenAPI descriptions of the endpoints for external systems.

import { z } from 'zod';
import { maxBodyBytes, maxNetworkBodyBytes } from '../../platform/http/json-body.js';
import {
  anyObject,
  wireId,
  wireTime,
  type RouteBody,
  type RouteDescription,
  type RouteExample,
  type RouteParameter,
  type Wire,
} from '../../platform/http/route-description.js';
import { NumberValidity } from '../../platform/prisma/enums.js';
import { numberReading } from '../leads/identity/number-reading.openapi.js';
import { postedLeadSchema } from '../leads/lead.schema.js';
import { eventSchemas } from '../../providers/neutral/event.schema.js';
import { maxMetaReports } from '../../providers/meta/reported-call.js';
import { dryRunParameter } from './dry-run.openapi.js';
import { providers } from '../../providers/registry.js';
import { maxItems } from '../../providers/neutral/reported-call.js';
import type { ItemsAnswer, LeadAnswer } from './webhook-call.js';
import { inboundMessageSchema, statusReportSchema } from '../../providers/neutral/message.schema.js';
import { changeSchemas } from '../../providers/neutral/change.schema.js';

const leadAnswer = z.object({
  id: wireId,
  name: z.string(),
  chat: z.string().nullable().describe('Digits with country code.'),
  numberValidity: z
    .enum(NumberValidity)
    .describe('Whether such a number can exist. UNKNOWN: of a lead without a number.'),
  source: z.string(),
  metadata: anyObject.nullable().describe('The fields that are not known.'),
  createdAt: wireTime,
  updatedAt: wireTime,
  created: z.boolean().describe('False: the lead was there, and comes back unchanged.'),
}) satisfies z.ZodType<Wire<LeadAnswer>>;

const dryLeadId = wireId.nullable().describe('Null: of a dry run, where the lead would be new.');

/** A new lead as a dry run shows it. */
export const dryLead = leadAnswer.omit({ created: true }).extend({ id: z.null() });

const refused = z.object({
  outcome: z.literal('refused'),
  code: z
    .literal('RATE_LIMITED')
    .optional()
    .describe('A limit is used up: send this item again later. Otherwise the item is wrong.'),
  errors: z.array(z.object({ path: z.string(), message: z.string() })),
});

const itemsAnswer: z.ZodType<Wire<ItemsAnswer>> = z.object({
  accepted: z.number().int().describe('The items that were not refused.'),
  results: z
    .array(
      z.union([
        z.object({ messageId: wireId, leadId: wireId, duplicate: z.boolean() }),
        z.object({
          messageId: wireId.nullable().describe('Ours, of the message that it is about; null while it is parked.'),
          externalId: z.string().describe("The provider's, of the message that it is about."),
          change: z.enum(['REACTION', 'EDIT', 'DELETION']),
          outcome: z.enum(['applied', 'ignored', 'parked']),
        }),
        z.object({
          messageId: wireId.nullable().describe('Ours; null while the status is parked.'),
          externalId: z.string().describe("The provider's."),
          outcome: z.enum(['applied', 'ignored', 'parked']),
        }),
        z.object({ outcome: z.literal('applied') }),
        z.object({ outcome: z.literal('ignored'), reason: z.string() }),
        refused,
      ]),
    )
    .describe('One for each item, in their order.'),
});

const cloudCall = z
  .looseObject({ object: z.literal('whatsapp_business_account'), entry: z.array(anyObject) })
  .describe(
    `At most ${maxMetaReports} messages and statuses. What cannot be read is refused by itself, with 200 for the call.`,
  );

const messageExample = { messageId: 'wamid-1', from: '5511988887777', name: 'Ana', text: 'Oi! Ainda tem?' };
const statusExample = { messageId: 'wamid-2', status: 'DELIVERED', timestamp: 1_795_300_000 };
const described = providers.flatMap(({ name, webhooks }) =>
  webhooks?.described === undefined ? [] : [{ name, ...webhooks.described }],
);
const gatewayExamples = Object.fromEntries(described.map(({ name, example }) => [name, example]));

function json(schema: z.ZodType, examples: Record<string, RouteExample>): RouteBody {
  return { type: 'application/json', schema, maxBytes: maxBodyBytes, examples };
}

/** Describes an endpoint for leads, with an example of a person whose number is written in two ways. */
function leadEndpoint(chat: string, sameChat: string) {
  return {
    method: 'post',
    tag: 'Webhooks',
    description:
      'Known by its number in any common writing; `country` or the default of the tenant says whose a national writing is. Leads count against the global limit by tenant, those of both paths together. Safe to repeat.',
    credentials: [['tenantKey']],
    parameters: [dryRunParameter],
    body: json(postedLeadSchema, {
      new: {
        summary: 'A person, with a field of your own',
        value: { chat, name: 'Ana', source: 'landing page', campaign: 'spring' },
        status: 201,
      },
      again: { summary: 'The same person, written otherwise', value: { chat: sameChat }, status: 200 },
    }),
    answers: {
      201: { description: 'A new lead.', schema: leadAnswer },
      200: {
        description: 'The lead that was there; or, of a dry run, the lead as it would be.',
        schema: leadAnswer.extend({ id: dryLeadId, reading: numberReading.optional() }),
      },
    },
    problems: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  } as const satisfies Partial<RouteDescription>;
}

const inboundItems = [...Object.values(changeSchemas), ...Object.values(eventSchemas), inboundMessageSchema] as const;

const sharedInstance = inboundMessageSchema.shape.instance.describe('The instance of the items that name none.');

const chatEndpoint = {
  method: 'post',
  tag: 'Webhooks',
  description:
    'The signature is required while CHAT_WEBHOOK_SECRET is set. A call of WAHA for an instance that has a webhook secret is signed with ' +
    'that instead. A wrong item of a list does not hold the others up. ' +
    'Messages count against the global limit by sender, statuses by message, events by instance: an item beyond it is refused by its own ' +
    'result, and the call is refused where all are. Safe to repeat.',
  answers: { 200: { description: 'What became of each item.', schema: itemsAnswer } },
  problems: ['UNAUTHENTICATED', 'SIGNATURE_INVALID', 'VALIDATION_FAILED'],
} as const satisfies Partial<RouteDescription>;

const signedOrNot: RouteDescription['credentials'] = [
  ['tenantKey', 'signature'],
  ['tenantKey', 'wahaSignature'],
  ['tenantKey'],
];

/** Describes the call by which Meta asks whether an address is ours. */
export function metaHandshake(owner: RouteParameter, verifyToken: string) {
  const inQuery = (name: string, description: string, schema: z.ZodType): RouteParameter => {
    return { name, in: 'query', description, schema, required: true };
  };
  return {
    method: 'get',
    credentials: [],
    parameters: [
      owner,
      inQuery('hub.mode', 'What is asked for.', z.literal('subscribe')),
      inQuery('hub.verify_token', verifyToken, z.string()),
      { ...inQuery('hub.challenge', 'What is sent back.', z.string().max(512)), example: '1158201444' },
    ],
    answers: { 200: { description: 'The challenge.', type: 'text/plain', schema: z.string() } },
    problems: ['FORBIDDEN', 'NOT_FOUND'],
  } satisfies Partial<RouteDescription>;
}

const instanceParameter: RouteParameter = {
  name: 'instanceId',
  in: 'path',
  description: "The chat instance's id.",
  schema: wireId,
};

export const webhookDescriptions: RouteDescription[] = [
  {
    ...leadEndpoint('+55 11 98888-7777', '0055 11 8888 7777'),
    path: '/public/leads',
    operationId: 'postPublicLead',
    summary: 'Post a lead from a form',
  },
  {
    ...leadEndpoint('+55 21 97777-6666', 'tel:+55-21-7777-6666'),
    path: '/webhooks/leads',
    operationId: 'postLead',
    summary: 'Post a lead from another system',
  },
  {
    ...chatEndpoint,
    path: '/webhooks/chat/gateway/inbound',
    operationId: 'receiveMessages',
    summary: 'Report inbound messages: one, or many',
    credentials: signedOrNot,
    body: json(
      z.union([
        ...inboundItems,
        z.object({ instance: sharedInstance, messages: z.array(z.union(inboundItems)).max(maxItems) }),
        ...described.map(({ call }) => call),
      ]),
      {
        one: { summary: 'One message', value: messageExample, status: 200 },
        many: {
          summary: 'Many',
          value: { messages: [messageExample, { ...messageExample, messageId: 'wamid-3', text: 'Oi?' }] },
          status: 200,
        },
        reaction: {
          summary: 'A reaction; `emoji` null takes it back',
          value: { from: messageExample.from, type: 'reaction', reaction: { messageId: 'wamid-1', emoji: '👍' } },
          status: 200,
        },
        edit: {
          summary: 'An edit',
          value: { from: messageExample.from, type: 'edit', edit: { messageId: 'wamid-1', text: 'Oi! Ainda há?' } },
          status: 200,
        },
        deletion: {
          summary: 'A deletion',
          value: { from: messageExample.from, type: 'deletion', deletion: { messageId: 'wamid-1' } },
          status: 200,
        },
        choice: {
          summary: 'A button that the lead tapped',
          value: {
            messageId: 'wamid-5',
            from: messageExample.from,
            choice: { kind: 'BUTTON', id: 'visit', title: 'Quero visitar' },
          },
          status: 200,
        },
        call: {
          summary: 'A call of the lead; its events have one `callId`',
          value: { from: messageExample.from, type: 'call', callId: 'call-1' },
          status: 200,
        },
        notice: {
          summary: 'A changed number',
          value: {
            messageId: 'wamid-6',
            from: messageExample.from,
            type: 'notice',
            notice: { kind: 'NUMBER_CHANGED', newFrom: '5511977776666' },
          },
          status: 200,
        },
        ...gatewayExamples,
      },
    ),
  },
  {
    ...chatEndpoint,
    path: '/webhooks/chat/gateway/status',
    operationId: 'receiveStatuses',
    summary: 'Report delivery statuses: one, or many',
    credentials: signedOrNot,
    body: json(
      z.union([
        statusReportSchema,
        z.object({ instance: sharedInstance, statuses: z.array(statusReportSchema).max(maxItems) }),
        ...described.map(({ call }) => call),
      ]),
      {
        one: { summary: 'One status', value: statusExample, status: 200 },
        many: {
          summary: 'Many',
          value: {
            statuses: [
              { ...statusExample, status: 'READ' },
              { messageId: 'wamid-4', status: 'FAILED', error: { code: '131026', message: 'Not on the network' } },
            ],
          },
          status: 200,
        },
        ...gatewayExamples,
      },
    ),
  },
  {
    ...chatEndpoint,
    path: '/webhooks/chat/gateway/:event',
    operationId: 'receiveEvolutionEvent',
    summary: 'Report an event of the Evolution API, with its `byEvents` setting, or of WAHA',
    credentials: signedOrNot,
    parameters: [
      {
        name: 'event',
        in: 'path',
        description: "The event's name.",
        schema: z.string().regex(/^[\w.-]{1,100}$/),
        example: 'messages-upsert',
      },
    ],
    body: json(z.union(described.map(({ eventCall }) => eventCall)), gatewayExamples),
  },
  {
    ...metaHandshake(instanceParameter, '`ChatInstance.webhookVerifyToken`.'),
    path: '/webhooks/chat/cloud/:instanceId',
    operationId: 'answerCloudHandshake',
    tag: 'Webhooks',
    summary: "Answer the handshake of Meta's Cloud API",
  },
  {
    ...chatEndpoint,
    path: '/webhooks/chat/cloud/:instanceId',
    operationId: 'receiveCloudCall',
    summary: "Report messages and statuses of Meta's Cloud API",
    description:
      'Messages count against the global limit by sender, statuses by message, all else by instance: an item beyond it is refused by its ' +
      'own result, and the call is refused where all are. Safe to repeat.',
    credentials: [['networkSignature']],
    parameters: [instanceParameter],
    body: {
      ...json(cloudCall, {
        message: {
          summary: 'A message',
          value: {
            object: 'whatsapp_business_account',
            entry: [
              {
                id: '102290129340398',
                changes: [
                  {
                    field: 'messages',
                    value: {
                      messaging_product: 'whatsapp',
                      metadata: { display_phone_number: '15550783881', phone_number_id: '106540352242922' },
                      contacts: [{ profile: { name: 'Ana' }, wa_id: '5511988887777' }],
                      messages: [
                        {
                          from: '5511988887777',
                          id: 'wamid.HBgL',
                          timestamp: '1795300000',
                          type: 'text',
                          text: { body: 'Oi! Ainda tem?' },
                        },
                      ],
                    },
                  },
                ],
              },
            ],
          },
          status: 200,
        },
      }),
      maxBytes: maxNetworkBodyBytes,
    },
    problems: ['SIGNATURE_INVALID', 'NOT_FOUND'],
  },
];
