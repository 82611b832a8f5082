// The registry of GraphQL resolvers: every class of a *.resolver.ts stands here once.

// The decorators need it before the first class is read.
import 'reflect-metadata';
import { AuditResolver } from './features/audit/audit.resolver.js';
import { ViewerResolver } from './features/auth/viewer.resolver.js';
import { ChatInstanceResolver } from './features/chat-instances/chat-instance.resolver.js';
import { LeadMergeResolver, LeadMergingResolver } from './features/leads/lead-merge.resolver.js';
import { LeadResolver } from './features/leads/lead.resolver.js';
import { liveResolver } from './features/live/live.resolver.js';
import { LeadMessagesResolver, MessageResolver } from './features/messages/message.resolver.js';
import { TenantResolver } from './features/tenants/tenant.resolver.js';
import { AuditActorResolver, TenantCreationResolver, UserResolver } from './features/users/user.resolver.js';
import { WebhookDeliveryResolver } from './features/webhooks/webhook-delivery.resolver.js';
import type { Services } from './services.js';

type ResolverClass = abstract new (...args: never[]) => object;

/** Resolver classes with the instance that answers for each. */
export function resolversOf(services: Services): Map<ResolverClass, object> {
  const {
    audit,
    tenants,
    apiKeys,
    users,
    tenantCreation,
    chatInstances,
    networkLines,
    leads,
    leadMerges,
    messages,
    messageSend,
    live,
  } = services;
  const { webhookDeliveries } = services;
  const LiveResolver = liveResolver(live);
  return new Map<ResolverClass, object>([
    [AuditResolver, new AuditResolver(audit)],
    [TenantResolver, new TenantResolver(tenants, apiKeys)],
    [UserResolver, new UserResolver(users, tenants)],
    [TenantCreationResolver, new TenantCreationResolver(tenantCreation)],
    [AuditActorResolver, new AuditActorResolver(users)],
    [ViewerResolver, new ViewerResolver()],
    [ChatInstanceResolver, new ChatInstanceResolver(chatInstances, networkLines)],
    [LeadResolver, new LeadResolver(leads, users)],
    [LeadMergingResolver, new LeadMergingResolver(leadMerges, leads)],
    [LeadMergeResolver, new LeadMergeResolver(users)],
    [MessageResolver, new MessageResolver(messages, messageSend, leads, chatInstances)],
    [LeadMessagesResolver, new LeadMessagesResolver(messages)],
    [WebhookDeliveryResolver, new WebhookDeliveryResolver(webhookDeliveries)],
    [LiveResolver, new LiveResolver()],
  ]);
}
