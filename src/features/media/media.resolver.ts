// GraphQL API of the files of messages.

import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { callerOf, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import type { MessageRow } from '../messages/message.service.js';
import { Message } from '../messages/message.type.js';
import type { MediaFileRow, MediaService, MessageFile } from './media.service.js';
import { MessageMedia } from './media.type.js';

@Resolver(() => Message)
export class MediaResolver {
  constructor(private readonly service: MediaService) {}

  @Authorized()
  @Mutation(() => Message, {
    description:
      "Has a message's file fetched once more, where it is not STORED. MESSAGE_UPDATED tells what became of it. CONFLICT where there is nothing to fetch. Safe to repeat.",
  })
  fetchMedia(
    @Ctx() context: GraphqlContext,
    @Arg('messageId', () => ID, { description: "The message's id, which is its file's." }) messageId: string,
  ): Promise<MessageRow> {
    return this.service.fetchAgain(context.principal, messageId);
  }

  @FieldResolver(() => MessageMedia, { nullable: true, description: 'The file with it.' })
  async media(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<MessageFile | null> {
    if (message.media === null) return null;
    const read = (ids: readonly string[]) => this.service.listOfMessages(callerOf(context), ids);
    const row = await context.loaders.one<MediaFileRow>('media-file', read, ({ id }) => id).load(message.id);
    return this.service.toFile(message, row);
  }
}
