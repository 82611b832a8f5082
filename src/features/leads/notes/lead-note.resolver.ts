// GraphQL of notes and touches, and the fields that they add to Lead.

import { GraphQLJSONObject } from 'graphql-scalars';
import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { callerOf, loadById, type GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import {
  countedConnectionType,
  toConnection,
  TwoWayPageArgs,
  type ConnectionValue,
} from '../../../platform/graphql/relay.type.js';
import type { UserService } from '../../users/user.service.js';
import type { UserRecord } from '../../users/user.sql.js';
import { User } from '../../users/user.type.js';
import { maxNoteLength } from '../lead.schema.js';
import type { LeadRow } from '../lead.service.js';
import { Lead } from '../lead.type.js';
import { Referral } from '../referrals/referral.type.js';
import type { LeadNoteRow, LeadNoteService, LeadTouchRow } from './lead-note.service.js';

const bodyDescription = `The text, at most ${maxNoteLength} characters.`;

@Resolver(() => LeadNote)
export class LeadNoteResolver {
  constructor(
    private readonly service: LeadNoteService,
    private readonly users: UserService,
  ) {}

  @Authorized()
  @Mutation(() => LeadNote, { description: 'Adds a note to a lead.' })
  addLeadNote(
    @Ctx() context: GraphqlContext,
    @Arg('leadId', () => ID, { description: 'About whom.' }) leadId: string,
    @Arg('body', () => String, { description: bodyDescription }) body: string,
  ): Promise<LeadNoteRow> {
    return this.service.add(context.principal, leadId, body);
  }

  @Authorized()
  @Mutation(() => LeadNote, { description: "Replaces a note's text: its author and ADMINs may. Safe to repeat." })
  updateLeadNote(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The note's id." }) id: string,
    @Arg('body', () => String, { description: bodyDescription }) body: string,
  ): Promise<LeadNoteRow> {
    return this.service.update(context.principal, id, body);
  }

  @Authorized()
  @Mutation(() => ID, { description: 'Takes a note away: its author and ADMINs may.' })
  deleteLeadNote(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The note's id." }) id: string,
  ): Promise<string> {
    return this.service.delete(context.principal, id);
  }

  @FieldResolver(() => User, { description: 'Who wrote it.' })
  async author(@Root() { authorId }: LeadNoteRow, @Ctx() context: GraphqlContext): Promise<UserRecord | null> {
    return loadById(context, 'user', this.users, authorId);
  }
}

@Resolver(() => Lead)
export class LeadHistoryResolver {
  constructor(private readonly service: LeadNoteService) {}

  @FieldResolver(() => LeadNoteConnection, { description: 'What operators wrote about the lead, the newest first.' })
  async notes(
    @Root() lead: LeadRow,
    @Ctx() context: GraphqlContext,
    @Args(() => TwoWayPageArgs) args: TwoWayPageArgs,
  ): Promise<ConnectionValue<LeadNoteRow>> {
    const read = (ids: readonly string[]) => this.service.listOfLeads(callerOf(context), ids, args);
    return toConnection(await context.loaders.page('lead-notes', args, lead.id, read));
  }

  @FieldResolver(() => LeadTouchConnection, {
    description: 'Each time that the lead was sent in, the newest first: where from, when and with what.',
  })
  async touches(
    @Root() lead: LeadRow,
    @Ctx() context: GraphqlContext,
    @Args(() => TwoWayPageArgs) args: TwoWayPageArgs,
  ): Promise<ConnectionValue<LeadTouchRow>> {
    const read = (ids: readonly string[]) => this.service.listTouches(callerOf(context), ids, args);
    return toConnection(await context.loaders.page('lead-touches', args, lead.id, read));
  }
}

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

@ObjectType({
  description:
    'One time that a lead came: sent in by an external system, an import or by hand, or through an ad, post or product.',
})
export class LeadTouch implements Omit<LeadTouchRow, 'metadata' | 'referral'> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'Where it came from that time.' })
  source!: string;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Other fields that came with it that time.' })
  metadata!: Record<string, unknown> | null;

  @Field(() => Referral, { nullable: true, description: 'The ad, post or product that brought it that time.' })
  referral!: Referral | null;

  @Field(() => Date, { description: 'When.' })
  createdAt!: Date;

  leadId!: string;
}

const LeadNoteConnection = countedConnectionType(LeadNote, 'LeadNote');
const LeadTouchConnection = countedConnectionType(LeadTouch, 'LeadTouch');
