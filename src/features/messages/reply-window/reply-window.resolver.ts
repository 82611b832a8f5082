// GraphQL API of a lead's reply windows.

import { Arg, Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import { notFound } from '../../../platform/errors.js';
import { callerOf, type GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import type { LeadRow } from '../../leads/lead.service.js';
import { Lead } from '../../leads/lead.type.js';
import type { MessageService } from '../message.service.js';
import type { LeadAtInstance, ReplyWindowRecord, ReplyWindowService } from './reply-window.service.js';
import { ReplyWindow } from './reply-window.type.js';

@Resolver(() => Lead)
export class ReplyWindowResolver {
  constructor(
    private readonly service: ReplyWindowService,
    private readonly messages: MessageService,
  ) {}

  @FieldResolver(() => ReplyWindow, {
    nullable: true,
    description:
      "Whether free texts can be sent to the lead now. Meta's Cloud API takes them for 24 hours after the lead's last message; other gateways always do. Null where none is named and the tenant has none; NOT_FOUND for a chat instance that the tenant does not have.",
  })
  async replyWindow(
    @Root() lead: LeadRow,
    @Ctx() context: GraphqlContext,
    @Arg('instanceId', () => ID, {
      nullable: true,
      description: "The chat instance; the lead's `replyInstance` where none is named.",
    })
    wanted?: string | null,
  ): Promise<ReplyWindowRecord | null> {
    const instanceId = wanted ?? (await this.chooseInstance(lead, context));
    if (instanceId === null) return null;
    const read = (keys: readonly string[]) => this.service.list(callerOf(context), keys.map(readKey));
    const windows = context.loaders.one('reply-window', read, keyOf);
    const window = await windows.load(keyOf({ leadId: lead.id, instanceId: instanceId.toLowerCase() }));
    if (window === null && wanted != null) throw notFound('chat instance');
    return window;
  }

  private async chooseInstance(lead: LeadRow, context: GraphqlContext): Promise<string | null> {
    const choose = (ids: readonly string[]) => this.messages.listReplyInstances(callerOf(context), ids);
    const chosen = await context.loaders.one('reply-instance', choose, ({ leadId }) => leadId).load(lead.id);
    return chosen?.instanceId ?? null;
  }
}

function keyOf({ leadId, instanceId }: LeadAtInstance): string {
  return `${leadId} ${instanceId}`;
}

function readKey(key: string): LeadAtInstance {
  const [leadId = '', instanceId = ''] = key.split(' ');
  return { leadId, instanceId };
}
