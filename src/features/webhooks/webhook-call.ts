// One webhook call as it arrived, before anything is judged.

import type { TenantKeyPrincipal } from '../../platform/principal.js';

export interface WebhookCall {
  principal: TenantKeyPrincipal;
  /** The path that was called, as in the API's documents. */
  route: string;
  contentType: string | undefined;
  /** The `x-signature` header. */
  signature: string | undefined;
  userAgent: string | undefined;
  body: Buffer;
}
