// GraphQL types of consent.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enum.type.js';
import { countedConnectionType } from '../../platform/graphql/relay.type.js';
import { consentActions, consentSources, type ConsentAction, type ConsentSource } from './consent.schema.js';
import type { ConsentEntryRow } from './consent.service.js';
import type { OptOutRow } from './consent.sql.js';

const ConsentActionEnum = enumOf('ConsentAction', 'What a decision does.', consentActions);
const ConsentSourceEnum = enumOf('ConsentSource', 'Whose decision it is.', consentSources);

@ObjectType({ description: 'That a lead has opted out of bulk and scheduled messages.' })
export class OptOut implements Pick<OptOutRow, 'at' | 'source' | 'keyword'> {
  @Field(() => Date, { description: 'Since when. By the provider’s clock, where it gave a time.' })
  at!: Date;

  @Field(() => ConsentSourceEnum, { description: 'Whose decision it was.' })
  source!: ConsentSource;

  @Field(() => String, { nullable: true, description: 'The keyword, as the tenant has it; null where it was none.' })
  keyword!: string | null;
}

@ObjectType({
  description: 'One decision about a lead’s consent, with its evidence. Entries are never changed or removed.',
})
export class ConsentEntry implements Pick<
  ConsentEntryRow,
  'id' | 'isSuperseded' | 'keyword' | 'reason' | 'originalLeadId' | 'occurredAt' | 'recordedAt'
> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => ConsentActionEnum, { description: 'What it does.' })
  action!: ConsentAction;

  @Field(() => ConsentSourceEnum, { description: 'Whose decision it is.' })
  source!: ConsentSource;

  @Field(() => Boolean, {
    description: 'Whether a later decision was known when it arrived. Then it changed nothing.',
  })
  isSuperseded!: boolean;

  @Field(() => String, { nullable: true, description: 'KEYWORD: the keyword, as the tenant had it.' })
  keyword!: string | null;

  @Field(() => String, { nullable: true, description: 'USER: why, in the user’s words.' })
  reason!: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'LEAD_FORM: `leadSourceId`, `formId`, `externalId` and `disclaimers`, each with its `key` and whether it `isChecked`.',
  })
  evidence!: Record<string, unknown> | null;

  @Field(() => ID, { description: 'The lead that it was entered for: another one if that was merged into this lead.' })
  originalLeadId!: string;

  @Field(() => Date, { description: 'When it was decided. By the provider’s clock, where it gave a time.' })
  occurredAt!: Date;

  @Field(() => Date, { description: 'When it was entered.' })
  recordedAt!: Date;
}

export const ConsentEntryConnection = countedConnectionType(ConsentEntry, 'ConsentEntry');
