// GraphQL of a search over everything.

import { Arg, Authorized, Ctx, Extensions, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { callerOf, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { listSizeExtension } from '../../platform/graphql/relay.type.js';
import { maxSearchLength } from '../leads/lead.schema.js';
import type { LeadRow, LeadService } from '../leads/lead.service.js';
import { Lead } from '../leads/lead.type.js';
import { loadLead } from '../messages/message-lead.loader.js';
import { defaultFound, maxFound, type Search } from './search.schema.js';
import type { FoundMessage, FoundNote, SearchService } from './search.service.js';
import { MessageHit, NoteHit, SearchResults } from './search.type.js';

@Resolver(() => SearchResults)
export class SearchResolver {
  constructor(private readonly service: SearchService) {}

  @Authorized()
  @Query(() => SearchResults, {
    description:
      'Finds people, messages and notes, whatever the state of their conversation. Several words have to be found all. Letter case and accents do not count, and the beginning of a word is enough.',
  })
  search(
    @Ctx() context: GraphqlContext,
    @Arg('text', () => String, { description: `What to find, at most ${maxSearchLength} characters.` }) text: string,
    @Arg('first', () => Int, {
      nullable: true,
      description: `How many of each, ${defaultFound} by default, ${maxFound} at most.`,
    })
    first?: number | null,
  ): Search {
    return this.service.parse(context.principal, { text, first });
  }

  @Extensions({ [listSizeExtension]: maxFound })
  @FieldResolver(() => [Lead], {
    description:
      'People: by name, number, tag or the beginning of the e-mail address. First those whose name begins with the text, then by the newest message.',
  })
  leads(@Root() search: Search, @Ctx() context: GraphqlContext): Promise<LeadRow[]> {
    return this.service.findLeads(callerOf(context), search);
  }

  @Extensions({ [listSizeExtension]: maxFound })
  @FieldResolver(() => [MessageHit], { description: 'Messages with every word of the text, the newest first.' })
  messages(@Root() search: Search, @Ctx() context: GraphqlContext): Promise<FoundMessage[]> {
    return this.service.findMessages(callerOf(context), search);
  }

  @Extensions({ [listSizeExtension]: maxFound })
  @FieldResolver(() => [NoteHit], {
    description: 'Notes about people with every word of the text, the newest first.',
  })
  notes(@Root() search: Search, @Ctx() context: GraphqlContext): Promise<FoundNote[]> {
    return this.service.findNotes(callerOf(context), search);
  }
}

@Resolver(() => MessageHit)
export class MessageHitResolver {
  constructor(private readonly leads: LeadService) {}

  @FieldResolver(() => Lead, { description: 'With whom.' })
  lead(@Root() { message }: FoundMessage, @Ctx() context: GraphqlContext): Promise<LeadRow> {
    return loadLead(context, this.leads, message);
  }
}

@Resolver(() => NoteHit)
export class NoteHitResolver {
  constructor(private readonly leads: LeadService) {}

  @FieldResolver(() => Lead, { description: 'About whom.' })
  lead(@Root() { note }: FoundNote, @Ctx() context: GraphqlContext): Promise<LeadRow> {
    return loadLead(context, this.leads, note);
  }
}
