// GraphQL types of leads. Messages add their own fields to Lead.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enum.type.js';
import { ConversationStatus, NumberValidity } from '../../platform/prisma/enums.js';
import { countedConnectionType } from '../../platform/graphql/relay.type.js';
import {
  inboxOrders,
  leadOrderFields,
  maxCustomFields,
  maxFieldNameLength,
  maxFieldTextLength,
  maxFilterValues,
  maxSearchLength,
  maxTagLength,
  maxTags,
  orderDirections,
  snoozeKinds,
  type CreateLeadInput as CreateLeadShape,
  type InboxFilterInput,
  type LeadFilterInput,
  type LeadOrderInput,
  type UpdateLeadInput as UpdateLeadShape,
} from './lead.schema.js';
import type { CustomFields } from './lead-labels.js';
import type { LeadRow } from './lead.service.js';
import { maxReferralIdLength } from '../../providers/referral.js';

registerEnumType(ConversationStatus, {
  name: 'ConversationStatus',
  description: 'Whether there is something to do in the conversation with a lead.',
  valuesConfig: {
    OPEN: { description: 'In the inbox to work on. Every inbound message opens the conversation again.' },
    SNOOZED: { description: 'Put aside until `snoozedUntil`.' },
    CLOSED: { description: 'Done.' },
  },
});

registerEnumType(NumberValidity, {
  name: 'NumberValidity',
  description: 'Whether a chat number can exist, by the numbering plan of its country. Says nothing of who has it.',
  valuesConfig: {
    VALID: { description: 'Its country gives out such numbers.' },
    INVALID: { description: 'Its country gives out no such number, or no country has its code. The lead is kept.' },
    UNKNOWN: { description: 'The number is hidden, or was not judged yet.' },
  },
});

export const SnoozeKindEnum = enumOf('SnoozeKind', 'Why a conversation is put aside.', snoozeKinds);

@ObjectType({ description: 'A person who may become a customer: one for each chat number of a tenant.' })
export class Lead implements Omit<
  LeadRow,
  | 'tenantId'
  | 'metadata'
  | 'customFields'
  | 'assigneeId'
  | 'lastMessageId'
  | 'lastMessagePosition'
  | 'lastBulkMessageId'
  | 'lastBulkMessagePosition'
  | 'isReminder'
  | 'reopenedById'
  | 'lastInboundPosition'
  | 'lastAnswerPosition'
  | 'mergedIntoId'
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

  @Field(() => NumberValidity, { description: 'Whether the chat number can exist.' })
  numberValidity!: NumberValidity;

  @Field(() => String, { description: 'Where the lead first came from.' })
  source!: string;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Other fields that came with the lead.' })
  metadata!: Record<string, unknown> | null;

  @Field(() => [String], { description: 'What operators sort it by, in lower case.' })
  tags!: string[];

  @Field(() => GraphQLJSONObject, { description: 'What operators keep of it: names to text, numbers and booleans.' })
  customFields!: CustomFields;

  @Field(() => Int, { description: 'Inbound messages that are unread.' })
  unreadCount!: number;

  @Field(() => ConversationStatus, { description: 'Of the conversation with the lead, over all chat instances.' })
  conversationStatus!: ConversationStatus;

  @Field(() => Date, { nullable: true, description: 'When the snooze ends; null unless the conversation is SNOOZED.' })
  snoozedUntil!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description:
      'The time of the oldest inbound message that nobody answered; null where we wrote last. Messages of users and those written on the phone answer, scheduled ones once they were sent. Bulk messages, automatic texts and canceled messages do not.',
  })
  waitingSince!: Date | null;

  @Field(() => Date, { nullable: true, description: 'The time of the newest inbound message.' })
  lastInboundAt!: Date | null;

  @Field(() => Date, { description: 'When the lead first came in.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When the lead was last changed or written to.' })
  updatedAt!: Date;

  assigneeId!: string | null;
  lastMessageId!: string | null;
  lastMessagePosition!: bigint | string | null;
  lastBulkMessageId!: string | null;
  lastBulkMessagePosition!: bigint | string | null;
}

export const LeadConnection = countedConnectionType(Lead, 'Lead');

// GraphQL types of changing leads.

const tagBounds = `at most ${maxTags} of at most ${maxTagLength} characters`;
const fieldBounds = `at most ${maxCustomFields}, names of at most ${maxFieldNameLength} characters, text of at most ${maxFieldTextLength}, numbers and booleans`;

@InputType({ description: 'A person to find or create by number.' })
export class CreateLeadInput implements CreateLeadShape {
  @Field(() => String, {
    description: 'The number in any common writing: with its country code, or as it is written in its country.',
  })
  chat!: string;

  @Field(() => String, {
    nullable: true,
    description:
      "Whose number a national writing is: ISO 3166-1 alpha-2, such as `BR`. Where left out, the tenant's default country.",
  })
  country?: string | null;

  @Field(() => String, { nullable: true, description: 'At most 200 characters; the number where left out.' })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Where the lead comes from, at most 100 characters; else `manual`.',
  })
  source?: string | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Kept with the touch, at most 16 KiB as JSON.' })
  metadata?: Record<string, unknown> | null;

  @Field(() => [String], { nullable: true, description: `Tags of a new lead: ${tagBounds}.` })
  tags?: string[] | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: `Custom fields of a new lead: ${fieldBounds}.` })
  customFields?: Record<string, unknown> | null;

  @Field(() => ID, { nullable: true, description: 'Who looks after a new lead.' })
  assigneeId?: string | null;
}

@ObjectType({ description: 'The lead of a number.' })
export class CreateLeadPayload {
  @Field(() => Lead, { description: 'The lead; one that was there already is unchanged.' })
  lead!: LeadRow;

  @Field(() => Boolean, { description: 'False where the lead was there already.' })
  created!: boolean;
}

@InputType({ description: 'What to change of a lead. What is left out stays as it is.' })
export class UpdateLeadInput implements UpdateLeadShape {
  @Field(() => String, { nullable: true, description: 'At most 200 characters.' })
  name?: string;

  @Field(() => String, { nullable: true, description: 'At most 100 characters. The touches stay as they are.' })
  source?: string;

  @Field(() => [String], { nullable: true, description: `All its tags from now on: ${tagBounds}.` })
  tags?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Tags to add to those it has.' })
  addTags?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Tags to take away.' })
  removeTags?: string[] | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: `Custom fields to set; null takes one away, the others stay: ${fieldBounds}.`,
  })
  customFields?: Record<string, unknown> | null;
}

// GraphQL types of filtering and sorting leads.

const LeadOrderFieldEnum = enumOf('LeadOrderField', 'What leads can be sorted by.', leadOrderFields);
export const InboxOrderEnum = enumOf('InboxOrder', 'How the inbox can be sorted.', inboxOrders);
const OrderDirectionEnum = enumOf('OrderDirection', 'Which way a list is sorted.', orderDirections);

@InputType({ description: 'Which leads of the inbox to list: all given conditions have to hold.' })
export class InboxFilter implements InboxFilterInput {
  @Field(() => ID, { nullable: true, description: 'The user who looks after the lead.' })
  assigneeId?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'True: without an assignee. False: with one.' })
  unassigned?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'True: with unread messages. False: without.' })
  unread?: boolean | null;

  @Field(() => [ConversationStatus], { nullable: true, description: 'The conversation has one of these statuses.' })
  conversationStatuses?: ConversationStatus[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: an inbound message is not answered (`waitingSince`). False: none is waiting.',
  })
  waiting?: boolean | null;

  @Field(() => [String], {
    nullable: true,
    description: `Leads with at least one of these tags, in any letter case; ${maxFilterValues} at most.`,
  })
  tagsAny?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: `All of these tags, ${maxFilterValues} at most, in any letter case.`,
  })
  tagsAll?: string[] | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The newest message that is not bulk came or went through this chat instance.',
  })
  instanceId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `Part of the name, in any letter case and with or without accents, or of the number in any writing, or an e-mail address as far as its @ or further, from any field; at most ${maxSearchLength} characters. Fewer than 3 characters are the beginning of the name.`,
  })
  search?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: an ad, post or product brought the lead (`firstReferral`). False: none did.',
  })
  hasReferral?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: `The first referral has this \`sourceId\`, at most ${maxReferralIdLength} characters.`,
  })
  referralSourceId?: string | null;
}

@InputType({ description: 'Which leads to list: all given conditions have to hold.' })
export class LeadFilter extends InboxFilter implements LeadFilterInput {
  @Field(() => [String], { nullable: true, description: `Came from one of these, ${maxFilterValues} at most.` })
  sources?: string[] | null;

  @Field(() => Date, { nullable: true, description: 'First came in at this time or later.' })
  since?: Date | null;

  @Field(() => Date, { nullable: true, description: 'First came in before this time.' })
  until?: Date | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: has opted out of bulk and scheduled messages. False: has not.',
  })
  optedOut?: boolean | null;

  @Field(() => NumberValidity, { nullable: true, description: 'Whether the chat number can exist.' })
  numberValidity?: NumberValidity | null;
}

@InputType({ description: 'How to sort leads.' })
export class LeadOrder implements LeadOrderInput {
  @Field(() => LeadOrderFieldEnum, { description: 'What to sort by.' })
  field!: LeadOrderInput['field'];

  @Field(() => OrderDirectionEnum, {
    nullable: true,
    description: 'Which way; where left out, names ascend and times descend.',
  })
  direction?: LeadOrderInput['direction'];
}
