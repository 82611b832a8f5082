// GraphQL types of users.

import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { Role } from '../../platform/prisma/enums.js';
import type { UserRow } from './user.service.js';

registerEnumType(Role, {
  name: 'Role',
  description: 'What a user may do.',
  valuesConfig: {
    ADMIN: { description: 'Everything in the own tenant.' },
    OPERATOR: { description: 'Leads, messages, templates and dashboards.' },
  },
});

@ObjectType({ description: 'A colleague: a user of the same tenant.' })
export class User implements Pick<UserRow, 'id' | 'email' | 'role' | 'name'> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'E-mail address.' })
  email!: string;

  @Field(() => Role, { description: 'What this user may do.' })
  role!: Role;

  @Field(() => String, { nullable: true, description: 'Display name.' })
  name!: string | null;
}
