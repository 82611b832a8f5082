// The properties that the transport adds to Express' request before a route sees it.

import type { LeadSourcePrincipal, MetaWebhookPrincipal, TenantKeyPrincipal, UserPrincipal } from '../principal.js';

declare global {
  namespace Express {
    interface Request {
      /** Names this request in the log and in error answers. */
      id: string;
      /** The body's bytes as they arrived (inflated where Content-Encoding says so); undefined before they are read. */
      rawBody?: Buffer;
      /** True if the route reads the body itself, as it comes. */
      isStreamed?: boolean;
      /** Set behind a valid Bearer token. */
      user?: UserPrincipal;
      /** Set behind a valid `x-tenant-key`. */
      tenantKey?: TenantKeyPrincipal;
      /** Set behind a valid signature of the network. */
      metaWebhook?: MetaWebhookPrincipal;
      /** The lead source that calls. */
      leadSource?: LeadSourcePrincipal;
    }
  }
}
