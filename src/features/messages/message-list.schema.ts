// Which messages to list: one schema for GraphQL and for exports, whose filter comes as JSON.

import { z } from 'zod';
import { text, time, uuid } from '../../platform/input.js';
import { MessageDirection, MessageStatus } from '../../platform/prisma/enums.js';

export const maxSearchedTextLength = 100;

/** All given conditions have to hold. `since` is inclusive, `until` exclusive, and both count from when we stored the message. */
export const messageFilterSchema = z.strictObject({
  leadId: uuid.nullish(),
  direction: z.enum(MessageDirection).nullish(),
  statuses: z.array(z.enum(MessageStatus)).min(1, 'must not be empty').max(10).nullish(),
  instanceId: uuid.nullish(),
  since: time.nullish(),
  until: time.nullish(),
  text: text(maxSearchedTextLength).nullish(),
});

export type MessageFilterInput = z.input<typeof messageFilterSchema>;
export type MessageConditions = z.output<typeof messageFilterSchema>;
