// GraphQL type of accounts.

import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ description: "A user's account: what chat instances belong to." })
export class Account {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'Display name.' })
  name!: string;
}
