// GraphQL types of a call's dry run.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enum.type.js';
import type { FieldError } from '../../platform/errors.js';
import type { CallDryRun } from '../intake/call-dry-run.js';
import {
  dryRunItemKinds,
  dryRunItemOutcomes,
  type CallDryRunItem,
  type DryRunDisclaimer,
  type DryRunItemKind,
  type DryRunItemOutcome,
} from '../intake/call-dry-run-items.js';
import {
  signatureDifferences,
  type KeyComparison,
  type SignatureDifference,
  type SignatureComparison,
} from '../intake/signature-diagnosis.js';
import type { DialectName } from '../intake/webhook-call.js';
import { NumberReadingType } from '../leads/identity/number-reading.type.js';
import type { NumberReading } from '../../platform/phone-numbers/written-number.js';
import { WebhookDialectEnum } from './webhook-call.type.js';

const SignatureDifferenceEnum = enumOf(
  'SignatureDifference',
  'In which way a signature differs from the one that was expected.',
  signatureDifferences,
);
const ItemKindEnum = enumOf('WebhookTrialItemKind', 'What an item of a call is.', dryRunItemKinds);
const ItemOutcomeEnum = enumOf(
  'WebhookTrialItemOutcome',
  'What would become of an item of a call.',
  dryRunItemOutcomes,
);

@ObjectType('WebhookTrialError', { description: 'One wrong field of a call.' })
export class CallDryRunErrorType implements FieldError {
  @Field(() => String, { description: 'Where it stands in the body, in dots; empty for the body itself.' })
  path!: string;

  @Field(() => String, { description: 'What is wrong with it.' })
  message!: string;
}

@ObjectType('WebhookTrialSignature', {
  description: 'The signature of a call beside the one that was expected. The secret itself is never shown.',
})
export class SignatureComparisonType implements SignatureComparison {
  @Field(() => String, { description: 'The header that is checked.' })
  header!: string;

  @Field(() => String, {
    description: 'What it would have to be: over the bytes of the body, with the current secret.',
  })
  expected!: string;

  @Field(() => String, { nullable: true, description: 'What it is, at most 500 characters; null where it is missing.' })
  given!: string | null;

  @Field(() => SignatureDifferenceEnum, {
    nullable: true,
    description: 'In which way it differs; null where it is accepted.',
  })
  differs!: SignatureDifference | null;

  @Field(() => String, { nullable: true, description: 'What to do about it.' })
  detail!: string | null;
}

@ObjectType('WebhookTrialKey', {
  description: 'The key that a call has within its body. Neither the given key nor the right one is ever shown.',
})
export class KeyComparisonType implements KeyComparison {
  @Field(() => String, { description: 'The field of the body that is checked.' })
  field!: string;

  @Field(() => SignatureDifferenceEnum, {
    nullable: true,
    description:
      'In which way it differs: `MISSING`, `FORM` (no text, or with more around it) or `SECRET`; null where it is accepted.',
  })
  differs!: KeyComparison['differs'];

  @Field(() => String, { nullable: true, description: 'What to do about it.' })
  detail!: string | null;
}

@ObjectType('WebhookTrialDisclaimer', { description: 'A box of a form that a person ticked or not.' })
export class DryRunDisclaimerType implements DryRunDisclaimer {
  @Field(() => String, { description: 'What the form calls it.' })
  key!: string;

  @Field(() => Boolean, { description: 'Whether it was ticked.' })
  isChecked!: boolean;
}

@ObjectType('WebhookTrialItem', { description: 'One item of a call: what it says, and what would become of it.' })
export class CallDryRunItemType implements CallDryRunItem {
  @Field(() => ItemKindEnum, { description: 'What it is.' })
  kind!: DryRunItemKind;

  @Field(() => ItemOutcomeEnum, { description: 'What would become of it.' })
  outcome!: DryRunItemOutcome;

  @Field(() => String, { nullable: true, description: 'Why it would be ignored, or only expected.' })
  reason!: string | null;

  @Field(() => String, { nullable: true, description: 'The code of its refusal; null where it is not refused.' })
  code!: CallDryRunItem['code'];

  @Field(() => [CallDryRunErrorType], { description: 'What is wrong with it.' })
  errors!: FieldError[];

  @Field(() => String, { nullable: true, description: 'The chat instance that it names; null: the default.' })
  instanceName!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The provider's id of the message that it is about; of a lead, its source's.",
  })
  externalId!: string | null;

  @Field(() => String, { nullable: true, description: "The lead's number or id, as it is understood." })
  from!: string | null;

  @Field(() => NumberReadingType, {
    nullable: true,
    description: 'Why the number of a posted lead was read as it was; null for numbers that a network reports.',
  })
  reading!: NumberReading | null;

  @Field(() => String, { nullable: true, description: 'The name that it gives; of a lead, the one that it has.' })
  name!: string | null;

  @Field(() => String, { nullable: true, description: 'The text, the emoji, the status or the state that it reports.' })
  text!: string | null;

  @Field(() => Date, { nullable: true, description: 'The time that it gives, as it is understood.' })
  timestamp!: Date | null;

  @Field(() => String, { nullable: true, description: 'Of a lead: its source, as it would be or is.' })
  source!: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Of a lead: what becomes no field of it. Of one that is there, what it has.',
  })
  metadata!: Record<string, unknown> | null;

  @Field(() => [DryRunDisclaimerType], {
    description: 'Of a lead source’s form: evidence of consent that would be kept.',
  })
  disclaimers!: DryRunDisclaimer[];

  @Field(() => ID, { nullable: true, description: 'The lead; null where it would be new, and where there is none.' })
  leadId!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The message; null where it would be new, and where there is none.',
  })
  messageId!: string | null;
}

@ObjectType('WebhookTrial', { description: 'What a call would be answered now. Nothing of it is kept.' })
export class CallDryRunType implements CallDryRun {
  @Field(() => Int, { description: 'The HTTP status.' })
  status!: number;

  @Field(() => String, { nullable: true, description: 'The code of the refusal; null where it would be taken in.' })
  code!: CallDryRun['code'];

  @Field(() => String, { nullable: true, description: 'Why it would be refused, as a sentence.' })
  detail!: string | null;

  @Field(() => WebhookDialectEnum, { nullable: true, description: 'How it is read; null where it cannot be.' })
  dialect!: DialectName | null;

  @Field(() => SignatureComparisonType, { nullable: true, description: 'Null where the route asks for no signature.' })
  signature!: SignatureComparison | null;

  @Field(() => KeyComparisonType, {
    nullable: true,
    description: 'Null where the route asks for no key within the body.',
  })
  key!: KeyComparison | null;

  @Field(() => [CallDryRunItemType], {
    description: 'What would become of each item; empty where the call is refused as a whole.',
  })
  items!: CallDryRunItem[];

  @Field(() => [CallDryRunErrorType], { description: 'What is wrong with the call; 100 fields at most.' })
  errors!: FieldError[];
}
