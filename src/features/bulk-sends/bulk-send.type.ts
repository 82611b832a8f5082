// GraphQL types of bulk sends.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { countedConnectionType } from '../../platform/relay.type.js';
import { maxRecipients } from './bulk-send.schema.js';
import type { RecipientInput, SendMessagesInput as SendMessagesShape } from './bulk-send.schema.js';
import type { BulkSendProgressRecord, BulkSendRow } from './bulk-send.service.js';

@ObjectType({
  description:
    "How many of a bulk send's messages have each status now. Each counts once, so together they are its total: what was read is not counted as sent or delivered as well.",
})
export class BulkSendProgress implements BulkSendProgressRecord {
  @Field(() => Int, { description: 'Waiting for their turn.' })
  queued!: number;

  @Field(() => Int, { description: 'Taken by a worker: handed to the gateway, or waiting to be tried again.' })
  sending!: number;

  @Field(() => Int, { description: 'Accepted by the gateway.' })
  sent!: number;

  @Field(() => Int, { description: 'On the recipient’s device.' })
  delivered!: number;

  @Field(() => Int, { description: 'Seen by the recipient.' })
  read!: number;

  @Field(() => Int, { description: 'Not sent.' })
  failed!: number;

  @Field(() => Int, { description: 'Taken back before they were sent.' })
  canceled!: number;
}

@ObjectType({ description: 'A template to many leads, sent as one. It goes behind what operators write.' })
export class BulkSend implements Pick<BulkSendRow, 'id' | 'templateVersion' | 'total' | 'createdAt' | 'canceledAt'> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => Int, { description: 'The version of the template that its texts were made of.' })
  templateVersion!: number;

  @Field(() => Int, { description: 'How many messages it has: one for each lead.' })
  total!: number;

  @Field(() => Date, { description: 'When it was queued.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it was first canceled; null unless it was.' })
  canceledAt!: Date | null;
}

export const BulkSendConnection = countedConnectionType(BulkSend, 'BulkSend');

@InputType({ description: 'A lead that a bulk send goes to.' })
export class BulkRecipientInput implements RecipientInput {
  @Field(() => ID, { description: 'To whom.' })
  leadId!: string;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: "Values of the template's variables for this lead, as renderTemplate takes them.",
  })
  variables?: Record<string, unknown> | null;
}

@InputType({ description: 'A template to many leads.' })
export class SendMessagesInput implements SendMessagesShape {
  @Field(() => ID, { description: 'What to say.' })
  templateId!: string;

  @Field(() => [BulkRecipientInput], {
    description: `To whom, in the order in which it is sent: 1 to ${maxRecipients.toLocaleString('en')} leads, each once.`,
  })
  recipients!: BulkRecipientInput[];

  @Field(() => ID, {
    nullable: true,
    description: "Through which chat instance; the tenant's default where none is named.",
  })
  instanceId?: string | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When it is to leave, in any zone, at most a year ahead; at once where left out, or past.',
  })
  sendAt?: Date | null;

  @Field(() => String, {
    description:
      'The same key with the same content gives the same bulk send, so that a repeated call sends once; with other content it is CONFLICT. 1 to 255 characters.',
  })
  idempotencyKey!: string;
}
