// WAHA, with each of its engines.

import { z } from 'zod';
import { anyObject } from '../../platform/http/route-description.js';
import type { GatewayWebhooks, Provider } from '../provider.js';
import { WahaGateway } from './gateway.js';
import {
  isWaha,
  readWaha,
  readWahaRecord,
  readWahaRecordStatus,
  wahaSignatureMatches,
  type WahaBody,
} from './reported-call.js';

const call = z
  .looseObject({ event: z.string(), session: z.string(), payload: anyObject })
  .describe('A call of WAHA: one event of a session.');

const example = {
  summary: 'An event of WAHA',
  value: {
    id: 'evt_01kc0a',
    timestamp: 1_795_300_000_120,
    event: 'message.any',
    session: 'sales',
    payload: {
      id: 'false_5511988887777@c.us_3EB0C431C26A1916E07B',
      timestamp: 1_795_300_000,
      from: '5511988887777@c.us',
      fromMe: false,
      body: 'Oi! Ainda tem?',
      hasMedia: false,
    },
  },
  status: 200,
};

const webhooks = {
  takes: isWaha,
  read: (body) => {
    const { instance, ownNumber, reports } = readWaha(body as WahaBody);
    return { many: false, reports: reports.map((report) => ({ instance, ownNumber, ...report })) };
  },
  signature: {
    header: 'X-Webhook-Hmac',
    algorithm: 'sha512',
    encoding: 'hex',
    prefix: '',
    form: /^[0-9a-f]{128}$/,
    shape: 'the 128 digits of the HMAC-SHA512, in lower-case hexadecimal',
    instanceOf: (body) => (isWaha(body) ? body.session.trim() : undefined),
    matches: wahaSignatureMatches,
  },
  described: { call, eventCall: call, example },
} satisfies GatewayWebhooks;

export const waha = {
  name: 'waha',
  dialect: 'waha',
  callMeaning: 'A call of WAHA.',
  createGateway: ({ http, files }) => new WahaGateway({ ...http, files }),
  webhooks,
  history: { readRecord: readWahaRecord, readStatus: readWahaRecordStatus },
  metadata: {
    format: /^\d{7,15}$/,
    problems: { phoneNumber: 'has to be the number to pair: digits with country code, as text' },
  },
  // WAHA's keys are chosen by people.
  minWebhookSecretLength: 8,
} as const satisfies Provider;
