// GraphQL types of chat instances. Fields for ADMINs alone are in the resolver.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enum.type.js';
import { ChatInstanceStatus } from '../../platform/prisma/enums.js';
import { providers } from '../../providers/registry.js';
import { Account } from '../users/user.type.js';
import {
  healthCodes,
  type CreateChatInstanceInput as CreateChatInstanceShape,
  type UpdateChatInstanceInput as UpdateChatInstanceShape,
} from './chat-instance.schema.js';
import type { PublicChatInstance } from './chat-instance.service.js';
import type { InstanceConnection } from './instance-lifecycle.service.js';
import { Dated } from '../../platform/graphql/dated.type.js';

/** The states that GraphQL shows. In the database, a degraded instance is CONNECTED. */
export const ShownInstanceStatus = { ...ChatInstanceStatus, DEGRADED: 'DEGRADED' } as const;
export type ShownInstanceStatus = keyof typeof ShownInstanceStatus;

registerEnumType(ShownInstanceStatus, {
  name: 'ChatInstanceStatus',
  description: 'Whether a chat instance is connected to the chat network.',
  valuesConfig: {
    CONNECTING: {
      description:
        'Being connected; the initial state. An instance that was connected before keeps its messages queued.',
    },
    CONNECTED: { description: 'Messages are sent and received.' },
    DEGRADED: {
      description:
        'It says CONNECTED, and evidence says otherwise; `healthReason` says which. Messages are sent, unless it is paused.',
    },
    DISCONNECTED: { description: 'The session was ended, by Leadwire or by the network. Messages stay queued.' },
    INACTIVE: { description: 'No longer in use. Messages stay queued.' },
    ERROR: { description: 'The network refuses it; `lastError` says why. Messages stay queued.' },
  },
});

const InstanceHealthEnum = enumOf('InstanceHealthCode', 'Why a chat instance is DEGRADED.', healthCodes);

const [neutralName, ...otherNames] = providers.map(({ name }) => `\`${name}\``);

@ObjectType({ description: 'A number on the chat network that an account sends and receives with, through a gateway.' })
export class ChatInstance
  extends Dated
  implements Omit<PublicChatInstance, 'tenant' | 'account' | 'metadata' | 'status'>
{
  @Field(() => Account, { description: 'The account that it belongs to.' })
  account!: Account;

  @Field(() => String, {
    description: `The kind of gateway: ${neutralName} (the neutral protocol), ${otherNames.slice(0, -1).join(', ')} or ${otherNames.at(-1)}.`,
  })
  provider!: string;

  @Field(() => String, { description: "The instance's name at the gateway, unique in the tenant." })
  instanceName!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The number of the line itself, as its gateway reported it last: digits with country code. Null while that is unknown.',
  })
  number!: string | null;

  @Field(() => Boolean, { description: 'Whether the account sends through it if a call names no instance.' })
  isDefault!: boolean;

  @Field(() => String, { nullable: true, description: 'Why it is in ERROR or DISCONNECTED.' })
  lastError!: string | null;

  @Field(() => InstanceHealthEnum, { nullable: true, description: 'Why it is DEGRADED; null where it is not.' })
  healthCode!: string | null;

  @Field(() => String, { nullable: true, description: 'Why it is DEGRADED, in words, and what to do.' })
  healthReason!: string | null;

  @Field(() => Date, { nullable: true, description: 'Since when it is DEGRADED.' })
  degradedAt!: Date | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Data that was stored with it.' })
  metadata!: Record<string, unknown> | null;

  @Field(() => Date, { nullable: true, description: 'When it was deleted. Null while it is in use.' })
  deletedAt!: Date | null;
}

@ObjectType({
  description:
    'The state of a chat instance that is being connected. Keep its codes secret: they give control of the number.',
})
export class ChatInstanceConnection implements InstanceConnection {
  @Field(() => ShownInstanceStatus, { description: 'The state, as the gateway answered.' })
  status!: ChatInstanceStatus;

  @Field(() => String, { nullable: true, description: 'Why it is in ERROR or DISCONNECTED.' })
  lastError!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The QR code for the phone to scan: a picture as a data URL, or the text to encode.',
  })
  qr!: string | null;

  @Field(() => String, { nullable: true, description: 'The code to type on the phone instead of scanning.' })
  pairingCode!: string | null;
}

@InputType({ description: 'A new chat instance.' })
export class CreateChatInstanceInput implements CreateChatInstanceShape {
  @Field(() => ID, { description: 'The account that it belongs to.' })
  accountId!: string;

  @Field(() => String, {
    description:
      "The instance's name at the gateway, at most 100 characters. Unique in the tenant; at the shared gateway, unique among all tenants.",
  })
  instanceName!: string;

  @Field(() => String, { nullable: true, description: 'The kind of gateway; `gateway` by default.' })
  provider?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it becomes the default of the account. By default, the first instance of an account does.',
  })
  isDefault?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The gateway's http or https address, at most 2,048 characters, without credentials, query or fragment. Private addresses need the administrator's permission. By default, the configured gateway.",
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
      "The secret that the gateway signs its calls with: Meta's app secret, 16 to 200 characters, or WAHA's HMAC key, 8 to 200. Kept encrypted and never shown.",
  })
  webhookSecret?: string | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Data to store with it, at most 16 KiB as JSON.' })
  metadata?: Record<string, unknown> | null;
}

@InputType({ description: 'What to change; fields that are left out stay as they are.' })
export class UpdateChatInstanceInput implements UpdateChatInstanceShape {
  @Field(() => String, {
    nullable: true,
    description:
      "The instance's name at the gateway, at most 100 characters. Unique in the tenant; at the shared gateway, unique among all tenants.",
  })
  instanceName?: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The kind of gateway. If a token is stored and the change moves calls to another address, give the token too.',
  })
  provider?: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it becomes the default of the account.',
  })
  isDefault?: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      "The gateway's address, as in a creation. Null means the configured gateway, or the provider's own. If a token is stored and calls move to another address, give the token too.",
  })
  baseUrl?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Sent to the gateway as a Bearer token, as in a creation. Null removes it.',
  })
  token?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The secret that the gateway signs its calls with, as in a creation. Null removes it. Kept encrypted and never shown.',
  })
  webhookSecret?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Data to store with it, at most 16 KiB as JSON. Null removes it.',
  })
  metadata?: Record<string, unknown> | null;
}
