// The neutral protocol (contract, section 3).

import { madeSecretLength, type Provider } from '../provider.js';
import { NeutralGateway } from './gateway.js';
import { readNeutral } from './reported-call.js';

export const neutral = {
  name: 'gateway',
  dialect: 'neutral',
  callMeaning: "Messages or statuses in this API's own shape.",
  createGateway: ({ http }) => new NeutralGateway(http),
  webhooks: {
    takes: () => true,
    read: (body, endpoint) => readNeutral(body, 'kind' in endpoint ? endpoint.kind : 'messages'),
  },
  withoutHistory: 'The neutral protocol has no history. Have the gateway deliver its webhooks again.',
  minWebhookSecretLength: madeSecretLength,
} as const satisfies Provider;
