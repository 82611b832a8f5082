// The registry of GraphQL resolvers: every class of a *.resolver.ts stands here once.

// The decorators need this import before the first class is read.
import 'reflect-metadata';
import { AuditResolver } from './features/audit/audit.resolver.js';
import { ViewerResolver } from './features/auth/viewer.resolver.js';
import { BulkActionResolver } from './features/bulk-actions/bulk-action.resolver.js';
import { BulkSendResolver } from './features/bulk-sends/bulk-send.resolver.js';
import { ChannelTemplateResolver } from './features/channel-templates/channel-template.resolver.js';
import { ChatInstanceResolver } from './features/chat-instances/chat-instance.resolver.js';
import { ConsentEntryResolver, LeadConsentResolver, OptOutResolver } from './features/consent/consent.resolver.js';
import { DashboardResolver } from './features/dashboards/dashboard.resolver.js';
import { InstanceTrafficResolver } from './features/dashboards/instance-traffic.resolver.js';
import {
  BreakdownResolver,
  BreakdownWidgetResolver,
  FigureResolver,
  FigureWidgetResolver,
  MeasureResolver,
  SeriesResolver,
  SeriesWidgetResolver,
  TableLineResolver,
  TableResolver,
  TableWidgetResolver,
} from './features/dashboards/widget-result.resolver.js';
import { ConversationResolver } from './features/leads/conversation/conversation.resolver.js';
import {
  LeadAssignmentResolver,
  LeadAssignmentsResolver,
} from './features/leads/assignments/lead-assignment.resolver.js';
import { LeadImportResolver } from './features/leads/files/lead-import.resolver.js';
import { HeldCountResolver, HeldSubmissionResolver } from './features/lead-sources/held/held-submission.resolver.js';
import { LeadSourceResolver } from './features/lead-sources/lead-source.resolver.js';
import { LeadMergeResolver, LeadMergingResolver } from './features/leads/merge/lead-merge.resolver.js';
import { LeadHistoryResolver, LeadNoteResolver } from './features/leads/notes/lead-note.resolver.js';
import { LikelyDuplicateResolver } from './features/leads/duplicates/likely-duplicate.resolver.js';
import { LeadLookupResolver } from './features/leads/identity/lead-lookup.resolver.js';
import { LeadRecordResolver, LeadResolver } from './features/leads/lead.resolver.js';
import { LeadPresenceResolver, LeadPresencesResolver } from './features/leads/presence/lead-presence.resolver.js';
import { InboxViewResolver, LeadViewResolver } from './features/leads/views/kept-view.resolver.js';
import { LeadReferralResolver } from './features/leads/referrals/referral.resolver.js';
import { EventResolver, LiveResolver } from './features/live/live.resolver.js';
import { MessageChangeResolver, ReactionResolver } from './features/messages/changes/change.resolver.js';
import { MediaResolver } from './features/media/media.resolver.js';
import { TemplateFilesResolver } from './features/media/template-files.resolver.js';
import { LeadMessagesResolver, MessageResolver } from './features/messages/message.resolver.js';
import { ReplyWindowResolver } from './features/messages/reply-window/reply-window.resolver.js';
import { LeadChannelNumberResolver } from './features/outbox/channel-number/channel-number.resolver.js';
import { OutboxResolver } from './features/outbox/outbox.resolver.js';
import { NextScheduledReplyResolver } from './features/outbox/next-scheduled-reply.resolver.js';
import { SendPreviewResolver } from './features/outbox/send-preview.resolver.js';
import { SendingForecastResolver } from './features/outbox/sending-forecast.resolver.js';
import { EndpointDeliveryResolver } from './features/outgoing-webhooks/endpoint-delivery.resolver.js';
import { WebhookEndpointResolver } from './features/outgoing-webhooks/webhook-endpoint.resolver.js';
import { PushDeviceResolver } from './features/push/push-device.resolver.js';
import { RecoveryResolver } from './features/recovery/recovery.resolver.js';
import { MessageHitResolver, NoteHitResolver, SearchResolver } from './features/search/search.resolver.js';
import { TypingResolver } from './features/read-receipts/typing.resolver.js';
import { TemplateResolver, TemplateVersionResolver } from './features/templates/template.resolver.js';
import { TenantResolver } from './features/tenants/tenant.resolver.js';
import { AuditActorResolver, TenantCreationResolver, UserResolver } from './features/users/user.resolver.js';
import { CallDryRunResolver } from './features/journal/call-dry-run.resolver.js';
import { WebhookCallResolver } from './features/journal/webhook-call.resolver.js';
import type { ResolverClass } from './platform/graphql/graphql-context.js';
import type { Services } from './services.js';

/** Lists the resolver classes with the instance that answers for each. */
export function resolversOf(services: Services): Map<ResolverClass, object> {
  const {
    audit,
    tenants,
    apiKeys,
    users,
    signatures,
    tenantCreation,
    chatInstances,
    metaWebhooks,
    instanceLifecycle,
    leads,
    leadMerges,
    leadPresences,
    consent,
    messages,
    live,
  } = services;
  const { leadLists, leadRecords, leadImports, conversations } = services;
  return new Map<ResolverClass, object>([
    [AuditResolver, new AuditResolver(audit)],
    [TenantResolver, new TenantResolver(tenants, apiKeys)],
    [UserResolver, new UserResolver(users, tenants)],
    [TenantCreationResolver, new TenantCreationResolver(tenantCreation)],
    [AuditActorResolver, new AuditActorResolver(users)],
    [ViewerResolver, new ViewerResolver(tenants, users, signatures)],
    [ChatInstanceResolver, new ChatInstanceResolver(chatInstances, metaWebhooks, instanceLifecycle)],
    [LeadResolver, new LeadResolver(leads, leadLists, users)],
    [LeadLookupResolver, new LeadLookupResolver(services.leadLookups)],
    [LikelyDuplicateResolver, new LikelyDuplicateResolver(services.likelyDuplicates)],
    [LeadRecordResolver, new LeadRecordResolver(leadRecords, services.leadErasure)],
    [ConversationResolver, new ConversationResolver(conversations)],
    [BulkActionResolver, new BulkActionResolver(services.bulkActions)],
    ...leadHistoryResolversOf(services),
    [LeadImportResolver, new LeadImportResolver(leadImports, users)],
    [LeadMergingResolver, new LeadMergingResolver(leadMerges, leads)],
    [LeadMergeResolver, new LeadMergeResolver(users)],
    [LeadReferralResolver, new LeadReferralResolver(leads)],
    [LeadPresencesResolver, new LeadPresencesResolver(leadPresences)],
    [LeadPresenceResolver, new LeadPresenceResolver(users)],
    [LeadConsentResolver, new LeadConsentResolver(consent)],
    [OptOutResolver, new OptOutResolver(messages)],
    [ConsentEntryResolver, new ConsentEntryResolver(consent, messages, users)],
    [MessageResolver, new MessageResolver(services)],
    [MessageChangeResolver, new MessageChangeResolver(messages)],
    [ReactionResolver, new ReactionResolver(services.users)],
    [MediaResolver, new MediaResolver(services.media)],
    [TemplateFilesResolver, new TemplateFilesResolver(services.templateFiles)],
    ...outboxResolversOf(services),
    ...messageReadingResolversOf(services),
    [ChannelTemplateResolver, new ChannelTemplateResolver(services.channelTemplates, services.channelTemplateSyncs)],
    ...templateResolversOf(services),
    ...dashboardResolversOf(services),
    [PushDeviceResolver, new PushDeviceResolver(services.pushDevices)],
    [RecoveryResolver, new RecoveryResolver(services.recoveries, users)],
    ...webhookResolversOf(services),
    [LiveResolver, new LiveResolver(live)],
    [EventResolver, new EventResolver(live)],
  ]);
}

function leadHistoryResolversOf({
  leadNotes,
  leadAssignments,
  inboxViews,
  leadViews,
  users,
}: Services): [ResolverClass, object][] {
  return [
    [LeadNoteResolver, new LeadNoteResolver(leadNotes, users)],
    [LeadHistoryResolver, new LeadHistoryResolver(leadNotes)],
    [LeadAssignmentsResolver, new LeadAssignmentsResolver(leadAssignments)],
    [LeadAssignmentResolver, new LeadAssignmentResolver(users)],
    [InboxViewResolver, new InboxViewResolver(inboxViews)],
    [LeadViewResolver, new LeadViewResolver(leadViews)],
  ];
}

function messageReadingResolversOf(services: Services): [ResolverClass, object][] {
  const { messages, chatInstances, leads } = services;
  return [
    [LeadMessagesResolver, new LeadMessagesResolver(messages, chatInstances, leads)],
    [ReplyWindowResolver, new ReplyWindowResolver(services.replyWindows, messages)],
    [SearchResolver, new SearchResolver(services.search)],
    [MessageHitResolver, new MessageHitResolver(leads)],
    [NoteHitResolver, new NoteHitResolver(leads)],
  ];
}

function webhookResolversOf(services: Services): [ResolverClass, object][] {
  const { webhookCalls, callDryRuns, webhookEndpoints, endpointDeliveries } = services;
  const { leadSources, leadDryRuns, leadSourceCallers, heldSubmissions } = services;
  return [
    [LeadSourceResolver, new LeadSourceResolver(leadSources, leadDryRuns, leadSourceCallers)],
    [HeldSubmissionResolver, new HeldSubmissionResolver(heldSubmissions)],
    [HeldCountResolver, new HeldCountResolver(heldSubmissions)],
    [WebhookCallResolver, new WebhookCallResolver(webhookCalls, services)],
    [CallDryRunResolver, new CallDryRunResolver(callDryRuns)],
    [WebhookEndpointResolver, new WebhookEndpointResolver(webhookEndpoints)],
    [EndpointDeliveryResolver, new EndpointDeliveryResolver(endpointDeliveries, webhookEndpoints)],
  ];
}

function outboxResolversOf(services: Services): [ResolverClass, object][] {
  return [
    [OutboxResolver, new OutboxResolver(services)],
    [NextScheduledReplyResolver, new NextScheduledReplyResolver(services.nextScheduledReplies)],
    [SendPreviewResolver, new SendPreviewResolver(services)],
    [SendingForecastResolver, new SendingForecastResolver(services.sendingForecast)],
    [LeadChannelNumberResolver, new LeadChannelNumberResolver(services.channelNumbers)],
    [TypingResolver, new TypingResolver(services.typing)],
  ];
}

function templateResolversOf({ templates, users, bulkSends, chatInstances }: Services): [ResolverClass, object][] {
  return [
    [TemplateResolver, new TemplateResolver(templates, users)],
    [TemplateVersionResolver, new TemplateVersionResolver(users)],
    [BulkSendResolver, new BulkSendResolver(bulkSends, templates, chatInstances)],
  ];
}

function dashboardResolversOf({
  dashboards,
  widgetResults,
  instanceTraffic,
  leads,
}: Services): [ResolverClass, object][] {
  return [
    [DashboardResolver, new DashboardResolver(dashboards, widgetResults)],
    [InstanceTrafficResolver, new InstanceTrafficResolver(instanceTraffic)],
    [MeasureResolver, new MeasureResolver(widgetResults, leads)],
    [FigureResolver, new FigureResolver(widgetResults)],
    [FigureWidgetResolver, new FigureWidgetResolver(widgetResults)],
    [SeriesWidgetResolver, new SeriesWidgetResolver(widgetResults)],
    [SeriesResolver, new SeriesResolver()],
    [BreakdownWidgetResolver, new BreakdownWidgetResolver(widgetResults)],
    [BreakdownResolver, new BreakdownResolver()],
    [TableWidgetResolver, new TableWidgetResolver(widgetResults)],
    [TableResolver, new TableResolver()],
    [TableLineResolver, new TableLineResolver()],
  ];
}
