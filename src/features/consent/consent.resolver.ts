// GraphQL of consent, and its fields of Lead.

import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Extensions,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { callerOf, loadById, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { partExtension } from '../../platform/database/shown-records.js';
import { toConnection, TwoWayPageArgs, type ConnectionValue } from '../../platform/graphql/relay.type.js';
import type { LeadRow } from '../leads/lead.service.js';
import { Lead } from '../leads/lead.type.js';
import type { MessageRow, MessageService } from '../messages/message.service.js';
import { Message } from '../messages/message.type.js';
import type { UserService } from '../users/user.service.js';
import type { UserRecord } from '../users/user.sql.js';
import { User } from '../users/user.type.js';
import { maxReasonLength } from './consent.schema.js';
import type { ConsentEntryRow, ConsentService } from './consent.service.js';
import type { OptOutRow } from './consent.sql.js';
import { ConsentEntry, ConsentEntryConnection, OptOut } from './consent.type.js';

const reasonDescription = `Why, at most ${maxReasonLength} characters. It is kept in the ledger.`;

@Resolver(() => Lead)
export class LeadConsentResolver {
  constructor(private readonly service: ConsentService) {}

  @Authorized()
  @Mutation(() => Lead, {
    description:
      'Opts a lead out of bulk and scheduled messages. What waits for it of these is canceled with the error `OPTED_OUT`, and when this answers none of it is on its way. Safe to repeat. Audited.',
  })
  optOutLead(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The lead's id." }) id: string,
    @Arg('reason', () => String, { description: reasonDescription }) reason: string,
  ): Promise<LeadRow> {
    return this.service.optOut(context.principal, id, reason);
  }

  @Authorized()
  @Mutation(() => Lead, {
    description: 'Opts a lead in again. What was canceled stays canceled. Safe to repeat. Audited.',
  })
  optInLead(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The lead's id." }) id: string,
    @Arg('reason', () => String, { description: reasonDescription }) reason: string,
  ): Promise<LeadRow> {
    return this.service.optIn(context.principal, id, reason);
  }

  @Extensions({ [partExtension]: true })
  @FieldResolver(() => OptOut, {
    nullable: true,
    description: 'That the lead has opted out of bulk and scheduled messages; null while it gets them.',
  })
  optOut(@Root() lead: LeadRow, @Ctx() context: GraphqlContext): Promise<OptOutRow | null> {
    const read = (ids: readonly string[]) => this.service.listOptOuts(callerOf(context), ids);
    return context.loaders.one('opt-out', read, ({ leadId }) => leadId).load(lead.id);
  }
}

@Resolver(() => OptOut)
export class OptOutResolver {
  constructor(private readonly messages: MessageService) {}

  @FieldResolver(() => Message, {
    nullable: true,
    description: 'The message that was the keyword; null where it was none.',
  })
  message(@Root() { messageId }: OptOutRow, @Ctx() context: GraphqlContext): Promise<MessageRow | null> | null {
    return loadById(context, 'message', this.messages, messageId);
  }
}

@Resolver(() => ConsentEntry)
export class ConsentEntryResolver {
  constructor(
    private readonly service: ConsentService,
    private readonly messages: MessageService,
    private readonly users: UserService,
  ) {}

  @Authorized()
  @Query(() => ConsentEntryConnection, {
    description:
      'Every decision about a lead’s consent, the newest first, with those of leads that were merged into it. An append-only ledger.',
  })
  async consentLog(
    @Ctx() context: GraphqlContext,
    @Arg('leadId', () => ID, { description: "The lead's id." }) leadId: string,
    @Args(() => TwoWayPageArgs) args: TwoWayPageArgs,
  ): Promise<ConnectionValue<ConsentEntryRow>> {
    return toConnection(await this.service.list(context.principal, leadId, args));
  }

  @FieldResolver(() => ID, {
    nullable: true,
    description: 'KEYWORD and PREFERENCE: the webhook call that brought it, in the journal.',
  })
  webhookDeliveryId(@Root() { webhookCallId }: ConsentEntryRow): string | null {
    return webhookCallId;
  }

  @FieldResolver(() => Message, { nullable: true, description: 'KEYWORD: the message that was the keyword.' })
  message(@Root() { messageId }: ConsentEntryRow, @Ctx() context: GraphqlContext): Promise<MessageRow | null> | null {
    return loadById(context, 'message', this.messages, messageId);
  }

  @FieldResolver(() => User, { nullable: true, description: 'USER: who entered it.' })
  user(@Root() { userId }: ConsentEntryRow, @Ctx() context: GraphqlContext): Promise<UserRecord | null> | null {
    return loadById(context, 'user', this.users, userId);
  }
}
