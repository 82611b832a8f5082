// Meta's Cloud API. Its calls name their instance by the path, and are signed with the app secret.

import { madeSecretLength, type Provider } from '../provider.js';
import { MetaGateway, metaId } from './gateway.js';

export const meta = {
  name: 'cloud',
  dialect: 'cloud',
  callMeaning: "A call of Meta's Cloud API.",
  createGateway: ({ http, files }) => new MetaGateway({ ...http, files }),
  withoutHistory: "Meta's Cloud API keeps no history. Meta delivers webhooks that were not taken again for 7 days.",
  metadata: {
    format: metaId,
    problems: {
      phoneNumberId: "has to be Meta's id of the number: digits, as text",
      wabaId: "has to be Meta's id of the business account: digits, as text",
    },
  },
  // Meta's app secrets have 32 characters.
  minWebhookSecretLength: madeSecretLength,
  hasReplyWindow: true,
  hasAccounts: true,
} as const satisfies Provider;
