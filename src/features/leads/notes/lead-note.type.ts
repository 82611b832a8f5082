// GraphQL types of notes and touches.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import { countedConnectionType } from '../../../platform/relay.type.js';
import type { LeadNoteRow, LeadTouchRow } from './lead-note.service.js';

@ObjectType({ description: 'What an operator wrote about a lead for colleagues. The lead never sees it.' })
export class LeadNote implements LeadNoteRow {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'The text.' })
  body!: string;

  @Field(() => Date, { description: 'When it was written.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last changed.' })
  updatedAt!: Date;

  leadId!: string;
  authorId!: string;
}

@ObjectType({ description: 'One time that a lead was sent in: by an external system, an import or by hand.' })
export class LeadTouch implements Omit<LeadTouchRow, 'metadata'> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'Where it came from that time.' })
  source!: string;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Other fields that came with it that time.' })
  metadata!: Record<string, unknown> | null;

  @Field(() => Date, { description: 'When.' })
  createdAt!: Date;

  leadId!: string;
}

export const LeadNoteConnection = countedConnectionType(LeadNote, 'LeadNote');
export const LeadTouchConnection = countedConnectionType(LeadTouch, 'LeadTouch');
