// The GraphQL type of how a number was read.

import { Field, ObjectType } from 'type-graphql';
import { enumOf } from '../../../platform/graphql/enum.type.js';
import { readingRules, type NumberReading, type ReadingRule } from '../../../platform/phone-numbers/written-number.js';

const NumberReadingRule = enumOf('NumberReadingRule', 'By which rule a number was read.', readingRules);

@ObjectType('NumberReading', { description: 'Why a written number was read as it was.' })
export class NumberReadingType implements NumberReading {
  @Field(() => NumberReadingRule, { description: 'The rule that fitted first.' })
  rule!: ReadingRule;

  @Field(() => String, {
    nullable: true,
    description: 'Whose numbers the rule has asked for: ISO 3166-1 alpha-2. Null where it needs no country.',
  })
  country!: string | null;
}
