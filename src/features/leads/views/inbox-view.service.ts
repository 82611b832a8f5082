// The views of the inbox that users keep under a name.

import type { Database } from '../../../platform/database/database.js';
import { parseInput } from '../../../platform/input/input.js';
import type { LeadListService } from '../lead-list.service.js';
import {
  createInboxViewSchema,
  updateInboxViewSchema,
  type CreateInboxViewInput,
  type UpdateInboxViewInput,
} from './inbox-view.schema.js';
import {
  deleteInboxView,
  insertInboxView,
  selectInboxViews,
  updateInboxView,
  type InboxViewRecord,
} from './inbox-view.sql.js';
import { countedFields, maxViewCount } from './kept-view.schema.js';
import { KeptViewService } from './kept-view.service.js';

export class InboxViewService extends KeptViewService<InboxViewRecord, CreateInboxViewInput, UpdateInboxViewInput> {
  constructor(database: Database, leadLists: Pick<LeadListService, 'listInbox'>) {
    super(database, {
      statements: {
        select: selectInboxViews,
        insert: insertInboxView,
        update: updateInboxView,
        delete: deleteInboxView,
      },
      nameKey: 'inbox_views_tenant_id_user_id_name_key',
      readNew: (input) => {
        const { name, filter, orderBy } = parseInput(createInboxViewSchema, input);
        return { name, values: [JSON.stringify(filter), orderBy ?? 'NEWEST_MESSAGE'] };
      },
      readChange: (input) => {
        const { name = null, filter, orderBy = null } = parseInput(updateInboxViewSchema, input);
        return { name, values: [filter == null ? null : JSON.stringify(filter), orderBy] };
      },
      count: async (principal, { filter }) => {
        const args = { first: maxViewCount };
        return (await leadLists.listInbox(principal, args, filter, undefined, countedFields)).edges.length;
      },
    });
  }
}
