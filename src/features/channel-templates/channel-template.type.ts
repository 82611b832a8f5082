// GraphQL types of channel templates.

import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { countedConnectionType } from '../../platform/graphql/relay.type.js';
import type { ChannelTemplateFilter as ChannelTemplateFilterShape } from './channel-template.schema.js';
import type {
  ChannelTemplateRow,
  SentChannelTemplate as SentChannelTemplateRecord,
} from './channel-template.service.js';

/** The description of a channel template's variables in inputs. */
export const channelVariablesDescription =
  'Values by component: `{"header": {"1": "…"}, "body": {"1": "…"}, "buttons": {"0": "…"}}`. A header that is a file takes `{"link": "https://…"}`. `ChannelTemplate.variables` lists what has to be given; nothing else may be.';

@ObjectType({
  description:
    'A template that the chat network keeps and approves, as it was last read or reported. Only Meta’s Cloud API has them.',
})
export class ChannelTemplate implements Omit<
  ChannelTemplateRow,
  'tenantId' | 'instanceId' | 'externalId' | 'components'
> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'Name, unique with the language.' })
  name!: string;

  @Field(() => String, { description: 'Language and country, as `pt_BR`.' })
  language!: string;

  @Field(() => String, { nullable: true, description: '`MARKETING`, `UTILITY` or `AUTHENTICATION`.' })
  category!: string | null;

  @Field(() => String, {
    description:
      '`APPROVED`, `PENDING`, `REJECTED`, `PAUSED`, `DISABLED`, `FLAGGED`, `IN_APPEAL`, `PENDING_DELETION`, `DELETED`, `LIMIT_EXCEEDED`, or what the network calls it. Only APPROVED and FLAGGED can be sent.',
  })
  status!: string;

  @Field(() => String, { nullable: true, description: 'Why it has this status, where the network says so.' })
  statusReason!: string | null;

  @Field(() => Date, { description: 'When the network last told the status.' })
  statusReportedAt!: Date;

  @Field(() => GraphQLJSON, { description: 'Header, body, footer and buttons, as the network describes them.' })
  components!: unknown;

  @Field(() => Date, { description: 'When it was first read.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last read or reported.' })
  updatedAt!: Date;
}

export const ChannelTemplateConnection = countedConnectionType(ChannelTemplate, 'ChannelTemplate');

@ObjectType({ description: 'The channel template that a message or a bulk send was made of.' })
export class SentChannelTemplate implements Pick<SentChannelTemplateRecord, 'id' | 'name' | 'language'> {
  @Field(() => ID, { description: "The template's id. It may be gone since." })
  id!: string;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => String, { description: 'Its language.' })
  language!: string;
}

@InputType({ description: 'Which channel templates to list. All conditions have to hold.' })
export class ChannelTemplateFilter implements ChannelTemplateFilterShape {
  @Field(() => String, { nullable: true, description: 'Exactly this name.' })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A part of the name, in any letter case; at most 100 characters.',
  })
  search?: string | null;

  @Field(() => String, { nullable: true, description: 'Exactly this language: `pt_BR`.' })
  language?: string | null;

  @Field(() => String, { nullable: true, description: 'Of this category: `UTILITY`.' })
  category?: string | null;

  @Field(() => String, { nullable: true, description: 'With this status: `APPROVED`.' })
  status?: string | null;
}
