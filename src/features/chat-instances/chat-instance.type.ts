// GraphQL types of chat instances. The gateway's address is a field of the resolver, for ADMINs; its token is input only.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { ChatInstanceStatus } from '../../platform/prisma/enums.js';
import { Account } from '../users/user.type.js';
import type {
  CreateChatInstanceInput as CreateChatInstanceShape,
  UpdateChatInstanceInput as UpdateChatInstanceShape,
} from './chat-instance.schema.js';
import type { PublicChatInstance } from './chat-instance.service.js';
import type { InstanceConnection } from './instance-lifecycle.service.js';

registerEnumType(ChatInstanceStatus, {
  name: 'ChatInstanceStatus',
  description: 'The state of the line to the chat network.',
  valuesConfig: {
    CONNECTING: {
      description: 'Being connected: the initial state. A line that was connected before holds its messages meanwhile.',
    },
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

@ObjectType({
  description: 'How a line stands that is being connected. Whoever has one of its codes can take the line over.',
})
export class ChatInstanceConnection implements InstanceConnection {
  @Field(() => ChatInstanceStatus, { description: 'The state of the line, as its gateway answered.' })
  status!: ChatInstanceStatus;

  @Field(() => String, { nullable: true, description: 'Why the line is in ERROR or DISCONNECTED.' })
  lastError!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What the phone scans: a picture as a data URL, or the text to draw as a QR code.',
  })
  qr!: string | null;

  @Field(() => String, { nullable: true, description: 'What is typed on the phone in place of scanning.' })
  pairingCode!: string | null;
}

@InputType({ description: 'A new chat instance.' })
export class CreateChatInstanceInput implements CreateChatInstanceShape {
  @Field(() => ID, { description: 'The account whose line it is.' })
  accountId!: string;

  @Field(() => String, {
    description:
      "The instance's name at the gateway, at most 100 characters: unique in the tenant, and at the service's own gateway also among all tenants.",
  })
  instanceName!: string;

  @Field(() => String, { nullable: true, description: 'The make of gateway; `gateway` where none is given.' })
  provider?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the account sends through it where none is named, instead of the default before. Not given: the first is.',
  })
  isDefault?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The gateway's http or https address, at most 2,048 characters, without credentials, query or fragment. Private ones need the operator's leave. Not given: the configured gateway.",
  })
  baseUrl?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Sent to the gateway as a Bearer token; at most 4,096 characters. Kept encrypted and never shown.',
  })
  token?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "What the network signs its own calls with (the Cloud API's app secret), 16 to 200 characters. Kept encrypted and never shown.",
  })
  webhookSecret?: string | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Kept beside it: at most 16 KiB as JSON.' })
  metadata?: Record<string, unknown> | null;
}

@InputType({ description: 'What to change; fields that are left out stay as they are.' })
export class UpdateChatInstanceInput implements UpdateChatInstanceShape {
  @Field(() => String, {
    nullable: true,
    description:
      "The instance's name at the gateway, at most 100 characters: unique in the tenant, and at the service's own gateway also among all tenants.",
  })
  instanceName?: string;

  @Field(() => String, {
    nullable: true,
    description: 'The make of gateway. Where a token is stored and calls go elsewhere by it, the token is needed too.',
  })
  provider?: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the account sends through it where none is named, instead of the default before.',
  })
  isDefault?: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      "The gateway's address, as at creation; null: the configured gateway, or the provider's own. Where a token is stored, a change of where calls go needs the token too.",
  })
  baseUrl?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Sent to the gateway as a Bearer token, as at creation; null takes it away.',
  })
  token?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "What the network signs its own calls with (the Cloud API's app secret), 16 to 200 characters; null takes it away. Kept encrypted and never shown.",
  })
  webhookSecret?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Kept beside it: at most 16 KiB as JSON; null takes it away.',
  })
  metadata?: Record<string, unknown> | null;
}
