// GraphQL of uploads, and the files of templates.

import { Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { callerOf, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { Template } from '../templates/template.type.js';
import type { TemplateRow } from '../templates/template.service.js';
import type { TemplateFileRecord, TemplateFileService, UploadedMediaRecord } from './template-files.service.js';

@ObjectType({ description: 'A file that was uploaded by `POST /media`.' })
export class UploadedMedia implements UploadedMediaRecord {
  @Field(() => ID, { description: 'Its id. `sendMessage(media: {id})` takes it, too.' })
  id!: string;

  @Field(() => String, {
    description:
      'The address of the file at this service. It is valid for an hour and needs no token. A path if PUBLIC_URL is not configured.',
  })
  url!: string;

  @Field(() => String, { description: 'Media type of the content, as `image/png`.' })
  mimeType!: string;

  @Field(() => String, { nullable: true, description: 'Name to show.' })
  fileName!: string | null;

  @Field(() => Int, { description: 'In bytes.' })
  size!: number;

  @Field(() => String, { description: 'SHA-256 of the content, hexadecimal.' })
  sha256!: string;
}

@Resolver(() => Template)
export class TemplateFilesResolver {
  constructor(private readonly service: TemplateFileService) {}

  @FieldResolver(() => [UploadedMedia], {
    description: 'The files that go with the text when it is sent, in this order.',
  })
  files(@Root() { id }: TemplateRow, @Ctx() context: GraphqlContext): Promise<TemplateFileRecord[]> {
    const read = (ids: readonly string[]) => this.service.listOfTemplates(callerOf(context), ids);
    return context.loaders.many<TemplateFileRecord>('template-file', read, ({ templateId }) => templateId).load(id);
  }
}
