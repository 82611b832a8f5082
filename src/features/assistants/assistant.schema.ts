// Bounds of the assistants' input. No field takes a number, an address or the id of a lead.

import { z } from 'zod';
import { text, verbatimText } from '../../platform/input/input.js';
import { maxCapabilityLength } from './capability.js';

/** The most conversations, or messages, that one call lists. */
const maxListed = 30;
const defaultListed = 20;
/** The longest reply that the channel shows as one message, in characters. */
const maxReplyLength = 4_096;
const maxCursorLength = 300;
const maxTagLength = 50;
const maxTagsAtOnce = 20;

/** The parts of the inbox that an assistant can ask for. Closed and snoozed conversations are only in `all`. */
const inboxViews = {
  waiting: 'Leads that wait for an answer, the longest first.',
  mine: 'Conversations that are assigned to the user.',
  unassigned: 'Conversations of nobody.',
  unread: 'Conversations with messages that nobody has opened.',
  all: 'Every conversation, the newest message first.',
} as const;

export type InboxView = keyof typeof inboxViews;

const limit = z.number().int().min(1).max(maxListed).default(defaultListed);
const cursor = text(maxCursorLength);
const capability = text(maxCapabilityLength).describe(
  'The `reply.capability` of read_conversation, as it was given. It is good for 10 minutes and for one reply.',
);
const reply = verbatimText(maxReplyLength).describe('The reply, as the lead will read it.');
const viewNames = Object.entries(inboxViews).map(([name, meaning]) => `\`${name}\`: ${meaning}`);
const tags = z
  .array(text(maxTagLength))
  .max(maxTagsAtOnce)
  .default(() => []);

export const listConversationsSchema = z.strictObject({
  view: z
    .enum(Object.keys(inboxViews) as [InboxView, ...InboxView[]])
    .default('waiting')
    .describe(viewNames.join(' ')),
  limit: limit.describe('How many conversations.'),
  after: cursor.optional().describe('The `next` of the list before this one.'),
});

export const readConversationSchema = z.strictObject({
  conversation: text(maxCapabilityLength).describe('The `conversation` of list_conversations, as it was given.'),
  limit: limit.describe('How many messages, the newest ones.'),
  before: cursor.optional().describe('The `older` of the page before. Older pages give no capability.'),
});

export const replySchema = z.strictObject({ capability, text: reply });

export const capabilitySchema = z.strictObject({ capability });

export const snoozeSchema = z.strictObject({
  capability,
  until: z.iso
    .datetime({ offset: true })
    .describe('When it opens again: an ISO 8601 time with its zone, within a year.'),
});

export const assignSchema = z.strictObject({
  capability,
  to: z.enum(['me', 'nobody']).describe('`me` is the user.'),
});

export const tagSchema = z.strictObject({
  capability,
  add: tags.describe('Tags to add.'),
  remove: tags.describe('Tags to take away.'),
});
