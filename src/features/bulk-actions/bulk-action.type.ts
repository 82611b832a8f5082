// GraphQL types of bulk actions.

import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enum.type.js';
import { ConversationStatus } from '../../platform/prisma/enums.js';
import { LeadFilter } from '../leads/lead.type.js';
import {
  maxActionLeads,
  undoMinutes,
  type CreateBulkActionInput as CreateBulkActionShape,
} from './bulk-action.schema.js';
import { bulkActionStatuses, type BulkActionRecord, type BulkActionStatus } from './bulk-action.sql.js';

const BulkActionStatusEnum = enumOf('BulkActionStatus', 'The state of a bulk action.', bulkActionStatuses);

@ObjectType({
  description:
    'A bulk action makes one change of many leads. A worker makes it, each lead once, with the events of the change of one lead. `done` and `skipped` add up to `total` at its end; an undo counts them again.',
})
export class BulkAction implements BulkActionRecord {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => BulkActionStatusEnum, { description: 'Its state.' })
  status!: BulkActionStatus;

  @Field(() => Int, { description: 'The number of its leads, each counted once.' })
  total!: number;

  @Field(() => Int, {
    description: 'Leads that are as the action wants them. Of an undo: leads that are as they were before the action.',
  })
  done!: number;

  @Field(() => Int, {
    description:
      'Leads that were left as they are: erased, or against a rule of the change. Of an undo: leads that were changed since.',
  })
  skipped!: number;

  @Field(() => Date, {
    nullable: true,
    description: `Until when it can be undone: ${undoMinutes} minutes after its end. Null once it is being undone.`,
  })
  undoUntil!: Date | null;

  @Field(() => Date, { description: 'When it was asked for.' })
  createdAt!: Date;
}

@InputType({ description: 'The change of each lead: exactly one field.' })
export class LeadChangeInput {
  @Field(() => ID, { nullable: true, description: 'The new assignee. Null as the only field: none.' })
  assigneeId?: string | null;

  @Field(() => [String], { nullable: true, description: 'Tags to add, as in updateLead.' })
  addTags?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Tags to remove, as in updateLead.' })
  removeTags?: string[] | null;

  @Field(() => ConversationStatus, {
    nullable: true,
    description: 'OPEN or CLOSED. Of a conversation that is put aside, see `snoozeUntil`.',
  })
  conversationStatus?: ConversationStatus | null;

  @Field(() => Date, { nullable: true, description: 'Puts the conversations aside until then, at most a year ahead.' })
  snoozeUntil?: Date | null;
}

@InputType({ description: 'A new bulk action.' })
export class CreateBulkActionInput implements CreateBulkActionShape {
  @Field(() => [ID], {
    nullable: true,
    description: `1 to ${maxActionLeads.toLocaleString('en')} leads. Either these or a filter.`,
  })
  leadIds?: string[] | null;

  @Field(() => LeadFilter, {
    nullable: true,
    description: `The leads that it finds now, at most ${maxActionLeads.toLocaleString('en')}. Later ones are not changed.`,
  })
  filter?: LeadFilter | null;

  @Field(() => LeadChangeInput, { description: 'The change of each lead.' })
  action!: LeadChangeInput;

  @Field(() => String, {
    nullable: true,
    description:
      '1 to 255 characters. The same key with the same content returns the same bulk action. With other content it is CONFLICT.',
  })
  idempotencyKey?: string | null;
}
