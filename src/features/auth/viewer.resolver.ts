// GraphQL of the signed-in user.

import { Authorized, Ctx, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { callerOf } from '../../platform/graphql-context.js';
import type { GraphqlContext } from '../../platform/graphql-context.js';
import { Role } from '../../platform/prisma/enums.js';
import { toViewer } from './auth.service.js';
import type { TokenResponse } from './auth.service.js';

@ObjectType({ description: 'The signed-in user.' })
export class Viewer implements Pick<TokenResponse['user'], keyof TokenResponse['user']> {
  @Field(() => ID, { description: 'The user, a UUID v7.' })
  id!: string;

  @Field(() => ID, { description: 'The tenant that every record of this session belongs to.' })
  tenantId!: string;

  @Field(() => ID, { description: "The user's account." })
  accountId!: string;

  @Field(() => Role, { description: 'What this user may do.' })
  role!: Role;

  @Field(() => String, { description: 'E-mail address.' })
  email!: string;
}

@Resolver()
export class ViewerResolver {
  @Authorized()
  @Query(() => Viewer, { description: 'Who is signed in.' })
  me(@Ctx() context: GraphqlContext): Viewer {
    return toViewer(callerOf(context));
  }
}
