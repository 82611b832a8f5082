// GraphQL types of recovery.

import { Field, ID, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enum.type.js';
import { connectionType } from '../../platform/graphql/relay.type.js';
import { recoveryCauses, type RecoveryCause } from './recovery.schema.js';
import type { InstanceAuditRow } from './recovery.sql.js';

const RecoveryCauseEnum = enumOf('InstanceAuditCause', "What had a gateway's history read.", recoveryCauses);

@ObjectType({ description: 'Why records of a history were not taken in.' })
export class UnexplainedRecords {
  @Field(() => String, { description: 'The reason: a kind that is not taken in, or what is wrong with the records.' })
  reason!: string;

  @Field(() => Int, { description: 'How many records.' })
  count!: number;
}

@ObjectType({
  description:
    "A reading of a chat instance's history, as an account: `atGateway = here + recovered + unexplained`. The newest 1,000 are kept, for as long as webhook calls are.",
})
export class InstanceAudit implements Pick<
  InstanceAuditRow,
  'id' | 'cause' | 'isComplete' | 'atGateway' | 'here' | 'recovered' | 'unexplained' | 'statuses' | 'createdAt'
> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => RecoveryCauseEnum, { description: 'What had it read.' })
  cause!: RecoveryCause;

  @Field(() => Boolean, {
    description: 'Whether it came as far as it was to. Otherwise `to` is how far it came: go on from there.',
  })
  isComplete!: boolean;

  @Field(() => Int, { description: "Records of the gateway's history: messages, reactions, edits and deletions." })
  atGateway!: number;

  @Field(() => Int, { description: 'Of these, what was here before.' })
  here!: number;

  @Field(() => Int, { description: 'Of these, what was missing and is here now.' })
  recovered!: number;

  @Field(() => Int, { description: 'Of these, what is not taken in; `reasons` says why.' })
  unexplained!: number;

  @Field(() => Int, {
    description:
      'Beside these: messages of ours whose status no webhook had brought, and was applied by what their records say.',
  })
  statuses!: number;

  @Field(() => Date, { description: 'When it was read.' })
  createdAt!: Date;
}

export const InstanceAuditConnection = connectionType(InstanceAudit, 'InstanceAudit');
