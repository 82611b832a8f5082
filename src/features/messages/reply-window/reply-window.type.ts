// GraphQL types of reply windows.

import { Field, ObjectType } from 'type-graphql';
import type { ReplyWindowRecord } from './reply-window.service.js';

@ObjectType({ description: 'Until when a lead can be sent free texts through a chat instance.' })
export class ReplyWindow implements Pick<ReplyWindowRecord, 'isOpen' | 'closesAt'> {
  @Field(() => Boolean, {
    description: 'Whether a free text can be sent now. Always true where the network has no window.',
  })
  isOpen!: boolean;

  @Field(() => Date, {
    nullable: true,
    description:
      "When it closes: 24 hours after the lead's last message on this instance, by the network's clock. Null while it is closed, and where the network has no window.",
  })
  closesAt!: Date | null;
}
