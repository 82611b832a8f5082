// Users in fields of other records: one read for all records of a level.

import { callerOf, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import type { UserService } from './user.service.js';
import type { UserRecord } from './user.sql.js';

/** The user with this id. Null where the caller's tenant has none. */
export function loadUser(context: GraphqlContext, users: UserService, id: string): Promise<UserRecord | null> {
  const read = (ids: readonly string[]) => users.listByIds(callerOf(context), ids);
  return context.loaders.one('user', read, (user) => user.id).load(id);
}
