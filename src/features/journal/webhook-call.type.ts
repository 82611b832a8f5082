// GraphQL types of the journal.

import { GraphQLJSON, GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enum.type.js';
import { connectionType } from '../../platform/graphql/relay.type.js';
import { dryRunItemKinds, type DryRunItemKind } from '../intake/call-dry-run-items.js';
import type { CallSource, DialectName } from '../intake/webhook-call.js';
import {
  callDialects,
  callOutcomes,
  callSources,
  type WebhookCallFilterInput,
  type WebhookCallOutcome,
} from './webhook-call.schema.js';
import { maxSearchedCalls, type WebhookCallCounts, type WebhookCallRecord } from './webhook-call.sql.js';

const WebhookOutcomeEnum = enumOf('WebhookOutcome', 'What became of a webhook call.', callOutcomes);
export const WebhookDialectEnum = enumOf('WebhookDialect', 'How a webhook call was read.', callDialects);

const WebhookItemKindEnum = enumOf('WebhookItemKind', 'The kinds of items in webhook calls.', dryRunItemKinds);
const WebhookSourceEnum = enumOf('WebhookSource', 'Where an entry of the journal comes from.', callSources);

@ObjectType('WebhookDelivery', {
  description: 'A webhook call as it arrived, with what became of it. The API key is no part of it.',
})
export class WebhookCall implements WebhookCallRecord {
  @Field(() => ID, { description: 'UUID v7: in the order of time.' })
  id!: string;

  @Field(() => String, { description: 'The path that was called; `/history/<instance id>` for records of a history.' })
  route!: string;

  @Field(() => WebhookSourceEnum, { description: 'Where it comes from.' })
  source!: CallSource;

  @Field(() => WebhookDialectEnum, { nullable: true, description: 'How it was read; null where it could not be.' })
  dialect!: DialectName | null;

  @Field(() => GraphQLJSONObject, { description: 'The headers that were kept: content type, user agent, signature.' })
  headers!: Record<string, unknown>;

  @Field(() => Int, { description: 'How many bytes the body had when it arrived.' })
  bodyBytes!: number;

  @Field(() => Boolean, {
    description:
      'Whether it can run again. Of a refused call 64 KiB are kept: one that was longer cannot. Nor can one whose body was of erased people only.',
  })
  isBodyComplete!: boolean;

  @Field(() => WebhookOutcomeEnum, { description: 'What became of it.' })
  outcome!: WebhookCallOutcome;

  @Field(() => String, {
    nullable: true,
    description: 'Why it was refused, and which of its statuses expired before their message was known.',
  })
  reason!: string | null;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      'What the caller was answered; null where it was refused, and once a person was erased whom the call names.',
  })
  result!: unknown;

  @Field(() => ID, { nullable: true, description: 'The call that this one ran again, also when that one is gone.' })
  replayOfId!: string | null;

  @Field(() => Date, { description: 'When it arrived, or was run again.' })
  receivedAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description:
      'When the body lost what it said of a person who was erased: items of other people stay, and can run again.',
  })
  erasedAt!: Date | null;

  @Field(() => [WebhookItemKindEnum], {
    description:
      'What it brought: each kind of its items once, in their order. Empty where it could not be read, and in calls from before an upgrade.',
  })
  kinds!: DryRunItemKind[];

  @Field(() => [String], {
    description: 'The statuses, states of instances and kinds of changes that its items report, each once; 10 at most.',
  })
  reported!: string[];

  @Field(() => Int, {
    nullable: true,
    description:
      'The milliseconds from its arrival until it was written with all its effects, waiting included. Null in calls from before an upgrade.',
  })
  tookMs!: number | null;

  instanceId!: string | null;
}

export const WebhookCallConnection = connectionType(WebhookCall, 'WebhookDelivery');

@ObjectType('WebhookKindCount', { description: 'How many webhook calls brought items of a kind.' })
export class WebhookKindCount {
  @Field(() => WebhookItemKindEnum, { description: 'The kind.' })
  kind!: DryRunItemKind;

  @Field(() => Int, { description: 'The number of calls with an item of the kind.' })
  count!: number;
}

@ObjectType('WebhookDeliveryCounts', { description: 'How many webhook calls there are, by what became of them.' })
export class CallCounts implements WebhookCallCounts {
  @Field(() => Int, { description: `All calls of the filter, the newest ${maxSearchedCalls} at most.` })
  total!: number;

  @Field(() => Int, { description: 'Those of which some items were refused.' })
  partial!: number;

  @Field(() => Int, { description: 'Those that were refused.' })
  refused!: number;

  @Field(() => Int, { description: 'Those that report a message as FAILED.' })
  notSent!: number;

  @Field(() => [WebhookKindCount], { description: 'The kinds of their items, the most frequent first.' })
  kinds!: WebhookKindCount[];

  @Field(() => Boolean, { description: 'False if there may be more calls than were looked through.' })
  isComplete!: boolean;
}

@InputType('WebhookDeliveryFilter', { description: 'Which webhook calls to list: all given conditions have to hold.' })
export class WebhookCallFilter implements WebhookCallFilterInput {
  @Field(() => [WebhookOutcomeEnum], { nullable: true, description: 'One of these outcomes.' })
  outcomes?: WebhookCallOutcome[] | null;

  @Field(() => String, { nullable: true, description: 'Exactly this path.' })
  route?: string | null;

  @Field(() => WebhookDialectEnum, { nullable: true, description: 'Read as this.' })
  dialect?: DialectName | null;

  @Field(() => WebhookSourceEnum, { nullable: true, description: 'From this source.' })
  source?: CallSource | null;

  @Field(() => Date, { nullable: true, description: 'Not before this time.' })
  since?: Date | null;

  @Field(() => Date, { nullable: true, description: 'Before this time.' })
  until?: Date | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: anything but PROCESSED, which may need a correction. False: PROCESSED only.',
  })
  troubled?: boolean | null;

  @Field(() => ID, { nullable: true, description: 'What ran this call again.' })
  replayOfId?: string | null;

  @Field(() => WebhookItemKindEnum, { nullable: true, description: 'With an item of this kind.' })
  kind?: DryRunItemKind | null;

  @Field(() => String, { nullable: true, description: 'With an item that reports this: `FAILED`, for example.' })
  reported?: string | null;

  @Field(() => ID, { nullable: true, description: 'Through this chat instance.' })
  instanceId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `With this text in the first 16 KiB of the body or in the answer, or with this id: a name, a number, words, a message's id. It is found as written, in small letters, in capitals and with capital initials. It looks through the newest ${maxSearchedCalls} calls that the other conditions leave; \`until\` reaches earlier ones.`,
  })
  search?: string | null;
}
