// Every column that ENCRYPTION_KEY encrypts.

import { gatewayTokens, metaWebhookSecrets } from '../features/chat-instances/chat-instance.sql.js';
import { erasureKeys } from '../features/leads/identity/erased-identity.service.js';
import { leadSourceSecrets } from '../features/lead-sources/lead-source-secrets.js';
import { endpointSecrets, previousEndpointSecrets } from '../features/outgoing-webhooks/endpoint-signature.js';
import { apiKeySecrets } from '../features/tenants/tenant.sql.js';
import type { SealedColumn } from '../platform/secret-box.js';

export const sealedColumns: readonly SealedColumn[] = [
  apiKeySecrets,
  erasureKeys,
  gatewayTokens,
  metaWebhookSecrets,
  endpointSecrets,
  previousEndpointSecrets,
  ...leadSourceSecrets,
];
