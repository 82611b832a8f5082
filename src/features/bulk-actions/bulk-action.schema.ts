// Bounds and formats of a bulk action's input.

import { z } from 'zod';
import { text, uuid } from '../../platform/input/input.js';
import type { LeadChange } from '../leads/changes/lead-change.service.js';
import { conversationStatuses, snoozeEndSchema, tagsSchema, type LeadFilterInput } from '../leads/lead.schema.js';
import { maxRecipients } from '../bulk-sends/bulk-send.schema.js';

/** The most leads of one bulk action: as many as a bulk send may have. */
export const maxActionLeads = maxRecipients;
/** The most bulk actions of a tenant that run at a time. */
export const maxRunningActions = 5;
/** The most that run or are being undone. It bounds only new actions: an undo has minutes, and never waits for room. */
export const maxUnfinishedActions = 20;
/** The time in which an action can be undone, counted from its end. */
export const undoMinutes = 10;

const someTags = tagsSchema.refine((tags) => tags.length > 0, 'must not be empty');

const actionFields = z.strictObject({
  assigneeId: uuid.nullish(),
  addTags: someTags.nullish(),
  removeTags: someTags.nullish(),
  conversationStatus: z
    .enum(conversationStatuses)
    .refine((status) => status !== 'SNOOZED', 'has to be OPEN or CLOSED: snoozeUntil puts conversations aside')
    .nullish(),
  // A repeated call returns its action also after this time: bulk-action.service.ts refuses a new action whose time is over.
  snoozeUntil: snoozeEndSchema.nullish(),
});

const fieldNames = 'assigneeId, addTags, removeTags, conversationStatus, snoozeUntil';

/** Exactly one change. A field of null counts as left out, but for an assignee of null that stands alone. */
const actionSchema = actionFields.transform((action, context): LeadChange => {
  const given = Object.entries(action).filter(([, value]) => value != null);
  const [first, second] = given;
  if (second !== undefined && first !== undefined)
    context.addIssue({ code: 'custom', path: [second[0]], message: `must not be given together with ${first[0]}` });
  else if (first === undefined && !takesAssigneesAway(action))
    context.addIssue({ code: 'custom', message: `needs one of ${fieldNames}` });
  const { assigneeId, snoozeUntil, ...others } = action;
  const { addTags, removeTags, conversationStatus } = others;
  return {
    ...(assigneeId !== undefined && (assigneeId !== null || first === undefined) && { assigneeId }),
    ...(addTags != null && { addTags }),
    ...(removeTags != null && { removeTags }),
    ...(conversationStatus != null && { conversationStatus }),
    ...(snoozeUntil != null && { snoozeUntil: snoozeUntil.toISOString() }),
  };
});

function takesAssigneesAway(action: z.output<typeof actionFields>): boolean {
  const given = Object.entries(action).filter(([, value]) => value !== undefined);
  return given.length === 1 && action.assigneeId === null;
}

/** The input of a bulk action. The list of leads reads the filter itself. */
export const createBulkActionSchema = z
  .strictObject({
    leadIds: z.array(uuid).min(1, 'must not be empty').max(maxActionLeads).nullish(),
    filter: z.custom<LeadFilterInput>().nullish(),
    action: actionSchema,
    idempotencyKey: text(255).nullish(),
  })
  .superRefine(({ leadIds, filter }, context) => {
    if ((leadIds == null) !== (filter == null)) return;
    const message = leadIds == null ? 'is required without filter' : 'must not be given together with filter';
    context.addIssue({ code: 'custom', path: ['leadIds'], message });
  });

export type WantedBulkAction = z.output<typeof createBulkActionSchema>;

export type CreateBulkActionInput = z.input<typeof createBulkActionSchema>;
