// GraphQL types of the views that users keep, of the inbox and of the table of leads.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { InboxFilterInput, InboxOrder, LeadFilterInput, LeadOrderInput } from '../lead.schema.js';
import { InboxFilter, InboxOrderEnum, LeadFilter, LeadOrder } from '../lead.type.js';
import {
  maxColumnNameLength,
  maxViewColumns,
  maxViewNameLength,
  type CreateInboxViewInput as CreateInboxViewShape,
  type CreateLeadViewInput as CreateLeadViewShape,
  type UpdateInboxViewInput as UpdateInboxViewShape,
  type UpdateLeadViewInput as UpdateLeadViewShape,
} from './kept-view.schema.js';
import type { InboxViewRecord, LeadViewRecord } from './kept-view.service.js';

const belonging = 'It belongs to that user alone, and is deleted when the user is deactivated.';
const noSearch = '`search` cannot be kept: it would outlive the person whom it names.';
const columnsDescription = `The columns of the client's table in its own names, at most ${maxViewColumns} of ${maxColumnNameLength} characters.`;

@ObjectType()
abstract class KeptView {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'The name.' })
  name!: string;

  @Field(() => Date, { description: 'When it was kept.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last changed.' })
  updatedAt!: Date;
}

@ObjectType({ description: `A view of the inbox that a user keeps under a name. ${belonging}` })
export class InboxView extends KeptView implements InboxViewRecord {
  @Field(() => GraphQLJSONObject, { description: 'The fields of `InboxFilter` that it was kept with.' })
  filter!: InboxFilterInput;

  @Field(() => InboxOrderEnum, { description: 'The order.' })
  orderBy!: InboxOrder;
}

@ObjectType({ description: `A view of the table of leads that a user keeps under a name. ${belonging}` })
export class LeadView extends KeptView implements LeadViewRecord {
  @Field(() => GraphQLJSONObject, { description: 'The fields of `LeadFilter` that it was kept with.' })
  filter!: LeadFilterInput;

  @Field(() => GraphQLJSONObject, { description: 'The fields of `LeadOrder` that it was kept with.' })
  orderBy!: LeadOrderInput;

  @Field(() => [String], { description: 'The columns, as the client named them; empty where it named none.' })
  columns!: string[];
}

const nameDescription = `The name, unique among the user's views, at most ${maxViewNameLength} characters.`;

@InputType({ description: 'A new view of the inbox.' })
export class CreateInboxViewInput implements CreateInboxViewShape {
  @Field(() => String, { description: nameDescription })
  name!: string;

  @Field(() => InboxFilter, { description: `The conversations that it shows. ${noSearch}` })
  filter!: InboxFilter;

  @Field(() => InboxOrderEnum, { nullable: true, description: 'The order; `NEWEST_MESSAGE` where none is given.' })
  orderBy?: InboxOrder | null;
}

@InputType({ description: 'A new view of the table of leads.' })
export class CreateLeadViewInput implements CreateLeadViewShape {
  @Field(() => String, { description: nameDescription })
  name!: string;

  @Field(() => LeadFilter, { description: `The leads that it shows. ${noSearch}` })
  filter!: LeadFilter;

  @Field(() => LeadOrder, { nullable: true, description: 'The order; the newest leads first where none is given.' })
  orderBy?: LeadOrder | null;

  @Field(() => [String], { nullable: true, description: columnsDescription })
  columns?: string[] | null;
}

const changeDescription = 'The change of a view. Fields that are absent or null stay as they are.';

@InputType({ description: changeDescription })
export class UpdateInboxViewInput implements UpdateInboxViewShape {
  @Field(() => String, { nullable: true, description: nameDescription })
  name?: string | null;

  @Field(() => InboxFilter, { nullable: true, description: 'Replaces the whole filter.' })
  filter?: InboxFilter | null;

  @Field(() => InboxOrderEnum, { nullable: true, description: 'The order.' })
  orderBy?: InboxOrder | null;
}

@InputType({ description: changeDescription })
export class UpdateLeadViewInput implements UpdateLeadViewShape {
  @Field(() => String, { nullable: true, description: nameDescription })
  name?: string | null;

  @Field(() => LeadFilter, { nullable: true, description: 'Replaces the whole filter.' })
  filter?: LeadFilter | null;

  @Field(() => LeadOrder, { nullable: true, description: 'The order.' })
  orderBy?: LeadOrder | null;

  @Field(() => [String], { nullable: true, description: columnsDescription })
  columns?: string[] | null;
}
