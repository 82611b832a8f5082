// GraphQL of previews of sends.

import { Arg, Authorized, Ctx, Extensions, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { callCost, costExtension } from '../../platform/graphql/field-cost.js';
import { callerOf, loadById, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import type { ChatInstanceService, PublicChatInstance } from '../chat-instances/chat-instance.service.js';
import { ChatInstance } from '../chat-instances/chat-instance.type.js';
import type { ConsentService } from '../consent/consent.service.js';
import type { OptOutRow } from '../consent/consent.sql.js';
import { OptOut } from '../consent/consent.type.js';
import { UploadedMedia } from '../media/template-files.resolver.js';
import type { TemplateFileService, UploadedMediaRecord } from '../media/template-files.service.js';
import type { MessageRow } from '../messages/message.service.js';
import { Message, SendMessageInput } from '../messages/message.type.js';
import type { ReplyWindowRecord, ReplyWindowService } from '../messages/reply-window/reply-window.service.js';
import { ReplyWindow } from '../messages/reply-window/reply-window.type.js';
import { WaitingReason, maxCountedPlace } from './queue-position.service.js';
import type { SendPreviewRecord, SendPreviewService } from './send-preview.service.js';
import { SendPreview } from './send-preview.type.js';

export interface SendPreviewResolverServices {
  sendPreviews: SendPreviewService;
  chatInstances: ChatInstanceService;
  replyWindows: ReplyWindowService;
  consent: ConsentService;
  templateFiles: TemplateFileService;
}

@Resolver(() => SendPreview)
export class SendPreviewResolver {
  constructor(private readonly services: SendPreviewResolverServices) {}

  @Authorized()
  @Extensions({ [costExtension]: callCost })
  @Query(() => SendPreview, {
    description: `What \`sendMessage\` would do with this input, or the error that it would give. Nothing is sent or kept, and no idempotency key is used. It takes the time of a send, so it counts ${callCost} of an operation’s cost.`,
  })
  previewMessage(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => SendMessageInput, { description: 'As for `sendMessage`.' }) input: SendMessageInput,
  ): Promise<SendPreviewRecord> {
    return this.services.sendPreviews.preview(context.principal, input);
  }

  @FieldResolver(() => ChatInstance, { description: 'The chat instance that it would leave through.' })
  async instance(
    @Root() { instanceId }: SendPreviewRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<PublicChatInstance | null> {
    return loadById(context, 'chat-instance', this.services.chatInstances, instanceId);
  }

  @FieldResolver(() => ReplyWindow, {
    nullable: true,
    description: 'The reply window of the lead at this instance. Null where the instance was deleted meanwhile.',
  })
  async window(
    @Root() { leadId, instanceId }: SendPreviewRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<ReplyWindowRecord | null> {
    const [window = null] = await this.services.replyWindows.list(context.principal, [{ leadId, instanceId }]);
    return window;
  }

  @FieldResolver(() => [UploadedMedia], {
    description:
      "The uploads that would be sent: the call's own, or those of the template. The first goes with the text, unless it is audio or the text has more than 1,024 characters; each further one follows as a message of its own.",
  })
  async files(@Root() { fileIds }: SendPreviewRecord, @Ctx() context: GraphqlContext): Promise<UploadedMediaRecord[]> {
    return fileIds.length === 0 ? [] : this.services.templateFiles.listByIds(callerOf(context), fileIds);
  }

  @FieldResolver(() => OptOut, {
    nullable: true,
    description:
      'That the lead has opted out; null while it gets all messages. A reply may be sent all the same, 24 hours long.',
  })
  optOut(@Root() { leadId }: SendPreviewRecord, @Ctx() context: GraphqlContext): Promise<OptOutRow | null> {
    const read = (ids: readonly string[]) => this.services.consent.listOptOuts(callerOf(context), ids);
    return context.loaders.one('opt-out', read, (optOut) => optOut.leadId).load(leadId);
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: `How many of the tenant's messages would stand before it, as \`Message.queuePosition\`: counted up to ${maxCountedPlace}. Null for a schedule.`,
  })
  queuePosition(@Root() { place }: SendPreviewRecord): number | null {
    return place?.queuePosition ?? null;
  }

  @FieldResolver(() => Date, {
    nullable: true,
    description:
      'When it would leave at the earliest, as `Message.estimatedSendAt`: from the rate limit, pauses and what stands before it. Null where nobody can tell, as through an instance that is out.',
  })
  estimatedSendAt(@Root() { place }: SendPreviewRecord): Date | null {
    return place?.estimatedSendAt ?? null;
  }

  @FieldResolver(() => WaitingReason, { nullable: true, description: 'Why it would wait.' })
  waitingReason(@Root() { place }: SendPreviewRecord): WaitingReason | null {
    return place?.reason ?? null;
  }

  @FieldResolver(() => String, { nullable: true, description: 'The reason as a sentence.' })
  waitingDetail(@Root() { place }: SendPreviewRecord): string | null {
    return place?.detail ?? null;
  }

  @FieldResolver(() => Message, {
    nullable: true,
    description:
      'The message that was sent under the idempotency key before: `sendMessage` would give it back and send nothing. Null otherwise.',
  })
  repeated(@Root() { repeated }: SendPreviewRecord): MessageRow | null {
    return repeated;
  }
}
