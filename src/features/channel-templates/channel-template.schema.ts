// Bounds and formats of the input of channel templates.

import { z } from 'zod';
import { text } from '../../platform/input/input.js';

/** All given conditions have to hold. Letter case counts for names only. */
export const channelTemplateFilterSchema = z.strictObject({
  name: text(512).nullish(),
  search: text(100).nullish(),
  language: text(35).nullish(),
  category: text(64).nullish(),
  status: text(64).nullish(),
});

export type ChannelTemplateFilter = z.input<typeof channelTemplateFilterSchema>;
