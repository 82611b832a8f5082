// GraphQL types of the views of the table of leads that users keep.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { LeadFilterInput, LeadOrderInput } from '../lead.schema.js';
import { LeadFilter, LeadOrder } from '../lead.type.js';
import { maxViewNameLength } from './kept-view.schema.js';
import {
  maxColumnNameLength,
  maxViewColumns,
  type CreateLeadViewInput as CreateLeadViewShape,
  type UpdateLeadViewInput as UpdateLeadViewShape,
} from './lead-view.schema.js';
import type { LeadViewRecord } from './lead-view.sql.js';

const nameDescription = `The name, unique among the user's views, at most ${maxViewNameLength} characters.`;
const columnsDescription = `The columns of the client's table in its own names, at most ${maxViewColumns} of ${maxColumnNameLength} characters.`;

@ObjectType({
  description:
    'A view of the table of leads that a user keeps under a name. It belongs to that user alone, and is deleted when the user is deactivated.',
})
export class LeadView implements LeadViewRecord {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'The name.' })
  name!: string;

  @Field(() => GraphQLJSONObject, { description: 'The fields of `LeadFilter` that it was kept with.' })
  filter!: LeadFilterInput;

  @Field(() => GraphQLJSONObject, { description: 'The fields of `LeadOrder` that it was kept with.' })
  orderBy!: LeadOrderInput;

  @Field(() => [String], { description: 'The columns, as the client named them; empty where it named none.' })
  columns!: string[];

  @Field(() => Date, { description: 'When it was kept.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last changed.' })
  updatedAt!: Date;
}

@InputType({ description: 'A new view of the table of leads.' })
export class CreateLeadViewInput implements CreateLeadViewShape {
  @Field(() => String, { description: nameDescription })
  name!: string;

  @Field(() => LeadFilter, {
    description: 'The leads that it shows. `search` cannot be kept: it would outlive the person whom it names.',
  })
  filter!: LeadFilter;

  @Field(() => LeadOrder, { nullable: true, description: 'The order; the newest leads first where none is given.' })
  orderBy?: LeadOrder | null;

  @Field(() => [String], { nullable: true, description: columnsDescription })
  columns?: string[] | null;
}

@InputType({ description: 'The change of a view. Fields that are absent or null stay as they are.' })
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
