// Evolution API v2, and Evolution Go's calls.

import { z } from 'zod';
import { anyObject } from '../../platform/http/route-description.js';
import { isPlainObject, validationFailed } from '../../platform/input/input.js';
import { matchKeyOfNumber } from '../../platform/phone-numbers/match-key.js';
import { madeSecretLength, type GatewayWebhooks, type Provider, type ReadReports } from '../provider.js';
import { isEvolutionGo, toEvolution } from './go.js';
import { EvolutionGateway } from './gateway.js';
import {
  isEvolution,
  maxEvolutionItems,
  readEvolution,
  readEvolutionRecord,
  readEvolutionRecordStatus,
} from './reported-call.js';

// The readers walk any JSON; this is the shape by which a call is recognised.
const call = z
  .looseObject({ event: z.string(), instance: z.string(), data: z.union([anyObject, z.array(z.unknown())]) })
  .describe(`A call of the Evolution API (v2), of at most ${maxEvolutionItems} items.`);

const example = {
  summary: 'An event of the Evolution API',
  value: {
    event: 'messages.upsert',
    instance: 'sales',
    data: {
      key: { remoteJid: '5511988887777@s.whatsapp.net', fromMe: false, id: '3EB0C431C26A1916E07A' },
      pushName: 'Ana',
      messageType: 'conversation',
      message: { conversation: 'Oi! Ainda tem?' },
      messageTimestamp: 1_795_300_000,
    },
  },
  status: 200,
};

const apiKeyField = /("(?:api_?key|instanceToken)"\s*:\s*")(?:[^"\\]|\\.)*/gi;
// A file is fetched by itself: its bytes would fill the journal, and a replay does not read them.
const inlineFile = /("base64"\s*:\s*")[A-Za-z0-9+/=]{1024,}/g;

const webhooks = {
  takes: (body, endpoint) => 'event' in endpoint || isEvolution(body) || isEvolutionGo(body),
  read: (body, endpoint) => readCall(body, 'event' in endpoint ? endpoint.event : undefined),
  // Evolution puts the key of its instance into every call, Evolution Go its token. It may open that gateway.
  withoutSecrets: (text) => text.replaceAll(apiKeyField, '$1').replaceAll(inlineFile, '$1'),
  described: { call, eventCall: call.partial({ event: true, instance: true }), example },
} satisfies GatewayWebhooks;

function readCall(body: unknown, event?: string): ReadReports {
  if (event !== undefined && (!isPlainObject(body) || body['data'] === undefined))
    throw validationFailed([{ path: 'data', message: 'is required: this path takes events of the Evolution API' }]);
  const { instance, ownNumber, reports } = readEvolution(isEvolutionGo(body) ? toEvolution(body) : body, event);
  return { many: reports.length !== 1, reports: reports.map((report) => ({ instance, ownNumber, ...report })) };
}

export const evolution = {
  name: 'evolution',
  dialect: 'evolution',
  callMeaning: 'A call of the Evolution API.',
  createGateway: ({ http, files }) => new EvolutionGateway({ ...http, matchKeyOf: matchKeyOfNumber, files }),
  webhooks,
  history: { readRecord: readEvolutionRecord, readStatus: readEvolutionRecordStatus },
  minWebhookSecretLength: madeSecretLength,
} as const satisfies Provider;
