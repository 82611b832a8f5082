// The views of the table of leads that users keep under a name.

import type { Database } from '../../../platform/database/database.js';
import { parseInput } from '../../../platform/input/input.js';
import type { LeadListService } from '../lead-list.service.js';
import { countedFields, maxViewCount } from './kept-view.schema.js';
import { KeptViewService } from './kept-view.service.js';
import {
  createLeadViewSchema,
  updateLeadViewSchema,
  type CreateLeadViewInput,
  type UpdateLeadViewInput,
} from './lead-view.schema.js';
import {
  deleteLeadView,
  insertLeadView,
  selectLeadViews,
  updateLeadView,
  type LeadViewRecord,
} from './lead-view.sql.js';

export class LeadViewService extends KeptViewService<LeadViewRecord, CreateLeadViewInput, UpdateLeadViewInput> {
  constructor(database: Database, leadLists: Pick<LeadListService, 'list'>) {
    super(database, {
      statements: { select: selectLeadViews, insert: insertLeadView, update: updateLeadView, delete: deleteLeadView },
      nameKey: 'lead_views_tenant_id_user_id_name_key',
      readNew: (input) => {
        const { name, filter, orderBy, columns } = parseInput(createLeadViewSchema, input);
        const order = orderBy ?? { field: 'CREATED_AT' };
        return { name, values: [JSON.stringify(filter), JSON.stringify(order), columns ?? []] };
      },
      readChange: (input) => {
        const { name = null, filter, orderBy, columns = null } = parseInput(updateLeadViewSchema, input);
        const [newFilter, newOrder] = [filter, orderBy].map((one) => (one == null ? null : JSON.stringify(one)));
        return { name, values: [newFilter, newOrder, columns] };
      },
      count: async (principal, { filter }) => {
        const args = { first: maxViewCount };
        return (await leadLists.list(principal, args, filter, undefined, countedFields)).edges.length;
      },
    });
  }
}
