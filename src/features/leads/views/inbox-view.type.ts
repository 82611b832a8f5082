// GraphQL types of the views of the inbox that users keep.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { InboxFilterInput, InboxOrder } from '../lead.schema.js';
import { InboxFilter, InboxOrderEnum } from '../lead.type.js';
import { maxViewNameLength } from './kept-view.schema.js';
import type {
  CreateInboxViewInput as CreateInboxViewShape,
  UpdateInboxViewInput as UpdateInboxViewShape,
} from './inbox-view.schema.js';
import type { InboxViewRecord } from './inbox-view.sql.js';

const nameDescription = `The name, unique among the user's views, at most ${maxViewNameLength} characters.`;

@ObjectType({
  description:
    'A view of the inbox that a user keeps under a name. It belongs to that user alone, and is deleted when the user is deactivated.',
})
export class InboxView implements InboxViewRecord {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'The name.' })
  name!: string;

  @Field(() => GraphQLJSONObject, { description: 'The fields of `InboxFilter` that it was kept with.' })
  filter!: InboxFilterInput;

  @Field(() => InboxOrderEnum, { description: 'The order.' })
  orderBy!: InboxOrder;

  @Field(() => Date, { description: 'When it was kept.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last changed.' })
  updatedAt!: Date;
}

@InputType({ description: 'A new view of the inbox.' })
export class CreateInboxViewInput implements CreateInboxViewShape {
  @Field(() => String, { description: nameDescription })
  name!: string;

  @Field(() => InboxFilter, {
    description: 'The conversations that it shows. `search` cannot be kept: it would outlive the person whom it names.',
  })
  filter!: InboxFilter;

  @Field(() => InboxOrderEnum, { nullable: true, description: 'The order; `NEWEST_MESSAGE` where none is given.' })
  orderBy?: InboxOrder | null;
}

@InputType({ description: 'The change of a view. Fields that are absent or null stay as they are.' })
export class UpdateInboxViewInput implements UpdateInboxViewShape {
  @Field(() => String, { nullable: true, description: nameDescription })
  name?: string | null;

  @Field(() => InboxFilter, { nullable: true, description: 'Replaces the whole filter.' })
  filter?: InboxFilter | null;

  @Field(() => InboxOrderEnum, { nullable: true, description: 'The order.' })
  orderBy?: InboxOrder | null;
}
