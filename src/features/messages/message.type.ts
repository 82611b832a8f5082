// GraphQL types of messages.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { MessageDirection, MessageStatus } from '../../platform/prisma/enums.js';
import { countedConnectionType } from '../../platform/graphql/relay.type.js';
import { channelVariablesDescription, SentChannelTemplate } from '../channel-templates/channel-template.type.js';
import { Referral } from '../leads/referrals/referral.type.js';
import {
  maxSearchedTextLength,
  type MessageFilterInput,
  type SendMessageInput as SendMessageShape,
} from './message.schema.js';
import type { MessageRow, TransitionRow } from './message.service.js';

registerEnumType(MessageDirection, {
  name: 'MessageDirection',
  description: 'The side that wrote.',
  valuesConfig: {
    INBOUND: { description: 'The lead wrote to us.' },
    OUTBOUND: { description: 'We wrote to the lead.' },
  },
});

registerEnumType(MessageStatus, {
  name: 'MessageStatus',
  description: 'How far an outbound message has come. It never goes back; DELIVERED and READ take a failure back.',
  valuesConfig: {
    QUEUED: { description: 'Accepted by us, waiting for its turn.' },
    SENDING: { description: 'Handed to the gateway, no answer yet.' },
    SENT: { description: 'Accepted by the gateway.' },
    DELIVERED: { description: 'On the recipient’s device.' },
    READ: { description: 'Seen by the recipient.' },
    FAILED: { description: 'Not sent: error says why.' },
    CANCELED: { description: 'Taken back before it was sent.' },
  },
});

@ObjectType({ description: 'Why a message failed, or why an operator should check it.' })
export class MessageError {
  @Field(() => String, { description: "The provider's code, or ours." })
  code!: string;

  @Field(() => String, { description: 'The reason in words.' })
  message!: string;
}

@ObjectType({ description: "One change of a message's status." })
export class MessageStatusTransition implements Omit<TransitionRow, 'tenantId' | 'id' | 'messageId'> {
  @Field(() => MessageStatus, { nullable: true, description: 'The status before; null at the start.' })
  fromStatus!: MessageStatus | null;

  @Field(() => MessageStatus, { description: 'The status from then on.' })
  toStatus!: MessageStatus;

  @Field(() => String, { description: '`user`, `worker`, `gateway` or `system`.' })
  source!: string;

  @Field(() => String, { nullable: true, description: "The provider's code, where it gave one." })
  providerCode!: string | null;

  @Field(() => String, { nullable: true, description: 'More in words.' })
  detail!: string | null;

  @Field(() => Date, { description: "When it happened, by the reporter's clock." })
  occurredAt!: Date;

  @Field(() => Date, { description: 'When we learned of it.' })
  recordedAt!: Date;
}

export const choiceKinds = ['BUTTON', 'LIST', 'FLOW'] as const;
export type MessageChoiceKind = (typeof choiceKinds)[number];
const MessageChoiceKind = Object.fromEntries(choiceKinds.map((kind) => [kind, kind]));

registerEnumType(MessageChoiceKind, {
  name: 'MessageChoiceKind',
  description: 'How a lead picked what was offered.',
  valuesConfig: {
    BUTTON: { description: 'By a button.' },
    LIST: { description: 'From a list.' },
    FLOW: { description: 'By filling in a form.' },
  },
});

@ObjectType({ description: 'What a lead picked of what was offered.' })
export class MessageChoice {
  @Field(() => MessageChoiceKind, { description: 'How it was picked.' })
  kind!: MessageChoiceKind;

  @Field(() => String, { nullable: true, description: "The sender's own id of it; null where the network gives none." })
  id!: string | null;

  @Field(() => String, { nullable: true, description: 'As the lead saw it.' })
  title!: string | null;

  @Field(() => String, { nullable: true, description: 'The line under the title, of a list.' })
  description!: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'FLOW: the answers of the form, by their names, in the order of its fields.',
  })
  answers!: Record<string, unknown> | null;
}

@ObjectType({ description: 'One message of a conversation.' })
export class Message implements Pick<
  MessageRow,
  | 'id'
  | 'position'
  | 'direction'
  | 'status'
  | 'type'
  | 'body'
  | 'externalId'
  | 'replyToExternalId'
  | 'createdAt'
  | 'receivedAt'
  | 'templateVersion'
  | 'scheduledFor'
  | 'editedAt'
  | 'deletedAt'
  | 'isForwarded'
  | 'isNotice'
  | 'mayWantToStop'
> {
  @Field(() => ID, {
    description:
      'UUID v7, by the time at which it was written or came. The order of a conversation is that of `position`.',
  })
  id!: string;

  @Field(() => String, {
    description:
      "Its place in the conversation: 19 digits, which are compared as text. A message comes behind all that were there before it. One that was recovered from the gateway's history stands where it was written. Where two are equal, their ids decide.",
  })
  position!: string;

  @Field(() => MessageDirection, { description: 'The side that wrote.' })
  direction!: MessageDirection;

  @Field(() => MessageStatus, { nullable: true, description: 'How far it has come; null on INBOUND.' })
  status!: MessageStatus | null;

  @Field(() => String, {
    description:
      '`text`, `image`, `video`, `audio`, `document`, `template` (a channel template), `call` (the lead called), `notice`, or what the gateway calls it.',
  })
  type!: string;

  @Field(() => String, { nullable: true, description: 'The text, as it was edited last; null once it was deleted.' })
  body!: string | null;

  @Field(() => Boolean, { description: 'Its writer passed it on from another conversation.' })
  isForwarded!: boolean;

  @Field(() => Boolean, {
    description:
      'A line of the conversation that nobody wrote, as of a changed number. It is INBOUND, and never unread, waiting, or an answer.',
  })
  isNotice!: boolean;

  @Field(() => Boolean, {
    description:
      'A short text that the lead typed, with one of the words that opt out among others. It opts nobody out: a person has to decide.',
  })
  mayWantToStop!: boolean;

  @Field(() => SentChannelTemplate, {
    nullable: true,
    description: 'The channel template that it was made of. The text is then that of its body.',
  })
  channelTemplate!: SentChannelTemplate | null;

  @Field(() => String, {
    nullable: true,
    description: "The provider's id; null until the gateway has accepted the message, or reserved an id for it.",
  })
  externalId!: string | null;

  @Field(() => String, { nullable: true, description: "The provider's id of the message that it quotes." })
  replyToExternalId!: string | null;

  @Field(() => Date, {
    description: 'When we stored it; of one that was recovered from a history, when it was written.',
  })
  createdAt!: Date;

  @Field(() => Int, { nullable: true, description: 'The version of the template that its text was made of.' })
  templateVersion!: number | null;

  @Field(() => Date, { nullable: true, description: 'When it was asked to leave; null: at once.' })
  scheduledFor!: Date | null;

  @Field(() => Date, { nullable: true, description: 'INBOUND: when it reached us, also from a history.' })
  receivedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'INBOUND: when it was written, by the provider’s clock.' })
  providerTimestamp!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When the gateway accepted it.' })
  sentAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it reached the recipient.' })
  deliveredAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When the recipient saw it.' })
  readAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it failed.' })
  failedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When its writer edited it last, at the network.' })
  editedAt!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description:
      'When its writer deleted it, at the network: then it has neither text nor file. `changes` keeps the text for a time.',
  })
  deletedAt!: Date | null;

  @Field(() => Referral, {
    nullable: true,
    description:
      'INBOUND: the ad, post or product that it came through. Without a text of its own, its headline is the text.',
  })
  referral!: Referral | null;
}

export const MessageConnection = countedConnectionType(Message, 'Message');

@InputType({ description: 'A file to send: one that was uploaded, or the address of one.' })
export class MessageMediaInput implements NonNullable<SendMessageShape['media']> {
  @Field(() => ID, {
    nullable: true,
    description:
      'The id of an upload (`POST /media`), or of a message whose file is STORED. It may be sent any number of times.',
  })
  id?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'In place of `id`: http or https URL that the gateway can fetch, at most 2048 characters.',
  })
  url?: string | null;

  @Field(() => String, { nullable: true, description: 'Media type, as `image/png`; with `url` only.' })
  mimeType?: string | null;

  @Field(() => String, { nullable: true, description: 'Name to show, at most 255 characters.' })
  fileName?: string | null;

  @Field(() => String, { nullable: true, description: 'Text under the file, at most 4096 characters.' })
  caption?: string | null;
}

@InputType({ description: 'A channel template and its values.' })
export class ChannelTemplateInput implements NonNullable<SendMessageShape['channelTemplate']> {
  @Field(() => ID, { description: 'The channel template. It has to be APPROVED.' })
  id!: string;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: channelVariablesDescription,
  })
  variables?: Record<string, unknown> | null;
}

@InputType({ description: 'A message to a lead: text, a file, or both; or a template with its variables.' })
export class SendMessageInput implements SendMessageShape {
  @Field(() => ID, { description: 'To whom.' })
  leadId!: string;

  @Field(() => ID, {
    nullable: true,
    description: "Through which chat instance; the lead's `replyInstance`, as it is now, where none is named.",
  })
  instanceId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The text, at most 65536 characters. Required without media and template.',
  })
  body?: string | null;

  @Field(() => MessageMediaInput, { nullable: true, description: 'The file.' })
  media?: MessageMediaInput | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'A template in place of text and file. It is rendered now: later changes of it do not count. Its files go with it; those after the first are messages of their own, and the answer is the message with the text.',
  })
  templateId?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Values for the template by name, at most 100: text of at most 1,000 characters, numbers, booleans. Null is no value; names that it does not ask for are ignored.',
  })
  variables?: Record<string, unknown> | null;

  @Field(() => ChannelTemplateInput, {
    nullable: true,
    description:
      "A template of the network in place of text, file and template. It leaves through the template's own chat instance. NOT_OFFERED where the network has none.",
  })
  channelTemplate?: ChannelTemplateInput | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When it is to leave, in any zone, at most a year ahead; at once where left out, or past.',
  })
  sendAt?: Date | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'The message that it quotes: one of the same lead that has reached the network and was not deleted. It leaves through that message’s chat instance where none is named.',
  })
  replyToMessageId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The same key gives the same message, so that a repeated call sends once. At most 255 characters.',
  })
  idempotencyKey?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'CONFLICT unless this is the newest message of the lead, with the first 50 after it in the extension `unseenMessages`: nothing is sent past an answer that was not read.',
  })
  expectedLastMessageId?: string | null;
}

@InputType({ description: 'Which messages to list: all given conditions have to hold.' })
export class MessageFilter implements MessageFilterInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Of the conversation with this lead, or with the one that it was merged into.',
  })
  leadId?: string | null;

  @Field(() => MessageDirection, { nullable: true, description: 'The side that wrote.' })
  direction?: MessageDirection | null;

  @Field(() => [MessageStatus], { nullable: true, description: 'One of these statuses: then INBOUND is left out.' })
  statuses?: MessageStatus[] | null;

  @Field(() => ID, { nullable: true, description: 'Came or went through this chat instance.' })
  instanceId?: string | null;

  @Field(() => Date, { nullable: true, description: 'Stored at this time or later.' })
  since?: Date | null;

  @Field(() => Date, { nullable: true, description: 'Stored before this time.' })
  until?: Date | null;

  @Field(() => String, {
    nullable: true,
    description: `Part of the text or of the caption, in any letter case, at most ${maxSearchedTextLength} characters.`,
  })
  text?: string | null;

  @Field(() => ID, { nullable: true, description: 'Of this bulk send.' })
  bulkSendId?: string | null;
}
