// GraphQL types of bulk sends.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enum.type.js';
import { countedConnectionType } from '../../platform/graphql/relay.type.js';
import { SentChannelTemplate } from '../channel-templates/channel-template.type.js';
import {
  maxRecipients,
  optedOutChoices,
  type RecipientInput,
  type SendMessagesInput as SendMessagesShape,
} from './bulk-send.schema.js';
import type { BulkSendProgressRecord, BulkSendRow } from './bulk-send.service.js';

@ObjectType({
  description:
    "The number of a bulk send's messages by their status now. Each message counts once: a READ message does not count as sent or delivered too. The sum is the total, less the messages of leads that were erased since.",
})
export class BulkSendProgress implements BulkSendProgressRecord {
  @Field(() => Int, { description: 'Waiting to be sent.' })
  queued!: number;

  @Field(() => Int, { description: 'Being sent, or waiting for the next attempt.' })
  sending!: number;

  @Field(() => Int, { description: 'Accepted by the gateway.' })
  sent!: number;

  @Field(() => Int, { description: 'Delivered to the recipient’s device.' })
  delivered!: number;

  @Field(() => Int, { description: 'Read by the recipient.' })
  read!: number;

  @Field(() => Int, { description: 'Failed.' })
  failed!: number;

  @Field(() => Int, { description: 'Canceled before they were sent.' })
  canceled!: number;
}

@ObjectType({ description: 'One template that is sent to many leads. Its messages leave after messages of operators.' })
export class BulkSend implements Pick<
  BulkSendRow,
  'id' | 'templateVersion' | 'total' | 'skipped' | 'scheduledFor' | 'createdAt' | 'canceledAt'
> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'The version of the template that was rendered. Null for a channel template.',
  })
  templateVersion!: number | null;

  @Field(() => SentChannelTemplate, {
    nullable: true,
    description: 'The channel template that is sent in place of a template.',
  })
  channelTemplate!: SentChannelTemplate | null;

  @Field(() => Int, { description: 'The number of its messages, one for each lead.' })
  total!: number;

  @Field(() => Int, { description: 'The number of its recipients that had opted out, and got no message.' })
  skipped!: number;

  @Field(() => Date, {
    nullable: true,
    description: 'When its messages may leave, where that was later than their queueing. Null if it was sent at once.',
  })
  scheduledFor!: Date | null;

  @Field(() => Date, { description: 'When it was queued.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it was first canceled. Null if it was not.' })
  canceledAt!: Date | null;
}

export const BulkSendConnection = countedConnectionType(BulkSend, 'BulkSend');

const OptedOutChoiceEnum = enumOf('OptedOutChoice', 'What becomes of recipients that have opted out.', optedOutChoices);

@InputType({ description: 'A recipient of a bulk send.' })
export class BulkRecipientInput implements RecipientInput {
  @Field(() => ID, { description: 'The lead.' })
  leadId!: string;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      "Values of the template's variables for this lead, as in renderTemplate; of a channel template by component, as in sendMessage.",
  })
  variables?: Record<string, unknown> | null;
}

@InputType({ description: 'A new bulk send.' })
export class SendMessagesInput implements SendMessagesShape {
  @Field(() => ID, { nullable: true, description: 'The template. Required without channelTemplateId.' })
  templateId?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      "A template of the network in place of a template. It leaves through the template's own chat instance.",
  })
  channelTemplateId?: string | null;

  @Field(() => [BulkRecipientInput], {
    description: `The recipients, in the order of sending: 1 to ${maxRecipients.toLocaleString('en')} leads, each once.`,
  })
  recipients!: BulkRecipientInput[];

  @Field(() => ID, {
    nullable: true,
    description: "The chat instance; the tenant's default instance by default.",
  })
  instanceId?: string | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When to send, at most a year ahead. Without a time, or with one in the past, at once.',
  })
  sendAt?: Date | null;

  @Field(() => String, {
    description:
      '1 to 255 characters. The same key with the same content returns the same bulk send, so a repeated call sends once. With other content it is CONFLICT.',
  })
  idempotencyKey!: string;

  @Field(() => OptedOutChoiceEnum, {
    nullable: true,
    description: 'What becomes of recipients that have opted out; SKIP by default.',
  })
  onOptedOut?: keyof typeof optedOutChoices | null;
}
