// GraphQL types of the origin of messages, and of their reactions, edits and deletions.

import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { MessageChangeKind } from '../../../platform/prisma/enums.js';
import {
  messageOrigins,
  type ChangeRow,
  type MessageOrigin as Origin,
  type Reaction as ReactionRow,
} from '../message.service.js';

export const MessageOrigin = Object.fromEntries(messageOrigins.map((origin) => [origin, origin])) as Record<
  Origin,
  Origin
>;

registerEnumType(MessageOrigin, {
  name: 'MessageOrigin',
  description: 'The origin of a message.',
  valuesConfig: {
    LEAD: { description: 'The lead wrote it.' },
    USER: { description: 'A user wrote it here.' },
    BULK: { description: 'A bulk send.' },
    PHONE: { description: 'It was written on the phone, or by another program with the same number.' },
    SYSTEM: { description: 'The service wrote it by itself.' },
  },
});

registerEnumType(MessageChangeKind, {
  name: 'MessageChangeKind',
  description: 'What a writer did to a message afterwards.',
  valuesConfig: {
    EDIT: { description: 'Its text was changed.' },
    DELETION: { description: 'It was deleted.' },
  },
});

@ObjectType({ description: 'A reaction to a message: the newest one of the lead, or of us.' })
export class Reaction implements Pick<ReactionRow, 'emoji' | 'fromLead' | 'reactedAt'> {
  @Field(() => String, { description: 'The emoji, at most 64 UTF-16 units.' })
  emoji!: string;

  @Field(() => Boolean, { description: 'Whether the lead reacted; else we did.' })
  fromLead!: boolean;

  @Field(() => Date, { description: "When, by the provider's clock." })
  reactedAt!: Date;
}

@ObjectType({ description: 'An edit or the deletion of a message by its writer, at the network.' })
export class MessageChange implements Omit<ChangeRow, 'messageId'> {
  @Field(() => MessageChangeKind, { description: 'What was done.' })
  kind!: MessageChangeKind;

  @Field(() => String, {
    nullable: true,
    description:
      'The text before; null where there was none. It is removed after as many days as calls stay in the journal.',
  })
  previousBody!: string | null;

  @Field(() => Date, { description: "When it was done, by the provider's clock." })
  occurredAt!: Date;

  @Field(() => Date, { description: 'When we learned of it.' })
  recordedAt!: Date;
}
