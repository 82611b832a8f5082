// GraphQL types of filtering and sorting leads.

import { Field, ID, InputType, registerEnumType } from 'type-graphql';
import { leadOrderFields, maxFilterValues, maxSearchLength, orderDirections } from './lead-list.schema.js';
import type { InboxFilterInput, LeadFilterInput, LeadOrderInput } from './lead-list.schema.js';

export const LeadOrderFieldEnum = enumOf('LeadOrderField', 'What leads can be sorted by.', leadOrderFields);
export const OrderDirectionEnum = enumOf('OrderDirection', 'Which way a list is sorted.', orderDirections);

function enumOf(name: string, description: string, meanings: Record<string, string>): Record<string, string> {
  const values = Object.fromEntries(Object.keys(meanings).map((value) => [value, value]));
  const valuesConfig = Object.fromEntries(
    Object.entries(meanings).map(([value, meaning]) => [value, { description: meaning }]),
  );
  registerEnumType(values, { name, description, valuesConfig });
  return values;
}

@InputType({ description: 'Which leads of the inbox to list: all given conditions have to hold.' })
export class InboxFilter implements InboxFilterInput {
  @Field(() => ID, { nullable: true, description: 'Who looks after it.' })
  assigneeId?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'True: nobody looks after it. False: somebody does.' })
  unassigned?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'True: with unread messages. False: without.' })
  unread?: boolean | null;

  @Field(() => [String], {
    nullable: true,
    description: `One of these tags at least, ${maxFilterValues} at most, in any letter case.`,
  })
  tagsAny?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: `All of these tags, ${maxFilterValues} at most, in any letter case.`,
  })
  tagsAll?: string[] | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The newest message that is not bulk came or went through this chat instance.',
  })
  instanceId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `Part of the name, in any letter case and with or without accents, or of the number in any writing; at most ${maxSearchLength} characters. Fewer than 3 characters are the beginning of the name.`,
  })
  search?: string | null;
}

@InputType({ description: 'Which leads to list: all given conditions have to hold.' })
export class LeadFilter extends InboxFilter implements LeadFilterInput {
  @Field(() => [String], { nullable: true, description: `Came from one of these, ${maxFilterValues} at most.` })
  sources?: string[] | null;

  @Field(() => Date, { nullable: true, description: 'First came in at this time or later.' })
  since?: Date | null;

  @Field(() => Date, { nullable: true, description: 'First came in before this time.' })
  until?: Date | null;
}

@InputType({ description: 'How to sort leads.' })
export class LeadOrder implements LeadOrderInput {
  @Field(() => LeadOrderFieldEnum, { description: 'What to sort by.' })
  field!: LeadOrderInput['field'];

  @Field(() => OrderDirectionEnum, {
    nullable: true,
    description: 'Which way; where left out, names ascend and times descend.',
  })
  direction?: LeadOrderInput['direction'];
}
