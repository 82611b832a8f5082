// GraphQL type of the preview of a send.

import { Field, ObjectType } from 'type-graphql';
import type { SendPreviewRecord } from './send-preview.service.js';

@ObjectType({
  description:
    'What `sendMessage` would do with the same input at this moment. Nothing is kept of it: a later send may find another instance, another place or a closed window.',
})
export class SendPreview implements Pick<SendPreviewRecord, 'type' | 'body' | 'caption'> {
  @Field(() => String, { description: '`text`, `template`, or the kind of file.' })
  type!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The text as the lead would get it: a template is rendered, and the signature stands before it. Null for a file alone.',
  })
  body!: string | null;

  @Field(() => String, { nullable: true, description: 'The caption as the lead would get it, with the signature.' })
  caption!: string | null;
}
