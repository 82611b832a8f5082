// Fields that GraphQL types of stored records share.

import { Field, ID, ObjectType } from 'type-graphql';

/** A record that is created once and changed since. */
@ObjectType()
export abstract class Dated {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => Date, { description: 'When it was created.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last changed.' })
  updatedAt!: Date;
}
