// GraphQL types of chat instances. The gateway's address and credential are not among the fields.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ChatInstanceStatus } from '../../platform/prisma/enums.js';
import { Account } from '../users/account.type.js';
import type { PublicChatInstance } from './chat-instance.service.js';

registerEnumType(ChatInstanceStatus, {
  name: 'ChatInstanceStatus',
  description: 'The state of the line to the chat network.',
  valuesConfig: {
    CONNECTING: { description: 'Being connected: the initial state.' },
    CONNECTED: { description: 'Messages come and go.' },
    DISCONNECTED: { description: 'The line was ended, by us or by the network.' },
    INACTIVE: { description: 'No longer in use.' },
    ERROR: { description: 'The network refuses it: lastError says why.' },
  },
});

@ObjectType({ description: 'A connected chat line of an account.' })
export class ChatInstance implements Omit<PublicChatInstance, 'tenant' | 'account' | 'metadata'> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => Account, { description: 'Whose line it is.' })
  account!: Account;

  @Field(() => String, { description: 'The make of gateway; `gateway` is the neutral one.' })
  provider!: string;

  @Field(() => String, { description: "The instance's name at the gateway, unique in the tenant." })
  instanceName!: string;

  @Field(() => Boolean, { description: 'Whether the account sends through it where none is named.' })
  isDefault!: boolean;

  @Field(() => ChatInstanceStatus, { description: 'The state of the line.' })
  status!: ChatInstanceStatus;

  @Field(() => String, { nullable: true, description: 'Why the line is in ERROR or DISCONNECTED.' })
  lastError!: string | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'What was stored beside it.' })
  metadata!: Record<string, unknown> | null;

  @Field(() => Date, { description: 'When it was created.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last changed.' })
  updatedAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it was deleted; null while in use.' })
  deletedAt!: Date | null;
}
