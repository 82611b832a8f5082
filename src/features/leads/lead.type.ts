// GraphQL types of leads. Messages add their own fields to Lead.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { countedConnectionType } from '../../platform/relay.type.js';
import type { CustomFields } from './lead-labels.js';
import type { LeadRow } from './lead.service.js';

@ObjectType({ description: 'A person who may become a customer: one for each chat number of a tenant.' })
export class Lead implements Omit<
  LeadRow,
  'tenantId' | 'metadata' | 'customFields' | 'assigneeId' | 'lastMessageId' | 'lastBulkMessageId' | 'mergedIntoId'
> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: "The person's name; the number where none is known." })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Chat number: digits with country code. Null while the network hides it.',
  })
  chat!: string | null;

  @Field(() => String, { description: 'Where the lead first came from.' })
  source!: string;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Other fields that came with the lead.' })
  metadata!: Record<string, unknown> | null;

  @Field(() => [String], { description: 'What operators sort it by, in lower case.' })
  tags!: string[];

  @Field(() => GraphQLJSONObject, { description: 'What operators keep of it: names to text, numbers and booleans.' })
  customFields!: CustomFields;

  @Field(() => Int, { description: 'Inbound messages that nobody has read yet.' })
  unreadCount!: number;

  @Field(() => Date, { description: 'When the lead first came in.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When the lead was last changed or written to.' })
  updatedAt!: Date;

  assigneeId!: string | null;
  lastMessageId!: string | null;
  lastBulkMessageId!: string | null;
}

export const LeadConnection = countedConnectionType(Lead, 'Lead');
