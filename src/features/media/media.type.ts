// GraphQL type of the files of messages.

import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { MediaState } from '../../platform/prisma/enums.js';
import type { MessageFile } from './media.service.js';

registerEnumType(MediaState, {
  name: 'MediaState',
  description: 'Whether a file is here.',
  valuesConfig: {
    PENDING: { description: 'It is being fetched, or will be.' },
    STORED: { description: 'It is here: `url` leads to it.' },
    EXPIRED: { description: 'It is no longer there where it came from, or was kept for as long as files are kept.' },
    TOO_LARGE: { description: 'It is larger than files of its kind may be.' },
    FAILED: { description: 'It could not be fetched: `error` says why. `fetchMedia` tries again.' },
  },
});

@ObjectType({ description: 'The file of a message.' })
export class MessageMedia implements MessageFile {
  @Field(() => ID, { description: "The message's id. `sendMessage(media: {id})` takes it, too." })
  id!: string;

  @Field(() => MediaState, { description: 'Whether the file is here. MESSAGE_UPDATED tells of a change.' })
  state!: MediaState;

  @Field(() => String, {
    nullable: true,
    description:
      'Where the file is: an address of this service, valid for an hour, that needs no token. Null unless the file is STORED. A path where PUBLIC_URL is not configured.',
  })
  url!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The address that the gateway or the sender gave. It may need credentials, and may have ended.',
  })
  sourceUrl!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Media type, as `image/png`: of the content once the file is STORED, before as it was reported.',
  })
  mimeType!: string | null;

  @Field(() => String, { nullable: true, description: 'Name to show.' })
  fileName!: string | null;

  @Field(() => Int, { nullable: true, description: 'In bytes; null until the file is STORED.' })
  size!: number | null;

  @Field(() => String, { nullable: true, description: 'SHA-256 of the content, hexadecimal.' })
  sha256!: string | null;

  @Field(() => String, { nullable: true, description: 'Text under the file.' })
  caption!: string | null;

  @Field(() => String, { nullable: true, description: 'Why the file is not here, in a sentence.' })
  error!: string | null;
}
