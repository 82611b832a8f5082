// GraphQL type of filtering messages.

import { Field, ID, InputType } from 'type-graphql';
import { MessageDirection, MessageStatus } from '../../platform/prisma/enums.js';
import { maxSearchedTextLength } from './message-list.schema.js';
import type { MessageFilterInput } from './message-list.schema.js';

@InputType({ description: 'Which messages to list: all given conditions have to hold.' })
export class MessageFilter implements MessageFilterInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Of the conversation with this lead, or with the one that it was merged into.',
  })
  leadId?: string | null;

  @Field(() => MessageDirection, { nullable: true, description: 'Who wrote.' })
  direction?: MessageDirection | null;

  @Field(() => [MessageStatus], { nullable: true, description: 'One of these statuses: then INBOUND is left out.' })
  statuses?: MessageStatus[] | null;

  @Field(() => ID, { nullable: true, description: 'Came or went through this chat instance.' })
  instanceId?: string | null;

  @Field(() => Date, { nullable: true, description: 'Stored at this time or later.' })
  since?: Date | null;

  @Field(() => Date, { nullable: true, description: 'Stored before this time.' })
  until?: Date | null;

  @Field(() => String, {
    nullable: true,
    description: `Part of the text or of the caption, in any letter case, at most ${maxSearchedTextLength} characters.`,
  })
  text?: string | null;
}
