// GraphQL types of changing leads.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { CreateLeadInput as CreateLeadShape, UpdateLeadInput as UpdateLeadShape } from './lead-record.schema.js';
import {
  maxCustomFields,
  maxFieldNameLength,
  maxFieldTextLength,
  maxTagLength,
  maxTags,
} from './lead-record.schema.js';
import type { LeadRow } from './lead.service.js';
import { Lead } from './lead.type.js';

const tagBounds = `at most ${maxTags} of at most ${maxTagLength} characters`;
const fieldBounds = `at most ${maxCustomFields}, names of at most ${maxFieldNameLength} characters, text of at most ${maxFieldTextLength}, numbers and booleans`;

@InputType({ description: 'A person to find or create by number.' })
export class CreateLeadInput implements CreateLeadShape {
  @Field(() => String, { description: 'The number in any common writing, with country code.' })
  chat!: string;

  @Field(() => String, { nullable: true, description: 'At most 200 characters; the number where left out.' })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Where the lead comes from, at most 100 characters; else `manual`.',
  })
  source?: string | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Kept with the touch, at most 16 KiB as JSON.' })
  metadata?: Record<string, unknown> | null;

  @Field(() => [String], { nullable: true, description: `Tags of a new lead: ${tagBounds}.` })
  tags?: string[] | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: `Custom fields of a new lead: ${fieldBounds}.` })
  customFields?: Record<string, unknown> | null;

  @Field(() => ID, { nullable: true, description: 'Who looks after a new lead.' })
  assigneeId?: string | null;
}

@ObjectType({ description: 'The lead of a number.' })
export class CreateLeadPayload {
  @Field(() => Lead, { description: 'The lead; one that was there already is unchanged.' })
  lead!: LeadRow;

  @Field(() => Boolean, { description: 'False where the lead was there already.' })
  created!: boolean;
}

@InputType({ description: 'What to change of a lead. What is left out stays as it is.' })
export class UpdateLeadInput implements UpdateLeadShape {
  @Field(() => String, { nullable: true, description: 'At most 200 characters.' })
  name?: string;

  @Field(() => String, { nullable: true, description: 'At most 100 characters. The touches stay as they are.' })
  source?: string;

  @Field(() => [String], { nullable: true, description: `All its tags from now on: ${tagBounds}.` })
  tags?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Tags to add to those it has.' })
  addTags?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Tags to take away.' })
  removeTags?: string[] | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: `Custom fields to set; null takes one away, the others stay: ${fieldBounds}.`,
  })
  customFields?: Record<string, unknown> | null;
}
