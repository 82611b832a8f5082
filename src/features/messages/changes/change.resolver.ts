// GraphQL API of changes to messages: fields of Message and Reaction, batched.

import { Ctx, Extensions, FieldResolver, Resolver, Root } from 'type-graphql';
import { callerOf, loadById, type GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import { listSizeExtension } from '../../../platform/graphql/relay.type.js';
import type { UserService } from '../../users/user.service.js';
import type { UserRecord } from '../../users/user.sql.js';
import { User } from '../../users/user.type.js';
import {
  originOf,
  type ChangeRow,
  type MessageOrigin as Origin,
  type MessageRow,
  type MessageService,
  type Reaction as ReactionRow,
} from '../message.service.js';
import { Message } from '../message.type.js';
import { MessageChange, MessageOrigin, Reaction } from './change.type.js';

@Resolver(() => Message)
export class MessageChangeResolver {
  constructor(private readonly messages: MessageService) {}

  @FieldResolver(() => MessageOrigin, { description: 'Where it came from.' })
  origin(@Root() message: MessageRow): Origin {
    return originOf(message);
  }

  @Extensions({ [listSizeExtension]: 2 })
  @FieldResolver(() => [Reaction], { description: 'The reactions to it, at most one of each side, the oldest first.' })
  reactions(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<ReactionRow[]> {
    const read = (ids: readonly string[]) => this.messages.listReactions(callerOf(context), ids);
    return context.loaders.many('reactions', read, ({ messageId }) => messageId).load(message.id);
  }

  @FieldResolver(() => [MessageChange], {
    description:
      'What its writer did to it afterwards, the oldest first: at most the newest 20 edits and the deletion.',
  })
  changes(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<ChangeRow[]> | ChangeRow[] {
    if (message.editedAt === null && message.deletedAt === null) return [];
    const read = (ids: readonly string[]) => this.messages.listChanges(callerOf(context), ids);
    return context.loaders.many('message-changes', read, ({ messageId }) => messageId).load(message.id);
  }
}

@Resolver(() => Reaction)
export class ReactionResolver {
  constructor(private readonly users: UserService) {}

  @FieldResolver(() => User, {
    nullable: true,
    description: 'Who reacted here; null for the lead, and for what was done on the phone.',
  })
  user(@Root() { userId }: ReactionRow, @Ctx() context: GraphqlContext): Promise<UserRecord | null> | null {
    return loadById(context, 'user', this.users, userId);
  }
}
