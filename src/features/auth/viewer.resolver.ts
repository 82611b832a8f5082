// GraphQL door of the signed-in user.

import { Authorized, Ctx, Query, Resolver } from 'type-graphql';
import { callerOf } from '../../platform/graphql-context.js';
import type { GraphqlContext } from '../../platform/graphql-context.js';
import { toViewer } from './auth.service.js';
import { Viewer } from './viewer.type.js';

@Resolver()
export class ViewerResolver {
  @Authorized()
  @Query(() => Viewer, { description: 'Who is signed in.' })
  me(@Ctx() context: GraphqlContext): Viewer {
    return toViewer(callerOf(context));
  }
}
